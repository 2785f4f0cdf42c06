// Implements (DYN-6) and (DYN-7).
#include "multibody/tendon.h"

#include <algorithm>

namespace trilith::multibody {
namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

}  // namespace

/// A straight piece of string between two points, each carried by a link.
struct Tendons::Leg {
  std::int32_t first_link, second_link;
  Vec3d first, second;  // p_W
};

Tendons::Tendons(const model::Model& model, const Tree& tree) : model_(&model), tree_(&tree) {
  for (const model::Tendon& tendon : model.tendons) {
    segments_.push_back(segments_of(tendon));
    wraps_.push_back(std::ranges::any_of(segments_.back(), [](const Segment& s) { return s.geom >= 0; }));
    add_pattern(tendon);
  }
}

std::vector<Tendons::Segment> Tendons::segments_of(const model::Tendon& tendon) const {
  using Kind = model::PathPoint::Kind;
  std::vector<Segment> segments;
  double divisor = 1;
  std::int32_t before = -1, geom = -1, side = -1;
  for (const model::PathPoint& point : tendon.path) {
    if (point.kind == Kind::pulley) {
      divisor = point.divisor;
      before = geom = side = -1;
    } else if (point.kind == Kind::wrap) {
      geom = point.element.index;
      side = point.side_site.index;
    } else {
      if (before >= 0) segments.push_back({before, point.element.index, geom, side, divisor});
      before = point.element.index;
      geom = side = -1;
    }
  }
  return segments;
}

void Tendons::add_pattern(const model::Tendon& tendon) {
  std::vector<std::int32_t> dofs;
  const auto add_between = [&](std::int32_t a, std::int32_t b) {
    for (const std::int32_t k : own_dofs(*tree_, a, b)) dofs.push_back(k);
    for (const std::int32_t k : own_dofs(*tree_, b, a)) dofs.push_back(k);
  };
  for (const model::TendonTerm& term : tendon.terms) dofs.push_back(model_->joints[at(term.joint.index)].v);
  for (const Segment& s : segments_.back()) {
    const std::int32_t a = link_of_site(s.first), b = link_of_site(s.second);
    add_between(a, b);
    if (s.geom < 0) continue;
    const std::int32_t around = tree_->body(model_->geoms[at(s.geom)].body).link;
    add_between(a, around);
    add_between(around, b);
  }
  std::ranges::sort(dofs);
  const auto rest = std::ranges::unique(dofs);
  dofs.erase(rest.begin(), rest.end());
  pattern_.add_row(dofs);
}

std::int32_t Tendons::link_of_site(std::int32_t site) const noexcept { return tree_->body(model_->sites[at(site)].body).link; }

Vec3d Tendons::site_position(std::int32_t site, std::span<const Posed> X_WB) const noexcept {
  const model::Site& s = model_->sites[at(site)];
  return transform_point(X_WB[at(s.body)], s.pose.p);
}

double Tendons::trace_leg(const TreeMotion& motion, const Leg& leg, double scale, std::span<double> scratch) const noexcept {
  const Vec3d way = leg.second - leg.first;
  const double length = norm(way);
  if (leg.first_link == leg.second_link || length <= 0) return length;
  const Vec3d direction = (1 / length) * way;
  const auto add = [&](std::int32_t link, std::int32_t other, const Vec3d& p, double sign) {
    if (link < 0) return;
    const Vec3d p_OP = from_origin(motion, link, p);
    for (const std::int32_t k : own_dofs(*tree_, link, other))
      scratch[at(k)] += sign * scale * dot(direction, point_column(motion, k, p_OP));
  };
  add(leg.first_link, leg.second_link, leg.first, -1);
  add(leg.second_link, leg.first_link, leg.second, 1);
  return length;
}

double Tendons::trace_segment(const TreeMotion& motion, std::span<const Posed> X_WB, const Segment& segment,
                              std::span<double> scratch) const noexcept {
  const Vec3d first = site_position(segment.first, X_WB), second = site_position(segment.second, X_WB);
  const std::int32_t first_link = link_of_site(segment.first), second_link = link_of_site(segment.second);
  const double share = 1 / segment.divisor;
  if (segment.geom >= 0) {
    const model::Geom& geom = model_->geoms[at(segment.geom)];
    const WrapShape shape = geom.kind == model::GeomKind::sphere ? WrapShape::sphere : WrapShape::cylinder;
    Vec3d side{};
    if (segment.side_site >= 0) side = site_position(segment.side_site, X_WB);
    const std::optional<Wrap> wrap =
        wrap_around({shape, X_WB[at(geom.body)] * geom.pose, geom.size.x}, first, second, segment.side_site >= 0 ? &side : nullptr);
    if (wrap) {
      const std::int32_t around = tree_->body(geom.body).link;
      const double before = trace_leg(motion, {first_link, around, first, wrap->first}, share, scratch);
      return share * (before + wrap->arc + trace_leg(motion, {around, second_link, wrap->second, second}, share, scratch));
    }
  }
  return share * trace_leg(motion, {first_link, second_link, first, second}, share, scratch);
}

void Tendons::update(const TreeMotion& motion, std::span<const double> q, std::span<const Posed> X_WB, std::span<double> lengths,
                     std::span<double> values, std::span<double> scratch) const noexcept {
  for (std::int32_t i = 0; i < count(); ++i) {
    const model::Tendon& tendon = model_->tendons[at(i)];
    double length = 0;
    for (const model::TendonTerm& term : tendon.terms) {
      const model::Joint& joint = model_->joints[at(term.joint.index)];
      length += term.coefficient * q[at(joint.q)];
      scratch[at(joint.v)] += term.coefficient;
    }
    for (const Segment& segment : segments_[at(i)]) length += trace_segment(motion, X_WB, segment, scratch);
    lengths[at(i)] = length;
    const std::span<double> row = pattern_.of_row(values, i);
    const std::span<const std::int32_t> columns = pattern_.columns(i);
    for (std::size_t e = 0; e < row.size(); ++e) {
      row[e] = scratch[at(columns[e])];
      scratch[at(columns[e])] = 0;
    }
  }
}

double Tendons::bias_acceleration(std::int32_t tendon, const TreeMotion& motion, std::span<const Posed> X_WB) const noexcept {
  const auto acceleration_at = [&](std::int32_t link, const Vec3d& p_WP) {
    if (link < 0) return motion.upward;  // common to both ends, so it cancels
    const Vec3d p = from_origin(motion, link, p_WP);
    const Twistd a = acceleration_of(motion, link), v = velocity_of(motion, link);
    return a.linear + cross(a.angular, p) + cross(v.angular, v.linear + cross(v.angular, p));
  };
  double sum = 0;
  for (const Segment& s : segments_[at(tendon)]) {
    const std::int32_t a = link_of_site(s.first), b = link_of_site(s.second);
    const Vec3d first = site_position(s.first, X_WB), second = site_position(s.second, X_WB);
    const double length = norm(second - first);
    if (a == b || length <= 0) continue;
    const Vec3d direction = (1 / length) * (second - first);
    const Vec3d rate = velocity_at(motion, b, second).linear - velocity_at(motion, a, first).linear;
    const double along = dot(direction, rate);
    const Vec3d bias = acceleration_at(b, second) - acceleration_at(a, first);
    sum += (dot(direction, bias) + (dot(rate, rate) - along * along) / length) / s.divisor;
  }
  return sum;
}

}  // namespace trilith::multibody
