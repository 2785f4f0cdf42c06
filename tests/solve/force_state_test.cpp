#include "solve/force_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cones/friction_cone.h"
#include "dense_rows.h"
#include "rungs.h"
#include "solve/body_graph_kernel.h"

namespace trilith::solve {
namespace {

rows::PatchRows random_rows(test::Random& random) { return test::make_rows(12, test::random_patches(12, 20, random)); }

std::vector<double> reduced_mu(const rows::PatchRows& rows, const ConeMargin& margin) {
  std::vector<double> mu(rows.groups().size() * rows::patch_lanes);
  write_reduced_mu(rows, margin, mu);
  return mu;
}

TEST(ForceStateTest, ProjectionIsThatOfEveryConeAlone) {
  test::Random random(1);
  const rows::PatchRows rows = random_rows(random);
  const std::vector<double> mu = reduced_mu(rows, {});
  std::vector<double> flat;
  for (int i = 0; i < 3 * rows.points(); ++i) flat.push_back(random.gauss());
  std::vector<double> force = test::lanes_from_flat(rows, flat);
  const double moved = project_forces(rows, mu, 0, force);
  const std::vector<double> result = test::flat_from_lanes(rows, force);
  double largest = 0;
  for (int patch = 0; patch < rows.patches(); ++patch)
    for (int point = 0; point < rows.points_of(patch); ++point) {
      const std::size_t i = 3 * static_cast<std::size_t>(rows.first_point(patch) + point), row = rows.row(patch, point);
      std::size_t group = 0;  // of the slot that holds this row
      while (static_cast<std::size_t>(rows.groups()[group].first_slot + rows.groups()[group].slots) * rows::slot_rows <= row) ++group;
      const cones::Contact3<double> p = cones::project(cones::Contact3<double>{flat[i], flat[i + 1], flat[i + 2]},
                                                       mu[group * rows::patch_lanes + row % rows::patch_lanes]);
      EXPECT_EQ(result[i], p.n);
      EXPECT_EQ(result[i + 1], p.t1);
      EXPECT_EQ(result[i + 2], p.t2);
      largest = std::max(largest, std::hypot(flat[i] - p.n, flat[i + 1] - p.t1, flat[i + 2] - p.t2));
    }
  EXPECT_NEAR(moved, largest, 1e-15);
}

TEST(ForceStateTest, ProjectionHasTheSameBitsOnEveryInstructionSet) {
  test::Random random(2);
  const rows::PatchRows rows = random_rows(random);
  const std::vector<double> mu = reduced_mu(rows, {});
  std::vector<double> start(rows.size()), first;
  for (double& x : start) x = random.gauss();
  const PatchView view{rows.groups().data(), rows.slots().data(), static_cast<int>(rows.groups().size())};
  double first_moved = 0;
  for (const Isa isa : {Isa::baseline, Isa::v3, Isa::v4}) {
    if (!has_isa(isa)) continue;
    std::vector<double> force = start;
    const double moved = body_graph_kernel_of(isa).project(view, mu.data(), 1e-15, force.data());
    if (first.empty()) {
      first = force;
      first_moved = moved;
    }
    EXPECT_EQ(first, force);
    EXPECT_EQ(first_moved, moved);
  }
}

TEST(ForceStateTest, DustIsSetToZero) {
  test::Random random(3);
  const rows::PatchRows rows = random_rows(random);
  const std::vector<double> mu = reduced_mu(rows, {});
  std::vector<double> force(rows.size(), 0.0);
  force[rows.row(0, 0)] = 1e-9;
  force[rows.row(1, 0)] = 1e-7;
  (void)project_forces(rows, mu, 1e-8, force);
  EXPECT_EQ(force[rows.row(0, 0)], 0);
  EXPECT_EQ(force[rows.row(1, 0)], 1e-7);
}

TEST(ForceStateTest, MarginReducesFrictionALittleAndNeverBelowZero) {
  test::Random random(4);
  std::vector<test::OwnedPatch> patches = test::random_patches(4, 0, random);
  const double mu[4] = {0.84, 1e-3, 1e-8, 0};
  for (std::size_t i = 0; i < 4; ++i) patches[i].description.mu = mu[i];
  const rows::PatchRows rows = test::make_rows(4, patches);
  const std::vector<double> reduced = reduced_mu(rows, {});
  std::vector<double> by_patch(4);
  for (std::size_t g = 0; g < rows.groups().size(); ++g)
    for (std::size_t lane = 0; lane < rows::patch_lanes; ++lane)
      if (rows.groups()[g].patch[lane] >= 0) by_patch[static_cast<std::size_t>(rows.groups()[g].patch[lane])] = reduced[g * 8 + lane];
  EXPECT_LT(by_patch[0], 0.84);
  EXPECT_GT(by_patch[0], 0.84 - 2e-12);
  EXPECT_GT(by_patch[1], 1e-3 - 2e-11);
  EXPECT_EQ(by_patch[2], 0);
  EXPECT_EQ(by_patch[3], 0);
}

// forces projected onto the edge of the reduced cone, in world axes of a random rotation: does a judge find one outside?
int found_outside(double mu, const ConeMargin& margin, bool exact) {
  test::Random random(11);
  int found = 0;
  for (int k = 0; k < 40; ++k) {
    const Vec3d axis = random.direction();
    const double angle = random.uniform(0, 6), c = std::cos(angle), s = std::sin(angle);
    const auto turn = [&](Vec3d v) { return c * v + s * cross(axis, v) + ((1 - c) * dot(axis, v)) * axis; };
    const model::Assembly assembly = test::moved(test::incline(0, mu), turn, {0, 0, 0});
    const constraints::ContactRows contacts = constraints::make_contact_rows(assembly);
    std::vector<double> force(contacts.rows.size(), 0.0);
    for (int point = 0; point < 4; ++point) {
      double* at = force.data() + contacts.rows.row(0, point);
      at[0] = random.uniform(0, 1);
      at[rows::patch_lanes] = 30 * mu * random.gauss();
      at[2 * rows::patch_lanes] = 30 * mu * random.gauss();
    }
    (void)project_forces(contacts.rows, reduced_mu(contacts.rows, margin), 0, force);
    std::vector<Vec3d> world(4);
    constraints::write_world_forces(contacts, assembly, force, world);
    for (const certify::Broken& broken : test::judge(assembly, world, exact).broken)
      found += broken.what.find("friction") != std::string::npos;
  }
  return found;
}

TEST(ForceStateTest, ForcesOnTheEdgeOfTheReducedConePassBothJudges) {
  for (const double mu : {10.0, 0.84, 0.1, 1e-3, 1e-6})
    for (const bool exact : {false, true}) {
      EXPECT_EQ(found_outside(mu, {}, exact), 0) << mu;
      EXPECT_GT(found_outside(mu, ConeMargin{.relative = 0, .rounding = 0, .dust = 0}, exact), 0) << mu;
    }
}

TEST(ForceStateTest, WorstImbalanceIsTheLargestForceOrMoment) {
  EXPECT_EQ(worst_imbalance({}), 0);
  const std::vector<double> two{0, 0, 1, 0, 2, 0, -3, 4, 0, 1, 1, 1};
  EXPECT_DOUBLE_EQ(worst_imbalance(two), 5);
  std::vector<double> bad = two;
  bad[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(worst_imbalance(bad)));
  bad[1] = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(worst_imbalance(bad)));
}

}  // namespace
}  // namespace trilith::solve
