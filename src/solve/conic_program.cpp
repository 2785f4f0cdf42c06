// A quadratic or conic program as rows for the conic iteration (QP-4), (QP-5).
#include "solve/conic_program.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/lanes.h"
#include "linalg/pivoted_qr.h"
#include "rows/scaling.h"
#include "solve/vectors.h"

namespace trilith::solve {
namespace {

std::size_t size(int n) { return static_cast<std::size_t>(n); }

}  // namespace

/// Free directions of the equalities: x = offset + columns v.
struct ConicProgram::Basis {
  linalg::PivotedQr qr;
  std::vector<double> row_length;            // of every equality
  std::vector<double> offset;                // a point on all of them
  std::vector<std::vector<double>> columns;  // orthonormal
};

ConicProgram::ConicProgram(const certify::QuadraticProgram& program, const std::vector<bool>& wanted, const ConicProgramSettings& settings)
    : program_(program), wanted_(wanted), settings_(settings) {
  list_equalities();
  eliminate();
  if (contradiction_) return;
  for (int i = 0; i < program_.rows && !contradiction_; ++i) {
    const double low = program_.lower[size(i)], high = program_.upper[size(i)];
    if (low == high) continue;
    if (std::isfinite(high) && wanted_[2 * size(i) + 1]) add_bound(i, 1);
    if (std::isfinite(low) && wanted_[2 * size(i)] && !contradiction_) add_bound(i, -1);
  }
  if (contradiction_) return;
  add_norms();
  build();
}

void ConicProgram::list_equalities() {
  for (int i = 0; i < program_.rows; ++i)
    if (program_.lower[size(i)] == program_.upper[size(i)]) equalities_.push_back({i, -1, -1, program_.lower[size(i)]});
  int place = 0;
  for (const certify::NormBound& bound : program_.norms)
    for (const int variable : bound.entries) {
      if (bound.radius == 0) equalities_.push_back({-1, place, variable, 0});
      ++place;
    }
}

std::vector<double> ConicProgram::coefficients(const Equality& equality) const {
  const std::size_t n = size(program_.variables);
  if (equality.row >= 0) {
    const auto row = program_.A.subspan(size(equality.row) * n, n);
    return {row.begin(), row.end()};
  }
  std::vector<double> unit(n, 0.0);
  unit[size(equality.variable)] = 1;
  return unit;
}

/// Orthogonal factors of the equalities, a point on them, their free directions; or the contradiction among them. (QP-4)
void ConicProgram::eliminate() {
  const std::size_t n = size(program_.variables);
  std::vector<double> columns, lengths, values;
  for (const Equality& equality : equalities_) {
    std::vector<double> a = coefficients(equality);
    const double length = length_of(a), scale = length > 0 ? 1 / length : 1;
    for (double& v : a) v *= scale;
    columns.insert(columns.end(), a.begin(), a.end());
    lengths.push_back(length > 0 ? length : 1);
    values.push_back(equality.value * scale);
  }
  linalg::PivotedQr qr(std::move(columns), program_.variables, static_cast<int>(equalities_.size()), settings_.rank_tolerance);
  const int rank = qr.rank();
  std::vector<double> offset(n, 0.0);
  for (int k = 0; k < rank; ++k) offset[size(k)] = values[size(qr.column(k))];
  qr.solve_r_transposed(offset);

  // what depends on the others must agree with them
  for (int k = rank; k < static_cast<int>(equalities_.size()) && !contradiction_; ++k) {
    double predicted = 0;
    std::vector<double> combination(n + equalities_.size(), 0.0);
    for (int i = 0; i < rank; ++i) {
      predicted += qr.r(i, k) * offset[size(i)];
      combination[size(i)] = -qr.r(i, k);
    }
    const double value = values[size(qr.column(k))], misfit = value - predicted;
    if (!(abs(misfit) > settings_.consistency_tolerance * std::max({1.0, abs(value), abs(predicted)}))) continue;
    qr.solve_r(combination);
    const double sign = misfit > 0 ? -1 : 1;
    ProgramPoint ray{{}, std::vector<double>(size(program_.rows), 0.0), {}};
    for (const certify::NormBound& bound : program_.norms) ray.norm.resize(ray.norm.size() + bound.entries.size(), 0.0);
    const auto put = [&](int place, double amount) {
      const Equality& equality = equalities_[size(qr.column(place))];
      (equality.row >= 0 ? ray.y[size(equality.row)] : ray.norm[size(equality.norm)]) = sign * amount / lengths[size(qr.column(place))];
    };
    for (int i = 0; i < rank; ++i) put(i, combination[size(i)]);
    put(k, 1);
    contradiction_ = std::move(ray);
  }
  qr.multiply_q(offset);
  std::vector<std::vector<double>> free;
  for (int j = rank; j < program_.variables; ++j) {
    std::vector<double> column(n, 0.0);
    column[size(j)] = 1;
    qr.multiply_q(column);
    free.push_back(std::move(column));
  }
  free_ = static_cast<int>(free.size());
  basis_ = std::make_shared<const Basis>(Basis{std::move(qr), std::move(lengths), std::move(offset), std::move(free)});
}

std::vector<double> ConicProgram::along_free(std::span<const double> a) const {
  std::vector<double> out(size(free_));
  for (std::size_t j = 0; j < out.size(); ++j) out[j] = dot_of(a, basis_->columns[j]);
  return out;
}

double ConicProgram::at_offset(std::span<const double> a) const { return dot_of(a, basis_->offset); }

/// sign a'x <= sign bound as a ray: s = sign (bound - a'x0) - sign a'N v >= 0.
void ConicProgram::add_bound(int row, double sign) {
  const std::size_t n = size(program_.variables);
  const auto a = program_.A.subspan(size(row) * n, n);
  const double bound = sign > 0 ? program_.upper[size(row)] : program_.lower[size(row)];
  Cone cone;
  cone.source = {row, sign, {-1, -1}};
  cone.g[0] = along_free(a);
  const double reached = at_offset(a);
  cone.h[0] = sign * (bound - reached);
  if (largest_of(cone.g[0]) <= settings_.constant_tolerance * length_of(a)) {
    if (cone.h[0] < -settings_.consistency_tolerance * std::max({1.0, abs(bound), abs(reached)})) contradict(row, sign);
    return;
  }
  for (double& v : cone.g[0]) v *= sign;
  cones_.push_back(std::move(cone));
}

/// A bound of a row that the equalities fix beyond it: the ray is that row and the equalities that make it.
void ConicProgram::contradict(int row, double sign) {
  ProgramPoint ray{{}, std::vector<double>(size(program_.rows), 0.0), {}};
  for (const certify::NormBound& bound : program_.norms) ray.norm.resize(ray.norm.size() + bound.entries.size(), 0.0);
  ray.y[size(row)] = sign;
  std::vector<double> gradient(size(program_.variables));
  for (std::size_t j = 0; j < gradient.size(); ++j) gradient[j] = sign * program_.A[size(row) * gradient.size() + j];
  balance_equalities(gradient, ray);
  contradiction_ = std::move(ray);
}

/// |x_e| <= radius. More than two entries: |(x_1, x_2)| <= w_1, |(w_1, x_3)| <= w_2, ..., the last within the radius. (QP-5)
void ConicProgram::add_norms() {
  const std::size_t n = size(program_.variables);
  int place = 0;
  for (const certify::NormBound& bound : program_.norms) {
    const int first = place, count = static_cast<int>(bound.entries.size());
    place += count;
    if (bound.radius == 0 || count == 0) continue;
    const auto tail = [&](int k, Cone& cone, int part) {
      std::vector<double> unit(n, 0.0);
      unit[size(bound.entries[size(k)])] = 1;
      cone.g[part] = along_free(unit);
      for (double& v : cone.g[part]) v = -v;
      cone.h[part] = at_offset(unit);
      cone.source.norm[part - 1] = first + k;
    };
    int held = -1;  // chain variable that bounds the entries so far
    for (int k = std::min(count, 2) - 1; k < count; ++k) {
      Cone cone;
      cone.parts = 3;
      for (auto& g : cone.g) g.assign(size(free_), 0.0);
      if (held < 0) {
        tail(0, cone, 1);
        if (count > 1) tail(1, cone, 2);
      } else {
        cone.g[1].resize(size(free_ + held) + 1, 0.0);
        cone.g[1].back() = -1;
        tail(k, cone, 2);
      }
      if (k + 1 == count) {
        cone.h[0] = bound.radius;
      } else {
        held = chained_++;
        cone.g[0].resize(size(free_ + held) + 1, 0.0);
        cone.g[0].back() = -1;
      }
      cones_.push_back(std::move(cone));
    }
  }
}

/// Rays before norms, each in its order; their number.
std::size_t ConicProgram::sort_cones() {
  std::vector<Cone> sorted;
  for (const int parts : {1, 3})
    for (Cone& cone : cones_)
      if (cone.parts == parts) sorted.push_back(std::move(cone));
  cones_ = std::move(sorted);
  return static_cast<std::size_t>(std::count_if(cones_.begin(), cones_.end(), [](const Cone& cone) { return cone.parts == 1; }));
}

/// N'P N and the gradient of the cost along the free directions at the offset; chained unknowns cost nothing.
void ConicProgram::project_cost(Dense& dense) const {
  const std::size_t m = size(unknowns()), n = size(program_.variables);
  std::vector<double> gradient(program_.q.begin(), program_.q.end());
  if (!program_.P.empty()) {
    dense.P.assign(m * m, 0.0);
    for (std::size_t j = 0; j < size(free_); ++j) {
      std::vector<double> image(n);
      for (std::size_t i = 0; i < n; ++i) image[i] = dot_of(program_.P.subspan(i * n, n), basis_->columns[j]);
      for (std::size_t i = 0; i < size(free_); ++i) dense.P[i * m + j] = dot_of(basis_->columns[i], image);
    }
    for (std::size_t i = 0; i < n; ++i) gradient[i] += dot_of(program_.P.subspan(i * n, n), basis_->offset);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < i; ++j) dense.P[i * m + j] = dense.P[j * m + i] = 0.5 * (dense.P[i * m + j] + dense.P[j * m + i]);
  }
  dense.q = along_free(gradient);
  dense.q.resize(m, 0.0);
}

/// G and its right-hand side, cone by cone.
void ConicProgram::stack_rows(Dense& dense) const {
  for (const Cone& cone : cones_)
    for (int part = 0; part < cone.parts; ++part) {
      std::vector<double> row = cone.g[part];
      row.resize(size(unknowns()), 0.0);
      dense.G.insert(dense.G.end(), row.begin(), row.end());
      dense.h.push_back(cone.h[part]);
    }
}

/// Equilibrates [P; G] with one scale for the rows of a cone, and brings the cost to size 1.
void ConicProgram::equilibrate(std::size_t rays, Dense& dense) {
  const std::size_t m = size(unknowns()), quadratic = dense.P.empty() ? 0 : m, count = quadratic + dense.h.size();
  std::vector<rows::RowGroup> blocks;
  if (dense.h.size() > rays) {
    rows::RowGroup& norms = blocks.emplace_back();
    norms.first = static_cast<std::int32_t>(quadratic + rays);
    norms.count = static_cast<std::int32_t>(dense.h.size() - rays);
    norms.block = 3;
  }
  std::vector<double> stack = dense.P;
  stack.insert(stack.end(), dense.G.begin(), dense.G.end());
  std::vector<std::int32_t> start(count + 1), column(stack.size());
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = static_cast<std::int32_t>(i * m);
  for (std::size_t k = 0; k < column.size(); ++k) column[k] = static_cast<std::int32_t>(k % std::max<std::size_t>(m, 1));
  rows::Scaling scaling = rows::make_scaling(static_cast<std::int32_t>(count), static_cast<std::int32_t>(m));
  rows::equilibrate(blocks, {settings_.scaling_passes},
                    {static_cast<std::int32_t>(count), static_cast<std::int32_t>(m), start, column, stack}, scaling);
  column_scale_ = scaling.column;
  row_scale_.assign(scaling.row.begin() + static_cast<std::ptrdiff_t>(quadratic), scaling.row.end());

  // lengths in units of the smallest right-hand side that is no dust, so that a program in nanometres is the one in metres
  for (std::size_t i = 0; i < dense.h.size(); ++i) dense.h[i] *= row_scale_[i];
  const double reach = largest_of(dense.h);
  length_ = reach > 0 ? reach : 1;
  for (const double v : dense.h)
    if (abs(v) > settings_.dust * reach) length_ = std::min(length_, abs(v));
  for (double& v : dense.h) v /= length_;
  for (double& v : dense.P) v *= length_;
  for (std::size_t i = 0; i < dense.h.size(); ++i) {
    for (std::size_t j = 0; j < m; ++j) dense.G[i * m + j] *= row_scale_[i] * column_scale_[j];
  }
  double cost = 0;
  for (std::size_t j = 0; j < m; ++j) cost = std::max(cost, abs(dense.q[j] *= column_scale_[j]));
  for (std::size_t k = 0; k < dense.P.size(); ++k) cost = std::max(cost, abs(dense.P[k] *= column_scale_[k / m] * column_scale_[k % m]));
  cost_scale_ = cost > 0 ? 1 / cost : 1;
  for (double& v : dense.P) v *= cost_scale_;
  for (double& v : dense.q) v *= cost_scale_;
}

/// Rays first, one slot for each eight, without friction; then the cones of three rows, with friction 1.
void ConicProgram::lay_out_lanes(std::size_t rays, std::span<const double> h) {
  const std::size_t lanes = rows::patch_lanes;
  const std::size_t ray_slots = (rays + lanes - 1) / lanes, norm_slots = (cones_.size() - rays + lanes - 1) / lanes;
  slots_.assign(ray_slots + norm_slots, rows::PatchSlot{});
  groups_.assign(2, rows::PatchGroup{});
  groups_[0].slots = static_cast<std::int32_t>(ray_slots);
  groups_[1].first_slot = static_cast<std::int32_t>(ray_slots);
  groups_[1].slots = static_cast<std::int32_t>(norm_slots);
  mu_.assign(2 * lanes, 0.0);
  std::fill(mu_.begin() + static_cast<std::ptrdiff_t>(lanes), mu_.end(), 1.0);
  offset_.assign(slots_.size() * rows::slot_rows, 0.0);
  std::size_t natural = 0;
  for (std::size_t k = 0; k < cones_.size(); ++k) {
    const std::size_t slot = k < rays ? k / lanes : ray_slots + (k - rays) / lanes, lane = (k < rays ? k : k - rays) % lanes;
    slots_[slot].used[lane] = 1;
    points_.push_back({slot * rows::slot_rows + lane, cones_[k].parts});
    for (int part = 0; part < cones_[k].parts; ++part, ++natural) offset_[points_.back().row + size(part) * lanes] = h[natural];
  }
}

void ConicProgram::build() {
  const std::size_t rays = sort_cones();
  Dense dense;
  project_cost(dense);
  stack_rows(dense);
  equilibrate(rays, dense);
  lay_out_lanes(rays, dense.h);
  load_.resize(dense.q.size());
  for (std::size_t j = 0; j < load_.size(); ++j) load_[j] = -dense.q[j];
  system_ =
      std::make_unique<DenseSystem>(unknowns(), std::move(dense.P), std::move(dense.G), points_, offset_.size(), settings_.pivot_tolerance);
}

ConicProblem ConicProgram::problem() const noexcept {
  return {{groups_.data(), slots_.data(), 2, mu_.data()}, static_cast<int>(cones_.size()), load_, offset_};
}

/// scale (x0 + N D v), or without x0.
std::vector<double> ConicProgram::to_variables(std::span<const double> x, double scale, bool with_offset) const {
  std::vector<double> out(size(program_.variables), 0.0);
  if (with_offset) out = basis_->offset;
  for (std::size_t j = 0; j < size(free_); ++j)
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += scale * length_ * x[j] * column_scale_[j] * basis_->columns[j][i];
  return out;
}

/// Multipliers of bounds and norms from z; those of equalities stay zero.
void ConicProgram::write_multipliers(const SelfDual& iteration, double scale, ProgramPoint& point) const {
  point.y.assign(size(program_.rows), 0.0);
  point.norm.clear();
  for (const certify::NormBound& bound : program_.norms) point.norm.resize(point.norm.size() + bound.entries.size(), 0.0);
  std::size_t natural = 0;
  for (std::size_t k = 0; k < cones_.size(); ++k)
    for (int part = 0; part < cones_[k].parts; ++part, ++natural) {
      const double z = scale * row_scale_[natural] * iteration.z()[points_[k].row + size(part) * rows::patch_lanes];
      const Source& source = cones_[k].source;
      if (source.row >= 0)
        point.y[size(source.row)] += source.sign * z;
      else if (part > 0 && source.norm[part - 1] >= 0)
        point.norm[size(source.norm[part - 1])] = -z;
    }
}

/// Multipliers of the equalities that cancel `gradient` as far as their rows reach: E'w = -gradient in least squares.
void ConicProgram::balance_equalities(std::span<const double> gradient, ProgramPoint& point) const {
  std::vector<double> w(gradient.size());
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = -gradient[i];
  basis_->qr.multiply_q_transposed(w);
  basis_->qr.solve_r(w);
  for (int k = 0; k < basis_->qr.rank(); ++k) {
    const std::size_t index = size(basis_->qr.column(k));
    const Equality& equality = equalities_[index];
    const double value = w[size(k)] / basis_->row_length[index];
    if (equality.row >= 0)
      point.y[size(equality.row)] = value;
    else
      point.norm[size(equality.norm)] = value;
  }
}

ProgramPoint ConicProgram::solution(const SelfDual& iteration) const {
  ProgramPoint point;
  point.x = to_variables(iteration.x(), 1 / iteration.tau(), true);
  write_multipliers(iteration, 1 / (iteration.tau() * cost_scale_), point);
  std::vector<double> gradient(program_.q.begin(), program_.q.end());
  const std::size_t n = gradient.size();
  for (std::size_t i = 0; i < n && !program_.P.empty(); ++i) gradient[i] += dot_of(program_.P.subspan(i * n, n), point.x);
  for (std::size_t i = 0; i < size(program_.rows); ++i)
    for (std::size_t j = 0; j < n; ++j) gradient[j] += point.y[i] * program_.A[i * n + j];
  std::size_t place = 0;
  for (const certify::NormBound& bound : program_.norms)
    for (const int j : bound.entries) gradient[size(j)] += point.norm[place++];
  balance_equalities(gradient, point);
  return point;
}

ProgramPoint ConicProgram::infeasibility_ray(const SelfDual& iteration) const {
  ProgramPoint point;
  write_multipliers(iteration, 1, point);
  std::vector<double> gradient(size(program_.variables), 0.0);
  for (std::size_t i = 0; i < size(program_.rows); ++i)
    for (std::size_t j = 0; j < gradient.size(); ++j) gradient[j] += point.y[i] * program_.A[i * gradient.size() + j];
  std::size_t place = 0;
  for (const certify::NormBound& bound : program_.norms)
    for (const int j : bound.entries) gradient[size(j)] += point.norm[place++];
  balance_equalities(gradient, point);
  // a ray has no scale: bring its largest entry to 1
  const double largest = std::max(largest_of(point.y), largest_of(point.norm));
  if (largest > 0)
    for (auto* part : {&point.y, &point.norm})
      for (double& v : *part) v /= largest;
  return point;
}

ProgramPoint ConicProgram::unbounded_ray(std::span<const double> x) const {
  ProgramPoint point;
  point.x = to_variables(x, 1, false);
  const double largest = largest_of(point.x);
  for (double& v : point.x) v /= largest > 0 ? largest : 1;
  return point;
}

}  // namespace trilith::solve
