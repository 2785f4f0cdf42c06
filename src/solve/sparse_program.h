#pragma once
#include <cstddef>
#include <vector>

namespace trilith::solve {

/// A sparse matrix by columns: entries of column j at [start[j], start[j + 1]), rows ascending within a column.
struct SparseColumns {
  int rows = 0;
  std::vector<int> start{0};
  std::vector<int> row;
  std::vector<double> value;

  int columns() const noexcept { return static_cast<int>(start.size()) - 1; }
  void put(int at, double number) {
    row.push_back(at);
    value.push_back(number);
  }
  void end_column() { start.push_back(static_cast<int>(row.size())); }
};

/// minimise 1/2 x'P x + q'x subject to lower <= A x <= upper, as outside solvers take it. Infinite bounds are absent ones.
struct SparseProgram {
  SparseColumns P;  ///< upper triangle
  SparseColumns A;
  std::vector<double> q, lower, upper;
};

}  // namespace trilith::solve
