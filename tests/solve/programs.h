#pragma once
#include <algorithm>
#include <limits>
#include <vector>

#include "base/rng.h"
#include "certify/quadratic_program.h"
#include "solve/conic_qp.h"

namespace trilith::test {

inline constexpr double no_bound = std::numeric_limits<double>::infinity();

/// A program that owns its numbers.
struct Program {
  int variables = 0;
  std::vector<double> P, q, A, lower, upper;
  struct Norm {
    double radius;
    std::vector<int> entries;
  };
  std::vector<Norm> norms;
  std::vector<certify::NormBound> views = {};

  certify::QuadraticProgram view() {
    views.clear();
    for (const Norm& norm : norms) views.push_back({norm.radius, norm.entries});
    return {variables, static_cast<int>(lower.size()), P, q, A, lower, upper, views};
  }
};

inline certify::ProgramVerification judge(const certify::QuadraticProgram& program, const solve::ConicQpReport& report) {
  const certify::Multipliers multipliers{report.point.y, report.point.norm};
  switch (report.status) {
    case SolveStatus::solved:
      return certify::verify_kkt_point(program, report.point.x, multipliers, {});
    case SolveStatus::primal_infeasible:
      return certify::verify_infeasibility_ray(program, multipliers, {});
    case SolveStatus::dual_infeasible:
      return certify::verify_unbounded_ray(program, report.point.x, {});
    default:
      return {};
  }
}

/// Random rows and a convex cost around a point that is feasible by construction.
inline Program random_program(Rng& rng, int n, int m, bool with_norm) {
  const auto variables = static_cast<std::size_t>(n);
  const auto normal = [&rng] { return 2 * rng.uniform() - 1; };
  Program program{n, std::vector<double>(variables * variables, 0), {}, {}, {}, {}, {}};
  for (int k = 0; k < n / 2 + 1; ++k) {
    std::vector<double> v(variables);
    for (double& entry : v) entry = normal();
    for (std::size_t i = 0; i < variables; ++i)
      for (std::size_t j = 0; j < variables; ++j) program.P[i * variables + j] += v[i] * v[j];
  }
  std::vector<double> point(variables);
  for (double& entry : point) entry = 0.3 * normal();
  for (std::size_t i = 0; i < variables; ++i) program.q.push_back(3 * normal());
  const auto add_row = [&](const std::vector<double>& row, double below, double above) {
    double value = 0;
    for (std::size_t j = 0; j < variables; ++j) value += row[j] * point[j];
    program.A.insert(program.A.end(), row.begin(), row.end());
    program.lower.push_back(value - below);
    program.upper.push_back(value + above);
  };
  for (int i = 0; i < m; ++i) {
    std::vector<double> row(variables);
    for (double& entry : row) entry = normal();
    const double kind = rng.uniform(), room = 0.1 + rng.uniform();
    add_row(row, kind < 0.2 ? 0 : kind < 0.5 ? no_bound : room, kind < 0.2 ? 0 : kind > 0.8 ? no_bound : room);
  }
  for (std::size_t j = 0; j < variables; ++j) {  // a box, so that the cost is bounded
    std::vector<double> row(variables, 0);
    row[j] = 1;
    add_row(row, 2, 2);
  }
  if (with_norm) {
    program.norms.push_back({0.8, {0}});
    for (int j = 1; j < std::min(n, 4); ++j) program.norms[0].entries.push_back(j);
  }
  return program;
}

}  // namespace trilith::test
