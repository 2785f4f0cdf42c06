#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "linalg/fixed.h"

/// Rows of contact patches, eight patches side by side. Pure maths: two blocks of six unknowns per patch (a force and a moment each), a
/// 6 x 3 map from a force in contact axes to a wrench on each, and a friction coefficient. No bodies here.
namespace trilith::rows {

/// Patches in one group, one lane each.
inline constexpr int patch_lanes = 8;
/// Numbers that one slot (one point of each of the eight patches) takes in a row vector: n, t1, t2 times eight lanes.
inline constexpr int slot_rows = 3 * patch_lanes;

/// One contact patch. A force f = (n, t1, t2) at a point gives block b the wrench (R f, (arm_b + R p) x R f) and block a the opposite one
/// with arm_a. Every length in one unit of the caller's choice.
struct PatchDescription {
  int block_a = -1, block_b = -1;  ///< -1: has no unknowns (fixed)
  Mat3d axes{};                    ///< R: columns n, t1, t2; orthonormal
  Vec3d arm_a{}, arm_b{};          ///< from the block's reference point to the patch origin
  double mu = 0;                   ///< friction coefficient, >= 0
  std::span<const Vec3d> points;   ///< p, about the patch origin, in contact axes (n, t1, t2)
};

/// Eight patches, component by component. An unused lane has blocks -1, patch -1, zero arms and the unit matrix as axes.
struct alignas(64) PatchGroup {
  double axes[9][patch_lanes];
  double arm_a[3][patch_lanes], arm_b[3][patch_lanes];
  double mu[patch_lanes];
  std::int32_t block_a[patch_lanes], block_b[patch_lanes];
  std::int32_t patch[patch_lanes];
  std::int32_t first_slot = 0, slots = 0;  ///< slots [first_slot, first_slot + slots): as many as its largest patch has points
};

/// One point of each of the eight patches of a group, in contact axes; `used` is 1 where the patch has such a point, else 0.
struct alignas(64) PatchSlot {
  double at[3][patch_lanes];
  double used[patch_lanes];
};

/// All patches of a problem in lanes, sorted by number of points so that few lanes stay empty. Row vectors ("lane layout") have `size()`
/// entries: row(patch, point) + patch_lanes * component; entries of unused lanes are zero and stay zero. Immutable once every patch is set.
class PatchRows {
 public:
  PatchRows() = default;
  /// Layout of patches with these numbers of points (each >= 1) on `blocks` blocks of six unknowns.
  PatchRows(int blocks, std::span<const int> points_per_patch);
  /// Fills one patch. Blocks must be -1 or in [0, blocks), the number of points as announced.
  void set(int patch, const PatchDescription& description);

  int blocks() const noexcept { return blocks_; }
  int patches() const noexcept { return static_cast<int>(place_.size()); }
  int points() const noexcept { return points_; }
  std::size_t size() const noexcept { return slots_.size() * slot_rows; }
  std::span<const PatchGroup> groups() const noexcept { return groups_; }
  std::span<const PatchSlot> slots() const noexcept { return slots_; }
  int points_of(int patch) const noexcept { return place_[static_cast<std::size_t>(patch)].points; }
  /// First point of `patch` in per-point arrays (patches in their own order, points one after the other).
  int first_point(int patch) const noexcept { return place_[static_cast<std::size_t>(patch)].first_point; }
  /// Place of the n component of a point in a row vector; t1 and t2 follow at + patch_lanes and + 2 patch_lanes.
  std::size_t row(int patch, int point) const noexcept {
    const Place& p = place_[static_cast<std::size_t>(patch)];
    return static_cast<std::size_t>(groups_[static_cast<std::size_t>(p.group)].first_slot + point) * slot_rows +
           static_cast<std::size_t>(p.lane);
  }

  /// Lane layout to (n, t1, t2) per point; `per_point` has points() entries.
  void write_points(std::span<const double> lanes, std::span<Vec3d> per_point) const noexcept;
  /// And back; unused lanes get zero.
  void write_lanes(std::span<const Vec3d> per_point, std::span<double> lanes) const noexcept;

 private:
  struct Place {
    std::int32_t group = 0, lane = 0, points = 0, first_point = 0;
  };
  int blocks_ = 0, points_ = 0;
  std::vector<PatchGroup> groups_;
  std::vector<PatchSlot> slots_;
  std::vector<Place> place_;  // per patch
};

}  // namespace trilith::rows
