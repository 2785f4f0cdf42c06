// The penalty program on structures with closed-form answers, and what it must never decide.
#include "statics/rbe.h"

#include <algorithm>
#include <cmath>

#include "assemblies.h"
#include "boxes.h"

namespace trilith::statics {
namespace {

constexpr double gravity = 9.80665;

RbeReport solve(const model::Assembly& assembly, RbeEngine engine = RbeEngine::automatic, RbeCone cone = RbeCone::inscribed,
                solve::FrictionForm form = solve::FrictionForm::net) {
  RbeSettings settings;
  settings.engine = engine;
  settings.cone = cone;
  settings.form = form;
  return solve_rbe(assembly, settings);
}

double mean_weight(const model::Assembly& assembly) {
  double sum = 0;
  int count = 0;
  for (const model::Block& block : assembly.blocks)
    if (!block.fixed) sum += block.mass * gravity, ++count;
  return sum / count;
}

/// Of the vertices that carry anything, N.
double median_compression(const model::Assembly& assembly, const RbeReport& report) {
  std::vector<double> pressing;
  for (std::size_t i = 0; i < report.force.size(); ++i)
    if (i / rows::patch_lanes % 3 == 0 && report.force[i] != 0) pressing.push_back(report.force[i] * mean_weight(assembly));
  std::sort(pressing.begin(), pressing.end());
  return pressing[pressing.size() / 2];
}

TEST(RbeTest, ABlockOnTheGroundSharesItsWeightEvenly) {
  model::StackOptions options;
  options.count = 1;
  const model::Assembly assembly = test::assemble(model::generate_stack(options));
  double weight = 0;
  for (const model::Block& block : assembly.blocks)
    if (!block.fixed) weight += block.mass * gravity;
  for (const RbeEngine engine : {RbeEngine::automatic, RbeEngine::admm}) {
    const RbeReport report = solve(assembly, engine);
    ASSERT_EQ(report.status, SolveStatus::solved) << report.reason;
    EXPECT_NEAR(*report.objective, 0.5 * weight * weight / 4, 1e-8 * weight * weight);
    EXPECT_NEAR(report.max_compression_N, weight / 4, 1e-7 * weight);
    EXPECT_EQ(report.max_tension_N, 0);
    EXPECT_TRUE(*report.stable_by_ratio);
    EXPECT_NEAR(report.max_friction_utilization, 0, 1e-7);
  }
}

TEST(RbeTest, OnASlopeTheUtilisationIsTheTangentOverTheFriction) {
  model::InclineOptions options;
  options.angle = 0.3;
  model::AssemblyInput input = model::generate_incline(options);
  input.friction = 0.8;
  const model::Assembly assembly = test::assemble(std::move(input));
  for (const RbeCone cone : {RbeCone::inscribed, RbeCone::circumscribed, RbeCone::quadratic}) {
    const RbeReport report = solve(assembly, RbeEngine::automatic, cone);
    ASSERT_EQ(report.status, SolveStatus::solved);
    // forces lean towards the lower edge: the sum keeps the ratio, the hardest vertex is at least at it
    const double mu = cone == RbeCone::inscribed ? 0.8 * std::cos(3.14159265358979 / 8) : 0.8;
    EXPECT_GE(report.max_friction_utilization, std::tan(0.3) / mu - 1e-9);
    EXPECT_LE(report.max_friction_utilization, 1.1);
  }
}

TEST(RbeTest, AllEnginesAgree) {
  const model::Assembly arch = test::assemble(model::generate_arch({}));
  const RbeReport newton = solve(arch), splitting = solve(arch, RbeEngine::admm);
  ASSERT_EQ(newton.status, SolveStatus::solved);
  ASSERT_EQ(splitting.status, SolveStatus::solved);
  EXPECT_NEAR(*splitting.objective / *newton.objective, 1, 1e-6);
  const RbeReport outside = solve(arch, RbeEngine::osqp);
  if (outside.status == SolveStatus::not_run) GTEST_SKIP() << "OSQP is absent";
  ASSERT_EQ(outside.status, SolveStatus::solved) << outside.reason;
  EXPECT_NEAR(*outside.objective / *newton.objective, 1, 1e-6);
}

TEST(RbeTest, AThinArchHasNoTensionFreeStateAndTheOtherFormSaysWhereItPulls) {
  model::ArchOptions options;
  options.thickness_ratio = 0.09;
  const model::Assembly assembly = test::assemble(model::generate_arch(options));
  for (const RbeEngine engine : {RbeEngine::automatic, RbeEngine::admm}) {
    const RbeReport net = solve(assembly, engine);
    EXPECT_EQ(net.status, SolveStatus::primal_infeasible) << net.reason;
    EXPECT_FALSE(net.objective.has_value());
    EXPECT_FALSE(*net.stable_by_ratio);
    EXPECT_TRUE(net.proof.accepted);
    EXPECT_GE(net.proof.force_factor, 1e6);
  }
  const RbeReport plus = solve(assembly, RbeEngine::automatic, RbeCone::inscribed, solve::FrictionForm::plus);
  ASSERT_EQ(plus.status, SolveStatus::solved);
  EXPECT_FALSE(*plus.stable_by_ratio);
  ASSERT_TRUE(plus.weakest_interface.has_value());
  EXPECT_EQ(plus.tension_demand_N[*plus.weakest_interface], plus.max_tension_N);
}

TEST(RbeTest, EveryAnswerIsProvedByTheJudge) {
  for (const double thickness : {0.15, 0.09}) {
    model::ArchOptions options;
    options.thickness_ratio = thickness;
    const model::Assembly arch = test::assemble(model::generate_arch(options));
    for (const RbeEngine engine : {RbeEngine::automatic, RbeEngine::admm})
      for (const RbeCone cone : {RbeCone::inscribed, RbeCone::circumscribed, RbeCone::quadratic})
        for (const auto form : {solve::FrictionForm::net, solve::FrictionForm::plus}) {
          const RbeReport report = solve(arch, engine, cone, form);
          EXPECT_TRUE(report.proof.accepted) << name(cone) << " " << name(form) << " " << report.engine << ": " << report.proof.statement;
          EXPECT_EQ(report.status == SolveStatus::solved, report.proof.gap > 0);
        }
  }
}

TEST(RbeTest, AnAnswerThatIsNotPolishedIsNoProof) {
  RbeSettings settings;
  settings.engine = RbeEngine::admm;
  settings.polish = false;
  settings.tolerance = 1e-3;
  const RbeReport report = solve_rbe(test::assemble(model::generate_arch({})), settings);
  ASSERT_EQ(report.status, SolveStatus::solved);
  EXPECT_FALSE(report.proof.accepted);
}

TEST(RbeTest, LoadsCountInTheProofs) {
  const auto loaded = [](double lift) {
    model::AssemblyInput input =
        test::boxes({test::box("ground", {-1, -1, -1}, {2, 2, 0}, true), test::box("cube", {0, 0, 0}, {1, 1, 1})}, 0.5);
    model::Assembly assembly = test::assemble(std::move(input));
    assembly.loads.push_back({1, {0, 0, lift}, assembly.blocks[1].com, true});
    return assembly;
  };
  const RbeReport held = solve(loaded(5000)), lifted = solve(loaded(15000));
  EXPECT_EQ(held.status, SolveStatus::solved);
  EXPECT_TRUE(held.proof.accepted) << held.proof.statement;
  EXPECT_EQ(lifted.status, SolveStatus::primal_infeasible) << lifted.reason;
  EXPECT_TRUE(lifted.proof.accepted) << lifted.proof.statement;
}

TEST(RbeTest, ARejectedPyramidIsNoFall) {
  // between the inscribed pyramid of 8 faces and the true cone
  const double mu = 0.84, angle = std::atan(mu * 0.5 * (1 + std::cos(3.14159265358979 / 8)));
  model::InclineOptions options;
  options.angle = angle;
  model::AssemblyInput input = model::generate_incline(options);
  input.friction = mu;
  const model::Assembly assembly = test::assemble(std::move(input));
  EXPECT_EQ(solve(assembly).status, SolveStatus::primal_infeasible);
  EXPECT_EQ(solve(assembly, RbeEngine::automatic, RbeCone::quadratic).status, SolveStatus::solved);
  EXPECT_EQ(test::judge(assembly).verdict, Verdict::stands);
}

TEST(RbeTest, TheScaleOfTheRatioRuleIsTheLargestForce) {
  // an arch of 14 stones just above its least thickness, solved as loosely as users do: the pull that is left is noise, and scaled by the
  // median compression or by the weight of a stone it would be called unstable
  model::ArchOptions options;
  options.count = 14;
  options.thickness_ratio = 0.1085;
  const model::Assembly assembly = test::assemble(model::generate_arch(options));
  ASSERT_EQ(test::judge(assembly).verdict, Verdict::stands);
  RbeSettings settings;
  settings.engine = RbeEngine::admm;
  settings.polish = false;
  settings.tolerance = 2e-4;
  const RbeReport report = solve_rbe(assembly, settings);
  ASSERT_EQ(report.status, SolveStatus::solved);
  EXPECT_TRUE(*report.stable_by_ratio);
  EXPECT_GT(report.max_tension_N, settings.ratio * median_compression(assembly, report));
  EXPECT_GT(report.max_tension_N, settings.ratio * mean_weight(assembly));
}

TEST(RbeTest, NothingToCarryAndNothingThatCarries) {
  model::AssemblyInput input = model::generate_stack({});
  const model::Assembly standing = test::assemble(input);
  model::Assembly floating = standing;
  floating.interfaces.clear();
  const RbeReport report = solve(floating);
  EXPECT_EQ(report.status, SolveStatus::primal_infeasible);
  EXPECT_EQ(report.engine, "connectivity");
  model::Assembly supports = standing;
  for (model::Block& block : supports.blocks) block.fixed = true;
  const RbeReport nothing = solve(supports);
  EXPECT_EQ(nothing.status, SolveStatus::solved);
  EXPECT_EQ(*nothing.objective, 0);
}

TEST(RbeTest, UnitsDoNotMatter) {
  model::AssemblyInput input = model::generate_arch({});
  const RbeReport one = solve(test::assemble(input));
  test::Transform transform;
  transform.scale = 1e-3;
  const RbeReport small = solve(test::assemble(test::transformed(input, transform)));
  ASSERT_EQ(small.status, SolveStatus::solved);
  EXPECT_NEAR(*small.objective / *one.objective, 1e-18, 1e-24);
  EXPECT_NEAR(small.max_friction_utilization, one.max_friction_utilization, 1e-6);
}

}  // namespace
}  // namespace trilith::statics
