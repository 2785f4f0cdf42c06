// Margins with closed forms, and what every answer must keep. Equations: (LIM-3) (LIM-4) (LIM-6) (LIM-7)
#include "statics/margin_report.h"

#include <cmath>

#include "boxes.h"

namespace trilith::statics {
namespace {

using test::assemble;
using test::box;
using test::boxes;

constexpr double tolerance = 2e-7;

model::Assembly column(double friction, double height = 2) {
  return assemble(boxes({box("floor", {-5, -5, -1}, {5, 5, 0}, true), box("column", {0, 0, 0}, {1, 1, height})}, friction));
}

LimitLoad along(const model::Assembly& assembly, const Vec3d& direction) {
  Margins margins(assembly, {});
  return margins.limit_load(margins.weight_along(direction));
}

void expect_limit(const LimitLoad& limit, double value) {
  ASSERT_TRUE(limit.decided) << limit.reason;
  ASSERT_TRUE(limit.feasible);
  ASSERT_FALSE(limit.unbounded);
  const double room = tolerance * std::max(1.0, std::abs(value));
  EXPECT_LE(limit.state, value + room);
  EXPECT_GE(limit.collapse_at, value - room);
  EXPECT_LE(limit.collapse_at - limit.state, 1.2e-6 * std::max(1.0, std::abs(value)));
}

TEST(MarginTest, AColumnTipsAtHalfItsSlendernessAndSlidesAtItsFriction) {
  expect_limit(along(column(0.8), {1, 0, 0}), 0.5);
  expect_limit(along(column(0.3), {1, 0, 0}), 0.3);
  expect_limit(along(column(0.3), {0, -1, 0}), 0.3);
}

TEST(MarginTest, PushedDownItStandsForEverAndLiftedAtItsWeightItGoes) {
  const LimitLoad down = along(column(0.8), {0, 0, -1});
  EXPECT_TRUE(down.decided && down.unbounded && down.feasible) << down.reason;
  expect_limit(along(column(0.8), {0, 0, 1}), 1);
}

TEST(MarginTest, WhatLeansOverHasANegativeFactor) {
  // the upper block's centre stands e beyond the edge of the lower: pushed back by lambda at half its height 1/2 it needs e = lambda / 2
  model::AssemblyInput input = boxes({box("low", {0, 0, 0}, {1, 1, 1}, true), box("up", {0.6, 0, 1}, {1.6, 1, 2})}, 0.9);
  expect_limit(along(assemble(std::move(input)), {1, 0, 0}), -0.2);
}

TEST(MarginTest, WhatNoPushCanPressHasNoFactorAtAll) {
  // a block that hangs beside a wall without friction: nothing along y helps
  const model::Assembly assembly = assemble(boxes({box("wall", {-1, 0, 0}, {0, 1, 1}, true), box("block", {0, 0, 0}, {1, 1, 1})}, 0.5));
  const LimitLoad limit = along(assembly, {0, 1, 0});
  EXPECT_TRUE(limit.decided) << limit.reason;
  EXPECT_FALSE(limit.feasible);
}

TEST(MarginTest, WithoutFrictionAFloorCarriesNoPush) {
  const LimitLoad limit = along(column(0), {1, 0, 0});
  expect_limit(limit, 0);
}

// Sliding as one piece: the program stalls along y, verdicts on both sides do not.
TEST(MarginTest, WhereTheProgramStallsVerdictsCloseInOnTheLimit) {
  model::AssemblyInput input = model::generate_published_wall({1});
  input.friction = 0.65;
  const model::Assembly assembly = assemble(std::move(input));
  statics::Margins margins(assembly, {});
  for (const double sense : {1.0, -1.0}) {
    const LimitLoad limit = margins.patient_limit_load(margins.weight_along({0, sense, 0}));
    expect_limit(limit, 0.65);
    EXPECT_EQ(limit.powers.size(), limit.collapse.joints.size());
    EXPECT_FALSE(limit.velocities.empty());
  }
}

// Powers belong to the forces of the same question: a load without any state has none, whatever was asked before.
TEST(MarginTest, ALoadWithoutAStateHasNoPowers) {
  const model::Assembly assembly = assemble(boxes({box("wall", {-1, 0, 0}, {0, 1, 1}, true), box("block", {0, 0, 0}, {1, 1, 1})}, 0.5));
  statics::Margins margins(assembly, {});
  EXPECT_TRUE(margins.limit_load(margins.weight_along({-1, 0, 0})).decided);
  const LimitLoad none = margins.limit_load(margins.weight_along({0, 1, 0}));
  EXPECT_FALSE(none.feasible);
  EXPECT_FALSE(none.collapse.joints.empty());
  EXPECT_TRUE(none.powers.empty());
}

TEST(MarginTest, PublishedWallsAreMet) {
  const double published[] = {0.642859, 0.579999, 0.403694};  // Ferris and Tin-Loi 2001
  for (int number = 1; number <= 3; ++number) {
    const LimitLoad limit = along(assemble(model::generate_published_wall({number})), {1, 0, 0});
    ASSERT_TRUE(limit.decided) << limit.reason;
    EXPECT_NEAR(limit.state, published[number - 1], 2e-6) << number;
    EXPECT_NEAR(limit.collapse_at, published[number - 1], 2e-6) << number;
    EXPECT_LT(limit.factorizations, 25);
  }
}

TEST(MarginTest, CorrectionsOfCentralitySaveFactorizations) {
  const model::Assembly wall = assemble(model::generate_wall({.columns = 8, .rows = 6}));
  MarginSettings plain;
  plain.factor.steps.correctors = 0;
  const auto limit_with = [&wall](const MarginSettings& settings) {
    Margins margins(wall, settings);
    return margins.limit_load(margins.weight_along({1, 0, 0}));
  };
  const LimitLoad corrected = limit_with({}), bare = limit_with(plain);
  ASSERT_TRUE(corrected.decided && bare.decided);
  EXPECT_LT(corrected.factorizations, bare.factorizations);
  EXPECT_NEAR(corrected.state, bare.state, 1e-6);
  EXPECT_GT(corrected.collapse_at, bare.state);
}

TEST(MarginTest, ASweepStartsFromItsNeighbourAndAnswersTheSame) {
  const model::Assembly wall = assemble(model::generate_published_wall({2}));
  MarginSettings cold;
  cold.warm_cosine = 2;
  int work[2] = {0, 0};
  std::vector<LimitLoad> limits[2];
  for (const bool warm : {false, true}) {
    Margins margins(wall, warm ? MarginSettings{} : cold);
    for (const double azimuth : {0.0, 5.0, 10.0, 15.0}) {
      limits[warm].push_back(margins.limit_load(margins.weight_along(horizontal_direction(wall.gravity, azimuth))));
      work[warm] += limits[warm].back().factorizations;
    }
  }
  EXPECT_LT(work[1], work[0]);
  for (std::size_t i = 0; i < 4; ++i) {
    ASSERT_TRUE(limits[0][i].decided && limits[1][i].decided);
    EXPECT_NEAR(limits[0][i].state, limits[1][i].state, 2e-6);
    EXPECT_GE(limits[1][i].collapse_at, limits[0][i].state);
  }
}

TEST(MarginTest, OppenheimsArchTurnsAboutFourHinges) {
  for (const double friction : {0.84, 2.0}) {
    model::AssemblyInput input = model::generate_arch({.count = 7, .thickness_ratio = 0.15, .opening = 157.5 * M_PI / 180});
    input.friction = friction;
    const model::Assembly assembly = assemble(std::move(input));
    for (const double side : {1.0, -1.0}) {
      const LimitLoad limit = along(assembly, {side, 0, 0});
      ASSERT_TRUE(limit.decided) << limit.reason;
      EXPECT_NEAR(limit.state, 0.37361, 5e-6);
      EXPECT_NEAR(limit.collapse_at, 0.37361, 5e-6);
      ASSERT_EQ(limit.collapse.joints.size(), 4U);
      for (const MovingJoint& joint : limit.collapse.joints) EXPECT_EQ(joint.kind, MovingJoint::Kind::turns);
    }
  }
}

TEST(MarginTest, TiltIsTheArcTangentOfTheFactor) {
  MarginQuestions questions;
  questions.tilt_deg = {0, 90, 45};
  const MarginReport report = find_margins(column(2), questions, {});
  ASSERT_TRUE(report.decided());
  EXPECT_NEAR(report.tilts[0].angle_deg, std::atan(0.5) * 180 / M_PI, 1e-5);
  EXPECT_NEAR(report.tilts[1].angle_deg, std::atan(0.5) * 180 / M_PI, 1e-5);
  EXPECT_NEAR(report.tilts[2].angle_deg, std::atan(0.5 * std::sqrt(2.0)) * 180 / M_PI, 1e-5);  // about a corner
  const MarginReport slides = find_margins(column(0.3), questions, {});
  for (const TiltAnswer& tilt : slides.tilts) EXPECT_NEAR(tilt.angle_deg, std::atan(0.3) * 180 / M_PI, 1e-5);
}

TEST(MarginTest, ATiltWithALoadIsSearched) {
  // a weight of 20 kN and a weightless push of 20 kN down at the centre that stays square to the ground: tan = sin / (cos + 1) = 0.5
  model::AssemblyInput input = boxes({box("floor", {-5, -5, -1}, {5, 5, 0}, true), box("column", {0, 0, 0}, {1, 1, 2})}, 2);
  input.loads.push_back({"column", Vec3d{0, 0, -20000}, {}, {}, {}, {}});
  MarginQuestions questions;
  questions.tilt_deg = {0};
  const MarginReport report = find_margins(assemble(std::move(input)), questions, {});
  ASSERT_TRUE(report.decided());
  EXPECT_NEAR(report.tilts[0].angle_deg, 2 * std::atan(0.5) * 180 / M_PI, 1e-4);
}

TEST(MarginTest, ALiveLoadAndACapacityAreTheSameLimitInTheirUnits) {
  const model::Assembly assembly = column(0.8);
  MarginQuestions questions;
  questions.live = {{1, {2000, 0, 0}}};
  questions.capacity = BlockForce{1, {3, 0, 0}};
  const MarginReport report = find_margins(assembly, questions, {});
  // 20 kN at the lever 1/2 against a force at the height 1
  expect_limit(report.loads[0].limit, 5);
  ASSERT_TRUE(report.capacity && report.capacity->decided);
  EXPECT_NEAR(report.capacity->state, 10000, 0.01);
}

TEST(MarginTest, AGivenLoadStaysAsItIs) {
  // a push of 5 kN at the centre is there already: of 10 kN that tip it half is left
  model::AssemblyInput input = boxes({box("floor", {-5, -5, -1}, {5, 5, 0}, true), box("column", {0, 0, 0}, {1, 1, 2})}, 0.8);
  input.loads.push_back({"column", Vec3d{5000, 0, 0}, {}, {}, {}, {}});
  const model::Assembly assembly = assemble(std::move(input));
  expect_limit(along(assembly, {1, 0, 0}), 0.25);
  expect_limit(along(assembly, {-1, 0, 0}), 0.75);
}

TEST(MarginTest, AJointThatPullsRaisesTheFactor) {
  // glue of 8 kPa on 1 m2 adds 4 kN m about the edge to the weight's 10
  model::AssemblyInput input = boxes({box("floor", {-5, -5, -1}, {5, 5, 0}, true), box("column", {0, 0, 0}, {1, 1, 2})}, 0.9);
  input.tension_Pa = 8000;
  expect_limit(along(assemble(std::move(input)), {1, 0, 0}), 0.7);
}

TEST(MarginTest, CriticalFrictionOfASlopeIsItsTangent) {
  model::AssemblyInput input = model::generate_incline({.angle = std::atan(0.37)});
  input.friction = 0.9;
  const model::Assembly assembly = assemble(std::move(input));
  const ParameterLimit limit = find_friction_limit(assembly, {});
  ASSERT_TRUE(limit.decided) << limit.reason;
  EXPECT_NEAR(limit.stands * 0.9, 0.37, 1e-6);
  EXPECT_NEAR(limit.falls * 0.9, 0.37, 1e-6);
  EXPECT_LT(limit.verdicts, 45);
}

TEST(MarginTest, FrictionThatIsNotNeededIsZeroAndThatDoesNotHelpIsNone) {
  const ParameterLimit flat = find_friction_limit(column(0.4), {});
  EXPECT_TRUE(flat.decided && flat.exists);
  EXPECT_EQ(flat.stands, 0);
  const ParameterLimit over = find_friction_limit(assemble(model::generate_stack({.count = 2, .offset = 0.6})), {});
  EXPECT_TRUE(over.decided) << over.reason;
  EXPECT_FALSE(over.exists);
}

// forces of half the weight over the friction: it holds with any, and falls with none
TEST(MarginTest, ABarBetweenPostsNeedsNextToNoFriction) {
  const ParameterLimit limit = find_friction_limit(assemble(model::generate_h_model({})), {});
  ASSERT_TRUE(limit.decided) << limit.reason;
  EXPECT_EQ(limit.falls, 0);
  EXPECT_GT(limit.stands, 0);
  EXPECT_LT(limit.stands, 1e-5);
}

TEST(MarginTest, ErosionEndsWhereTheWeightLeavesTheJoint) {
  // a block 1/4 off its joint's centre: the joint of 1 m may shrink to a half
  const model::Assembly assembly = assemble(boxes({box("low", {0, 0, 0}, {1, 1, 1}, true), box("up", {-1, 0, 1}, {1.5, 1, 2})}, 0.9));
  const ParameterLimit limit = find_erosion_limit(assembly, {});
  ASSERT_TRUE(limit.decided) << limit.reason;
  EXPECT_NEAR(limit.stands, 0.5, 1e-6);
}

TEST(MarginTest, NonDilatantFrictionIsABracket) {
  // a column that tips: without friction a floor carries no push at all, so only 0 is certainly safe
  MarginQuestions questions;
  questions.directions = {{1, 0, 0}};
  questions.non_associative = true;
  const MarginReport report = find_margins(column(0.8), questions, {});
  ASSERT_TRUE(report.non_associative && report.non_associative->low && report.non_associative->high);
  EXPECT_NEAR(*report.non_associative->low, 0, tolerance);
  EXPECT_NEAR(*report.non_associative->high, 0.5, tolerance);
}

TEST(MarginTest, WithoutAQuestionFourDirectionsAndFrictionAreAnswered) {
  const MarginReport report = find_margins(column(0.8), {}, {});
  ASSERT_EQ(report.loads.size(), 4);
  ASSERT_TRUE(report.friction);
  EXPECT_TRUE(report.decided());
  EXPECT_GE(report.governing, 0);
}

TEST(MarginTest, TheCollapseTellsWhichBlockMovesAndWhatFrictionTakesUp) {
  const LimitLoad limit = along(column(0.3), {1, 0, 0});
  ASSERT_EQ(limit.collapse.joints.size(), 1);
  EXPECT_EQ(limit.collapse.joints[0].kind, MovingJoint::Kind::slides);
  // fastest point at 1 m/s along (1, 0, 0.3): friction 0.3 W on the slip, and as much is lifted
  const double slip = 1 / std::sqrt(1 + 0.09);
  EXPECT_NEAR(limit.powers[0].sliding, 0.3 * 20000 * slip, 20);
  EXPECT_NEAR(limit.powers[0].opening, 0.3 * 20000 * slip, 20);
}

TEST(MarginTest, AnglesUnitsAndScaleDoNotMatter) {
  for (const double scale : {1e-3, 1.0, 1e3}) {
    test::Transform turn;
    turn.axes = test::rotation(0.3, -0.7, 1.9);
    turn.scale = scale;
    turn.shift = {4 * scale, -7 * scale, 2 * scale};
    model::AssemblyInput input = boxes({box("floor", {-5, -5, -1}, {5, 5, 0}, true), box("column", {0, 0, 0}, {1, 1, 2})}, 0.8);
    const model::Assembly assembly = assemble(test::transformed(std::move(input), turn));
    expect_limit(along(assembly, turn.turn({1, 0, 0})), 0.5);
  }
}

TEST(MarginTest, APassedDeadlineIsUndecided) {
  MarginSettings settings;
  settings.deadline = Deadline::after(0);
  const model::Assembly assembly = column(0.8);
  Margins late(assembly, settings);
  const LimitLoad limit = late.limit_load(late.weight_along({1, 0, 0}));
  EXPECT_FALSE(limit.decided);
  EXPECT_NE(limit.reason.find("time_limit"), std::string::npos) << limit.reason;
}

TEST(MarginTest, SameQuestionSameBits) {
  const model::Assembly assembly = assemble(model::generate_published_wall({1}));
  const LimitLoad first = along(assembly, {1, 0, 0}), second = along(assembly, {1, 0, 0});
  EXPECT_EQ(first.state, second.state);
  EXPECT_EQ(first.collapse_at, second.collapse_at);
}

}  // namespace
}  // namespace trilith::statics
