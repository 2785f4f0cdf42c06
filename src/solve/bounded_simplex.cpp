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

/// What the basic variable of a row is a sum of, in absolute values, and 1.
double BoundedSimplex::terms_of(std::size_t row) const noexcept {
  double sum = 1;
  for (std::size_t j = 0; j < columns_; ++j) sum += std::abs(tableau_[at(row, j)] * value_[static_cast<std::size_t>(nonbasic_[j])]);
  return sum;
}

/// Row whose basic variable is outside of its bounds: the furthest out, or the smallest index. -1: none.
int BoundedSimplex::worst_row(double tolerance, bool greedy) const noexcept {
  int best = -1;
  double most = 0;
  for (std::size_t i = 0; i < rows_; ++i) {
    const std::size_t v = static_cast<std::size_t>(basic_[i]);
    const double out = std::max(lower_[v] - value_[v], value_[v] - upper_[v]);
    if (out <= tolerance) continue;
    const bool better = best < 0 || (greedy ? out > most : basic_[i] < basic_[static_cast<std::size_t>(best)]);
    if (!better) continue;
    best = static_cast<int>(i);
    most = out;
  }
  return best;
}

/// Column that can move the basic variable of `row` up or down: the largest entry, or the smallest index. -1: none.
int BoundedSimplex::entering(int row, bool up, bool greedy) const noexcept {
  const double* entries = tableau_.data() + at(static_cast<std::size_t>(row), 0);
  const auto moves = [&](std::size_t j) {
    if (std::abs(entries[j]) <= settings_.pivot) return false;
    const std::size_t v = static_cast<std::size_t>(nonbasic_[j]);
    return (entries[j] > 0) == up ? value_[v] < upper_[v] : value_[v] > lower_[v];
  };
  int best = -1;
  for (std::size_t j = 0; j < columns_; ++j)
    if (moves(j) && (best < 0 || std::abs(entries[j]) > std::abs(entries[static_cast<std::size_t>(best)]))) best = static_cast<int>(j);
  if (best < 0 || greedy) return best;
  const double least = settings_.pivot_share * std::abs(entries[static_cast<std::size_t>(best)]);
  for (std::size_t j = 0; j < columns_; ++j)
    if (std::abs(entries[j]) >= least && moves(j) && nonbasic_[j] < nonbasic_[static_cast<std::size_t>(best)]) best = static_cast<int>(j);
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
  // columns that belong into the basis take the places of rows that do not, the largest entry first
  for (;;) {
    std::size_t row = rows_, column = columns_;
    double largest = settings_.pivot;
    for (std::size_t i = 0; i < rows_; ++i) {
      if (wanted_[static_cast<std::size_t>(basic_[i])]) continue;
      for (std::size_t j = 0; j < columns_; ++j) {
        if (!wanted_[static_cast<std::size_t>(nonbasic_[j])] || std::abs(tableau_[at(i, j)]) <= largest) continue;
        largest = std::abs(tableau_[at(i, j)]);
        row = i;
        column = j;
      }
    }
    if (row == rows_) break;
    exchange(row, column);
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
  double tolerance = settings_.feasibility;
  for (int pivots = 0; pivots < settings_.pivot_limit; ++pivots) {
    if (since_rebuild_ >= settings_.rebuild_after) rebuild();
    const bool greedy = pivots < settings_.greedy_pivots;
    const int row = worst_row(tolerance, greedy);
    if (row < 0) return SolveStatus::solved;
    const std::size_t r = static_cast<std::size_t>(row), leaving = static_cast<std::size_t>(basic_[r]);
    if (!(value_[leaving] == value_[leaving])) return SolveStatus::numerical_failure;
    const bool up = value_[leaving] < lower_[leaving];
    const int column = entering(row, up, greedy);
    const double room = column < 0 ? settings_.tolerable * terms_of(r) : 0;
    if (room > tolerance && std::max(lower_[leaving] - value_[leaving], value_[leaving] - upper_[leaving]) <= room) {
      tolerance = room;
      continue;
    }
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
