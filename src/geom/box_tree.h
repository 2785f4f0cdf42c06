#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "geom/mesh.h"

namespace trilith::geom {

/// True where two boxes meet or touch.
inline bool boxes_touch(const Aabb& a, const Aabb& b) {
  return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y && b.lower.y <= a.upper.y && a.lower.z <= b.upper.z &&
         b.lower.z <= a.upper.z;
}
/// `box` grown by `margin` [m] on every side.
Aabb grow(const Aabb& box, double margin);

/// A tree over boxes that answers which of them touch a given one. Immutable once made.
class BoxTree {
 public:
  /// Keeps a copy of `boxes`. n log n; the same tree for the same boxes.
  explicit BoxTree(std::span<const Aabb> boxes);

  /// Appends the indices of the boxes that touch `box`, in no order that matters. Thread safe.
  void find_touching(const Aabb& box, std::vector<std::uint32_t>& out) const;
  /// Appends the indices of the boxes that the ray from `origin` along `direction` (no component 0) meets, in no order that matters.
  void find_on_ray(const Vec3d& origin, const Vec3d& direction, std::vector<std::uint32_t>& out) const;

 private:
  struct Node {
    Aabb box;
    std::uint32_t first = 0, count = 0;  // leaf: items_[first, first + count); inner (count 0): children first, first + 1
  };
  void build(std::uint32_t node, std::uint32_t begin, std::uint32_t end);

  std::vector<Aabb> boxes_;
  std::vector<std::uint32_t> items_;
  std::vector<Node> nodes_;
};

/// All pairs (i < j) of boxes that touch, sorted. The same list for any number of threads.
std::vector<std::pair<std::uint32_t, std::uint32_t>> find_touching_pairs(std::span<const Aabb> boxes, int threads);

}  // namespace trilith::geom
