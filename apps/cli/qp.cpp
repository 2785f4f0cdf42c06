#include <fmt/format.h>

#include <cmath>

#include "base/clock.h"
#include "base/sha256.h"
#include "base/text.h"
#include "certify/quadratic_program.h"
#include "cli/assembly_options.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/watchdog.h"
#include "io/file.h"
#include "io/qp_json.h"
#include "solve/admm_qp.h"
#include "solve/conic_qp.h"

namespace trilith::cli {
namespace {

constexpr Positional positionals[] = {{"PROBLEM", "JSON with P or P_diag, q, A, l, u, soc (docs/theory/quadratic_program.md)"}};
constexpr std::string_view solvers[] = {"auto", "ipm", "admm"};
constexpr Option options[] = {
    {"--solver", "NAME", "ipm: conic interior point; admm: operator splitting; auto (default): ipm, then admm where that is not proved"},
    {"--tolerance", "T", "relative tolerance of rows, stationarity and gap (1e-8)"},
    {"--iterations", "N", "most iterations of one solve (ipm 100, admm 50000)"},
    {"--time-limit", "S", "give up after this many seconds"}};

/// The judge's view of a file.
struct View {
  explicit View(const io::QpFile& file) {
    for (const io::QpNormBound& bound : file.norms) norms.push_back({bound.radius, bound.entries});
    program = {file.variables, file.rows, file.P, file.q, file.A, file.lower, file.upper, norms};
  }
  std::vector<certify::NormBound> norms;
  certify::QuadraticProgram program;
};

/// Which engine, and its settings.
struct Request {
  std::string solver = "auto";
  solve::ConicQpSettings conic;
  solve::AdmmQpSettings splitting;
  bool admm() const { return solver == "admm"; }
  int iteration_limit() const { return admm() ? splitting.loop.iteration_limit : conic.limits.iteration_limit; }
};

Request read_request(Arguments& arguments) {
  Request request;
  request.solver = arguments.choice("--solver", solvers).value_or("auto");
  if (const auto tolerance = arguments.number("--tolerance")) {
    if (!(*tolerance >= 1e-14 && *tolerance <= 1e-2)) arguments.refuse("--tolerance", "must be between 1e-14 and 1e-2");
    request.conic.tolerance = request.splitting.loop.tol_abs = request.splitting.loop.tol_rel = *tolerance;
  }
  if (const auto limit = arguments.integer("--iterations", 1, 1000000))
    request.conic.limits.iteration_limit = request.splitting.loop.iteration_limit = *limit;
  return request;
}

struct Answer {
  solve::ConicQpReport report;
  certify::ProgramVerification verification;
  std::string_view kind = "none";
  double objective = std::nan("");
};

double objective(const certify::QuadraticProgram& program, const std::vector<double>& x) {
  double sum = 0;
  const std::size_t n = x.size();
  for (std::size_t i = 0; i < n; ++i) {
    double row = 0;
    if (!program.P.empty())
      for (std::size_t j = 0; j < n; ++j) row += program.P[i * n + j] * x[j];
    sum += x[i] * (0.5 * row + program.q[i]);
  }
  return sum;
}

/// The judge decides: what it refuses is `solved_inaccurate` or `stalled`, never an answer.
Answer judge(const certify::QuadraticProgram& program, solve::ConicQpReport report) {
  Answer answer{std::move(report), {}, "none"};
  SolveStatus& status = answer.report.status;
  const solve::ProgramPoint& point = answer.report.point;
  const certify::Multipliers multipliers{point.y, point.norm};
  if (status == SolveStatus::solved || status == SolveStatus::solved_inaccurate) {
    answer.kind = "kkt_point";
    answer.verification = certify::verify_kkt_point(program, point.x, multipliers, {});
    if (!answer.verification.accepted) status = SolveStatus::solved_inaccurate;
  } else if (status == SolveStatus::primal_infeasible) {
    answer.kind = "infeasibility_ray";
    answer.verification = certify::verify_infeasibility_ray(program, multipliers, {});
    if (!answer.verification.accepted) status = SolveStatus::stalled;
  } else if (status == SolveStatus::dual_infeasible) {
    answer.kind = "unbounded_ray";
    answer.verification = certify::verify_unbounded_ray(program, point.x, {});
    if (!answer.verification.accepted) status = SolveStatus::stalled;
  }
  if (answer.kind == "kkt_point") answer.objective = objective(program, point.x);
  return answer;
}

io::Json numbers(const std::vector<double>& values) {
  io::Json::Array list;
  for (const double v : values) list.push_back(v);
  return list;
}

io::Json numbers_or_null(const std::vector<double>& values) { return values.empty() ? io::Json() : numbers(values); }

io::Json answer_json(const std::string& source, const std::string& hash, const Answer& answer, const Request& request, double seconds,
                     const std::vector<Warning>& warnings) {
  const solve::ProgramPoint& point = answer.report.point;
  const bool is_point = answer.kind == "kkt_point";
  io::Json::Array broken, told;
  for (const certify::Broken& condition : answer.verification.broken)
    broken.push_back(io::Json::Object{{"what", condition.what}, {"where", condition.where}});
  for (const Warning& warning : warnings) told.push_back(io::Json::Object{{"what", warning.what}, {"where", warning.where}});
  return io::Json::Object{
      {"schema", "trilith.qp/1"},
      {"engine", TRILITH_VERSION},
      {"input", source},
      {"input_sha256", hash},
      {"settings", io::Json::Object{{"solver", request.solver},
                                    {"tolerance", request.admm() ? request.splitting.loop.tol_rel : request.conic.tolerance},
                                    {"iteration_limit", request.iteration_limit()}}},
      {"status", name(answer.report.status)},
      {"x", is_point ? numbers(point.x) : io::Json()},
      {"y", is_point ? numbers(point.y) : io::Json()},
      {"objective", std::isfinite(answer.objective) ? io::Json(answer.objective) : io::Json()},
      {"iterations", answer.report.iterations},
      {"certificate",
       io::Json::Object{{"kind", answer.kind},
                        {"verified", answer.verification.accepted},
                        {"residual", std::isfinite(answer.verification.residual) ? io::Json(answer.verification.residual) : io::Json()},
                        {"statement", answer.verification.statement},
                        {"y", numbers_or_null(point.y)},
                        {"soc", numbers_or_null(point.norm)},
                        {"ray", answer.kind == "unbounded_ray" ? numbers(point.x) : io::Json()},
                        {"broken", std::move(broken)}}},
      {"time_s", seconds},
      {"warnings", std::move(told)}};
}

std::string answer_text(const std::string& source, const Answer& answer) {
  std::string text = fmt::format("{}: {} after {} iterations.\n", escape(source), name(answer.report.status), answer.report.iterations);
  if (std::isfinite(answer.objective)) text += fmt::format("  objective {:.12g}\n", answer.objective);
  if (answer.kind == "kkt_point") {
    constexpr std::size_t most_shown = 20;
    const std::vector<double>& x = answer.report.point.x;
    for (std::size_t i = 0; i < x.size() && i < most_shown; ++i) text += fmt::format("  x[{}] = {:.12g}\n", i, x[i]);
    if (x.size() > most_shown) text += fmt::format("  ... and {} more (--json FILE has all)\n", x.size() - most_shown);
  }
  if (answer.verification.accepted) text += fmt::format("  Proved: {}.\n", answer.verification.statement);
  for (const certify::Broken& condition : answer.verification.broken)
    text += fmt::format("  Not proved: {}: {}\n", condition.where, condition.what);
  return text;
}

solve::ConicQpReport solve_by(const Request& request, const certify::QuadraticProgram& program, const Deadline& deadline) {
  if (request.admm()) return solve::solve_admm_qp(program, request.splitting, deadline);
  if (request.solver == "ipm") return solve::solve_conic_qp(program, request.conic, deadline);
  bool polished = false;
  return solve::solve_program(program, request.conic, request.splitting, deadline, polished);
}

Exit exit_of(SolveStatus status) {
  if (status == SolveStatus::solved) return Exit::yes;
  return status == SolveStatus::primal_infeasible || status == SolveStatus::dual_infeasible ? Exit::no : Exit::undecided;
}

}  // namespace

Exit qp(std::span<char*> words) {
  auto parsed = parse_arguments({"qp", "Solves a quadratic or conic program; the answer comes with its proof.", positionals, options,
                                 "trilith qp problem.json --json -"},
                                words);
  if (const Exit* exit = std::get_if<Exit>(&parsed)) return *exit;
  Arguments& arguments = std::get<Arguments>(parsed);
  const Request request = read_request(arguments);
  const auto time_limit = read_time_limit(arguments);
  (void)read_threads(arguments);
  if (arguments.failed()) return Exit::usage;

  const std::string& path = arguments.positional(0);
  const auto text = io::read_file(path);
  if (!text) return report_errors(text.errors());
  const auto json = io::parse_json(text.value(), path);
  if (!json) return report_errors(json.errors());
  const auto file = io::read_qp(json.value(), path);
  if (!file) return report_errors(file.errors());

  const double start = wall_seconds();
  const View view(file.value());
  if (!certify::is_convex(view.program, {})) {
    const Error error{"the cost is not convex: P has a negative eigenvalue", path + ":/P"};
    return report_errors({&error, 1});
  }
  const Deadline deadline = time_limit ? Deadline::after(*time_limit) : Deadline{};
  const Answer answer = judge(view.program, solve_by(request, view.program, deadline));
  report_warnings(file.value().warnings);
  return write_result(arguments,
                      answer_json(path, sha256_hex(text.value()), answer, request, wall_seconds() - start, file.value().warnings),
                      answer_text(path, answer), exit_of(answer.report.status));
}

}  // namespace trilith::cli
