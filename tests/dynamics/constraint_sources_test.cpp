#include "dynamics/constraint_sources.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "dynamics/mechanism.h"

namespace trilith::dynamics {
namespace {

using Kind = ConstraintSource::Kind;
using test::ModelSketch;

StepReport first_step(const ModelSketch& sketch) {
  Simulator simulator(sketch.system());
  return simulator.step();
}

TEST(ConstraintSourcesTest, AJointAtItsLimitEndsTheRunByName) {
  ModelSketch sketch = test::pendulum(1, 1);
  sketch.input().joints[0].range = model::Range{-0.5, 0.5};
  EXPECT_EQ(first_step(sketch).status, StepStatus::done);
  Simulator simulator(sketch.system());
  simulator.state().q[0] = 0.6;
  const StepReport report = simulator.step();
  ASSERT_EQ(report.status, StepStatus::constraints_not_supported);
  EXPECT_EQ(describe(*simulator.system().model, report.source), "joint \"j0\" is at its limit");
  EXPECT_EQ(simulator.state().time, 0);
}

TEST(ConstraintSourcesTest, AStartWithinTheMarginOfALimitCounts) {
  ModelSketch sketch = test::pendulum(1, 1);
  sketch.input().joints[0].range = model::Range{-0.5, 0.5};
  sketch.input().joints[0].margin = 0.6;
  EXPECT_EQ(first_step(sketch).source.kind, Kind::joint_limit);
}

TEST(ConstraintSourcesTest, FrictionLossAndEqualitiesActAlways) {
  ModelSketch sketch = test::pendulum(1, 1);
  sketch.input().joints[0].friction_loss = 0.1;
  EXPECT_EQ(first_step(sketch).source.kind, Kind::joint_friction);
  sketch.options().friction_losses = false;
  EXPECT_EQ(first_step(sketch).status, StepStatus::done);
  model::Equality lock;
  lock.kind = model::EqualityKind::joint;
  lock.a = test::named("j0");
  sketch.input().equalities.push_back(lock);
  EXPECT_EQ(first_step(sketch).source.kind, Kind::equality);
  sketch.input().equalities[0].active = false;
  EXPECT_EQ(first_step(sketch).status, StepStatus::done);
}

ModelSketch ball_over_floor(double height) {
  ModelSketch sketch = test::free_body();
  sketch.input().bodies[1].pose.p = {0, 0, height};
  model::Geom floor, ball;
  floor.name = "floor", floor.kind = model::GeomKind::plane, floor.body = 0;
  ball.name = "ball", ball.kind = model::GeomKind::sphere, ball.size = {0.5, 0, 0}, ball.body = 1;
  sketch.input().geoms = {floor, ball};
  return sketch;
}

TEST(ConstraintSourcesTest, ABodyOnTheFloorTouchesAndOneAboveDoesNot) {
  EXPECT_EQ(first_step(ball_over_floor(0.6)).status, StepStatus::done);
  ModelSketch low = ball_over_floor(0.45);
  const StepReport report = first_step(low);
  EXPECT_EQ(report.source.kind, Kind::contact);
  EXPECT_EQ(describe(*low.model(), report.source), "geom \"floor\" of body \"world\" may touch geom \"ball\" of body \"b1\"");
  low.input().geoms[0].conaffinity = low.input().geoms[0].contype = 2;
  EXPECT_EQ(first_step(low).status, StepStatus::done);
}

TEST(ConstraintSourcesTest, WithoutConstraintsEverythingRuns) {
  ModelSketch low = ball_over_floor(0.45);
  low.options().constraints = false;
  EXPECT_EQ(first_step(low).status, StepStatus::done);
}

TEST(ConstraintSourcesTest, NeighboursInATreeDoNotTouchEachOther) {
  ModelSketch sketch = test::mechanism();
  model::Geom sphere;
  sphere.kind = model::GeomKind::sphere, sphere.size = {0.4, 0, 0}, sphere.body = 1, sphere.mass = 0;
  sketch.input().geoms.push_back(sphere);
  sphere.body = 2;
  sketch.input().geoms.insert(sketch.input().geoms.begin() + 1, sphere);
  std::ranges::sort(sketch.input().geoms, {}, &model::Geom::body);
  EXPECT_EQ(first_step(sketch).status, StepStatus::done);
  sketch.options().filter_parent = false;
  EXPECT_EQ(first_step(sketch).source.kind, Kind::contact);
}

}  // namespace
}  // namespace trilith::dynamics
