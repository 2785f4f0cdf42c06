#include "statics/judge.h"

#include <algorithm>

#include "linalg/fixed.h"

namespace trilith::statics {

std::vector<Vec3d> world_forces(const constraints::ContactRows& contacts, const model::Assembly& assembly, std::span<const double> force) {
  std::vector<Vec3d> forces(static_cast<std::size_t>(contacts.first_vertex.back()));
  constraints::write_world_forces(contacts, assembly, force, forces);
  return forces;
}

std::vector<certify::Velocity> block_velocities(const constraints::ContactRows& contacts, std::span<const double> y, double factor) {
  const std::size_t blocks = contacts.body_of_block.size();
  std::vector<Vec3d> linear(blocks), angular(blocks);
  constraints::write_velocities(contacts, y, linear, angular);
  std::vector<certify::Velocity> velocities(blocks);
  for (std::size_t i = 0; i < blocks; ++i) velocities[i] = {factor * linear[i], factor * angular[i]};
  return velocities;
}

void write_unknowns(const constraints::ContactRows& contacts, std::span<const certify::Velocity> velocities, std::span<double> y) {
  for (std::size_t body = 0; body < contacts.block_of_body.size(); ++body) {
    const certify::Velocity& v = velocities[static_cast<std::size_t>(contacts.block_of_body[body])];
    const Vec3d turn = contacts.length_m * v.angular;
    const double of_body[6] = {v.linear.x, v.linear.y, v.linear.z, turn.x, turn.y, turn.z};
    std::copy(of_body, of_body + 6, y.begin() + static_cast<std::ptrdiff_t>(6 * body));
  }
}

certify::Verification judge_forces(const certify::StaticProblem& problem, std::span<const Vec3d> forces,
                                   const certify::VerifySettings& settings) {
  certify::Verification in_double = certify::verify_force_state(problem, forces, settings);
  return in_double.accepted ? in_double : certify::verify_force_state_exact(problem, forces, settings);
}

certify::Verification judge_collapse(const certify::StaticProblem& problem, std::span<const certify::Velocity> velocities,
                                     const certify::VerifySettings& settings) {
  certify::Verification in_double = certify::verify_collapse(problem, velocities, settings);
  return in_double.accepted ? in_double : certify::verify_collapse_exact(problem, velocities, settings);
}

}  // namespace trilith::statics
