// (CRA-6)
#include "statics/slip_search.h"

#include <algorithm>
#include <cmath>

#include "solve/body_graph.h"
#include "solve/line_search.h"
#include "solve/vectors.h"
#include "statics/judge.h"

namespace trilith::statics {
namespace {

constexpr std::size_t lanes = rows::patch_lanes;

class SlipSearch {
 public:
  SlipSearch(const constraints::ContactRows& contacts, double bound, double least_slip, const SlipSearchSettings& settings)
      : contacts_(contacts),
        settings_(settings),
        bound_(bound),
        least_slip_(least_slip),
        system_(contacts.rows, graph_settings(settings)),
        q_(contacts.load.size(), 0.0),
        anchor_(q_),
        gradient_(q_),
        step_(q_),
        scratch_(q_),
        weights_(system_.rows(), 0.0),
        d_(weights_),
        force_(weights_),
        step_row_(weights_) {
    const rows::PatchRows& rows = contacts.rows;
    for (int patch = 0; patch < rows.patches(); ++patch)
      for (int point = 0; point < rows.points_of(patch); ++point)
        points_.push_back({rows.row(patch, point), contacts.interface_of_patch[static_cast<std::size_t>(patch)]});
    std::vector<double> proximity(36 * q_.size() / 6, 0.0);
    for (std::size_t i = 0; i < q_.size(); ++i) proximity[36 * (i / 6) + 7 * (i % 6)] = settings.proximity;
    system_.set_quadratic(proximity);
  }

  SlipSearchReport run(const model::Assembly& assembly, const Deadline& deadline);
  void write(const model::Assembly& assembly, double give, CoupledPair& pair) const;

 private:
  struct Point {
    std::size_t row = 0;  // of its n in row vectors
    int interface = 0;
    double mu = 0, alpha = 0, lambda = 0;
    double sunk = 0, slip = 0;  // d_n, |d_t|
  };

  static solve::BodyGraphSettings graph_settings(const SlipSearchSettings& settings) {
    solve::BodyGraphSettings graph;
    graph.factor.pivot_tolerance = settings.pivot_tolerance;
    return graph;
  }

  double push(const Point& p, double sunk) const { return std::max(0.0, p.lambda - settings_.stiffness * (sunk + 1)); }

  /// Displacements of the contacts for q, into `row`.
  void move_contacts(std::span<const double> q, std::span<double> row) const { system_.apply(q, row); }

  /// Forces of the augmented Lagrangian at the displacements `d`, and the gradient W - A f + proximity (q - anchor).
  void find_gradient(std::span<const double> q, std::span<const double> d, std::span<double> out) {
    std::fill(force_.begin(), force_.end(), 0.0);
    for (const Point& p : points_) {
      force_[p.row] = push(p, d[p.row]);
      force_[p.row + lanes] = -p.alpha * d[p.row + lanes];
      force_[p.row + 2 * lanes] = -p.alpha * d[p.row + 2 * lanes];
    }
    system_.apply_transposed(force_, out);
    for (std::size_t i = 0; i < q.size(); ++i) out[i] = contacts_.load[i] - out[i] + settings_.proximity * (q[i] - anchor_[i]);
  }

  /// Of the merit along the step, at the length t: linear between the lengths at which a point begins or ceases to press.
  solve::LineSlope slope(double t) {
    for (std::size_t i = 0; i < q_.size(); ++i) scratch_[i] = q_[i] + t * step_[i];
    moved_.resize(d_.size());
    for (std::size_t i = 0; i < d_.size(); ++i) moved_[i] = d_[i] + t * step_row_[i];
    find_gradient(scratch_, moved_, gradient_);
    double curvature = settings_.proximity * solve::dot_of(step_, step_);
    for (const Point& p : points_) {
      const double n = step_row_[p.row], t1 = step_row_[p.row + lanes], t2 = step_row_[p.row + 2 * lanes];
      curvature += (push(p, moved_[p.row]) > 0 ? settings_.stiffness * n * n : 0) + p.alpha * (t1 * t1 + t2 * t2);
    }
    return {solve::dot_of(gradient_, step_), curvature};
  }

  /// The step length at which the convex merit has its least value: its slope is continuous and rises.
  double search_line() {
    const double first = solve::dot_of(gradient_, step_);
    if (slope(1).slope <= 0) return 1;
    return solve::find_slope_root(first, [this](double t) { return slope(t); }, {-settings_.tolerance * first, settings_.line_steps});
  }

  bool find_motion(const Deadline& deadline);
  bool newton_step();
  double update_multipliers();
  bool adapt(double& worst);
  void measure();

  const constraints::ContactRows& contacts_;
  const SlipSearchSettings& settings_;
  double bound_, least_slip_;
  solve::BodyGraph system_;
  std::vector<Point> points_;
  std::vector<double> q_, anchor_, gradient_, step_, scratch_;
  std::vector<double> weights_, d_, force_, step_row_, moved_;
  double inner_ = 0;  // of the gradient, before the next multipliers
  int factorizations_ = 0;
};

/// One Newton step on the convex merit for the multipliers at hand. False where nothing is left to do.
bool SlipSearch::newton_step() {
  move_contacts(q_, d_);
  find_gradient(q_, d_, gradient_);
  double largest = 0;
  for (const double g : gradient_) largest = std::max(largest, std::abs(g));
  if (largest <= inner_) return false;
  std::fill(weights_.begin(), weights_.end(), 0.0);
  for (const Point& p : points_) {
    weights_[p.row] = push(p, d_[p.row]) > 0 ? settings_.stiffness : 0;
    weights_[p.row + lanes] = weights_[p.row + 2 * lanes] = p.alpha;
  }
  system_.set_weights({solve::RowWeights::Shape::diagonal, weights_});
  (void)system_.factor();
  ++factorizations_;
  for (std::size_t i = 0; i < q_.size(); ++i) step_[i] = -gradient_[i];
  system_.solve(step_, 1);
  move_contacts(step_, step_row_);
  const double t = search_line();
  for (std::size_t i = 0; i < q_.size(); ++i) q_[i] += t * step_[i];
  return true;
}

/// Multipliers take the forces of the augmented Lagrangian; the largest misfit of what is pressed, gives.
double SlipSearch::update_multipliers() {
  double misfit = 0;
  for (Point& p : points_) {
    const double force = push(p, d_[p.row]);
    if (force > 0 || d_[p.row] < -1) misfit = std::max(misfit, std::abs(d_[p.row] + 1));
    p.lambda = force;
  }
  anchor_ = q_;
  return misfit;
}

/// The motion of the alphas at hand. (CRA-6)
bool SlipSearch::find_motion(const Deadline& deadline) {
  inner_ = settings_.first_tolerance;
  for (int steps = 0; steps < settings_.newton_steps;) {
    while (steps < settings_.newton_steps && !deadline.passed() && newton_step()) ++steps;
    if (deadline.passed()) return false;
    if (update_multipliers() <= settings_.tolerance && inner_ <= settings_.tolerance) return true;
    inner_ = std::max(inner_ * settings_.tightening, settings_.tolerance);
    ++steps;
  }
  return false;
}

void SlipSearch::measure() {
  for (Point& p : points_) {
    const double x = d_[p.row + lanes], y = d_[p.row + 2 * lanes];
    p.sunk = d_[p.row];
    p.slip = std::sqrt(x * x + y * y);
  }
}

/// Lowers alphas whose friction leaves its cone or slips too little, raises them where displacements leave the bound. False where nothing
/// has to change.
bool SlipSearch::adapt(double& worst) {
  bool far = false, changed = false;
  worst = 0;
  for (const Point& p : points_) far = far || std::abs(p.sunk) > bound_ || p.slip > bound_;
  for (Point& p : points_) {
    const double friction = p.alpha * p.slip, limit = p.mu * p.lambda * (1 - settings_.cone_room);
    if (friction <= settings_.friction_dust && !far) continue;
    if (friction > limit) {
      worst = std::max(worst, friction - limit);
      changed = changed || friction > settings_.friction_dust;
      const double aim = limit <= settings_.force_dust ? 0 : limit * (1 - settings_.overshoot) / p.slip;
      p.alpha = std::max(aim, p.alpha / settings_.most_change);
      if (aim == 0 && friction < settings_.snap) p.alpha = 0;
    } else if (friction > settings_.friction_dust && p.slip < least_slip_ * (1 + settings_.cone_room)) {
      changed = true;
      p.alpha *= std::max(p.slip / least_slip_ / 2, 1 / settings_.most_change);
      if (friction < settings_.snap) p.alpha = 0;
    } else if (far && p.lambda > settings_.force_dust && p.slip > settings_.far_share * bound_) {
      changed = true;
      p.alpha = std::min(std::max(p.alpha, settings_.tolerance) * settings_.most_change, limit / p.slip);
    }
  }
  return changed || far;
}

SlipSearchReport SlipSearch::run(const model::Assembly& assembly, const Deadline& deadline) {
  SlipSearchReport report;
  for (Point& p : points_) {
    p.mu = assembly.interfaces[static_cast<std::size_t>(p.interface)].mu;
    p.alpha = p.mu > 0 ? settings_.start_alpha : 0;
  }
  double worst = 0;
  for (report.rounds = 1; report.rounds <= settings_.rounds && factorizations_ < settings_.most_factorizations; ++report.rounds) {
    const bool found = find_motion(deadline);
    report.factorizations = factorizations_;
    if (deadline.passed()) {
      report.status = SolveStatus::time_limit;
      report.reason = "the time limit came first";
      return report;
    }
    measure();
    if (!adapt(worst) && found) {
      report.status = SolveStatus::solved;
      report.reason = "a motion whose friction stays inside the cones";
      return report;
    }
  }
  report.status = SolveStatus::iteration_limit;
  report.reason = "no slips were met whose friction stays inside the cones";
  return report;
}

void SlipSearch::write(const model::Assembly& assembly, double give, CoupledPair& pair) const {
  std::vector<double> force(weights_.size(), 0.0), q(q_);
  for (double& v : q) v *= give;
  std::fill(pair.alpha.begin(), pair.alpha.end(), 0.0);
  std::vector<std::size_t> next(contacts_.first_vertex.begin(), contacts_.first_vertex.end());
  for (const Point& p : points_) {
    const std::size_t vertex = next[static_cast<std::size_t>(p.interface)]++;
    if (p.lambda <= settings_.force_dust) continue;
    force[p.row] = p.lambda;
    if (p.alpha * p.slip <= settings_.friction_dust) continue;
    pair.alpha[vertex] = p.alpha * contacts_.weight_N / give;
    force[p.row + lanes] = -p.alpha * d_[p.row + lanes];
    force[p.row + 2 * lanes] = -p.alpha * d_[p.row + 2 * lanes];
  }
  pair.forces = world_forces(contacts_, assembly, force);
  pair.displacements = block_velocities(contacts_, q);
}

}  // namespace

SlipSearchReport search_slips(const model::Assembly& assembly, const constraints::ContactRows& contacts, const CoupledLengths& lengths,
                              const SlipSearchSettings& settings, const Deadline& deadline, CoupledPair& pair) {
  SlipSearch search(contacts, lengths.bound, lengths.least_slip, settings);
  const SlipSearchReport report = search.run(assembly, deadline);
  search.write(assembly, lengths.give, pair);
  return report;
}

}  // namespace trilith::statics
