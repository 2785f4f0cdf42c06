// The penalty program of rigid-block equilibrium (PEN-1) and what is read from it.
#include "statics/rbe.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "base/check.h"
#include "base/lanes.h"
#include "constraints/contact_rows.h"
#include "solve/body_graph.h"
#include "solve/body_iteration.h"
#include "solve/connectivity.h"
#include "solve/osqp_adapter.h"
#include "solve/self_dual.h"
#include "statics/judge.h"
#include "statics/rbe_proof.h"
#include "statics/utilization.h"

namespace trilith::statics {
namespace {

constexpr std::size_t lane_step = rows::patch_lanes;

}  // namespace

std::string_view name(RbeCone cone) noexcept {
  return cone == RbeCone::inscribed ? "inscribed" : cone == RbeCone::circumscribed ? "circumscribed" : "quadratic";
}

std::string_view name(solve::FrictionForm form) noexcept { return form == solve::FrictionForm::net ? "net" : "plus"; }

namespace {

/// One program from rows to report.
class RbeSolve {
 public:
  RbeSolve(const model::Assembly& assembly, const RbeSettings& settings);
  RbeReport run();

 private:
  bool split_pulls() const { return settings_.form == solve::FrictionForm::plus; }
  void run_newton();
  void run_splitting();
  void start_at_least_norm(const solve::ForceSystem& system, solve::AdmmState& state);
  void run_osqp();
  solve::SparseProgram make_sparse() const;
  void put_point(std::size_t point, const rows::PatchGroup& group, const rows::PatchSlot& slot, int lane,
                 solve::SparseProgram& program) const;
  std::vector<certify::Velocity> motion_of(std::span<const double> y, double factor) const;
  bool accept_ray(std::span<const double> y);
  void take_forces(std::span<const double> lanes, std::span<const double> pulling);
  void decode();
  void name_weakest();
  void floating(const solve::Connectivity& connectivity);

  const model::Assembly& assembly_;
  RbeSettings settings_;
  constraints::ContactRows contacts_;
  cones::PyramidFaces faces_;
  std::vector<double> mu_;  // effective, per point in the order of place
  std::vector<std::size_t> place_;
  rows::RowGroup cone_;
  solve::ForceCost cost_;
  solve::BodyGraph bodies_;
  std::vector<double> y_;                // multipliers of the equilibrium rows, 6 per body
  std::vector<double> force_, pulling_;  // lanes: net forces, f-
  RbeReport report_;
};

RbeSolve::RbeSolve(const model::Assembly& assembly, const RbeSettings& settings)
    : assembly_(assembly),
      settings_(settings),
      contacts_(constraints::make_contact_rows(assembly)),
      faces_(cones::make_pyramid_faces(settings.faces).value()),
      cost_{settings.hessian_scale, settings.gamma, settings.tau},
      bodies_(contacts_.rows,
              [] {
                solve::BodyGraphSettings graph;
                graph.factor.pivot_tolerance = solve::conic_pivot_tolerance;
                return graph;
              }()),
      y_(6 * contacts_.block_of_body.size(), 0.0),
      force_(contacts_.rows.size(), 0.0),
      pulling_(contacts_.rows.size(), 0.0) {
  TRI_CHECK(settings.gamma > 0 && settings.tau > 0 && settings.hessian_scale > 0);
  constraints::drop_pull(contacts_, assembly);  // the penalty says where pull is needed: it knows no joint that has it
  place_ = solve::list_places(contacts_.rows);
  for (const rows::PatchGroup& group : contacts_.rows.groups())
    for (int s = 0; s < group.slots; ++s)
      for (std::size_t lane = 0; lane < lane_step; ++lane) {
        if (contacts_.rows.slots()[static_cast<std::size_t>(group.first_slot + s)].used[lane] == 0) continue;
        const double mu = group.mu[lane];
        mu_.push_back(settings.cone == RbeCone::inscribed ? faces_.effective_mu(mu, cones::PyramidFit::inscribed) : mu);
      }
  cone_.name = "contact force";
  cone_.unit = "mean block weight";
  cone_.set = settings.cone == RbeCone::quadratic ? rows::SetKind::friction_cone : rows::SetKind::pyramid;
  cone_.mechanism = rows::Mechanism::admm;
  cone_.block = 3;
  cone_.count = 3 * static_cast<std::int32_t>(mu_.size());
  cone_.mu = mu_;
  cone_.faces = &faces_;
}

/// y as a motion of the blocks, times `factor`.
std::vector<certify::Velocity> RbeSolve::motion_of(std::span<const double> y, double factor) const {
  return block_velocities(contacts_, y, factor);
}

/// -y as a fall, put to the judge of rays.
bool RbeSolve::accept_ray(std::span<const double> y) {
  report_.proof = prove_rbe_ray(assembly_, settings_, motion_of(y, -1));
  if (!report_.proof.accepted) return false;
  report_.motion.assign(y.begin(), y.end());
  for (double& v : report_.motion) v = -v;
  return true;
}

void RbeSolve::take_forces(std::span<const double> lanes, std::span<const double> pulling) {
  std::copy(lanes.begin(), lanes.end(), force_.begin());
  std::fill(pulling_.begin(), pulling_.end(), 0.0);
  for (std::size_t p = 0; p < place_.size(); ++p) pulling_[place_[p]] = pulling[p];
}

/// Newton on the dual from y_. Where a splitting or OSQP ran before, it is their polish: taken only where it ends better.
void RbeSolve::run_newton() {
  const solve::LeastForceProblem problem{contacts_.rows, contacts_.load, place_, cone_, cost_, split_pulls()};
  solve::LeastForce newton(problem, settings_.newton);
  std::vector<double> y = y_;
  const solve::LeastForceReport report = newton.solve(bodies_, settings_.deadline, y);
  const bool first = report_.engine.empty();
  if (report.status == SolveStatus::primal_infeasible && accept_ray(y)) {
    report_.status = SolveStatus::primal_infeasible;
  } else if (report.residual <= settings_.balance && report.status != SolveStatus::primal_infeasible) {
    report_.status = SolveStatus::solved;
    report_.residual = report.residual;
    y_ = y;
    take_forces(newton.force(), newton.pulling());
  } else {
    if (first) {
      report_.status = report.status == SolveStatus::primal_infeasible ? SolveStatus::stalled : report.status;
      report_.residual = report.residual;
      report_.iterations += report.iterations;
      report_.engine = "newton";
    }
    return;
  }
  report_.iterations += report.iterations;
  report_.engine += first ? "newton" : " + newton";
}

/// Keeps rays that the judge of rays accepts.
class RayWatcher final : public solve::AdmmWatcher {
 public:
  template <class Accept>
  RayWatcher(std::size_t unknowns, Accept accept) : accept_(std::move(accept)), y_(unknowns) {}
  bool accept_contradiction(std::span<const double> rows) noexcept override {
    for (std::size_t i = 0; i < y_.size(); ++i) y_[i] = -rows[i];
    return accept_(y_);
  }

 private:
  std::function<bool(std::span<const double>)> accept_;
  std::vector<double> y_;
};

/// Where no cone acts the closed-form point is the minimum, and elsewhere a start (RBE-10).
void RbeSolve::start_at_least_norm(const solve::ForceSystem& system, solve::AdmmState& state) {
  std::vector<double> weight(contacts_.rows.size(), 0.0), lanes(weight.size());
  for (const std::size_t at : place_) {
    weight[at] = 1 / cost_.pressing;
    weight[at + lane_step] = weight[at + 2 * lane_step] = 1 / cost_.tangential;
  }
  bodies_.set_proximal(0);
  bodies_.set_weights({solve::RowWeights::Shape::diagonal, weight});
  if (!bodies_.factor().finite) return;
  std::vector<double> y = contacts_.load;
  bodies_.solve(y, 1);
  bodies_.apply(y, lanes);
  bodies_.apply_weights(lanes);
  system.write_unknowns(lanes, state.x);
  for (std::size_t i = 0; i < y.size(); ++i) state.y[i] = -y[i];
}

/// The stacked rows of seed 000, 4.2, with the forces eliminated (ADM-8).
void RbeSolve::run_splitting() {
  std::unique_ptr<solve::WeightedSystem> iterated;
  const bool direct = contacts_.rows.blocks() <= settings_.direct_limit;
  if (!direct) iterated = std::make_unique<solve::BodyIteration>(contacts_.rows);
  solve::WeightedSystem& bodies = iterated ? *iterated : bodies_;
  solve::ForceSystem system(contacts_.rows, bodies, true, settings_.form, cost_);
  rows::RowGroup balance, bounds;
  balance.name = "equilibrium";
  balance.unit = "mean block weight";
  balance.set = rows::SetKind::box;
  balance.mechanism = rows::Mechanism::admm;
  balance.count = static_cast<std::int32_t>(contacts_.load.size());
  balance.lower = balance.upper = contacts_.load;
  rows::RowGroup cone = cone_;
  cone.first = balance.end();
  bounds = balance;
  bounds.name = "pressing and pulling";
  bounds.set = rows::SetKind::nonnegative;
  bounds.lower = bounds.upper = {};
  bounds.first = cone.end();
  bounds.count = 2 * static_cast<std::int32_t>(place_.size());
  const solve::AdmmGroup groups[] = {{balance, settings_.equality_rho}, {cone}, {bounds}};
  const std::vector<double> q(static_cast<std::size_t>(system.unknowns()), 0.0);

  solve::AdmmState state(system.unknowns(), system.rows());
  solve::AdmmSettings settings = settings_.splitting;
  settings.tol_abs = settings.tol_rel = settings_.tolerance;
  RayWatcher watcher(contacts_.load.size(), [this](std::span<const double> y) { return accept_ray(y); });
  const solve::AdmmProblem problem{q, groups};
  if (direct) start_at_least_norm(system, state);
  solve::start_admm(system, problem, state);
  const solve::AdmmReport report = solve::admm(system, problem, state, settings, settings_.deadline, watcher);
  report_.engine = "admm";
  report_.status = report.status;
  report_.iterations += report.iterations;
  report_.residual = report.primal;
  for (std::size_t i = 0; i < y_.size(); ++i) y_[i] = -state.y[i];
  if (report.status != SolveStatus::solved) return;
  std::vector<double> lanes(contacts_.rows.size(), 0.0), pulling(place_.size());
  system.write_lanes(state.x, lanes);
  for (std::size_t p = 0; p < pulling.size(); ++p) pulling[p] = std::max(0.0, state.x[4 * p + 1]);
  take_forces(lanes, pulling);
}

/// Columns of a contact point: f+, f-, t1, t2; equilibrium rows first, then `faces` pyramid rows and two bounds per point.
void RbeSolve::put_point(std::size_t point, const rows::PatchGroup& group, const rows::PatchSlot& slot, int lane,
                         solve::SparseProgram& program) const {
  const int rows_per_point = settings_.faces + 2,
            first = static_cast<int>(contacts_.load.size() + point * static_cast<std::size_t>(rows_per_point));
  const auto turned = [&](int r, int k) { return group.axes[3 * r + k][lane]; };
  const double weights[4] = {cost_.pressing, cost_.pulling, cost_.tangential, cost_.tangential};
  for (int c = 0; c < 4; ++c) {
    const int component = std::max(0, c - 1);
    const double sign = c == 1 ? -1 : 1;
    program.P.put(static_cast<int>(program.q.size()), weights[c]);
    program.P.end_column();
    program.q.push_back(0);
    // wrenches on the two bodies, the lower one first
    const int a = group.block_a[lane], b = group.block_b[lane];
    for (const bool on_b : {b < a, b >= a}) {
      const int body = on_b ? b : a;
      if (body < 0) continue;
      Vec3d force{turned(0, component), turned(1, component), turned(2, component)}, at;
      double* const to[3] = {&at.x, &at.y, &at.z};
      for (int r = 0; r < 3; ++r) {
        *to[r] = (on_b ? group.arm_b : group.arm_a)[r][lane];
        for (int k = 0; k < 3; ++k) *to[r] += turned(r, k) * slot.at[k][lane];
      }
      force = (on_b ? sign : -sign) * force;
      const Vec3d moment = cross(at, force);
      const double w[6] = {force.x, force.y, force.z, moment.x, moment.y, moment.z};
      for (int r = 0; r < 6; ++r) program.A.put(6 * body + r, w[r]);
    }
    for (std::size_t k = 0; k < static_cast<std::size_t>(settings_.faces); ++k) {
      const double normal = c == 0 ? -mu_[point] : split_pulls() ? 0.0 : mu_[point];
      const double entry = c < 2 ? normal : c == 2 ? faces_.cosine()[k] : faces_.sine()[k];
      if (entry != 0) program.A.put(first + static_cast<int>(k), entry);
    }
    if (c < 2) program.A.put(first + settings_.faces + c, 1);
    program.A.end_column();
  }
  const double infinity = std::numeric_limits<double>::infinity();
  for (int k = 0; k < rows_per_point; ++k) {
    program.lower.push_back(k < settings_.faces ? -infinity : 0);
    program.upper.push_back(k < settings_.faces ? 0 : infinity);
  }
}

solve::SparseProgram RbeSolve::make_sparse() const {
  solve::SparseProgram program;
  program.lower = program.upper = contacts_.load;
  std::size_t point = 0;
  for (const rows::PatchGroup& group : contacts_.rows.groups())
    for (int s = 0; s < group.slots; ++s) {
      const rows::PatchSlot& slot = contacts_.rows.slots()[static_cast<std::size_t>(group.first_slot + s)];
      for (int lane = 0; lane < rows::patch_lanes; ++lane)
        if (slot.used[lane] != 0) put_point(point++, group, slot, lane, program);
    }
  program.A.rows = static_cast<int>(program.lower.size());
  program.P.rows = static_cast<int>(program.q.size());
  return program;
}

void RbeSolve::run_osqp() {
  solve::OsqpSettings settings;
  settings.absolute_tolerance = settings.relative_tolerance = settings_.tolerance;
  settings.iteration_limit = settings_.splitting.iteration_limit;
  const solve::OsqpReport answer = solve::solve_osqp(make_sparse(), settings, settings_.deadline);
  report_.engine = "osqp";
  report_.status = answer.status;
  report_.iterations = answer.iterations;
  report_.reason = "OSQP said: " + answer.word;
  if (answer.y.size() >= y_.size())
    for (std::size_t i = 0; i < y_.size(); ++i) y_[i] = -answer.y[i];
  if (answer.status == SolveStatus::primal_infeasible && !accept_ray(y_)) {
    report_.status = SolveStatus::stalled;
    std::fill(y_.begin(), y_.end(), 0.0);
  }
  if (answer.status != SolveStatus::solved) return;
  std::vector<double> lanes(contacts_.rows.size(), 0.0), pulling(place_.size());
  for (std::size_t p = 0; p < place_.size(); ++p) {
    const double* f = answer.x.data() + 4 * p;
    pulling[p] = std::max(0.0, f[1]);
    lanes[place_[p]] = f[0] - f[1];
    lanes[place_[p] + lane_step] = f[2];
    lanes[place_[p] + 2 * lane_step] = f[3];
  }
  take_forces(lanes, pulling);
}

/// Objective, ratio rule, utilisation (seed 000, 1.6), and the judge's word.
void RbeSolve::decode() {
  std::vector<Vec3d> net(static_cast<std::size_t>(contacts_.first_vertex.back())), minus(net.size());
  constraints::write_forces(contacts_, force_, net);
  constraints::write_forces(contacts_, pulling_, minus);
  double objective = 0;
  for (std::size_t v = 0; v < net.size(); ++v) {
    const double m = minus[v].x, p = std::max(0.0, net[v].x + m);
    objective += 0.5 * (cost_.pressing * p * p + cost_.pulling * m * m + cost_.tangential * (net[v].y * net[v].y + net[v].z * net[v].z));
    report_.max_compression_N = std::max(report_.max_compression_N, p);
    report_.max_tension_N = std::max(report_.max_tension_N, m);
  }
  report_.objective = objective;
  report_.stable_by_ratio = report_.max_tension_N <= settings_.ratio * std::max(report_.max_compression_N, 1e-9);
  const double floor = least_counted_force(report_.max_compression_N);
  const std::size_t interfaces = assembly_.interfaces.size();
  report_.tension_demand_N.assign(interfaces, 0.0);
  report_.utilization.assign(interfaces, 0.0);
  for (std::size_t i = 0; i < interfaces; ++i) {
    const double mu = assembly_.interfaces[i].mu;
    const double effective = settings_.cone == RbeCone::inscribed ? faces_.effective_mu(mu, cones::PyramidFit::inscribed) : mu;
    for (auto v = static_cast<std::size_t>(contacts_.first_vertex[i]); v < static_cast<std::size_t>(contacts_.first_vertex[i + 1]); ++v) {
      const double m = minus[v].x, p = net[v].x + m;
      report_.tension_demand_N[i] = std::max(report_.tension_demand_N[i], m);
      if (p >= floor && effective > 0)
        report_.utilization[i] = std::max(report_.utilization[i], sqrt(net[v].y * net[v].y + net[v].z * net[v].z) / (effective * p));
    }
    report_.max_friction_utilization = std::max(report_.max_friction_utilization, report_.utilization[i]);
  }
  name_weakest();
  std::vector<double> pulling;
  for (const Vec3d& m : minus) pulling.push_back(m.x);
  report_.proof = prove_rbe_point(assembly_, settings_, net, pulling, motion_of(y_, contacts_.weight_N));
}

void RbeSolve::name_weakest() {
  if (assembly_.interfaces.empty()) return;
  const bool pulls = report_.max_tension_N > settings_.tension_floor * report_.max_compression_N;
  const std::vector<double>& by = pulls ? report_.tension_demand_N : report_.utilization;
  report_.weakest_interface = static_cast<std::uint32_t>(std::max_element(by.begin(), by.end()) - by.begin());
}

/// A group of blocks without a support drops in every cone: the rows contradict each other before any solve.
void RbeSolve::floating(const solve::Connectivity& connectivity) {
  std::vector<double> motion(y_.size(), 0.0);
  solve::write_fall(connectivity, assembly_.gravity, motion);
  for (double& v : motion) v = -v;
  report_.engine = "connectivity";
  report_.status = accept_ray(motion) ? SolveStatus::primal_infeasible : SolveStatus::stalled;
}

RbeReport RbeSolve::run() {
  report_.settings = settings_;
  const solve::Connectivity connectivity = solve::find_floating(contacts_.rows);
  if (contacts_.block_of_body.empty()) {
    report_.engine = "none";
    report_.status = SolveStatus::solved;
  } else if (!connectivity.supported()) {
    floating(connectivity);
  } else if (settings_.engine == RbeEngine::automatic) {
    run_newton();
    if (report_.status != SolveStatus::solved && report_.status != SolveStatus::primal_infeasible) {
      std::fill(y_.begin(), y_.end(), 0.0);
      run_splitting();
      if (report_.status != SolveStatus::primal_infeasible) run_newton();
    }
  } else {
    settings_.engine == RbeEngine::admm ? run_splitting() : run_osqp();
    if (settings_.polish && report_.status != SolveStatus::primal_infeasible) run_newton();
  }
  if (report_.status == SolveStatus::primal_infeasible) {
    report_.stable_by_ratio = false;
    report_.reason = "no force state exists in this cone (proved by a ray); that decides nothing about the true cone";
  } else if (report_.status == SolveStatus::solved) {
    decode();
    report_.force = force_;
  } else if (report_.reason.empty()) {
    report_.reason = std::string("the program was not solved (") + std::string(trilith::name(report_.status)) + ")";
  }
  return std::move(report_);
}

}  // namespace

RbeReport solve_rbe(const model::Assembly& assembly, const RbeSettings& settings) { return RbeSolve(assembly, settings).run(); }

}  // namespace trilith::statics
