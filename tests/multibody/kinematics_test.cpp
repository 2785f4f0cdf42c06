#include "multibody/kinematics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "multibody/dynamics.h"
#include "multibody/mass_matrix.h"
#include "plain_reference.h"
#include "random_tree.h"

namespace trilith::multibody {
namespace {

constexpr double h = 1e-6;

struct Case {
  TreeInput input;
  Tree tree;
  std::vector<double> q, v;
  Workspace<double> w;
  Case(test::Random& random, const test::TreeShape& shape)
      : input(test::random_tree(random, shape)),
        tree(make_tree(input)),
        q(test::random_q(random, tree)),
        v(test::random_numbers(random, tree.dofs())),
        w(tree) {
    update_kinematics<double>(tree, q, w);
    update_velocities<double>(tree, v, w);
  }
  /// Kinematics at q (+) step.
  Workspace<double> moved(const std::vector<double>& step) const {
    std::vector<double> there = q;
    integrate<double>(tree, q, step, 1.0, 1, there);
    Workspace<double> out(tree);
    update_kinematics<double>(tree, there, out);
    update_velocities<double>(tree, v, out);
    return out;
  }
  std::vector<double> unit(std::size_t k, double size) const {
    std::vector<double> step(v.size(), 0.0);
    step[k] = size;
    return step;
  }
};

std::vector<Case> random_cases(std::uint64_t seed) {
  test::Random random(seed);
  std::vector<Case> cases;
  for (const int n : {1, 2, 5, 9, 20, 40})
    for (const bool free_base : {false, true})
      if (!free_base || n >= 2) cases.emplace_back(random, test::TreeShape{.links = n, .free_base = free_base, .root_share = 0.1});
  return cases;
}

/// (to (-) from) / (2 h) of two poses, in world axes.
Twistd pose_rate(const Posed& from, const Posed& to) {
  const Vec3d turn = log_rotation(from_matrix(to.R * transpose(from.R)));
  return {(0.5 / h) * (to.p - from.p), (0.5 / h) * turn};
}

TEST(KinematicsTest, PosesAndVelocitiesMeetThePlainReference) {
  for (const Case& c : random_cases(1)) {
    const std::vector<double> still(c.v.size(), 0.0);
    const auto links = test::plain_motion(c.input, c.q, c.v, still);
    for (std::int32_t b = 0; b < c.tree.bodies(); ++b) {
      const BodyFrame& frame = c.tree.body(b);
      if (frame.link < 0) continue;
      const auto& link = links[static_cast<std::size_t>(frame.link)];
      const test::V3<double> p = link.p + link.R * test::lift<double>(frame.X_LB.p);
      const Posed X = frame_pose(c.tree, c.w, frame);
      ASSERT_LT(norm(X.p - Vec3d{p.x, p.y, p.z}), 1e-13 * (1 + norm(X.p)));
      const test::V3<double> v = link.v + test::times(link.w, p - link.p);
      const Twistd V = frame_velocity(c.tree, c.w, frame);
      ASSERT_LT(norm(V.linear - Vec3d{v.x, v.y, v.z}), 1e-12 * (1 + norm(V.linear)));
      ASSERT_LT(norm(V.angular - Vec3d{link.w.x, link.w.y, link.w.z}), 1e-12 * (1 + norm(V.angular)));
    }
  }
}

TEST(KinematicsTest, JacobiansMeetCentralDifferencesOfPoses) {
  for (const Case& c : random_cases(2)) {
    const std::size_t n = c.v.size();
    const BodyFrame& frame = c.tree.body(c.tree.links() / 2);
    std::vector<double> aligned(6 * n), spatial(6 * n);
    write_jacobian<double>(c.tree, c.w, frame, JacobianPoint::frame, JacobianShape::dense, aligned);
    write_jacobian<double>(c.tree, c.w, frame, JacobianPoint::world, JacobianShape::dense, spatial);
    const Vec3d p = frame_pose(c.tree, c.w, frame).p;
    for (std::size_t k = 0; k < n; ++k) {
      const Twistd rate = pose_rate(frame_pose(c.tree, c.moved(c.unit(k, -h)), frame), frame_pose(c.tree, c.moved(c.unit(k, h)), frame));
      const Vec6d here = to_vec6(rate), at_world = to_vec6(shift(rate, -p));
      for (std::size_t row = 0; row < 6; ++row) {
        ASSERT_NEAR(aligned[row * n + k], here.v[row], 1e-8);
        ASSERT_NEAR(spatial[row * n + k], at_world.v[row], 1e-8 * (1 + norm(p)));
      }
    }
  }
}

TEST(KinematicsTest, ChainAndPointJacobiansAreColumnsOfTheDenseOne) {
  for (const Case& c : random_cases(3)) {
    const std::size_t n = c.v.size();
    const BodyFrame& frame = c.tree.body(c.tree.links() - 1);
    const std::span<const std::int32_t> dofs = c.tree.dofs_of(frame.link);
    std::vector<double> dense(6 * n), chain(6 * dofs.size()), point(6 * dofs.size()), rebuilt(6 * n, 0.0);
    write_jacobian<double>(c.tree, c.w, frame, JacobianPoint::frame, JacobianShape::dense, dense);
    write_jacobian<double>(c.tree, c.w, frame, JacobianPoint::frame, JacobianShape::chain, chain);
    write_point_jacobian(c.tree, c.w, frame.link, frame_pose(c.tree, c.w, frame).p, point);
    EXPECT_LT(test::distance(chain, point), 1e-14 * 100);
    for (std::size_t row = 0; row < 6; ++row)
      for (std::size_t e = 0; e < dofs.size(); ++e) rebuilt[row * n + static_cast<std::size_t>(dofs[e])] = chain[row * dofs.size() + e];
    EXPECT_EQ(rebuilt, dense);
  }
}

TEST(KinematicsTest, JacobianRatesMeetCentralDifferencesAlongTheMotion) {
  for (const Case& c : random_cases(4)) {
    const std::size_t n = c.v.size();
    const BodyFrame& frame = c.tree.body(c.tree.links() / 2);
    std::vector<double> forward = c.v, backward = c.v;
    for (double& x : forward) x *= h;
    for (double& x : backward) x *= -h;
    const Workspace<double> later = c.moved(forward), earlier = c.moved(backward);
    for (const JacobianPoint point : {JacobianPoint::frame, JacobianPoint::world}) {
      std::vector<double> rate(6 * n), up(6 * n), down(6 * n);
      write_jacobian_rate<double>(c.tree, c.w, frame, point, JacobianShape::dense, rate);
      write_jacobian<double>(c.tree, later, frame, point, JacobianShape::dense, up);
      write_jacobian<double>(c.tree, earlier, frame, point, JacobianShape::dense, down);
      double worst = 0;
      for (std::size_t i = 0; i < rate.size(); ++i) worst = std::max(worst, std::fabs((up[i] - down[i]) / (2 * h) - rate[i]));
      EXPECT_LT(worst, 1e-8 * (1 + test::largest(rate)));
    }
  }
}

TEST(KinematicsTest, CentreOfMassAndItsJacobianMeetTheLinks) {
  for (Case& c : random_cases(5)) {
    const std::size_t n = c.v.size();
    const auto center = [&](const Workspace<double>& w) {
      Vec3d sum{};
      for (std::int32_t i = 0; i < c.tree.links(); ++i) {
        const Inertiad& inertia = c.input.links[static_cast<std::size_t>(i)].inertia;
        sum = sum + inertia.mass * transform_point(frame_pose(c.tree, w, {i, identity_pose<double>()}), inertia.com);
      }
      return (1 / c.tree.total_mass()) * sum;
    };
    EXPECT_LT(norm(center(c.w) - center_of_mass(c.tree, c.w)), 1e-13);
    update_mass_matrix(c.tree, c.w);
    std::vector<double> J(3 * n);
    write_com_jacobian<double>(c.tree, c.w, J);
    for (std::size_t k = 0; k < n; ++k) {
      const Vec3d slope = (0.5 / h) * (center(c.moved(c.unit(k, h))) - center(c.moved(c.unit(k, -h))));
      ASSERT_LT(norm(slope - Vec3d{J[k], J[n + k], J[2 * n + k]}), 1e-8);
    }
  }
}

TEST(KinematicsTest, KineticEnergyIsHalfOfTheMassMatrixTimesVelocityTwice) {
  for (Case& c : random_cases(6)) {
    update_mass_matrix(c.tree, c.w);
    std::vector<double> Mv(c.v.size());
    multiply_mass_matrix<double>(c.tree, c.w, c.v, Mv);
    double twice = 0;
    for (std::size_t k = 0; k < Mv.size(); ++k) twice += Mv[k] * c.v[k];
    const Energy energy = measure_energy(c.tree, c.w, c.v, {0, 0, -9.81});
    EXPECT_NEAR(energy.kinetic, 0.5 * twice, 1e-12 * (1 + twice));
    EXPECT_NEAR(energy.potential, 9.81 * c.tree.total_mass() * center_of_mass(c.tree, c.w).z, 1e-11 * c.tree.total_mass());
  }
}

TEST(KinematicsTest, EnergyIsKeptAtTheOrderOfTheIntegrator) {
  const Vec3d gravity{0, 0, -9.81};
  // explicit midpoint over .2 s: halving the step must cut the drift by more than 3
  const auto drift = [&](int steps) {
    test::Random random(7);
    Case c(random, {.links = 6, .free_base = true});
    const double dt = 0.2 / steps;
    const std::vector<double> zero(c.v.size(), 0.0);
    std::vector<double> a(c.v.size()), middle_q = c.q, middle_v = c.v, q = c.q, v = c.v;
    const auto energy = [&] {
      update_kinematics<double>(c.tree, q, c.w), update_velocities<double>(c.tree, v, c.w);
      const Energy e = measure_energy(c.tree, c.w, v, gravity);
      return e.kinetic + e.potential;
    };
    const double before = energy();
    for (int s = 0; s < steps; ++s) {
      update_kinematics<double>(c.tree, q, c.w), update_velocities<double>(c.tree, v, c.w);
      forward_dynamics<double>(c.tree, {v, {}, {}, gravity}, zero, c.w, a);
      integrate<double>(c.tree, q, v, dt / 2, 1, middle_q);
      for (std::size_t k = 0; k < v.size(); ++k) middle_v[k] = v[k] + dt / 2 * a[k];
      update_kinematics<double>(c.tree, middle_q, c.w), update_velocities<double>(c.tree, middle_v, c.w);
      forward_dynamics<double>(c.tree, {middle_v, {}, {}, gravity}, zero, c.w, a);
      integrate<double>(c.tree, q, middle_v, dt, 1, q);
      for (std::size_t k = 0; k < v.size(); ++k) v[k] += dt * a[k];
    }
    return std::fabs(energy() - before);
  };
  const double coarse = drift(200), fine = drift(400);
  EXPECT_GT(coarse / fine, 3) << coarse << " " << fine;
  EXPECT_LT(fine, 1e-2);
}

TEST(ConfigurationTest, DifferenceUndoesIntegrate) {
  for (const Case& c : random_cases(8)) {
    std::vector<double> there = c.q, back(c.v.size());
    integrate<double>(c.tree, c.q, c.v, 0.7, 1, there);
    difference<double>(c.tree, c.q, there, 1, back);
    for (std::size_t k = 0; k < back.size(); ++k) ASSERT_NEAR(back[k], 0.7 * c.v[k], 1e-13 * (1 + test::largest(c.v)));
  }
}

/// Column k of a block-diagonal Jacobian, as a full column.
std::vector<double> full_column(const Tree& tree, const std::vector<double>& block, std::size_t k) {
  const LinkIndex& link = tree.link(tree.dof_link(static_cast<std::int32_t>(k)));
  const auto first = static_cast<std::size_t>(link.v), count = static_cast<std::size_t>(link.nv);
  std::vector<double> column(static_cast<std::size_t>(tree.dofs()), 0.0);
  for (std::size_t j = first; j < first + count; ++j) column[j] = block[3 * j + (count == 3 ? k - first : 0)];
  return column;
}

TEST(ConfigurationTest, IntegrateJacobiansMeetCentralDifferences) {
  test::Random random(9);
  const Case c(random, {.links = 12, .free_base = true});
  const std::size_t n = c.v.size();
  const std::vector<double> zero(n, 0.0);
  for (const double dt : {1e-9, 1e-3, 0.05, 0.15, 0.3, 1.0}) {
    std::vector<double> by_q(3 * n), by_v(3 * n), end = c.q, moved = c.q, there = c.q;
    write_integrate_jacobians<double>(c.tree, c.v, dt, 1, by_q, by_v);
    integrate<double>(c.tree, c.q, c.v, dt, 1, end);
    // where q moved by `step` and velocity v lead, seen from the end
    const auto end_of = [&](const std::vector<double>& step, const std::vector<double>& v) {
      std::vector<double> out(n);
      integrate<double>(c.tree, c.q, step, 1.0, 1, moved);
      integrate<double>(c.tree, moved, v, dt, 1, there);
      difference<double>(c.tree, end, there, 1, out);
      return out;
    };
    const auto slope = [](std::vector<double> up, const std::vector<double>& down, double step) {
      for (std::size_t j = 0; j < up.size(); ++j) up[j] = (up[j] - down[j]) / (2 * step);
      return up;
    };
    for (std::size_t k = 0; k < n; ++k) {
      const std::vector<double> q_slope = slope(end_of(c.unit(k, h), c.v), end_of(c.unit(k, -h), c.v), h);
      EXPECT_LT(test::distance(q_slope, full_column(c.tree, by_q, k)), 2e-9) << dt << " " << k;
      std::vector<double> faster = c.v, slower = c.v;
      faster[k] += 1e-4, slower[k] -= 1e-4;
      const std::vector<double> v_slope = slope(end_of(zero, faster), end_of(zero, slower), 1e-4);
      EXPECT_LT(test::distance(v_slope, full_column(c.tree, by_v, k)), 1e-8 * dt + 1e-11) << dt << " " << k;
    }
  }
}

}  // namespace
}  // namespace trilith::multibody
