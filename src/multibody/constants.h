#pragma once
#include <vector>

#include "model/model.h"
#include "multibody/tree.h"

namespace trilith::multibody {

/// Inverse weights of an articulated model in its pose of the file (qpos0), by which the softness of constraints is scaled. Armature
/// counts.
struct InverseWeights {
  std::vector<double> dof;               ///< nv: diagonal of M^-1, the mean over a ball's three, a free joint's first and last three
  std::vector<double> body_translation;  ///< bodies: mean of the three diagonal entries of J M^-1 J' at the centre of mass, 1/kg
  std::vector<double> body_rotation;     ///< the same of the rotational entries, 1/(kg m^2)
  double mean_inertia = 1;               ///< mean of the diagonal of M; 1 without degrees of freedom
  bool positive = true;                  ///< false: M has a pivot that is not positive; the weights are of no use
};

/// (TREE-19). Bodies fixed to the world and mocap bodies have 0; a body that only slides ("simple": see the page) 1 / mass and 0. `tree` is
/// that of the model. Allocates.
InverseWeights make_inverse_weights(const model::Model& model, const Tree& tree);

}  // namespace trilith::multibody
