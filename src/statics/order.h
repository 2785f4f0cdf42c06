#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/assembly.h"
#include "statics/check.h"
#include "trilith/status.h"

namespace trilith::statics {

/// How much of its weight a state takes sideways, or why there is no number.
struct StateMargin {
  std::optional<double> value;
  std::string why_none;
};

struct OrderSettings {
  CheckSettings check;             ///< of every state; its deadline ends the search
  bool allow_props = true;         ///< look for props where no order stands without
  int most_dead_ends = 200;        ///< of each piece in one search before it gives up (then nothing is said to be impossible)
  int most_prop_rounds = 500;      ///< choices of held blocks tried
  int most_prop_branches = 20000;  ///< steps of one search for the fewest blocks to hold; beyond it the fewest is not proved
  /// A margin of every state, where one is wanted: the partial assembly in.
  std::function<StateMargin(const model::Assembly&)> margin;
};

/// One block is placed, then the props that are no longer needed go.
struct OrderStep {
  std::uint32_t block = 0;
  Verdict verdict = Verdict::undecided;  ///< of the state after this step, with its props
  std::optional<StateMargin> margin;     ///< where one was wanted
  std::vector<std::uint32_t> props;      ///< blocks held in that state, ascending
};

/// "Hold this block from step `from` on, until step `until` is done." Steps count from 1.
struct Prop {
  std::uint32_t block = 0;
  int from = 0, until = 0;
};

/// The first state that is not proved to stand.
struct OrderFailure {
  int step = 0;             ///< counts from 1
  std::uint32_t block = 0;  ///< placed in this step
  model::Assembly state;    ///< what is placed then; held blocks are supports
  CheckResult result;       ///< its check: `falls`, with the collapse in terms of `state`
};

enum class OrderOutcome : std::uint8_t {
  stands,      ///< every state of `steps` stands, without props
  with_props,  ///< no order without props is possible (of a given order: not asked), with those of `props` every state stands
  falls,       ///< the given order has a state that falls; or no order is possible (the finished assembly falls, or no props were allowed)
  incomplete,  ///< every state of the given order stands, with its props, but it does not place every block: nothing is said of the rest
  undecided,   ///< neither an order without props nor its impossibility was proved; `steps` may hold an order with props all the same
};

struct OrderResult {
  OrderOutcome outcome = OrderOutcome::undecided;
  std::vector<OrderStep> steps;         ///< in order; ends with the failing step where there is one
  std::vector<Prop> props;              ///< in order of placing; empty where none are needed or none were found
  bool fewest_props = false;            ///< proved: no order does with fewer held blocks
  std::optional<OrderFailure> failure;  ///< of the given order; of a search: the furthest state that it met without props
  std::string reason;                   ///< one sentence
  SolveStatus status = SolveStatus::not_run;
  int checks = 0;  ///< states or parts of states that were checked
  double seconds = 0;
};

/// Looks for an order in which every partial state stands: a state is the supports and the blocks placed so far, with the interfaces among
/// them. Where none exists, for the fewest blocks that have to be held and the shortest time to hold them (ORD-3, ORD-4). Interfaces must
/// be present. What is said to be impossible is proved: by falls that the judge confirmed.
OrderResult find_order(const model::Assembly& assembly, const OrderSettings& settings);

/// Follows a given order (indices of free blocks, each at most once; not all need be there) to the first state that falls, with blocks held
/// as `props` says: free ones that are placed by then.
OrderResult follow_order(const model::Assembly& assembly, std::span<const std::uint32_t> order, const OrderSettings& settings,
                         std::span<const Prop> props = {});

/// The free blocks from the ground up: by the height of their centres of mass along gravity, then as they stand in the file. What a search
/// tries first.
std::vector<std::uint32_t> order_by_height(const model::Assembly& assembly);

}  // namespace trilith::statics
