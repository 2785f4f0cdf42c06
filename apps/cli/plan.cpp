#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>

#include "base/clock.h"
#include "base/sha256.h"
#include "base/text.h"
#include "cli/assembly_options.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/run_options.h"
#include "cli/watchdog.h"
#include "control/plan.h"
#include "dynamics/terms.h"
#include "io/file.h"
#include "io/plan_json.h"
#include "results/plan_json.h"

namespace trilith::cli {
namespace {

constexpr Positional positionals[] = {{"PROBLEM", "JSON with robot, x0, goal, cost, limits (docs/recipes/plan-a-motion.md)"}};
constexpr std::string_view mechanisms[] = {"off", "telemetry", "barrier", "admm", "al"};
constexpr Option options[] = {
    {"--mechanism", "NAME", "how limits act, in place of the file's: off, telemetry, barrier, admm, al"},
    {"--verbose", "", "a line for every iteration"},
    {"--package", "FOLDER", "where package:// names of URDF files are looked for", true},
    {"--floating-base", "", "a URDF robot whose root moves freely; steps are semi-implicit then"},
    {"--zero-means-unlimited", "", "effort=\"0\" and velocity=\"0\" of URDF files are no limits"},
    {"--time-limit", "S", "give up after this many seconds: exit 2"},
};
/// Steps between knots end where the largest entry of a step is this small: rad, rad/s, N m.
constexpr double step_tolerance = 1e-6;

struct Request {
  std::string path;
  std::optional<std::string> mechanism;
  std::vector<std::string> packages;
  bool verbose = false, floating_base = false, zero_means_unlimited = false;
  std::optional<double> time_limit;
  int threads = 1;
};

Request read_request(Arguments& arguments) {
  Request r;
  r.path = arguments.positional(0);
  r.mechanism = arguments.choice("--mechanism", mechanisms);
  r.packages = arguments.texts("--package");
  r.verbose = arguments.has("--verbose"), r.floating_base = arguments.has("--floating-base");
  r.zero_means_unlimited = arguments.has("--zero-means-unlimited");
  r.time_limit = read_time_limit(arguments);
  r.threads = read_threads(arguments);
  return r;
}

control::SolverOptions solver_options(const io::PlanFile& file, const Request& request) {
  control::SolverOptions o;
  o.most_iterations = file.most_iterations, o.threads = request.threads;
  o.adapt_merit_weight = true, o.step_tolerance = step_tolerance;
  if (file.linear) o.proximal = 0, o.adapt_proximal = false;
  if (request.floating_base) o.integrator = control::Integrator::semi_implicit;
  return o;
}

/// What is solved, and what the answer is measured against.
struct Setup {
  std::shared_ptr<const control::Robot> robot;  ///< null: linear
  std::shared_ptr<const control::LinearProblem> linear;
  std::unique_ptr<control::Solver> solver;
  std::string robot_sha256;
  std::vector<Warning> warnings;
};

Result<std::shared_ptr<const control::Robot>> load_robot(const io::PlanFile& file, const Request& request, Setup& setup) {
  const std::filesystem::path folder = std::filesystem::path(request.path).parent_path();
  io::LoadOptions reading = load_options(request.packages);
  reading.urdf.keep_going_without_meshes = true, reading.urdf.zero_means_unlimited = request.zero_means_unlimited;
  model::ModelOptions making;
  making.gravity = file.gravity, making.bare = true, making.floating_base = request.floating_base;
  const auto model = io::load_model((folder / file.robot).string(), reading, making);
  if (!model) return model.errors();
  control::EndEffector end_effector;
  if (!file.goal_frame.empty()) {
    const auto frame = dynamics::find_frame(model.value(), file.goal_frame);
    if (!frame) {
      const std::string near(nearest_name(file.goal_frame, dynamics::frame_names(model.value())));
      return Error{"no link, joint or site '" + file.goal_frame + "'" + (near.empty() ? "" : "; did you mean " + near),
                   request.path + ":/goal_frame"};
    }
    end_effector = {frame->name, frame->body, frame->X_BF};
  }
  auto robot = control::make_robot(model.value(), end_effector);
  if (!robot) return robot.errors();
  setup.robot_sha256 = model.value().sha256;
  setup.warnings = model.value().warnings;
  setup.warnings.insert(setup.warnings.end(), robot.value().warnings.begin(), robot.value().warnings.end());
  return std::shared_ptr<const control::Robot>(std::make_shared<control::Robot>(std::move(robot).value()));
}

/// Sizes that depend on the robot.
std::vector<Error> check_sizes(const io::PlanFile& file, const control::Robot& robot, const std::string& path) {
  std::vector<Error> errors;
  const auto check = [&](std::size_t got, int want, const std::string& key) {
    if (got != static_cast<std::size_t>(want))
      errors.push_back({"needs " + std::to_string(want) + " numbers, has " + std::to_string(got), path + ":/" + key});
  };
  check(file.x0.size(), robot.coordinates() + robot.dofs(), "x0");
  if (file.goal_q) check(file.goal_q->size(), robot.dofs(), "goal_q");
  for (std::size_t k = 0; k < file.guess.x.size(); ++k)
    check(file.guess.x[k].size(), robot.coordinates() + robot.dofs(), "initial_guess/x/" + std::to_string(k));
  for (std::size_t k = 0; k < file.guess.u.size(); ++k)
    check(file.guess.u[k].size(), robot.inputs(), "initial_guess/u/" + std::to_string(k));
  return errors;
}

control::CostWeights weights_of(const io::PlanFile& file) {
  control::CostWeights w;
  const io::PlanCost& c = file.cost;
  const bool joints = file.goal_q.has_value();
  w.end_effector = joints ? 0 : c.ee, w.end_effector_terminal = joints ? 0 : c.ee_terminal;
  w.posture = joints ? c.q : 0, w.posture_terminal = joints ? c.q_terminal : 0;
  w.velocity = c.qd, w.input = c.u, w.limit_margin = 0;
  w.position_barrier = w.velocity_barrier = w.input_barrier = 0;
  return w;
}

/// The trajectory to start from: the first state held, the joints led straight to the goal, or the file's.
std::vector<double> guess_of(const io::PlanFile& file, const control::KnotSizes& sizes, std::span<const double> x0) {
  std::vector<double> xu;
  const bool straight = file.guess.kind == io::PlanGuess::Kind::linear_states && file.goal_q && sizes.coordinates == sizes.tangent;
  for (int k = 0; k < file.N; ++k) {
    const auto row = static_cast<std::size_t>(k);
    if (file.guess.kind == io::PlanGuess::Kind::given) {
      xu.insert(xu.end(), file.guess.x[row].begin(), file.guess.x[row].end());
      if (k + 1 < file.N) xu.insert(xu.end(), file.guess.u[row].begin(), file.guess.u[row].end());
      continue;
    }
    std::vector<double> x(x0.begin(), x0.end());
    const double part = static_cast<double>(k) / (file.N - 1);
    for (std::size_t i = 0; straight && i < static_cast<std::size_t>(sizes.tangent); ++i) x[i] += part * ((*file.goal_q)[i] - x0[i]);
    xu.insert(xu.end(), x.begin(), x.end());
    if (k + 1 < file.N) xu.resize(xu.size() + static_cast<std::size_t>(sizes.inputs), 0);
  }
  return xu;
}

std::vector<double> x0_of(const io::PlanFile& file, std::size_t entry) {
  return entry == 0 || file.batch[entry - 1].x0.empty() ? file.x0 : file.batch[entry - 1].x0;
}
std::optional<Vec3d> goal_of(const io::PlanFile& file, std::size_t entry) {
  if (entry > 0 && file.batch[entry - 1].goal_xyz) return file.batch[entry - 1].goal_xyz;
  if (!file.reference.empty()) return file.reference.back();
  return file.goal_xyz;
}

Result<Setup> set_up_robot(const io::PlanFile& file, const Request& request) {
  Setup setup;
  auto robot = load_robot(file, request, setup);
  if (!robot) return robot.errors();
  setup.robot = robot.value();
  if (auto errors = check_sizes(file, *setup.robot, request.path); !errors.empty()) return errors;
  const std::size_t entries = 1 + file.batch.size();
  setup.solver = std::make_unique<control::Solver>(setup.robot, file.N, file.dt, static_cast<int>(entries), solver_options(file, request),
                                                   weights_of(file));
  if (file.goal_q) setup.solver->costs().set_posture(*file.goal_q);
  for (std::size_t b = 0; b < entries; ++b) {
    const std::vector<double> x0 = x0_of(file, b);
    const int entry = static_cast<int>(b);
    setup.solver->set_start(entry, x0), setup.solver->set_trajectory(entry, guess_of(file, setup.solver->sizes(), x0));
    std::vector<double> points;
    for (int k = 0; k < file.N; ++k) {
      const Vec3d p = file.reference.empty() ? goal_of(file, b).value_or(Vec3d{}) : file.reference[static_cast<std::size_t>(k)];
      points.insert(points.end(), {p.x, p.y, p.z});
    }
    setup.solver->set_reference(entry, points);
  }
  return setup;
}

Result<Setup> set_up_linear(const io::PlanFile& file, const Request& request) {
  Setup setup;
  const io::PlanLinear& p = *file.linear;
  setup.linear =
      std::make_shared<control::LinearProblem>(control::LinearProblem{p.states, p.inputs, file.N, p.A, p.B, p.Q, p.R, p.QN, p.x_ref});
  setup.solver = std::make_unique<control::Solver>(setup.linear, 1, solver_options(file, request));
  setup.solver->set_start(0, file.x0);
  return setup;
}

/// Distance of the last state from the goal: the largest joint's, or the end effector's.
std::optional<double> goal_residual(const io::PlanFile& file, std::size_t entry, control::Solver& solver, std::span<const double> last) {
  if (file.linear) return std::nullopt;
  if (const auto goal = goal_of(file, entry)) {
    const Vec3d d = solver.end_effector(last.first(static_cast<std::size_t>(solver.sizes().coordinates))) - *goal;
    return std::sqrt(dot(d, d));
  }
  double worst = 0;
  const std::size_t shift = static_cast<std::size_t>(solver.sizes().coordinates - solver.sizes().tangent);
  for (std::size_t i = 0; i < file.goal_q->size(); ++i)
    worst = std::max(worst, std::fabs(last[i + (i < 6 ? 0 : shift)] - (*file.goal_q)[i]));
  return worst;
}

results::PlanEntryAnswer answer_of(const io::PlanFile& file, Setup& setup, int entry, SolveStatus status, bool limits_hold) {
  control::Solver& solver = *setup.solver;
  results::PlanEntryAnswer e;
  e.sizes = solver.sizes(), e.knots = solver.knots();
  e.xu.resize(solver.length());
  solver.write_trajectory(entry, e.xu);
  const control::Measure m = solver.measure(entry);
  e.cost = m.cost, e.defect_max = m.defect_max, e.iterations = solver.statistics().sqp_iters[static_cast<std::size_t>(entry)];
  const std::size_t nx = static_cast<std::size_t>(e.sizes.state());
  const std::span<const double> all(e.xu);
  if (setup.robot) {
    e.violations = control::measure_limits(*setup.robot, e.sizes, e.knots, e.xu);
    e.start = control::measure_start(*setup.robot, x0_of(file, static_cast<std::size_t>(entry)));
  } else {
    const io::PlanLinear& p = *file.linear;
    e.violations = control::measure_bounds({p.x_lower, p.x_upper}, {p.u_lower, p.u_upper}, e.knots, e.xu);
    e.V0 = m.cost;
  }
  e.goal_residual = goal_residual(file, static_cast<std::size_t>(entry), solver, all.last(nx));
  const control::PlanTolerances tolerances;
  e.goal_reached = e.goal_residual && *e.goal_residual <= tolerances.goal;
  const bool converged = solver.statistics().kkt_converged[static_cast<std::size_t>(entry)] != 0;
  const SolveStatus own = solver.diverged(entry)              ? SolveStatus::numerical_failure
                          : status == SolveStatus::time_limit ? status
                                                              : SolveStatus::solved;
  const std::span<const control::LimitViolation> held =
      limits_hold ? std::span<const control::LimitViolation>(e.violations) : std::span<const control::LimitViolation>{};
  e.status = control::judge({own, converged, e.defect_max, held, e.goal_residual}, tolerances);
  if (e.sizes.coordinates != e.sizes.tangent) return e;
  std::vector<double> K(static_cast<std::size_t>(e.sizes.inputs * e.sizes.state_tangent())), P(nx * nx);
  if (solver.write_feedback(entry, K, P)) e.K0 = std::move(K);
  return e;
}

Exit exit_of(const results::PlanAnswer& answer) {
  Exit worst = Exit::yes;
  for (const results::PlanEntryAnswer& e : answer.entries) {
    const bool no = e.status == control::PlanStatus::goal_not_reached || e.status == control::PlanStatus::infeasible;
    worst = std::max(worst, e.status == control::PlanStatus::solved ? Exit::yes : no ? Exit::no : Exit::undecided);
  }
  return worst;
}

/// Mechanisms are still to come: limits are measured, and a plan that does not keep them is not called solved.
void tell_measured_only(const results::PlanAnswer& answer, std::vector<Warning>& warnings) {
  if (answer.mechanism != "off" && answer.mechanism != "telemetry")
    warnings.push_back({"limits are measured but not enforced yet: the plan is the one without limits", answer.input + ":/limits"});
}

}  // namespace

Exit plan(std::span<char*> words) {
  auto parsed = parse_arguments(
      {"plan", "How should it move? Optimises one trajectory.", positionals, options, "trilith plan reach.json --verbose"}, words);
  if (const Exit* exit = std::get_if<Exit>(&parsed)) return *exit;
  Arguments& arguments = std::get<Arguments>(parsed);
  const Request request = read_request(arguments);
  if (arguments.failed()) return Exit::usage;
  if (const Exit unwritable = check_outputs(arguments, {"--json"}); unwritable != Exit::yes) return unwritable;

  const auto text = io::read_file(request.path);
  if (!text) return report_errors(text.errors());
  const auto json = io::parse_json(text.value(), request.path);
  if (!json) return report_errors(json.errors());
  const auto read = io::read_plan(json.value(), request.path);
  if (!read) return report_errors(read.errors());
  const io::PlanFile& file = read.value();
  auto made = file.linear ? set_up_linear(file, request) : set_up_robot(file, request);
  if (!made) return report_errors(made.errors());
  Setup setup = std::move(made).value();

  results::PlanAnswer answer{.input = request.path,
                             .input_sha256 = sha256_hex(text.value()),
                             .robot_sha256 = setup.robot_sha256,
                             .mechanism = request.mechanism.value_or(file.limits.mechanism),
                             .most_iterations = file.most_iterations,
                             .dt = file.dt,
                             .time_s = 0,
                             .entries = {},
                             .batch = !file.batch.empty(),
                             .warnings = file.warnings};
  answer.warnings.insert(answer.warnings.end(), setup.warnings.begin(), setup.warnings.end());
  tell_measured_only(answer, answer.warnings);
  const double begin = wall_seconds();
  const SolveStatus status = setup.solver->solve(request.time_limit ? Deadline::after(*request.time_limit) : Deadline{});
  answer.time_s = wall_seconds() - begin;
  std::string table;
  for (int b = 0; request.verbose && b < setup.solver->batch(); ++b)
    table += results::iteration_table(setup.solver->statistics(), b, setup.solver->batch());
  for (int b = 0; b < setup.solver->batch(); ++b) answer.entries.push_back(answer_of(file, setup, b, status, answer.mechanism != "off"));
  report_warnings(answer.warnings);
  if (json_on_stdout(arguments)) std::fputs(table.c_str(), stderr);
  return write_result(arguments, results::plan_json(answer), table + results::plan_text(answer), exit_of(answer));
}

}  // namespace trilith::cli
