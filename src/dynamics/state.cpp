#include "dynamics/state.h"

#include "base/check.h"

namespace trilith::dynamics {
namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

double normalize(double* q) {
  const Quaterniond given{q[0], q[1], q[2], q[3]};
  const double length = trilith::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const Quaterniond unit = normalized(given);
  q[0] = unit.w, q[1] = unit.x, q[2] = unit.y, q[3] = unit.z;
  return abs(length - 1);
}

}  // namespace

State make_state(const model::Model& model) {
  const model::Sizes& sizes = model.sizes;
  State state;
  state.q = model.default_qpos;
  state.v.resize(at(sizes.nv));
  state.act.resize(at(sizes.na));
  state.ctrl.resize(at(sizes.nu));
  state.applied.resize(at(sizes.nv));
  state.body_wrench.resize(model.bodies.size(), Wrenchd{});
  state.mocap_position.resize(3 * at(sizes.nmocap));
  state.mocap_quaternion.resize(4 * at(sizes.nmocap));
  state.warm_start.resize(at(sizes.nv));
  for (const model::Body& body : model.bodies) {
    if (body.mocap_index < 0) continue;
    const Quaterniond q = from_matrix(body.pose.R);
    double* p = state.mocap_position.data() + 3 * body.mocap_index;
    double* r = state.mocap_quaternion.data() + 4 * body.mocap_index;
    p[0] = body.pose.p.x, p[1] = body.pose.p.y, p[2] = body.pose.p.z;
    r[0] = q.w, r[1] = q.x, r[2] = q.y, r[3] = q.z;
  }
  return state;
}

void apply_keyframe(const model::Model& model, const model::Keyframe& keyframe, State& state) {
  state = make_state(model);
  state.time = keyframe.time;
  const auto take = [](const std::vector<double>& from, std::vector<double>& to) {
    if (from.empty()) return;
    TRI_CHECK(from.size() == to.size());
    to = from;
  };
  take(keyframe.q, state.q);
  take(keyframe.v, state.v);
  take(keyframe.act, state.act);
  take(keyframe.ctrl, state.ctrl);
  take(keyframe.mocap_position, state.mocap_position);
  take(keyframe.mocap_quaternion, state.mocap_quaternion);
  (void)normalize_quaternions(model, state);
}

double normalize_quaternions(const model::Model& model, State& state) noexcept {
  double largest = 0;
  for (const model::Joint& joint : model.joints) {
    if (joint.kind == model::JointKind::free) largest = max(largest, normalize(state.q.data() + joint.q + 3));
    if (joint.kind == model::JointKind::ball) largest = max(largest, normalize(state.q.data() + joint.q));
  }
  for (std::int32_t i = 0; i < model.sizes.nmocap; ++i) largest = max(largest, normalize(state.mocap_quaternion.data() + 4 * i));
  return largest;
}

}  // namespace trilith::dynamics
