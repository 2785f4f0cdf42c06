// (CRA-12)
#include "solve/bounded_simplex.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trilith::solve {

BoundedSimplex::BoundedSimplex(int columns, int rows, std::vector<double> matrix, const SimplexSettings& settings)
    : columns_(static_cast<std::size_t>(columns)),
      rows_(static_cast<std::size_t>(rows)),
      settings_(settings),
      matrix_(std::move(matrix)),
      tableau_(matrix_),
      basic_(rows_),
      nonbasic_(columns_),
      place_(columns_ + rows_),
      lower_(place_.size(), -std::numeric_limits<double>::infinity()),
      upper_(place_.size(), std::numeric_limits<double>::infinity()),
      value_(place_.size(), 0.0),
      ray_(rows_, 0.0),
      wanted_(place_.size(), 0) {
  for (std::size_t j = 0; j < columns_; ++j) {
    nonbasic_[j] = static_cast<int>(j);
    place_[j] = -1 - static_cast<int>(j);
  }
  for (std::size_t i = 0; i < rows_; ++i) {
    basic_[i] = static_cast<int>(columns_ + i);
    place_[columns_ + i] = static_cast<int>(i);
  }
}

void BoundedSimplex::set_bounds(int variable, double lower, double upper) noexcept {
  const std::size_t v = static_cast<std::size_t>(variable);
  lower_[v] = lower;
  upper_[v] = upper;
  if (place_[v] < 0) value_[v] = std::clamp(value_[v], lower, upper);
}

void BoundedSimplex::refresh_values() noexcept {
  for (std::size_t i = 0; i < rows_; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < columns_; ++j) sum += tableau_[at(i, j)] * value_[static_cast<std::size_t>(nonbasic_[j])];
    value_[static_cast<std::size_t>(basic_[i])] = sum;
  }
}

/// Row whose basic variable is outside of its bounds: the furthest out, or the smallest index. -1: none.
int BoundedSimplex::worst_row(bool greedy) const noexcept {
  int best = -1;
  double most = 0;
  for (std::size_t i = 0; i < rows_; ++i) {
    const std::size_t v = static_cast<std::size_t>(basic_[i]);
    const double out = std::max(lower_[v] - value_[v], value_[v] - upper_[v]);
    if (out <= settings_.feasibility) continue;
    const bool better = best < 0 || (greedy ? out > most : basic_[i] < basic_[static_cast<std::size_t>(best)]);
    if (!better) continue;
    best = static_cast<int>(i);
    most = out;
  }
  return best;
}

/// Column that can move the basic variable of `row` up or down: the largest entry, or the smallest index. -1: none.
int BoundedSimplex::entering(int row, bool up, bool greedy) const noexcept {
  int best = -1;
  double most = 0;
  for (std::size_t j = 0; j < columns_; ++j) {
    const double entry = tableau_[at(static_cast<std::size_t>(row), j)];
    if (std::abs(entry) <= settings_.pivot) continue;
    const std::size_t v = static_cast<std::size_t>(nonbasic_[j]);
    const bool rises = (entry > 0) == up;
    if (rises ? value_[v] >= upper_[v] : value_[v] <= lower_[v]) continue;
    const bool better = best < 0 || (greedy ? std::abs(entry) > most : nonbasic_[j] < nonbasic_[static_cast<std::size_t>(best)]);
    if (!better) continue;
    best = static_cast<int>(j);
    most = std::abs(entry);
  }
  return best;
}

/// Basic and nonbasic variable change places.
void BoundedSimplex::exchange(std::size_t row, std::size_t column) noexcept {
  const double scale = 1 / tableau_[at(row, column)];
  for (std::size_t j = 0; j < columns_; ++j) tableau_[at(row, j)] *= -scale;
  tableau_[at(row, column)] = scale;
  for (std::size_t i = 0; i < rows_; ++i) {
    if (i == row) continue;
    const double factor = tableau_[at(i, column)];
    if (factor == 0) continue;
    tableau_[at(i, column)] = 0;
    for (std::size_t j = 0; j < columns_; ++j) tableau_[at(i, j)] += factor * tableau_[at(row, j)];
  }
  std::swap(basic_[row], nonbasic_[column]);
  place_[static_cast<std::size_t>(basic_[row])] = static_cast<int>(row);
  place_[static_cast<std::size_t>(nonbasic_[column])] = -1 - static_cast<int>(column);
}

void BoundedSimplex::rebuild() noexcept {
  for (std::size_t i = 0; i < rows_; ++i) wanted_[static_cast<std::size_t>(basic_[i])] = 1;
  for (std::size_t j = 0; j < columns_; ++j) wanted_[static_cast<std::size_t>(nonbasic_[j])] = 0;
  tableau_ = matrix_;
  for (std::size_t j = 0; j < columns_; ++j) {
    nonbasic_[j] = static_cast<int>(j);
    place_[j] = -1 - static_cast<int>(j);
  }
  for (std::size_t i = 0; i < rows_; ++i) {
    basic_[i] = static_cast<int>(columns_ + i);
    place_[columns_ + i] = static_cast<int>(i);
  }
  // every column that belongs into the basis takes the place of a row that does not, at its largest entry
  for (std::size_t j = 0; j < columns_; ++j) {
    if (!wanted_[static_cast<std::size_t>(nonbasic_[j])]) continue;
    std::size_t best = rows_;
    for (std::size_t i = 0; i < rows_; ++i)
      if (!wanted_[static_cast<std::size_t>(basic_[i])] &&
          (best == rows_ || std::abs(tableau_[at(i, j)]) > std::abs(tableau_[at(best, j)])))
        best = i;
    if (best < rows_ && std::abs(tableau_[at(best, j)]) > settings_.pivot) exchange(best, j);
  }
  // a variable that left the basis on the way may stand outside of its bounds
  for (const int variable : nonbasic_) {
    const std::size_t v = static_cast<std::size_t>(variable);
    value_[v] = std::clamp(value_[v], lower_[v], upper_[v]);
  }
  since_rebuild_ = 0;
  refresh_values();
}

void BoundedSimplex::write_ray(std::size_t row, double sign) noexcept {
  std::fill(ray_.begin(), ray_.end(), 0.0);
  if (basic_[row] >= static_cast<int>(columns_)) ray_[static_cast<std::size_t>(basic_[row]) - columns_] = sign;
  for (std::size_t j = 0; j < columns_; ++j)
    if (nonbasic_[j] >= static_cast<int>(columns_)) ray_[static_cast<std::size_t>(nonbasic_[j]) - columns_] = -sign * tableau_[at(row, j)];
}

SolveStatus BoundedSimplex::check() noexcept {
  refresh_values();
  for (int pivots = 0; pivots < settings_.pivot_limit; ++pivots) {
    if (since_rebuild_ >= settings_.rebuild_after) rebuild();
    const bool greedy = pivots < settings_.greedy_pivots;
    const int row = worst_row(greedy);
    if (row < 0) return SolveStatus::solved;
    const std::size_t r = static_cast<std::size_t>(row), leaving = static_cast<std::size_t>(basic_[r]);
    if (!(value_[leaving] == value_[leaving])) return SolveStatus::numerical_failure;
    const bool up = value_[leaving] < lower_[leaving];
    const int column = entering(row, up, greedy);
    if (column < 0) {
      write_ray(r, up ? 1 : -1);
      return SolveStatus::primal_infeasible;
    }
    // the leaving variable goes to its bound, the entering one pays for it
    const std::size_t c = static_cast<std::size_t>(column), enters = static_cast<std::size_t>(nonbasic_[c]);
    const double target = up ? lower_[leaving] : upper_[leaving], step = (target - value_[leaving]) / tableau_[at(r, c)];
    for (std::size_t i = 0; i < rows_; ++i) value_[static_cast<std::size_t>(basic_[i])] += tableau_[at(i, c)] * step;
    value_[enters] += step;
    value_[leaving] = target;
    exchange(r, c);
    ++since_rebuild_;
    ++total_pivots_;
  }
  return SolveStatus::iteration_limit;
}

}  // namespace trilith::solve
