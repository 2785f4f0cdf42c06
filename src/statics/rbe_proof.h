#pragma once
#include <span>

#include "certify/penalty_program.h"
#include "model/assembly.h"
#include "statics/rbe.h"

namespace trilith::statics {

/// What certify says of the forces of a penalty program, (n, t1, t2) and f- in N per polygon vertex of every interface, with the
/// multipliers of the balance as motions per block, N and N/m. (PEN-4)
certify::PenaltyVerification prove_rbe_point(const model::Assembly& assembly, const RbeSettings& settings, std::span<const Vec3d> net,
                                             std::span<const double> pulling, std::span<const certify::Velocity> multipliers);

/// And of a motion that is to show that no forces in its cone are in balance. (PEN-3)
certify::PenaltyVerification prove_rbe_ray(const model::Assembly& assembly, const RbeSettings& settings,
                                           std::span<const certify::Velocity> velocities);

}  // namespace trilith::statics
