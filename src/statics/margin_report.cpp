// The questions of `trilith margin`, one after the other. Equations: (LIM-3) (LIM-6) (LIM-7)
#include "statics/margin_report.h"

#include <algorithm>

#include "base/math.h"
#include "base/text.h"
#include "linalg/direction.h"
#include "linalg/fixed.h"

namespace trilith::statics {
namespace {

constexpr double degree = 0x1.1df46a2529d39p-6;  // rad

std::vector<model::Load> at_centres(const model::Assembly& assembly, std::span<const BlockForce> forces) {
  std::vector<model::Load> loads;
  for (const BlockForce& f : forces) loads.push_back({f.block, f.force, assembly.blocks[f.block].com, true});
  return loads;
}

class MarginWork {
 public:
  MarginWork(const model::Assembly& assembly, const MarginQuestions& questions, const MarginSettings& settings)
      : assembly_(assembly), questions_(questions), settings_(settings), margins_(assembly, settings) {}

  MarginReport run() {
    for (const Vec3d& direction : questions_.directions) add_load(unit(moderate(direction)));
    if (!questions_.live.empty()) report_.loads.push_back({{0, 0, 0}, margins_.patient_limit_load(at_centres(assembly_, questions_.live))});
    find_governing();
    for (const double azimuth : questions_.tilt_deg) add_tilt(azimuth);
    if (questions_.capacity) add_capacity(*questions_.capacity);
    for (const BlockForce& way : questions_.settle) report_.settle.push_back(find_settlement(assembly_, way.block, way.force, settings_));
    if (questions_.friction) add_friction();
    if (questions_.erosion) report_.erosion = find_erosion_limit(assembly_, settings_);
    if (questions_.non_associative) add_non_associative();
    return std::move(report_);
  }

 private:
  void add_load(const Vec3d& direction) {
    report_.loads.push_back({direction, margins_.patient_limit_load(margins_.weight_along(direction))});
  }

  void find_governing() {
    for (std::size_t i = 0; i < report_.loads.size(); ++i) {
      const LimitLoad& load = report_.loads[i].limit;
      if (!load.decided || load.unbounded || !load.feasible) continue;
      const int best = report_.governing;
      if (best < 0 || load.state < report_.loads[static_cast<std::size_t>(best)].limit.state) report_.governing = static_cast<int>(i);
    }
  }

  void add_tilt(double azimuth) {
    const Vec3d direction = horizontal_direction(assembly_.gravity, azimuth);
    TiltAnswer tilt;
    tilt.azimuth_deg = azimuth;
    if (assembly_.loads.empty()) {
      const LimitLoad limit = margins_.patient_limit_load(margins_.weight_along(direction));
      tilt.decided = limit.decided;
      tilt.feasible = limit.feasible;
      tilt.reason = limit.reason;
      tilt.angle_deg = limit.unbounded ? 90 : atan2(limit.state, 1.0) / degree;
      tilt.falls_deg = limit.unbounded ? 90 : atan2(limit.collapse_at, 1.0) / degree;
    } else {
      const ParameterLimit limit = find_tilt_limit(assembly_, direction, settings_);
      tilt.decided = limit.decided;
      tilt.feasible = limit.exists;
      tilt.reason = limit.reason;
      tilt.angle_deg = limit.stands / degree;
      tilt.falls_deg = limit.falls / degree;
    }
    report_.tilts.push_back(std::move(tilt));
  }

  void add_capacity(BlockForce force) {
    force.force = unit(moderate(force.force));
    report_.capacity = margins_.patient_limit_load(at_centres(assembly_, {&force, 1}));
  }

  void add_friction() {
    report_.friction = find_friction_limit(assembly_, settings_);
    report_.largest_friction = 0;
    report_.least_friction = assembly_.interfaces.empty() ? 0 : assembly_.interfaces[0].mu;
    for (const model::Interface& face : assembly_.interfaces) {
      report_.largest_friction = std::max(report_.largest_friction, face.mu);
      report_.least_friction = std::min(report_.least_friction, face.mu);
    }
    if (report_.least_friction != report_.largest_friction)
      report_.warnings.push_back({"friction differs between the joints, from " + format_double(report_.least_friction) + " to " +
                                      format_double(report_.largest_friction) +
                                      ": all are scaled together, the critical friction is that of the largest",
                                  assembly_.source});
  }

  /// The same load on the assembly without friction is certainly safe; beyond the associated factor it falls. (LIM-7)
  void add_non_associative() {
    NonAssociative& bracket = report_.non_associative.emplace();
    if (report_.governing < 0) {
      bracket.reason = "no load that was asked has a limit";
      return;
    }
    const LoadAnswer& load = report_.loads[static_cast<std::size_t>(report_.governing)];
    bracket.high = load.limit.collapse_at;
    model::Assembly smooth = assembly_;
    for (std::vector<model::Interface>* list : {&smooth.interfaces, &smooth.doubtful})
      for (model::Interface& face : *list) face.mu = 0;
    Margins margins(smooth, settings_);
    const bool is_weight = norm(load.direction) > 0;
    const LimitLoad below = margins.limit_load(is_weight ? margins.weight_along(load.direction) : at_centres(smooth, questions_.live));
    if (below.decided && below.feasible && !below.unbounded) bracket.low = std::min(below.state, load.limit.state);
    if (below.decided && !below.feasible) bracket.reason = "without friction it carries nothing: no load is certainly safe";
    if (!below.decided) bracket.reason = "without friction: " + below.reason;
  }

  const model::Assembly& assembly_;
  const MarginQuestions& questions_;
  const MarginSettings& settings_;
  Margins margins_;
  MarginReport report_;
};

}  // namespace

bool MarginQuestions::empty() const {
  return directions.empty() && tilt_deg.empty() && live.empty() && !capacity && settle.empty() && !friction && !erosion && !non_associative;
}

bool MarginReport::decided() const {
  return std::ranges::all_of(loads, [](const LoadAnswer& a) { return a.limit.decided; }) &&
         std::ranges::all_of(tilts, [](const TiltAnswer& a) { return a.decided; }) && (!capacity || capacity->decided) &&
         std::ranges::all_of(settle, [](const Settlement& a) { return a.decided; }) && (!friction || friction->decided) &&
         (!erosion || erosion->decided) &&
         (!non_associative || non_associative->low || non_associative->reason.starts_with("without friction it carries"));
}

Vec3d horizontal_direction(const Vec3d& gravity, double azimuth_deg) {
  const Vec3d up = norm(gravity) > 0 ? -unit(gravity) : Vec3d{0, 0, 1};
  const Vec3d start = abs(up.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
  const Vec3d first = unit(start - dot(start, up) * up), second = cross(up, first);
  // quarters exactly
  const double quarter = azimuth_deg / 90;
  if (quarter == 0) return first;
  if (quarter == 1) return second;
  if (quarter == 2) return -first;
  if (quarter == 3 || quarter == -1) return -second;
  const auto turn = sincos(azimuth_deg * degree);
  return turn.cos * first + turn.sin * second;
}

HorizontalMargin find_least_horizontal(const model::Assembly& assembly, const MarginSettings& settings) {
  Margins margins(assembly, settings);
  HorizontalMargin least;
  least.decided = least.unbounded = true;
  for (const double azimuth : {0.0, 180.0, 90.0, 270.0}) {
    const Vec3d way = horizontal_direction(assembly.gravity, azimuth);
    const LimitLoad limit = margins.patient_limit_load(margins.weight_along(way));
    if (!limit.decided || !limit.feasible) return {false, false, 0, 0, way, limit.reason};
    if (limit.unbounded || (!least.unbounded && limit.state >= least.load_factor)) continue;
    least = {true, false, limit.state, limit.collapse_at, way, {}};
  }
  return least;
}

MarginReport find_margins(const model::Assembly& assembly, MarginQuestions questions, const MarginSettings& settings) {
  if (questions.empty()) {
    for (const double azimuth : {0.0, 180.0, 90.0, 270.0}) questions.directions.push_back(horizontal_direction(assembly.gravity, azimuth));
    questions.friction = true;
  }
  if (questions.non_associative && questions.directions.empty() && questions.live.empty())
    for (const double azimuth : {0.0, 180.0, 90.0, 270.0}) questions.directions.push_back(horizontal_direction(assembly.gravity, azimuth));
  return MarginWork(assembly, questions, settings).run();
}

}  // namespace trilith::statics
