// Build order: the search, the props, and a given order. Equations: (ORD-1) (ORD-3) (ORD-4)
#include "statics/order.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "linalg/fixed.h"
#include "statics/order_props.h"

namespace trilith::statics {
namespace {

constexpr double same_height = 1e-6;  // of the largest block: centres of mass this near in height belong to one course

std::string count_of(std::size_t count, std::string_view thing) {
  return std::to_string(count) + " " + std::string(thing) + (count == 1 ? "" : "s");
}

class Planner {
 public:
  Planner(const model::Assembly& assembly, const OrderSettings& settings)
      : assembly_(assembly), settings_(settings), states_(assembly, settings.check), none_(assembly.blocks.size()) {}

  OrderResult find();
  OrderResult follow(std::span<const std::uint32_t> order, std::span<const Prop> props);

 private:
  void plan_props(const std::vector<std::uint32_t>& rank, const SearchReport& bare, std::vector<BlockSet> unmet);
  void tell_steps(std::span<const std::uint32_t> order, std::span<const BlockSet> held);
  void tell_props();
  void fail_at(std::span<const std::uint32_t> before, std::uint32_t block, const BlockSet& held);
  void walk(std::span<const std::uint32_t> order, std::span<const Prop> props);
  std::optional<StateMargin> margin_of(const BuildState& state) const;
  OrderResult finish();

  const model::Assembly& assembly_;
  const OrderSettings& settings_;
  BuildStates states_;
  const BlockSet none_;
  OrderResult result_;
};

std::optional<StateMargin> Planner::margin_of(const BuildState& state) const {
  if (!settings_.margin) return std::nullopt;
  return settings_.margin(states_.make_state(state).assembly);
}

/// The steps of a found order, each with what is known of its state. `held`: per step; empty: nothing is held.
void Planner::tell_steps(std::span<const std::uint32_t> order, std::span<const BlockSet> held) {
  BuildState state{none_, none_};
  for (std::size_t step = 0; step < order.size(); ++step) {
    state.placed.add(order[step]);
    if (!held.empty()) state.held = held[step];
    result_.steps.push_back({order[step], states_.ask(state).verdict, margin_of(state), state.held.list()});
  }
}

/// The props as intervals of the steps told.
void Planner::tell_props() {
  for (std::size_t step = 0; step < result_.steps.size(); ++step) {
    for (const std::uint32_t block : result_.steps[step].props) {
      const auto at = std::ranges::find(result_.props, block, &Prop::block);
      if (at != result_.props.end())
        at->until = static_cast<int>(step) + 2;
      else
        result_.props.push_back({block, static_cast<int>(step) + 1, static_cast<int>(step) + 2});
    }
  }
}

/// The state in which `block` has followed `before`, as the failure; where its own check does not say that it falls, with all that stays
/// still in the known fall held firm. Nothing where it is not known to fall.
void Planner::fail_at(std::span<const std::uint32_t> before, std::uint32_t block, const BlockSet& held) {
  BuildState state{none_, held};
  for (const std::uint32_t placed : before) state.placed.add(placed);
  state.placed.add(block);
  const BuildStates::Answer answer = states_.ask(state);
  if (answer.verdict != Verdict::falls) return;
  for (const bool firm : {false, true}) {
    if (firm) {
      state.held = state.placed;
      state.held.remove(states_.cuts()[answer.cut].moving);
    }
    OrderFailure failure;
    failure.step = static_cast<int>(before.size()) + 1;
    failure.block = block;
    failure.state = states_.make_state(state).assembly;
    failure.result = check(failure.state, settings_.check);
    if (failure.result.verdict != Verdict::falls) continue;
    result_.failure = std::move(failure);
    return;
  }
}

/// No order was found with nothing held: which blocks have to be held?
void Planner::plan_props(const std::vector<std::uint32_t>& rank, const SearchReport& bare, std::vector<BlockSet> unmet) {
  const bool impossible = bare.end == SearchReport::End::impossible || !unmet.empty();
  if (unmet.empty() && impossible) unmet = bare.unmet;
  result_.outcome = impossible ? OrderOutcome::falls : OrderOutcome::undecided;
  result_.reason = impossible ? "no order exists in which every state stands by itself"
                              : "no order was found in which every state stands by itself, and none was proved impossible";
  if (!settings_.allow_props) return;
  const std::optional<PropPlan> plan = find_props(states_, rank, std::move(unmet), settings_);
  if (!plan) {
    result_.reason +=
        states_.out_of_time() ? "; the time limit came before props were found" : "; the search for props ended without an answer";
    return;
  }
  const std::vector<BlockSet> held = release_props(states_, *plan);
  result_.steps.clear();
  tell_steps(plan->order, held);
  tell_props();
  if (std::ranges::any_of(result_.steps, [](const OrderStep& step) { return step.verdict != Verdict::stands; })) {
    result_.outcome = OrderOutcome::undecided;
    result_.reason += "; with props some states are not proved to stand";
    return;
  }
  result_.fewest_props = impossible && plan->fewest && result_.props.size() == plan->held.count();
  if (impossible) result_.outcome = OrderOutcome::with_props;
  result_.reason += "; with " + count_of(result_.props.size(), "block") + " held for a while every state stands" +
                    (result_.fewest_props ? ", and no fewer will do" : " (fewer were not found; that none exist is not proved)");
}

OrderResult Planner::find() {
  const std::vector<std::uint32_t> rank = order_by_height(assembly_);
  // what does not stand when finished has no order, whatever is held on the way
  const Verdict finished = states_.ask({states_.free_blocks(), none_}).verdict;
  if (finished != Verdict::stands) {
    walk(rank, {});
    if (finished == Verdict::falls) {
      result_.outcome = OrderOutcome::falls;
      result_.reason = "the finished assembly falls: no order helps";
    } else {
      result_.outcome = OrderOutcome::undecided;
      result_.reason = "whether the finished assembly stands is undecided";
    }
    return finish();
  }
  const SearchReport first = search_order(states_, rank, none_, 0);
  if (first.end == SearchReport::End::found) {
    tell_steps(first.order, {});
    result_.outcome = OrderOutcome::stands;
    result_.reason = "every state stands";
    return finish();
  }
  // stuck: is a set of blocks in its own way, or does a longer search get through?
  std::vector<BlockSet> blocking;
  if (first.end == SearchReport::End::open) blocking = find_blocking(states_, none_);
  const SearchReport longer =
      first.end == SearchReport::End::open && blocking.empty() ? search_order(states_, rank, none_, settings_.most_dead_ends) : first;
  if (longer.end == SearchReport::End::found) {
    tell_steps(longer.order, {});
    result_.outcome = OrderOutcome::stands;
    result_.reason = "every state stands";
    return finish();
  }
  tell_steps(longer.order, {});
  fail_at(longer.order, longer.refused, none_);
  plan_props(rank, longer, std::move(blocking));
  return finish();
}

/// Follows an order to the first state that falls.
void Planner::walk(std::span<const std::uint32_t> order, std::span<const Prop> props) {
  BuildState state{none_, none_};
  bool open = false;
  for (std::size_t step = 0; step < order.size(); ++step) {
    TRI_CHECK(states_.free_blocks().has(order[step]) && !state.placed.has(order[step]));
    state.placed.add(order[step]);
    state.held = none_;
    const int number = static_cast<int>(step) + 1;
    for (const Prop& prop : props)
      if (prop.from <= number && number < prop.until) state.held.add(prop.block);
    const Verdict verdict = states_.ask(state).verdict;
    const bool stands = verdict == Verdict::stands;
    result_.steps.push_back({order[step], verdict, stands ? margin_of(state) : std::nullopt, state.held.list()});
    open = open || !stands;
    if (verdict != Verdict::falls) continue;
    fail_at(order.first(step), order[step], state.held);
    result_.outcome = OrderOutcome::falls;
    result_.reason = "step " + std::to_string(step + 1) + " falls";
    return;
  }
  const bool propped = !props.empty();
  result_.outcome = open ? OrderOutcome::undecided : propped ? OrderOutcome::with_props : OrderOutcome::stands;
  result_.reason = open ? "no state falls, but some are not proved to stand" : "every state stands";
  const std::size_t left = states_.free_blocks().count() - order.size();
  if (!open && left > 0) {
    result_.outcome = OrderOutcome::incomplete;
    result_.reason += ", but " + count_of(left, "block") + (left == 1 ? " is" : " are") + " never placed: nothing is said of the rest";
  }
  if (propped) result_.reason += "; " + count_of(props.size(), "block") + " held for a while as the order says";
}

OrderResult Planner::follow(std::span<const std::uint32_t> order, std::span<const Prop> props) {
  result_.props.assign(props.begin(), props.end());
  walk(order, props);
  return finish();
}

OrderResult Planner::finish() {
  result_.checks = states_.checks();
  const bool late = result_.outcome == OrderOutcome::undecided && states_.out_of_time();
  result_.status = late ? SolveStatus::time_limit : result_.outcome == OrderOutcome::undecided ? SolveStatus::stalled : SolveStatus::solved;
  if (late) result_.reason += "; the time limit came first";
  return std::move(result_);
}

}  // namespace

std::vector<std::uint32_t> order_by_height(const model::Assembly& assembly) {
  std::vector<std::pair<double, std::uint32_t>> heights;
  const Vec3d up = unit(-assembly.gravity);
  double size = 0;
  for (std::uint32_t i = 0; i < assembly.blocks.size(); ++i) {
    size = std::max(size, assembly.blocks[i].size);
    if (!assembly.blocks[i].fixed) heights.emplace_back(dot(up, assembly.blocks[i].com - assembly.blocks[0].com), i);
  }
  std::sort(heights.begin(), heights.end());
  // blocks of one course stay in the order of the file, whatever rounding says of their heights
  for (std::size_t begin = 0, end = 0; begin < heights.size(); begin = end) {
    while (end < heights.size() && heights[end].first - heights[begin].first <= same_height * size) ++end;
    std::sort(heights.begin() + static_cast<std::ptrdiff_t>(begin), heights.begin() + static_cast<std::ptrdiff_t>(end),
              [](const auto& a, const auto& b) { return a.second < b.second; });
  }
  std::vector<std::uint32_t> order;
  for (const auto& [height, block] : heights) order.push_back(block);
  return order;
}

OrderResult find_order(const model::Assembly& assembly, const OrderSettings& settings) {
  const double start = wall_seconds();
  OrderResult result = Planner(assembly, settings).find();
  result.seconds = wall_seconds() - start;
  return result;
}

OrderResult follow_order(const model::Assembly& assembly, std::span<const std::uint32_t> order, const OrderSettings& settings,
                         std::span<const Prop> props) {
  const double start = wall_seconds();
  OrderResult result = Planner(assembly, settings).follow(order, props);
  result.seconds = wall_seconds() - start;
  return result;
}

}  // namespace trilith::statics
