#pragma once
#include <span>
#include <vector>

#include "model/model.h"
#include "spatial/wrench.h"

namespace trilith::dynamics {

/// Everything that a simulation carries from one step to the next, and what acts on it: two runs from equal states with equal inputs are
/// equal bit for bit. Coordinates as in `model::Model`: position and quaternion (w first) of a free joint, whose velocity is that of the
/// frame's origin in world axes, then the angular velocity in body axes.
struct State {
  double time = 0;                       ///< s
  std::vector<double> q, v, act;         ///< nq, nv, na
  std::vector<double> ctrl;              ///< nu: controls
  std::vector<double> applied;           ///< nv: generalised forces from outside, N or N m
  std::vector<Wrenchd> body_wrench;      ///< per body: force and moment about its centre of mass, world axes
  std::vector<double> mocap_position;    ///< 3 nmocap: p_WB, m
  std::vector<double> mocap_quaternion;  ///< 4 nmocap: q_WB, unit, w first
  std::vector<double> warm_start;        ///< nv: acceleration at which the next solve of constraints starts
};

/// The pose of the file at rest, without inputs.
State make_state(const model::Model& model);

/// Takes over a saved state of the model; what it leaves out is the default.
void apply_keyframe(const model::Model& model, const model::Keyframe& keyframe, State& state);

/// Scales every quaternion of q, and of mocap bodies, to length 1 (the identity where it is 0). Returns the largest change of length that
/// was needed.
double normalize_quaternions(const model::Model& model, State& state) noexcept;

}  // namespace trilith::dynamics
