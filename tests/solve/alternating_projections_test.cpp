#include "solve/alternating_projections.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "rungs.h"
#include "support/allocation.h"

namespace trilith::solve {
namespace {

using test::accepted;
using test::Outcome;
using test::run_projections;

TEST(AlternatingProjectionsTest, ABoxOnASlopeStandsBelowTheFrictionAngleOnly) {
  const double mu = 0.84, limit = std::atan(mu);
  for (const double below : {1e-1, 1e-3, 1e-6}) {
    const model::Assembly assembly = test::incline(limit - below, mu);
    const Outcome outcome = run_projections(assembly);
    EXPECT_TRUE(outcome.solved()) << below;
    EXPECT_TRUE(accepted(assembly, outcome));
    EXPECT_FALSE(run_projections(test::incline(limit + below, mu)).solved()) << below;
  }
}

// least thickness of a semicircular arch of 16 voussoirs: .107076 of the centreline radius
TEST(AlternatingProjectionsTest, AnArchStandsAboveItsLeastThicknessOnly) {
  for (const double thickness : {0.2, 0.12, 0.108, 0.1072}) {
    const model::Assembly assembly = test::arch(16, thickness);
    const Outcome outcome = run_projections(assembly);
    EXPECT_TRUE(outcome.solved()) << thickness;
    EXPECT_TRUE(accepted(assembly, outcome)) << thickness;
  }
  for (const double thickness : {0.09, 0.105, 0.1069}) {
    const Outcome outcome = run_projections(test::arch(16, thickness));
    EXPECT_EQ(outcome.report.status, SolveStatus::stalled) << thickness;
    EXPECT_GT(outcome.report.residual, 1e-5);
  }
}

TEST(AlternatingProjectionsTest, ReflectedStepsReachAnExactEquilibriumInFewIterations) {
  const Outcome outcome = run_projections(test::arch(16, 0.12));
  EXPECT_TRUE(outcome.solved());
  EXPECT_LT(outcome.report.iterations, 60);
  EXPECT_LT(outcome.report.residual, 1e-13);
}

TEST(AlternatingProjectionsTest, PlainProjectionsAgreeAndCreep) {
  AlternatingProjectionsSettings plain;
  plain.reflection = 0;
  const model::Assembly assembly = test::arch(16, 0.12);
  const Outcome outcome = run_projections(assembly, plain);
  EXPECT_TRUE(outcome.solved());
  EXPECT_TRUE(accepted(assembly, outcome));
  EXPECT_GT(outcome.report.iterations, 4 * run_projections(assembly).report.iterations);
  EXPECT_FALSE(run_projections(test::arch(16, 0.1), plain).solved());
}

TEST(AlternatingProjectionsTest, AStackPastItsEdgeStalls) {
  EXPECT_TRUE(run_projections(test::stack(2, 0.4999)).solved());
  const Outcome outcome = run_projections(test::stack(2, 0.5001));
  EXPECT_EQ(outcome.report.status, SolveStatus::stalled);
}

TEST(AlternatingProjectionsTest, WithoutFrictionTheForcesAreNormal) {
  const model::Assembly level = test::incline(0, 0);
  const Outcome outcome = run_projections(level);
  EXPECT_TRUE(outcome.solved());
  EXPECT_TRUE(accepted(level, outcome));
  EXPECT_FALSE(run_projections(test::incline(1e-6, 0)).solved());
}

TEST(AlternatingProjectionsTest, EveryPatchHasItsOwnFriction) {
  model::Assembly assembly = test::stack(2, 0);
  assembly.gravity = 9.80665 * unit(Vec3d{0.2, 0, -1});
  for (const double lower : {0.21, 0.19})
    for (const double upper : {0.21, 0.19}) {
      assembly.interfaces[0].mu = lower;
      assembly.interfaces[1].mu = upper;
      EXPECT_EQ(run_projections(assembly).solved(), lower > 0.2 && upper > 0.2);
    }
}

TEST(AlternatingProjectionsTest, ForcesAreInsideTheConesWhateverTheOutcome) {
  for (const double thickness : {0.12, 0.1, 0.05}) {
    const Outcome outcome = run_projections(test::arch(16, thickness));
    for (const Vec3d& f : outcome.local_N) EXPECT_LE(std::hypot(f.y, f.z), 0.84 * f.x);
  }
}

TEST(AlternatingProjectionsTest, StagnationRuleEndsAHopelessRunAfterTwoWindows) {
  AlternatingProjectionsSettings settings;
  settings.stagnation_window = 40;
  const Outcome outcome = run_projections(test::stack(2, 0.9), settings);
  EXPECT_EQ(outcome.report.status, SolveStatus::stalled);
  EXPECT_EQ(outcome.report.iterations, 80);
}

TEST(AlternatingProjectionsTest, IterationLimitAndDeadlineAreKept) {
  AlternatingProjectionsSettings settings;
  settings.iteration_limit = 3;
  const model::Assembly assembly = test::arch(16, 0.12);
  const Outcome limited = run_projections(assembly, settings);
  EXPECT_EQ(limited.report.status, SolveStatus::iteration_limit);
  EXPECT_EQ(limited.report.iterations, 3);
  const Outcome late = run_projections(assembly, {}, Deadline::after(0));
  EXPECT_EQ(late.report.status, SolveStatus::time_limit);
  EXPECT_EQ(late.report.iterations, 0);
  for (const double f : late.force) EXPECT_EQ(f, 0);
}

TEST(AlternatingProjectionsTest, AGoodStartIsKept) {
  const model::Assembly assembly = test::arch(16, 0.12);
  Outcome outcome = run_projections(assembly);
  BodyGraph system(outcome.contacts.rows);
  system.set_weights({});
  (void)system.factor();
  AlternatingProjections rung(outcome.contacts.rows);
  const ForceReport again = rung.propose({outcome.contacts.rows, outcome.contacts.load}, system, {}, outcome.force);
  EXPECT_EQ(again.status, SolveStatus::solved);
  EXPECT_EQ(again.iterations, 1);
}

TEST(AlternatingProjectionsTest, NotANumberIsANumericalFailure) {
  model::Assembly assembly = test::stack(3, 0);
  assembly.blocks[2].mass = std::numeric_limits<double>::quiet_NaN();
  const Outcome outcome = run_projections(assembly);
  EXPECT_EQ(outcome.report.status, SolveStatus::numerical_failure);
  for (const double f : outcome.force) EXPECT_EQ(f, 0);
}

TEST(AlternatingProjectionsTest, ProposingNeverAllocates) {
  const constraints::ContactRows contacts = constraints::make_contact_rows(test::arch(16, 0.1));
  BodyGraph system(contacts.rows);
  system.set_weights({});
  (void)system.factor();
  AlternatingProjections rung(contacts.rows);
  std::vector<double> force(contacts.rows.size());
  const test::AllocationCount heap;
  const ForceReport report = rung.propose({contacts.rows, contacts.load}, system, Deadline::after(1e6), force);
  EXPECT_EQ(heap.delta(), 0);
  EXPECT_GT(report.iterations, 400);
}

}  // namespace
}  // namespace trilith::solve
