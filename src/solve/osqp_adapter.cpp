// The only file that knows OSQP, versions 0.6 and 1.
#include "solve/osqp_adapter.h"

#include <algorithm>
#include <limits>
#include <utility>

#ifdef TRILITH_HAVE_OSQP
#include <osqp.h>
#endif

namespace trilith::solve {

#ifdef TRILITH_HAVE_OSQP

namespace {

#if __has_include(<osqp_api_types.h>)
#define TRILITH_OSQP_1
using Index = OSQPInt;
using Number = OSQPFloat;
#else
using Index = c_int;
using Number = c_float;
#endif

std::vector<Index> indices(const std::vector<int>& from) { return {from.begin(), from.end()}; }
std::vector<Number> numbers(const std::vector<double>& from) {
  std::vector<Number> out(from.begin(), from.end());
  for (Number& v : out) v = std::clamp<Number>(v, -OSQP_INFTY, OSQP_INFTY);
  return out;
}

/// Arrays in OSQP's own types; they must outlive its set-up.
struct Arrays {
  explicit Arrays(const SparseProgram& program)
      : p_start(indices(program.P.start)),
        p_row(indices(program.P.row)),
        a_start(indices(program.A.start)),
        a_row(indices(program.A.row)),
        p_value(numbers(program.P.value)),
        a_value(numbers(program.A.value)),
        q(numbers(program.q)),
        lower(numbers(program.lower)),
        upper(numbers(program.upper)),
        variables(static_cast<Index>(program.q.size())),
        rows(static_cast<Index>(program.lower.size())) {}
  std::vector<Index> p_start, p_row, a_start, a_row;
  std::vector<Number> p_value, a_value, q, lower, upper;
  Index variables, rows;
};

/// By the names of its header: the numbers changed between versions. Inaccurate answers stay inaccurate, inaccurate rays are no rays.
SolveStatus status_of(Index value) {
  switch (value) {
    case OSQP_SOLVED:
      return SolveStatus::solved;
    case OSQP_SOLVED_INACCURATE:
      return SolveStatus::solved_inaccurate;
    case OSQP_PRIMAL_INFEASIBLE:
      return SolveStatus::primal_infeasible;
    case OSQP_DUAL_INFEASIBLE:
      return SolveStatus::dual_infeasible;
    case OSQP_MAX_ITER_REACHED:
      return SolveStatus::iteration_limit;
    case OSQP_PRIMAL_INFEASIBLE_INACCURATE:
    case OSQP_DUAL_INFEASIBLE_INACCURATE:
      return SolveStatus::stalled;
#if defined(TRILITH_OSQP_1) || defined(OSQP_TIME_LIMIT_REACHED)
    case OSQP_TIME_LIMIT_REACHED:
      return SolveStatus::time_limit;
#endif
    default:
      return SolveStatus::numerical_failure;
  }
}

template <class Settings>
void fill(const OsqpSettings& ours, const Deadline& deadline, Settings& theirs) {
  theirs.verbose = 0;
  theirs.eps_abs = ours.absolute_tolerance;
  theirs.eps_rel = ours.relative_tolerance;
  theirs.eps_prim_inf = theirs.eps_dual_inf = ours.infeasibility_tolerance;
  theirs.max_iter = ours.iteration_limit;
  const double left = deadline.remaining();
  if (left < std::numeric_limits<double>::infinity()) theirs.time_limit = std::max(left, 1e-3);
}

template <class Info, class Solution>
void read(const Info& info, const Solution& solution, const Number* primal_ray, const Number* dual_ray, const Arrays& arrays,
          OsqpReport& report) {
  report.status = status_of(info.status_val);
  report.iterations = static_cast<int>(info.iter);
  report.word = info.status;
  const bool contradiction = report.status == SolveStatus::primal_infeasible, unbounded = report.status == SolveStatus::dual_infeasible;
  const Number* x = unbounded ? dual_ray : solution.x;
  const Number* y = contradiction ? primal_ray : solution.y;
  if (!contradiction && x != nullptr) report.x.assign(x, x + arrays.variables);
  if (!unbounded && y != nullptr) report.y.assign(y, y + arrays.rows);
}

#ifdef TRILITH_OSQP_1

void run(Arrays& arrays, const OsqpSettings& settings, const Deadline& deadline, OsqpReport& report) {
  OSQPCscMatrix* p = OSQPCscMatrix_new(arrays.variables, arrays.variables, static_cast<Index>(arrays.p_value.size()), arrays.p_value.data(),
                                       arrays.p_row.data(), arrays.p_start.data());
  OSQPCscMatrix* a = OSQPCscMatrix_new(arrays.rows, arrays.variables, static_cast<Index>(arrays.a_value.size()), arrays.a_value.data(),
                                       arrays.a_row.data(), arrays.a_start.data());
  OSQPSettings theirs;
  osqp_set_default_settings(&theirs);
  fill(settings, deadline, theirs);
  theirs.polishing = settings.polish ? 1 : 0;
  OSQPSolver* solver = nullptr;
  if (osqp_setup(&solver, p, arrays.q.data(), a, arrays.lower.data(), arrays.upper.data(), arrays.rows, arrays.variables, &theirs) == 0) {
    (void)osqp_solve(solver);
    read(*solver->info, *solver->solution, solver->solution->prim_inf_cert, solver->solution->dual_inf_cert, arrays, report);
  } else {
    report.status = SolveStatus::numerical_failure;
    report.word = "set-up refused";
  }
  osqp_cleanup(solver);
  OSQPCscMatrix_free(p);
  OSQPCscMatrix_free(a);
}

#else

void run(Arrays& arrays, const OsqpSettings& settings, const Deadline& deadline, OsqpReport& report) {
  csc p{static_cast<Index>(arrays.p_value.size()),
        arrays.variables,
        arrays.variables,
        arrays.p_start.data(),
        arrays.p_row.data(),
        arrays.p_value.data(),
        static_cast<Index>(-1)};
  csc a{static_cast<Index>(arrays.a_value.size()),
        arrays.rows,
        arrays.variables,
        arrays.a_start.data(),
        arrays.a_row.data(),
        arrays.a_value.data(),
        static_cast<Index>(-1)};
  OSQPData data{arrays.variables, arrays.rows, &p, &a, arrays.q.data(), arrays.lower.data(), arrays.upper.data()};
  OSQPSettings theirs;
  osqp_set_default_settings(&theirs);
  fill(settings, deadline, theirs);
  theirs.polish = settings.polish ? 1 : 0;
  OSQPWorkspace* work = nullptr;
  if (osqp_setup(&work, &data, &theirs) == 0) {
    (void)osqp_solve(work);
    read(*work->info, *work->solution, work->delta_y, work->delta_x, arrays, report);
  } else {
    report.status = SolveStatus::numerical_failure;
    report.word = "set-up refused";
  }
  (void)osqp_cleanup(work);
}

#endif

}  // namespace

Availability osqp_availability() { return {true, std::string("version ") + osqp_version()}; }

OsqpReport solve_osqp(const SparseProgram& program, const OsqpSettings& settings, const Deadline& deadline) {
  OsqpReport report;
  const double start = thread_cpu_seconds();
  Arrays arrays(program);
  run(arrays, settings, deadline, report);
  report.seconds = thread_cpu_seconds() - start;
  return report;
}

#else

Availability osqp_availability() {
  return {false, "this program was built without OSQP (put it under $TRILITH_PEERS or CMAKE_PREFIX_PATH and build again)"};
}

OsqpReport solve_osqp(const SparseProgram&, const OsqpSettings&, const Deadline&) {
  OsqpReport report;
  report.word = osqp_availability().note;
  return report;
}

#endif

}  // namespace trilith::solve
