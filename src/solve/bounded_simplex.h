#pragma once
#include <span>
#include <vector>

#include "trilith/status.h"

namespace trilith::solve {

struct SimplexSettings {
  double feasibility = 1e-9;  ///< how far a variable may be outside of its bounds, in units of the problem
  double tolerable = 1e-7;    ///< and how far, over the terms it is made of, where no pivot brings it nearer: rounding, no contradiction
  double pivot = 1e-8;        ///< smaller entries of a row are no pivots
  double pivot_share = 1e-3;  ///< of the largest entry that could enter: smaller ones are no pivots
  int pivot_limit = 20000;    ///< of one check
  int greedy_pivots = 400;    ///< of one check with the largest violation first; then the smallest index, which cannot cycle
  int rebuild_after = 40;     ///< pivots before the tableau is made anew from the matrix
};

/// Is there x with bounds on x and on s = R x? A dense tableau that keeps its basis while bounds come and go, so that a search that changes
/// a few bounds at a time pays a few pivots each. Proposes: who uses a point or a ray checks it. (CRA-12)
class BoundedSimplex {
 public:
  /// `matrix`: rows x columns, row-major. All variables start without bounds.
  BoundedSimplex(int columns, int rows, std::vector<double> matrix, const SimplexSettings& settings = {});

  /// Variables: columns first, then rows.
  void set_bounds(int variable, double lower, double upper) noexcept;
  /// solved: value() lies within all bounds. primal_infeasible: ray() shows it. iteration_limit, numerical_failure: neither.
  [[nodiscard]] SolveStatus check() noexcept;
  /// Makes the tableau anew from the matrix for the same basis; the next check is as exact as it gets.
  void rebuild() noexcept;

  double value(int variable) const noexcept { return value_[static_cast<std::size_t>(variable)]; }
  /// One multiplier per row: with c = ray over s and -R'ray over x, c'(x, s) is 0 for every x and positive within the bounds.
  std::span<const double> ray() const noexcept { return ray_; }
  long pivots() const noexcept { return total_pivots_; }

 private:
  std::size_t at(std::size_t row, std::size_t column) const noexcept { return row * columns_ + column; }
  void refresh_values() noexcept;
  double terms_of(std::size_t row) const noexcept;
  int worst_row(double tolerance, bool greedy) const noexcept;
  int entering(int row, bool up, bool greedy) const noexcept;
  void exchange(std::size_t row, std::size_t column) noexcept;
  void write_ray(std::size_t row, double sign) noexcept;

  std::size_t columns_, rows_;
  SimplexSettings settings_;
  std::vector<double> matrix_, tableau_;       // basic variable of a row = tableau row times the nonbasic ones
  std::vector<int> basic_, nonbasic_, place_;  // place: row of a basic variable, -1 - column of a nonbasic one
  std::vector<double> lower_, upper_, value_, ray_;
  std::vector<char> wanted_;
  long total_pivots_ = 0;
  int since_rebuild_ = 0;
};

}  // namespace trilith::solve
