#include "multibody/dynamics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "multibody/kinematics.h"
#include "multibody/mass_matrix.h"
#include "plain_reference.h"
#include "random_tree.h"

namespace trilith::multibody {
namespace {

constexpr Vec3d gravity{0.3, -0.2, -9.81};

/// A tree at a random state with forces on every body.
struct Case {
  TreeInput input;
  Tree tree;
  std::vector<double> q, v, a, tau, applied;
  Workspace<double> w;
  Case(test::Random& random, const test::TreeShape& shape)
      : input(test::random_tree(random, shape)),
        tree(make_tree(input)),
        q(test::random_q(random, tree)),
        v(test::random_numbers(random, tree.dofs())),
        a(test::random_numbers(random, tree.dofs())),
        tau(test::random_numbers(random, tree.dofs(), 10)),
        applied(test::random_numbers(random, 6 * std::int64_t{tree.bodies()}, 5)),
        w(tree) {
    update_kinematics<double>(tree, q, w);
    update_velocities<double>(tree, v, w);
  }
  std::size_t nv() const { return v.size(); }
  Motion<double> motion() const { return {v, a, applied, gravity}; }
};

/// Trees of one link up to forty, fixed and free, with massless links and several roots.
template <class Check>
void for_each_tree(std::uint64_t seed, const Check& check) {
  test::Random random(seed);
  for (int n = 1; n <= 40; n += n < 12 ? 1 : 7) {
    for (const bool free_base : {false, true}) {
      for (const bool loose : {false, true}) {
        if (free_base && n < 2) continue;
        Case c(random, {.links = n, .free_base = free_base, .massless_share = loose ? 0.2 : 0, .root_share = loose ? 0.15 : 0});
        check(c);
      }
    }
  }
  Case chain(random, {.links = 7, .chain = true});
  check(chain);
}

TEST(DynamicsTest, InverseDynamicsMeetsNewtonAndEulerBodyByBody) {
  for_each_tree(1, [](Case& c) {
    std::vector<double> tau(c.nv());
    inverse_dynamics(c.tree, c.motion(), c.w, std::span<double>(tau));
    const std::vector<double> plain = test::plain_inverse_dynamics(c.input, c.q, c.v, c.a, c.applied, gravity);
    EXPECT_LT(test::distance(tau, plain), 1e-12 * (1 + test::largest(plain))) << c.tree.links();
  });
}

TEST(DynamicsTest, ColumnsOfTheMassMatrixAreInverseDynamicsOfUnitAccelerations) {
  for_each_tree(2, [](Case& c) {
    const std::size_t n = c.nv();
    std::vector<double> M(n * n), column(n), still(n, 0.0);
    update_mass_matrix(c.tree, c.w);
    write_mass_matrix(c.tree, c.w, std::span<double>(M));
    for (std::size_t k = 0; k < n; ++k) {
      std::vector<double> unit(n, 0.0);
      unit[k] = 1;
      column = test::plain_inverse_dynamics<double>(c.input, c.q, still, unit, {}, Vec3d{});
      for (std::size_t j = 0; j < n; ++j) ASSERT_NEAR(M[j * n + k], column[j], 1e-12 * (1 + test::largest(column)));
    }
  });
}

TEST(DynamicsTest, ForwardDynamicsIsTheInverseOfTheMassMatrixTimesTheRest) {
  for_each_tree(3, [](Case& c) {
    const std::size_t n = c.nv();
    std::vector<double> bias(n), a(n), rest(n);
    inverse_dynamics(c.tree, Motion<double>{c.v, {}, c.applied, gravity}, c.w, std::span<double>(bias));
    for (std::size_t k = 0; k < n; ++k) rest[k] = c.tau[k] - bias[k];
    update_mass_matrix(c.tree, c.w);
    ASSERT_EQ(factor_mass_matrix(c.tree, c.w), 0);
    std::vector<double> by_factor = rest;
    solve_mass_matrix(c.tree, c.w, std::span<double>(by_factor));
    forward_dynamics<double>(c.tree, c.motion(), c.tau, c.w, a);
    EXPECT_LT(test::distance(a, by_factor), 1e-9 * (1 + test::largest(a))) << c.tree.links();
    // and back: the forces of these accelerations are tau
    std::vector<double> back(n);
    inverse_dynamics(c.tree, Motion<double>{c.v, a, c.applied, gravity}, c.w, std::span<double>(back));
    EXPECT_LT(test::distance(back, c.tau), 1e-9 * (1 + test::largest(a))) << c.tree.links();
  });
}

TEST(DynamicsTest, DerivativesMeetTheDualNumbersOfThePlainReference) {
  for_each_tree(4, [](Case& c) {
    const std::size_t n = c.nv();
    std::vector<double> tau(n), by_q(n * n), by_v(n * n), plain_q(n * n), plain_v(n * n);
    inverse_dynamics_derivatives<double>(c.tree, c.motion(), c.w, tau, by_q, by_v);
    using test::Dual;
    const std::vector<Dual> a(c.a.begin(), c.a.end());
    for (std::size_t k = 0; k < n; ++k) {
      std::vector<Dual> v(c.v.begin(), c.v.end());
      const std::vector<Dual> column_q =
          test::plain_inverse_dynamics(c.input, test::seeded(c.tree, c.q, static_cast<std::int32_t>(k)), v, a, c.applied, gravity);
      v[k].d = 1;
      const std::vector<Dual> column_v =
          test::plain_inverse_dynamics(c.input, std::vector<Dual>(c.q.begin(), c.q.end()), v, a, c.applied, gravity);
      for (std::size_t j = 0; j < n; ++j) plain_q[j * n + k] = column_q[j].d, plain_v[j * n + k] = column_v[j].d;
    }
    EXPECT_LT(test::distance(by_q, plain_q), 1e-12 * (1 + test::largest(plain_q))) << c.tree.links();
    EXPECT_LT(test::distance(by_v, plain_v), 1e-12 * (1 + test::largest(plain_v))) << c.tree.links();
  });
}

TEST(DynamicsTest, SparseVelocityDerivativesAreTheDenseOnesOfTheBias) {
  for_each_tree(5, [](Case& c) {
    const std::size_t n = c.nv(), entries = static_cast<std::size_t>(c.tree.entries());
    std::vector<double> tau(n), by_q(n * n), by_v(n * n), lower(entries), upper(entries), dense(n * n, 0.0);
    inverse_dynamics_derivatives<double>(c.tree, c.motion(), c.w, tau, by_q, by_v);
    bias_velocity_derivatives<double>(c.tree, c.motion(), c.w, lower, upper);
    for (std::int32_t k = 0; k < c.tree.dofs(); ++k) {
      auto e = static_cast<std::size_t>(c.tree.row_start(k));
      for (const std::int32_t j : c.tree.row(k)) {
        dense[static_cast<std::size_t>(k) * n + static_cast<std::size_t>(j)] = lower[e];
        dense[static_cast<std::size_t>(j) * n + static_cast<std::size_t>(k)] = upper[e++];
      }
    }
    EXPECT_EQ(dense, by_v);
  });
}

/// Accelerations at q (+) dq and v + dv.
std::vector<double> accelerations(Case& c, const std::vector<double>& dq, const std::vector<double>& dv) {
  std::vector<double> q = c.q, v = c.v, a(c.nv());
  integrate<double>(c.tree, q, dq, 1.0, 1, q);
  for (std::size_t k = 0; k < v.size(); ++k) v[k] += dv[k];
  Workspace<double> w(c.tree);
  update_kinematics<double>(c.tree, q, w);
  update_velocities<double>(c.tree, v, w);
  forward_dynamics<double>(c.tree, Motion<double>{v, {}, c.applied, gravity}, c.tau, w, a);
  return a;
}

/// Largest difference between the derivatives and central differences on the manifold.
double worst_against_differences(Case& c, const std::vector<double>& by_q, const std::vector<double>& by_v) {
  constexpr double h = 1e-5;
  const std::size_t m = c.nv();
  const std::vector<double> zero(m, 0.0);
  double worst = 0;
  for (std::size_t k = 0; k < m; ++k) {
    std::vector<double> up(m, 0.0), down(m, 0.0);
    up[k] = h, down[k] = -h;
    const std::vector<double> q_up = accelerations(c, up, zero), q_down = accelerations(c, down, zero);
    const std::vector<double> v_up = accelerations(c, zero, up), v_down = accelerations(c, zero, down);
    for (std::size_t j = 0; j < m; ++j) {
      worst = std::max(worst, std::fabs((q_up[j] - q_down[j]) / (2 * h) - by_q[j * m + k]));
      worst = std::max(worst, std::fabs((v_up[j] - v_down[j]) / (2 * h) - by_v[j * m + k]));
    }
  }
  return worst;
}

TEST(DynamicsTest, ForwardDerivativesMeetCentralDifferencesOnTheManifold) {
  test::Random random(6);
  for (const int n : {1, 3, 7, 12}) {
    for (const bool free_base : {false, true}) {
      if (free_base && n < 2) continue;
      Case c(random, {.links = n, .free_base = free_base});
      const std::size_t m = c.nv();
      std::vector<double> a(m), by_q(m * m), by_v(m * m), by_tau(m * m), zero(m, 0.0);
      ASSERT_EQ(forward_dynamics_derivatives<double>(c.tree, c.motion(), c.tau, c.w, {a, by_q, by_v, by_tau}), 0);
      EXPECT_LT(test::distance(a, accelerations(c, zero, zero)), 1e-10 * (1 + test::largest(a)));
      const double scale = 1 + test::largest(by_q) + test::largest(by_v);
      EXPECT_LT(worst_against_differences(c, by_q, by_v), 1e-6 * scale) << n << " " << free_base;
    }
  }
}

}  // namespace
}  // namespace trilith::multibody
