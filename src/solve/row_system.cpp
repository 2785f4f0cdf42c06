// Sparse rows over blocks of unknowns (NEWTON-5).
#include "solve/row_system.h"

#include <algorithm>

#include "base/check.h"

namespace trilith::solve {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace

RowSystem::RowSystem(const RowSystemSettings& settings) : settings_(settings), panels_(settings.room) {
  const auto n = at(settings.room.unknowns), rows = settings.room.rows;
  weights_.reserve(rows * rows::most_block_rows);
  groups_.reserve(rows);
  permuted_.resize(4 * n);
  const std::size_t stride = at(settings.room.widest) + panel_padding;
  for (auto* vector : {&active_, &weighed_}) vector->resize(stride * most_panel_rows);
  product_.resize(stride * panel_padding);
  for (auto* vector : {&block_first_, &planned_first_}) vector->reserve(n + 1);
  block_of_.resize(n);
  root_.resize(n);
}

bool RowSystem::update(const QuadraticTerm& quadratic, const SparseRows& rows, std::span<const rows::RowGroup> groups) noexcept {
  const std::size_t n = quadratic.lower.rows();
  if (n > at(settings_.room.unknowns) || rows.rows() > settings_.room.rows || groups.size() > groups_.capacity()) return false;
  P_ = quadratic;
  n_ = n, rows_ = rows.rows();
  groups_.assign(groups.begin(), groups.end());
  find_blocks();
  if (!panels_.update(rows, groups, {block_first_, block_of_})) return false;
  find_edges();
  count_islands();
  return plan();
}

/// Blocks end where no row of P reaches across.
void RowSystem::find_blocks() noexcept {
  block_first_.clear();
  for (std::size_t i = 0; i < n_; ++i) {
    const auto lowest = P_.lower.column[at(P_.lower.start[i])];
    block_first_.push_back(static_cast<std::int32_t>(i));
    while (block_first_.back() > lowest) block_first_.pop_back();
  }
  block_first_.push_back(static_cast<std::int32_t>(n_));
  for (std::size_t b = 0; b + 1 < block_first_.size(); ++b)
    std::fill(block_of_.begin() + block_first_[b], block_of_.begin() + block_first_[b + 1], static_cast<std::int32_t>(b));
}

/// Pairs of blocks that a panel ties together; pairs that repeat the last ones are left out.
void RowSystem::find_edges() noexcept {
  edges_.clear();
  for (const RowPanel& panel : panels_.panels()) {
    const std::span<const PanelRun> runs = panels_.runs_of(panel);
    for (std::size_t a = 1; a < runs.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const std::pair<int, int> edge{runs[b].block, runs[a].block};
        if (edge.first != edge.second && (edges_.empty() || edges_.back() != edge)) edges_.push_back(edge);
      }
  }
}

void RowSystem::count_islands() noexcept {
  islands_ = static_cast<int>(block_first_.size()) - 1;
  const auto find = [this](std::int32_t i) {
    while (root_[at(i)] != i) i = root_[at(i)] = root_[at(root_[at(i)])];
    return i;
  };
  for (std::int32_t b = 0; b < islands_; ++b) root_[at(b)] = b;
  for (const auto& [a, b] : edges_) {
    const std::int32_t one = find(a), two = find(b);
    islands_ -= one != two ? 1 : 0;
    root_[at(std::max(one, two))] = std::min(one, two);
  }
}

/// Keeps the plan while the same blocks meet.
bool RowSystem::plan() noexcept {
  if (symbolic_ != nullptr && edges_ == planned_edges_ && block_first_ == planned_first_) return true;
  std::vector<int> size(block_first_.size() - 1);
  for (std::size_t b = 0; b < size.size(); ++b) size[b] = block_first_[b + 1] - block_first_[b];
  symbolic_ = linalg::make_block_symbolic(linalg::make_block_pattern(static_cast<int>(size.size()), edges_), size, linalg::Ordering::amd);
  matrix_.reset();
  if (symbolic_->factor_entries() > settings_.most_factor_entries) return symbolic_ = nullptr, false;
  matrix_.emplace(symbolic_);
  planned_edges_ = edges_, planned_first_ = block_first_;
  ++plans_;
  return true;
}

void RowSystem::set_weights(const RowWeights& weights) noexcept {
  TRI_CHECK(weights.shape != RowWeights::Shape::triple && weights.value.size() <= weights_.capacity());
  shape_ = weights.shape;
  if (shape_ == RowWeights::Shape::identity)
    weights_.assign(rows_, 1.0);
  else
    weights_.assign(weights.value.begin(), weights.value.end());
  matrix_->set_zero();
  add_quadratic();
  const double* weight = weights_.data();
  for (const RowPanel& panel : panels_.panels()) {
    const bool blocks = shape_ == RowWeights::Shape::groups;
    TRI_CHECK(blocks || panel.set_rows == 1);
    add_panel(panel, weight);
    weight += std::int64_t{panel.rows} * panel.set_rows;
  }
}

void RowSystem::add_quadratic() noexcept {
  for (std::size_t b = 0; b + 1 < block_first_.size(); ++b) {
    const std::span<double> block = matrix_->diagonal(symbolic_->position(static_cast<int>(b)));
    const std::int32_t first = block_first_[b], size = block_first_[b + 1] - first;
    for (std::int32_t i = 0; i < size; ++i) {
      for (auto e = P_.lower.start[at(first + i)]; e < P_.lower.start[at(first + i) + 1]; ++e)
        block[at(std::int64_t{P_.lower.column[at(e)] - first} * size + i)] += P_.lower.value[at(e)];
      block[at(std::int64_t{i} * size + i)] += proximal_;
    }
  }
}

/// J'C J of one panel, a strip of columns at a time.
void RowSystem::add_panel(const RowPanel& panel, const double* weight) noexcept {
  const RowPanelKernel& kernel = row_panel_kernel_of(active_isa());
  PanelView shape = panels_.view(panel);
  shape.rows = kernel.weigh(shape, panel.set_rows, weight, active_.data(), weighed_.data());
  if (shape.rows == 0) return;
  const std::span<const PanelRun> runs = panels_.runs_of(panel);
  std::size_t own = 0;
  for (std::int32_t begin = 0; begin < panel.columns; begin += panel_padding) {
    kernel.products(active_.data(), weighed_.data(), shape, begin, product_.data());
    const std::int32_t end = std::min(begin + panel_padding, panel.columns);
    while (runs[own].at + runs[own].length <= begin) ++own;
    for (std::size_t run = own; run < runs.size() && runs[run].at < end; ++run) {
      const std::int32_t from = std::max(begin, runs[run].at), to = std::min(end, runs[run].at + runs[run].length);
      add_strip(runs.subspan(run), from, to, product_.data() + std::int64_t{from - begin} * panel.stride, panel.stride);
    }
  }
}

/// Columns [begin, end) of a panel's product, which lie in the first of `runs`, from the diagonal on, to the blocks of all `runs`.
void RowSystem::add_strip(std::span<const PanelRun> runs, std::int32_t begin, std::int32_t end, const double* values,
                          std::int32_t stride) noexcept {
  const std::int32_t block = runs[0].block, size = size_of(block), place = runs[0].unknown + begin - runs[0].at - block_first_[at(block)];
  const int position = symbolic_->position(block);
  for (const PanelRun& run : runs) {
    const std::int32_t row = run.unknown - block_first_[at(run.block)], rows = size_of(run.block);
    const bool later = run.block != block && symbolic_->position(run.block) < position;
    double* to = run.block == block ? matrix_->diagonal(position).data() : matrix_->off_diagonal(symbolic_->pair(block, run.block)).data();
    const double* from = values;
    for (std::int32_t j = begin; j < end; ++j, from += stride) {
      const std::int32_t first = std::max(run.at, j), skip = first - run.at;
      if (later) {
        double* entry = to + std::int64_t{row + skip} * size + place + j - begin;
        for (std::int32_t i = first; i < run.at + run.length; ++i, entry += size) *entry += from[i];
      } else {
        double* entry = to + std::int64_t{place + j - begin} * rows + row + skip;
        for (std::int32_t i = first; i < run.at + run.length; ++i) *entry++ += from[i];
      }
    }
  }
}

linalg::FactorReport RowSystem::factor() noexcept { return matrix_->factor({.pivot_tolerance = settings_.pivot_tolerance, .threads = 1}); }

void RowSystem::solve(std::span<double> x, int right_hand_sides) noexcept {
  const std::size_t sides = at(right_hand_sides);
  TRI_CHECK(x.size() == n_ * sides && x.size() <= permuted_.size());
  const auto for_each_block = [&](const auto& move) {
    for (std::size_t b = 0; b + 1 < block_first_.size(); ++b) {
      const auto from = at(block_first_[b]) * sides, to = at(symbolic_->row_of(symbolic_->position(static_cast<int>(b)))) * sides;
      move(x.data() + from, permuted_.data() + to, at(block_first_[b + 1] - block_first_[b]) * sides);
    }
  };
  for_each_block([](const double* from, double* to, std::size_t count) { std::copy_n(from, count, to); });
  matrix_->solve(std::span(permuted_).first(x.size()), right_hand_sides);
  for_each_block([](double* to, const double* from, std::size_t count) { std::copy_n(from, count, to); });
}

void RowSystem::apply_quadratic(std::span<const double> x, std::span<double> out) const noexcept {
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t i = 0; i < n_; ++i)
    for (auto e = at(P_.lower.start[i]); e < at(P_.lower.start[i + 1]); ++e) {
      const auto j = at(P_.lower.column[e]);
      out[i] += P_.lower.value[e] * x[j];
      if (j != i) out[j] += P_.lower.value[e] * x[i];
    }
}

/// L'D L x = b: rows from the last to the first, the diagonal, rows from the first to the last.
bool RowSystem::solve_quadratic(std::span<double> x) const noexcept {
  const SparseRows& L = P_.factor;
  if (L.rows() != n_) return false;
  for (std::size_t i = n_; i-- > 0;)
    for (auto e = at(L.start[i]); e + 1 < at(L.start[i + 1]); ++e) x[at(L.column[e])] -= L.value[e] * x[i];
  for (std::size_t i = 0; i < n_; ++i) {
    const auto diagonal = at(L.start[i + 1]) - 1;
    x[i] /= L.value[diagonal];
    for (auto e = at(L.start[i]); e < diagonal; ++e) x[i] -= L.value[e] * x[at(L.column[e])];
  }
  return true;
}

void RowSystem::apply_weights(std::span<double> row) const noexcept {
  const double* weight = weights_.data();
  for (const RowPanel& panel : panels_.panels()) {
    const std::size_t block = at(panel.set_rows);
    for (std::size_t first = at(panel.first); first < at(panel.first + panel.rows); first += block, weight += block * block) {
      double part[rows::most_block_rows] = {};
      for (std::size_t i = 0; i < block; ++i)
        for (std::size_t j = 0; j < block; ++j) part[i] += weight[i * block + j] * row[first + j];
      std::copy_n(part, block, row.begin() + static_cast<std::ptrdiff_t>(first));
    }
  }
}

}  // namespace trilith::solve
