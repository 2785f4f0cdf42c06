// Transmissions, passive forces and the matrix of implicit steps against finite differences on one mechanism with all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dynamics/actuation.h"
#include "dynamics/implicit.h"
#include "dynamics/mechanism.h"
#include "dynamics/passive.h"

namespace trilith::dynamics {
namespace {

using test::mechanism;

constexpr double step = 1e-6;

/// The state with degree of freedom `k` moved by `amount`.
State moved(const System& system, const State& state, std::size_t k, double amount) {
  State other = state;
  std::vector<double> direction(state.v.size());
  direction[k] = 1;
  multibody::integrate<double>(system.tree, state.q, direction, amount, 1, other.q);
  return other;
}

/// Central difference of a vector by the degrees of freedom: row k holds d out / d q_k.
template <class F>
std::vector<std::vector<double>> position_differences(const System& system, const State& state, const F& measure) {
  std::vector<std::vector<double>> rows;
  for (std::size_t k = 0; k < state.v.size(); ++k) {
    const std::vector<double> up = measure(moved(system, state, k, step)), down = measure(moved(system, state, k, -step));
    std::vector<double>& row = rows.emplace_back(up.size());
    for (std::size_t i = 0; i < up.size(); ++i) row[i] = (up[i] - down[i]) / (2 * step);
  }
  return rows;
}

double entry(const multibody::SparseRows& pattern, const std::vector<double>& values, std::int32_t row, std::size_t column) {
  const auto columns = pattern.columns(row);
  for (std::size_t e = 0; e < columns.size(); ++e)
    if (columns[e] == static_cast<std::int32_t>(column)) return values[pattern.start(row) + e];
  return 0;
}

class ForcesTest : public ::testing::Test {
 protected:
  ForcesTest() : system_(mechanism().system()), w_(*system_), state_(make_state(*system_->model)) {}
  void update(const State& state) { ASSERT_TRUE(update_smooth(*system_, state, w_)); }

  test::Random random_{11};
  std::shared_ptr<const System> system_;
  Workspace w_;
  State state_;
};

TEST_F(ForcesTest, TendonJacobiansAreTheDerivativesOfTheirLengths) {
  for (int trial = 0; trial < 10; ++trial) {
    test::shake(state_, *system_, random_);
    const auto rows = position_differences(*system_, state_, [&](const State& s) {
      update(s);
      return w_.tendon_length;
    });
    update(state_);
    for (std::int32_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < state_.v.size(); ++k)
        EXPECT_NEAR(entry(system_->tendons.pattern(), w_.tendon_jacobian, i, k), rows[k][static_cast<std::size_t>(i)], 1e-7)
            << i << " " << k;
  }
}

TEST_F(ForcesTest, MomentsAreTheDerivativesOfActuatorLengths) {
  // where a length exists: free joints and sites in the world have none, and a pair of sites leaves out what turns the axes
  for (int trial = 0; trial < 10; ++trial) {
    test::shake(state_, *system_, random_);
    const auto rows = position_differences(*system_, state_, [&](const State& s) {
      update(s);
      return w_.actuator_length;
    });
    update(state_);
    for (const std::int32_t i : {0, 5, 8})
      for (std::size_t k = 0; k < state_.v.size(); ++k)
        EXPECT_NEAR(entry(system_->transmissions.pattern(), w_.moment, i, k), rows[k][static_cast<std::size_t>(i)], 1e-7) << i << " " << k;
  }
}

TEST_F(ForcesTest, AGearOnAFreeJointActsInItsOwnAxes) {
  test::shake(state_, *system_, random_);
  update(state_);
  const Mat3d R = w_.X_WB[1].R;
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_DOUBLE_EQ(entry(system_->transmissions.pattern(), w_.moment, 3, k), static_cast<double>(k + 1));
  const Vec3d in_parent = transpose_times(R, Vec3d{4, 5, 6});
  EXPECT_NEAR(entry(system_->transmissions.pattern(), w_.moment, 4, 3), in_parent.x, 1e-12);
  EXPECT_NEAR(entry(system_->transmissions.pattern(), w_.moment, 4, 5), in_parent.z, 1e-12);
}

TEST_F(ForcesTest, ASiteMomentIsTheWorkOfItsWrench) {
  test::shake(state_, *system_, random_);
  update(state_);
  const Posed X = w_.X_WB[3] * system_->model->sites[2].pose;
  const Twistd v = multibody::velocity_at(w_.motion(*system_), system_->tree.body(3).link, X.p);
  const double power_of_wrench = dot(X.R * Vec3d{1, 0, 2}, v.linear) + dot(X.R * Vec3d{0, 1, 0}, v.angular);
  EXPECT_NEAR(w_.actuator_velocity[6], power_of_wrench, 1e-12);
}

TEST_F(ForcesTest, SpringForcesAreTheSlopeOfTheirEnergy) {
  for (int trial = 0; trial < 5; ++trial) {
    test::shake(state_, *system_, random_);
    std::ranges::fill(state_.v, 0.0);
    const auto rows = position_differences(*system_, state_, [&](const State& s) {
      update(s);
      return std::vector<double>{spring_energy(*system_, s, w_)};
    });
    update(state_);
    for (std::size_t k = 0; k < state_.v.size(); ++k) {
      // the force of a ball spring is k log(R), the gradient of k |log(R)|^2 / 2 up to the turn's Jacobian, which leaves log(R) as it is
      EXPECT_NEAR(w_.passive[k], -rows[k][0], 2e-6) << k;
    }
  }
}

TEST_F(ForcesTest, PassiveForcesOfMotionOnlyTakeEnergy) {
  for (int trial = 0; trial < 20; ++trial) {
    test::shake(state_, *system_, random_);
    State still = state_;
    std::ranges::fill(still.v, 0.0);
    update(still);
    const std::vector<double> springs = w_.passive;
    update(state_);
    double power = 0;
    for (std::size_t k = 0; k < springs.size(); ++k) power += (w_.passive[k] - springs[k]) * state_.v[k];
    EXPECT_LT(power, 0);
  }
}

/// (M - matrix) / h against differences of the forces by v, at every place of the pattern.
void check_implicit(const System& system, const State& state, bool bias_of_all) {
  Workspace w(system);
  const auto forces = [&](const State& s) {
    EXPECT_TRUE(update_smooth(system, s, w));
    std::vector<double> sum(s.v.size());
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = w.passive[k] + w.actuator_torque[k] - (bias_of_all ? w.bias[k] : 0);
    return sum;
  };
  std::vector<std::vector<double>> rows;
  for (std::size_t k = 0; k < state.v.size(); ++k) {
    State up = state, down = state;
    up.v[k] += step, down.v[k] -= step;
    const std::vector<double> a = forces(up), b = forces(down);
    std::vector<double>& row = rows.emplace_back(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) row[i] = (a[i] - b[i]) / (2 * step);
  }
  (void)forces(state);
  update_implicit_matrix(system, state, bias_of_all, w);
  const double* M = w.tree.view().mass_matrix;
  for (std::int32_t k = 0; k < system.nv(); ++k) {
    const auto chain = system.tree.row(k);
    for (std::size_t e = 0; e < chain.size(); ++e) {
      const std::size_t at = static_cast<std::size_t>(system.tree.row_start(k)) + e, i = static_cast<std::size_t>(k),
                        j = static_cast<std::size_t>(chain[e]);
      EXPECT_NEAR((M[at] - w.lower[at]) / system.options.timestep, rows[j][i], 3e-7 * (1 + std::abs(rows[j][i]))) << i << " " << j;
      if (i == j) continue;
      EXPECT_NEAR((M[at] - w.upper[at]) / system.options.timestep, rows[i][j], 3e-7 * (1 + std::abs(rows[i][j]))) << j << " " << i;
    }
  }
}

TEST_F(ForcesTest, TheImplicitMatrixHasTheSlopesOfTheForces) {
  for (const bool medium : {false, true}) {
    test::ModelSketch sketch = mechanism();
    sketch.options().integrator = model::Integrator::implicit;
    sketch.options().timestep = 0.01;
    if (medium) sketch.options().medium_density = 40, sketch.options().medium_viscosity = 0.7, sketch.options().wind = {1, 2, 0};
    const auto system = sketch.system();
    State state = make_state(*system->model);
    test::shake(state, *system, random_);
    check_implicit(*system, state, true);
    check_implicit(*system, state, false);
  }
}

TEST_F(ForcesTest, AFreeBodyHasItsGyroscopicSlopesInTheFastMethodToo) {
  test::ModelSketch sketch = test::free_body();
  sketch.options().integrator = model::Integrator::implicit_fast;
  sketch.options().timestep = 0.01;
  const auto system = sketch.system();
  ASSERT_EQ(system->free_bodies.size(), 1U);
  State state = make_state(*system->model);
  state.q[3] = 0.5, state.q[4] = state.q[5] = 0.5, state.q[6] = -0.5;
  state.v = {0.3, -0.2, 1, 4, -2, 3};
  Workspace slow(*system), fast(*system);
  ASSERT_TRUE(update_smooth(*system, state, slow) && update_smooth(*system, state, fast));
  update_implicit_matrix(*system, state, true, slow);
  update_implicit_matrix(*system, state, false, fast);
  for (std::size_t e = 0; e < slow.lower.size(); ++e) {
    EXPECT_NEAR(slow.lower[e], fast.lower[e], 1e-14);
  }
  for (std::int32_t k = 0; k < 6; ++k)
    for (std::size_t e = 0; e + 1 < system->tree.row(k).size(); ++e) {
      const std::size_t at = static_cast<std::size_t>(system->tree.row_start(k)) + e;
      EXPECT_NEAR(slow.upper[at], fast.upper[at], 1e-14);
    }
}

TEST_F(ForcesTest, GravityCompensationHoldsTheWholeWeight) {
  test::ModelSketch sketch = mechanism();
  for (std::size_t b = 1; b < sketch.input().bodies.size(); ++b) sketch.input().bodies[b].gravity_compensation = 1;
  for (model::Joint& joint : sketch.input().joints) joint.stiffness = joint.damping = 0;
  sketch.input().joints[2].actuator_gravity_compensation = true;
  sketch.input().tendons.clear();
  sketch.input().actuators.clear();
  const auto system = sketch.system();
  Simulator simulator(system);
  test::shake(simulator.state(), *system, random_);
  std::ranges::fill(simulator.state().v, 0.0);
  (void)simulator.update();
  // without an actuator that carries it the share of that joint is missing
  const Workspace& w = simulator.workspace();
  for (std::size_t k = 0; k < w.a.size(); ++k) EXPECT_NEAR(w.gravity_compensation[k], w.bias[k], 1e-12);
  EXPECT_EQ(w.passive[9], 0);
  EXPECT_NE(w.gravity_compensation[9], 0);
}

TEST_F(ForcesTest, TendonArmatureAddsItsKineticEnergyAndKeepsIt) {
  test::ModelSketch sketch;
  sketch.options().gravity = {};
  sketch.options().integrator = model::Integrator::rk4;
  sketch.options().timestep = 1e-3;
  sketch.add_body(0, identity_pose<double>(), test::some_inertia(1, {0.2, 0, 0}));
  sketch.add_joint(model::JointKind::hinge, {0, 1, 0});
  sketch.add_body(1, {identity3<double>(), {0.4, 0, 0}}, test::some_inertia(1, {0.2, 0, 0}));
  sketch.add_joint(model::JointKind::hinge, {0, 1, 0});
  sketch.add_site("ground", 0, {0, 0.1, 0.5});
  sketch.add_site("tip", 2, {0.3, 0, 0.05});
  model::Tendon tendon;
  tendon.name = "cable";
  tendon.armature = 2;
  tendon.path = {{model::PathPoint::Kind::site, test::named("ground"), {}, 1}, {model::PathPoint::Kind::site, test::named("tip"), {}, 1}};
  sketch.input().tendons = {tendon};
  Simulator simulator(sketch.system());
  simulator.state().v = {1, -2};
  (void)simulator.update();
  const double start = kinetic_energy(simulator.system(), simulator.state(), simulator.workspace());
  test::run_steps(simulator, 1000);
  (void)simulator.update();
  EXPECT_NEAR(kinetic_energy(simulator.system(), simulator.state(), simulator.workspace()), start, 1e-8 * start);
}

}  // namespace
}  // namespace trilith::dynamics
