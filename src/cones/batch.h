#pragma once
#include <span>

namespace trilith::cones {

/// Projects contact forces onto their cones |t| <= mu n, in place, Euclidean (CONE-4). One array per component, all of one length; arrays
/// must not overlap. Runs on the instruction set of active_isa(); every contact has the bits of the scalar `project`. Never allocates.
void project_contacts(std::span<const double> mu, std::span<double> n, std::span<double> t1, std::span<double> t2) noexcept;

/// Clamps every value to [lower, upper] (either may be infinite), in place, with the bits of `Box::project`.
void project_boxes(std::span<const double> lower, std::span<const double> upper, std::span<double> value) noexcept;

}  // namespace trilith::cones
