#include "dynamics/workspace.h"

namespace trilith::dynamics {

Workspace::Workspace(const System& system) : tree(system.tree) {
  const model::Sizes& sizes = system.model->sizes;
  const auto nv = static_cast<std::size_t>(sizes.nv), nu = static_cast<std::size_t>(sizes.nu), na = static_cast<std::size_t>(sizes.na);
  const auto tendons = system.model->tendons.size();
  X_WB.resize(system.model->bodies.size(), identity_pose<double>());
  for (auto* vector : {&tendon_length, &tendon_velocity}) vector->resize(tendons);
  tendon_jacobian.resize(system.tendons.pattern().entries());
  for (auto* vector : {&actuator_length, &actuator_velocity, &actuator_force, &control}) vector->resize(nu);
  moment.resize(system.transmissions.pattern().entries());
  for (auto* vector : {&act_rate, &stage_act, &mean_act}) vector->resize(na);
  for (auto* vector : {&bias, &passive, &gravity_compensation, &actuator_torque, &smooth, &a_smooth, &a, &constraint, &scratch, &step_a,
                       &stage_v, &mean_v, &mean_a})
    vector->resize(nv);
  stage_q.resize(static_cast<std::size_t>(sizes.nq));
  const bool implicit =
      system.options.integrator == model::Integrator::implicit || system.options.integrator == model::Integrator::implicit_fast;
  if (implicit)
    for (auto* vector : {&lower, &upper}) vector->resize(static_cast<std::size_t>(system.tree.entries()));
  sensors.resize(static_cast<std::size_t>(sizes.nsensordata));
  if (system.needs_body_forces) body_force.resize(X_WB.size(), Wrenchd{});
}

multibody::TreeMotion Workspace::motion(const System& system) const noexcept {
  const multibody::WorkspaceView<double>& view = tree.view();
  return {&system.tree, view.origin, view.link, view.dof, -system.gravity};
}

}  // namespace trilith::dynamics
