// (CRA-15) The only file that knows IPOPT.
#include "solve/ipopt_adapter.h"

#include <algorithm>
#include <cmath>

#ifdef TRILITH_HAVE_IPOPT
#include <IpStdCInterface.h>
#endif

namespace trilith::solve {

int BilinearProgram::add_variable(double cost_of_it, double low, double high) {
  cost.push_back(cost_of_it);
  lower_x.push_back(low);
  upper_x.push_back(high);
  return static_cast<int>(cost.size()) - 1;
}

int BilinearProgram::add_row(double low, double high) {
  lower.push_back(low);
  upper.push_back(high);
  return static_cast<int>(lower.size()) - 1;
}

namespace {

void write_rows(const BilinearProgram& program, const double* x, double* rows) {
  std::fill(rows, rows + program.lower.size(), 0.0);
  for (const BilinearProgram::Linear& t : program.linear) rows[t.row] += t.value * x[t.column];
  for (const BilinearProgram::Bilinear& t : program.bilinear) rows[t.row] += t.value * x[t.i] * x[t.j];
}

}  // namespace

double misfit_of(const BilinearProgram& program, const std::vector<double>& x) {
  std::vector<double> rows(program.lower.size());
  write_rows(program, x.data(), rows.data());
  double worst = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) worst = std::max({worst, program.lower[i] - rows[i], rows[i] - program.upper[i]});
  for (std::size_t i = 0; i < x.size(); ++i) worst = std::max({worst, program.lower_x[i] - x[i], x[i] - program.upper_x[i]});
  return worst;
}

#ifndef TRILITH_HAVE_IPOPT

Availability ipopt_availability() { return {false, "IPOPT was not found when this program was built (package coinor-libipopt-dev)"}; }

IpoptReport solve_ipopt(const BilinearProgram&, std::vector<double>, const IpoptSettings&, const Deadline&) {
  IpoptReport report;
  report.word = ipopt_availability().note;
  return report;
}

#else

namespace {

struct Context {
  const BilinearProgram& program;
  const Deadline& deadline;
  int iterations = 0;
};
const Context& context(UserDataPtr data) { return *static_cast<const Context*>(data); }

Bool value_of(Index n, Number* x, Bool, Number* value, UserDataPtr data) {
  *value = 0;
  for (Index i = 0; i < n; ++i) *value += context(data).program.cost[static_cast<std::size_t>(i)] * x[i] * x[i];
  return TRUE;
}

Bool gradient_of(Index n, Number* x, Bool, Number* gradient, UserDataPtr data) {
  for (Index i = 0; i < n; ++i) gradient[i] = 2 * context(data).program.cost[static_cast<std::size_t>(i)] * x[i];
  return TRUE;
}

Bool rows_of(Index, Number* x, Bool, Index, Number* rows, UserDataPtr data) {
  write_rows(context(data).program, x, rows);
  return TRUE;
}

// NOLINTBEGIN(readability-function-size): IPOPT fixes the arguments of its callbacks

/// Entries: linear terms, then both factors of the bilinear ones; IPOPT adds repeated places.
Bool jacobian_of(Index, Number* x, Bool, Index, Index, Index* row, Index* column, Number* values, UserDataPtr data) {
  const BilinearProgram& p = context(data).program;
  std::size_t k = 0;
  const auto put = [&](int r, int c, double value) {
    if (values == nullptr) {
      row[k] = r;
      column[k] = c;
    } else {
      values[k] = value;
    }
    ++k;
  };
  for (const BilinearProgram::Linear& t : p.linear) put(t.row, t.column, t.value);
  for (const BilinearProgram::Bilinear& t : p.bilinear) {
    put(t.row, t.i, values == nullptr ? 0 : t.value * x[t.j]);
    put(t.row, t.j, values == nullptr ? 0 : t.value * x[t.i]);
  }
  return TRUE;
}

/// Lower triangle: the diagonal of the cost, then one entry per bilinear term.
Bool hessian_of(Index n, Number*, Bool, Number factor, Index, Number* multipliers, Bool, Index, Index* row, Index* column, Number* values,
                UserDataPtr data) {
  const BilinearProgram& p = context(data).program;
  for (Index i = 0; i < n; ++i) {
    if (values != nullptr) values[i] = 2 * factor * p.cost[static_cast<std::size_t>(i)];
    if (values == nullptr) row[i] = column[i] = i;
  }
  for (std::size_t k = 0; k < p.bilinear.size(); ++k) {
    const BilinearProgram::Bilinear& t = p.bilinear[k];
    const std::size_t at = static_cast<std::size_t>(n) + k;
    if (values != nullptr) values[at] = multipliers[t.row] * t.value * (t.i == t.j ? 2 : 1);
    if (values == nullptr) row[at] = std::max(t.i, t.j);
    if (values == nullptr) column[at] = std::min(t.i, t.j);
  }
  return TRUE;
}

Bool watch(Index, Index iteration, Number, Number, Number, Number, Number, Number, Number, Number, Index, UserDataPtr data) {
  static_cast<Context*>(data)->iterations = iteration;
  return context(data).deadline.passed() ? FALSE : TRUE;
}

// NOLINTEND(readability-function-size)

SolveStatus status_of(ApplicationReturnStatus word, std::string& text) {
  switch (word) {
    case Solve_Succeeded:
      text = "Solve_Succeeded";
      return SolveStatus::solved;
    case Solved_To_Acceptable_Level:
      text = "Solved_To_Acceptable_Level";
      return SolveStatus::solved_inaccurate;
    case Feasible_Point_Found:
      text = "Feasible_Point_Found";
      return SolveStatus::solved_inaccurate;
    case Infeasible_Problem_Detected:
      text = "Infeasible_Problem_Detected";
      return SolveStatus::primal_infeasible;
    case Maximum_Iterations_Exceeded:
      text = "Maximum_Iterations_Exceeded";
      return SolveStatus::iteration_limit;
    case Maximum_CpuTime_Exceeded:
      text = "Maximum_CpuTime_Exceeded";
      return SolveStatus::time_limit;
    case User_Requested_Stop:
      text = "User_Requested_Stop";
      return SolveStatus::time_limit;
    case Restoration_Failed:
      text = "Restoration_Failed";
      return SolveStatus::stalled;
    case Search_Direction_Becomes_Too_Small:
      text = "Search_Direction_Becomes_Too_Small";
      return SolveStatus::stalled;
    default:
      text = "status " + std::to_string(static_cast<int>(word));
      return SolveStatus::numerical_failure;
  }
}

void set(IpoptProblem problem, const char* key, const char* value) {
  std::string k(key), v(value);
  AddIpoptStrOption(problem, k.data(), v.data());
}
void set(IpoptProblem problem, const char* key, double value) {
  std::string k(key);
  AddIpoptNumOption(problem, k.data(), value);
}
void set(IpoptProblem problem, const char* key, int value) {
  std::string k(key);
  AddIpoptIntOption(problem, k.data(), value);
}

}  // namespace

Availability ipopt_availability() { return {true, "IPOPT"}; }

IpoptReport solve_ipopt(const BilinearProgram& program, std::vector<double> start, const IpoptSettings& settings,
                        const Deadline& deadline) {
  IpoptReport report;
  BilinearProgram p = program;  // the interface takes pointers to what it does not change
  const auto n = static_cast<Index>(p.cost.size()), m = static_cast<Index>(p.lower.size());
  const auto jacobian = static_cast<Index>(p.linear.size() + 2 * p.bilinear.size());
  const auto hessian = static_cast<Index>(p.cost.size() + p.bilinear.size());
  IpoptProblem problem = CreateIpoptProblem(n, p.lower_x.data(), p.upper_x.data(), m, p.lower.data(), p.upper.data(), jacobian, hessian, 0,
                                            &value_of, &rows_of, &gradient_of, &jacobian_of, &hessian_of);
  if (problem == nullptr) {
    report.status = SolveStatus::numerical_failure;
    report.word = "IPOPT took no such program";
    return report;
  }
  set(problem, "sb", "yes");
  set(problem, "print_level", 0);
  set(problem, "max_iter", settings.iteration_limit);
  set(problem, "tol", settings.tolerance);
  set(problem, "constr_viol_tol", settings.constraint_tolerance);
  set(problem, "max_cpu_time", settings.time_limit);
  Context user{program, deadline};
  SetIntermediateCallback(problem, &watch);
  report.x = std::move(start);
  report.status =
      status_of(IpoptSolve(problem, report.x.data(), nullptr, &report.objective, nullptr, nullptr, nullptr, &user), report.word);
  FreeIpoptProblem(problem);
  report.iterations = user.iterations;
  report.misfit = misfit_of(program, report.x);
  return report;
}

#endif

}  // namespace trilith::solve
