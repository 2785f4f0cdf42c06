#include "solve/body_graph.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "solve/body_graph_kernel.h"

namespace trilith::solve {
namespace {

linalg::BlockPattern make_pattern(const rows::PatchRows& rows) {
  std::vector<std::pair<int, int>> edges;
  edges.reserve(static_cast<std::size_t>(rows.patches()));
  for (const rows::PatchGroup& group : rows.groups())
    for (int lane = 0; lane < rows::patch_lanes; ++lane)
      if (group.block_a[lane] >= 0 && group.block_b[lane] >= 0) edges.emplace_back(group.block_a[lane], group.block_b[lane]);
  return linalg::make_block_pattern(rows.blocks(), edges);
}

std::shared_ptr<const linalg::BlockSymbolic> make_symbolic(const rows::PatchRows& rows, linalg::Ordering ordering) {
  const std::vector<int> size(static_cast<std::size_t>(rows.blocks()), 6);
  return linalg::make_block_symbolic(make_pattern(rows), size, ordering);
}

PatchView view_of(const rows::PatchRows& rows) {
  return {rows.groups().data(), rows.slots().data(), static_cast<int>(rows.groups().size())};
}

int numbers_per_point(RowWeights::Shape shape) { return shape == RowWeights::Shape::triple ? 6 : 3; }

}  // namespace

struct BodyGraph::Addresses {
  std::vector<GroupAddress> groups;
};

BodyGraph::BodyGraph(const rows::PatchRows& rows, const BodyGraphSettings& settings)
    : BodyGraph(rows, make_symbolic(rows, settings.ordering), settings) {}

BodyGraph::BodyGraph(const rows::PatchRows& rows, std::shared_ptr<const linalg::BlockSymbolic> symbolic, const BodyGraphSettings& settings)
    : rows_(&rows),
      symbolic_(std::move(symbolic)),
      cholesky_(symbolic_),
      settings_(settings),
      kernel_(&body_graph_kernel_of(settings.isa)),
      ordered_(4 * static_cast<std::size_t>(unknowns())) {
  weights_.reserve(2 * rows.size());
  TRI_CHECK(symbolic_->blocks() == rows.blocks());
  auto addresses = std::make_unique<Addresses>();
  addresses->groups.resize(rows.groups().size());
  for (std::size_t g = 0; g < addresses->groups.size(); ++g) {
    const rows::PatchGroup& group = rows.groups()[g];
    GroupAddress& to = addresses->groups[g];
    for (int lane = 0; lane < rows::patch_lanes; ++lane) {
      const int a = group.block_a[lane], b = group.block_b[lane];
      to.diagonal_a[lane] = a < 0 ? -1 : symbolic_->position(a);
      to.diagonal_b[lane] = b < 0 ? -1 : symbolic_->position(b);
      to.a_is_later[lane] = to.diagonal_a[lane] > to.diagonal_b[lane];
      to.pair[lane] = a < 0 || b < 0 ? -1 : symbolic_->pair(a, b);
      TRI_CHECK(a < 0 || b < 0 || to.pair[lane] >= 0);
    }
  }
  addresses_ = std::move(addresses);
}

BodyGraph::~BodyGraph() = default;

void BodyGraph::set_weights(const RowWeights& weights) noexcept {
  shape_ = weights.shape;
  const bool unit = shape_ == RowWeights::Shape::identity;
  const int per_point = numbers_per_point(shape_);
  TRI_CHECK(unit || weights.value.size() == rows() / 3 * static_cast<std::size_t>(per_point));
  if (!unit) weights_.assign(weights.value.begin(), weights.value.end());

  cholesky_.set_zero();
  if (rows_->blocks() == 0) return;
  double* off_diagonal = symbolic_->pair_count() > 0 ? cholesky_.off_diagonal(0).data() : nullptr;
  const BlockView blocks{addresses_->groups.data(), cholesky_.diagonal(0).data(), off_diagonal};
  kernel_->form(view_of(*rows_), unit ? nullptr : weights_.data(), per_point, blocks);
  for (std::size_t k = 0; k < quadratic_.size(); k += 36) {
    const std::span<double> diagonal = cholesky_.diagonal(symbolic_->position(static_cast<int>(k / 36)));
    for (std::size_t i = 0; i < 36; ++i) diagonal[i] += quadratic_[k + i];
  }
  if (proximal_ == 0) return;
  for (int position = 0; position < rows_->blocks(); ++position)
    for (std::size_t i = 0; i < 36; i += 7) cholesky_.diagonal(position)[i] += proximal_;
}

void BodyGraph::set_quadratic(std::span<const double> blocks) {
  TRI_CHECK(blocks.size() == 36 * static_cast<std::size_t>(rows_->blocks()));
  quadratic_.assign(blocks.begin(), blocks.end());
}

linalg::FactorReport BodyGraph::factor() noexcept { return cholesky_.factor(settings_.factor); }

void BodyGraph::solve(std::span<double> x, int right_hand_sides) noexcept {
  const std::size_t block = 6 * static_cast<std::size_t>(right_hand_sides);
  TRI_CHECK(right_hand_sides >= 1 && right_hand_sides <= 4 && x.size() == block * static_cast<std::size_t>(rows_->blocks()));
  for (int body = 0; body < rows_->blocks(); ++body)
    std::copy_n(x.data() + block * static_cast<std::size_t>(body), block,
                ordered_.data() + block * static_cast<std::size_t>(symbolic_->position(body)));
  cholesky_.solve(std::span(ordered_).first(x.size()), right_hand_sides);
  for (int body = 0; body < rows_->blocks(); ++body)
    std::copy_n(ordered_.data() + block * static_cast<std::size_t>(symbolic_->position(body)), block,
                x.data() + block * static_cast<std::size_t>(body));
}

void BodyGraph::apply(std::span<const double> x, std::span<double> row) const noexcept {
  TRI_CHECK(x.size() == static_cast<std::size_t>(unknowns()) && row.size() == rows());
  kernel_->apply(view_of(*rows_), x.data(), row.data());
}

void BodyGraph::apply_transposed(std::span<const double> row, std::span<double> x) const noexcept {
  TRI_CHECK(x.size() == static_cast<std::size_t>(unknowns()) && row.size() == rows());
  std::fill(x.begin(), x.end(), 0.0);
  kernel_->apply_transposed(view_of(*rows_), row.data(), x.data());
}

void BodyGraph::apply_quadratic(std::span<const double> x, std::span<double> out) const noexcept {
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t k = 0; k < quadratic_.size(); k += 36)
    for (std::size_t c = 0; c < 6; ++c)
      for (std::size_t r = 0; r < 6; ++r) out[k / 6 + r] += quadratic_[k + 6 * c + r] * x[k / 6 + c];
}

void BodyGraph::apply_weights(std::span<double> row) const noexcept {
  TRI_CHECK(row.size() == rows());
  if (shape_ == RowWeights::Shape::identity) return;
  kernel_->weigh(view_of(*rows_), weights_.data(), numbers_per_point(shape_), row.data());
}

void BodyGraph::write_block(int body_i, int body_j, std::span<double, 36> block) noexcept {
  std::fill(block.begin(), block.end(), 0.0);
  if (body_i == body_j) {
    const std::span<const double> lower = cholesky_.diagonal(symbolic_->position(body_i));
    for (std::size_t c = 0; c < 6; ++c)
      for (std::size_t r = 0; r < 6; ++r) block[6 * c + r] = lower[r >= c ? 6 * c + r : 6 * r + c];
    return;
  }
  const int pair = symbolic_->pair(body_i, body_j);
  if (pair < 0) return;
  const bool i_is_later = symbolic_->position(body_i) > symbolic_->position(body_j);
  const std::span<const double> stored = cholesky_.off_diagonal(pair);
  for (std::size_t c = 0; c < 6; ++c)
    for (std::size_t r = 0; r < 6; ++r) block[6 * c + r] = stored[i_is_later ? 6 * c + r : 6 * r + c];
}

}  // namespace trilith::solve
