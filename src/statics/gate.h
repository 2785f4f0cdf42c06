#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "geom/mesh.h"
#include "geom/polygon.h"
#include "spatial/pose.h"
#include "trilith/result.h"

/// Quick tests of one stone on what is already there, before any solve: is its centre of mass over its support, is the seat a good one? A
/// gate is no proof. Everything is measured in the plane normal to gravity. (docs/theory/gates.md)
namespace trilith::statics {

struct GateWeights {
  double support = 1;  ///< w1: 1 - hull of the contact over footprint
  double offset = 1;   ///< w3: centre of mass from the middle of that hull, over the mean width
  double hollow = 1;   ///< wu: volume left under the stone over footprint times height
  double seat = 0.5;   ///< ws: height of the seat over the mean width
};

struct GateSettings {
  Vec3d gravity{0, 0, -9.80665};  ///< only its direction counts
  std::optional<Vec3d> into;      ///< into the wall; none: the short side of the support's outline
  double margin = 0;              ///< least clearance, m
  double nbo_margin = 0;          ///< least scale-free margin of the resting face
  double least_depth_ratio = 0.5;
  double least_seating = 0.7;  ///< cosine between the resting face's normal and gravity
  GateWeights weights;
  double cell = 0;  ///< m: distance of sampled columns; 0: cell_share of the stone's width
  double cell_share = 0.05;
  double most_columns = 1e6;  ///< of one pose: a finer `cell` is refused, a finer default made coarser, which is told
  double touch_share = 0.1;   ///< of a cell: columns that are nearer than this touch
  double flat_share = 0.25;   ///< of a cell: a hull of contacts that is narrower counts as collinear: so wide seems a ridge to touch
};

/// A face of the stone's hull on which it can rest: the foot of its centre of mass lies inside. (GATE-5)
struct RestingFace {
  std::vector<Vec3d> corners;  ///< stone axes, m, counter-clockwise about `normal`
  Vec3d normal{};              ///< outward, unit
  double height = 0;           ///< m: of the centre of mass above it
  double clearance = 0;        ///< m: of that foot from the nearest side
  double area = 0;             ///< m^2
};

/// The stone and what it may rest on, ready for many seats.
class GateScene {
 public:
  const GateSettings& settings() const { return settings_; }
  const std::vector<RestingFace>& resting_faces() const { return faces_; }  ///< lowest centre of mass first
  const geom::Mesh& hull() const { return hull_; }                          ///< of the stone, in its own axes
  const Vec3d& com() const { return com_; }                                 ///< of the stone, in its own axes
  const Vec3d& into() const { return into_; }                               ///< unit, normal to gravity
  double width() const { return width_; }  ///< m: mean of the two sides of the smallest rectangle round the stone, as it is given
  double cell() const { return cell_; }    ///< m
  const std::vector<Warning>& warnings() const { return warnings_; }

 private:
  friend Result<GateScene> make_gate_scene(const geom::Mesh&, const geom::Mesh&, const GateSettings&);
  friend class SeatReader;
  geom::Mesh stone_, hull_, support_;
  GateSettings settings_;
  geom::PlaneFrame plane_;  // normal is up; origin: a vertex of the support
  Vec3d com_{}, into_{};
  double width_ = 0, cell_ = 0, datum_ = 0;  // datum: height of the lowest point of the support
  std::vector<RestingFace> faces_;
  std::vector<Warning> warnings_;
};

/// `stone` and `support` in m. The stone must have a convex hull; where it is not closed its centre of mass is that of the hull, which is
/// told. The support may be open.
Result<GateScene> make_gate_scene(const geom::Mesh& stone, const geom::Mesh& support, const GateSettings& settings);

/// The scale-free gate on the hull face under the centre of mass. (GATE-6)
struct NboReport {
  double margin = 0;       ///< distance of the centre of mass from the face's nearest side over the root of its area, seen from above
  bool in_hull = false;    ///< the centre of mass is over the hull of the contacts
  double depth_ratio = 0;  ///< extent into the wall over extent in height
  double seating = 0;      ///< cosine of the face's normal and gravity
  bool stable = false;
};

/// A stone in one seat, after it was let down along gravity onto the support.
struct SeatReport {
  Posed X_WS{};                      ///< of the stone's own axes
  bool lands = false;                ///< false: no part of the support lies under it; then nothing below says anything
  double drop = 0;                   ///< m: how far it was let down, negative: lifted
  int contacts = 0;                  ///< columns that touch
  double clearance = -1;             ///< m, signed: positive inside the hull of the contacts; -1 where that has no area (GATE-3)
  bool stable = false;               ///< clearance >= margin, and the contacts have a hull
  double support_area = 0;           ///< m^2
  std::optional<double> com_offset;  ///< m: centre of mass from the middle of the hull; without area from the mean of the contacts
  double hollow = 0;                 ///< m^3 left under the stone; over nothing it counts with the stone's height
  std::optional<double> objective;   ///< J, less is better (GATE-4)
  NboReport nbo;
  std::vector<Vec3d> hull;  ///< corners of the hull of the contacts, world
};

/// The stone in the orientation and place of `X_WS`, let down.
SeatReport measure_seat(const GateScene& scene, const Posed& X_WS);

/// The placing rule: on the resting face `face`, long side into the wall, centre of mass above or below `target`; not let down yet.
/// (GATE-7)
Posed place_stone(const GateScene& scene, std::size_t face, const Vec3d& target);

/// Order of preference: stable seats first, then by objective, then as listed; those that miss the support last.
std::vector<std::size_t> rank_seats(std::span<const SeatReport> seats);

}  // namespace trilith::statics
