#include "rows/patch_rows.h"

#include <algorithm>

#include "base/check.h"

namespace trilith::rows {
namespace {

// patches by falling number of points, equal ones in their own order: a counting sort
std::vector<std::int32_t> order_by_points(std::span<const int> points_per_patch) {
  const int most = points_per_patch.empty() ? 0 : *std::max_element(points_per_patch.begin(), points_per_patch.end());
  std::vector<std::int32_t> start(static_cast<std::size_t>(most) + 2, 0);
  for (const int points : points_per_patch) ++start[static_cast<std::size_t>(most - points) + 1];
  for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
  std::vector<std::int32_t> order(points_per_patch.size());
  for (std::size_t patch = 0; patch < points_per_patch.size(); ++patch)
    order[static_cast<std::size_t>(start[static_cast<std::size_t>(most - points_per_patch[patch])]++)] = static_cast<std::int32_t>(patch);
  return order;
}

void clear_group(PatchGroup& group) {
  for (int lane = 0; lane < patch_lanes; ++lane) {
    group.block_a[lane] = group.block_b[lane] = group.patch[lane] = -1;
    for (const int diagonal : {0, 4, 8}) group.axes[diagonal][lane] = 1;
  }
}

}  // namespace

PatchRows::PatchRows(int blocks, std::span<const int> points_per_patch) : blocks_(blocks), place_(points_per_patch.size()) {
  TRI_CHECK(blocks >= 0);
  TRI_CHECK(std::all_of(points_per_patch.begin(), points_per_patch.end(), [](int points) { return points >= 1; }));
  for (std::size_t patch = 0; patch < place_.size(); ++patch) {
    place_[patch].points = points_per_patch[patch];
    place_[patch].first_point = points_;
    points_ += points_per_patch[patch];
  }

  // deal the sorted patches out to the lanes
  const std::vector<std::int32_t> order = order_by_points(points_per_patch);
  groups_.resize((order.size() + patch_lanes - 1) / patch_lanes);
  std::int32_t slots = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    PatchGroup& group = groups_[g];
    clear_group(group);
    group.first_slot = slots;
    group.slots = points_per_patch[static_cast<std::size_t>(order[g * patch_lanes])];
    slots += group.slots;
    for (std::size_t lane = 0; lane < patch_lanes && g * patch_lanes + lane < order.size(); ++lane) {
      const std::int32_t patch = order[g * patch_lanes + lane];
      group.patch[lane] = patch;
      place_[static_cast<std::size_t>(patch)].group = static_cast<std::int32_t>(g);
      place_[static_cast<std::size_t>(patch)].lane = static_cast<std::int32_t>(lane);
    }
  }
  slots_.resize(static_cast<std::size_t>(slots));
}

void PatchRows::set(int patch, const PatchDescription& description) {
  TRI_CHECK(patch >= 0 && patch < patches());
  TRI_CHECK(description.block_a >= -1 && description.block_a < blocks_ && description.block_b >= -1 && description.block_b < blocks_);
  TRI_CHECK(description.block_a < 0 || description.block_a != description.block_b);
  const Place& place = place_[static_cast<std::size_t>(patch)];
  TRI_CHECK(static_cast<std::size_t>(place.points) == description.points.size());

  PatchGroup& group = groups_[static_cast<std::size_t>(place.group)];
  const int lane = place.lane;
  const auto put = [lane](double(&target)[3][patch_lanes], const Vec3d& v) {
    target[0][lane] = v.x;
    target[1][lane] = v.y;
    target[2][lane] = v.z;
  };
  for (int i = 0; i < 9; ++i) group.axes[i][lane] = description.axes.m[i];
  put(group.arm_a, description.arm_a);
  put(group.arm_b, description.arm_b);
  group.mu[lane] = description.mu;
  group.block_a[lane] = description.block_a;
  group.block_b[lane] = description.block_b;
  for (int point = 0; point < place.points; ++point) {
    PatchSlot& slot = slots_[static_cast<std::size_t>(group.first_slot + point)];
    put(slot.at, description.points[static_cast<std::size_t>(point)]);
    slot.used[lane] = 1;
  }
}

void PatchRows::write_points(std::span<const double> lanes, std::span<Vec3d> per_point) const noexcept {
  TRI_CHECK(lanes.size() == size() && per_point.size() == static_cast<std::size_t>(points_));
  for (int patch = 0; patch < patches(); ++patch) {
    const double* from = lanes.data() + row(patch, 0);
    Vec3d* to = per_point.data() + first_point(patch);
    for (int point = 0; point < points_of(patch); ++point, from += slot_rows)
      to[point] = {from[0], from[patch_lanes], from[2 * patch_lanes]};
  }
}

void PatchRows::write_lanes(std::span<const Vec3d> per_point, std::span<double> lanes) const noexcept {
  TRI_CHECK(lanes.size() == size() && per_point.size() == static_cast<std::size_t>(points_));
  std::fill(lanes.begin(), lanes.end(), 0.0);
  for (int patch = 0; patch < patches(); ++patch) {
    double* to = lanes.data() + row(patch, 0);
    const Vec3d* from = per_point.data() + first_point(patch);
    for (int point = 0; point < points_of(patch); ++point, to += slot_rows) {
      to[0] = from[point].x;
      to[patch_lanes] = from[point].y;
      to[2 * patch_lanes] = from[point].z;
    }
  }
}

}  // namespace trilith::rows
