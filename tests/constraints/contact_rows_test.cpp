#include "constraints/contact_rows.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solve/assemblies.h"
#include "support/random.h"

namespace trilith::constraints {
namespace {

// force and moment about the centre of mass of every block, N and N m, from forces in world axes
struct Sums {
  std::vector<Vec3d> force, moment;
};
Sums sum_up(const model::Assembly& assembly, const ContactRows& contacts, const std::vector<double>& row) {
  std::vector<Vec3d> world(static_cast<std::size_t>(contacts.first_vertex.back()));
  write_world_forces(contacts, assembly, row, world);
  Sums sums{std::vector<Vec3d>(assembly.blocks.size()), std::vector<Vec3d>(assembly.blocks.size())};
  for (std::size_t i = 0; i < assembly.interfaces.size(); ++i) {
    const model::Interface& face = assembly.interfaces[i];
    for (std::size_t k = 0; k < face.polygon.size(); ++k) {
      const Vec3d f = world[static_cast<std::size_t>(contacts.first_vertex[i]) + k];
      sums.force[face.b] = sums.force[face.b] + f;
      sums.force[face.a] = sums.force[face.a] - f;
      sums.moment[face.b] = sums.moment[face.b] + cross(face.polygon[k] - assembly.blocks[face.b].com, f);
      sums.moment[face.a] = sums.moment[face.a] - cross(face.polygon[k] - assembly.blocks[face.a].com, f);
    }
  }
  return sums;
}

// A f of the rows, point by point
std::vector<double> times(const ContactRows& contacts, const std::vector<double>& row) {
  std::vector<double> out(contacts.load.size(), 0.0);
  for (const rows::PatchGroup& g : contacts.rows.groups())
    for (std::size_t lane = 0; lane < rows::patch_lanes; ++lane)
      for (int s = g.first_slot; s < g.first_slot + g.slots; ++s) {
        const rows::PatchSlot& slot = contacts.rows.slots()[static_cast<std::size_t>(s)];
        const double* from = row.data() + static_cast<std::size_t>(s) * rows::slot_rows + lane;
        const Vec3d local{from[0], from[8], from[16]}, p{slot.at[0][lane], slot.at[1][lane], slot.at[2][lane]};
        const auto turn = [&](Vec3d v) {
          return Vec3d{g.axes[0][lane] * v.x + g.axes[1][lane] * v.y + g.axes[2][lane] * v.z,
                       g.axes[3][lane] * v.x + g.axes[4][lane] * v.y + g.axes[5][lane] * v.z,
                       g.axes[6][lane] * v.x + g.axes[7][lane] * v.y + g.axes[8][lane] * v.z};
        };
        const Vec3d f = turn(local), at = turn(p);
        const auto add = [&](int body, Vec3d arm, double sign) {
          if (body < 0) return;
          const Vec3d m = cross(arm + at, f);
          const double wrench[6] = {f.x, f.y, f.z, m.x, m.y, m.z};
          for (int i = 0; i < 6; ++i) out[static_cast<std::size_t>(6 * body + i)] += sign * wrench[i];
        };
        add(g.block_b[lane], {g.arm_b[0][lane], g.arm_b[1][lane], g.arm_b[2][lane]}, 1);
        add(g.block_a[lane], {g.arm_a[0][lane], g.arm_a[1][lane], g.arm_a[2][lane]}, -1);
      }
  return out;
}

std::vector<double> random_row(const ContactRows& contacts, test::Random& random) {
  std::vector<Vec3d> points(static_cast<std::size_t>(contacts.rows.points()));
  for (Vec3d& p : points) p = random.gauss_vector();
  std::vector<double> row(contacts.rows.size());
  contacts.rows.write_lanes(points, row);
  return row;
}

TEST(ContactRowsTest, ScalesAreTheMeansOverFreeBlocks) {
  const model::Assembly assembly = test::stack(3, 0.1);
  const ContactRows contacts = make_contact_rows(assembly);
  EXPECT_NEAR(contacts.weight_N, test::test_density * 0.125 * 9.80665, 1e-9);
  EXPECT_DOUBLE_EQ(contacts.length_m, 1.0);  // the ground is 5 m long and does not count
  EXPECT_EQ(contacts.body_of_block, (std::vector<int>{-1, 0, 1, 2}));
  EXPECT_EQ(contacts.block_of_body, (std::vector<int>{1, 2, 3}));
}

TEST(ContactRowsTest, LoadIsMinusTheWeightWhereverGravityPoints) {
  model::Assembly assembly = test::stack(2, 0);
  assembly.gravity = {3, -4, 12};
  const ContactRows contacts = make_contact_rows(assembly);
  EXPECT_NEAR(contacts.weight_N, assembly.blocks[1].mass * 13, 1e-9);
  for (std::size_t body = 0; body < 2; ++body) {
    EXPECT_NEAR(contacts.load[6 * body], -3.0 / 13, 1e-15);
    EXPECT_NEAR(contacts.load[6 * body + 1], 4.0 / 13, 1e-15);
    EXPECT_NEAR(contacts.load[6 * body + 2], -12.0 / 13, 1e-15);
    for (std::size_t k = 3; k < 6; ++k) EXPECT_EQ(contacts.load[6 * body + k], 0);
  }
}

TEST(ContactRowsTest, MassBlocksHoldTheMassAndTheInertiaOfEachBox) {
  const model::Assembly assembly = test::stack(3, 0.1);
  const ContactRows contacts = make_contact_rows(assembly);
  const std::vector<double> blocks = make_mass_blocks(contacts, assembly);
  const double gravity = norm(assembly.gravity);
  for (std::size_t body = 0; body < contacts.block_of_body.size(); ++body) {
    const model::Block& block = assembly.blocks[static_cast<std::size_t>(contacts.block_of_body[body])];
    const double* m = blocks.data() + 36 * body;
    const double mass = block.mass * gravity / contacts.weight_N;
    const Vec3d side = (1 / contacts.length_m) * (block.box.upper - block.box.lower);
    const double inertia[3] = {side.y * side.y + side.z * side.z, side.x * side.x + side.z * side.z, side.x * side.x + side.y * side.y};
    for (std::size_t r = 0; r < 6; ++r)
      for (std::size_t c = 0; c < 6; ++c)
        EXPECT_NEAR(m[6 * c + r], r != c ? 0 : r < 3 ? mass : mass / 12 * inertia[r - 3], 1e-12) << r << " " << c;
    // the load is that mass under minus gravity
    EXPECT_NEAR(contacts.load[6 * body + 2], -mass * assembly.gravity.z / gravity, 1e-12);
  }
}

TEST(ContactRowsTest, HandWrittenForcesOfABoxOnTheGroundBalanceIt) {
  const model::Assembly assembly = test::stack(1, 0);
  const ContactRows contacts = make_contact_rows(assembly);
  std::vector<double> row(contacts.rows.size(), 0.0);
  for (int point = 0; point < 4; ++point) row[contacts.rows.row(0, point)] = 0.25;
  const std::vector<double> sum = times(contacts, row);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(sum[i], contacts.load[i], 1e-15);
  std::vector<Vec3d> newton(4);
  write_forces(contacts, row, newton);
  EXPECT_NEAR(newton[2].x, assembly.blocks[1].mass * 9.80665 / 4, 1e-9);
}

TEST(ContactRowsTest, RowsAreTheSumsOfWorldForcesInNormalisedUnits) {
  test::Random random(5);
  for (const model::Assembly& assembly : {test::wall(4, 3), test::arch(9, 0.2), test::stack(5, 0.1)}) {
    const ContactRows contacts = make_contact_rows(assembly);
    const std::vector<double> row = random_row(contacts, random), sum = times(contacts, row);
    const Sums world = sum_up(assembly, contacts, row);
    for (std::size_t body = 0; body < contacts.block_of_body.size(); ++body) {
      const auto block = static_cast<std::size_t>(contacts.block_of_body[body]);
      const Vec3d f = (1 / contacts.weight_N) * world.force[block], m = (1 / (contacts.weight_N * contacts.length_m)) * world.moment[block];
      const double expected[6] = {f.x, f.y, f.z, m.x, m.y, m.z};
      for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(sum[6 * body + i], expected[i], 1e-13);
    }
  }
}

TEST(ContactRowsTest, InterfacesBetweenFixedBlocksCarryNothing) {
  model::Assembly assembly = test::stack(2, 0);
  assembly.blocks[1].fixed = true;
  const ContactRows contacts = make_contact_rows(assembly);
  EXPECT_EQ(contacts.rows.patches(), 1);
  EXPECT_EQ(contacts.rows.blocks(), 1);
  EXPECT_EQ(contacts.interface_of_patch, (std::vector<int>{1}));
  EXPECT_EQ(contacts.first_vertex, (std::vector<int>{0, 4, 8}));
  std::vector<double> row(contacts.rows.size(), 0.0);
  row[contacts.rows.row(0, 3)] = 2;
  std::vector<Vec3d> force(8, Vec3d{9, 9, 9});
  write_forces(contacts, row, force);
  for (std::size_t v = 0; v < 4; ++v) EXPECT_EQ(force[v].x, 0);
  EXPECT_NEAR(force[7].x, 2 * contacts.weight_N, 1e-9);
}

TEST(ContactRowsTest, NothingFreeGivesNoRows) {
  model::Assembly assembly = test::stack(2, 0);
  for (model::Block& block : assembly.blocks) block.fixed = true;
  const ContactRows contacts = make_contact_rows(assembly);
  EXPECT_EQ(contacts.rows.size(), 0u);
  EXPECT_TRUE(contacts.load.empty());
  EXPECT_EQ(contacts.weight_N, 1);
  EXPECT_EQ(contacts.length_m, 1);
}

TEST(ContactRowsTest, WithoutGravityTheLoadIsZeroAndTheScaleStaysFinite) {
  model::Assembly assembly = test::stack(1, 0);
  assembly.gravity = {0, 0, 0};
  const ContactRows contacts = make_contact_rows(assembly);
  EXPECT_EQ(contacts.weight_N, 1);
  for (const double b : contacts.load) EXPECT_EQ(b, 0);
}

TEST(ContactRowsTest, SiteCoordinatesCostNoDigits) {
  // on a grid of 2^-13 m every coordinate at 1e6 m is exact, so the rows must be the same to rounding
  const auto to_grid = [](Vec3d v) {
    const auto snap = [](double a) { return std::round(a * 8192) / 8192; };
    return Vec3d{snap(v.x), snap(v.y), snap(v.z)};
  };
  const auto keep = [](Vec3d v) { return v; };
  model::Assembly near = test::arch(9, 0.2);
  for (model::Block& block : near.blocks)
    for (Vec3d& v : block.mesh.vertices) v = to_grid(v);
  for (model::Interface& face : near.interfaces)
    for (Vec3d& p : face.polygon) p = to_grid(p);
  near = test::moved(near, keep, {0, 0, 0});
  const ContactRows at_home = make_contact_rows(near), on_site = make_contact_rows(test::moved(near, keep, {1e6, -2e6, 3e5}));
  double worst = 0;
  for (std::size_t g = 0; g < at_home.rows.groups().size(); ++g)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t lane = 0; lane < rows::patch_lanes; ++lane) {
        const rows::PatchGroup &a = at_home.rows.groups()[g], &b = on_site.rows.groups()[g];
        if (a.block_a[lane] >= 0) worst = std::max(worst, std::abs(a.arm_a[i][lane] - b.arm_a[i][lane]));
        if (a.block_b[lane] >= 0) worst = std::max(worst, std::abs(a.arm_b[i][lane] - b.arm_b[i][lane]));
      }
  for (std::size_t s = 0; s < at_home.rows.slots().size(); ++s)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t lane = 0; lane < rows::patch_lanes; ++lane)
        worst = std::max(worst, std::abs(at_home.rows.slots()[s].at[i][lane] - on_site.rows.slots()[s].at[i][lane]));
  EXPECT_LT(worst, 1e-14);
}

TEST(ContactRowsTest, VelocitiesDoTheWorkOfTheForces) {
  test::Random random(6);
  const model::Assembly assembly = test::wall(3, 3);
  const ContactRows contacts = make_contact_rows(assembly);
  const std::vector<double> row = random_row(contacts, random), sum = times(contacts, row);
  std::vector<double> y(sum.size());
  for (double& v : y) v = random.gauss();
  double power = 0;
  for (std::size_t i = 0; i < y.size(); ++i) power += y[i] * sum[i];
  std::vector<Vec3d> linear(assembly.blocks.size()), angular(assembly.blocks.size());
  write_velocities(contacts, y, linear, angular);
  const Sums world = sum_up(assembly, contacts, row);
  double expected = 0;
  for (std::size_t i = 0; i < assembly.blocks.size(); ++i)
    if (!assembly.blocks[i].fixed) expected += dot(linear[i], world.force[i]) + dot(angular[i], world.moment[i]);
  EXPECT_NEAR(power * contacts.weight_N, expected, 1e-9 * std::abs(expected));
  EXPECT_EQ(linear[0].x, 0);
  EXPECT_EQ(angular[0].y, 0);
}

}  // namespace
}  // namespace trilith::constraints
