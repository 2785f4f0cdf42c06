// A collapse as groups of blocks and what their joints do. Equations: (RBE-8) (RBE-15)
#include "statics/collapse.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "linalg/fixed.h"

namespace trilith::statics {
namespace {

class CollapseReader {
 public:
  CollapseReader(const model::Assembly& assembly, std::span<const certify::Velocity> velocities, const CollapseSettings& settings)
      : assembly_(assembly), velocities_(velocities), settings_(settings), group_(assembly.blocks.size()) {}

  Collapse run() {
    find_fastest();
    if (!(fastest_ > 0)) return {};
    join_blocks();
    list_groups();
    list_joints();
    return std::move(result_);
  }

 private:
  Vec3d velocity_at(std::uint32_t block, const Vec3d& p) const {
    const certify::Velocity& v = velocities_[block];
    return v.linear + cross(v.angular, p - assembly_.blocks[block].com);
  }

  void find_fastest() {
    for (const certify::Velocity& v : velocities_) fastest_ = std::max(fastest_, norm(v.linear));
    for (const model::Interface& face : assembly_.interfaces)
      for (const Vec3d& p : face.polygon) fastest_ = std::max({fastest_, norm(velocity_at(face.a, p)), norm(velocity_at(face.b, p))});
  }

  bool is_still(double speed) const { return !(speed > settings_.still * fastest_); }

  /// Largest relative speed over the polygon.
  double slip_of(const model::Interface& face) const {
    double most = 0;
    for (const Vec3d& p : face.polygon) most = std::max(most, norm(velocity_at(face.b, p) - velocity_at(face.a, p)));
    return most;
  }

  std::uint32_t root(std::uint32_t i) {
    while (group_[i] != i) i = group_[i] = group_[group_[i]];
    return i;
  }

  /// Blocks joined by a joint that does not move are one.
  void join_blocks() {
    std::iota(group_.begin(), group_.end(), 0u);
    for (const model::Interface& face : assembly_.interfaces) {
      if (!is_still(slip_of(face))) continue;
      const std::uint32_t a = root(face.a), b = root(face.b);
      group_[std::max(a, b)] = std::min(a, b);
    }
  }

  double speed_of(std::uint32_t block) const {
    return norm(velocities_[block].linear) + assembly_.blocks[block].size * norm(velocities_[block].angular);
  }

  void list_groups() {
    std::vector<std::uint32_t> place(assembly_.blocks.size(), none);
    std::vector<double> mass;
    double falling = 0;
    for (std::uint32_t i = 0; i < assembly_.blocks.size(); ++i) {
      const std::uint32_t r = root(i);
      if (assembly_.blocks[i].fixed || (is_still(speed_of(i)) && place[r] == none)) continue;
      if (place[r] == none) {
        place[r] = static_cast<std::uint32_t>(result_.groups.size());
        result_.groups.emplace_back();
        mass.push_back(0);
      }
      MovingGroup& group = result_.groups[place[r]];
      const model::Block& block = assembly_.blocks[i];
      group.blocks.push_back(i);
      group.velocity = group.velocity + block.mass * velocities_[i].linear;
      group.speed = std::max(group.speed, norm(velocities_[i].linear) / fastest_);
      group.power += block.mass * dot(assembly_.gravity, velocities_[i].linear);
      mass[place[r]] += block.mass;
    }
    for (std::size_t g = 0; g < mass.size(); ++g) {
      result_.groups[g].velocity = (1 / (std::max(mass[g], std::numeric_limits<double>::min()) * fastest_)) * result_.groups[g].velocity;
      falling += std::max(0.0, result_.groups[g].power);
    }
    for (MovingGroup& group : result_.groups) group.power = falling > 0 ? group.power / falling : 0;
    std::sort(result_.groups.begin(), result_.groups.end(), [](const MovingGroup& a, const MovingGroup& b) {
      return a.power > b.power || (a.power == b.power && a.blocks[0] < b.blocks[0]);
    });
  }

  void list_joints() {
    for (std::uint32_t i = 0; i < assembly_.interfaces.size(); ++i) {
      const model::Interface& face = assembly_.interfaces[i];
      if (root(face.a) != root(face.b)) read_joint(i);
    }
    std::sort(result_.joints.begin(), result_.joints.end(), [](const MovingJoint& a, const MovingJoint& b) {
      return a.speed > b.speed || (a.speed == b.speed && a.interface < b.interface);
    });
  }

  /// Closed where nothing moves, sliding where it lifts by no more than its friction asks (associated flow), else open.
  void read_joint(std::uint32_t index) {
    const model::Interface& face = assembly_.interfaces[index];
    MovingJoint joint;
    joint.interface = index;
    std::vector<Vec3d> closed;
    Vec3d slip{0, 0, 0};
    std::size_t sliding = 0;
    for (const Vec3d& p : face.polygon) {
      const Vec3d u = velocity_at(face.b, p) - velocity_at(face.a, p);
      const double speed = norm(u), opening = dot(u, face.normal);
      const Vec3d along = u - opening * face.normal;
      joint.speed = std::max(joint.speed, speed / fastest_);
      if (is_still(speed)) {
        closed.push_back(p);
      } else if (opening <= face.mu * norm(along) + settings_.slide * norm(along)) {
        ++sliding;
        slip = slip + along;
      }
    }
    if (is_still(joint.speed * fastest_)) return;  // the polygon is still, its blocks belong to groups that meet elsewhere
    if (!closed.empty()) {
      joint.kind = MovingJoint::Kind::turns;
      set_edge(closed, joint);
    } else if (sliding == face.polygon.size() && norm(slip) > 0) {
      joint.kind = MovingJoint::Kind::slides;
      joint.direction = unit(slip);
    }
    result_.joints.push_back(joint);
  }

  /// The two closed corners that are furthest apart.
  static void set_edge(const std::vector<Vec3d>& closed, MovingJoint& joint) {
    joint.from = joint.to = closed[0];
    for (std::size_t i = 0; i < closed.size(); ++i)
      for (std::size_t j = i + 1; j < closed.size(); ++j)
        if (norm(closed[j] - closed[i]) > norm(joint.to - joint.from)) {
          joint.from = closed[i];
          joint.to = closed[j];
        }
  }

  static constexpr std::uint32_t none = 0xffffffffU;
  const model::Assembly& assembly_;
  const std::span<const certify::Velocity> velocities_;
  const CollapseSettings& settings_;
  double fastest_ = 0;
  std::vector<std::uint32_t> group_;
  Collapse result_;
};

}  // namespace

Collapse describe_collapse(const model::Assembly& assembly, std::span<const certify::Velocity> velocities,
                           const CollapseSettings& settings) {
  return CollapseReader(assembly, velocities, settings).run();
}

}  // namespace trilith::statics
