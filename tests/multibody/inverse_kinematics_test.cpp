#include "multibody/inverse_kinematics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "multibody/kinematics.h"
#include "random_tree.h"
#include "support/allocation.h"

namespace trilith::multibody {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Posed pose_at(const Tree& tree, const std::vector<double>& q, const BodyFrame& frame) {
  Workspace<double> w(tree);
  update_kinematics<double>(tree, q, w);
  return frame_pose(tree, w, frame);
}

/// Two hinges and links of 1 m in a plane.
Tree planar_arm() {
  TreeInput input;
  input.links.push_back({.inertia = box_inertia(1.0, Vec3d{1, 0.1, 0.1})});
  input.links.push_back({.parent = 0, .X_PJ = {identity3<double>(), {1, 0, 0}}, .inertia = box_inertia(1.0, Vec3d{1, 0.1, 0.1})});
  input.bodies.push_back({1, {identity3<double>(), {1, 0, 0}}});
  return make_tree(input);
}

TEST(InverseKinematicsTest, PosesThatAChainCanTakeAreReachedFromNearby) {
  test::Random random(31);
  int solved = 0;
  for (int run = 0; run < 40; ++run) {
    const Tree tree = make_tree(test::random_tree(random, {.links = 7, .chain = true}));
    const BodyFrame frame = tree.body(6);
    const std::vector<double> there = test::random_q(random, tree);
    std::vector<double> q = there;
    for (double& x : q) x += random.uniform(-0.4, 0.4);
    InverseKinematics solver(tree, 1);
    const PoseTarget target{frame, pose_at(tree, there, frame)};
    const InverseKinematicsReport report = solver.solve({&target, 1}, {}, {}, {}, q);
    if (report.status != SolveStatus::solved) continue;
    ++solved;
    const Posed X = pose_at(tree, q, frame);
    EXPECT_LT(norm(X.p - target.X_WF.p), 1.1e-9);
    EXPECT_LT(norm(log_rotation(from_matrix(X.R * transpose(target.X_WF.R)))), 1.1e-9);
  }
  EXPECT_GE(solved, 38);
}

TEST(InverseKinematicsTest, AFreeBaseWithABallReachesSeveralTargets) {
  test::Random random(32);
  const Tree tree = make_tree(test::random_tree(random, {.links = 10, .free_base = true}));
  const std::vector<double> there = test::random_q(random, tree);
  std::vector<double> q = there;
  const std::vector<double> away = test::random_numbers(random, tree.dofs(), 0.1);
  integrate<double>(tree, q, away, 1.0, 1, q);
  std::vector<PoseTarget> targets;
  for (const std::int32_t b : {4, 9}) targets.push_back({tree.body(b), pose_at(tree, there, tree.body(b))});
  targets[1].orientation_weight = 0;
  InverseKinematics solver(tree, 2);
  const test::AllocationCount heap;
  const InverseKinematicsReport report = solver.solve(targets, {}, {}, {}, q);
  EXPECT_EQ(heap.delta(), 0);
  EXPECT_EQ(report.status, SolveStatus::solved);
  EXPECT_LT(norm(pose_at(tree, q, tree.body(9)).p - targets[1].X_WF.p), 1.1e-9);
}

TEST(InverseKinematicsTest, BeyondReachTheArmStretchesTowardsTheTargetAndSaysStalled) {
  const Tree tree = planar_arm();
  InverseKinematics solver(tree, 1);
  const PoseTarget target{tree.body(0), {identity3<double>(), {0, 3, 0}}, 1, 0};
  std::vector<double> q{0.3, 0.4};
  const InverseKinematicsReport report = solver.solve({&target, 1}, {}, {}, {}, q);
  EXPECT_EQ(report.status, SolveStatus::stalled);
  EXPECT_NEAR(report.error, 1, 1e-6);
  EXPECT_LT(norm(pose_at(tree, q, tree.body(0)).p - Vec3d{0, 2, 0}), 1e-3);
}

TEST(InverseKinematicsTest, LimitsHoldAndTheBestInsideIsFound) {
  const Tree tree = planar_arm();
  InverseKinematics solver(tree, 1);
  // the elbow may not bend: the tip stays on the circle of radius 2, the nearest point to (0, 1.5) is (0, 2)
  const std::vector<double> lower{-infinity, 0}, upper{infinity, 0};
  const PoseTarget target{tree.body(0), {identity3<double>(), {0, 1.5, 0}}, 1, 0};
  std::vector<double> q{1, 0.7};  // outside: moved inside first
  const InverseKinematicsReport report = solver.solve({&target, 1}, lower, upper, {}, q);
  EXPECT_EQ(report.status, SolveStatus::stalled);
  EXPECT_EQ(q[1], 0);
  EXPECT_NEAR(report.error, 0.5, 1e-9);
  // and inside loose limits it is reached (not from the stretched arm itself: there the error falls in no direction)
  q = {1, 0.5};
  const std::vector<double> loose_lower{-2, -2}, loose_upper{2, 2};
  EXPECT_EQ(solver.solve({&target, 1}, loose_lower, loose_upper, {}, q).status, SolveStatus::solved);
}

TEST(InverseKinematicsTest, TheIterationLimitAndNotANumberAreTold) {
  const Tree tree = planar_arm();
  InverseKinematics solver(tree, 1);
  const PoseTarget target{tree.body(0), {identity3<double>(), {0.5, 1, 0}}, 1, 0};
  std::vector<double> q{0.1, 0.2};
  EXPECT_EQ(solver.solve({&target, 1}, {}, {}, {.iteration_limit = 2}, q).status, SolveStatus::iteration_limit);
  q[0] = std::nan("");
  EXPECT_EQ(solver.solve({&target, 1}, {}, {}, {}, q).status, SolveStatus::numerical_failure);
}

}  // namespace
}  // namespace trilith::multibody
