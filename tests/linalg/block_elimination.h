#pragma once
#include <vector>

#include "linalg/block_ordering.h"

namespace trilith::test {

/// Elimination by the book on true/false: below[j] are the rows of column j of L, ascending.
struct BooleanElimination {
  std::vector<std::vector<int>> below;

  BooleanElimination(const linalg::BlockPattern& pattern, const linalg::EliminationOrder& order) {
    const int n = pattern.blocks();
    std::vector<std::vector<char>> l(n, std::vector<char>(n, 0));
    for (int j = 0; j < n; ++j)
      for (int k = pattern.start[order.block_at[j]]; k < pattern.start[order.block_at[j] + 1]; ++k)
        l[order.position[pattern.neighbour[k]]][j] = 1;
    for (int k = 0; k < n; ++k)
      for (int j = k + 1; j < n; ++j)
        for (int i = j + 1; i < n && l[j][k]; ++i)
          if (l[i][k]) l[i][j] = 1;
    below.resize(n);
    for (int j = 0; j < n; ++j)
      for (int i = j + 1; i < n; ++i)
        if (l[i][j]) below[j].push_back(i);
  }
};

}  // namespace trilith::test
