#include "results/check_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "linalg/fixed.h"
#include "results/rbe_report.h"

namespace trilith::results {
namespace {

constexpr std::size_t names_shown = 6;
constexpr std::size_t groups_shown = 5, joints_shown = 6;

std::string plural(std::size_t count, std::string_view thing) { return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s"); }

std::string block_name(const model::Assembly& assembly, std::size_t i) { return escape(assembly.blocks[i].id); }

std::string name_list(const model::Assembly& assembly, const std::vector<std::uint32_t>& blocks) {
  std::string list;
  for (std::size_t i = 0; i < blocks.size() && i < names_shown; ++i) list += (i ? ", " : "") + block_name(assembly, blocks[i]);
  return blocks.size() > names_shown ? list + fmt::format(" and {} more", blocks.size() - names_shown) : list;
}

/// The joint with the largest total normal force.
std::string hardest_pressed(const model::Assembly& assembly, const statics::CheckResult& result) {
  std::size_t worst = 0;
  double largest = -1;
  for (std::size_t i = 0; i < result.forces.size(); ++i) {
    double total = 0;
    for (const Vec3d& f : result.forces[i]) total += f.x;
    if (total > largest) {
      largest = total;
      worst = i;
    }
  }
  if (largest <= 0) return "";
  const model::Interface& face = assembly.interfaces[worst];
  return fmt::format("  Hardest pressed joint in this state: {} on {}, {} over {:.4g} m2.\n", block_name(assembly, face.a),
                     block_name(assembly, face.b), format_quantity(largest, "N"), face.area);
}

std::string reactions(const model::Assembly& assembly, const statics::CheckResult& result) {
  const std::vector<Vec3d> sums = statics::support_reactions(assembly, result);
  std::string text;
  std::size_t shown = 0, supports = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (!assembly.blocks[i].fixed) continue;
    ++supports;
    if (norm(sums[i]) == 0 || shown == names_shown) continue;
    text += fmt::format("{}{} {}", shown++ ? ", " : "", block_name(assembly, i), format_quantity(norm(sums[i]), "N"));
  }
  return text.empty() ? "" : fmt::format("  Load on the supports: {}{}.\n", text, supports > shown ? ", ..." : "");
}

std::string stands_text(const model::Assembly& assembly, const statics::CheckResult& result) {
  if (assembly.interfaces.empty() || result.forces.empty()) return "STANDS. " + result.reason + "\n";
  const bool pulls = std::ranges::any_of(assembly.interfaces, [](const model::Interface& face) { return !face.tension.empty(); });
  return fmt::format(
      "STANDS. Contact forces were found that carry every block by pressing{}, with sideways forces inside the friction.\n"
      "  Proof: {}.\n{}{}  {}The forces are one possible state of many.\n",
      pulls ? " and, where a joint can pull, by pulling no more than it can" : " only", result.verification.statement,
      hardest_pressed(assembly, result), reactions(assembly, result),
      result.horizontal ? "" : "What this does not say: how far it is from falling. ");
}

/// The two lengths of the claim cra, and who decided.
std::string coupled_text(const statics::CheckResult& result) {
  const statics::CoupledReport& report = *result.coupled;
  std::string text = fmt::format("  Claim: coupled analysis (cra): give {:.4g} m, displacements up to {:.4g} m ({:.4g} gives).\n",
                                 report.give_m, report.bound_m, report.bound_gives);
  if (result.verdict == Verdict::stands && !report.displacements.empty())
    text += fmt::format("  A motion calls these forces up: {} corners press, each sunk by the give, and friction opposes the slip.\n",
                        report.engaged);
  if (!report.refutation.empty())
    text +=
        "  An equilibrium exists, but no motion in the plane of the structure calls up its forces: they would have to be squeezed in.\n";
  if (report.penalty && report.penalty->vertices.empty()) text += fmt::format("  Penalty form: not solved ({}).\n", report.penalty->reason);
  if (report.penalty && !report.penalty->vertices.empty())
    text += fmt::format("  Penalty form (no verdict): joints press with up to {} and pull with up to {}; rows hold to {:.2g}.\n",
                        format_quantity(report.penalty->largest_push_N, "N"), format_quantity(report.penalty->largest_pull_N, "N"),
                        report.penalty->residual);
  return text;
}

/// Rounding dust beside `scale` is printed as 0.
Vec3d without_dust(const Vec3d& p, double scale) {
  const auto clean = [scale](double v) { return std::abs(v) < 1e-9 * scale ? 0.0 : v; };
  return {clean(p.x), clean(p.y), clean(p.z)};
}

std::string place(const Vec3d& at, double scale) {
  const Vec3d p = without_dust(at, scale);
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", p.x, p.y, p.z);
}

std::string along(const Vec3d& direction) {
  const Vec3d p = without_dust(direction, 1);
  return fmt::format("along ({:.2g}, {:.2g}, {:.2g})", p.x, p.y, p.z);
}

/// The main direction of a motion in words, with its components.
std::string direction(const model::Assembly& assembly, const Vec3d& v) {
  const double size = norm(v), weight = norm(assembly.gravity);
  const double down = weight > 0 && size > 0 ? dot(v, assembly.gravity) / (weight * size) : 0;
  const std::string_view word = down > 0.7 ? "down" : down < -0.7 ? "up" : down > 0.2 ? "sideways and down" : "sideways";
  return fmt::format("{}, {}", word, along((1 / size) * v));
}

std::string joint_text(const model::Assembly& assembly, const statics::MovingJoint& joint) {
  const model::Interface& face = assembly.interfaces[joint.interface];
  const std::string a = block_name(assembly, face.a), b = block_name(assembly, face.b);
  const double size = assembly.blocks[face.a].size + norm(joint.from);
  using Kind = statics::MovingJoint::Kind;
  if (joint.kind == Kind::opens) return fmt::format("    joint {} - {} opens", a, b);
  if (joint.kind == Kind::slides) return fmt::format("    {} slides on {} {}", b, a, along(joint.direction));
  if (norm(joint.to - joint.from) == 0) return fmt::format("    joint {} - {} turns about its corner {}", a, b, place(joint.from, size));
  return fmt::format("    joint {} - {} turns about its edge {} - {}", a, b, place(joint.from, size), place(joint.to, size));
}

/// And which weight drives it.
std::string collapse_text(const model::Assembly& assembly, const statics::Collapse& collapse) {
  std::string text = pieces_text(assembly, collapse);
  if (text.empty()) return text;
  const statics::MovingGroup& first = collapse.groups[0];
  if (first.power > 0)
    text += fmt::format("  Remove or prop {}: the weight of {} does {:.0f} % of the work of this fall.\n",
                        name_list(assembly, first.blocks), first.blocks.size() == 1 ? "this block" : "these blocks", 100 * first.power);
  return text;
}

std::string undecided_text(const statics::CheckResult& result) {
  std::string text = "UNDECIDED. Neither a proof that it stands nor a proof that it falls was found; this is no verdict.\n";
  bool told = result.reason.empty();
  for (std::size_t i = 0, tries = 1; i < result.rungs.size(); ++i, ++tries) {
    const solve::RungReport& rung = result.rungs[i];
    told = told || rung.reason == result.reason;
    // of several tries in a row the last one speaks
    if (i + 1 < result.rungs.size() && result.rungs[i + 1].name == rung.name) continue;
    if (!rung.reason.empty())
      text += fmt::format("  {}{}: {}.\n", rung.name, tries > 1 ? fmt::format(" (last of {} tries)", tries) : std::string(), rung.reason);
    tries = 0;
  }
  return told ? text : text + "  " + result.reason + ".\n";
}

std::string horizontal_text(const statics::HorizontalMargin& margin) {
  if (!margin.decided) return fmt::format("  Margin: not decided, {}.\n", margin.reason);
  if (margin.unbounded) return "  Margin: no horizontal load brings it down.\n";
  return fmt::format("  Margin: it takes {:.4g} of its weight sideways, {}; that is the least of four directions.\n", margin.load_factor,
                     along(margin.direction));
}

std::string tension_text(const model::Assembly& assembly, const statics::TensionReport& tension) {
  if (tension.status == SolveStatus::primal_infeasible || tension.status == SolveStatus::dual_infeasible)
    return "  No pull at its joints can hold it.\n";
  if (tension.status != SolveStatus::solved)
    return fmt::format("  The pull that its joints would need was not found ({}).\n", name(tension.status));
  if (tension.joints.empty()) return "  Its joints need not pull anywhere.\n";
  const model::Interface& first = assembly.interfaces[tension.joints[0].interface];
  return fmt::format(
      "  With joints that can pull (mortar, glue, ties) it would stand from {} at every corner; {} would pull, hardest {} - {}.\n",
      format_quantity(tension.value_N, "N"), plural(tension.joints.size(), "joint"), block_name(assembly, first.a),
      block_name(assembly, first.b));
}

}  // namespace

std::string fall_text(const model::Assembly& assembly, const statics::CheckResult& result) {
  std::string text = "FALLS.\n";
  for (std::size_t g = 0; g < result.unsupported.size() && g < names_shown; ++g) {
    const auto& group = result.unsupported[g];
    text += group.size() == 1 ? fmt::format("  Nothing joins block {} to a support: it drops.\n", name_list(assembly, group))
                              : fmt::format("  Nothing joins blocks {} to a support: they drop together.\n", name_list(assembly, group));
  }
  if (result.unsupported.size() > names_shown) text += fmt::format("  and {} more such groups.\n", result.unsupported.size() - names_shown);
  if (result.unsupported.empty()) text += collapse_text(assembly, result.collapse);
  return text + fmt::format("  Proof: {}.\n", result.verification.statement);
}

std::string heading_text(const model::Assembly& assembly) {
  double mass = 0;
  std::size_t supports = 0;
  for (const model::Block& block : assembly.blocks) {
    supports += block.fixed;
    if (!block.fixed) mass += block.mass;
  }
  const std::string friction = assembly.friction == 0 ? "frictionless" : fmt::format("friction {:.4g}", assembly.friction);
  return fmt::format("{}: {} ({}), {} {}; {:.5g} kg to carry; {}; unit {}\n\n", escape(assembly.source),
                     plural(assembly.blocks.size(), "block"), plural(supports, "support"), plural(assembly.interfaces.size(), "interface"),
                     assembly.interfaces_given ? "from the file" : "found", mass, friction, assembly.unit);
}

std::string pieces_text(const model::Assembly& assembly, const statics::Collapse& collapse) {
  std::size_t moving = 0;
  for (const statics::MovingGroup& group : collapse.groups) moving += group.blocks.size();
  if (moving == 0) return "";
  std::string text = fmt::format("  {} of {} blocks move, in {}:\n", moving, assembly.blocks.size(),
                                 collapse.groups.size() == 1 ? std::string("one piece") : fmt::format("{} pieces", collapse.groups.size()));
  for (std::size_t g = 0; g < collapse.groups.size() && g < groups_shown; ++g) {
    const statics::MovingGroup& group = collapse.groups[g];
    text += fmt::format("    {} ({})\n", name_list(assembly, group.blocks), direction(assembly, group.velocity));
  }
  if (collapse.groups.size() > groups_shown) text += fmt::format("    and {} more\n", collapse.groups.size() - groups_shown);
  if (!collapse.joints.empty()) text += "  How the joints move:\n";
  for (std::size_t j = 0; j < collapse.joints.size() && j < joints_shown; ++j) text += joint_text(assembly, collapse.joints[j]) + "\n";
  if (collapse.joints.size() > joints_shown) text += fmt::format("    and {} more\n", collapse.joints.size() - joints_shown);
  return text;
}

std::string check_text(const model::Assembly& assembly, const statics::CheckResult& result, const CheckTimes& times) {
  std::string text = heading_text(assembly);
  if (result.verdict == Verdict::stands) text += stands_text(assembly, result);
  if (result.verdict == Verdict::falls) text += fall_text(assembly, result);
  if (result.verdict == Verdict::undecided || result.verdict == Verdict::marginal) text += undecided_text(result);
  if (result.coupled) text += coupled_text(result);
  if (result.horizontal && result.verdict == Verdict::stands) text += horizontal_text(*result.horizontal);
  if (result.tension) text += tension_text(assembly, *result.tension);
  if (result.rbe) text += rbe_text(assembly, *result.rbe);
  return text + fmt::format("  Found by: {}. Time: read {:.4f} s, interfaces {:.4f} s, solve {:.4f} s, verify {:.4f} s.\n", result.method,
                            times.read, times.interfaces, times.solve, times.verify);
}

}  // namespace trilith::results
