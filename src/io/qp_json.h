#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/json.h"

namespace trilith::io {

/// A bound on the 2-norm of some entries of x.
struct QpNormBound {
  double radius = 0;
  std::vector<int> entries;
};

/// minimise 1/2 x'P x + q'x subject to lower <= A x <= upper and norm bounds. Dense, row-major; absent bounds are infinite.
struct QpFile {
  int variables = 0, rows = 0;
  std::vector<double> P, q, A, lower, upper;  ///< P empty: zero
  std::vector<QpNormBound> norms;
  std::vector<Warning> warnings;
};

/// Bounds of at least this magnitude are absent, as other programs write infinity.
inline constexpr double absent_bound = 1e20;
/// Two mirrored entries of P may differ by this times its largest entry: rounding of whoever wrote it. Their mean is taken.
inline constexpr double symmetry_tolerance = 1e-12;
/// Most variables and rows of a dense problem.
inline constexpr int most_qp_variables = 2000, most_qp_rows = 20000;

/// Reads `trilith qp` input: P or P_diag (neither: 0), q, A with l and u (null: none), soc [{t, rows}]. Refuses wrong lengths, numbers that
/// are not finite, a P that is not symmetric, bounds that cross, entries that are not there; all at once.
Result<QpFile> read_qp(const Json& root, std::string_view source);

}  // namespace trilith::io
