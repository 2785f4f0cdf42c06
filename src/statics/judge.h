#pragma once
#include <span>
#include <vector>

#include "certify/verify.h"
#include "constraints/contact_rows.h"
#include "model/assembly.h"

/// What solvers propose, in the words of the verifier, and the verifier's answer.
namespace trilith::statics {

/// Forces of a row vector in world axes, N, on block b, one per polygon vertex in the order of the interfaces.
std::vector<Vec3d> world_forces(const constraints::ContactRows& contacts, const model::Assembly& assembly, std::span<const double> force);

/// Motion of every block of y, 6 per free body, times `factor`; zero for supports.
std::vector<certify::Velocity> block_velocities(const constraints::ContactRows& contacts, std::span<const double> y, double factor = 1);

/// The way back: 6 per free body into `y`.
void write_unknowns(const constraints::ContactRows& contacts, std::span<const certify::Velocity> velocities, std::span<double> y);

/// In double with error bounds, and where that refuses, in exact arithmetic: huge forces near a limit make the bounds of double larger than
/// the gates. (RBE-6 to RBE-9)
certify::Verification judge_forces(const certify::StaticProblem& problem, std::span<const Vec3d> forces,
                                   const certify::VerifySettings& settings);
certify::Verification judge_collapse(const certify::StaticProblem& problem, std::span<const certify::Velocity> velocities,
                                     const certify::VerifySettings& settings);

}  // namespace trilith::statics
