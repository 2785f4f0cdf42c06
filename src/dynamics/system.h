#pragma once
#include <memory>

#include "dynamics/transmission.h"
#include "model/model.h"
#include "multibody/tendon.h"
#include "multibody/tree.h"

namespace trilith::dynamics {

struct ConstraintSettings;
struct ConstraintSetup;

/// Numbers of `make_system` and `step`; docs/defaults.md says where they come from.
struct StepSettings {
  double divergence = 1e10;       ///< a coordinate, velocity, acceleration or control beyond it (SI units) ends the run
  double smallest_pivot = 1e-15;  ///< relative: a pivot of the implicit matrix below it ends the run
};

/// A joint spring, or a joint's dampers, with what the passive forces need of it.
struct JointSpring {
  model::JointKind kind;
  std::int32_t q, v;
  double stiffness;  ///< N m/rad or N/m
};

/// A body that the medium drags: the box of equal inertia, in the body's principal axes. (DYN-14)
struct DraggedBody {
  std::int32_t body;
  Posed X_BI = identity_pose<double>();  ///< principal frame at the centre of mass
  Vec3d box{};                           ///< side lengths, m
};

/// A frame fixed to a body; body -1: the world's.
struct AttachedFrame {
  std::int32_t body = -1;
  Posed X_BF = identity_pose<double>();
};
/// What a sensor looks at, and from where.
struct SensorFrames {
  AttachedFrame object, reference;
};

/// A model ready to be simulated: its tree and all that a step reads and never writes. Immutable; share it between threads.
struct System {
  std::shared_ptr<const model::Model> model;
  model::SimulationOptions options;  ///< in force: the file's, with the caller's above them
  StepSettings settings;
  multibody::Tree tree;
  multibody::Tendons tendons;
  Transmissions transmissions;

  Vec3d gravity{};              ///< m/s^2; zero where it is switched off
  std::vector<double> damping;  ///< nv: of joints, N m s/rad or N s/m
  bool any_damping = false;
  std::vector<JointSpring> springs;
  std::vector<model::Range> spring_length;       ///< per tendon: slack between the two, m
  std::vector<std::int32_t> compensated_bodies;  ///< held against gravity
  std::vector<std::int32_t> compensating_dofs;   ///< whose gravity compensation counts as an actuator force
  std::vector<DraggedBody> dragged;
  std::vector<std::array<double, 3>> actuator_bias;  ///< per actuator: bias parameters with the damping ratio resolved
  std::vector<std::int32_t> free_bodies;             ///< first degree of freedom of free bodies that carry nothing
  std::vector<char> moved_by_mocap;                  ///< per body: stands on a mocap body, without joints between
  bool tendon_armature = false;
  std::vector<SensorFrames> sensor_frames;  ///< per sensor
  bool needs_accelerations = false;         ///< some sensor reads an acceleration or a force between bodies
  bool needs_body_forces = false;
  std::shared_ptr<const ConstraintSetup> constraints;  ///< laws, pairs of shapes, weights

  std::int32_t nv() const noexcept { return model->sizes.nv; }
};

/// The system of a model under `options`. Errors name what this engine cannot simulate; what it alters is a warning.
struct MadeSystem {
  std::shared_ptr<const System> system;
  std::vector<Warning> warnings;
};
Result<MadeSystem> make_system(std::shared_ptr<const model::Model> model, const model::SimulationOptions& options,
                               const ConstraintSettings& constraints, const StepSettings& settings = {});
/// With `constraint_settings(options)`.
Result<MadeSystem> make_system(std::shared_ptr<const model::Model> model, const model::SimulationOptions& options);

}  // namespace trilith::dynamics
