#include "dynamics/constraint_sources.h"

#include <algorithm>
#include <limits>

namespace trilith::dynamics {
namespace {

using Kind = ConstraintSource::Kind;
using model::Geom;
using model::GeomKind;

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

double mesh_radius(const geom::Mesh& mesh) {
  double square = 0;
  for (const Vec3d& p : mesh.vertices) square = max(square, dot(p, p));
  return trilith::sqrt(square);
}

double bounding_radius(const model::Model& model, const Geom& geom) {
  const Vec3d& s = geom.size;
  switch (geom.kind) {
    case GeomKind::plane:
      return std::numeric_limits<double>::infinity();
    case GeomKind::sphere:
      return s.x;
    case GeomKind::capsule:
      return s.x + s.y;
    case GeomKind::cylinder:
      return trilith::sqrt(s.x * s.x + s.y * s.y);
    case GeomKind::ellipsoid:
      return max(s.x, max(s.y, s.z));
    case GeomKind::box:
      return norm(s);
    case GeomKind::mesh:
      return mesh_radius(model.meshes[at(geom.asset.index)].mesh);
    case GeomKind::hfield: {
      const std::array<double, 4>& size = model.height_fields[at(geom.asset.index)].size;
      return norm(Vec3d{size[0], size[1], max(size[2], size[3])});
    }
  }
  return 0;
}

/// How far the shape reaches along -n from its origin, n a unit vector in its own axes, m.
double reach_below(const model::Model& model, const Geom& geom, const Vec3d& n) {
  const Vec3d& s = geom.size;
  const double across = trilith::sqrt(max(1 - n.z * n.z, 0.0));
  switch (geom.kind) {
    case GeomKind::capsule:
      return s.x + s.y * abs(n.z);
    case GeomKind::cylinder:
      return s.x * across + s.y * abs(n.z);
    case GeomKind::ellipsoid:
      return norm(Vec3d{s.x * n.x, s.y * n.y, s.z * n.z});
    case GeomKind::box:
      return s.x * abs(n.x) + s.y * abs(n.y) + s.z * abs(n.z);
    case GeomKind::mesh: {
      double lowest = 0;
      for (const Vec3d& p : model.meshes[at(geom.asset.index)].mesh.vertices) lowest = max(lowest, -dot(n, p));
      return lowest;
    }
    default:
      return bounding_radius(model, geom);
  }
}

/// Bodies that never touch: of one rigid group, or (where the filter is on) of a group and the one that carries it, the world aside.
bool same_or_parent(const model::Model& model, std::int32_t a, std::int32_t b, bool filter_parent) {
  const std::int32_t weld_a = model.bodies[at(a)].weld, weld_b = model.bodies[at(b)].weld;
  if (weld_a == weld_b) return true;
  if (!filter_parent || weld_a == 0 || weld_b == 0) return false;
  const auto parent_weld = [&](std::int32_t weld) { return model.bodies[at(model.bodies[at(weld)].parent)].weld; };
  return parent_weld(weld_a) == weld_b || parent_weld(weld_b) == weld_a;
}

bool is_excluded(const model::Model& model, std::int32_t a, std::int32_t b) {
  return std::ranges::any_of(model.excludes, [&](const model::ContactExclude& e) {
    return (e.a.index == a && e.b.index == b) || (e.a.index == b && e.b.index == a);
  });
}

bool may_touch(const model::Model& model, const Geom& a, const Geom& b, bool filter_parent) {
  if (a.visual_only || b.visual_only) return false;
  if ((a.contype & b.conaffinity) == 0 && (b.contype & a.conaffinity) == 0) return false;
  if (a.kind == GeomKind::plane && b.kind == GeomKind::plane) return false;
  return !same_or_parent(model, a.body, b.body, filter_parent) && !is_excluded(model, a.body, b.body);
}

std::vector<TouchingPair> find_pairs(const System& system) {
  const model::Model& model = *system.model;
  std::vector<TouchingPair> pairs;
  if (!system.options.constraints || !system.options.contacts) return pairs;
  const auto count = static_cast<std::int32_t>(model.geoms.size());
  for (std::int32_t i = 0; i < count; ++i) {
    const Geom& a = model.geoms[at(i)];
    for (std::int32_t j = i + 1; j < count; ++j) {
      const Geom& b = model.geoms[at(j)];
      if (may_touch(model, a, b, system.options.filter_parent)) pairs.push_back({i, j, a.margin + b.margin});
    }
  }
  for (const model::ContactPair& pair : model.pairs) pairs.push_back({pair.a.index, pair.b.index, pair.margin.value_or(0)});
  return pairs;
}

bool is_outside(const std::optional<model::Range>& range, double x, double margin) {
  return range && (x - range->lower < margin || range->upper - x < margin);
}

double position_for_limit(const model::Joint& joint, const State& state) {
  if (joint.kind != model::JointKind::ball) return state.q[at(joint.q)];
  const double* q = state.q.data() + joint.q;
  return norm(log_rotation(normalized(Quaterniond{q[0], q[1], q[2], q[3]})));
}

std::string quoted(const std::string& name, std::int32_t index) {
  return name.empty() ? "number " + std::to_string(index) : "\"" + name + "\"";
}

}  // namespace

ConstraintWatch::ConstraintWatch(const System& system) : pairs_(find_pairs(system)) {
  for (const Geom& geom : system.model->geoms) radius_.push_back(bounding_radius(*system.model, geom));
}

std::optional<ConstraintSource> ConstraintWatch::find_friction_or_equality(const System& system) const noexcept {
  const model::Model& model = *system.model;
  if (system.options.equalities)
    for (std::size_t i = 0; i < model.equalities.size(); ++i)
      if (model.equalities[i].active) return ConstraintSource{Kind::equality, static_cast<std::int32_t>(i), -1};
  if (!system.options.friction_losses) return std::nullopt;
  for (std::size_t i = 0; i < model.joints.size(); ++i)
    if (model.joints[i].friction_loss > 0) return ConstraintSource{Kind::joint_friction, static_cast<std::int32_t>(i), -1};
  for (std::size_t i = 0; i < model.tendons.size(); ++i)
    if (model.tendons[i].friction_loss > 0) return ConstraintSource{Kind::tendon_friction, static_cast<std::int32_t>(i), -1};
  return std::nullopt;
}

std::optional<ConstraintSource> ConstraintWatch::find_limit(const System& system, const State& state, const Workspace& w) const noexcept {
  const model::Model& model = *system.model;
  if (!system.options.limits) return std::nullopt;
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    const model::Joint& joint = model.joints[i];
    if (!joint.range || joint.kind == model::JointKind::free) continue;
    // a ball is limited by one angle from its reference; below is no limit
    const double x = position_for_limit(joint, state);
    const bool active = joint.kind == model::JointKind::ball ? max(joint.range->lower, joint.range->upper) - x < joint.margin
                                                             : is_outside(joint.range, x, joint.margin);
    if (active) return ConstraintSource{Kind::joint_limit, static_cast<std::int32_t>(i), -1};
  }
  for (std::size_t i = 0; i < model.tendons.size(); ++i)
    if (is_outside(model.tendons[i].range, w.tendon_length[i], model.tendons[i].margin))
      return ConstraintSource{Kind::tendon_limit, static_cast<std::int32_t>(i), -1};
  return std::nullopt;
}

std::optional<ConstraintSource> ConstraintWatch::find_contact(const System& system, const Workspace& w) const noexcept {
  const model::Model& model = *system.model;
  const auto pose_of = [&](std::int32_t g) { return w.X_WB[at(model.geoms[at(g)].body)] * model.geoms[at(g)].pose; };
  for (const TouchingPair& pair : pairs_) {
    Posed X_a = pose_of(pair.a), X_b = pose_of(pair.b);
    std::int32_t a = pair.a, b = pair.b;
    if (model.geoms[at(b)].kind == GeomKind::plane) std::swap(a, b), std::swap(X_a, X_b);
    bool near = false;
    if (model.geoms[at(a)].kind == GeomKind::plane) {
      const Vec3d normal = column(X_a.R, 2);
      const double height = dot(normal, X_b.p - X_a.p);
      near = height - reach_below(model, model.geoms[at(b)], transpose_times(X_b.R, normal)) < pair.margin;
    } else {
      near = norm(X_b.p - X_a.p) - radius_[at(a)] - radius_[at(b)] < pair.margin;
    }
    if (near) return ConstraintSource{Kind::contact, pair.a, pair.b};
  }
  return std::nullopt;
}

std::optional<ConstraintSource> ConstraintWatch::find(const System& system, const State& state, const Workspace& w) const noexcept {
  if (!system.options.constraints) return std::nullopt;
  if (const auto source = find_friction_or_equality(system)) return source;
  if (const auto source = find_limit(system, state, w)) return source;
  return find_contact(system, w);
}

std::string describe(const model::Model& model, const ConstraintSource& source) {
  const auto joint = [&] { return "joint " + quoted(model.joints[at(source.element)].name, source.element); };
  const auto tendon = [&] { return "tendon " + quoted(model.tendons[at(source.element)].name, source.element); };
  const auto geom = [&](std::int32_t g) {
    const Geom& shape = model.geoms[at(g)];
    return "geom " + quoted(shape.name, g) + " of body " + quoted(model.bodies[at(shape.body)].name, shape.body);
  };
  switch (source.kind) {
    case Kind::equality:
      return "equality " + quoted(model.equalities[at(source.element)].name, source.element) + " is active";
    case Kind::joint_friction:
      return joint() + " has friction loss";
    case Kind::tendon_friction:
      return tendon() + " has friction loss";
    case Kind::joint_limit:
      return joint() + " is at its limit";
    case Kind::tendon_limit:
      return tendon() + " is at its limit";
    case Kind::contact:
      return geom(source.element) + " may touch " + geom(source.other);
  }
  return "a constraint is active";
}

}  // namespace trilith::dynamics
