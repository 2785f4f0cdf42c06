// Quadratic and conic programs through the splitting (ADM-1..7), polished (ADM-10).
#include "solve/admm_qp.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/lanes.h"
#include "rows/scaling.h"
#include "solve/dense_system.h"
#include "solve/vectors.h"

namespace trilith::solve {
namespace {

constexpr double pivot_tolerance = 1e-16;  // weights span many decades in a polish

std::size_t size(int n) { return static_cast<std::size_t>(n); }

/// Rows over the variables and the chained unknowns of long norm bounds, in groups: equalities, bounds, norms.
class SplitProgram {
 public:
  SplitProgram(const certify::QuadraticProgram& program, const AdmmQpSettings& settings);

  int unknowns() const { return unknowns_; }
  std::size_t rows() const { return h_lower_.size(); }
  AdmmProblem problem() const { return {q_, groups_}; }
  DenseSystem& system() { return *system_; }
  bool has_norms() const { return first_norm_ < rows(); }
  std::span<const double> lower() const { return h_lower_; }
  std::span<const double> upper() const { return h_upper_; }
  std::span<const double> q() const { return q_; }

  /// In the words of the program: x, and multipliers times `scale`, signs against absent bounds taken out.
  std::vector<double> variables(std::span<const double> x) const;
  void write_multipliers(std::span<const double> y, bool of_a_ray, ProgramPoint& point) const;
  /// The other way: x and y of a point, chained unknowns left at zero.
  void read_point(const ProgramPoint& point, AdmmState& state) const;

 private:
  struct Source {
    int row = -1;   // of A
    int norm = -1;  // place in Multipliers::norm
  };
  void add_rows(bool equalities);
  void add_norm(const certify::NormBound& bound, int first_place);
  void add_group(rows::SetKind set, int count, int block, double factor);
  void put_unit(int unknown, int norm_place);
  void equilibrate(const AdmmQpSettings& settings);

  const certify::QuadraticProgram& program_;
  int unknowns_ = 0;
  std::size_t first_norm_ = 0;
  std::vector<std::vector<double>> g_;
  std::vector<Source> source_;
  std::vector<double> h_lower_, h_upper_, radius_, mu_;
  std::vector<AdmmGroup> groups_;
  std::vector<double> q_, row_scale_, column_scale_;
  double cost_scale_ = 1;
  std::unique_ptr<DenseSystem> system_;
};

SplitProgram::SplitProgram(const certify::QuadraticProgram& program, const AdmmQpSettings& settings)
    : program_(program), unknowns_(program.variables) {
  add_rows(true);
  const int equalities = static_cast<int>(g_.size());
  add_rows(false);
  if (equalities > 0) add_group(rows::SetKind::box, equalities, 1, settings.equality_factor);
  if (const int bounds = static_cast<int>(g_.size()) - equalities; bounds > 0) add_group(rows::SetKind::box, bounds, 1, 1);
  first_norm_ = g_.size();
  radius_.reserve(program.norms.size());
  int place = 0;
  std::size_t cones = 0;
  for (const certify::NormBound& bound : program.norms) cones += bound.entries.size() / 4 + 1;
  mu_.assign(cones, 1.0);
  for (const certify::NormBound& bound : program.norms) {
    add_norm(bound, place);
    place += static_cast<int>(bound.entries.size());
  }
  equilibrate(settings);
}

void SplitProgram::add_rows(bool equalities) {
  const std::size_t n = size(program_.variables);
  for (int i = 0; i < program_.rows; ++i) {
    const double low = program_.lower[size(i)], high = program_.upper[size(i)];
    if ((low == high) != equalities) continue;
    const auto row = program_.A.subspan(size(i) * n, n);
    g_.emplace_back(row.begin(), row.end());
    source_.push_back({i, -1});
    h_lower_.push_back(low);
    h_upper_.push_back(high);
  }
}

void SplitProgram::add_group(rows::SetKind set, int count, int block, double factor) {
  AdmmGroup group;
  group.rows.name = "rows";
  group.rows.set = set;
  group.rows.mechanism = rows::Mechanism::admm;
  group.rows.first = groups_.empty() ? 0 : groups_.back().rows.end();
  group.rows.count = count;
  group.rows.block = block;
  group.rho_factor = factor;
  groups_.push_back(group);
}

void SplitProgram::put_unit(int unknown, int norm_place) {
  std::vector<double>& row = g_.emplace_back(size(std::max(unknown + 1, unknowns_)), 0.0);
  row[size(unknown)] = 1;
  source_.push_back({-1, norm_place});
  h_lower_.push_back(0);
  h_upper_.push_back(0);
}

/// A ball of the entries; more than one set may hold: |first five| <= w_1, |(w_1, next four)| <= w_2, ..., the last within the radius.
/// (QP-5)
void SplitProgram::add_norm(const certify::NormBound& bound, int first_place) {
  int held = -1, next = 0;
  const int count = static_cast<int>(bound.entries.size());
  const auto room = [&] { return rows::most_block_rows - (held < 0 ? 0 : 1); };
  while (count - next > room()) {
    const int before = held, taken = room() - 1;
    held = unknowns_++;
    put_unit(held, -1);
    if (before >= 0) put_unit(before, -1);
    for (int k = 0; k < taken; ++k, ++next) put_unit(bound.entries[size(next)], first_place + next);
    add_group(rows::SetKind::friction_cone, 1 + (before >= 0 ? 1 : 0) + taken, 1 + (before >= 0 ? 1 : 0) + taken, 1);
    groups_.back().rows.mu = std::span(mu_).first(1);
  }
  if (count == 0) return;
  const int rest = count - next + (held < 0 ? 0 : 1);
  if (held >= 0) put_unit(held, -1);
  for (; next < count; ++next) put_unit(bound.entries[size(next)], first_place + next);
  radius_.push_back(bound.radius);
  add_group(rows::SetKind::disc, rest, rest, 1);
  groups_.back().rows.radius = std::span(radius_).last(1);
}

/// Rows, columns and cost near 1; bounds and radii follow.
void SplitProgram::equilibrate(const AdmmQpSettings& settings) {
  const std::size_t n = size(unknowns_), given = size(program_.variables), quadratic = program_.P.empty() ? 0 : n,
                    count = quadratic + g_.size();
  std::vector<double> stack(count * n, 0.0);
  for (std::size_t i = 0; i < given && quadratic > 0; ++i)
    for (std::size_t j = 0; j < given; ++j) stack[i * n + j] = program_.P[i * given + j];
  for (std::size_t i = 0; i < g_.size(); ++i)
    std::copy(g_[i].begin(), g_[i].end(), stack.begin() + static_cast<std::ptrdiff_t>((quadratic + i) * n));
  std::vector<std::int32_t> start(count + 1), column(stack.size());
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = static_cast<std::int32_t>(i * n);
  for (std::size_t k = 0; k < column.size(); ++k) column[k] = static_cast<std::int32_t>(k % std::max<std::size_t>(n, 1));
  std::vector<rows::RowGroup> blocks;
  for (const AdmmGroup& group : groups_) {
    if (group.rows.set == rows::SetKind::box) continue;
    blocks.push_back(group.rows);
    blocks.back().first += static_cast<std::int32_t>(quadratic);
  }
  rows::Scaling scaling = rows::make_scaling(static_cast<std::int32_t>(count), static_cast<std::int32_t>(n));
  std::vector<double> scaled = stack;
  rows::equilibrate(blocks, {settings.scaling_passes},
                    {static_cast<std::int32_t>(count), static_cast<std::int32_t>(n), start, column, scaled}, scaling);
  column_scale_ = scaling.column;
  row_scale_.assign(scaling.row.begin() + static_cast<std::ptrdiff_t>(quadratic), scaling.row.end());

  std::vector<double> P, G;
  double cost = 0;
  for (std::size_t i = 0; i < quadratic; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      P.push_back(stack[i * n + j] * column_scale_[i] * column_scale_[j]);
      cost = std::max(cost, abs(P.back()));
    }
  q_.assign(n, 0.0);
  for (std::size_t j = 0; j < given; ++j) cost = std::max(cost, abs(q_[j] = program_.q[j] * column_scale_[j]));
  cost_scale_ = cost > 0 ? 1 / cost : 1;
  for (double& v : P) v *= cost_scale_;
  for (double& v : q_) v *= cost_scale_;
  for (std::size_t i = 0; i < g_.size(); ++i) {
    for (std::size_t j = 0; j < n; ++j) G.push_back(stack[(quadratic + i) * n + j] * row_scale_[i] * column_scale_[j]);
    h_lower_[i] *= row_scale_[i];
    h_upper_[i] *= row_scale_[i];
  }
  std::size_t ball = 0;
  for (AdmmGroup& group : groups_) {
    const auto first = size(group.rows.first);
    if (group.rows.set == rows::SetKind::box) {
      group.rows.lower = std::span(h_lower_).subspan(first, size(group.rows.count));
      group.rows.upper = std::span(h_upper_).subspan(first, size(group.rows.count));
    }
    if (group.rows.set == rows::SetKind::disc) radius_[ball++] *= row_scale_[first];
  }
  std::vector<DensePoint> points;
  for (std::size_t i = 0; i < g_.size(); ++i) points.push_back({i, 1});
  system_ = std::make_unique<DenseSystem>(unknowns_, std::move(P), std::move(G), std::move(points), g_.size(), pivot_tolerance);
}

std::vector<double> SplitProgram::variables(std::span<const double> x) const {
  std::vector<double> out(size(program_.variables));
  for (std::size_t j = 0; j < out.size(); ++j) out[j] = x[j] * column_scale_[j];
  return out;
}

void SplitProgram::write_multipliers(std::span<const double> y, bool of_a_ray, ProgramPoint& point) const {
  point.y.assign(size(program_.rows), 0.0);
  point.norm.clear();
  for (const certify::NormBound& bound : program_.norms) point.norm.resize(point.norm.size() + bound.entries.size(), 0.0);
  for (std::size_t i = 0; i < source_.size(); ++i) {
    const double value = row_scale_[i] * y[i] / (of_a_ray ? 1 : cost_scale_);
    if (source_[i].row >= 0) {
      const std::size_t row = size(source_[i].row);
      const bool open = value > 0 ? !std::isfinite(program_.upper[row]) : !std::isfinite(program_.lower[row]);
      point.y[row] = open ? 0 : value;
    } else if (source_[i].norm >= 0) {
      point.norm[size(source_[i].norm)] = value;
    }
  }
  if (!of_a_ray) return;
  const double largest = std::max(largest_of(point.y), largest_of(point.norm));
  if (largest > 0)
    for (auto* part : {&point.y, &point.norm})
      for (double& v : *part) v /= largest;
}

void SplitProgram::read_point(const ProgramPoint& point, AdmmState& state) const {
  for (std::size_t j = 0; j < point.x.size(); ++j) state.x[j] = point.x[j] / column_scale_[j];
  for (std::size_t i = 0; i < source_.size(); ++i) {
    const bool of_row = source_[i].row >= 0;
    const std::vector<double>& from = of_row ? point.y : point.norm;
    const int at = of_row ? source_[i].row : source_[i].norm;
    if (at >= 0 && size(at) < from.size()) state.y[i] = from[size(at)] * cost_scale_ / row_scale_[i];
  }
}

/// Rays to the judge of programs.
class ProgramWatcher final : public AdmmWatcher {
 public:
  ProgramWatcher(const certify::QuadraticProgram& program, const SplitProgram& split) : program_(program), split_(split) {}
  bool accept_contradiction(std::span<const double> y) noexcept override {
    split_.write_multipliers(y, true, ray);
    return certify::verify_infeasibility_ray(program_, {ray.y, ray.norm}, {}).accepted;
  }
  bool accept_unbounded(std::span<const double> x) noexcept override {
    ray.x = split_.variables(x);
    const double largest = largest_of(ray.x);
    for (double& v : ray.x) v /= largest > 0 ? largest : 1;
    return certify::verify_unbounded_ray(program_, ray.x, {}).accepted;
  }
  ProgramPoint ray;

 private:
  const certify::QuadraticProgram& program_;
  const SplitProgram& split_;
};

/// Both residuals of (ADM-4), each over 1 and its scale; z is the projection of G x.
struct Residuals {
  double primal = 0, dual = 0;
};

Residuals measure(SplitProgram& split, std::span<const double> x, std::span<const double> y) {
  std::vector<double> row(split.rows()), px(x.size()), gy(x.size());
  split.system().apply(x, row);
  split.system().apply_quadratic(x, px);
  split.system().apply_transposed(y, gy);
  Residuals r;
  for (std::size_t i = 0; i < row.size(); ++i) {
    raise(split.lower()[i] - row[i], r.primal);
    raise(row[i] - split.upper()[i], r.primal);
  }
  for (std::size_t j = 0; j < x.size(); ++j) raise(abs(px[j] + split.q()[j] + gy[j]), r.dual);
  r.primal /= 1 + largest_of(row);
  r.dual /= 1 + std::max({largest_of(px), largest_of(gy), largest_of(split.q())});
  return r;
}

/// Solves for the active bounds as equalities; true where x and y got better (ADM-10).
bool polish(SplitProgram& split, const AdmmQpSettings& settings, AdmmState& state) {
  const std::size_t m = split.rows(), n = state.x.size();
  std::vector<double> weight(m, 0.0), target(m, 0.0), x(n, 0.0), v(m, 0.0), row(m), right(n), work(n);
  for (std::size_t i = 0; i < m; ++i) {
    if (state.y[i] == 0 && split.lower()[i] != split.upper()[i]) continue;
    target[i] = state.y[i] > 0 ? split.upper()[i] : split.lower()[i];
    if (std::isfinite(target[i])) weight[i] = 1 / settings.polish_delta;
  }
  DenseSystem& system = split.system();
  system.set_proximal(settings.polish_delta);
  system.set_weights({RowWeights::Shape::diagonal, weight});
  if (!system.factor().finite) return false;
  for (int k = 0; k < settings.polish_refinements; ++k) {
    // what (x, v) leaves of stationarity and of the active rows
    system.apply(x, row);
    for (std::size_t i = 0; i < m; ++i) row[i] = weight[i] > 0 ? weight[i] * (target[i] - row[i]) - v[i] : 0.0;
    system.apply_transposed(row, right);
    system.apply_quadratic(x, work);
    for (std::size_t j = 0; j < n; ++j) right[j] -= split.q()[j] + work[j];
    system.solve(right, 1);
    for (std::size_t j = 0; j < n; ++j) x[j] += right[j];
    // v += (E dx - (e - E x before)) / delta = (E x now - e) / delta
    system.apply(x, row);
    for (std::size_t i = 0; i < m; ++i)
      if (weight[i] > 0) v[i] += weight[i] * (row[i] - target[i]);
  }
  for (std::size_t i = 0; i < m; ++i) {
    if (split.lower()[i] == split.upper()[i]) continue;
    const bool wrong = target[i] == split.upper()[i] ? v[i] < 0 : v[i] > 0;
    if (wrong) v[i] = 0;
  }
  const Residuals before = measure(split, state.x, state.y), after = measure(split, x, v);
  if (!(after.primal <= before.primal && after.dual <= before.dual)) return false;
  state.x = x;
  state.y = v;
  return true;
}

}  // namespace

ConicQpReport solve_admm_qp(const certify::QuadraticProgram& program, const AdmmQpSettings& settings, const Deadline& deadline,
                            const ProgramPoint* start) {
  SplitProgram split(program, settings);
  AdmmState state(split.unknowns(), split.rows());
  ProgramWatcher watcher(program, split);
  const AdmmProblem problem = split.problem();
  if (start != nullptr) split.read_point(*start, state);
  start_admm(split.system(), problem, state);
  const AdmmReport report = admm(split.system(), problem, state, settings.loop, deadline, watcher);
  ConicQpReport answer{report.status, report.iterations, {}};
  if (report.status == SolveStatus::primal_infeasible || report.status == SolveStatus::dual_infeasible) {
    answer.point = watcher.ray;
    return answer;
  }
  if (report.status == SolveStatus::numerical_failure) return answer;
  const bool late = report.status == SolveStatus::time_limit;
  const bool better = !late && !split.has_norms() && polish(split, settings, state);
  const Residuals left = measure(split, state.x, state.y);
  if (report.status != SolveStatus::solved && !late && !split.has_norms()) {
    const double worst = std::max(left.primal, left.dual);
    if (better && worst <= settings.loop.tol_rel)
      answer.status = SolveStatus::solved;
    else if (worst <= settings.inaccurate)
      answer.status = SolveStatus::solved_inaccurate;
  }
  answer.point.x = split.variables(state.x);
  split.write_multipliers(state.y, false, answer.point);
  return answer;
}

bool is_proved(const certify::QuadraticProgram& program, const ConicQpReport& report) {
  const certify::Multipliers multipliers{report.point.y, report.point.norm};
  switch (report.status) {
    case SolveStatus::solved:
      return certify::verify_kkt_point(program, report.point.x, multipliers, {}).accepted;
    case SolveStatus::primal_infeasible:
      return certify::verify_infeasibility_ray(program, multipliers, {}).accepted;
    case SolveStatus::dual_infeasible:
      return certify::verify_unbounded_ray(program, report.point.x, {}).accepted;
    default:
      return false;
  }
}

ConicQpReport solve_program(const certify::QuadraticProgram& program, const ConicQpSettings& conic, const AdmmQpSettings& splitting,
                            const Deadline& deadline, bool& polished) {
  polished = false;
  ConicQpReport first = solve_conic_qp(program, conic, deadline);
  if (first.status == SolveStatus::time_limit || first.status == SolveStatus::iteration_limit || is_proved(program, first)) return first;
  const bool point = first.status == SolveStatus::solved || first.status == SolveStatus::solved_inaccurate;
  ConicQpReport second = solve_admm_qp(program, splitting, deadline, point ? &first.point : nullptr);
  second.iterations += first.iterations;
  polished = is_proved(program, second);
  return polished ? second : first;
}

}  // namespace trilith::solve
