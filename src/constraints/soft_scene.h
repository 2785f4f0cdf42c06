#pragma once
#include <span>

#include "constraints/soft_law.h"
#include "model/model.h"
#include "multibody/constants.h"
#include "multibody/tendon.h"
#include "multibody/tree_motion.h"

namespace trilith::constraints {

/// One state of a model as the builders of soft rows read it. Views; the motion has velocities and accelerations at zero joint
/// acceleration.
struct SoftScene {
  const model::Model& model;
  const multibody::Tree& tree;
  const multibody::InverseWeights& weights;
  const multibody::Tendons& tendons;
  std::span<const double> tendon_weight;  ///< J M^-1 J' in the pose of the file, per tendon
  multibody::TreeMotion motion;
  std::span<const Posed> X_WB;  ///< per body
  std::span<const double> q, v;
  std::span<const double> tendon_length, tendon_jacobian;  ///< lengths; values of `tendons.pattern()`
  LawRule laws;
  double impratio = 1;
  model::FrictionCone cone = model::FrictionCone::pyramidal;
};

}  // namespace trilith::constraints
