// The start of a fall with a closed form: a flat box that slides with associated friction.
#include "solve/initial_motion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rungs.h"

namespace trilith::solve {
namespace {

struct Found {
  InitialMotionReport report;
  std::vector<double> velocity;
};

Found run(const model::Assembly& assembly, const InitialMotionSettings& settings = {}, const Deadline& deadline = {}) {
  const auto contacts = constraints::make_contact_rows(assembly);
  BodyGraph system(contacts.rows);
  system.set_quadratic(constraints::make_mass_blocks(contacts, assembly));
  Found found{{}, std::vector<double>(contacts.load.size(), 1.0)};
  found.report = find_initial_motion({contacts.rows, contacts.load}, system, settings, deadline, found.velocity);
  return found;
}

TEST(InitialMotionTest, ASlidingBoxLiftsByItsFrictionAndDoesNotTurn) {
  for (const double mu : {0.2, 0.5}) {
    const model::Assembly assembly = test::incline(std::atan(mu) + 0.1, mu);
    const Found found = run(assembly);
    ASSERT_EQ(found.report.status, SolveStatus::solved) << mu;
    const model::Interface& face = assembly.interfaces[0];
    const double sign = assembly.blocks[face.b].fixed ? -1 : 1;
    const Vec3d v{found.velocity[0], found.velocity[1], found.velocity[2]};
    const double opening = sign * dot(v, face.normal), slip = norm(v - sign * opening * face.normal);
    EXPECT_NEAR(opening / slip, mu, 1e-4);
    for (std::size_t i = 3; i < 6; ++i) EXPECT_NEAR(found.velocity[i], 0, 1e-4);
    EXPECT_GT(dot(v, assembly.gravity), 0);
  }
}

TEST(InitialMotionTest, WhatStandsDoesNotStartToMove) {
  const Found found = run(test::incline(std::atan(0.5) - 0.1, 0.5));
  EXPECT_NE(found.report.status, SolveStatus::solved);
  EXPECT_NE(found.report.status, SolveStatus::solved_inaccurate);
  for (const double v : found.velocity) EXPECT_EQ(v, 0);
}

TEST(InitialMotionTest, LimitsAreKept) {
  const model::Assembly assembly = test::incline(0.8, 0.2);
  EXPECT_EQ(run(assembly, {}, Deadline::after(0)).report.status, SolveStatus::time_limit);
  InitialMotionSettings one;
  one.limits.iteration_limit = 1;
  EXPECT_EQ(run(assembly, one).report.status, SolveStatus::iteration_limit);
}

}  // namespace
}  // namespace trilith::solve
