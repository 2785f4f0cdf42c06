// Plans a factorization from the pattern alone: order, tree, fronts, storage. Theory: docs/theory/block_cholesky.md.
#include "linalg/block_symbolic.h"

#include <algorithm>
#include <ranges>

#include "base/check.h"

namespace trilith::linalg {
namespace {

using Plan = BlockSymbolic::Impl;

constexpr double branch_share = 1.0 / 12;   // of all work: a lighter branch is not cut
constexpr double least_branch_flops = 1e6;  // likewise: about .2 ms, some ten times what it takes to wake a thread
constexpr std::size_t most_branches = 64;

int padded(int count) { return (count + front_padding - 1) / front_padding * front_padding; }

/// Column strides that are multiples of 512 bytes put neighbouring columns into the same few cache sets: one cache line more parts them.
int cache_friendly(int stride) { return stride > 0 && stride % 64 == 0 ? stride + front_padding : stride; }

/// Fill-reducing order, then a postorder of its tree: the factor is as sparse, subtrees become contiguous. Returns the tree.
std::vector<int> choose_order(const BlockPattern& pattern, Ordering ordering, EliminationOrder& order) {
  const EliminationOrder first = make_elimination_order(pattern, ordering);
  const std::vector<int> parent = elimination_tree(pattern, first), steps = postorder(parent), place = inverse(steps);
  order = reordered(first, steps);
  std::vector<int> result(parent.size(), -1);
  for (int i = 0; i < int(parent.size()); ++i)
    if (parent[i] >= 0) result[place[i]] = place[parent[i]];
  return result;
}

void number_rows(std::span<const int> block_size, Plan& plan) {
  plan.row.push_back(0);
  for (const int block : plan.order.block_at) {
    TRI_CHECK(block_size[block] >= 1);
    plan.size.push_back(block_size[block]);
    plan.row.push_back(plan.row.back() + block_size[block]);
  }
}

/// Visiting the later positions in ascending order leaves every list sorted.
PairLists make_pair_lists(const BlockPattern& pattern, const EliminationOrder& order) {
  const int n = pattern.blocks();
  PairLists pairs;
  pairs.start.assign(n + 1, 0);
  pairs.later.resize(pattern.neighbour.size() / 2);
  for (int block = 0; block < n; ++block)
    for (int k = pattern.start[block]; k < pattern.start[block + 1]; ++k)
      if (order.position[pattern.neighbour[k]] > order.position[block]) ++pairs.start[order.position[block] + 1];
  for (int i = 0; i < n; ++i) pairs.start[i + 1] += pairs.start[i];
  std::vector<int> next(pairs.start.begin(), pairs.start.end() - 1);
  for (int i = 0; i < n; ++i) {
    const int block = order.block_at[i];
    for (int k = pattern.start[block]; k < pattern.start[block + 1]; ++k) {
      const int j = order.position[pattern.neighbour[k]];
      if (j < i) pairs.later[next[j]++] = i;
    }
  }
  return pairs;
}

double flops_of(const Front& front) {
  const double w = front.width, b = front.below;
  return w * w * w / 3 + w * w * b + w * b * b;
}

/// Shapes and panels, front by front.
void plan_panels(const FrontPartition& partition, Plan& plan) {
  plan.fronts.resize(partition.fronts());
  for (int f = 0; f < partition.fronts(); ++f) {
    Front& front = plan.fronts[f];
    front.block_begin = partition.first[f];
    front.block_end = partition.first[f + 1];
    front.pair_begin = plan.pairs.start[front.block_begin];
    front.pair_end = plan.pairs.start[front.block_end];
    front.child_begin = partition.child_start[f];
    front.child_end = partition.child_start[f + 1];
    front.first_row = plan.row[front.block_begin];
    front.width = plan.row[front.block_end] - front.first_row;
    for (int k = partition.row_start[f]; k < partition.row_start[f + 1]; ++k) front.below += plan.size[partition.row[k]];
    front.top = padded(front.width);
    front.tail = padded(front.below);
    front.stride = cache_friendly(front.top + front.tail);
    front.update_stride = cache_friendly(front.tail);
    front.panel = plan.panel_entries;
    plan.panel_entries += std::int64_t(front.stride) * front.width;
    plan.longest_front = std::max(plan.longest_front, front.top + front.tail);
    const double w = front.width, b = front.below;
    plan.factor_entries += w * (w + 1) / 2 + w * b;
    plan.factor_flops += flops_of(front);
  }
}

/// Cuts the tree into branches of about equal work and a trunk: the heaviest branch is cut until it is light enough. Depends on the pattern
/// alone, never on the number of threads. (CHOL-10)
void cut_branches(const FrontPartition& partition, Plan& plan) {
  const int fronts = partition.fronts();
  std::vector<double> work(fronts);
  std::vector<int> size(fronts, 1);
  std::vector<char> is_child(fronts, 0);
  for (int f = 0; f < fronts; ++f) {
    work[f] += flops_of(plan.fronts[f]);
    for (int c = partition.child_start[f]; c < partition.child_start[f + 1]; ++c) {
      const int child = partition.child[c];
      work[f] += work[child];
      size[f] += size[child];
      is_child[child] = 1;
    }
  }
  std::vector<int> roots;
  for (int f = 0; f < fronts; ++f)
    if (!is_child[f]) roots.push_back(f);
  const double light = std::max(plan.factor_flops * branch_share, least_branch_flops);
  const auto heavier = [&](int a, int b) { return work[a] != work[b] ? work[a] < work[b] : a > b; };
  std::make_heap(roots.begin(), roots.end(), heavier);
  while (!roots.empty() && work[roots.front()] > light && roots.size() < most_branches) {
    std::pop_heap(roots.begin(), roots.end(), heavier);
    const int root = roots.back();
    roots.pop_back();
    plan.trunk.push_back(root);
    for (int c = partition.child_start[root]; c < partition.child_start[root + 1]; ++c) {
      roots.push_back(partition.child[c]);
      std::push_heap(roots.begin(), roots.end(), heavier);
    }
  }
  std::sort(plan.trunk.begin(), plan.trunk.end());
  std::sort_heap(roots.begin(), roots.end(), heavier);
  for (const int root : roots | std::views::reverse) plan.branches.push_back({root - size[root] + 1, root + 1, work[root]});
}

/// Update matrices live from the elimination of a front to that of its parent. Fronts of even and of odd depth use two stacks, so that
/// a front can push its own matrix while those of its children still lie on top of the other stack. `members`: the fronts that share the
/// two stacks, ascending; children outside of them lie elsewhere. (CHOL-7)
void plan_stacks(const FrontPartition& partition, std::span<const int> members, std::span<const std::uint8_t> side, Plan& plan) {
  std::int64_t top[2] = {0, 0}, size[2] = {0, 0};
  for (const int f : members) {
    Front& front = plan.fronts[f];
    std::int64_t& height = top[side[f]];
    front.update = height;
    height += std::int64_t(front.update_stride) * front.tail;
    size[side[f]] = std::max(size[side[f]], height);
    for (int c = partition.child_start[f]; c < partition.child_start[f + 1]; ++c)
      if (std::binary_search(members.begin(), members.end(), partition.child[c])) {
        top[1 - side[f]] = plan.fronts[partition.child[c]].update;
        break;
      }
  }
  for (const int f : members) plan.fronts[f].update += plan.update_entries + (side[f] == 0 ? 0 : size[0]);
  plan.update_entries += size[0] + size[1];
}

void plan_updates(const FrontPartition& partition, Plan& plan) {
  std::vector<std::uint8_t> side(partition.fronts(), 0);
  for (int f = partition.fronts() - 1; f >= 0; --f)
    for (int c = partition.child_start[f]; c < partition.child_start[f + 1]; ++c) side[partition.child[c]] = std::uint8_t(1 - side[f]);
  std::vector<int> members;
  for (const Branch& branch : plan.branches) {
    members.clear();
    for (int f = branch.begin; f < branch.end; ++f) members.push_back(f);
    plan_stacks(partition, members, side, plan);
  }
  plan_stacks(partition, plan.trunk, side, plan);
}

/// Row inside its front of every position that a front holds; overwritten front by front.
void place_rows(const FrontPartition& partition, const Plan& plan, int f, std::vector<int>& place) {
  const Front& front = plan.fronts[f];
  for (int p = front.block_begin; p < front.block_end; ++p) place[p] = plan.row[p] - front.first_row;
  int next = front.top;
  for (int k = partition.row_start[f]; k < partition.row_start[f + 1]; ++k) {
    place[partition.row[k]] = next;
    next += plan.size[partition.row[k]];
  }
}

/// Rows of `child` inside its parent, whose rows are in `place`. A run never crosses from the parent's columns to its tail.
void append_runs(const FrontPartition& partition, int child, int parent_top, const std::vector<int>& place, Plan& plan) {
  Front& front = plan.fronts[child];
  front.run_begin = int(plan.runs.size());
  int from = 0;
  for (int k = partition.row_start[child]; k < partition.row_start[child + 1]; ++k) {
    const int position = partition.row[k], to = place[position], length = plan.size[position];
    const bool first = int(plan.runs.size()) == front.run_begin;
    if (!first && plan.runs.back().to + plan.runs.back().length == to && to != parent_top)
      plan.runs.back().length += length;
    else
      plan.runs.push_back({from, to, length});
    from += length;
  }
  front.run_end = int(plan.runs.size());
}

void append_segments(const FrontPartition& partition, int f, Plan& plan) {
  Front& front = plan.fronts[f];
  front.segment_begin = int(plan.segments.size());
  int from = 0;
  for (int k = partition.row_start[f]; k < partition.row_start[f + 1]; ++k) {
    const int row = plan.row[partition.row[k]], length = plan.size[partition.row[k]];
    const bool first = int(plan.segments.size()) == front.segment_begin;
    if (!first && plan.segments.back().row + plan.segments.back().length == row)
      plan.segments.back().length += length;
    else
      plan.segments.push_back({from, row, length});
    from += length;
  }
  front.segment_end = int(plan.segments.size());
}

/// Where the blocks of A go in the panel of front `f`, whose rows are in `place`.
void place_blocks(int f, const std::vector<int>& place, Plan& plan) {
  const Front& front = plan.fronts[f];
  for (int p = front.block_begin; p < front.block_end; ++p) {
    const int columns = plan.size[p];
    const std::int64_t column = std::int64_t(place[p]) * front.stride;
    plan.diagonal_copy[p] = {plan.diagonal_entries, column + place[p], columns, columns};
    plan.diagonal_entries += std::int64_t(columns) * columns;
    for (int k = plan.pairs.start[p]; k < plan.pairs.start[p + 1]; ++k) {
      const int rows = plan.size[plan.pairs.later[k]];
      plan.off_diagonal_copy[k] = {plan.off_diagonal_entries, column + place[plan.pairs.later[k]], rows, columns};
      plan.off_diagonal_entries += std::int64_t(rows) * columns;
    }
  }
}

void plan_moves(const FrontPartition& partition, Plan& plan) {
  std::vector<int> place(plan.size.size());
  plan.diagonal_copy.resize(plan.size.size());
  plan.off_diagonal_copy.resize(plan.pairs.later.size());
  plan.runs.reserve(partition.row.size());
  plan.segments.reserve(partition.row.size());
  for (int f = 0; f < partition.fronts(); ++f) {
    place_rows(partition, plan, f, place);
    for (int c = partition.child_start[f]; c < partition.child_start[f + 1]; ++c)
      append_runs(partition, partition.child[c], plan.fronts[f].top, place, plan);
    append_segments(partition, f, plan);
    place_blocks(f, place, plan);
  }
}

}  // namespace

std::shared_ptr<const BlockSymbolic> make_block_symbolic(const BlockPattern& pattern, std::span<const int> block_size, Ordering ordering) {
  TRI_CHECK(int(block_size.size()) == pattern.blocks());
  auto plan = std::make_unique<Plan>();
  const std::vector<int> parent = choose_order(pattern, ordering, plan->order);
  number_rows(block_size, *plan);
  plan->pairs = make_pair_lists(pattern, plan->order);

  const std::vector<int> below = rows_below(pattern, plan->order, parent, plan->size);
  FrontPartition partition = make_front_partition({parent, below, plan->size}, plan->pairs);

  plan_panels(partition, *plan);
  cut_branches(partition, *plan);
  plan_updates(partition, *plan);
  plan_moves(partition, *plan);
  plan->child = std::move(partition.child);
  return std::make_shared<const BlockSymbolic>(std::move(plan));
}

BlockSymbolic::BlockSymbolic(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
BlockSymbolic::~BlockSymbolic() = default;

int BlockSymbolic::blocks() const noexcept { return int(impl_->size.size()); }
int BlockSymbolic::rows() const noexcept { return impl_->row.back(); }
int BlockSymbolic::position(int block) const noexcept { return impl_->order.position[block]; }
int BlockSymbolic::block_at(int position) const noexcept { return impl_->order.block_at[position]; }
int BlockSymbolic::row_of(int position) const noexcept { return impl_->row[position]; }
int BlockSymbolic::size_of(int position) const noexcept { return impl_->size[position]; }
int BlockSymbolic::pair_count() const noexcept { return int(impl_->pairs.later.size()); }
double BlockSymbolic::factor_entries() const noexcept { return impl_->factor_entries; }
double BlockSymbolic::factor_flops() const noexcept { return impl_->factor_flops; }

int BlockSymbolic::pair(int block_a, int block_b) const noexcept {
  const auto [earlier, later] = std::minmax({position(block_a), position(block_b)});
  const auto begin = impl_->pairs.later.begin() + impl_->pairs.start[earlier],
             end = impl_->pairs.later.begin() + impl_->pairs.start[earlier + 1];
  const auto at = std::lower_bound(begin, end, later);
  return at != end && *at == later ? int(at - impl_->pairs.later.begin()) : -1;
}

}  // namespace trilith::linalg
