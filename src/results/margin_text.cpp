// The answer of `trilith margin` for the person who builds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "linalg/fixed.h"
#include "results/check_text.h"
#include "results/margin_json.h"

namespace trilith::results {
namespace {

std::string vector_text(const Vec3d& v) {
  const auto clean = [](double x) { return std::abs(x) < 1e-12 ? 0.0 : x; };
  return fmt::format("({:.3g}, {:.3g}, {:.3g})", clean(v.x), clean(v.y), clean(v.z));
}

std::string load_text(const statics::LoadAnswer& load) {
  const bool is_weight = norm(load.direction) > 0;
  const std::string what = is_weight ? "Pushed along " + vector_text(load.direction) : std::string("Under the live load");
  const std::string_view unit = is_weight ? "of its weight" : "times that load";
  const statics::LimitLoad& limit = load.limit;
  if (!limit.decided) return fmt::format("  {}: undecided, {}.\n", what, limit.reason);
  if (!limit.feasible) return fmt::format("  {}: it falls however large or small the load.\n", what);
  if (limit.unbounded) return fmt::format("  {}: no load brings it down{}{}.\n", what, limit.reason.empty() ? "" : ": ", limit.reason);
  const std::string_view sign = limit.state < 0 ? " (it falls without a push the other way)" : "";
  return fmt::format("  {}: stands to {:.6g} {}, falls from {:.6g}{}.\n", what, limit.state, unit, limit.collapse_at, sign);
}

std::string tilt_text(const statics::TiltAnswer& tilt) {
  if (!tilt.decided) return fmt::format("  Tilted towards {:.4g} degrees: undecided, {}.\n", tilt.azimuth_deg, tilt.reason);
  if (!tilt.feasible) return fmt::format("  Tilted towards {:.4g} degrees: it stands at no angle.\n", tilt.azimuth_deg);
  if (tilt.falls_deg >= 90) return fmt::format("  Tilted towards {:.4g} degrees: it stands up to a right angle.\n", tilt.azimuth_deg);
  return fmt::format("  Tilted towards {:.4g} degrees: stands to {:.6g} degrees, falls from {:.6g}.\n", tilt.azimuth_deg, tilt.angle_deg,
                     tilt.falls_deg);
}

std::string friction_text(const statics::MarginReport& report) {
  const statics::ParameterLimit& limit = *report.friction;
  if (!limit.decided) return fmt::format("  Critical friction: undecided, {}.\n", limit.reason);
  if (!limit.exists) return "  No friction holds it.\n";
  if (limit.stands == 0) return "  It needs no friction.\n";
  const double unit = report.largest_friction > 0 ? report.largest_friction : 1;
  if (limit.falls == 0) return fmt::format("  It needs next to no friction: {:.3g} holds it, none does not.\n", limit.stands * unit);
  return fmt::format("  It needs a friction of {:.6g}{}.\n", limit.stands * unit,
                     report.largest_friction > 0 ? fmt::format(" ({:.3g} % of what it has)", 100 * limit.stands) : std::string());
}

std::string erosion_text(const statics::ParameterLimit& limit) {
  if (!limit.decided) return fmt::format("  Joint erosion: undecided, {}.\n", limit.reason);
  if (!limit.exists) return "  It falls with its joints whole.\n";
  return fmt::format("  It stands with its joints shrunk about their centroids to {:.6g} of their size.\n", limit.stands);
}

std::string capacity_text(const statics::LimitLoad& limit) {
  if (!limit.decided) return fmt::format("  Capacity: undecided, {}.\n", limit.reason);
  if (!limit.feasible) return "  Capacity: no force in that direction makes it stand.\n";
  if (limit.unbounded) return "  Capacity: no force in that direction brings it down.\n";
  return fmt::format("  Capacity: carries {:.9g} N, falls from {:.9g} N.\n", limit.state, limit.collapse_at);
}

std::string settlement_text(const model::Assembly& assembly, const statics::Settlement& s) {
  const std::string what = fmt::format("Support {} along {}", escape(assembly.blocks[s.block].id), vector_text(s.direction));
  if (!s.decided) return fmt::format("  {}: undecided, {}.\n", what, s.reason);
  if (!s.stands) return fmt::format("  {}: it falls, so no push on it is defined.\n", what);
  const auto end = [](const std::optional<double>& value, const char* none) {
    return value ? format_quantity(*value, "N") : std::string(none);
  };
  const std::string range = fmt::format("  {}: pushed with {} to {}.\n", what, end(s.low, "no lower end"), end(s.high, "no upper end"));
  if (!s.follows) return range + "  The structure cannot follow it: its joints lock.\n";
  return range + "  Should it give way, the push falls to the lower end, and the structure follows:\n" + pieces_text(assembly, s.collapse);
}

std::string non_associative_text(const statics::NonAssociative& bracket) {
  const auto end = [](const std::optional<double>& value) { return value ? fmt::format("{:.6g}", *value) : std::string("unknown"); };
  return fmt::format("  Friction that does not dilate: certainly safe to {}, certainly down beyond {}{}{}.\n", end(bracket.low),
                     end(bracket.high), bracket.reason.empty() ? "" : "; ", bracket.reason);
}

std::string governing_text(const model::Assembly& assembly, const statics::MarginReport& report) {
  if (report.governing < 0) return "";
  const statics::LoadAnswer& load = report.loads[static_cast<std::size_t>(report.governing)];
  const std::string way = norm(load.direction) > 0 ? "along " + vector_text(load.direction) : std::string("under the live load");
  const bool all = std::ranges::all_of(report.loads, [](const statics::LoadAnswer& answer) { return answer.limit.decided; });
  const std::string_view first = report.loads.size() == 1 ? "It goes" : all ? "It goes first" : "Of those decided it goes first";
  return fmt::format("  {} {}.\n{}", first, way, pieces_text(assembly, load.limit.collapse));
}

}  // namespace

std::string margin_text(const model::Assembly& assembly, const statics::MarginReport& report, const MarginTimes& times) {
  std::string text = heading_text(assembly);
  for (const statics::LoadAnswer& load : report.loads) text += load_text(load);
  text += governing_text(assembly, report);
  for (const statics::TiltAnswer& tilt : report.tilts) text += tilt_text(tilt);
  if (report.capacity) text += capacity_text(*report.capacity);
  for (const statics::Settlement& settlement : report.settle) text += settlement_text(assembly, settlement);
  if (report.friction) text += friction_text(report);
  if (report.erosion) text += erosion_text(*report.erosion);
  if (report.non_associative) text += non_associative_text(*report.non_associative);
  if (report.decided()) text += "  Every limit is proved from both sides.\n";
  return text + fmt::format("  Time: read {:.4f} s, interfaces {:.4f} s, solve {:.4f} s.\n", times.read, times.interfaces, times.solve);
}

}  // namespace trilith::results
