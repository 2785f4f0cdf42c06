// Implements (CHOL-4) and (CHOL-5): supernodes and the rows of every front.
#include "linalg/block_front.h"

#include <algorithm>
#include <numeric>

namespace trilith::linalg {
namespace {

/// Positions [first, last) as one front of `width` scalar columns over `below` scalar rows.
struct Group {
  int first, last;
  int width, below;
};

/// Adds position after position; one whose children's columns reach no further than its own takes the group before it in.
std::vector<Group> group_positions(const ColumnShapes& columns) {
  const int n = int(columns.parent.size());
  std::vector<Group> groups;
  groups.reserve(n);
  for (int j = 0; j < n; ++j) {
    Group group{j, j + 1, columns.size[j], columns.below[j]};
    while (!groups.empty()) {
      // the rows of a child are among the columns and rows of its parent: equal counts mean equal rows
      const Group& child = groups.back();
      const int up = columns.parent[child.last - 1];
      if (up < group.first || up >= group.last || child.below != group.width + group.below) break;
      group.first = child.first;
      group.width += child.width;
      groups.pop_back();
    }
    groups.push_back(group);
  }
  return groups;
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

FrontPartition make_front_partition(const ColumnShapes& columns, const PairLists& pairs) {
  const std::vector<Group> groups = group_positions(columns);
  FrontPartition partition;
  partition.first.reserve(groups.size() + 1);
  for (const Group& group : groups) partition.first.push_back(group.first);
  partition.first.push_back(int(columns.parent.size()));
  link_children(columns, partition);
  collect_rows(pairs, partition);
  return partition;
}

}  // namespace trilith::linalg
