#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "certify/problem.h"
#include "model/assembly.h"

namespace trilith::statics {

/// Shares of the fastest speed, of the largest power; how a collapse is put into words, never what is proved.
struct CollapseSettings {
  double still = 1e-3;  ///< speeds below this share of the fastest are no motion
  double slide = 0.1;   ///< opening of a sliding point may differ from mu times its slip by this share of the slip
};

/// Blocks that move as one.
struct MovingGroup {
  std::vector<std::uint32_t> blocks;  ///< ascending
  double power = 0;                   ///< work of the weight per time, share of the work of all that falls; negative: lifted
  Vec3d velocity{};                   ///< of its centre of mass, m/s, the fastest point of the collapse at 1 m/s
  double speed = 0;                   ///< of its fastest corner of a joint or centre of mass
};

/// A joint between two groups (or a group and what stays), and what it does.
struct MovingJoint {
  enum class Kind : std::uint8_t {
    turns,   ///< part of it stays closed, the rest opens: a hinge about `from` - `to`
    slides,  ///< it slips along `direction`
    opens,   ///< it opens everywhere
  };
  Kind kind = Kind::opens;
  std::uint32_t interface = 0;  ///< index into Assembly::interfaces
  Vec3d from{}, to{};           ///< m: ends of the closed edge; equal where it is a corner
  Vec3d direction{};            ///< unit: b slides against a along it
  double speed = 0;             ///< largest relative speed
};

/// A collapse in words of its parts. Sorted: groups by power, the one that drives it first; joints by speed.
struct Collapse {
  std::vector<MovingGroup> groups;
  std::vector<MovingJoint> joints;
};

/// Reads a verified collapse: which blocks move together, and how their joints open, turn and slide. `velocities`: one per block.
Collapse describe_collapse(const model::Assembly& assembly, std::span<const certify::Velocity> velocities,
                           const CollapseSettings& settings = {});

}  // namespace trilith::statics
