// Which shapes of a model touch (SOFT-13, SOFT-14).
#include "constraints/touch_finder.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "geom/collide_bounds.h"

namespace trilith::constraints {
namespace {

constexpr int most_contacts_of_pair = 64;  // only terrain gives more than geom::most_pair_contacts
constexpr std::size_t proposals_of_shape = 32;

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

geom::HeightGrid make_grid(const model::HeightFieldAsset& asset) {
  std::vector<double> heights;
  for (const float h : asset.heights) heights.push_back(asset.size[2] * static_cast<double>(h));
  return {asset.rows, asset.columns, asset.size[0], asset.size[1], asset.size[3], std::move(heights)};
}

std::size_t pairs_of(std::size_t shapes) { return shapes == 0 ? 0 : shapes * (shapes - 1) / 2; }

}  // namespace

/// What a search has found so far.
struct TouchFinder::Search {
  std::span<const Posed> X_WG;
  std::span<Touch> out;
  std::size_t found = 0;
  bool full = false;
};

Mat3d make_touch_frame(const Vec3d& normal, const Vec3d& wanted) noexcept {
  Vec3d along = wanted;
  if (dot(along, along) < 0.25) along = abs(normal.y) < 0.5 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
  const Vec3d t1 = unit(along - dot(along, normal) * normal);
  return from_rows(normal, t1, cross(normal, t1));
}

TouchScratch::TouchScratch(const TouchFinder& finder)
    : X_WG_(finder.shapes_.size(), identity_pose<double>()), boxes_(finder.members_.size()) {
  if (finder.compared_) return;
  const std::size_t proposals = std::min(pairs_of(boxes_.size()), proposals_of_shape * boxes_.size());
  phase_.reserve(boxes_.size(), proposals);
  proposals_.reserve(proposals);
}

TouchFinder::TouchFinder(const model::Model& model, int least_condim, std::vector<Warning>& warnings, const TouchLimits& limits)
    : model_(&model), least_condim_(least_condim) {
  add_shapes(warnings);
  filter_.emplace(model, solid_);
  if (!model.options.constraints || !model.options.contacts) return;
  add_named_pairs();
  add_members();
  compared_ = pairs_of(members_.size()) <= limits.compared;
  listed_ = compared_ || pairs_of(members_.size()) <= limits.listed;
  add_pairs();
}

void TouchFinder::add_shapes(std::vector<Warning>& warnings) {
  for (const model::HeightFieldAsset& asset : model_->height_fields) grids_.push_back(make_grid(asset));
  for (const model::MeshAsset& asset : model_->meshes) meshes_.push_back(geom::make_convex_mesh(asset.mesh.vertices));
  for (const model::Geom& g : model_->geoms) {
    geom::Shape shape{.kind = static_cast<geom::ShapeKind>(g.kind), .size = g.size};
    bool solid = !g.visual_only;
    if (g.kind == model::GeomKind::mesh) {
      const auto& mesh = meshes_[at(g.asset.index)];
      if (mesh) shape.mesh = &*mesh;
      if (!mesh && solid) warnings.push_back({"a flat mesh cannot be touched: left out of contacts", g.where});
      solid = solid && mesh.has_value();
    }
    if (g.kind == model::GeomKind::hfield) shape.grid = &grids_[at(g.asset.index)];
    reach_.push_back(reach_of(*model_, static_cast<std::int32_t>(shapes_.size())));
    shapes_.push_back(shape);
    solid_.push_back(solid ? 1 : 0);
    radius_.push_back(solid ? geom::bounding_radius(shapes_.back()) : 0);
  }
}

void TouchFinder::raise_condim(TouchPair& pair) const noexcept {
  if (pair.condim > 1) pair.condim = std::max(pair.condim, least_condim_);
}

void TouchFinder::add_named_pairs() {
  for (const model::ContactPair& pair : model_->pairs)
    if (solid_[at(pair.a.index)] != 0 && solid_[at(pair.b.index)] != 0) pairs_.push_back(given_pair(*model_, pair));
  named_ = pairs_.size();
}

void TouchFinder::add_members() {
  const auto count = static_cast<std::int32_t>(shapes_.size());
  for (std::int32_t g = 0; g < count; ++g) {
    if (!filter_->meets_any(g)) continue;
    members_.push_back(g);
    groups_.push_back(filter_->weld(g));
    most_condim_ = std::max(most_condim_, model_->geoms[at(g)].condim);
  }
}

void TouchFinder::add_pairs() {
  classes_ = classify_shapes(*model_);
  if (listed_) {
    for (std::size_t i = 0; i < members_.size(); ++i)
      for (std::size_t j = i + 1; j < members_.size(); ++j)
        if (filter_->meets(members_[i], members_[j])) pairs_.push_back(mix_pair(*model_, members_[i], members_[j]));
  } else {
    const std::vector<TouchPair> samples = sample_pairs(*model_, *filter_, classes_);
    pairs_.insert(pairs_.end(), samples.begin(), samples.end());
  }
  for (TouchPair& pair : pairs_) {
    raise_condim(pair);
    most_condim_ = std::max(most_condim_, pair.condim);
  }
  if (most_condim_ > 1) most_condim_ = std::max(most_condim_, least_condim_);
}

std::size_t TouchFinder::most_pairs() const noexcept { return listed_ ? pairs_.size() : named_ + pairs_of(members_.size()); }

/// The balls about two shapes come as near as that.
bool TouchFinder::are_near(std::int32_t a, std::int32_t b, double reach, const Search& search) const noexcept {
  const double sum = radius_[at(a)] + radius_[at(b)] + reach;
  const Vec3d apart = search.X_WG[at(b)].p - search.X_WG[at(a)].p;
  return !(dot(apart, apart) > sum * sum);
}

void TouchFinder::add_contacts(const TouchPair& pair, Search& search) const noexcept {
  const std::size_t a = at(pair.a), b = at(pair.b);
  geom::ContactPoint points[most_contacts_of_pair];
  const geom::ContactCount touching = geom::collide(shapes_[a], search.X_WG[a], shapes_[b], search.X_WG[b], pair.margin + pair.gap, points);
  search.full = search.full || touching.full;
  for (int i = 0; i < touching.count; ++i) {
    if (search.found == search.out.size()) {
      search.full = true;
      return;
    }
    Touch& touch = search.out[search.found++];
    touch.position = points[i].position, touch.distance = points[i].distance;
    touch.frame = make_touch_frame(points[i].normal, points[i].tangent);
    touch.a = pair.a, touch.b = pair.b, touch.condim = pair.condim, touch.friction = pair.friction;
    touch.margin = pair.margin, touch.law = pair.law, touch.friction_solref = pair.friction_solref, touch.first_row = -1;
  }
}

std::size_t TouchFinder::find(std::span<const Posed> X_WB, TouchScratch& scratch, std::span<Touch> out, bool& full) const noexcept {
  for (std::size_t g = 0; g < shapes_.size(); ++g) scratch.X_WG_[g] = X_WB[at(model_->geoms[g].body)] * model_->geoms[g].pose;
  Search search{scratch.X_WG_, out};
  find_listed(std::span(pairs_).first(compared_ ? pairs_.size() : named_), search);
  if (!compared_) find_proposed(scratch, search);
  full = search.full;
  return search.found;
}

void TouchFinder::find_listed(std::span<const TouchPair> pairs, Search& search) const noexcept {
  for (const TouchPair& pair : pairs)
    if (are_near(pair.a, pair.b, pair.margin + pair.gap, search)) add_contacts(pair, search);
}

/// Pairs come sorted by the numbers of their geoms. Parameters are mixed anew only where the classes change.
void TouchFinder::find_proposed(TouchScratch& scratch, Search& search) const noexcept {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const std::int32_t g = members_[i];
    scratch.boxes_[i] = geom::grow(geom::bounding_box(shapes_[at(g)], search.X_WG[at(g)]), reach_[at(g)]);
  }
  scratch.phase_.find_pairs(scratch.boxes_, scratch.proposals_, groups_);
  TouchPair pair;
  std::int32_t class_a = -1, class_b = -1;
  for (const auto& [i, j] : scratch.proposals_) {
    std::int32_t a = members_[i], b = members_[j];
    if (!are_near(a, b, reach_[at(a)] + reach_[at(b)], search) || !filter_->meets(a, b)) continue;
    if (shapes_[at(b)].kind < shapes_[at(a)].kind) std::swap(a, b);
    if (classes_[at(a)] != class_a || classes_[at(b)] != class_b) {
      pair = mix_pair(*model_, a, b);
      raise_condim(pair);
      class_a = classes_[at(a)], class_b = classes_[at(b)];
    }
    pair.a = a, pair.b = b;
    add_contacts(pair, search);
  }
}

}  // namespace trilith::constraints
