#pragma once
#include <span>

#include "certify/verify.h"
#include "model/assembly.h"
#include "statics/rbe.h"

namespace trilith::statics {

/// X of (RBE-9) of a motion of all blocks, with the cone of the program in place of the true one: power of the weight over the largest
/// entry into a joint and the total weight; infinite where no joint resists, 0 where the weight does no work or a support moves. Plain sums
/// over the assembly in world axes: shares nothing with the solvers. (PEN-3)
double ray_factor(const model::Assembly& assembly, const RbeSettings& settings, std::span<const certify::Velocity> velocities);

}  // namespace trilith::statics
