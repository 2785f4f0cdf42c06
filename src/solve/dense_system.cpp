#include "solve/dense_system.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "linalg/dense_cholesky.h"
#include "rows/patch_rows.h"

namespace trilith::solve {
namespace {

constexpr std::size_t lanes = rows::patch_lanes;

/// Place of (i, j) in the upper triangle 00 01 02 11 12 22.
constexpr std::size_t triangle[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

}  // namespace

DenseSystem::DenseSystem(int unknowns, std::vector<double> P, std::vector<double> G, std::vector<DensePoint> points, std::size_t rows,
                         double pivot_tolerance)
    : n_(static_cast<std::size_t>(unknowns)),
      rows_(rows),
      P_(std::move(P)),
      G_(std::move(G)),
      factor_(n_ * n_),
      column_(n_),
      points_(std::move(points)) {
  TRI_CHECK(P_.empty() || P_.size() == n_ * n_);
  std::size_t parts = 0;
  for (const DensePoint& point : points_) parts += static_cast<std::size_t>(point.parts);
  TRI_CHECK(G_.size() == parts * n_);
  weights_.reserve(2 * rows);
  settings_.pivot_tolerance = pivot_tolerance;
}

double DenseSystem::weight(const DensePoint& point, int i, int j) const noexcept {
  const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
  switch (shape_) {
    case RowWeights::Shape::identity:
      return i == j ? 1.0 : 0.0;
    case RowWeights::Shape::diagonal:
      return i == j ? weights_[point.row + a * lanes] : 0.0;
    case RowWeights::Shape::triple:
    case RowWeights::Shape::groups:
      break;
  }
  const std::size_t slot = point.row / (3 * lanes), lane = point.row % lanes;
  return weights_[(slot * 6 + triangle[a][b]) * lanes + lane];
}

/// M = P + sum over points of G_p' C_p G_p, lower triangle, column-major.
void DenseSystem::set_weights(const RowWeights& weights) noexcept {
  shape_ = weights.shape;
  TRI_CHECK(weights.shape != RowWeights::Shape::groups && weights.value.size() <= 2 * rows_);
  if (shape_ != RowWeights::Shape::identity) weights_.assign(weights.value.begin(), weights.value.end());
  if (P_.empty())
    std::fill(factor_.begin(), factor_.end(), 0.0);
  else
    std::copy(P_.begin(), P_.end(), factor_.begin());
  for (std::size_t i = 0; i < n_; ++i) factor_[i * n_ + i] += proximal_;
  const double* g = G_.data();
  for (const DensePoint& point : points_) {
    for (int i = 0; i < point.parts; ++i) {
      // row i of C_p G_p
      std::fill(column_.begin(), column_.end(), 0.0);
      for (int j = 0; j < point.parts; ++j) {
        const double c = weight(point, i, j);
        const double* row = g + static_cast<std::size_t>(j) * n_;
        for (std::size_t k = 0; k < n_; ++k) column_[k] += c * row[k];
      }
      const double* row = g + static_cast<std::size_t>(i) * n_;
      for (std::size_t c = 0; c < n_; ++c)
        for (std::size_t r = c; r < n_; ++r) factor_[c * n_ + r] += row[r] * column_[c];
    }
    g += static_cast<std::size_t>(point.parts) * n_;
  }
}

linalg::FactorReport DenseSystem::factor() noexcept { return linalg::factor_dense(factor_, static_cast<int>(n_), settings_); }

void DenseSystem::solve(std::span<double> x, int right_hand_sides) noexcept {
  const auto width = static_cast<std::size_t>(right_hand_sides);
  TRI_CHECK(x.size() == n_ * width);
  for (std::size_t k = 0; k < width; ++k) {
    for (std::size_t i = 0; i < n_; ++i) column_[i] = x[i * width + k];
    linalg::solve_dense(factor_, static_cast<int>(n_), column_);
    for (std::size_t i = 0; i < n_; ++i) x[i * width + k] = column_[i];
  }
}

void DenseSystem::apply(std::span<const double> x, std::span<double> row) const noexcept {
  std::fill(row.begin(), row.end(), 0.0);
  const double* g = G_.data();
  for (const DensePoint& point : points_)
    for (int i = 0; i < point.parts; ++i, g += n_) {
      double sum = 0;
      for (std::size_t j = 0; j < n_; ++j) sum += g[j] * x[j];
      row[point.row + static_cast<std::size_t>(i) * lanes] = sum;
    }
}

void DenseSystem::apply_transposed(std::span<const double> row, std::span<double> x) const noexcept {
  std::fill(x.begin(), x.end(), 0.0);
  const double* g = G_.data();
  for (const DensePoint& point : points_)
    for (int i = 0; i < point.parts; ++i, g += n_) {
      const double value = row[point.row + static_cast<std::size_t>(i) * lanes];
      for (std::size_t j = 0; j < n_; ++j) x[j] += g[j] * value;
    }
}

void DenseSystem::apply_quadratic(std::span<const double> x, std::span<double> out) const noexcept {
  for (std::size_t i = 0; i < n_; ++i) {
    double sum = 0;
    if (!P_.empty())
      for (std::size_t j = 0; j < n_; ++j) sum += P_[i * n_ + j] * x[j];
    out[i] = sum;
  }
}

void DenseSystem::apply_weights(std::span<double> row) const noexcept {
  for (const DensePoint& point : points_) {
    double in[3] = {}, out[3] = {};
    for (int i = 0; i < point.parts; ++i) in[i] = row[point.row + static_cast<std::size_t>(i) * lanes];
    for (int i = 0; i < point.parts; ++i)
      for (int j = 0; j < point.parts; ++j) out[i] += weight(point, i, j) * in[j];
    for (int i = 0; i < point.parts; ++i) row[point.row + static_cast<std::size_t>(i) * lanes] = out[i];
  }
}

}  // namespace trilith::solve
