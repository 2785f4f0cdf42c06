// Sweep and prune in strips. Equations: (COL-17)
#include "geom/broad_phase.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/math.h"

namespace trilith::geom {
namespace {

constexpr double clearly = 1.5;            // an axis is left for another of this many times its variance
constexpr double strip_width = 2;          // of the mean box
constexpr std::uint32_t most_strips = 64;  // so that boxes without end stand in few lists
constexpr std::size_t items_per_box = 3;   // lists that a box stands in, on average: more only cost an allocation
constexpr double endless = 1e30;           // m

/// A box that is nowhere (NaN) has its sides at -infinity: it has an order, and touches nothing that has an end.
double component(const Vec3d& p, int axis) {
  const double x = axis == 0 ? p.x : axis == 1 ? p.y : p.z;
  return x == x ? x : -std::numeric_limits<double>::infinity();
}

/// Of the finite boxes, along each axis.
struct Spread {
  double sum[3] = {0, 0, 0}, square[3] = {0, 0, 0}, size[3] = {0, 0, 0};
  double low[3] = {endless, endless, endless}, high[3] = {-endless, -endless, -endless}, count = 0;
  double variance(int k) const { return count > 0 ? square[k] / count - (sum[k] / count) * (sum[k] / count) : 0; }
};

bool is_finite(const Aabb& box) {
  for (int k = 0; k < 3; ++k)
    if (!(component(box.lower, k) > -endless && component(box.upper, k) < endless)) return false;
  return true;
}

Spread measure_spread(std::span<const Aabb> boxes) {
  Spread all;
  for (const Aabb& box : boxes) {
    if (!is_finite(box)) continue;
    ++all.count;
    for (int k = 0; k < 3; ++k) {
      const double lower = component(box.lower, k), upper = component(box.upper, k), middle = 0.5 * (lower + upper);
      all.sum[k] += middle, all.square[k] += middle * middle, all.size[k] += upper - lower;
      all.low[k] = min(all.low[k], lower), all.high[k] = max(all.high[k], upper);
    }
  }
  return all;
}

}  // namespace

void BroadPhase::reserve(std::size_t boxes, std::size_t pairs) {
  order_.reserve(boxes), ranges_.reserve(boxes), start_.reserve(boxes + 1), end_.reserve(most_strips + 1);
  const std::size_t items = items_per_box * boxes + most_strips;
  item_.reserve(items), found_.reserve(boxes);
  for (auto& sides : sides_) sides.reserve(items);
  unsorted_.reserve(pairs);
}

void BroadPhase::find_pairs(std::span<const Aabb> boxes, Pairs& out, std::span<const std::int32_t> groups) {
  const int before = axis_;
  choose_axes(boxes);
  if (order_.size() != boxes.size() || axis_ != before) {
    order_.resize(boxes.size());
    std::iota(order_.begin(), order_.end(), 0U);
    const auto lower = [&](std::uint32_t i) { return component(boxes[i].lower, axis_); };
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) { return lower(a) < lower(b); });
  }
  sort_boxes(boxes);
  fill_strips(boxes);
  unsorted_.clear();
  for (std::uint32_t strip = 0; strip < strips_; ++strip) sweep(strip, groups);
  sort_pairs(out);
}

/// The sweep goes along the axis of largest variance of the middles, the strips lie across the second largest.
void BroadPhase::choose_axes(std::span<const Aabb> boxes) {
  const Spread spread = measure_spread(boxes);
  int best = 0;
  for (int k = 1; k < 3; ++k)
    if (spread.variance(k) > spread.variance(best)) best = k;
  if (axis_ < 0 || spread.variance(best) > clearly * spread.variance(axis_)) axis_ = best;
  const int one = (axis_ + 1) % 3, two = (axis_ + 2) % 3;
  across_ = spread.variance(two) > spread.variance(one) ? two : one;
  strips_ = 1;
  low_ = 0, width_ = 1;
  const double range = spread.high[across_] - spread.low[across_];
  if (!(spread.count > 0 && range > 0)) return;
  low_ = spread.low[across_];
  width_ = max(strip_width * spread.size[across_] / spread.count, range / most_strips);
  strips_ = static_cast<std::uint32_t>(min(range / width_ + 1, static_cast<double>(most_strips)));
}

/// Insertion: next to no work where the order is nearly right.
void BroadPhase::sort_boxes(std::span<const Aabb> boxes) {
  for (std::size_t i = 1; i < order_.size(); ++i) {
    const std::uint32_t moving = order_[i];
    const double lower = component(boxes[moving].lower, axis_);
    std::size_t j = i;
    for (; j > 0 && component(boxes[order_[j - 1]].lower, axis_) > lower; --j) order_[j] = order_[j - 1];
    order_[j] = moving;
  }
}

void BroadPhase::fill_strips(std::span<const Aabb> boxes) {
  const auto strip_at = [&](double x) {
    const double strip = (x - low_) / width_;
    return strip > 0 ? static_cast<std::uint32_t>(min(strip, static_cast<double>(strips_ - 1))) : 0U;
  };
  ranges_.resize(boxes.size());
  end_.assign(strips_ + 1, 0);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    ranges_[i] = {strip_at(component(boxes[i].lower, across_)), strip_at(component(boxes[i].upper, across_))};
    for (std::uint32_t s = ranges_[i].first; s <= ranges_[i].last; ++s) ++end_[s + 1];
  }
  std::partial_sum(end_.begin(), end_.end(), end_.begin());
  const std::size_t items = end_[strips_];
  item_.resize(items);
  for (auto& sides : sides_) sides.resize(items);
  const int axes[3] = {axis_, across_, 3 - axis_ - across_};
  for (const std::uint32_t box : order_) {
    for (std::uint32_t s = ranges_[box].first; s <= ranges_[box].last; ++s) {
      const std::size_t at = end_[s]++;  // until now the start of list s; at last its end
      item_[at] = box;
      for (std::size_t k = 0; k < 3; ++k) {
        sides_[2 * k][at] = component(boxes[box].lower, axes[k]);
        sides_[2 * k + 1][at] = component(boxes[box].upper, axes[k]);
      }
    }
  }
}

void BroadPhase::sweep(std::uint32_t strip, std::span<const std::int32_t> groups) {
  const std::size_t begin = strip == 0 ? 0 : end_[strip - 1], end = end_[strip];
  found_.resize(std::max(found_.size(), end - begin));
  const double *lower = sides_[0].data(), *upper = sides_[1].data();
  const double *low_1 = sides_[2].data(), *up_1 = sides_[3].data(), *low_2 = sides_[4].data(), *up_2 = sides_[5].data();
  for (std::size_t i = begin; i < end; ++i) {
    const double last = upper[i], l1 = low_1[i], u1 = up_1[i], l2 = low_2[i], u2 = up_2[i];
    std::size_t count = 0;
    for (std::size_t j = i + 1; j < end && lower[j] <= last; ++j) {
      found_[count] = static_cast<std::uint32_t>(j);
      const int touch = static_cast<int>(low_1[j] <= u1) & static_cast<int>(l1 <= up_1[j]) & static_cast<int>(low_2[j] <= u2) &
                        static_cast<int>(l2 <= up_2[j]);
      count += static_cast<std::size_t>(touch);  // no branch: what touches is not to be foreseen
    }
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint32_t a = item_[i], b = item_[found_[k]];
      // a pair that meets in several strips counts in the first of them
      if (std::max(ranges_[a].first, ranges_[b].first) == strip && (groups.empty() || groups[a] != groups[b]))
        unsorted_.emplace_back(std::min(a, b), std::max(a, b));
    }
  }
}

/// By counting the pairs of every first box, then each short list by itself.
void BroadPhase::sort_pairs(Pairs& out) {
  start_.assign(order_.size() + 1, 0);
  for (const auto& pair : unsorted_) ++start_[pair.first + 1];
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  out.resize(unsorted_.size());
  for (const auto& pair : unsorted_) out[start_[pair.first]++] = pair;
  // start_[i] is now the end of the list of i
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    std::sort(out.begin() + begin, out.begin() + start_[i]);
    begin = start_[i];
  }
}

}  // namespace trilith::geom
