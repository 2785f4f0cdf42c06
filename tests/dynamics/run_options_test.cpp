#include "dynamics/run_options.h"

#include <gtest/gtest.h>

namespace trilith::dynamics {
namespace {

using model::ContactSolver;
using model::FrictionCone;

TEST(RunOptionsTest, TheDefaultLawFollowsConeAndSolver) {
  const model::SimulationOptions file;
  RunOverrides o;
  EXPECT_EQ(resolve_run_options(file, o).value().contact, ContactResolution::convex);
  EXPECT_EQ(resolve_run_options(file, o).value().impratio, 1);
  o.cone = FrictionCone::elliptic;
  EXPECT_EQ(resolve_run_options(file, o).value().contact, ContactResolution::signorini);
  EXPECT_EQ(resolve_run_options(file, o).value().impratio, 100);
  o.mujoco = true;
  EXPECT_EQ(resolve_run_options(file, o).value().contact, ContactResolution::convex);
  EXPECT_EQ(resolve_run_options(file, o).value().impratio, 1);
  o.mujoco = false, o.solver = ContactSolver::cg;
  EXPECT_EQ(resolve_run_options(file, o).value().contact, ContactResolution::convex);
}

TEST(RunOptionsTest, WhatCannotGoTogetherSaysWhichOptionToChange) {
  RunOverrides o;
  o.contact = ContactResolution::signorini;
  auto refused = resolve_run_options({}, o);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.errors()[0].kind, Error::Kind::usage);
  EXPECT_NE(refused.errors()[0].what.find("--cone elliptic"), std::string::npos);
  o.cone = FrictionCone::elliptic, o.solver = ContactSolver::cg, o.rolling = true;
  refused = resolve_run_options({}, o);
  ASSERT_EQ(refused.errors().size(), 2U);
  EXPECT_NE(refused.errors()[0].what.find("--solver newton"), std::string::npos);
  EXPECT_NE(refused.errors()[1].what.find("--torsional"), std::string::npos);
}

TEST(RunOptionsTest, NumbersOutOfRangeAreNamed) {
  RunOverrides o;
  o.timestep = 2, o.impratio = 0, o.tolerance = -1;
  const auto refused = resolve_run_options({}, o);
  ASSERT_EQ(refused.errors().size(), 3U);
}

TEST(RunOptionsTest, TheCallerStandsAboveTheFile) {
  model::SimulationOptions file;
  file.impratio = 7;
  file.timestep = 0.01;
  RunOverrides o;
  o.timestep = 0.005, o.no_constraints = true, o.noslip = true;
  const RunOptions run = resolve_run_options(file, o).value();
  EXPECT_EQ(run.impratio, 7);
  EXPECT_EQ(run.simulation.timestep, 0.005);
  EXPECT_FALSE(run.simulation.constraints);
  EXPECT_EQ(run.simulation.noslip_iterations, RunLimits{}.noslip_iterations);
}

TEST(RunOptionsTest, WhatHasNoEffectIsTold) {
  model::SimulationOptions file;
  file.cone = model::FrictionCone::elliptic;
  file.noslip_iterations = 5;
  const auto usual = resolve_run_options(file, {});
  ASSERT_TRUE(usual.ok());
  EXPECT_EQ(usual.value().contact, ContactResolution::signorini);
  EXPECT_EQ(usual.value().simulation.noslip_iterations, 5);
  EXPECT_TRUE(usual.value().warnings.empty());
  RunOverrides asked;
  asked.sparse = SparseChoice::on;
  EXPECT_EQ(resolve_run_options(file, asked).value().warnings.size(), 1U);
}

}  // namespace
}  // namespace trilith::dynamics
