#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "geom/box_tree.h"

namespace trilith::geom {

/// Finds the pairs of boxes that touch, again and again while the boxes move a little: sweeps along the axis of their largest spread, strip
/// by strip of the next, in an order that is kept from call to call. Does not allocate unless there is more of something than before.
/// (COL-17)
class BroadPhase {
 public:
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  /// All pairs (i < j) of boxes that touch, sorted; `out` is overwritten. Sides may be infinite. Boxes of one of the `groups` (one number
  /// per box; empty: none) are no pair. The result depends on these only.
  void find_pairs(std::span<const Aabb> boxes, Pairs& out, std::span<const std::int32_t> groups = {});
  /// Room for so many boxes and pairs, for this call and those that follow.
  void reserve(std::size_t boxes, std::size_t pairs);

 private:
  /// Numbers of the first and last strip that a box meets.
  struct Range {
    std::uint32_t first, last;
  };
  void choose_axes(std::span<const Aabb> boxes);
  void sort_boxes(std::span<const Aabb> boxes);
  void fill_strips(std::span<const Aabb> boxes);
  void sweep(std::uint32_t strip, std::span<const std::int32_t> groups);
  void sort_pairs(Pairs& out);

  int axis_ = -1, across_ = 0;  // of the sweep, of the strips
  double low_ = 0, width_ = 1;  // of the strips along `across_`
  std::uint32_t strips_ = 1;
  std::vector<std::uint32_t> order_;       // boxes by their lower sides along `axis_`
  std::vector<Range> ranges_;              // of each box
  std::vector<std::uint32_t> end_, item_;  // of each strip: end of its list; the boxes of the lists, one after another
  std::vector<double> sides_[6];           // of the items: lower and upper along the sweep, the strips, the third axis
  std::vector<std::uint32_t> found_, start_;
  Pairs unsorted_;
};

}  // namespace trilith::geom
