// Which shapes of a model touch, and with which parameters (SOFT-4, SOFT-13, SOFT-14).
#include "constraints/touch_finder.h"

#include <algorithm>
#include <utility>

namespace trilith::constraints {
namespace {

constexpr double least_friction = 1e-5;  // (docs/defaults.md)
constexpr double least_solmix = 1e-15;
constexpr int most_contacts_of_pair = 64;  // only terrain gives more than geom::most_pair_contacts

/// The share of a's law: by solmix, halves where both are zero.
double share_of(const model::Geom& a, const model::Geom& b) {
  if (a.solmix < least_solmix && b.solmix < least_solmix) return 0.5;
  if (a.solmix < least_solmix) return 0;
  return b.solmix < least_solmix ? 1 : a.solmix / (a.solmix + b.solmix);
}

std::array<double, 5> five(const std::array<double, 3>& friction) {
  return {friction[0], friction[0], friction[1], friction[2], friction[2]};
}

const model::Geom& geom_of(const model::Model& model, std::int32_t i) { return model.geoms[static_cast<std::size_t>(i)]; }
const model::Body& body_of(const model::Model& model, std::int32_t i) { return model.bodies[static_cast<std::size_t>(i)]; }

void override_pair(const model::Model& model, TouchPair& pair) {
  const model::SimulationOptions& options = model.options;
  if (!options.override_contact) return;
  pair.margin = options.override_margin;
  pair.law = options.override_law;
  pair.friction = options.override_friction;
}

void keep_friction_positive(TouchPair& pair) {
  for (double& mu : pair.friction) mu = std::max(mu, least_friction);
}

geom::HeightGrid make_grid(const model::HeightFieldAsset& asset) {
  std::vector<double> heights;
  for (const float h : asset.heights) heights.push_back(asset.size[2] * static_cast<double>(h));
  return {asset.rows, asset.columns, asset.size[0], asset.size[1], asset.size[3], std::move(heights)};
}

/// A pair as the file gives it: what it leaves out comes from the shapes.
TouchPair given_pair(const model::Model& model, const model::ContactPair& given) {
  TouchPair pair = mix_pair(model, given.a.index, given.b.index);
  if (given.condim) pair.condim = *given.condim;
  if (given.friction) pair.friction = *given.friction;
  if (given.solref) pair.law.solref = *given.solref;
  if (given.solimp) pair.law.solimp = *given.solimp;
  if (given.friction_solref) pair.friction_solref = *given.friction_solref;
  if (given.margin) pair.margin = *given.margin;
  if (given.gap) pair.gap = *given.gap;
  override_pair(model, pair);
  keep_friction_positive(pair);
  return pair;
}

}  // namespace

TouchPair mix_pair(const model::Model& model, std::int32_t a, std::int32_t b) {
  if (geom_of(model, b).kind < geom_of(model, a).kind) std::swap(a, b);
  const model::Geom &one = geom_of(model, a), &two = geom_of(model, b);
  TouchPair pair;
  pair.a = a;
  pair.b = b;
  pair.margin = one.margin + two.margin;
  pair.gap = one.gap + two.gap;
  if (one.priority != two.priority) {
    const model::Geom& first = one.priority > two.priority ? one : two;
    pair.condim = first.condim;
    pair.friction = five(first.friction);
    pair.law = first.law;
  } else {
    pair.condim = std::max(one.condim, two.condim);
    std::array<double, 3> friction{};
    for (std::size_t i = 0; i < 3; ++i) friction[i] = std::max(one.friction[i], two.friction[i]);
    pair.friction = five(friction);
    pair.law = mix(one.law, two.law, share_of(one, two));
  }
  override_pair(model, pair);
  keep_friction_positive(pair);
  return pair;
}

Mat3d make_touch_frame(const Vec3d& normal, const Vec3d& wanted) noexcept {
  Vec3d along = wanted;
  if (dot(along, along) < 0.25) along = abs(normal.y) < 0.5 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
  const Vec3d t1 = unit(along - dot(along, normal) * normal);
  return from_rows(normal, t1, cross(normal, t1));
}

TouchFinder::TouchFinder(const model::Model& model, int least_condim, std::vector<Warning>& warnings) : model_(&model) {
  add_shapes(warnings);
  add_pairs(least_condim);
}

void TouchFinder::add_shapes(std::vector<Warning>& warnings) {
  for (const model::HeightFieldAsset& asset : model_->height_fields) grids_.push_back(make_grid(asset));
  for (const model::MeshAsset& asset : model_->meshes) meshes_.push_back(geom::make_convex_mesh(asset.mesh.vertices));
  for (const model::Geom& g : model_->geoms) {
    geom::Shape shape{.kind = static_cast<geom::ShapeKind>(g.kind), .size = g.size};
    bool solid = !g.visual_only;
    if (g.kind == model::GeomKind::mesh) {
      const auto& mesh = meshes_[static_cast<std::size_t>(g.asset.index)];
      if (mesh) shape.mesh = &*mesh;
      if (!mesh && solid) warnings.push_back({"a flat mesh cannot be touched: left out of contacts", g.where});
      solid = solid && mesh.has_value();
    }
    if (g.kind == model::GeomKind::hfield) shape.grid = &grids_[static_cast<std::size_t>(g.asset.index)];
    shapes_.push_back(shape);
    solid_.push_back(solid ? 1 : 0);
    radius_.push_back(solid ? geom::bounding_radius(shapes_.back()) : 0);
  }
}

bool TouchFinder::excluded(std::int32_t body_a, std::int32_t body_b) const {
  return std::any_of(model_->excludes.begin(), model_->excludes.end(), [&](const model::ContactExclude& e) {
    return (e.a.index == body_a && e.b.index == body_b) || (e.a.index == body_b && e.b.index == body_a);
  });
}

/// By their masks, and not where one is fixed to the other or carries it. (SOFT-13)
bool TouchFinder::meets(std::int32_t a, std::int32_t b) const {
  const model::Geom &one = geom_of(*model_, a), &two = geom_of(*model_, b);
  if (solid_[static_cast<std::size_t>(a)] == 0 || solid_[static_cast<std::size_t>(b)] == 0) return false;
  if ((one.contype & two.conaffinity) == 0 && (two.contype & one.conaffinity) == 0) return false;
  const std::int32_t weld_a = body_of(*model_, one.body).weld, weld_b = body_of(*model_, two.body).weld;
  if (weld_a == weld_b) return false;
  const auto above = [&](std::int32_t weld) { return body_of(*model_, body_of(*model_, weld).parent).weld; };
  if (model_->options.filter_parent && weld_a != 0 && weld_b != 0 && (above(weld_a) == weld_b || above(weld_b) == weld_a)) return false;
  return !excluded(one.body, two.body);
}

void TouchFinder::add_pairs(int least_condim) {
  if (!model_->options.constraints || !model_->options.contacts) return;
  std::vector<std::pair<std::int32_t, std::int32_t>> given;
  for (const model::ContactPair& pair : model_->pairs) {
    given.push_back(std::minmax(pair.a.index, pair.b.index));
    if (solid_[static_cast<std::size_t>(pair.a.index)] != 0 && solid_[static_cast<std::size_t>(pair.b.index)] != 0)
      pairs_.push_back(given_pair(*model_, pair));
  }
  std::sort(given.begin(), given.end());
  const auto count = static_cast<std::int32_t>(model_->geoms.size());
  for (std::int32_t a = 0; a < count; ++a)
    for (std::int32_t b = a + 1; b < count; ++b)
      if (meets(a, b) && !std::binary_search(given.begin(), given.end(), std::pair{a, b})) pairs_.push_back(mix_pair(*model_, a, b));
  for (TouchPair& pair : pairs_)
    if (pair.condim > 1) pair.condim = std::max(pair.condim, least_condim);
}

std::size_t TouchFinder::find(std::span<const Posed> X_WB, std::span<Posed> X_WG, std::span<Touch> out, bool& full) const noexcept {
  full = false;
  for (std::size_t g = 0; g < model_->geoms.size(); ++g)
    X_WG[g] = X_WB[static_cast<std::size_t>(model_->geoms[g].body)] * model_->geoms[g].pose;
  std::size_t found = 0;
  for (const TouchPair& pair : pairs_) {
    const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
    const double reach = pair.margin + pair.gap, sum = radius_[a] + radius_[b] + reach;
    const Vec3d apart = X_WG[b].p - X_WG[a].p;
    if (dot(apart, apart) > sum * sum) continue;
    geom::ContactPoint points[most_contacts_of_pair];
    const geom::ContactCount touching = geom::collide(shapes_[a], X_WG[a], shapes_[b], X_WG[b], reach, points);
    for (int i = 0; i < touching.count; ++i) {
      if (found == out.size()) {
        full = true;
        return found;
      }
      Touch& touch = out[found++];
      touch = Touch{};
      touch.position = points[i].position, touch.distance = points[i].distance;
      touch.frame = make_touch_frame(points[i].normal, points[i].tangent);
      touch.a = pair.a, touch.b = pair.b, touch.condim = pair.condim, touch.friction = pair.friction;
      touch.margin = pair.margin, touch.law = pair.law, touch.friction_solref = pair.friction_solref;
    }
    full = full || touching.full;
  }
  return found;
}

}  // namespace trilith::constraints
