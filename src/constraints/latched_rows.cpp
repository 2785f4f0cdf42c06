// Elliptic contacts as a normal row and discs of friction (SOFT-15).
#include "constraints/latched_rows.h"

#include "base/check.h"

namespace trilith::constraints {

LatchedRows::LatchedRows(std::size_t most_rows) {
  group_.resize(most_rows);
  parameter_.resize(most_rows);
  for (auto* vector : {&normal_, &owner_}) vector->resize(most_rows);
  for (auto* vector : {&normal_R_, &coefficient_, &radius_}) vector->resize(most_rows);
}

void LatchedRows::build(const SoftRows& rows) noexcept {
  groups_ = latches_ = discs_ = 0;
  for (std::size_t g = 0; g < rows.groups().size(); ++g) {
    const rows::RowGroup& group = rows.groups()[g];
    if (group.set == rows::SetKind::elliptic) {
      take_apart(group, rows);
      continue;
    }
    group_[groups_] = group;
    parameter_[groups_++] = rows.parameters()[g];
  }
}

void LatchedRows::take_apart(const rows::RowGroup& contact, const SoftRows& rows) noexcept {
  const std::int32_t friction = contact.block - 1;
  for (std::int32_t b = 0; b < contact.blocks(); ++b) {
    const std::int32_t first = contact.first + b * contact.block;
    const auto mu = contact.mu.subspan(static_cast<std::size_t>(b * friction), static_cast<std::size_t>(friction));
    add_group(rows::SetKind::nonnegative, first, 1, rows.R());
    normal_[latches_] = first;
    normal_R_[latches_++] = rows.R()[static_cast<std::size_t>(first)];
    for_each_disc(mu.size(), [&](std::size_t k, std::size_t size) {
      add_disc(first + 1 + static_cast<std::int32_t>(k), mu.subspan(k, size), rows.R());
    });
  }
}

rows::RowGroup& LatchedRows::add_group(rows::SetKind set, std::int32_t first, std::int32_t count, std::span<const double> R) noexcept {
  TRI_CHECK(groups_ < group_.size());
  rows::RowGroup& group = group_[groups_];
  group = {};
  group.name = "soft contacts", group.unit = "m/s^2 or rad/s^2";
  group.set = set, group.mechanism = rows::Mechanism::respond;
  group.first = first, group.count = group.block = count;
  parameter_[groups_++].R = R.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
  return group;
}

void LatchedRows::add_disc(std::int32_t first, std::span<const double> mu, std::span<const double> R) noexcept {
  rows::RowGroup& group = add_group(rows::SetKind::disc, first, static_cast<std::int32_t>(mu.size()), R);
  group.radius = std::span<const double>(radius_).subspan(discs_, 1);
  owner_[discs_] = static_cast<std::int32_t>(latches_) - 1;
  coefficient_[discs_++] = set_friction(group, mu);
}

}  // namespace trilith::constraints
