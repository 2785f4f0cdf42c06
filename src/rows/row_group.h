#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "cones/pyramid_faces.h"
#include "trilith/result.h"

namespace trilith::rows {

/// The sets of src/cones.
enum class SetKind : std::uint8_t { zero, nonnegative, box, friction_cone, elliptic, pyramid, disc, ellipse };

/// How a group acts on the solve.
enum class Mechanism : std::uint8_t {
  telemetry,             ///< measured only
  respond,               ///< soft: the force lies in the set, weight R per row
  barrier,               ///< relaxed logarithmic barrier of the value
  admm,                  ///< a copy of the value is projected onto the set, multiplier y
  augmented_lagrangian,  ///< the force lies in the set, R = 1/rho, shifted by the multiplier
};

std::string_view name(SetKind set) noexcept;
std::string_view name(Mechanism mechanism) noexcept;

/// Most rows that one set may tie together.
inline constexpr int most_block_rows = 6;

/// `count` rows of one kind that share a unit, a set and a mechanism. A view: storage belongs to the problem. Rows of a group are
/// contiguous and blocks lie one after the other, so a solver runs one loop per group and never a virtual call per row (rows/visit.h).
///
/// The set is that of the row's *value* under telemetry, barrier and admm, and that of its *force* under respond and augmented_lagrangian:
/// there an equality has a box without bounds, an inequality value >= 0 has `nonnegative`, friction loss F has [-F, F].
struct RowGroup {
  std::string_view name;  ///< "joint velocity", shown in reports
  std::string_view unit;  ///< "rad/s": violations of a group are comparable
  SetKind set = SetKind::zero;
  Mechanism mechanism = Mechanism::telemetry;
  std::int32_t first = 0, count = 0;  ///< rows [first, first + count) of the problem
  std::int32_t block = 1;             ///< rows per set: scalar sets 1, pyramid 3, friction_cone and elliptic 2 to 6, disc 1 to 6, ellipse 2
  std::span<const double> lower, upper;  ///< box: one per row, +-infinity = absent
  /// friction_cone, pyramid (effective): one per block; elliptic: block - 1 per block; >= 0 (0: no such motion is resisted); ellipse: one
  /// per row, > 0
  std::span<const double> mu;
  std::span<const double> radius;              ///< disc, ellipse: one per block, >= 0, in the row's unit (ellipse: that divided by mu)
  const cones::PyramidFaces* faces = nullptr;  ///< pyramid: shared table

  std::int32_t blocks() const noexcept { return count / block; }
  std::int32_t end() const noexcept { return first + count; }
};

/// Every reason why a group cannot be used (sizes, bounds that cross, negative or missing parameters, NaN); empty where it can.
std::vector<Error> find_faults(const RowGroup& group);

}  // namespace trilith::rows
