#include "certify/findings.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "base/text.h"

namespace trilith::certify {
namespace {

bool finite(double a) { return std::isfinite(a); }
bool finite(const Vec3d& a) { return finite(a.x) && finite(a.y) && finite(a.z); }
bool zero(const Vec3d& a) { return a.x == 0 && a.y == 0 && a.z == 0; }

/// Larger coordinates, m, could overflow where doubles only pre-select.
constexpr double largest_coordinate = 1e100;

bool all_usable(std::span<const Vec3d> points) {
  for (const Vec3d& p : points)
    if (!(std::abs(p.x) <= largest_coordinate && std::abs(p.y) <= largest_coordinate && std::abs(p.z) <= largest_coordinate)) return false;
  return true;
}

bool faces_in_range(const Body& body) {
  if (body.face_start.empty() || body.face_start.back() > body.face_vertex.size()) return false;
  for (std::size_t i = 1; i < body.face_start.size(); ++i)
    if (body.face_start[i] < body.face_start[i - 1]) return false;
  for (const std::uint32_t v : body.face_vertex)
    if (v >= body.vertices.size()) return false;
  return true;
}

const char* flaw_of(const Body& body) {
  if (body.vertices.empty()) return "has no vertices";
  if (!all_usable(body.vertices)) return "has a coordinate that is not finite or far too large";
  if (!faces_in_range(body)) return "has a face with a vertex that does not exist";
  if (!(finite(body.density) && body.density >= 0)) return "needs a density >= 0";
  return nullptr;
}

const char* flaw_of(const Patch& patch, std::size_t bodies) {
  if (patch.a >= bodies || patch.b >= bodies) return "names a block that does not exist";
  if (patch.a == patch.b) return "joins a block to itself";
  if (!all_usable(patch.polygon)) return "has a coordinate that is not finite or far too large";
  if (!finite(patch.normal) || zero(patch.normal)) return "has no normal";
  if (!(finite(patch.mu) && patch.mu >= 0)) return "needs a friction >= 0";
  if (!patch.tension.empty() && patch.tension.size() != patch.polygon.size()) return "needs one tension per polygon vertex";
  for (const double c : patch.tension)
    if (!(finite(c) && c >= 0)) return "needs a tension >= 0";
  return nullptr;
}

std::string name_of(const StaticProblem& problem, std::size_t body) {
  return body < problem.bodies.size() ? escape(problem.bodies[body].id) : "no block";
}

bool has_free_body(const StaticProblem& problem) {
  for (const Body& body : problem.bodies)
    if (!body.fixed) return true;
  return false;
}

}  // namespace

std::string text(std::initializer_list<std::string_view> parts) {
  std::string all;
  for (const std::string_view part : parts) all += part;
  return all;
}

std::string body_place(const StaticProblem& problem, std::size_t body) { return text({"block ", name_of(problem, body)}); }

std::string patch_place(const StaticProblem& problem, std::size_t patch, int vertex) {
  const Patch& p = problem.patches[patch];
  const std::string place = text({"interface ", std::to_string(patch), " (", name_of(problem, p.a), " - ", name_of(problem, p.b), ")"});
  return vertex < 0 ? place : text({place, ", vertex ", std::to_string(vertex)});
}

std::string brief(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 3).ptr;
  std::string digits(text, end);
  // "e-09" reads better as "e-9"
  const std::size_t e = digits.find('e');
  if (e != std::string::npos && digits.size() == e + 4 && digits[e + 2] == '0') digits.erase(e + 2, 1);
  if (e != std::string::npos && digits[e + 1] == '+') digits.erase(e + 1, 1);
  return digits;
}

std::size_t vertex_count(const StaticProblem& problem) {
  std::size_t count = 0;
  for (const Patch& patch : problem.patches) count += patch.polygon.size();
  return count;
}

void check_problem(const StaticProblem& problem, Findings& found) {
  if (!finite(problem.gravity) && found.next()) found.write("gravity is not finite", "assembly");
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const char* flaw = flaw_of(problem.bodies[i]);
    if (flaw != nullptr && found.next()) found.write(text({"block ", flaw}), body_place(problem, i));
  }
  for (std::size_t i = 0; i < problem.patches.size(); ++i) {
    const char* flaw = flaw_of(problem.patches[i], problem.bodies.size());
    if (flaw != nullptr && found.next()) found.write(text({"interface ", flaw}), patch_place(problem, i));
  }
  for (std::size_t i = 0; i < problem.loads.size(); ++i) {
    const Load& load = problem.loads[i];
    const bool usable = load.body < problem.bodies.size() && finite(load.force) && (load.at_centre || all_usable({&load.point, 1}));
    if (!usable && found.next()) found.write("load needs a block, a finite force and a finite place", text({"load ", std::to_string(i)}));
  }
}

void check_forces(const StaticProblem& problem, std::span<const Vec3d> forces, Findings& found) {
  const std::size_t wanted = vertex_count(problem);
  if (forces.size() != wanted) {
    if (found.next())
      found.write(text({std::to_string(forces.size()), " forces for ", std::to_string(wanted), " polygon vertices"}), "assembly");
    return;
  }
  std::size_t row = 0;
  for (std::size_t i = 0; i < problem.patches.size(); ++i)
    for (std::size_t k = 0; k < problem.patches[i].polygon.size(); ++k, ++row)
      if (!finite(forces[row]) && found.next()) found.write("force is not finite", patch_place(problem, i, int(k)));
}

void check_velocities(const StaticProblem& problem, std::span<const Velocity> velocities, Findings& found) {
  const std::size_t wanted = problem.bodies.size();
  if (velocities.size() != wanted) {
    if (found.next())
      found.write(text({std::to_string(velocities.size()), " velocities for ", std::to_string(wanted), " blocks"}), "assembly");
    return;
  }
  for (std::size_t i = 0; i < wanted; ++i) {
    const Velocity& v = velocities[i];
    if (!(finite(v.linear) && finite(v.angular))) {
      if (found.next()) found.write("velocity is not finite", body_place(problem, i));
    } else if (problem.bodies[i].fixed && !(zero(v.linear) && zero(v.angular)) && found.next()) {
      found.write("support moves", body_place(problem, i));
    }
  }
}

std::string_view scale_name(bool of_loads) { return of_loads ? "scale of the loads" : "mean block weight"; }

void write_imbalance(const StaticProblem& problem, std::size_t body, const Imbalance& imbalance, double tolerance, Findings& found) {
  found.write(text({imbalance.is_moment ? "unbalanced moment, over the mean block size, " : "unbalanced force ", brief(imbalance.force_N),
                    " N: ", brief(imbalance.relative), " of the ", scale_name(imbalance.of_loads), ", allowed ", brief(tolerance)}),
              body_place(problem, body));
}

void write_own_imbalance(const StaticProblem& problem, std::size_t body, double tolerance, Findings& found) {
  found.write(text({"unbalanced by more than ", brief(tolerance), " of its own weight, which is far below the mean"}),
              body_place(problem, body));
}

Verification conclude_force_state(const StaticProblem& problem, std::size_t worst_body, const Imbalance& worst, Findings& found) {
  Verification result;
  result.accepted = found.none();
  result.residual = worst.relative;
  result.unbalanced_N = worst.force_N;
  result.worst_body = worst_body;
  result.broken = found.take();
  if (!result.accepted) {
    result.statement = "the force state is not proved";
    if (!result.broken.empty()) result.statement += text({": ", result.broken[0].what, " (", result.broken[0].where, ")"});
    return result;
  }
  result.verdict = Verdict::stands;
  result.statement = "every block is a support: nothing can fall";
  if (has_free_body(problem)) {
    result.statement = text({"worst unbalanced force ", brief(worst.force_N), " N on ", body_place(problem, worst_body), " (",
                             worst.is_moment ? "a moment over the mean block size; " : "", brief(worst.relative), " of the ",
                             scale_name(worst.of_loads), ")"});
  }
  return result;
}

std::string lack_of_work(const StaticProblem& problem, bool certain) {
  bool pulls = false;
  for (const Patch& patch : problem.patches) pulls = pulls || !patch.tension.empty();
  const std::string_view what = certain ? "certain work" : "work";
  if (!pulls) return text({problem.loads.empty() ? "gravity does no " : "gravity and loads do no ", what, ": power "});
  return text(
      {problem.loads.empty() ? "gravity does" : "gravity and loads do", " no ", what, " beyond what the joints hold by pulling: power "});
}

Verification conclude_collapse(const StaticProblem& problem, const CollapseSum& sum, Findings& found) {
  Verification result;
  result.accepted = found.none();
  result.force_factor = sum.force_factor;
  result.residual = sum.force_factor > 0 ? 1 / sum.force_factor : std::numeric_limits<double>::infinity();
  if (!problem.patches.empty()) result.worst_body = problem.patches[sum.worst_patch].b;
  result.broken = found.take();
  if (!result.accepted) {
    result.statement = "the collapse is not proved";
    if (!result.broken.empty()) result.statement += text({": ", result.broken[0].what, " (", result.broken[0].where, ")"});
    return result;
  }
  result.verdict = Verdict::falls;
  result.statement = std::isinf(sum.force_factor)
                         ? "no equilibrium exists, however large the contact forces"
                         : text({"no equilibrium exists with a total contact force below ", brief(sum.force_factor),
                                 problem.loads.empty() ? " times the weight" : " times the weight and loads"});
  return result;
}

}  // namespace trilith::certify
