#pragma once
#include <cstdint>

#include "base/isa.h"

/// Programs that the tests of this folder run once as plain code and once per instruction set; every number must have the same bits.
/// `width`: lanes per operation, 1 for scalar code; counts are multiples of 16.
namespace trilith::test {

inline constexpr int lane_op_count = 25;    ///< results of `lane_ops` per pair of arguments
inline constexpr int math_count = 6;        ///< sin x, cos x, exp x, log x, log |x|, atan2(x, y)
inline constexpr int program_results = 24;  ///< results of the determinism program per problem
inline constexpr int program_problems = 256;

struct IsaPrograms {
  /// out[(i / width * results + r) * width + i % width]: interleaved by groups of `width`.
  void (*lane_ops_double)(int width, const double* a, const double* b, std::int64_t count, double* out);
  void (*lane_ops_float)(int width, const float* a, const float* b, std::int64_t count, float* out);
  void (*math_double)(int width, const double* x, const double* y, std::int64_t count, double* out);
  void (*math_float)(int width, const float* x, const float* y, std::int64_t count, float* out);
  void (*determinism_double)(int width, double* out);
  void (*determinism_float)(int width, float* out);
};

namespace entry {
namespace host {
extern const IsaPrograms isa_programs;
}
namespace baseline {
extern const IsaPrograms isa_programs;
}
namespace v3 {
extern const IsaPrograms isa_programs;
}
namespace v4 {
extern const IsaPrograms isa_programs;
}
}  // namespace entry

/// The programs of `isa`; the CPU must have it.
inline const IsaPrograms& isa_programs_of(Isa isa) {
  if (isa == Isa::v4) return entry::v4::isa_programs;
  return isa == Isa::v3 ? entry::v3::isa_programs : entry::baseline::isa_programs;
}

}  // namespace trilith::test
