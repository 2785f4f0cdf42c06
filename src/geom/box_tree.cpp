// Implements (GEO-9): which boxes touch.
#include "geom/box_tree.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/parallel.h"
#include "linalg/fixed.h"

namespace trilith::geom {
namespace {

constexpr std::uint32_t leaf_size = 4;

Aabb join(const Aabb& a, const Aabb& b) {
  return {{std::min(a.lower.x, b.lower.x), std::min(a.lower.y, b.lower.y), std::min(a.lower.z, b.lower.z)},
          {std::max(a.upper.x, b.upper.x), std::max(a.upper.y, b.upper.y), std::max(a.upper.z, b.upper.z)}};
}

}  // namespace

Aabb grow(const Aabb& box, double margin) {
  const Vec3d side{margin, margin, margin};
  return {box.lower - side, box.upper + side};
}

BoxTree::BoxTree(std::span<const Aabb> boxes) : boxes_(boxes.begin(), boxes.end()), items_(boxes.size()) {
  std::iota(items_.begin(), items_.end(), 0U);
  if (boxes_.empty()) return;
  nodes_.reserve(boxes_.size());
  nodes_.emplace_back();
  build(0, 0, static_cast<std::uint32_t>(boxes_.size()));
}

void BoxTree::build(std::uint32_t node, std::uint32_t begin, std::uint32_t end) {
  Aabb box = boxes_[items_[begin]];
  for (std::uint32_t i = begin + 1; i < end; ++i) box = join(box, boxes_[items_[i]]);
  nodes_[node].box = box;
  if (end - begin <= leaf_size) {
    nodes_[node].first = begin;
    nodes_[node].count = end - begin;
    return;
  }

  // halve at the median of the longest side; equal centres fall back on the index
  const Vec3d side = box.upper - box.lower;
  double Vec3d::* axis = side.x >= side.y && side.x >= side.z ? &Vec3d::x : side.y >= side.z ? &Vec3d::y : &Vec3d::z;
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    const double ca = boxes_[a].lower.*axis + boxes_[a].upper.*axis, cb = boxes_[b].lower.*axis + boxes_[b].upper.*axis;
    return ca != cb ? ca < cb : a < b;
  };
  const std::uint32_t middle = begin + (end - begin) / 2;
  std::nth_element(items_.begin() + begin, items_.begin() + middle, items_.begin() + end, before);

  const auto children = static_cast<std::uint32_t>(nodes_.size());
  nodes_.resize(nodes_.size() + 2);
  nodes_[node].first = children;
  build(children, begin, middle);
  build(children + 1, middle, end);
}

void BoxTree::find_touching(const Aabb& box, std::vector<std::uint32_t>& out) const {
  if (nodes_.empty()) return;
  // the tree is halved at medians: its depth stays below 32 + the depth of a leaf
  std::uint32_t stack[64];
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const Node& node = nodes_[stack[--top]];
    if (!boxes_touch(node.box, box)) continue;
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i)
      if (boxes_touch(boxes_[items_[i]], box)) out.push_back(items_[i]);
    if (node.count > 0) continue;
    stack[top++] = node.first;
    stack[top++] = node.first + 1;
  }
}

namespace {

constexpr double ray_rounding = 1e-12;  // of the distance along the ray: a few thousand times what three products round

/// Does the ray from `origin` with slopes 1 / `inverse` meet the box? Grown by rounding, so that it never passes over one.
bool meets(const Aabb& box, const Vec3d& origin, const Vec3d& inverse) {
  double enter = 0, leave = std::numeric_limits<double>::infinity();
  const auto cut = [&](double lower, double upper, double from, double slope) {
    const double one = (lower - from) * slope, two = (upper - from) * slope;
    enter = std::max(enter, std::min(one, two));
    leave = std::min(leave, std::max(one, two));
  };
  cut(box.lower.x, box.upper.x, origin.x, inverse.x);
  cut(box.lower.y, box.upper.y, origin.y, inverse.y);
  cut(box.lower.z, box.upper.z, origin.z, inverse.z);
  return enter <= leave + ray_rounding * (abs(enter) + abs(leave));
}

}  // namespace

void BoxTree::find_on_ray(const Vec3d& origin, const Vec3d& direction, std::vector<std::uint32_t>& out) const {
  if (nodes_.empty()) return;
  const Vec3d inverse{1 / direction.x, 1 / direction.y, 1 / direction.z};
  std::uint32_t stack[64];
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const Node& node = nodes_[stack[--top]];
    if (!meets(node.box, origin, inverse)) continue;
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i)
      if (meets(boxes_[items_[i]], origin, inverse)) out.push_back(items_[i]);
    if (node.count > 0) continue;
    stack[top++] = node.first;
    stack[top++] = node.first + 1;
  }
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> find_touching_pairs(std::span<const Aabb> boxes, int threads) {
  const BoxTree tree(boxes);
  const auto count = static_cast<std::int64_t>(boxes.size());
  std::vector<std::vector<std::uint32_t>> later(boxes.size());
  parallel_for(count, threads, [&](std::int64_t begin, std::int64_t end, int) {
    std::vector<std::uint32_t> found;
    for (std::int64_t i = begin; i < end; ++i) {
      const auto box = static_cast<std::size_t>(i);
      found.clear();
      tree.find_touching(boxes[box], found);
      std::erase_if(found, [box](std::uint32_t j) { return j <= box; });
      std::sort(found.begin(), found.end());
      later[box] = found;
    }
  });
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t i = 0; i < later.size(); ++i)
    for (const std::uint32_t j : later[i]) pairs.emplace_back(i, j);
  return pairs;
}

}  // namespace trilith::geom
