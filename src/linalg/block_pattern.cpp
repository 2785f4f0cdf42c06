#include "linalg/block_pattern.h"

#include <numeric>

#include "base/check.h"

namespace trilith::linalg {
namespace {

/// Both directions of every edge, grouped by block, each group in the order of `edges`.
BlockPattern group_by_block(int blocks, std::span<const std::pair<int, int>> edges) {
  BlockPattern pattern;
  pattern.start.assign(std::size_t(blocks) + 1, 0);
  for (const auto& [a, b] : edges) {
    TRI_CHECK(a >= 0 && a < blocks && b >= 0 && b < blocks);
    if (a == b) continue;
    ++pattern.start[a + 1];
    ++pattern.start[b + 1];
  }
  std::partial_sum(pattern.start.begin(), pattern.start.end(), pattern.start.begin());
  pattern.neighbour.resize(pattern.start.back());
  std::vector<int> next(pattern.start.begin(), pattern.start.end() - 1);
  for (const auto& [a, b] : edges) {
    if (a == b) continue;
    pattern.neighbour[next[a]++] = b;
    pattern.neighbour[next[b]++] = a;
  }
  return pattern;
}

}  // namespace

BlockPattern make_block_pattern(int blocks, std::span<const std::pair<int, int>> edges) {
  TRI_CHECK(blocks >= 0);
  const BlockPattern loose = group_by_block(blocks, edges);

  // transpose: visiting the blocks in ascending order fills every row in ascending order, so that repeats meet
  std::vector<int> sorted(loose.neighbour.size()), end(loose.start.begin(), loose.start.end() - 1);
  for (int i = 0; i < blocks; ++i)
    for (int k = loose.start[i]; k < loose.start[i + 1]; ++k) {
      const int j = loose.neighbour[k];
      const bool repeat = end[j] > loose.start[j] && sorted[end[j] - 1] == i;
      if (!repeat) sorted[end[j]++] = i;
    }

  // close the gaps that repeats left
  BlockPattern pattern;
  pattern.start.resize(std::size_t(blocks) + 1);
  pattern.neighbour.reserve(sorted.size());
  for (int i = 0; i < blocks; ++i) {
    pattern.neighbour.insert(pattern.neighbour.end(), sorted.begin() + loose.start[i], sorted.begin() + end[i]);
    pattern.start[i + 1] = static_cast<int>(pattern.neighbour.size());
  }
  return pattern;
}

}  // namespace trilith::linalg
