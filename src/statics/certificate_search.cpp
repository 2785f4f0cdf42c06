// (CRA-13), (CRA-14)
#include "statics/certificate_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/math.h"
#include "linalg/dense_cholesky.h"
#include "linalg/fixed.h"
#include "solve/conic_qp.h"

namespace trilith::statics {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr double least_force = 1e-9;  // weights: no vertex with less is engaged, however small the largest force (seed 000, 3.2)

class Alternation {
 public:
  Alternation(const model::Assembly& assembly, double give, double bound, const CertificateSearchSettings& settings)
      : assembly_(assembly), settings_(settings), give_(give), bound_(bound), first_(first_vertices(assembly)) {
    double size = 0, mass = 0;
    body_of_.assign(assembly.blocks.size(), -1);
    for (std::uint32_t i = 0; i < assembly.blocks.size(); ++i) {
      if (assembly.blocks[i].fixed) continue;
      body_of_[i] = static_cast<int>(blocks_.size());
      blocks_.push_back(i);
      size += assembly.blocks[i].size;
      mass += assembly.blocks[i].mass;
    }
    length_ = size / double(blocks_.size());
    weight_ = mass / double(blocks_.size()) * norm(assembly.gravity);
    unknowns_ = 6 * blocks_.size();
    fill_rows();
  }

  CertificateSearchReport run(std::span<const std::vector<Vec3d>> forces, const Deadline& deadline, CoupledPair& pair);

 private:
  /// Rows of A' for (n, t1, t2) of every vertex: displacement in gives from block motions.
  void fill_rows() {
    for (const model::Interface& face : assembly_.interfaces)
      for (const Vec3d& p : face.polygon) {
        mu_.push_back(face.mu);
        for (const Vec3d& axis : {face.normal, face.t1, face.t2}) {
          std::vector<double>& row = rows_.emplace_back(unknowns_, 0.0);
          add_body(face.b, p, axis, 1, row);
          add_body(face.a, p, axis, -1, row);
        }
      }
  }
  void add_body(std::uint32_t block, const Vec3d& p, const Vec3d& axis, double sign, std::vector<double>& row) const {
    if (body_of_[block] < 0) return;
    const Vec3d turn = cross((1 / length_) * (p - assembly_.blocks[block].com), axis);
    const double six[6] = {axis.x, axis.y, axis.z, turn.x, turn.y, turn.z};
    for (std::size_t k = 0; k < 6; ++k) row[6 * static_cast<std::size_t>(body_of_[block]) + k] = sign * six[k];
  }

  std::size_t vertices() const { return mu_.size(); }
  double slip_limit(std::size_t v) const { return sqrt(force_[v].y * force_[v].y + force_[v].z * force_[v].z); }
  double displacement(std::size_t v, int axis) const {
    const std::vector<double>& row = rows_[3 * v + static_cast<std::size_t>(axis)];
    double sum = 0;
    for (std::size_t k = 0; k < unknowns_; ++k) sum += row[k] * motion_[k];
    return sum;
  }

  void choose_sets();
  bool find_motion(const Deadline& deadline);
  struct Square;
  void add_square(const Square& term, std::vector<double>& square, std::vector<double>& right) const;
  bool fits() const;
  double measure();
  bool restrict_sets();
  bool find_forces(const Deadline& deadline);
  void write(CoupledPair& pair) const;

  const model::Assembly& assembly_;
  const CertificateSearchSettings& settings_;
  double give_, bound_, length_ = 1, weight_ = 1;
  std::vector<std::size_t> first_;
  std::vector<int> body_of_;
  std::vector<std::uint32_t> blocks_;
  std::size_t unknowns_ = 0;
  std::vector<std::vector<double>> rows_;
  std::vector<double> mu_;
  std::vector<Vec3d> force_;                  // weights
  std::vector<std::size_t> engaged_, rough_;  // vertices
  std::vector<double> motion_, beta_;         // gives
  std::vector<double> residual_;              // per engaged vertex
  std::vector<char> shut_, smooth_;           // normal or tangents pinned to zero
  double largest_ = 0;
};

void Alternation::choose_sets() {
  largest_ = 0;
  for (const Vec3d& f : force_) largest_ = std::max(largest_, f.x);
  const double threshold = std::max(least_force, settings_.engaged_share * largest_);
  engaged_.clear();
  rough_.clear();
  for (std::size_t v = 0; v < vertices(); ++v) {
    if (force_[v].x > threshold) engaged_.push_back(v);
    if (slip_limit(v) > threshold) rough_.push_back(v);
  }
}

/// weight (row q + direction beta - target)^2
struct Alternation::Square {
  const std::vector<double>& row;
  std::size_t beta = 0;
  double direction = 0, target = 0, weight = 1;
};

/// Adds a term to 1/2 x'square x - right'x.
void Alternation::add_square(const Square& term, std::vector<double>& square, std::vector<double>& right) const {
  const std::size_t n = unknowns_ + rough_.size();
  std::vector<double> full(term.row);
  full.resize(n, 0.0);
  if (term.direction != 0) full[unknowns_ + term.beta] = term.direction;
  for (std::size_t i = 0; i < n; ++i) {
    if (full[i] == 0) continue;
    right[i] += 2 * term.weight * full[i] * term.target;
    for (std::size_t j = 0; j < n; ++j) square[i * n + j] += 2 * term.weight * full[i] * full[j];
  }
}

/// The motion for the forces at hand: least squares, and where that leaves the conditions the program with them. (CRA-13)
bool Alternation::find_motion(const Deadline& deadline) {
  const std::size_t n = unknowns_ + rough_.size();
  std::vector<double> square(n * n, 0.0), right(n, 0.0);
  for (const std::size_t v : engaged_) add_square({rows_[3 * v], 0, 0, -1, force_[v].x / largest_}, square, right);
  for (std::size_t i = 0; i < rough_.size(); ++i) {
    const Vec3d& f = force_[rough_[i]];
    add_square({rows_[3 * rough_[i] + 1], i, f.y / slip_limit(rough_[i]), 0, 1}, square, right);
    add_square({rows_[3 * rough_[i] + 2], i, f.z / slip_limit(rough_[i]), 0, 1}, square, right);
  }
  for (std::size_t i = 0; i < n; ++i) square[i * n + i] += settings_.regularization;
  std::vector<double> factor(square), x(right);
  (void)linalg::factor_dense(factor, static_cast<int>(n), {});
  linalg::solve_dense(factor, static_cast<int>(n), x);
  motion_.assign(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(unknowns_));
  beta_.assign(x.begin() + static_cast<std::ptrdiff_t>(unknowns_), x.end());
  if (fits()) return true;

  const std::size_t rows = 3 * vertices() + rough_.size();
  std::vector<double> matrix(rows * n, 0.0), lower(rows), upper(rows), linear(n);
  for (std::size_t i = 0; i < n; ++i) linear[i] = -right[i];
  for (std::size_t r = 0; r < rows; ++r) {
    const bool is_beta = r >= 3 * vertices();
    lower[r] = is_beta ? 0 : r % 3 == 0 ? -1 : -bound_;
    upper[r] = is_beta ? unbounded : bound_;
    if (is_beta) matrix[r * n + unknowns_ + r - 3 * vertices()] = 1;
    if (!is_beta) std::copy(rows_[r].begin(), rows_[r].end(), matrix.begin() + static_cast<std::ptrdiff_t>(r * n));
  }
  const certify::QuadraticProgram program{static_cast<int>(n), static_cast<int>(rows), square, linear, matrix, lower, upper, {}};
  const solve::ConicQpReport report = solve::solve_conic_qp(program, {}, deadline);
  if (report.status != SolveStatus::solved && report.status != SolveStatus::solved_inaccurate) return false;
  motion_.assign(report.point.x.begin(), report.point.x.begin() + static_cast<std::ptrdiff_t>(unknowns_));
  beta_.assign(report.point.x.begin() + static_cast<std::ptrdiff_t>(unknowns_), report.point.x.end());
  return true;
}

bool Alternation::fits() const {
  for (const double b : beta_)
    if (b < 0) return false;
  for (std::size_t v = 0; v < vertices(); ++v) {
    if (displacement(v, 0) < -1 - 1e-9) return false;
    for (int axis = 0; axis < 3; ++axis)
      if (std::abs(displacement(v, axis)) > bound_) return false;
  }
  return true;
}

/// Largest w |d_n + 1| over the engaged vertices, gives.
double Alternation::measure() {
  residual_.clear();
  double worst = 0;
  for (const std::size_t v : engaged_) {
    residual_.push_back(sqrt(force_[v].x / largest_) * std::abs(displacement(v, 0) + 1));
    worst = std::max(worst, residual_.back());
  }
  return worst;
}

/// Peels the worst engaged vertices and takes friction away where it misses its slip. False where nothing changed.
bool Alternation::restrict_sets() {
  double worst = 0;
  for (const double r : residual_) worst = std::max(worst, r);
  bool changed = false;
  for (std::size_t i = 0; i < engaged_.size(); ++i)
    if (residual_[i] > std::max(settings_.gate, settings_.peel_share * worst)) {
      shut_[engaged_[i]] = 1;
      changed = true;
    }
  for (std::size_t i = 0; i < rough_.size(); ++i) {
    const std::size_t v = rough_[i];
    const double a = displacement(v, 1) + beta_[i] * force_[v].y / slip_limit(v);
    const double b = displacement(v, 2) + beta_[i] * force_[v].z / slip_limit(v);
    if (sqrt(a * a + b * b) > settings_.zero_above) {
      smooth_[v] = 1;
      changed = true;
    }
  }
  return changed;
}

/// Forces of least norm in inscribed pyramids, without what was peeled and zeroed. (CRA-14)
bool Alternation::find_forces(const Deadline& deadline) {
  const std::size_t n = 3 * vertices(), faces = static_cast<std::size_t>(settings_.faces), rows = unknowns_ + n + faces * vertices();
  std::vector<double> square(n * n, 0.0), linear(n, 0.0), matrix(rows * n, 0.0), lower(rows, -unbounded), upper(rows, 0.0);
  for (std::size_t k = 0; k < unknowns_; ++k) {
    for (std::size_t c = 0; c < n; ++c) matrix[k * n + c] = rows_[c][k];
    lower[k] = upper[k] = 0;
  }
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const double scale = -assembly_.blocks[blocks_[b]].mass / weight_;
    const double load[3] = {scale * assembly_.gravity.x, scale * assembly_.gravity.y, scale * assembly_.gravity.z};
    for (std::size_t k = 0; k < 3; ++k) lower[6 * b + k] = upper[6 * b + k] = load[k];
  }
  for (std::size_t v = 0; v < vertices(); ++v) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t c = 3 * v + axis, row = unknowns_ + c;
      square[c * n + c] = 1;
      matrix[row * n + c] = 1;
      const bool pinned = shut_[v] || (axis > 0 && (smooth_[v] || mu_[v] == 0));
      lower[row] = pinned || axis == 0 ? 0 : -unbounded;
      upper[row] = pinned ? 0 : unbounded;
    }
    for (std::size_t k = 0; k < faces; ++k) {
      const double angle = 2 * pi * double(k) / double(faces);
      double* row = matrix.data() + (unknowns_ + n + faces * v + k) * n + 3 * v;
      row[0] = -mu_[v] * cos(pi / double(faces));
      row[1] = cos(angle);
      row[2] = sin(angle);
    }
  }
  const certify::QuadraticProgram program{static_cast<int>(n), static_cast<int>(rows), square, linear, matrix, lower, upper, {}};
  const solve::ConicQpReport report = solve::solve_conic_qp(program, {}, deadline);
  if (report.status != SolveStatus::solved && report.status != SolveStatus::solved_inaccurate) return false;
  for (std::size_t v = 0; v < vertices(); ++v) force_[v] = {report.point.x[3 * v], report.point.x[3 * v + 1], report.point.x[3 * v + 2]};
  return true;
}

void Alternation::write(CoupledPair& pair) const {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const double* q = motion_.data() + 6 * b;
    pair.displacements[blocks_[b]] = {give_ * Vec3d{q[0], q[1], q[2]}, (give_ / length_) * Vec3d{q[3], q[4], q[5]}};
  }
  std::fill(pair.alpha.begin(), pair.alpha.end(), 0.0);
  std::fill(pair.forces.begin(), pair.forces.end(), Vec3d{0, 0, 0});
  std::size_t v = 0;
  for (const model::Interface& face : assembly_.interfaces)
    for (std::size_t k = 0; k < face.polygon.size(); ++k, ++v) {
      if (std::find(engaged_.begin(), engaged_.end(), v) == engaged_.end()) continue;
      pair.forces[v] = (weight_ * force_[v].x) * face.normal;
      const auto place = std::find(rough_.begin(), rough_.end(), v);
      if (place == rough_.end()) continue;
      const double beta = beta_[static_cast<std::size_t>(place - rough_.begin())];
      if (!(beta > 0)) continue;
      pair.alpha[v] = weight_ / give_ * slip_limit(v) / beta;
      const Vec3d slip = (give_ * displacement(v, 1)) * face.t1 + (give_ * displacement(v, 2)) * face.t2;
      pair.forces[v] = pair.forces[v] - pair.alpha[v] * slip;
    }
}

CertificateSearchReport Alternation::run(std::span<const std::vector<Vec3d>> forces, const Deadline& deadline, CoupledPair& pair) {
  CertificateSearchReport report;
  for (const std::vector<Vec3d>& face : forces)
    for (const Vec3d& f : face) force_.push_back((1 / weight_) * f);
  shut_.assign(vertices(), 0);
  smooth_.assign(vertices(), 0);
  report.status = SolveStatus::iteration_limit;
  report.reason = "no motion fits the forces within the rounds";
  for (report.rounds = 1; report.rounds <= settings_.rounds && !deadline.passed(); ++report.rounds) {
    choose_sets();
    report.engaged = static_cast<int>(engaged_.size());
    if (engaged_.empty() || !find_motion(deadline)) break;
    report.residual_gives = measure();
    if (report.residual_gives <= settings_.gate && !restrict_sets()) {
      report.status = SolveStatus::solved;
      report.reason = "a motion fits the forces to the gate";
      write(pair);
      break;
    }
    if (report.residual_gives > settings_.gate) restrict_sets();
    report.peeled = static_cast<int>(std::count(shut_.begin(), shut_.end(), 1));
    report.zeroed = static_cast<int>(std::count(smooth_.begin(), smooth_.end(), 1));
    if (!find_forces(deadline)) {
      report.status = SolveStatus::stalled;
      report.reason = "no forces are left without the vertices that do not fit";
      break;
    }
  }
  report.rounds = std::min(report.rounds, settings_.rounds);
  return report;
}

}  // namespace

CertificateSearchReport search_certificate(const model::Assembly& assembly, std::span<const std::vector<Vec3d>> forces,
                                           const CoupledLengths& lengths, const CertificateSearchSettings& settings,
                                           const Deadline& deadline, CoupledPair& pair) {
  const std::size_t vertices = first_vertices(assembly).back();
  CertificateSearchReport report;
  if (forces.size() != assembly.interfaces.size() || vertices > settings.most_vertices) {
    report.reason = forces.empty() ? "no equilibrium to start from" : "not run: too large for its dense programs";
    return report;
  }
  return Alternation(assembly, lengths.give, lengths.bound, settings).run(forces, deadline, pair);
}

}  // namespace trilith::statics
