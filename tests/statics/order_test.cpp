// Build orders against plain checks of every state, and against all orders tried out where that is possible.
#include "statics/order.h"

#include <algorithm>

#include "assemblies.h"
#include "statics/build_states.h"
#include "support/random.h"

namespace trilith {
namespace {

using statics::OrderOutcome;
using statics::OrderResult;
using test::assemble;

model::AssemblyInput with_friction(model::AssemblyInput input, double friction) {
  input.friction = friction;
  input.density = 2400;
  return input;
}

model::Assembly arch_of(int count, double friction = 0.84, double thickness = 0.15) {
  return assemble(with_friction(model::generate_arch({.count = count, .thickness_ratio = thickness}), friction));
}

/// Plain reference: the whole state as an assembly of its own, checked from scratch.
Verdict plain_verdict(const model::Assembly& whole, const std::vector<bool>& placed, const std::vector<bool>& held) {
  model::Assembly state = whole;
  const auto there = [&](std::uint32_t i) { return whole.blocks[i].fixed || placed[i]; };
  for (std::uint32_t i = 0; i < state.blocks.size(); ++i) state.blocks[i].fixed = !there(i) || whole.blocks[i].fixed || held[i];
  std::erase_if(state.interfaces, [&](const model::Interface& face) {
    return !there(face.a) || !there(face.b) || (state.blocks[face.a].fixed && state.blocks[face.b].fixed);
  });
  return statics::check(state, {}).verdict;
}

/// Every step of a result that claims an order, checked the plain way; with its props, and without any one of them.
void expect_every_state_stands(const model::Assembly& assembly, const OrderResult& result, bool props_are_needed) {
  std::vector<bool> placed(assembly.blocks.size(), false);
  for (const statics::OrderStep& step : result.steps) {
    ASSERT_FALSE(placed[step.block]);
    placed[step.block] = true;
    std::vector<bool> held(assembly.blocks.size(), false);
    for (const std::uint32_t block : step.props) held[block] = true;
    EXPECT_EQ(step.verdict, Verdict::stands);
    EXPECT_EQ(plain_verdict(assembly, placed, held), Verdict::stands);
    if (!props_are_needed || step.props.empty()) continue;
    EXPECT_EQ(plain_verdict(assembly, placed, std::vector<bool>(held.size(), false)), Verdict::falls);
  }
  std::size_t free = 0;
  for (const model::Block& block : assembly.blocks) free += !block.fixed;
  EXPECT_EQ(result.steps.size(), free);
}

/// Plain reference for small assemblies: can all be placed one by one with `held` held from their placing on?
class AllOrders {
 public:
  explicit AllOrders(const model::Assembly& assembly) : assembly_(assembly) {
    for (std::uint32_t i = 0; i < assembly.blocks.size(); ++i)
      if (!assembly.blocks[i].fixed) free_.push_back(i);
  }
  bool possible(unsigned held) {
    const unsigned all = (1U << free_.size()) - 1;
    std::vector<bool> reached(all + 1, false);
    reached[0] = true;
    for (unsigned state = 1; state <= all; ++state)
      for (std::size_t i = 0; i < free_.size() && !reached[state]; ++i)
        if (state >> i & 1 && reached[state & ~(1U << i)]) reached[state] = stands(state, held & state);
    return reached[all];
  }
  /// Fewest held blocks for which an order exists, -1: the finished assembly falls.
  int fewest() {
    const unsigned all = (1U << free_.size()) - 1;
    if (!stands(all, 0)) return -1;
    int least = static_cast<int>(free_.size());
    for (unsigned held = 0; held <= all; ++held)
      if (const int count = __builtin_popcount(held); count < least && possible(held)) least = count;
    return least;
  }

 private:
  bool stands(unsigned state, unsigned held) {
    const auto [at, is_new] = known_.try_emplace({state, held}, false);
    if (!is_new) return at->second;
    std::vector<bool> placed(assembly_.blocks.size(), false), fixed(placed);
    for (std::size_t i = 0; i < free_.size(); ++i) {
      placed[free_[i]] = (state >> i & 1) != 0;
      fixed[free_[i]] = (held >> i & 1) != 0;
    }
    return at->second = plain_verdict(assembly_, placed, fixed) == Verdict::stands;
  }
  const model::Assembly& assembly_;
  std::vector<std::uint32_t> free_;
  std::map<std::pair<unsigned, unsigned>, bool> known_;
};

TEST(OrderTest, AWallIsBuiltCourseByCourseWithoutProps) {
  const model::Assembly wall = assemble(with_friction(model::generate_wall({.columns = 10, .rows = 10}), 0.6));
  const OrderResult result = statics::find_order(wall, {});
  ASSERT_EQ(result.outcome, OrderOutcome::stands) << result.reason;
  EXPECT_TRUE(result.props.empty());
  EXPECT_FALSE(result.failure);
  EXPECT_EQ(result.checks, 105);  // 105 stones: one check for the finished wall, one for each step but the last
  EXPECT_LT(result.seconds, 2);
  expect_every_state_stands(wall, result, false);
}

TEST(OrderTest, AnArchNeedsCentringUntilItsKeyStone) {
  const model::Assembly arch = arch_of(15);
  const OrderResult result = statics::find_order(arch, {});
  ASSERT_EQ(result.outcome, OrderOutcome::with_props) << result.reason;
  EXPECT_TRUE(result.fewest_props);
  expect_every_state_stands(arch, result, true);
  // from the first prop on something is held until the last stone is in
  const std::size_t first = static_cast<std::size_t>(result.props[0].from) - 1;
  for (std::size_t i = first; i + 1 < result.steps.size(); ++i) EXPECT_FALSE(result.steps[i].props.empty()) << i;
  EXPECT_TRUE(result.steps.back().props.empty());
  for (const statics::Prop& prop : result.props) {
    EXPECT_EQ(result.steps[static_cast<std::size_t>(prop.from) - 1].block, prop.block);
    EXPECT_LE(prop.until, static_cast<int>(result.steps.size()));
  }
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->result.verdict, Verdict::falls);
}

TEST(OrderTest, ThinJointsThatHoldByFrictionNeedNoCentring) {
  // all joints of a flat stack of wedges are below the angle of friction
  const model::Assembly corbel = assemble(with_friction(model::generate_corbel({}), 0.8));
  EXPECT_EQ(statics::find_order(corbel, {}).outcome, OrderOutcome::stands);
}

TEST(OrderTest, TheFewestPropsAreThoseOfAllOrdersTriedOut) {
  for (const int count : {3, 4, 5, 6, 7})
    for (const double friction : {0.4, 0.84, 1.5}) {
      const model::Assembly arch = arch_of(count, friction, 0.3);
      const int fewest = AllOrders(arch).fewest();
      const OrderResult result = statics::find_order(arch, {});
      if (fewest < 0) {
        EXPECT_EQ(result.outcome, OrderOutcome::falls);
      } else if (fewest == 0) {
        EXPECT_EQ(result.outcome, OrderOutcome::stands) << count << " " << friction;
      } else {
        ASSERT_EQ(result.outcome, OrderOutcome::with_props) << count << " " << friction << " " << result.reason;
        EXPECT_TRUE(result.fewest_props) << count << " " << friction;
        EXPECT_EQ(result.props.size(), static_cast<std::size_t>(fewest)) << count << " " << friction;
        expect_every_state_stands(arch, result, false);
      }
    }
}

TEST(OrderTest, IrregularWallsAgreeWithAllOrdersTriedOut) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const model::Assembly wall =
        assemble(with_friction(model::generate_polygonal_wall({.columns = 2, .rows = 3, .jitter = 0.45, .seed = seed}), 0.5));
    ASSERT_LE(wall.blocks.size(), 10U);
    const int fewest = AllOrders(wall).fewest();
    const OrderResult result = statics::find_order(wall, {});
    const OrderOutcome expected = fewest < 0 ? OrderOutcome::falls : fewest == 0 ? OrderOutcome::stands : OrderOutcome::with_props;
    EXPECT_EQ(result.outcome, expected) << seed << " " << result.reason;
    EXPECT_EQ(result.props.size(), static_cast<std::size_t>(std::max(fewest, 0))) << seed;
  }
}

TEST(OrderTest, DomesAndVaultsAreBuiltWithTheirPropsStateByState) {
  const model::Assembly shells[] = {assemble(with_friction(model::generate_dome({}), 0.84)),
                                    assemble(with_friction(model::generate_barrel_vault({}), 0.84)),
                                    assemble(with_friction(model::generate_cross_vault({}), 0.84))};
  for (const model::Assembly& shell : shells) {
    const OrderResult result = statics::find_order(shell, {});
    ASSERT_EQ(result.outcome, OrderOutcome::with_props) << result.reason;
    EXPECT_TRUE(result.fewest_props);
    EXPECT_FALSE(result.props.empty());
    expect_every_state_stands(shell, result, true);
  }
}

TEST(BuildStatesTest, CutsAndPartsAgreeWithPlainChecks) {
  const model::Assembly assemblies[] = {
      arch_of(10), assemble(with_friction(model::generate_jack_arch({}), 0.5)),
      assemble(with_friction(model::generate_corbel({.span = 0.96}), 0.7)),
      assemble(with_friction(model::generate_polygonal_wall({.columns = 3, .rows = 4, .jitter = 0.4}), 0.4)),
      assemble(with_friction(model::generate_barrel_vault({.count = 7, .columns = 2}), 0.7))};
  test::Random random(4);
  int falls = 0, by_cut = 0;
  for (const model::Assembly& assembly : assemblies) {
    statics::BuildStates states(assembly, {});
    for (int round = 0; round < 120; ++round) {
      const double share = random.uniform(0.3, 1), prop_share = random.uniform(0, 0.4);
      statics::BuildState state{statics::BlockSet(assembly.blocks.size()), statics::BlockSet(assembly.blocks.size())};
      std::vector<bool> placed(assembly.blocks.size(), false), held(placed);
      for (const std::uint32_t block : states.free_blocks().list()) {
        if (random.uniform(0, 1) > share) continue;
        placed[block] = true;
        state.placed.add(block);
        if (random.uniform(0, 1) > prop_share) continue;
        held[block] = true;
        state.held.add(block);
      }
      const int checks = states.checks();
      const auto answer = states.ask(state);
      const Verdict plain = plain_verdict(assembly, placed, held);
      EXPECT_EQ(answer.verdict, plain) << round;
      if (answer.verdict != Verdict::falls) continue;
      ++falls;
      by_cut += states.checks() == checks;
      const statics::Cut& cut = states.cuts()[answer.cut];
      EXPECT_TRUE(cut.moving.lies_in(state.placed) && !cut.moving.meets(state.held) && !cut.resisting.meets(state.placed));
    }
  }
  EXPECT_GT(falls, 200);
  EXPECT_GT(by_cut, 100);  // the falls of others said it
}

TEST(OrderTest, AGivenOrderIsFollowedToItsFirstFall) {
  const model::Assembly arch = arch_of(16);
  std::vector<std::uint32_t> listed;
  for (std::uint32_t i = 0; i < arch.blocks.size(); ++i)
    if (!arch.blocks[i].fixed) listed.push_back(i);
  const OrderResult result = statics::follow_order(arch, listed, {});
  ASSERT_EQ(result.outcome, OrderOutcome::falls);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->step, 4);  // the leaning foot turns over
  EXPECT_EQ(result.failure->block, listed[3]);
  EXPECT_EQ(result.steps.size(), 4U);
  EXPECT_FALSE(result.failure->result.collapse.groups.empty());

  const model::Assembly wall = assemble(with_friction(model::generate_wall({}), 0.6));
  std::vector<std::uint32_t> down = statics::order_by_height(wall);
  EXPECT_EQ(statics::follow_order(wall, down, {}).outcome, OrderOutcome::stands);
  std::reverse(down.begin(), down.end());
  const OrderResult reversed = statics::follow_order(wall, down, {});
  EXPECT_EQ(reversed.outcome, OrderOutcome::falls);
  ASSERT_TRUE(reversed.failure);
  EXPECT_EQ(reversed.failure->step, 1);  // a stone in mid-air
  EXPECT_FALSE(reversed.failure->result.unsupported.empty());
}

TEST(OrderTest, ALowerStoneWaitsForTheHigherOneItLeansOn) {
  // the lower stone leans over and falls alone; the taller one beside it carries its back
  model::AssemblyInput input = with_friction(model::generate_stack({.count = 2, .length = 4}), 0.8);
  const auto prism = [&](std::size_t at, const std::vector<std::pair<double, double>>& outline) {
    geom::Mesh mesh;
    const auto n = static_cast<std::uint32_t>(outline.size());
    for (const double y : {0.0, 1.0})
      for (const auto& [x, z] : outline) mesh.vertices.push_back({x, y, z});
    std::vector<std::uint32_t> front, back;
    for (std::uint32_t i = 0; i < n; ++i) {
      front.push_back(i);
      back.push_back(2 * n - 1 - i);
      mesh.add_face(std::vector<std::uint32_t>{i, n + i, n + (i + 1) % n, (i + 1) % n});
    }
    mesh.add_face(front);
    mesh.add_face(back);
    input.blocks[at].mesh = mesh;
  };
  prism(1, {{0.5, 0}, {1, 0}, {2.4, 1}, {1.9, 1}});
  prism(2, {{1, 0}, {3.5, 0}, {3.5, 3}, {2.4, 3}, {2.4, 1}});
  const model::Assembly pair = assemble(std::move(input));
  ASSERT_EQ(pair.blocks.size(), 3U);
  EXPECT_EQ(statics::order_by_height(pair), (std::vector<std::uint32_t>{1, 2}));
  const OrderResult result = statics::find_order(pair, {});
  ASSERT_EQ(result.outcome, OrderOutcome::stands) << result.reason;
  EXPECT_EQ(result.steps[0].block, 2U);
  EXPECT_EQ(statics::follow_order(pair, std::vector<std::uint32_t>{1, 2}, {}).outcome, OrderOutcome::falls);
}

TEST(OrderTest, WhatFallsWhenFinishedHasNoOrder) {
  const OrderResult result = statics::find_order(arch_of(16, 0.84, 0.08), {});
  EXPECT_EQ(result.outcome, OrderOutcome::falls);
  EXPECT_NE(result.reason.find("finished"), std::string::npos);
  EXPECT_TRUE(result.props.empty());
  EXPECT_TRUE(result.failure);
}

TEST(OrderTest, WithoutLeaveToPropAnArchIsSaidToHaveNoOrder) {
  statics::OrderSettings settings;
  settings.allow_props = false;
  const OrderResult result = statics::find_order(arch_of(16), settings);
  EXPECT_EQ(result.outcome, OrderOutcome::falls);
  EXPECT_TRUE(result.props.empty());
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->result.verdict, Verdict::falls);
}

TEST(OrderTest, OutOfTimeOrChecksNothingIsSaidToBeImpossible) {
  statics::OrderSettings late, few;
  late.check.deadline = Deadline::after(0);
  const OrderResult timed = statics::find_order(arch_of(16), late);
  EXPECT_EQ(timed.outcome, OrderOutcome::undecided);
  EXPECT_EQ(timed.status, SolveStatus::time_limit);
  EXPECT_FALSE(timed.fewest_props);
  // no dead end may be left again, one round for props: the fewest cannot be proved
  few.most_dead_ends = 0;
  few.most_prop_branches = 0;
  few.most_prop_rounds = 3;
  const OrderResult starved = statics::find_order(arch_of(16), few);
  EXPECT_FALSE(starved.fewest_props);
  EXPECT_NE(starved.outcome, OrderOutcome::stands);
}

TEST(OrderTest, SupportsAloneAndMarginsThatAreAskedFor) {
  model::AssemblyInput input = with_friction(model::generate_stack({.count = 2}), 0.6);
  model::AssemblyInput fixed = input;
  for (model::BlockInput& block : fixed.blocks) block.fixed = true;
  EXPECT_EQ(statics::find_order(assemble(std::move(fixed)), {}).outcome, OrderOutcome::stands);
  statics::OrderSettings settings;
  settings.margin = [](const model::Assembly& state) { return statics::StateMargin{static_cast<double>(state.blocks.size()), {}}; };
  const OrderResult result = statics::find_order(assemble(std::move(input)), settings);
  ASSERT_EQ(result.steps.size(), 2U);
  ASSERT_TRUE(result.steps[0].margin && result.steps[1].margin);
  EXPECT_EQ(result.steps[0].margin->value, 2);  // the ground and one block
  EXPECT_EQ(result.steps[1].margin->value, 3);
}

TEST(OrderTest, AFoundOrderWithItsPropsStandsWhenFollowed) {
  const model::Assembly arch = arch_of(9);
  const OrderResult found = statics::find_order(arch, {});
  ASSERT_EQ(found.outcome, OrderOutcome::with_props);
  std::vector<std::uint32_t> order;
  for (const statics::OrderStep& step : found.steps) order.push_back(step.block);
  const OrderResult followed = statics::follow_order(arch, order, {}, found.props);
  EXPECT_EQ(followed.outcome, OrderOutcome::with_props);
  ASSERT_EQ(followed.steps.size(), found.steps.size());
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(followed.steps[i].props, found.steps[i].props) << i;
  EXPECT_EQ(statics::follow_order(arch, order, {}).outcome, OrderOutcome::falls);
}

}  // namespace
}  // namespace trilith
