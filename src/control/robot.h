#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "model/model.h"
#include "multibody/tree.h"
#include "trilith/result.h"

namespace trilith::control {

inline constexpr double no_limit = std::numeric_limits<double>::infinity();

/// Lower and upper bounds, one of each per number; +-infinity where there is none.
struct Box {
  std::vector<double> lower, upper;
};

/// The frame whose position a reference is for: on a body of the model.
struct EndEffector {
  std::string name;
  std::int32_t body = 0;
  Posed X_BF = identity_pose<double>();
};

/// A robot as the optimiser sees it. Immutable; share it between threads.
struct Robot {
  multibody::Tree tree;
  multibody::BodyFrame end_effector;
  Vec3d gravity{0, 0, -9.81};          ///< m/s^2
  bool fixed_base = true;              ///< every joint a hinge or a slide: coordinates are a vector space
  std::vector<std::string> dof_names;  ///< the joint of each degree of freedom
  std::vector<std::string> input_names;
  Box position, velocity;  ///< one pair per degree of freedom (a free base and a ball have no position limit), rad, m, per second
  Box effort;              ///< one pair per input
  /// dofs x inputs, row-major: joint forces = input_map u. Empty: u are the joint forces.
  std::vector<double> input_map;
  std::vector<Warning> warnings;

  int dofs() const noexcept { return tree.dofs(); }
  int coordinates() const noexcept { return tree.coordinates(); }
  int inputs() const noexcept { return static_cast<int>(input_names.size()); }
};

/// The robot of a model: inputs are joint torques (URDF), or the controls of motors on joints (MJCF with actuators). Refuses actuators that
/// are no motors on joints; warns of springs, dampers, friction and equalities, which plans leave out.
Result<Robot> make_robot(const model::Model& model, const EndEffector& end_effector);

}  // namespace trilith::control
