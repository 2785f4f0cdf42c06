#pragma once
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

}  // namespace trilith::test
