// What `respond` is for the rows of the engine: the three-zone contact law, friction loss, latched friction, augmented Lagrangian forms.
#include <gtest/gtest.h>

#include "cones/box.h"
#include "cones/disc.h"
#include "cones/elliptic.h"
#include "cones/nonnegative.h"
#include "support/random.h"

namespace trilith::test {
namespace {

using cones::Block;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Cost, force and Hessian of an elliptic contact as the dynamics specification writes them, in extended precision.
template <int D>
struct ThreeZones {
  enum class Zone { top, middle, bottom };
  Zone zone;
  long double cost = 0, force[D] = {}, hessian[D][D] = {};

  /// `Dn`: 1 / R of the normal row, `impratio`: R0 / R1.
  ThreeZones(const Block<double, D>& x, const Block<double, D - 1>& friction, long double Dn, long double impratio) {
    const long double mu = friction[0] / std::sqrt(impratio);
    long double U[D], weight[D], T = 0;
    weight[0] = Dn;
    U[0] = mu * x[0];
    for (int j = 1; j < D; ++j) {
      const long double mu_j = friction[j - 1];
      U[j] = mu_j * x[j];
      weight[j] = Dn * impratio * (mu_j * mu_j) / (static_cast<long double>(friction[0]) * friction[0]);
      T += U[j] * U[j];
    }
    T = std::sqrt(T);
    const long double N = U[0];
    zone = N >= mu * T ? Zone::top : mu * N + T <= 0 ? Zone::bottom : Zone::middle;
    if (zone == Zone::bottom)
      for (int j = 0; j < D; ++j) {
        cost += weight[j] * x[j] * x[j] / 2;
        force[j] = -weight[j] * x[j];
        hessian[j][j] = weight[j];
      }
    if (zone == Zone::middle) fill_middle(U, mu, N, T, friction, Dn);
  }

 private:
  void fill_middle(const long double (&U)[D], long double mu, long double N, long double T, const Block<double, D - 1>& friction,
                   long double Dn) {
    const long double Dm = Dn / (mu * mu * (1 + mu * mu)), gap = N - mu * T;
    cost = Dm * gap * gap / 2;
    force[0] = -Dm * gap * mu;
    const auto scale = [&](int j) { return j == 0 ? mu : static_cast<long double>(friction[j - 1]); };
    for (int j = 1; j < D; ++j) force[j] = -(force[0] / T) * U[j] * scale(j);
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) {
        long double h = i == 0 && j == 0 ? 1 : 0;
        if (i == 0 && j > 0) h = -mu * U[j] / T;
        if (j == 0 && i > 0) h = -mu * U[i] / T;
        if (i > 0 && j > 0) h = mu * N / T * (U[i] / T) * (U[j] / T) + (i == j ? mu * mu - mu * N / T : 0);
        hessian[i][j] = Dm * scale(i) * h * scale(j);
      }
  }
};

/// Largest differences from the three zones, relative to the stiff values of the same contact: 1/2 sum D x^2, sqrt(D_j sum D x^2), sqrt(D_i
/// D_j).
struct Difference {
  double cost = 0, force = 0, hessian = 0;
  int zones[3] = {};
};

template <int D>
Difference compare_with_three_zones(bool closed_form) {
  Random random(static_cast<std::uint64_t>(50 + D));
  Difference worst;
  for (int k = 0; k < 20000; ++k) {
    cones::Elliptic<double, D> set;
    for (int j = 0; j + 1 < D; ++j) set.mu[j] = j < 2 ? random.scale(0.1, 2) : random.scale(1e-3, 1e-1);
    const double Dn = random.scale(1, 1e6), impratio = random.scale(0.1, 100), R0 = 1 / Dn, R1 = R0 / impratio;
    const Block<double, D> R = contact_weights(set.mu, R0, R1), zero = cones::filled<double, D>(0.0);
    Block<double, D> x;
    for (int j = 0; j < D; ++j) x[j] = random.gauss() * (j == 0 ? 3 : std::sqrt(R[j] / R[0]));
    if (random.index(100) == 0)
      for (int j = 1; j < D; ++j) x[j] = 0;

    const ThreeZones<D> expected(x, set.mu, 1 / static_cast<long double>(R0), static_cast<long double>(R0) / R1);
    const auto r = closed_form ? respond_contact(set, x, R0, R1, zero) : respond(set, x, R, zero);
    double stiff = 0;
    for (int j = 0; j < D; ++j) stiff += x[j] * x[j] / R[j];
    worst.cost = std::max(worst.cost, static_cast<double>(std::abs(r.value - expected.cost)) / (0.5 * stiff));
    for (int i = 0; i < D; ++i) {
      worst.force = std::max(worst.force, static_cast<double>(std::abs(r.force[i] - expected.force[i])) * std::sqrt(R[i] / stiff));
      for (int j = 0; j < D; ++j)
        worst.hessian =
            std::max(worst.hessian, static_cast<double>(std::abs(r.hessian.m[i][j] - expected.hessian[i][j])) * std::sqrt(R[i] * R[j]));
    }
    ++worst.zones[static_cast<int>(expected.zone)];
  }
  return worst;
}

template <int D>
void expect_three_zones() {
  const Difference closed = compare_with_three_zones<D>(true), general = compare_with_three_zones<D>(false);
  for (const int count : closed.zones) EXPECT_GT(count, 1000) << "every zone is met";
  EXPECT_LE(closed.cost, 3e-15);
  EXPECT_LE(closed.force, 3e-15);
  EXPECT_LE(closed.hessian, 3e-15);
  // the Newton iteration for any weights
  EXPECT_LE(general.cost, 3e-15);
  EXPECT_LE(general.force, 3e-15);
  EXPECT_LE(general.hessian, 3e-15);
  std::printf("condim %d: closed %.2g %.2g %.2g, general %.2g %.2g %.2g\n", D, closed.cost, closed.force, closed.hessian, general.cost,
              general.force, general.hessian);
}

TEST(ContactResponseTest, IsTheThreeZoneLawForCondim3) { expect_three_zones<3>(); }
TEST(ContactResponseTest, IsTheThreeZoneLawForCondim4) { expect_three_zones<4>(); }
TEST(ContactResponseTest, IsTheThreeZoneLawForCondim6) { expect_three_zones<6>(); }

// A limit or a contact without friction: a one-sided spring.
TEST(RowResponseTest, NonnegativeIsAOneSidedSpring) {
  Random random(60);
  for (int i = 0; i < 2000; ++i) {
    const double R = random.scale(1e-6, 1), x = random.gauss();
    const auto r = respond(cones::Nonnegative<double>{}, {{x}}, {{R}}, {{0.0}});
    EXPECT_NEAR(r.value, x < 0 ? 0.5 * x * x / R : 0, 1e-15 * x * x / R);
    EXPECT_DOUBLE_EQ(r.force[0], x < 0 ? -x / R : 0);
    EXPECT_EQ(r.hessian.m[0][0], x < 0 ? 1 / R : 0);
  }
}

// An equality: a free force, a spring.
TEST(RowResponseTest, FreeForceIsASpring) {
  const auto r = respond(cones::Box<double>{-infinity, infinity}, {{0.25}}, {{0.5}}, {{0.0}});
  EXPECT_EQ(r.value, 0.0625);
  EXPECT_EQ(r.force[0], -0.5);
  EXPECT_EQ(r.hessian.m[0][0], 2);
}

// Friction loss: quadratic within R F, then linear (Huber).
TEST(RowResponseTest, BoxIsHuberFrictionLoss) {
  Random random(61);
  for (int i = 0; i < 5000; ++i) {
    const double R = random.scale(1e-3, 1e2), F = random.scale(1e-3, 1e2), x = R * F * 3 * random.gauss();
    const auto r = respond(cones::Box<double>{-F, F}, {{x}}, {{R}}, {{0.0}});
    const bool sticks = std::abs(x) < R * F;
    const double expected = sticks ? 0.5 * x * x / R : F * std::abs(x) - 0.5 * R * F * F;
    EXPECT_NEAR(r.value, expected, 2e-15 * (std::abs(x) * F + R * F * F));
    EXPECT_NEAR(r.force[0], sticks ? -x / R : std::copysign(F, -x), 1e-15 * F);
    EXPECT_EQ(r.hessian.m[0][0], sticks ? 1 / R : 0);
  }
}

// Friction under a latched normal force: stick 1/2 D T^2, slip rho (T - rho / (2 D)), Hessian D I or (rho/T)(I - t t').
TEST(RowResponseTest, DiscIsLatchedFriction) {
  Random random(62);
  for (int i = 0; i < 5000; ++i) {
    const double stiffness = random.scale(1e-2, 1e3), rho = random.scale(1e-2, 1e2);
    const double size = rho / stiffness * random.scale(0.1, 10), angle = random.uniform(0, 6.28);
    const Block<double, 2> x = {{size * std::cos(angle), size * std::sin(angle)}};
    const double R = 1 / stiffness, T = std::hypot(x[0], x[1]);
    const auto r = respond(cones::Disc<double, 2>{rho}, x, {{R, R}}, {{0.0, 0.0}});
    const bool sticks = stiffness * T <= rho;
    const double scale = rho * T + rho * rho / stiffness;
    EXPECT_NEAR(r.value, sticks ? 0.5 * stiffness * T * T : rho * (T - rho / (2 * stiffness)), 4e-15 * scale);
    for (int a = 0; a < 2; ++a) {
      EXPECT_NEAR(r.force[a], sticks ? -stiffness * x[a] : -rho * x[a] / T, 2e-15 * rho);
      for (int b = 0; b < 2; ++b) {
        const double across = (a == b ? 1 : 0) - x[a] * x[b] / (T * T);
        EXPECT_NEAR(r.hessian.m[a][b], sticks ? (a == b ? stiffness : 0) : rho / T * across, 4e-15 * stiffness);
      }
    }
  }
}

// R = 1/rho, inequality c <= 0 with x = -c: (max(0, lambda + rho c)^2 - lambda^2) / (2 rho). (CONE-16)
TEST(AugmentedLagrangianTest, NonnegativeIsTheInequalityForm) {
  Random random(63);
  for (int i = 0; i < 5000; ++i) {
    const double rho = random.scale(1e-2, 1e2), lambda = random.coin() ? 0 : random.scale(1e-2, 10), c = random.gauss();
    const auto r = respond(cones::Nonnegative<double>{}, {{-c}}, {{1 / rho}}, {{lambda}});
    const double next = std::max(0.0, lambda + rho * c);
    EXPECT_NEAR(r.value, (next * next - lambda * lambda) / (2 * rho), 2e-14 * (lambda * lambda / rho + rho * c * c));
    EXPECT_NEAR(r.force[0], next, 1e-14 * (lambda + rho * std::abs(c)));
  }
}

// Equality: lambda c + rho c^2 / 2, any sign.
TEST(AugmentedLagrangianTest, FreeForceIsTheEqualityForm) {
  Random random(64);
  for (int i = 0; i < 2000; ++i) {
    const double rho = random.scale(1e-2, 1e2), lambda = random.gauss(), c = random.gauss();
    const auto r = respond(cones::Box<double>{-infinity, infinity}, {{-c}}, {{1 / rho}}, {{lambda}});
    EXPECT_NEAR(r.value, lambda * c + 0.5 * rho * c * c, 1e-14 * (std::abs(lambda * c) + rho * c * c));
    EXPECT_NEAR(r.force[0], lambda + rho * c, 1e-14 * (std::abs(lambda) + rho * std::abs(c)));
  }
}

// L1-soft inequality: the multiplier stops at sigma, the cost goes on linearly: sigma c - (sigma - lambda)^2 / (2 rho), Hessian 0.
TEST(AugmentedLagrangianTest, BoundedForceIsTheL1SoftForm) {
  Random random(65);
  int linear = 0;
  for (int i = 0; i < 5000; ++i) {
    const double rho = random.scale(1e-2, 1e2), sigma = random.scale(1e-1, 10), lambda = random.uniform(0, sigma), c = random.gauss();
    const auto r = respond(cones::Box<double>{0, sigma}, {{-c}}, {{1 / rho}}, {{lambda}});
    const double a = lambda + rho * c, scale = lambda * lambda / rho + rho * c * c + sigma * std::abs(c);
    EXPECT_LE(r.force[0], sigma);
    if (a <= sigma) {
      const double next = std::max(0.0, a);
      EXPECT_NEAR(r.value, (next * next - lambda * lambda) / (2 * rho), 1e-13 * scale);
    } else {
      ++linear;
      EXPECT_NEAR(r.value, sigma * c - (sigma - lambda) * (sigma - lambda) / (2 * rho), 1e-13 * scale);
      EXPECT_EQ(r.force[0], sigma);
      EXPECT_EQ(r.hessian.m[0][0], 0);
    }
  }
  EXPECT_GT(linear, 500);
}

// Conic: P = projection of lambda - rho g, (|P|^2 - |lambda|^2) / (2 rho), gradient -P.
TEST(AugmentedLagrangianTest, ConeIsTheConicForm) {
  Random random(66);
  const cones::FrictionCone<double> cone = {1};
  for (int i = 0; i < 5000; ++i) {
    const double rho = random.scale(1e-2, 1e2);
    const Block<double, 3> g = {{random.gauss(), random.gauss(), random.gauss()}};
    const Block<double, 3> lambda = cone.project({{random.gauss(), random.gauss(), random.gauss()}});
    const auto r = respond(cone, g, cones::filled<double, 3>(1 / rho), lambda);
    const Block<double, 3> P = cone.project(lambda - rho * g);
    const double scale = dot(lambda, lambda) / rho + rho * dot(g, g);
    EXPECT_NEAR(r.value, (dot(P, P) - dot(lambda, lambda)) / (2 * rho), 1e-14 * scale);
    EXPECT_LE(norm(r.force - P), 1e-14 * (norm(lambda) + rho * norm(g)));
  }
}

// respond with the polar set is the shifted enforce with the set itself: the two forms of one augmented Lagrangian. (CONE-16)
TEST(AugmentedLagrangianTest, RespondOfTheDualConeIsShiftedEnforce) {
  Random random(67);
  for (int i = 0; i < 5000; ++i) {
    const double rho = random.scale(1e-1, 10), mu = random.scale(0.2, 5);
    const cones::FrictionCone<double> cone = {mu}, dual = {1 / mu};
    const Block<double, 3> g = {{random.gauss(), random.gauss(), random.gauss()}};
    const Block<double, 3> lambda = dual.project({{random.gauss(), random.gauss(), random.gauss()}});
    const auto r = respond(dual, g, cones::filled<double, 3>(1 / rho), lambda);
    const auto e = enforce(cone, g - (1 / rho) * lambda, rho);
    const double scale = dot(lambda, lambda) / rho + rho * dot(g, g);
    EXPECT_NEAR(r.value, e.value - dot(lambda, lambda) / (2 * rho), 1e-13 * scale);
    EXPECT_LE(norm(r.force + e.gradient), 1e-13 * (norm(lambda) + rho * norm(g)));
  }
}

// A large multiplier does not spoil a small change of energy.
TEST(RowResponseTest, ValueKeepsItsDigitsUnderALargeShift) {
  const double lambda = 1e8, x = 1e-6, R = 1;
  const auto r = respond(cones::Box<double>{-infinity, infinity}, {{x}}, {{R}}, {{lambda}});
  EXPECT_NEAR(r.value, -lambda * x + 0.5 * x * x, 1e-13);
}

}  // namespace
}  // namespace trilith::test
