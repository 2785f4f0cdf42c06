#pragma once
#include <span>
#include <vector>

#include "solve/interior_point_kernel.h"

namespace trilith::solve {

/// The cones of all contact points, and one ray behind them: the rows of a BorderedSystem.
class BorderedCones {
 public:
  /// `mu`: patch_lanes per group, as the cones are to be.
  BorderedCones(const rows::PatchRows& rows, std::span<const double> mu)
      : groups_(rows.groups().begin(), rows.groups().end()),
        slots_(rows.slots().begin(), rows.slots().end()),
        mu_(mu.begin(), mu.end()),
        points_(rows.points() + 1) {
    rows::PatchGroup last{};
    last.first_slot = static_cast<std::int32_t>(slots_.size());
    last.slots = 1;
    groups_.push_back(last);
    slots_.push_back({});
    slots_.back().used[0] = 1;
    mu_.resize(mu_.size() + rows::patch_lanes, 0.0);
  }

  ConicView view() const { return {groups_.data(), slots_.data(), static_cast<int>(groups_.size()), mu_.data()}; }
  int points() const { return points_; }

 private:
  std::vector<rows::PatchGroup> groups_;
  std::vector<rows::PatchSlot> slots_;
  std::vector<double> mu_;
  int points_;
};

}  // namespace trilith::solve
