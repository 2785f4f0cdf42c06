// The conic rung proposes a force state or a collapse on both sides of known limits; the verifier decides.
#include "solve/interior_point.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "rungs.h"
#include "support/allocation.h"

namespace trilith::solve {
namespace {

struct ConicOutcome {
  ConicReport report;
  Verdict verdict = Verdict::undecided;  ///< of the verifier
};

ConicOutcome run(const model::Assembly& assembly, const InteriorPointSettings& settings = {}, const Deadline& deadline = {}) {
  test::Outcome forces{{}, constraints::make_contact_rows(assembly), {}, {}, {}};
  const rows::PatchRows& rows = forces.contacts.rows;
  BodyGraphSettings near_limits;
  near_limits.factor.pivot_tolerance = 1e-16;  // as statics sets it
  BodyGraph system(rows, near_limits);
  InteriorPoint rung(rows, settings);
  forces.force.assign(rows.size(), 0.0);
  std::vector<double> velocity(forces.contacts.load.size());
  ConicOutcome outcome;
  outcome.report = rung.propose({rows, forces.contacts.load}, system, deadline, forces.force, velocity);
  if (outcome.report.status == SolveStatus::solved) {
    test::write_newtons(assembly, forces);
    outcome.verdict = test::judge(assembly, forces.world_N, true).verdict;
  }
  if (outcome.report.status == SolveStatus::primal_infeasible) {
    std::vector<Vec3d> linear(assembly.blocks.size()), angular(assembly.blocks.size());
    constraints::write_velocities(forces.contacts, velocity, linear, angular);
    outcome.verdict = test::judge_motion(assembly, linear, angular).verdict;
  }
  return outcome;
}

TEST(InteriorPointTest, ABoxOnASlopeIsDecidedOnBothSidesOfTheFrictionAngle) {
  for (const double mu : {0.2, 0.84}) {
    const double limit = std::atan(mu);
    for (const double distance : {1e-1, 1e-3, 1e-6}) {
      EXPECT_EQ(run(test::incline(limit - distance, mu)).verdict, Verdict::stands) << mu << " " << distance;
      EXPECT_EQ(run(test::incline(limit + distance, mu)).verdict, Verdict::falls) << mu << " " << distance;
    }
  }
}

// least thickness of a semicircular arch of 16 voussoirs: .107076 of the centreline radius
TEST(InteriorPointTest, AnArchIsDecidedOnBothSidesOfItsLeastThickness) {
  for (const double thickness : {0.2, 0.108, 0.1071}) EXPECT_EQ(run(test::arch(16, thickness)).verdict, Verdict::stands) << thickness;
  for (const double thickness : {0.05, 0.105, 0.10705}) EXPECT_EQ(run(test::arch(16, thickness)).verdict, Verdict::falls) << thickness;
}

// (IPM-10): off by default, since a verdict ends early as a rule; near a limit they pay
TEST(InteriorPointTest, CorrectionsOfCentralitySaveFactorizations) {
  InteriorPointSettings corrected;
  corrected.steps.correctors = 2;
  int plain = 0, fewer = 0;
  for (const double thickness : {0.1071, 0.10708, 0.10707, 0.10705, 0.105}) {
    const ConicOutcome a = run(test::arch(16, thickness)), b = run(test::arch(16, thickness), corrected);
    EXPECT_NE(a.verdict, Verdict::undecided) << thickness;
    EXPECT_EQ(a.verdict, b.verdict) << thickness;
    plain += a.report.factorizations;
    fewer += b.report.factorizations;
  }
  EXPECT_LT(fewer, plain);
}

TEST(InteriorPointTest, AStackIsDecidedOnBothSidesOfItsEdge) {
  // three boxes of length 1, each shifted by s: the two upper ones tip about the lowest one's edge at s = 1/3
  for (const double distance : {1e-2, 1e-4, 1e-6}) {
    EXPECT_EQ(run(test::stack(3, 1.0 / 3 - distance)).verdict, Verdict::stands) << distance;
    EXPECT_EQ(run(test::stack(3, 1.0 / 3 + distance)).verdict, Verdict::falls) << distance;
  }
}

TEST(InteriorPointTest, WithoutFrictionOnlyNormalForcesCarry) {
  EXPECT_EQ(run(test::stack(3, 0.1, 0)).verdict, Verdict::stands);
  EXPECT_EQ(run(test::incline(0.05, 0)).verdict, Verdict::falls);
}

TEST(InteriorPointTest, OnTheLimitItNeverClaimsACollapseOfWhatStandsNorTheReverse) {
  const ConicOutcome outcome = run(test::stack(3, 1.0 / 3));
  EXPECT_NE(outcome.verdict, Verdict::falls);
  EXPECT_LE(outcome.report.iterations, InteriorPointSettings{}.limits.iteration_limit);
}

TEST(InteriorPointTest, AWarmStartIsTakenAndNeverWorse) {
  const model::Assembly assembly = test::arch(16, 0.12);
  const auto contacts = constraints::make_contact_rows(assembly);
  BodyGraph system(contacts.rows);
  InteriorPoint rung(contacts.rows);
  std::vector<double> force(contacts.rows.size(), 0.0), velocity(contacts.load.size());
  const ConicReport cold = rung.propose({contacts.rows, contacts.load}, system, {}, force, velocity);
  ASSERT_EQ(cold.status, SolveStatus::solved);
  ASSERT_GT(cold.factorizations, 1);
  const ConicReport warm = rung.propose({contacts.rows, contacts.load}, system, {}, force, velocity);
  EXPECT_EQ(warm.status, SolveStatus::solved);
  EXPECT_LT(warm.factorizations, cold.factorizations);

  // a start that is no number is no start
  std::fill(force.begin(), force.end(), std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(rung.propose({contacts.rows, contacts.load}, system, {}, force, velocity).factorizations, cold.factorizations);
}

TEST(InteriorPointTest, PlainCasesNeedFewFactorizations) {
  EXPECT_LE(run(test::stack(8, 0.05)).report.factorizations, 4);
  EXPECT_LE(run(test::arch(16, 0.2)).report.factorizations, 8);
  EXPECT_LE(run(test::arch(16, 0.09)).report.factorizations, 15);
}

TEST(InteriorPointTest, DeadlineAndIterationLimitAreKept) {
  EXPECT_EQ(run(test::arch(16, 0.108), {}, Deadline::after(0)).report.status, SolveStatus::time_limit);
  InteriorPointSettings one;
  one.limits.iteration_limit = 1;
  EXPECT_EQ(run(test::arch(16, 0.1071), one).report.status, SolveStatus::iteration_limit);
}

TEST(InteriorPointTest, NotANumberIsANumericalFailure) {
  model::Assembly assembly = test::stack(2, 0);
  assembly.gravity.z = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(run(assembly).report.status, SolveStatus::numerical_failure);
}

TEST(InteriorPointTest, ProposingNeverAllocates) {
  const model::Assembly assembly = test::arch(16, 0.108);
  const constraints::ContactRows contacts = constraints::make_contact_rows(assembly);
  BodyGraph system(contacts.rows);
  InteriorPoint rung(contacts.rows);
  std::vector<double> force(contacts.rows.size()), velocity(contacts.load.size());
  const test::AllocationCount heap;
  const ConicReport report = rung.propose({contacts.rows, contacts.load}, system, {}, force, velocity);
  EXPECT_EQ(heap.delta(), 0);
  EXPECT_EQ(report.status, SolveStatus::solved);
}

}  // namespace
}  // namespace trilith::solve
