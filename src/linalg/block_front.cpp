// Implements (CHOL-4) and (CHOL-5): supernodes, relaxed merging, and the rows of every front.
#include "linalg/block_front.h"

#include <algorithm>
#include <numeric>

namespace trilith::linalg {
namespace {

/// Positions [first, last) as one front: `width` scalar columns, `below` scalar rows under them, `zeros` entries of L that are stored
/// although no block of A or fill makes them.
struct Group {
  int first, last;
  double width, below, zeros;
};

/// Consecutive positions whose columns of L have the same rows, apart from the triangle they share.
std::vector<Group> fundamental_groups(const ColumnShapes& columns) {
  const int n = int(columns.parent.size());
  std::vector<int> children(n, 0);
  for (const int p : columns.parent)
    if (p >= 0) ++children[p];

  std::vector<Group> groups;
  for (int j = 0; j < n; ++j) {
    // an only child with exactly the rows of its parent and the parent itself
    const bool joins =
        j > 0 && columns.parent[j - 1] == j && children[j] == 1 && columns.below[j - 1] == columns.below[j] + columns.size[j];
    if (!joins) groups.push_back({j, j, 0, 0, 0});
    Group& group = groups.back();
    group.last = j + 1;
    group.width += columns.size[j];
    group.below = columns.below[j];
  }
  return groups;
}

/// `child` ends where `parent` begins and its parent in the tree lies in `parent`: their union has the rows of `parent`.
Group merged(const Group& child, const Group& parent) {
  const double added = child.width * (parent.width + parent.below - child.below);
  return {child.first, parent.last, child.width + parent.width, parent.below, child.zeros + parent.zeros + added};
}

bool worthwhile(const Group& group, const Relaxation& relaxation) {
  const double entries = 0.5 * group.width * (group.width + 1) + group.width * group.below;
  for (const Relaxation::Step& step : relaxation.steps)
    if (group.width <= step.width) return group.zeros <= step.zeros * entries;
  return group.zeros == 0;
}

/// Merges every group with the child group that stands just before it, again and again, where the rule allows it.
std::vector<Group> merge_groups(std::span<const Group> groups, const ColumnShapes& columns, const Relaxation& relaxation) {
  std::vector<Group> result;
  result.reserve(groups.size());
  for (Group group : groups) {
    while (!result.empty()) {
      const Group& child = result.back();
      const int up = columns.parent[child.last - 1];
      if (up < group.first || up >= group.last) break;
      const Group both = merged(child, group);
      if (!worthwhile(both, relaxation)) break;
      group = both;
      result.pop_back();
    }
    result.push_back(group);
  }
  return result;
}

/// Fills the tree of the fronts: the parent of a front holds the tree parent of its last position.
void link_children(const ColumnShapes& columns, FrontPartition& partition) {
  const int fronts = partition.fronts();
  std::vector<int> owner(columns.parent.size()), parent(fronts, -1);
  for (int f = 0; f < fronts; ++f) std::fill(owner.begin() + partition.first[f], owner.begin() + partition.first[f + 1], f);
  partition.child_start.assign(fronts + 1, 0);
  for (int f = 0; f < fronts; ++f) {
    const int up = columns.parent[partition.first[f + 1] - 1];
    if (up < 0) continue;
    parent[f] = owner[up];
    ++partition.child_start[parent[f] + 1];
  }
  std::partial_sum(partition.child_start.begin(), partition.child_start.end(), partition.child_start.begin());
  partition.child.resize(partition.child_start.back());
  std::vector<int> next(partition.child_start.begin(), partition.child_start.end() - 1);
  for (int f = 0; f < fronts; ++f)
    if (parent[f] >= 0) partition.child[next[parent[f]]++] = f;
}

/// Rows of a front: the later neighbours of its positions and the rows of its children, without its own positions.
void collect_rows(const PairLists& pairs, FrontPartition& partition) {
  const int fronts = partition.fronts();
  std::vector<int> seen(pairs.start.size(), -1);
  partition.row_start.reserve(fronts + 1);
  partition.row_start.push_back(0);
  std::vector<int>& row = partition.row;
  row.reserve(3 * pairs.later.size());
  for (int f = 0; f < fronts; ++f) {
    const int last = partition.first[f + 1];
    const auto add = [&](int position) {
      if (position < last || seen[position] == f) return;
      seen[position] = f;
      row.push_back(position);
    };
    for (int k = pairs.start[partition.first[f]]; k < pairs.start[last]; ++k) add(pairs.later[k]);
    for (int c = partition.child_start[f]; c < partition.child_start[f + 1]; ++c) {
      const int child = partition.child[c];
      for (int k = partition.row_start[child]; k < partition.row_start[child + 1]; ++k) add(row[k]);
    }
    std::sort(row.begin() + partition.row_start[f], row.end());
    partition.row_start.push_back(int(row.size()));
  }
}

}  // namespace

FrontPartition make_front_partition(const ColumnShapes& columns, const PairLists& pairs, const Relaxation& relaxation) {
  const std::vector<Group> groups = merge_groups(fundamental_groups(columns), columns, relaxation);
  FrontPartition partition;
  partition.first.reserve(groups.size() + 1);
  for (const Group& group : groups) partition.first.push_back(group.first);
  partition.first.push_back(int(columns.parent.size()));
  link_children(columns, partition);
  collect_rows(pairs, partition);
  return partition;
}

}  // namespace trilith::linalg
