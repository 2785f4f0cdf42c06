#include <algorithm>
#include <ranges>

#include "base/text.h"
#include "model/assembly_steps.h"
#include "model/model_steps.h"

namespace trilith::model {
namespace {

bool is_scalar(const Joint& joint) { return joint.kind == JointKind::hinge || joint.kind == JointKind::slide; }
std::string_view unit_of(const Joint& joint) { return joint.kind == JointKind::slide ? " m" : " rad"; }

/// Leaders before followers; a loop is refused. Empty then.
std::vector<std::int32_t> order_followers(Making& making) {
  const auto& joints = making.model.joints;
  std::vector<std::int32_t> order;
  std::vector<std::uint8_t> state(joints.size(), 0);  // 1: on the way, 2: done
  for (std::size_t start = 0; start < joints.size(); ++start) {
    std::vector<std::int32_t> chain;
    auto j = static_cast<std::int32_t>(start);
    while (j >= 0 && state[j] == 0) {
      state[j] = 1;
      chain.push_back(j);
      j = joints[j].mimic ? joints[j].mimic->joint.index : -1;
    }
    if (j >= 0 && state[j] == 1) {
      std::string loop = label("joint", joints[j].name);
      for (auto at = std::ranges::find(chain, j); at != chain.end(); ++at)
        loop += " follows " + label("joint", joints[joints[*at].mimic->joint.index].name);
      making.findings.refuse("followers go round in a circle: " + loop, joints[j].where);
      return {};
    }
    for (const std::int32_t done : chain | std::views::reverse) {
      state[done] = 2;
      if (joints[done].mimic) order.push_back(done);
    }
  }
  return order;
}

bool check_mimics(Making& making) {
  bool good = true;
  for (Joint& joint : making.model.joints) {
    if (!joint.mimic) continue;
    const std::string name = label("joint", joint.name);
    Mimic& mimic = *joint.mimic;
    if (!making.joints.resolve(mimic.joint, name + " (mimic)", joint.where, making.findings)) {
      if (mimic.joint.name.empty()) making.findings.refuse(name + " mimics no joint", joint.where);
      good = false;
      continue;
    }
    if (!is_scalar(joint) || !is_scalar(making.model.joints[mimic.joint.index])) {
      making.findings.refuse(name + ": only hinges and slides can mimic and be mimicked", joint.where);
      good = false;
    }
    if (!is_finite(mimic.multiplier) || !is_finite(mimic.offset)) {
      making.findings.refuse(name + ": multiplier and offset of mimic must be finite", joint.where);
      good = false;
    }
  }
  return good;
}

void place_followers(Making& making) {
  auto& q = making.model.default_qpos;
  for (const std::int32_t j : order_followers(making)) {
    const Joint& joint = making.model.joints[j];
    const Joint& leader = making.model.joints[joint.mimic->joint.index];
    const double value = joint.mimic->multiplier * q[leader.q] + joint.mimic->offset;
    if (!(abs(value - q[joint.q]) <= making.limits.pose_tolerance))
      making.findings.warn(label("joint", joint.name) + " follows " + label("joint", leader.name) + ": its default position is " +
                               format_double(value) + std::string(unit_of(joint)) + ", not " + format_double(q[joint.q]),
                           joint.where);
    q[joint.q] = value;
  }
}

enum class Who : std::uint8_t { leaders, followers, all };

/// Tells positions outside a range; with clamp_initial moves those of leaders inside.
void check_limits(Making& making, Who who) {
  Tally outside(making.findings, making.limits.most_alike, "default positions outside their range");
  for (const Joint& joint : making.model.joints) {
    const bool follows = joint.mimic.has_value();
    if (!joint.range || !is_scalar(joint) || (who == Who::leaders && follows) || (who == Who::followers && !follows)) continue;
    double& q = making.model.default_qpos[joint.q];
    const double inside = std::clamp(q, joint.range->lower, std::max(joint.range->lower, joint.range->upper)), far = abs(q - inside);
    if (!(far > making.limits.pose_tolerance)) continue;
    const bool clamp = making.options.clamp_initial && !follows;
    const std::string remedy = clamp     ? ": it starts at " + format_double(inside)
                               : follows ? ": its leader puts it there"
                                         : " (--clamp-initial moves it inside)";
    outside.add(label("joint", joint.name) + ": the default position " + format_double(q) + " is outside its range [" +
                    format_double(joint.range->lower) + ", " + format_double(joint.range->upper) + "] by " + format_double(far) +
                    std::string(unit_of(joint)) + remedy,
                joint.where);
    if (clamp) q = inside;
  }
  outside.finish(making.model.source);
}

void check_length(const std::vector<double>& values, std::int32_t wanted, std::string_view what, const Keyframe& key, Making& making) {
  if (!values.empty() && values.size() != static_cast<std::size_t>(wanted))
    making.findings.refuse(std::string(what) + " of " + label("key", key.name) + " needs " + std::to_string(wanted) + " numbers, got " +
                               std::to_string(values.size()),
                           key.where);
  if (!std::ranges::all_of(values, [](double x) { return is_finite(x); }))
    making.findings.refuse(std::string(what) + " of " + label("key", key.name) + " must be finite", key.where);
}

/// A quaternion of length 0 has no direction.
void check_turn(std::span<const double> quaternion, const std::string& of, std::string_view what, const Keyframe& key, Making& making) {
  if (std::ranges::any_of(quaternion, [](double x) { return x != 0; })) return;
  making.findings.refuse(
      std::string(what) + " of " + label("key", key.name) + ": the quaternion of " + of + " is 0 0 0 0, which is no rotation", key.where);
}

void check_turns(const Keyframe& key, Making& making) {
  const Model& model = making.model;
  const std::span<const double> q(key.q), mocap(key.mocap_quaternion);
  for (const Joint& joint : model.joints) {
    if (joint.kind != JointKind::free && joint.kind != JointKind::ball) continue;
    const auto first = static_cast<std::size_t>(joint.q) + (joint.kind == JointKind::free ? 3 : 0);
    if (q.size() == static_cast<std::size_t>(model.sizes.nq))
      check_turn(q.subspan(first, 4), label("joint", joint.name), "qpos", key, making);
  }
  for (const Body& body : model.bodies)
    if (body.mocap && mocap.size() == 4 * static_cast<std::size_t>(model.sizes.nmocap))
      check_turn(mocap.subspan(4 * static_cast<std::size_t>(body.mocap_index), 4), label(making.body_kind(), body.name), "mquat", key,
                 making);
}

}  // namespace

void settle_default_pose(Making& making) {
  making.model.default_qpos = making.model.qpos0;
  const bool clamp = making.options.clamp_initial;
  if (clamp) check_limits(making, Who::leaders);  // first, so that followers go with them
  if (check_mimics(making)) place_followers(making);
  check_limits(making, clamp ? Who::followers : Who::all);
}

void check_keyframes(Making& making) {
  const Sizes& sizes = making.model.sizes;
  for (const Keyframe& key : making.model.keyframes) {
    check_length(key.q, sizes.nq, "qpos", key, making);
    check_length(key.v, sizes.nv, "qvel", key, making);
    check_length(key.act, sizes.na, "act", key, making);
    check_length(key.ctrl, sizes.nu, "ctrl", key, making);
    check_length(key.mocap_position, 3 * sizes.nmocap, "mpos", key, making);
    check_length(key.mocap_quaternion, 4 * sizes.nmocap, "mquat", key, making);
    if (!is_finite(key.time)) making.findings.refuse("time of " + label("key", key.name) + " must be finite", key.where);
    check_turns(key, making);
  }
}

}  // namespace trilith::model
