// Storage of soft constraint rows (SOFT-5).
#include "constraints/soft_rows.h"

#include <algorithm>

#include "base/check.h"

namespace trilith::constraints {
namespace {

/// -B v - K d (position - margin)
double reference_of(const SoftRow& row, const SoftLaw& law) {
  return -law.damping * row.velocity - law.stiffness * row.impedance * (row.position - row.margin);
}

}  // namespace

double set_friction(rows::RowGroup& group, std::span<const double> mu) noexcept {
  const bool round = mu.size() == 1 || mu[0] == mu[1];
  group.set = round ? rows::SetKind::disc : rows::SetKind::ellipse;
  if (!round) group.mu = mu;
  return round ? mu[0] : 1;
}

SoftRows::SoftRows(const RowCapacity& capacity, std::int32_t dofs) : dofs_(static_cast<std::size_t>(dofs)) {
  row_.resize(capacity.rows);
  start_.resize(capacity.rows + 1);
  column_.resize(capacity.entries);
  value_.resize(column_.size());
  for (auto* vector : {&R_, &reference_, &lower_, &upper_, &mu_, &radius_}) vector->resize(capacity.rows);
  group_.resize(capacity.rows);
  parameter_.resize(capacity.rows);
}

void SoftRows::clear() noexcept { rows_ = entries_ = groups_ = closed_ = left_out_ = 0; }

bool SoftRows::has_room(std::size_t count) noexcept {
  if (rows_ + count <= row_.size() && entries_ + count * dofs_ <= column_.size()) return true;
  left_out_ += count;
  return false;
}

void SoftRows::add(std::int32_t dof, double value) noexcept {
  TRI_CHECK(entries_ < column_.size());
  column_[entries_] = dof;
  value_[entries_++] = value;
}

void SoftRows::finish_row(SoftRow row, const SoftLaw& law, double R, double bias, std::span<const double> v) noexcept {
  const auto begin = static_cast<std::size_t>(rows_ == 0 ? 0 : start_[rows_]);
  row.velocity = 0;
  for (std::size_t e = begin; e < entries_; ++e) row.velocity += value_[e] * v[static_cast<std::size_t>(column_[e])];
  close_row(row, R, reference_of(row, law) - bias, begin, entries_);
}

void SoftRows::finish_row(const SoftRow& row, double R, double reference) noexcept {
  close_row(row, R, reference, static_cast<std::size_t>(rows_ == 0 ? 0 : start_[rows_]), entries_);
}

std::span<double> SoftRows::open_rows(std::size_t count, std::span<const std::int32_t> columns) noexcept {
  const std::size_t begin = entries_, width = columns.size();
  TRI_CHECK(begin + count * width <= column_.size());
  for (std::size_t i = 0; i < count; ++i) std::copy(columns.begin(), columns.end(), column_.data() + begin + i * width);
  entries_ += count * width;
  return std::span(value_).subspan(begin, count * width);
}

void SoftRows::finish_open_row(const SoftRow& row, const SoftLaw& law, double R, std::size_t entries) noexcept {
  const auto begin = static_cast<std::size_t>(rows_ == 0 ? 0 : start_[rows_]);
  TRI_CHECK(begin + entries <= entries_);
  close_row(row, R, reference_of(row, law), begin, begin + entries);
}

void SoftRows::close_row(const SoftRow& row, double R, double reference, std::size_t begin, std::size_t end) noexcept {
  R_[rows_] = R;
  reference_[rows_] = reference;
  row_[rows_] = row;
  start_[rows_] = static_cast<std::int64_t>(begin);
  start_[++rows_] = static_cast<std::int64_t>(end);
}

/// A group over rows [first, rows_); joined to the last one where both are scalar and of one set.
rows::RowGroup* SoftRows::open_group(rows::SetKind set, std::size_t first, std::size_t block) noexcept {
  if (first == rows_) return nullptr;
  rows::RowGroup* group = groups_ > 0 ? &group_[groups_ - 1] : nullptr;
  const bool joins = group != nullptr && block == 1 && group->block == 1 && group->set == set && set != rows::SetKind::disc;
  if (!joins) {
    group = &group_[groups_++];
    *group = {};
    group->name = "soft constraints";
    group->unit = "m/s^2 or rad/s^2";
    group->set = set;
    group->mechanism = rows::Mechanism::respond;
    group->first = static_cast<std::int32_t>(first);
    group->block = static_cast<std::int32_t>(block);
  }
  const auto begin = static_cast<std::size_t>(group->first), count = rows_ - begin;
  group->count = static_cast<std::int32_t>(count);
  parameter_[groups_ - 1].R = std::span<const double>(R_).subspan(begin, count);
  if (set == rows::SetKind::box) {
    group->lower = std::span<const double>(lower_).subspan(begin, count);
    group->upper = std::span<const double>(upper_).subspan(begin, count);
  }
  closed_ = rows_;
  return group;
}

void SoftRows::close_box(double lower, double upper) noexcept {
  for (std::size_t i = closed_; i < rows_; ++i) lower_[i] = lower, upper_[i] = upper;
  (void)open_group(rows::SetKind::box, closed_, 1);
}

void SoftRows::close_nonnegative() noexcept { (void)open_group(rows::SetKind::nonnegative, closed_, 1); }

void SoftRows::close_elliptic(std::span<const double> mu) noexcept {
  const std::size_t first = closed_, block = rows_ - first;
  TRI_CHECK(block == 0 || mu.size() + 1 == block);
  rows::RowGroup* group = open_group(rows::SetKind::elliptic, first, block);
  if (group == nullptr) return;
  std::copy(mu.begin(), mu.end(), mu_.begin() + static_cast<std::ptrdiff_t>(first));
  group->mu = std::span<const double>(mu_).subspan(first, block - 1);
}

void SoftRows::close_disc(double bound, std::span<const double> mu) noexcept {
  const std::size_t first = closed_, block = rows_ - first;
  TRI_CHECK(block == mu.size() && (block == 1 || block == 2));
  rows::RowGroup* group = open_group(rows::SetKind::disc, first, block);
  if (group == nullptr) return;
  std::copy(mu.begin(), mu.end(), mu_.begin() + static_cast<std::ptrdiff_t>(first));
  const std::size_t slot = groups_ - 1;  // one radius per group: groups are at most as many as rows
  radius_[slot] = bound * set_friction(*group, std::span<const double>(mu_).subspan(first, block));
  group->radius = std::span<const double>(radius_).subspan(slot, 1);
}

}  // namespace trilith::constraints
