#include "solve/closed_form.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "rungs.h"
#include "support/allocation.h"

namespace trilith::solve {
namespace {

using test::accepted;
using test::Outcome;
using test::run_closed_form;

// in the plane x = 0; faces turn over, so that they stay outward, and t2 so that frames stay right-handed
model::Assembly mirrored(const model::Assembly& assembly) {
  model::Assembly other = assembly;
  for (model::Block& block : other.blocks)
    for (std::size_t i = 0; i < block.mesh.face_count(); ++i)
      std::reverse(block.mesh.face_vertex.begin() + block.mesh.face_start[i],
                   block.mesh.face_vertex.begin() + block.mesh.face_start[i + 1]);
  return test::moved(other, [](Vec3d v) { return Vec3d{-v.x, v.y, v.z}; }, {0, 0, 0});
}

constexpr double box_weight = test::test_density * 0.125 * 9.80665;  // 1 x .5 x .25 m

TEST(ClosedFormTest, ABoxOnTheGroundStandsOnAQuarterPerCorner) {
  const model::Assembly assembly = test::stack(1, 0);
  const Outcome outcome = run_closed_form(assembly);
  ASSERT_TRUE(outcome.solved());
  EXPECT_EQ(outcome.report.iterations, 1);
  for (const Vec3d& f : outcome.local_N) {
    EXPECT_NEAR(f.x, box_weight / 4, 1e-9);
    EXPECT_NEAR(f.y, 0, 1e-9);
    EXPECT_NEAR(f.z, 0, 1e-9);
  }
  EXPECT_TRUE(accepted(assembly, outcome));
}

TEST(ClosedFormTest, EveryJointOfAStackCarriesWhatLiesAbove) {
  for (const int height : {2, 5, 20}) {
    const model::Assembly assembly = test::stack(height, 0);
    const Outcome outcome = run_closed_form(assembly);
    ASSERT_TRUE(outcome.solved());
    for (int k = 0; k < height; ++k)
      for (int v = 0; v < 4; ++v)
        EXPECT_NEAR(outcome.local_N[static_cast<std::size_t>(4 * k + v)].x, (height - k) * box_weight / 4, 1e-9 * height * box_weight);
    EXPECT_TRUE(accepted(assembly, outcome));
  }
}

TEST(ClosedFormTest, AnEccentricBoxLoadsItsEdgesByTheLeverRule) {
  // the joint is .8 long, the centre .5 from its left end: left .375, right .625 of the weight
  const model::Assembly assembly = test::stack(2, 0.2);
  const Outcome outcome = run_closed_form(assembly);
  ASSERT_TRUE(outcome.solved());
  EXPECT_NEAR(outcome.local_N[4].x + outcome.local_N[7].x, box_weight * (1 - 0.5 / 0.8), 1e-9 * box_weight);
  EXPECT_NEAR(outcome.local_N[5].x + outcome.local_N[6].x, box_weight * 0.5 / 0.8, 1e-9 * box_weight);
  EXPECT_TRUE(accepted(assembly, outcome));
}

TEST(ClosedFormTest, ABoxWhoseCentreLeavesTheJointIsNotProposed) {
  EXPECT_TRUE(run_closed_form(test::stack(2, 0.4999)).solved());
  const Outcome outcome = run_closed_form(test::stack(2, 0.5001));
  EXPECT_EQ(outcome.report.status, SolveStatus::stalled);
  EXPECT_GT(outcome.report.residual, 1e-5);
}

TEST(ClosedFormTest, ForcesAreAlwaysInsideTheCones) {
  for (const model::Assembly& assembly : {test::arch(16, 0.12), test::incline(0.8, 0.84), test::stack(2, 0.7)}) {
    const Outcome outcome = run_closed_form(assembly);
    for (const Vec3d& f : outcome.local_N) EXPECT_LE(std::hypot(f.y, f.z), 0.84 * f.x);
  }
}

TEST(ClosedFormTest, EveryPatchHasItsOwnFriction) {
  // two boxes on one slope of tan = .2: the state slides in the joint whose friction is below
  model::Assembly assembly = test::stack(2, 0);
  assembly.gravity = 9.80665 * unit(Vec3d{0.2, 0, -1});
  for (const double lower : {2.0, 0.19})
    for (const double upper : {2.0, 0.19}) {
      assembly.interfaces[0].mu = lower;
      assembly.interfaces[1].mu = upper;
      EXPECT_EQ(run_closed_form(assembly).solved(), lower > 0.2 && upper > 0.2) << lower << " " << upper;
    }
}

TEST(ClosedFormTest, WithoutFrictionABoxStandsOnTheLevelOnly) {
  const model::Assembly level = test::incline(0, 0);
  const Outcome outcome = run_closed_form(level);
  EXPECT_TRUE(outcome.solved());
  EXPECT_TRUE(accepted(level, outcome));
  for (const Vec3d& f : outcome.local_N) EXPECT_EQ(std::hypot(f.y, f.z), 0);
  EXPECT_FALSE(run_closed_form(test::incline(1e-6, 0)).solved());
}

TEST(ClosedFormTest, WallsStandWithAStateThatBothJudgesAccept) {
  for (const auto& [columns, courses] : {std::pair{3, 2}, std::pair{7, 3}, std::pair{7, 5}, std::pair{9, 6}, std::pair{12, 20}}) {
    const model::Assembly assembly = test::wall(columns, courses);
    const Outcome outcome = run_closed_form(assembly);
    EXPECT_TRUE(outcome.solved()) << columns << " x " << courses;
    EXPECT_LT(outcome.report.residual, 1e-12);
    EXPECT_TRUE(accepted(assembly, outcome));
  }
}

TEST(ClosedFormTest, JointsThatCarryNothingShowNoDust) {
  const model::Assembly wall = test::wall(12, 20);
  const Outcome outcome = run_closed_form(wall);
  for (std::size_t i = 0; i < wall.interfaces.size(); ++i) {
    if (std::abs(wall.interfaces[i].normal.x) < 0.5) continue;  // a bed joint
    for (std::size_t v = 0; v < 4; ++v) EXPECT_EQ(norm(outcome.local_N[4 * i + v]), 0);
  }
}

TEST(ClosedFormTest, RotatedMirroredAndShiftedWallsStandAlike) {
  const model::Assembly wall = test::wall(5, 6);
  const Outcome plain = run_closed_form(wall);
  const auto turn = [](Vec3d v) {
    const Vec3d u{0.2, 0.4, 0.4}, t = 2.0 * cross(u, v);
    return v + 0.8 * t + cross(u, t);
  };
  const auto keep = [](Vec3d v) { return v; };
  for (const model::Assembly& other : {test::moved(wall, turn, {0, 0, 0}), mirrored(wall), test::moved(wall, keep, {1e6, 1e6, 1e5})}) {
    const Outcome outcome = run_closed_form(other);
    ASSERT_TRUE(outcome.solved());
    EXPECT_TRUE(accepted(other, outcome));
    for (std::size_t i = 0; i < plain.local_N.size(); ++i)
      EXPECT_NEAR(outcome.local_N[i].x, plain.local_N[i].x, 1e-6 * plain.contacts.weight_N);
  }
}

TEST(ClosedFormTest, RenumberedBlocksGiveTheRenumberedForces) {
  const model::Assembly wall = test::wall(5, 6);
  model::Assembly other = wall;
  std::reverse(other.blocks.begin(), other.blocks.end());
  const auto last = static_cast<std::uint32_t>(wall.blocks.size() - 1);
  for (model::Interface& face : other.interfaces) {
    face.a = last - face.a;
    face.b = last - face.b;
  }
  const Outcome first = run_closed_form(wall), second = run_closed_form(other);
  ASSERT_TRUE(first.solved() && second.solved());
  for (std::size_t i = 0; i < first.local_N.size(); ++i) {
    EXPECT_NEAR(first.local_N[i].x, second.local_N[i].x, 1e-10 * first.contacts.weight_N);
    EXPECT_NEAR(first.local_N[i].y, second.local_N[i].y, 1e-10 * first.contacts.weight_N);
  }
}

TEST(ClosedFormTest, ScalesOfLengthAndMassDoNotMatter) {
  const model::Assembly wall = test::wall(5, 6);
  const Outcome plain = run_closed_form(wall);
  for (const double scale : {1e-3, 1e3}) {
    const model::Assembly other = test::moved(wall, [scale](Vec3d v) { return scale * v; }, {0, 0, 0});
    model::Assembly scaled = other;  // directions and gravity keep their length
    scaled.gravity = wall.gravity;
    for (std::size_t i = 0; i < wall.interfaces.size(); ++i) {
      scaled.interfaces[i].normal = wall.interfaces[i].normal;
      scaled.interfaces[i].t1 = wall.interfaces[i].t1;
      scaled.interfaces[i].t2 = wall.interfaces[i].t2;
    }
    for (model::Block& block : scaled.blocks) {
      block.size *= scale;
      block.mass *= scale * scale * scale * 10;
    }
    const Outcome outcome = run_closed_form(scaled);
    ASSERT_TRUE(outcome.solved());
    for (std::size_t i = 0; i < plain.force.size(); ++i) EXPECT_NEAR(outcome.force[i], plain.force[i], 1e-11);
  }
}

TEST(ClosedFormTest, RefinementTakesRoundingOutAndNothingElse) {
  const model::Assembly wall = test::wall(12, 40);
  ClosedFormSettings plain, refined;
  plain.refinements = 0;
  refined.refine_above = 1e-15;
  const Outcome before = run_closed_form(wall, plain), after = run_closed_form(wall, refined);
  EXPECT_EQ(before.report.iterations, 1);
  EXPECT_LE(after.report.residual, before.report.residual);
  EXPECT_EQ(run_closed_form(test::arch(16, 0.12), refined).report.iterations, 1);  // a missed cone is not rounding
}

TEST(ClosedFormTest, WeightsOtherThanOneAlsoBalance) {
  const model::Assembly wall = test::wall(5, 4);
  const constraints::ContactRows contacts = constraints::make_contact_rows(wall);
  std::vector<double> weights(contacts.rows.size(), 1.0);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = i / rows::patch_lanes % 3 == 0 ? 1.0 : 0.25;  // H = (1, 4, 4)
  BodyGraph system(contacts.rows);
  system.set_weights({RowWeights::Shape::diagonal, weights});
  (void)system.factor();
  ClosedForm rung(contacts.rows);
  std::vector<double> force(contacts.rows.size());
  const ForceReport report = rung.propose({contacts.rows, contacts.load}, system, false, force);
  EXPECT_EQ(report.status, SolveStatus::solved);
  EXPECT_LT(report.residual, 1e-12);
}

TEST(ClosedFormTest, NothingFreeIsBalanced) {
  model::Assembly assembly = test::stack(1, 0);
  assembly.blocks[1].fixed = true;
  const Outcome outcome = run_closed_form(assembly);
  EXPECT_TRUE(outcome.solved());
  EXPECT_EQ(outcome.report.residual, 0);
}

TEST(ClosedFormTest, NotANumberIsANumericalFailure) {
  model::Assembly assembly = test::stack(3, 0);
  assembly.blocks[2].mass = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(run_closed_form(assembly).report.status, SolveStatus::numerical_failure);
  assembly = test::stack(3, 0);
  assembly.interfaces[1].polygon[0].x = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(run_closed_form(assembly).report.status, SolveStatus::numerical_failure);
}

TEST(ClosedFormTest, ProposingNeverAllocates) {
  const constraints::ContactRows contacts = constraints::make_contact_rows(test::wall(6, 6));
  BodyGraph system(contacts.rows);
  ClosedForm rung(contacts.rows);
  std::vector<double> force(contacts.rows.size());
  const test::AllocationCount heap;
  const ForceReport report = rung.propose({contacts.rows, contacts.load}, system, true, force);
  EXPECT_EQ(heap.delta(), 0);
  EXPECT_EQ(report.status, SolveStatus::solved);
}

}  // namespace
}  // namespace trilith::solve
