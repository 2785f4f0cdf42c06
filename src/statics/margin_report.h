#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "statics/check.h"
#include "statics/margin.h"
#include "statics/settlement.h"

namespace trilith::statics {

/// Force on one block, at its centre of mass.
struct BlockForce {
  std::uint32_t block = 0;
  Vec3d force{};  ///< N; of a capacity the direction alone counts
};

/// What `trilith margin` is asked. Nothing asked: four horizontal directions and friction.
struct MarginQuestions {
  std::vector<Vec3d> directions;  ///< any length
  std::vector<double> tilt_deg;   ///< azimuths
  std::vector<BlockForce> live;   ///< one load, all of them together
  std::optional<BlockForce> capacity;
  std::vector<BlockForce> settle;  ///< supports, and the directions in which they may move
  bool friction = false, erosion = false, non_associative = false;

  bool empty() const;
};

struct LoadAnswer {
  Vec3d direction{0, 0, 0};  ///< unit; zero: the live loads
  LimitLoad limit;
};

struct TiltAnswer {
  double azimuth_deg = 0;
  bool decided = false, feasible = true;
  double angle_deg = 0;  ///< proved to stand up to here
  double falls_deg = 0;  ///< proved to fall from here on; 90 where it stands lying
  std::string reason;
};

/// Friction that does not dilate: proved safe up to `low`, proved to fall beyond `high`. (LIM-7)
struct NonAssociative {
  std::optional<double> low, high;
  std::string reason;  ///< why an end is missing
};

struct MarginReport {
  std::vector<LoadAnswer> loads;
  std::vector<TiltAnswer> tilts;
  std::optional<LimitLoad> capacity;  ///< state and collapse_at in N
  std::optional<ParameterLimit> friction, erosion;
  double largest_friction = 0, least_friction = 0;  ///< of the joints
  std::vector<Settlement> settle;
  std::optional<NonAssociative> non_associative;  ///< of the load that is nearest to its limit
  int governing = -1;                             ///< index of that load; -1: none has a limit
  std::vector<Warning> warnings;

  bool decided() const;
};

/// Unit vector across gravity at an azimuth: 0 is x, 90 degrees y for a gravity along -z; for others x without its part along gravity (y,
/// where x is along it), turned about the upward direction.
Vec3d horizontal_direction(const Vec3d& gravity, double azimuth_deg);

/// The smallest load factor of the four horizontal directions; what `check --margin` tells. Undecided where one of them is.
HorizontalMargin find_least_horizontal(const model::Assembly& assembly, const MarginSettings& settings);

/// Answers every question, or as many as the time allows. The assembly needs its interfaces.
MarginReport find_margins(const model::Assembly& assembly, MarginQuestions questions, const MarginSettings& settings);

}  // namespace trilith::statics
