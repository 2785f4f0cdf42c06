// (CRA-8)
#include "statics/planar.h"

#include <algorithm>
#include <cmath>

#include "linalg/fixed.h"

namespace trilith::statics {
namespace {

class Reduction {
 public:
  Reduction(const model::Assembly& assembly, const PlanarSettings& settings) : assembly_(assembly), settings_(settings) {
    measure();
    collect_axes();
  }

  /// The first axis of those that could be out of the plane that is.
  std::optional<PlanarModel> reduce(std::string& why) {
    why = "its joints have no direction in common";
    for (const Vec3d& axis : axes_) {
      PlanarModel model;
      if (std::string flaw = try_axis(axis, model); !flaw.empty())
        why = std::move(flaw);
      else
        return model;
    }
    return std::nullopt;
  }

 private:
  bool carries(const model::Interface& face) const { return !assembly_.blocks[face.a].fixed || !assembly_.blocks[face.b].fixed; }

  void measure() {
    double size = 0, mass = 0;
    std::size_t free = 0;
    for (const model::Block& block : assembly_.blocks) {
      if (block.fixed) continue;
      size += block.size;
      mass += block.mass;
      ++free;
    }
    if (free == 0) return;
    length_ = size / double(free);
    weight_ = mass / double(free) * norm(assembly_.gravity);
  }

  /// A normal that is not along gravity leaves one axis; a pile of level beds may lie along any edge of its first joint.
  void collect_axes() {
    const double g = norm(assembly_.gravity);
    if (!(g > 0)) return;
    up_ = (-1 / g) * assembly_.gravity;
    for (const model::Interface& face : assembly_.interfaces) {
      const Vec3d aside = cross(face.normal, up_);
      if (carries(face) && norm(aside) > leaning) {
        axes_.push_back((1 / norm(aside)) * aside);
        return;
      }
    }
    for (const model::Interface& face : assembly_.interfaces) {
      if (!carries(face)) continue;
      for (std::size_t k = 0; k < face.polygon.size(); ++k) {
        const Vec3d edge = face.polygon[(k + 1) % face.polygon.size()] - face.polygon[k];
        const Vec3d level = edge - dot(edge, up_) * up_;
        if (norm(level) > 0) axes_.push_back((1 / norm(level)) * level);
      }
      return;
    }
  }

  std::string try_axis(const Vec3d& axis, PlanarModel& model) {
    model.axis = axis;
    model.up = up_;
    model.across = cross(up_, axis);
    model.length_m = length_;
    model.weight_N = weight_;
    origin_ = {};
    bool first = true;
    for (std::size_t i = 0; i < assembly_.blocks.size(); ++i) {
      const model::Block& block = assembly_.blocks[i];
      model.body_of_block.push_back(block.fixed ? -1 : static_cast<int>(model.block_of_body.size()));
      if (block.fixed) continue;
      if (first) origin_ = block.com;
      first = false;
      const double off = std::abs(dot(block.com - origin_, axis)) / length_;
      model.deviation = std::max(model.deviation, off);
      if (!(off <= settings_.tolerance)) return "the centre of mass of block " + block.id + " lies outside of the plane of the others";
      model.block_of_body.push_back(static_cast<int>(i));
      model.load.insert(model.load.end(), {0, block.mass * norm(assembly_.gravity) / weight_, 0});
    }
    taken_.assign(assembly_.interfaces.size(), false);
    for (std::uint32_t i = 0; i < assembly_.interfaces.size(); ++i) {
      if (taken_[i] || !carries(assembly_.interfaces[i])) continue;
      if (std::string flaw = add_joint(i, model); !flaw.empty()) return flaw;
    }
    return "";
  }

  std::string name_of(const model::Interface& face) const {
    return "joint " + assembly_.blocks[face.a].id + " - " + assembly_.blocks[face.b].id;
  }

  /// Interfaces of the same two blocks on one line of the plane are one joint: pieces of one face slip together.
  std::string add_joint(std::uint32_t index, PlanarModel& model) {
    const model::Interface& face = assembly_.interfaces[index];
    const double tilt = std::abs(dot(face.normal, model.axis));
    if (!(tilt <= settings_.tolerance)) return name_of(face) + " faces out of the plane";
    model.deviation = std::max(model.deviation, tilt);
    Vec3d tangent = cross(model.axis, face.normal);
    tangent = (1 / norm(tangent)) * tangent;
    std::vector<PlanarCorner> corners;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (std::uint32_t other = index; other < assembly_.interfaces.size(); ++other) {
      if (other != index && !continues(face, assembly_.interfaces[other])) continue;
      taken_[other] = true;
      for (std::uint32_t k = 0; k < assembly_.interfaces[other].polygon.size(); ++k) {
        corners.push_back({other, k, 0});
        low = std::min(low, dot(place(corners.back()), tangent));
        high = std::max(high, dot(place(corners.back()), tangent));
      }
    }
    const int joint = static_cast<int>(model.interface_of_joint.size());
    for (const double end : {low, high}) {
      std::vector<PlanarCorner> shares = share_end(corners, tangent, end, model);
      if (shares.empty()) return "the ends of " + name_of(face) + " do not reach both sides of the plane";
      add_contact(face, joint, tangent, shares, model);
      model.corners.push_back(std::move(shares));
    }
    model.interface_of_joint.push_back(index);
    return "";
  }

  bool continues(const model::Interface& face, const model::Interface& other) const {
    // what rubs differently stays apart: the joint has one friction
    if (face.a != other.a || face.b != other.b || face.mu != other.mu || !(dot(face.normal, other.normal) > 0)) return false;
    return norm(cross(face.normal, other.normal)) <= settings_.line_tolerance &&
           std::abs(dot(other.polygon[0] - face.polygon[0], face.normal)) <= settings_.line_tolerance * length_;
  }

  Vec3d place(const PlanarCorner& corner) const { return assembly_.interfaces[corner.interface].polygon[corner.vertex] - origin_; }

  /// The corners at one end of a joint furthest before and behind the plane, with shares that put their force into it.
  std::vector<PlanarCorner> share_end(const std::vector<PlanarCorner>& corners, const Vec3d& tangent, double end,
                                      PlanarModel& model) const {
    PlanarCorner back, front;
    double behind = HUGE_VAL, before = -HUGE_VAL, aside = 0;
    for (const PlanarCorner& corner : corners) {
      const double off = std::abs(dot(place(corner), tangent) - end), depth = dot(place(corner), model.axis);
      if (!(off <= settings_.tolerance * length_)) continue;
      aside = std::max(aside, off);
      if (depth < behind) back = corner;
      if (depth > before) front = corner;
      behind = std::min(behind, depth);
      before = std::max(before, depth);
    }
    const double room = settings_.tolerance * length_;
    if (!(behind <= room && before >= -room)) return {};
    model.deviation = std::max(model.deviation, aside / length_);
    front.share = 1;
    if (before - behind <= 2 * room) return {front};
    back.share = std::clamp(before / (before - behind), 0.0, 1.0);
    front.share = 1 - back.share;
    return {back, front};
  }

  void add_contact(const model::Interface& face, int joint, const Vec3d& tangent, const std::vector<PlanarCorner>& corners,
                   PlanarModel& model) const {
    certify::PlanarContact contact;
    contact.body_a = model.body_of_block[face.a];
    contact.body_b = model.body_of_block[face.b];
    contact.joint = joint;
    contact.mu = face.mu;
    const auto flat = [&](const Vec3d& v, double scale, double(&out)[2]) {
      out[0] = scale * dot(v, model.across);
      out[1] = scale * dot(v, model.up);
    };
    const auto arm = [&](std::uint32_t block) {
      Vec3d sum{};
      for (const PlanarCorner& corner : corners)
        sum = sum + corner.share * (assembly_.interfaces[corner.interface].polygon[corner.vertex] - assembly_.blocks[block].com);
      return sum;
    };
    flat(arm(face.a), 1 / length_, contact.arm_a);
    flat(arm(face.b), 1 / length_, contact.arm_b);
    flat(cross(tangent, model.axis), 1, contact.normal);
    flat(tangent, 1, contact.tangent);
    model.contacts.push_back(contact);
  }

  static constexpr double leaning = 1e-6;  // sine: a normal nearer to gravity gives no axis
  const model::Assembly& assembly_;
  const PlanarSettings& settings_;
  std::vector<Vec3d> axes_;
  std::vector<bool> taken_;  // interfaces that belong to a joint already
  Vec3d up_{}, origin_{};
  double length_ = 1, weight_ = 1;
};

}  // namespace

std::optional<PlanarModel> find_plane(const model::Assembly& assembly, const PlanarSettings& settings, std::string& why) {
  return Reduction(assembly, settings).reduce(why);
}

}  // namespace trilith::statics
