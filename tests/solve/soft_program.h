#pragma once
#include <vector>

#include "solve/row_system.h"
#include "solve/soft_descent.h"

namespace trilith::solve {

/// Storage of one program with its backend.
struct Program {
  int unknowns = 0;
  std::vector<double> center, shift, R;
  std::vector<std::int64_t> p_start{0}, g_start{0};
  std::vector<std::int32_t> p_column, g_column;
  std::vector<double> p_value, l_value, g_value;
  std::vector<std::vector<double>> numbers;  // bounds and coefficients of groups
  std::vector<rows::RowGroup> groups;
  std::vector<rows::MechanismParameters> parameters;
  double scale = 1;

  SparseRows P() const { return {p_start, p_column, p_value}; }
  SparseRows G() const { return {g_start, g_column, g_value}; }
  SoftProgram view() const { return {center, shift, groups, parameters, {}, scale}; }

  void add_row(const std::vector<double>& row) {
    for (std::size_t j = 0; j < row.size(); ++j)
      if (row[j] != 0) g_column.push_back(static_cast<std::int32_t>(j)), g_value.push_back(row[j]);
    g_start.push_back(static_cast<std::int64_t>(g_column.size()));
  }
  /// Rows [first, first + count) as one group; `R` must not grow any more.
  rows::RowGroup& add_group(rows::SetKind set, std::int32_t first, std::int32_t count, std::int32_t block) {
    rows::RowGroup& group = groups.emplace_back();
    group.name = "rows", group.unit = "m/s^2", group.set = set, group.mechanism = rows::Mechanism::respond;
    group.first = first, group.count = count, group.block = block;
    parameters.emplace_back().R = std::span(R).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
    return group;
  }
  /// Every pair of columns of a dense P, and its factor L'DL, from the last row up.
  void set_P(const std::vector<std::vector<double>>& dense) {
    unknowns = static_cast<int>(dense.size());
    std::vector<std::vector<double>> a = dense;
    for (std::size_t k = a.size(); k-- > 0;) {
      for (std::size_t i = 0; i < k; ++i) a[k][i] /= a[k][k];
      for (std::size_t i = 0; i < k; ++i)
        for (std::size_t j = 0; j <= i; ++j) a[i][j] -= a[k][i] * a[k][k] * a[k][j];
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j)
        p_column.push_back(static_cast<std::int32_t>(j)), p_value.push_back(dense[i][j]), l_value.push_back(a[i][j]);
      p_start.push_back(static_cast<std::int64_t>(p_column.size()));
    }
  }
};

/// Room for the rows of a program.
inline RowSystemSettings room_of(const Program& p) {
  const std::int32_t n = p.unknowns;
  return {.room = {n, n, p.shift.size(), p.shift.size() * static_cast<std::size_t>(n)}, .pivot_tolerance = 1e-14};
}

}  // namespace trilith::solve
