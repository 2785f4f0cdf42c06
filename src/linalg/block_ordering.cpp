// Implements (CHOL-2) and (CHOL-3): the order of elimination and its tree.
#include "linalg/block_ordering.h"

#include <suitesparse/amd.h>

#include <new>
#include <numeric>

namespace trilith::linalg {
namespace {

/// Nodes in ascending order of `key`, which lies in [0, nodes]; equal keys keep their order.
std::vector<int> sorted_by(std::span<const int> key) {
  std::vector<int> start(key.size() + 2, 0), result(key.size());
  for (const int k : key) ++start[k + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  for (int i = 0; i < int(key.size()); ++i) result[start[key[i]]++] = i;
  return result;
}

/// Children of every node as linked lists, small subtrees first.
struct ChildLists {
  std::vector<int> first, next;
};

ChildLists make_child_lists(std::span<const int> parent) {
  const int n = int(parent.size());
  std::vector<int> subtree(n, 1);
  for (int i = 0; i < n; ++i)
    if (parent[i] >= 0) subtree[parent[i]] += subtree[i];

  // pushing in descending order of size leaves the smallest in front
  const std::vector<int> by_size = sorted_by(subtree);
  ChildLists lists{std::vector<int>(n, -1), std::vector<int>(n, -1)};
  for (int k = n - 1; k >= 0; --k) {
    const int i = by_size[k];
    if (parent[i] < 0) continue;
    lists.next[i] = lists.first[parent[i]];
    lists.first[parent[i]] = i;
  }
  return lists;
}

}  // namespace

std::vector<int> inverse(std::span<const int> permutation) {
  std::vector<int> result(permutation.size());
  for (int i = 0; i < int(permutation.size()); ++i) result[permutation[i]] = i;
  return result;
}

EliminationOrder make_elimination_order(const BlockPattern& pattern, Ordering ordering) {
  EliminationOrder order;
  order.block_at.resize(pattern.blocks());
  std::iota(order.block_at.begin(), order.block_at.end(), 0);
  if (ordering == Ordering::amd && !pattern.neighbour.empty()) {
    const int status = amd_order(pattern.blocks(), pattern.start.data(), pattern.neighbour.data(), order.block_at.data(), nullptr, nullptr);
    if (status == AMD_OUT_OF_MEMORY) throw std::bad_alloc();
  }
  order.position = inverse(order.block_at);
  return order;
}

EliminationOrder reordered(const EliminationOrder& order, std::span<const int> steps) {
  EliminationOrder result;
  result.block_at.reserve(steps.size());
  for (const int step : steps) result.block_at.push_back(order.block_at[step]);
  result.position = inverse(result.block_at);
  return result;
}

std::vector<int> elimination_tree(const BlockPattern& pattern, const EliminationOrder& order) {
  const int n = pattern.blocks();
  std::vector<int> parent(n, -1), ancestor(n, -1);
  for (int j = 0; j < n; ++j) {
    const int block = order.block_at[j];
    for (int k = pattern.start[block]; k < pattern.start[block + 1]; ++k) {
      // climb from the earlier neighbour to the root of its tree so far, pointing everything on the way at j
      int i = order.position[pattern.neighbour[k]];
      while (i >= 0 && i < j) {
        const int up = ancestor[i];
        ancestor[i] = j;
        if (up < 0) parent[i] = j;
        i = up;
      }
    }
  }
  return parent;
}

std::vector<int> postorder(std::span<const int> parent) {
  ChildLists children = make_child_lists(parent);
  std::vector<int> result, path;
  result.reserve(parent.size());
  for (int root = 0; root < int(parent.size()); ++root) {
    if (parent[root] >= 0) continue;
    path.push_back(root);
    while (!path.empty()) {
      // go down to the next child that is left; a node without one is finished
      const int node = path.back(), child = children.first[node];
      if (child >= 0) {
        children.first[node] = children.next[child];
        path.push_back(child);
      } else {
        result.push_back(node);
        path.pop_back();
      }
    }
  }
  return result;
}

std::vector<int> rows_below(const BlockPattern& pattern, const EliminationOrder& order, std::span<const int> parent,
                            std::span<const int> size) {
  const int n = pattern.blocks();
  std::vector<int> below(n, 0), seen(n, -1);
  for (int i = 0; i < n; ++i) {
    // the blocks of row i of L lie on the tree paths from the earlier neighbours up to i
    seen[i] = i;
    const int block = order.block_at[i];
    for (int k = pattern.start[block]; k < pattern.start[block + 1]; ++k)
      for (int j = order.position[pattern.neighbour[k]]; j < i && seen[j] != i; j = parent[j]) {
        seen[j] = i;
        below[j] += size[i];
      }
  }
  return below;
}

}  // namespace trilith::linalg
