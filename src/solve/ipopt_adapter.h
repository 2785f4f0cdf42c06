#pragma once
#include <string>
#include <vector>

#include "base/clock.h"
#include "solve/registry.h"
#include "trilith/status.h"

namespace trilith::solve {

/// minimise sum cost_i x_i^2 with bounds on x and on rows that are sums of linear and bilinear terms. Exact derivatives of every order.
struct BilinearProgram {
  struct Linear {
    int row, column;
    double value;
  };
  struct Bilinear {
    int row, i, j;  ///< value x_i x_j
    double value;
  };
  std::vector<double> cost, lower_x, upper_x;  ///< one per variable; 1e20 and more: no bound
  std::vector<double> lower, upper;            ///< one per row
  std::vector<Linear> linear;
  std::vector<Bilinear> bilinear;

  /// A new variable; returns its index.
  int add_variable(double cost_of_it, double low, double high);
  /// A new row; returns its index.
  int add_row(double low, double high);
};

/// Largest violation of bounds and rows at x.
double misfit_of(const BilinearProgram& program, const std::vector<double>& x);

struct IpoptSettings {
  int iteration_limit = 1000;
  double tolerance = 1e-10, constraint_tolerance = 1e-10;
  double time_limit = 5;  ///< CPU seconds of one start
};

struct IpoptReport {
  SolveStatus status = SolveStatus::not_run;  ///< primal_infeasible: only locally; no verdict
  int iterations = 0;
  double objective = 0, misfit = 0;
  std::string word;  ///< IPOPT's own name of the outcome
  std::vector<double> x;
};

/// Version, or why IPOPT is not in this build.
Availability ipopt_availability();

/// One local solve from `start`. not_run with the reason in `word` where the library is absent. (CRA-15)
IpoptReport solve_ipopt(const BilinearProgram& program, std::vector<double> start, const IpoptSettings& settings, const Deadline& deadline);

}  // namespace trilith::solve
