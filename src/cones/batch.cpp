#include "cones/batch.h"

#include "base/check.h"
#include "cones/cones_kernel.h"

namespace trilith::cones {

void project_contacts(std::span<const double> mu, std::span<double> n, std::span<double> t1, std::span<double> t2) noexcept {
  TRI_CHECK(mu.size() == n.size() && t1.size() == n.size() && t2.size() == n.size());
  cones_kernel_of(active_isa()).project_contacts(n.size(), mu.data(), n.data(), t1.data(), t2.data());
}

void project_boxes(std::span<const double> lower, std::span<const double> upper, std::span<double> value) noexcept {
  TRI_CHECK(lower.size() == value.size() && upper.size() == value.size());
  cones_kernel_of(active_isa()).project_boxes(value.size(), lower.data(), upper.data(), value.data());
}

}  // namespace trilith::cones
