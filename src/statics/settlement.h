#pragma once
#include <optional>
#include <string>
#include <vector>

#include "statics/margin.h"

namespace trilith::statics {

/// One support that may move along a direction. Reactions are the force with which the structure pushes the support along it. (LIM-8)
struct Settlement {
  std::uint32_t block = 0;
  Vec3d direction{};  ///< unit
  bool decided = false;
  bool stands = true;  ///< false: no state at all, so no reaction
  /// N: the ends of the range, both met by proved states; empty where there is no end, up to `far` times all weight.
  std::optional<double> low, high;
  std::optional<double> none_below, none_above;  ///< N: proved that no state is beyond
  bool follows = false;                          ///< the structure can follow the support, however little, without a joint resisting
  std::vector<certify::Velocity> velocities;     ///< how it does, the motion that proves the low end
  Collapse collapse;
  std::string reason;
};

/// Range of the reaction of support `block` along `direction` (any length) over all states, and the motion with which the structure
/// follows the support. The block must be fixed.
Settlement find_settlement(const model::Assembly& assembly, std::uint32_t block, const Vec3d& direction, const MarginSettings& settings);

}  // namespace trilith::statics
