#include "base/check.h"
#include "base/lanes.h"
#include "base/math.h"
#include "model/generate_parts.h"
#include "model/generate_ring.h"

namespace trilith::model {
namespace {

constexpr double least_opening = 10 * radians_per_degree;

/// Two fixed boxes under the ends of a ring, as deep as half its radius.
void add_springers(AssemblyInput& input, double inner, double outer, double base, double depth) {
  add_block(input, "left", make_box({-outer, 0, -base}, {-inner, depth, 0}), true);
  add_block(input, "right", make_box({inner, 0, -base}, {outer, depth, 0}), true);
}

/// The half arch of a pointed arch: joints (inner, outer) from the left springing to the crown.
std::vector<RingJoint> pointed_half(const PointedArchOptions& o) {
  const int n = o.count / 2;
  const double inner = o.radius * (1 - 0.5 * o.thickness_ratio), outer = o.radius * (1 + 0.5 * o.thickness_ratio);
  const double centre = o.radius - 0.5 * o.span;
  const auto crown_height = [centre](double r) { return sqrt(r * r - centre * centre); };
  const double crown = atan2(crown_height(o.radius), centre);
  std::vector<RingJoint> joints;
  for (int i = 0; i < n; ++i) {
    const SinCos<double> turn = sincos(crown * i / n);
    joints.push_back({at(centre - inner * turn.cos, inner * turn.sin), at(centre - outer * turn.cos, outer * turn.sin)});
  }
  joints.push_back({at(0, crown_height(inner)), at(0, crown_height(outer))});
  return joints;
}

Vec3d mirrored(const Vec3d& p) { return {-p.x, p.y, p.z}; }

/// Springers of a segmental arch: under each end a prism with the springing joint as its inclined face.
void add_skewbacks(AssemblyInput& input, const RingJoint& left, double base, double depth) {
  const double foot = left.inner.z - base;
  const Vec3d quad[4] = {left.outer, at(left.outer.x, foot), at(left.inner.x, foot), left.inner};
  const Vec3d other[4] = {mirrored(quad[3]), mirrored(quad[2]), mirrored(quad[1]), mirrored(quad[0])};
  add_block(input, "left", make_prism(quad, 0, depth), true);
  add_block(input, "right", make_prism(other, 0, depth), true);
}

AssemblyInput generate_segmental_arch(const ArchOptions& options) {
  AssemblyInput input = named("arch");
  const double inner = options.radius * (1 - 0.5 * options.thickness_ratio), outer = options.radius * (1 + 0.5 * options.thickness_ratio);
  const std::vector<RingJoint> joints = arc(options.count, inner, outer, options.opening);
  add_skewbacks(input, joints.front(), 0.5 * options.radius, options.depth);
  for (std::size_t i = 0; i + 1 < joints.size(); ++i)
    add_block(input, numbered("v", static_cast<int>(i) + 1), voussoir(joints[i], joints[i + 1], 0, options.depth));
  return input;
}

}  // namespace

std::vector<RingJoint> semicircle(int count, double inner, double outer) {
  std::vector<RingJoint> joints;
  for (int i = 0; i <= count; ++i) {
    SinCos<double> turn = sincos(half_turn * i / count);
    if (i == 0) turn = {0, 1};
    if (i == count) turn = {0, -1};
    joints.push_back({at(-inner * turn.cos, inner * turn.sin), at(-outer * turn.cos, outer * turn.sin)});
  }
  return joints;
}

std::vector<RingJoint> arc(int count, double inner, double outer, double opening) {
  std::vector<RingJoint> joints;
  for (int i = 0; i <= count; ++i) {
    // from the vertical, mirrored exactly
    const int from_middle = 2 * i - count;
    const SinCos<double> turn = sincos(0.5 * opening * (from_middle < 0 ? -from_middle : from_middle) / count);
    const double side = from_middle < 0 ? -turn.sin : turn.sin;
    joints.push_back({at(inner * side, inner * turn.cos), at(outer * side, outer * turn.cos)});
  }
  return joints;
}

geom::Mesh voussoir(const RingJoint& from, const RingJoint& to, double front, double back) {
  const Vec3d quad[4] = {from.inner, to.inner, to.outer, from.outer};
  return make_prism(quad, front, back);
}

std::vector<Error> faults(const ArchOptions& o) {
  FaultList list;
  list.count("--count", o.count, 2);
  list.ring(o.radius, o.thickness_ratio);
  list.length("--depth", o.depth);
  list.need(o.opening >= least_opening && o.opening <= half_turn, "--angle", "must lie between 10 and 180 degrees");
  return list.take();
}

AssemblyInput generate_arch(const ArchOptions& options) {
  TRI_CHECK(faults(options).empty());
  if (options.opening < half_turn) return generate_segmental_arch(options);
  AssemblyInput input = named("arch");
  const double inner = options.radius * (1 - 0.5 * options.thickness_ratio), outer = options.radius * (1 + 0.5 * options.thickness_ratio);
  add_springers(input, inner, outer, 0.5 * options.radius, options.depth);
  const std::vector<RingJoint> joints = semicircle(options.count, inner, outer);
  for (std::size_t i = 0; i + 1 < joints.size(); ++i)
    add_block(input, numbered("v", static_cast<int>(i) + 1), voussoir(joints[i], joints[i + 1], 0, options.depth));
  return input;
}

std::vector<Error> faults(const PointedArchOptions& o) {
  FaultList list;
  list.count("--count", o.count, 2);
  list.need(o.count % 2 == 0, "--count", "must be even: the crown is a joint");
  list.length("--span", o.span);
  list.length("--radius", o.radius);
  list.length("--thickness", o.thickness_ratio);
  list.length("--depth", o.depth);
  list.need(2 * o.radius >= o.span, "--radius", "must be at least half the span");
  list.need(o.radius * o.thickness_ratio < o.span, "--thickness", "the arch must be thinner than its span");
  std::vector<Error> errors = list.take();
  if (!errors.empty()) return errors;

  // the last radial joint must not cross the joint at the crown
  const std::vector<RingJoint> half = pointed_half(o);
  const RingJoint& last = half[half.size() - 2];
  list.need(last.inner.x < 0 && last.outer.x < 0, "--count", "too many stones for so thick an arch: a joint crosses the crown");
  return list.take();
}

AssemblyInput generate_pointed_arch(const PointedArchOptions& options) {
  TRI_CHECK(faults(options).empty());
  AssemblyInput input = named("pointed-arch");
  const std::vector<RingJoint> half = pointed_half(options);
  add_springers(input, -half.front().inner.x, -half.front().outer.x, 0.5 * options.span, options.depth);
  const int n = options.count / 2;
  for (int i = 0; i < options.count; ++i) {
    const auto joint = [&](int k) {
      if (k <= n) return half[static_cast<std::size_t>(k)];
      const RingJoint& other = half[static_cast<std::size_t>(options.count - k)];
      return RingJoint{mirrored(other.inner), mirrored(other.outer)};
    };
    add_block(input, numbered("v", i + 1), voussoir(joint(i), joint(i + 1), 0, options.depth));
  }
  return input;
}

std::vector<Error> faults(const JackArchOptions& o) {
  FaultList list;
  list.count("--count", o.count);
  list.length("--span", o.span);
  list.length("--height", o.height);
  list.length("--depth", o.depth);
  list.need(o.skew >= 0 && o.skew <= 80 * radians_per_degree, "--skew", "must be from 0 to 80 degrees");
  return list.take();
}

AssemblyInput generate_jack_arch(const JackArchOptions& options) {
  TRI_CHECK(faults(options).empty());
  AssemblyInput input = named("jack-arch");
  const double half = 0.5 * options.span, height = options.height, back = half + height * tangent(options.skew), outer = back + height;
  const Vec3d left[4] = {at(-outer, 0), at(-half, 0), at(-back, height), at(-outer, height)};
  const Vec3d right[4] = {at(half, 0), at(outer, 0), at(outer, height), at(back, height)};
  add_block(input, "left", make_prism(left, 0, options.depth), true);
  add_block(input, "right", make_prism(right, 0, options.depth), true);
  for (int i = 0; i < options.count; ++i) {
    // joint i at the level of this half width
    const auto place = [&](int joint, double reach) { return reach * (2 * joint - options.count) / options.count; };
    const Vec3d quad[4] = {at(place(i, half), 0), at(place(i + 1, half), 0), at(place(i + 1, back), height), at(place(i, back), height)};
    add_block(input, numbered("v", i + 1), make_prism(quad, 0, options.depth));
  }
  return input;
}

}  // namespace trilith::model
