#pragma once
#include <cstddef>

#include "base/isa.h"

/// Entries of cones_kernel.cpp, one set per instruction set. Plain pointers; the caller answers for sizes. See cones/batch.h.
namespace trilith::cones {

struct ConesKernel {
  void (*project_contacts)(std::size_t count, const double* mu, double* n, double* t1, double* t2) noexcept;
  void (*project_boxes)(std::size_t count, const double* lower, const double* upper, double* value) noexcept;
};

namespace entry {
namespace baseline {
extern const ConesKernel cones_kernel;
}
namespace v3 {
extern const ConesKernel cones_kernel;
}
namespace v4 {
extern const ConesKernel cones_kernel;
}
}  // namespace entry

/// The kernels of `isa`; the CPU must have it.
inline const ConesKernel& cones_kernel_of(Isa isa) {
  return isa == Isa::v4 ? entry::v4::cones_kernel : isa == Isa::v3 ? entry::v3::cones_kernel : entry::baseline::cones_kernel;
}

}  // namespace trilith::cones
