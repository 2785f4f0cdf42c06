#include "rows/row_group.h"

#include <algorithm>
#include <string>

namespace trilith::rows {
namespace {

/// Collects the faults of one group under "group 'NAME'/...".
class Faults {
 public:
  explicit Faults(std::string_view group) : where_("group '" + std::string(group) + "'") {}
  void add(std::string what, std::string_view part) {
    if (found_.size() < max_errors) found_.push_back({std::move(what), where_ + std::string(part)});
  }
  /// `values` must have `count` entries, each >= least (which NaN is not).
  void check_parameter(std::span<const double> values, std::size_t count, std::string_view part) {
    if (values.size() != count) return add("needs " + std::to_string(count) + " numbers, got " + std::to_string(values.size()), part);
    for (std::size_t i = 0; i < count; ++i)
      if (!(values[i] >= 0 && values[i] <= std::numeric_limits<double>::max()))
        add("must be >= 0 and finite, got " + std::to_string(values[i]), std::string(part) + "[" + std::to_string(i) + "]");
  }
  std::vector<Error> take() { return std::move(found_); }

 private:
  std::string where_;
  std::vector<Error> found_;
};

void check_bounds(const RowGroup& group, Faults& faults) {
  const auto count = static_cast<std::size_t>(group.count);
  if (group.lower.size() != count || group.upper.size() != count)
    return faults.add("a box needs one lower and one upper bound per row", "/lower");
  for (std::size_t i = 0; i < count; ++i)
    if (!(group.lower[i] <= group.upper[i]))
      faults.add("lower bound " + std::to_string(group.lower[i]) + " is above upper bound " + std::to_string(group.upper[i]),
                 "/lower[" + std::to_string(i) + "]");
}

struct BlockRange {
  std::int32_t least, most;
};

BlockRange block_range(SetKind set) {
  switch (set) {
    case SetKind::zero:
    case SetKind::nonnegative:
    case SetKind::box:
      return {1, 1};
    case SetKind::pyramid:
      return {3, 3};
    case SetKind::friction_cone:
    case SetKind::elliptic:
      return {2, most_block_rows};
    case SetKind::disc:
      return {1, most_block_rows};
    case SetKind::ellipse:
      return {2, 2};
  }
  return {1, 1};
}

}  // namespace

std::string_view name(SetKind set) noexcept {
  switch (set) {
    case SetKind::zero:
      return "zero";
    case SetKind::nonnegative:
      return "nonnegative";
    case SetKind::box:
      return "box";
    case SetKind::friction_cone:
      return "friction_cone";
    case SetKind::elliptic:
      return "elliptic";
    case SetKind::pyramid:
      return "pyramid";
    case SetKind::disc:
      return "disc";
    case SetKind::ellipse:
      return "ellipse";
  }
  return "unknown";
}

std::string_view name(Mechanism mechanism) noexcept {
  switch (mechanism) {
    case Mechanism::telemetry:
      return "telemetry";
    case Mechanism::respond:
      return "respond";
    case Mechanism::barrier:
      return "barrier";
    case Mechanism::admm:
      return "admm";
    case Mechanism::augmented_lagrangian:
      return "augmented_lagrangian";
  }
  return "unknown";
}

std::vector<Error> find_faults(const RowGroup& group) {
  Faults faults(group.name);
  const BlockRange range = block_range(group.set);
  if (group.block < range.least || group.block > range.most) {
    faults.add("set " + std::string(name(group.set)) + " cannot tie " + std::to_string(group.block) + " rows together", "/block");
    return faults.take();
  }
  if (group.first < 0 || group.count < 0 || group.count % group.block != 0) {
    faults.add("rows " + std::to_string(group.first) + " + " + std::to_string(group.count) + " are not whole blocks", "/count");
    return faults.take();
  }

  const auto blocks = static_cast<std::size_t>(group.blocks());
  switch (group.set) {
    case SetKind::zero:
    case SetKind::nonnegative:
      break;
    case SetKind::box:
      check_bounds(group, faults);
      break;
    case SetKind::pyramid:
      if (group.faces == nullptr) faults.add("a pyramid needs its table of faces", "/faces");
      faults.check_parameter(group.mu, blocks, "/mu");
      break;
    case SetKind::friction_cone:
      faults.check_parameter(group.mu, blocks, "/mu");
      break;
    case SetKind::elliptic:
      faults.check_parameter(group.mu, blocks * static_cast<std::size_t>(group.block - 1), "/mu");
      break;
    case SetKind::disc:
      faults.check_parameter(group.radius, blocks, "/radius");
      break;
    case SetKind::ellipse:
      faults.check_parameter(group.radius, blocks, "/radius");
      faults.check_parameter(group.mu, blocks * static_cast<std::size_t>(group.block), "/mu");
      if (std::ranges::any_of(group.mu, [](double mu) { return mu == 0; })) faults.add("an ellipse needs axes above 0", "/mu");
      break;
  }
  return faults.take();
}

}  // namespace trilith::rows
