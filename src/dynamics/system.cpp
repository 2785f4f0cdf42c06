#include "dynamics/system.h"

#include <algorithm>

#include "base/text.h"
#include "dynamics/constraint_stage.h"
#include "dynamics/law_warnings.h"
#include "dynamics/stages.h"
#include "multibody/mass_matrix.h"
#include "multibody/tree_of_model.h"

namespace trilith::dynamics {
namespace {

using model::JointKind;
using model::SensorKind;

constexpr double least_mass = 1e-15;  // kg: the medium does not drag what is lighter
constexpr double least_side = 1e-15;  // kg m^2: keeps a flat box from having no side

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

std::string quoted(const std::string& name) { return "\"" + name + "\""; }

void collect_joints(System& system) {
  const model::Model& model = *system.model;
  system.damping.resize(at(model.sizes.nv));
  for (const model::Joint& joint : model.joints) {
    for (std::int32_t k = 0; k < dofs_of(joint.kind); ++k) {
      system.damping[at(joint.v + k)] = joint.damping;
      if (joint.actuator_gravity_compensation) system.compensating_dofs.push_back(joint.v + k);
    }
    system.any_damping = system.any_damping || joint.damping > 0;
    if (joint.stiffness != 0 && !joint.spring_damper) system.springs.push_back({joint.kind, joint.q, joint.v, joint.stiffness});
  }
}

/// The frame at the centre of mass along principal axes of inertia, X_BI. (DYN-13)
Posed inertial_frame(const model::Body& body) { return {body.principal_axes, body.inertia.com}; }

/// The box of the body's mass and principal inertias, which the medium drags. (DYN-14)
DraggedBody drag_box(std::int32_t index, const model::Body& body) {
  const Mat3d about_axes = transpose(body.principal_axes) * body.inertia.about_com * body.principal_axes;
  const double a = about_axes.m[0], b = about_axes.m[4], c = about_axes.m[8];
  const auto side = [&](double excess) { return trilith::sqrt(max(least_side, excess) / body.inertia.mass * 6); };
  return {index, inertial_frame(body), {side(b + c - a), side(a + c - b), side(a + b - c)}};
}

void collect_bodies(System& system) {
  const model::Model& model = *system.model;
  const bool medium = system.options.medium_density > 0 || system.options.medium_viscosity > 0;
  system.moved_by_mocap.resize(model.bodies.size());
  for (std::size_t b = 1; b < model.bodies.size(); ++b) {
    const model::Body& body = model.bodies[b];
    const auto index = static_cast<std::int32_t>(b);
    const bool moves = system.tree.body(index).link >= 0;
    system.moved_by_mocap[b] = !moves && (body.mocap_index >= 0 || system.moved_by_mocap[at(body.parent)] != 0);
    if (moves && body.gravity_compensation != 0 && body.inertia.mass > 0) system.compensated_bodies.push_back(index);
    if (moves && medium && body.inertia.mass >= least_mass) system.dragged.push_back(drag_box(index, body));
  }
  if (dot(system.gravity, system.gravity) == 0) system.compensated_bodies.clear();
}

/// First degrees of freedom of bodies on a free joint that carry no other body with mass.
void collect_free_bodies(System& system) {
  const model::Model& model = *system.model;
  for (const model::Joint& joint : model.joints) {
    if (joint.kind != JointKind::free) continue;
    const std::int32_t link = system.tree.dof_link(joint.v + 3);
    bool alone = system.tree.link(link).end == link + 1;
    for (std::size_t b = 1; b < model.bodies.size(); ++b) {
      const auto body = static_cast<std::int32_t>(b);
      if (body != joint.body && system.tree.body(body).link == link && model.bodies[b].inertia.mass > 0) alone = false;
    }
    if (alone) system.free_bodies.push_back(joint.v);
  }
}

AttachedFrame frame_of(const model::Model& model, model::ElementKind kind, std::int32_t index) {
  using model::ElementKind;
  if (index < 0) return {};
  switch (kind) {
    case ElementKind::body:
      return {index, inertial_frame(model.bodies[at(index)])};
    case ElementKind::body_frame:
      return {index, identity_pose<double>()};
    case ElementKind::geom:
      return {model.geoms[at(index)].body, model.geoms[at(index)].pose};
    case ElementKind::site:
      return {model.sites[at(index)].body, model.sites[at(index)].pose};
    default:
      return {};
  }
}

void collect_sensors(System& system) {
  for (const model::Sensor& sensor : system.model->sensors) {
    system.sensor_frames.push_back({frame_of(*system.model, sensor.object_kind, sensor.object.index),
                                    frame_of(*system.model, sensor.reference_kind, sensor.reference.index)});
    const bool force = sensor.kind == SensorKind::force || sensor.kind == SensorKind::torque;
    const bool acceleration = sensor.kind == SensorKind::accelerometer || sensor.kind == SensorKind::frame_linear_acceleration ||
                              sensor.kind == SensorKind::frame_angular_acceleration;
    system.needs_body_forces = system.needs_body_forces || force;
    system.needs_accelerations = system.needs_accelerations || force || acceleration;
  }
}

/// Stiffness and damping of joints that give a time constant and a damping ratio, from the inertia that they feel. (DYN-11)
void settle_spring_dampers(System& system, Workspace& w) {
  for (const model::Joint& joint : system.model->joints) {
    if (!joint.spring_damper) continue;
    double inverse = 0;  // trace of the joint's block of M^-1
    const std::int32_t count = dofs_of(joint.kind);
    for (std::int32_t k = joint.v; k < joint.v + count; ++k) {
      std::ranges::fill(w.smooth, 0.0);
      w.smooth[at(k)] = 1;
      multibody::solve_mass_matrix<double>(system.tree, w.tree, w.smooth);
      inverse += w.smooth[at(k)];
    }
    const auto [time_constant, ratio] = *joint.spring_damper;
    const double inertia = count / max(inverse, least_mass), damping = 2 * inertia / time_constant;
    const double root = time_constant * ratio;
    system.springs.push_back({joint.kind, joint.q, joint.v, inertia / (root * root)});
    for (std::int32_t k = joint.v; k < joint.v + count; ++k) system.damping[at(k)] = damping;
    system.any_damping = true;
  }
}

/// Tendons without a slack length are slack where the joint springs are. (DYN-12)
void settle_tendons(System& system) {
  const model::Model& model = *system.model;
  State state = make_state(model);
  state.q = model.spring_qpos;
  Workspace w(system);
  (void)update_position(system, state, w);
  for (std::size_t i = 0; i < model.tendons.size(); ++i) {
    const double length = w.tendon_length[i];
    system.spring_length.push_back(model.tendons[i].spring_length.value_or(model::Range{length, length}));
  }
}

/// What the inertia in the pose of the file tells: joints by their time constant, and servos' damping. (DYN-11), (DYN-17)
void settle_by_inertia(System& system) {
  const model::Model& model = *system.model;
  State state = make_state(model);
  state.q = model.qpos0;
  Workspace w(system);
  (void)update_position(system, state, w);
  settle_spring_dampers(system, w);
  const std::span<const double> M = multibody::mass_matrix_entries(system.tree, w.tree);
  const multibody::SparseRows& pattern = system.transmissions.pattern();
  for (std::int32_t i = 0; i < pattern.rows(); ++i) {
    const model::Actuator& actuator = model.actuators[at(i)];
    std::array<double, 3> bias = actuator.bias_parameters;
    if (actuator.damping_ratio) {
      double inertia = 0;
      const std::span<const std::int32_t> columns = pattern.columns(i);
      const std::span<const double> moment = pattern.of_row(std::span<const double>(w.moment), i);
      for (std::size_t e = 0; e < columns.size(); ++e) {
        const double square = moment[e] * moment[e];
        const auto diagonal = static_cast<std::size_t>(system.tree.row_start(columns[e])) + system.tree.row(columns[e]).size() - 1;
        if (square > least_mass) inertia += M[diagonal] / square;
      }
      bias[2] = -2 * *actuator.damping_ratio * trilith::sqrt(max(actuator.gain_parameters[0] * inertia, 0.0));
    }
    system.actuator_bias.push_back(bias);
  }
}

/// True where every two of the degrees of freedom lie on one way to the root.
bool on_one_chain(const multibody::Tree& tree, std::span<const std::int32_t> dofs) {
  if (dofs.empty()) return true;
  const std::span<const std::int32_t> chain = tree.row(dofs.back());
  return std::ranges::all_of(dofs, [&](std::int32_t k) { return std::ranges::binary_search(chain, k); });
}

void check_tendon_armature(System& system, std::vector<Error>& errors) {
  for (std::int32_t i = 0; i < system.tendons.count(); ++i) {
    const model::Tendon& tendon = system.model->tendons[at(i)];
    if (tendon.armature == 0) continue;
    system.tendon_armature = true;
    if (system.tendons.wraps(i))
      errors.push_back({"armature of tendon " + quoted(tendon.name) + ": a tendon that goes around shapes can have none", tendon.where});
    else if (!on_one_chain(system.tree, system.tendons.pattern().columns(i)))
      errors.push_back({"armature of tendon " + quoted(tendon.name) + ": its joints must lie on one chain of bodies", tendon.where});
  }
}

void check_mocap(const System& system, std::vector<Error>& errors) {
  const model::Model& model = *system.model;
  std::vector<char> below(model.bodies.size());
  for (std::size_t b = 1; b < model.bodies.size(); ++b) {
    const model::Body& body = model.bodies[b];
    below[b] = body.mocap_index >= 0 || below[at(body.parent)] != 0;
    if (below[b] != 0 && body.joint_count > 0)
      errors.push_back({"body " + quoted(body.name) + " has joints and hangs on a mocap body: it cannot be simulated", body.where});
  }
}

}  // namespace

Result<MadeSystem> make_system(std::shared_ptr<const model::Model> model, const model::SimulationOptions& options) {
  return make_system(std::move(model), options, constraint_settings(options));
}

Result<MadeSystem> make_system(std::shared_ptr<const model::Model> model, const model::SimulationOptions& options,
                               const ConstraintSettings& constraints, const StepSettings& settings) {
  auto made = std::make_shared<System>();
  System& system = *made;
  system.model = std::move(model);
  system.options = options;
  system.settings = settings;
  system.gravity = options.gravity_on ? options.gravity : Vec3d{};
  system.tree = multibody::make_tree(*system.model);
  system.tendons = multibody::Tendons(*system.model, system.tree);
  system.transmissions = Transmissions(*system.model, system.tree, system.tendons);
  std::vector<Error> errors;
  check_tendon_armature(system, errors);
  check_mocap(system, errors);
  if (!errors.empty()) {
    if (errors.size() > max_errors) errors.resize(max_errors);
    return errors;
  }
  collect_joints(system);
  collect_bodies(system);
  collect_free_bodies(system);
  collect_sensors(system);
  settle_tendons(system);
  settle_by_inertia(system);
  std::vector<Warning> warnings;
  system.constraints = std::make_shared<const ConstraintSetup>(system, constraints, warnings);
  warn_of_laws(system, system.constraints->touches, constraints.impratio, warnings);
  return MadeSystem{std::move(made), std::move(warnings)};
}

}  // namespace trilith::dynamics
