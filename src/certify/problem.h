#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "trilith/vec.h"

/// The verifier's own view of an assembly: plain spans, nothing shared with the solvers.
namespace trilith::certify {

/// A rigid block. World axes, m, kg/m^3. Outward polygon faces (corners face_vertex[face_start[i] .. face_start[i + 1]), a fan from the
/// first).
struct Body {
  std::string_view id;
  bool fixed = false;
  double density = 0;
  std::span<const Vec3d> vertices;
  std::span<const std::uint32_t> face_start;  ///< faces + 1 entries
  std::span<const std::uint32_t> face_vertex;
};

/// A contact polygon between two bodies. `normal` points from a into b and need not have length 1.
struct Patch {
  std::uint32_t a = 0, b = 0;
  std::span<const Vec3d> polygon;
  Vec3d normal{};
  double mu = 0;
  /// N per polygon vertex, >= 0: pull that the joint carries there, the cone is |f_t| <= mu (f_n + c), f_n >= -c; empty: none. (LIM-1)
  std::span<const double> tension = {};
};

/// A force on a body beside its weight, world axes, N; acts at `point`, m, or at the centre of mass.
struct Load {
  std::uint32_t body = 0;
  Vec3d force{};
  Vec3d point{};
  bool at_centre = false;
};

/// Loads that are larger than the weight by more than one over this set the scale of balance: rounding of the forces that carry them would
/// hide the weight (RBE-5). Without gravity the loads alone do.
inline constexpr double heavy_load_share = 1e-2;

struct StaticProblem {
  std::span<const Body> bodies;
  std::span<const Patch> patches;
  Vec3d gravity{};  ///< m/s^2
  std::span<const Load> loads = {};
};

/// Velocity of a body's centre of mass and its angular velocity, world axes, m/s and rad/s.
struct Velocity {
  Vec3d linear{}, angular{};
};

}  // namespace trilith::certify
