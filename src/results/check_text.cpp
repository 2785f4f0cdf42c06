#include "results/check_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "linalg/fixed.h"

namespace trilith::results {
namespace {

constexpr std::size_t names_shown = 6;
constexpr double least_speed_shown = 1e-3;  // of the fastest block: slower ones are not called moving

std::string plural(std::size_t count, std::string_view thing) { return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s"); }

std::string block_name(const model::Assembly& assembly, std::size_t i) { return escape(assembly.blocks[i].id); }

std::string name_list(const model::Assembly& assembly, const std::vector<std::uint32_t>& blocks) {
  std::string list;
  for (std::size_t i = 0; i < blocks.size() && i < names_shown; ++i) list += (i ? ", " : "") + block_name(assembly, blocks[i]);
  return blocks.size() > names_shown ? list + fmt::format(" and {} more", blocks.size() - names_shown) : list;
}

std::string heading(const model::Assembly& assembly) {
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
  return fmt::format(
      "STANDS. Contact forces were found that carry every block by pressing only, with sideways forces inside the friction.\n"
      "  Proof: {}.\n{}{}  What this does not say: how far it is from falling. The forces are one possible state of many.\n",
      result.verification.statement, hardest_pressed(assembly, result), reactions(assembly, result));
}

/// Which blocks move in the collapse, the fastest point of reference first.
std::string moving_blocks(const model::Assembly& assembly, const statics::CheckResult& result) {
  std::vector<std::uint32_t> order;
  const auto speed = [&](std::uint32_t i) {
    return norm(result.velocities[i].linear) + assembly.blocks[i].size * norm(result.velocities[i].angular);
  };
  double fastest = 0;
  for (std::uint32_t i = 0; i < result.velocities.size(); ++i) fastest = std::max(fastest, speed(i));
  for (std::uint32_t i = 0; i < result.velocities.size(); ++i)
    if (speed(i) > least_speed_shown * fastest) order.push_back(i);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return speed(a) > speed(b) || (speed(a) == speed(b) && a < b); });
  if (order.empty()) return "";
  return fmt::format("  {} of {} blocks move, fastest first: {}.\n", order.size(), assembly.blocks.size(), name_list(assembly, order));
}

std::string falls_text(const model::Assembly& assembly, const statics::CheckResult& result) {
  std::string text = "FALLS.\n";
  for (std::size_t g = 0; g < result.unsupported.size() && g < names_shown; ++g) {
    const auto& group = result.unsupported[g];
    text += group.size() == 1 ? fmt::format("  Nothing joins block {} to a support: it drops.\n", name_list(assembly, group))
                              : fmt::format("  Nothing joins blocks {} to a support: they drop together.\n", name_list(assembly, group));
  }
  if (result.unsupported.size() > names_shown) text += fmt::format("  and {} more such groups.\n", result.unsupported.size() - names_shown);
  if (result.unsupported.empty()) text += moving_blocks(assembly, result);
  return text + fmt::format("  Proof: {}.\n", result.verification.statement);
}

std::string undecided_text(const statics::CheckResult& result) {
  std::string text = "UNDECIDED. Neither a proof that it stands nor a proof that it falls was found; this is no verdict.\n";
  for (const solve::RungReport& rung : result.rungs)
    if (!rung.reason.empty()) text += fmt::format("  {}: {}.\n", rung.name, rung.reason);
  return text;
}

}  // namespace

std::string check_text(const model::Assembly& assembly, const statics::CheckResult& result, const CheckTimes& times) {
  std::string text = heading(assembly);
  if (result.verdict == Verdict::stands) text += stands_text(assembly, result);
  if (result.verdict == Verdict::falls) text += falls_text(assembly, result);
  if (result.verdict == Verdict::undecided || result.verdict == Verdict::marginal) text += undecided_text(result);
  return text + fmt::format("  Found by: {}. Time: read {:.4f} s, interfaces {:.4f} s, solve {:.4f} s, verify {:.4f} s.\n", result.method,
                            times.read, times.interfaces, times.solve, times.verify);
}

}  // namespace trilith::results
