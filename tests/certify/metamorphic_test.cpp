#include <gtest/gtest.h>

#include "certify/structures.h"
#include "certify/verify.h"

/// What must not change a verdict: axes, place, size, mass, handedness. And the two verifiers never contradict each other.
namespace trilith::test {
namespace {

using certify::Verification;
using certify::VerifySettings;

struct Case {
  const char* name;
  Structure structure;
  bool is_collapse, holds;
};

std::vector<Case> cases() {
  return {
      {"block", block_on_ground(), false, true},
      {"slope below", block_on_slope(.84 * (1 - 1e-9), .84), false, true},
      {"slope above", block_on_slope(.84 * (1 + 1e-9), .84), false, false},
      {"wall", wall(3, 4), false, true},
      {"row", pressed_row(5, 8, .6), false, true},
      {"row without friction", pressed_row(5, 8, .3), false, false},
      {"floating", floating_block(), true, true},
      {"edge", block_over_edge(.4999), true, true},
      {"beyond the edge", block_over_edge(.5001), true, false},
      {"slide", sliding_block(.841, .84), true, true},
      {"slide uphill", sliding_block(.839, .84), true, false},
  };
}

void expect_same(Structure s, const Case& given, const char* change) {
  const auto problem = s.problem();
  for (const bool exactly : {false, true}) {
    Verification v;
    if (given.is_collapse) v = exactly ? verify_collapse_exact(problem, s.velocities, {}) : verify_collapse(problem, s.velocities, {});
    if (!given.is_collapse) v = exactly ? verify_force_state_exact(problem, s.forces, {}) : verify_force_state(problem, s.forces, {});
    EXPECT_EQ(v.accepted, given.holds) << given.name << ", " << change << (exactly ? ", exact: " : ", double: ") << v.statement;
  }
}

TEST(MetamorphicTest, VerdictDoesNotChange) {
  Random random(3);
  for (const Case& c : cases()) {
    const Structure& s = c.structure;
    expect_same(s, c, "as it is");
    for (int i = 0; i < 5; ++i) expect_same(rotated(s, random_rotation(random)), c, "rotated");
    for (const double far : {1e3, 1e6}) expect_same(translated(s, {far, -2 * far, far}), c, "translated");
    for (const double factor : {1e-3, 1e3}) expect_same(resized(s, factor), c, "resized");
    expect_same(heavier(s, 10), c, "heavier");
    expect_same(mirrored(s), c, "mirrored");
    expect_same(mirrored(translated(rotated(resized(s, 1e3), random_rotation(random)), {1e6, 1e6, -1e6})), c, "everything");
  }
}

TEST(MetamorphicTest, ExactResidualHasNoUnit) {
  Structure s = pressed_row(5, 8, .6);
  s.forces[7].x += 1e-5;
  const double residual = verify_force_state_exact(s.problem(), s.forces, {}).residual;
  EXPECT_GT(residual, 1e-11);
  // powers of two keep every bit
  Structure large = resized(s, 1024), dense = heavier(s, 32), mirror = mirrored(s), far = translated(s, {1 << 20, -(1 << 20), 1 << 20});
  for (Structure* t : {&large, &dense, &mirror, &far}) EXPECT_EQ(verify_force_state_exact(t->problem(), t->forces, {}).residual, residual);
  Structure turned = s;
  const auto cycle = [](const V& p) { return V{p.y, p.z, p.x}; };
  map_all(turned, cycle, cycle);
  EXPECT_EQ(verify_force_state_exact(turned.problem(), turned.forces, {}).residual, residual);
}

/// Random boxes in random attitudes, random polygons between random pairs, random forces and motions: balance is not asked for, the gates
/// move.
Structure random_structure(Random& random) {
  Structure s;
  const auto bodies = 2 + random.index(4);
  for (std::uint64_t i = 0; i < bodies; ++i) {
    Structure one;
    const V half{random.scale(.1, 3), random.scale(.1, 3), random.scale(.1, 3)};
    one.add_box(name("b", int(i)), scaled(-1, half), half, i == 0);
    one.bodies[0].density = random.scale(1, 1e4);
    one = translated(rotated(one, random_rotation(random)), scaled(3, random.gauss_vector()));
    s.bodies.push_back(one.bodies[0]);
    s.velocities.push_back(i == 0 ? certify::Velocity{} : certify::Velocity{random.gauss_vector(), random.gauss_vector()});
  }
  const auto patches = 1 + random.index(6);
  for (std::uint64_t i = 0; i < patches; ++i) {
    const auto a = std::uint32_t(random.index(bodies)), b = std::uint32_t((a + 1 + random.index(bodies - 1)) % bodies);
    PatchData patch{a, b, {}, scaled(random.scale(.1, 10), random.direction()), random.coin() ? random.scale(1e-3, 2) : .84};
    if (random.index(8) == 0) patch.mu = 0;
    const double length = std::sqrt(inner(patch.normal, patch.normal));
    for (int k = 0; k < 3; ++k) {
      patch.polygon.push_back(scaled(2, random.gauss_vector()));
      const V side = outer(patch.normal, random.direction());
      // anywhere from well inside the cone to its very edge
      const double pressure = random.scale(1, 1e4), share = random.coin() ? random.uniform(0, 1) : 1 - random.scale(1e-17, 1e-3);
      const double slip = patch.mu * pressure * share / std::max(1e-9, std::sqrt(inner(side, side)));
      s.forces.push_back(add(scaled(pressure / length, patch.normal), scaled(slip, side)));
    }
    s.patches.push_back(std::move(patch));
  }
  return translated(s, scaled(random.scale(1, 1e6), random.direction()));
}

TEST(AgreementTest, DoubleNeverCertifiesAForceStateThatTheExactOneRefuses) {
  Random random(2024);
  int both = 0, only_exact = 0, neither = 0, certain = 0;
  for (int i = 0; i < 1000; ++i) {
    Structure s = random_structure(random);
    const auto problem = s.problem();
    VerifySettings open;
    open.balance_tolerance = open.own_tolerance = 1e300;
    const double residual = verify_force_state_exact(problem, s.forces, open).residual;
    // the gate at the residual itself, a hair beside it and far from it
    for (const double offset : {-1e-3, -1e-15, 0.0, 1e-12, 1e-3}) {
      VerifySettings settings;
      settings.balance_tolerance = residual * (1 + offset);
      settings.own_tolerance = 1e300;
      const bool exactly = verify_force_state_exact(problem, s.forces, settings).accepted;
      const Verification v = verify_force_state(problem, s.forces, settings);
      EXPECT_FALSE(v.accepted && !exactly) << "case " << i << " offset " << offset;
      both += v.accepted && exactly;
      only_exact += exactly && !v.accepted;
      neither += !exactly;
    }
    // the bound holds and is sharp: far less than the gate 1e-8
    const Verification bounded = verify_force_state(problem, s.forces, open);
    EXPECT_GE(bounded.residual, residual * (1 - 1e-15));
    EXPECT_LE(bounded.residual, residual * (1 + 1e-9));
    certain += bounded.accepted;
  }
  EXPECT_GT(both, 500);
  EXPECT_GT(only_exact, 100);
  EXPECT_GT(neither, 1000);
  EXPECT_GT(certain, 200);
}

TEST(AgreementTest, DoubleNeverCertifiesACollapseThatTheExactOneRefuses) {
  Random random(77);
  int both = 0, only_exact = 0, neither = 0;
  for (int i = 0; i < 1000; ++i) {
    Structure s = random_structure(random);
    // turn the motion so that gravity does work
    V momentum{};
    for (std::size_t b = 1; b < s.bodies.size(); ++b) momentum = add(momentum, scaled(s.bodies[b].density, s.velocities[b].linear));
    if (inner(momentum, s.gravity) < 0)
      for (certify::Velocity& v : s.velocities) v = {scaled(-1, v.linear), scaled(-1, v.angular)};
    const auto problem = s.problem();
    VerifySettings open;
    open.least_force_factor = 1e-300;
    const Verification exact = verify_collapse_exact(problem, s.velocities, open), bounded = verify_collapse(problem, s.velocities, open);
    EXPECT_FALSE(bounded.accepted && !exact.accepted);
    if (!exact.accepted) continue;
    EXPECT_LE(bounded.force_factor, exact.force_factor * (1 + 1e-15));
    if (std::isinf(exact.force_factor)) continue;
    if (bounded.accepted) {
      EXPECT_GE(bounded.force_factor, exact.force_factor * (1 - 1e-6));
    }
    for (const double offset : {-1e-3, -1e-15, 0.0, 1e-12, 1e-3}) {
      VerifySettings settings;
      settings.least_force_factor = exact.force_factor * (1 + offset);
      const bool exactly = verify_collapse_exact(problem, s.velocities, settings).accepted;
      const bool doubled = verify_collapse(problem, s.velocities, settings).accepted;
      EXPECT_FALSE(doubled && !exactly) << "case " << i << " offset " << offset;
      both += doubled && exactly;
      only_exact += exactly && !doubled;
      neither += !exactly;
    }
  }
  EXPECT_GT(both, 500);
  EXPECT_GT(only_exact, 20);
  EXPECT_GT(neither, 500);
}

TEST(AgreementTest, BoundsHoldWhereEverythingCancels) {
  // balanced but for rounding: what is left is rounding of the structure itself, and the double sums are off by as much
  Random random(31);
  for (int i = 0; i < 300; ++i) {
    const double press = random.scale(8, 1e4);
    Structure s = translated(rotated(pressed_row(4, press, .9), random_rotation(random)), scaled(random.scale(1, 1e5), random.direction()));
    const double exact = verify_force_state_exact(s.problem(), s.forces, {}).residual;
    const double bounded = verify_force_state(s.problem(), s.forces, {}).residual;
    EXPECT_GE(bounded, exact * (1 - 1e-14)) << i;
    EXPECT_LE(bounded, exact + 1e-13 * press) << i;
  }
}

TEST(AgreementTest, ViolationBoundHoldsOnTheEdgeOfTheDualCone) {
  Random random(32);
  for (int i = 0; i < 500; ++i) {
    Structure s = random.coin() ? sliding_block(.9, .84) : block_over_edge(.25);
    if (s.velocities[1].angular.y == 0) s.velocities[1].linear.z = .84;
    s = translated(rotated(s, random_rotation(random)), scaled(random.scale(1, 1e5), random.direction()));
    s.velocities[1].linear = add(s.velocities[1].linear, scaled(random.scale(1e-20, 1e-14), random.gauss_vector()));
    VerifySettings open;
    open.least_force_factor = 1e-300;
    const Verification exact = verify_collapse_exact(s.problem(), s.velocities, open),
                       bounded = verify_collapse(s.problem(), s.velocities, open);
    EXPECT_TRUE(exact.accepted && bounded.accepted);
    EXPECT_LE(bounded.force_factor, exact.force_factor) << i;
    EXPECT_GE(bounded.force_factor, std::min(exact.force_factor / 2, 1e9)) << i;
  }
}

TEST(AgreementTest, MassAndCentreOfAThinBodyAreKnownToTheirBounds) {
  Random random(35);
  for (int i = 0; i < 1000; ++i) {
    // volume and first moments of a thin tetrahedron cancel; a third of its weight at each corner of its base leaves little more than
    // rounding
    Structure s;
    s.add_box("ground", {-9, -9, -9}, {9, 9, 9}, true);
    BodyData thin{"thin"};
    const V a = random.gauss_vector(), b = random.gauss_vector(), c = random.gauss_vector(), n = outer(sub(b, a), sub(c, a));
    const double thickness = random.scale(1e-9, 1e-6);
    thin.vertices = {a, b, c, add(scaled(1. / 3, add(a, add(b, c))), scaled(thickness, n))};
    thin.face_start = {0, 3, 6, 9, 12};
    thin.face_vertex = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    s.bodies.push_back(thin);
    s.patches.push_back({0, 1, {a, b, c}, scaled(-1, s.gravity)});
    s.forces.assign(3, scaled(-thin.density * thickness * inner(n, n) / 18, s.gravity));
    const double exact = verify_force_state_exact(s.problem(), s.forces, {}).residual;
    const double bounded = verify_force_state(s.problem(), s.forces, {}).residual;
    EXPECT_GE(bounded, exact * (1 - 1e-12)) << i;
  }
}

TEST(AgreementTest, SignOfTheWorkIsCertain) {
  Random random(33);
  int works = 0, does_not = 0;
  for (int i = 0; i < 1000; ++i) {
    Structure s = rotated(floating_block(), random_rotation(random));
    s.add_box("second", {5, 5, 5}, {6, 6, 6});
    // moves across gravity, but for rounding
    for (std::size_t b = 1; b < 3; ++b) s.velocities[b].linear = outer(s.gravity, random.gauss_vector());
    const bool exact = verify_collapse_exact(s.problem(), s.velocities, {}).accepted;
    const bool bounded = verify_collapse(s.problem(), s.velocities, {}).accepted;
    EXPECT_FALSE(bounded && !exact) << i;
    works += exact;
    does_not += !exact;
  }
  EXPECT_GT(works, 300);
  EXPECT_GT(does_not, 300);
}

TEST(AgreementTest, SignOfAThinVolumeIsCertain) {
  Random random(34);
  VerifySettings open;
  open.balance_tolerance = open.own_tolerance = 1e300;
  int positive = 0, negative = 0, certain = 0;
  for (int i = 0; i < 2000; ++i) {
    // a tetrahedron whose fourth corner lies in the plane of the others, but for rounding or a little more
    Structure s;
    BodyData thin{"thin"};
    const V a = random.gauss_vector(), b = random.gauss_vector(), c = random.gauss_vector();
    const double u = random.uniform(0, 1), v = random.uniform(0, 1);
    V d = add(a, add(scaled(u, sub(b, a)), scaled(v, sub(c, a))));
    d = add(d, scaled(random.scale(1e-18, 1e-13), random.gauss_vector()));
    thin.vertices = {a, b, c, d};
    thin.face_start = {0, 3, 6, 9, 12};
    thin.face_vertex = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    s.bodies.push_back(thin);
    const bool exact = verify_force_state_exact(s.problem(), {}, open).accepted;
    const bool bounded = verify_force_state(s.problem(), {}, open).accepted;
    EXPECT_FALSE(bounded && !exact) << i;
    positive += exact;
    negative += !exact;
    certain += bounded;
  }
  EXPECT_GT(positive, 500);
  EXPECT_GT(negative, 500);
  EXPECT_GT(certain, 200);
}

TEST(AgreementTest, DoubleNeverCertifiesAForceOutsideTheCone) {
  Random random(9);
  int inside = 0, outside = 0;
  for (int i = 0; i < 4000; ++i) {
    Structure s = block_on_ground();
    s.patches[0].normal = scaled(random.scale(1e-3, 1e3), random.direction());
    s.patches[0].mu = random.scale(1e-9, 1e9);
    s.forces.assign(4, V{});
    const V n = s.patches[0].normal, side = outer(n, random.direction());
    const double slip = s.patches[0].mu * (1 + (random.coin() ? 1 : -1) * random.scale(1e-17, 1e-10));
    s.forces[0] = add(scaled(1 / std::sqrt(inner(n, n)), n), scaled(slip / std::sqrt(inner(side, side)), side));
    VerifySettings open;
    open.balance_tolerance = open.own_tolerance = 1e300;
    const bool exactly = verify_force_state_exact(s.problem(), s.forces, open).accepted;
    const bool doubled = verify_force_state(s.problem(), s.forces, open).accepted;
    EXPECT_FALSE(doubled && !exactly) << i;
    inside += doubled;
    outside += !exactly;
  }
  EXPECT_GT(inside, 300);
  EXPECT_GT(outside, 500);
}

}  // namespace
}  // namespace trilith::test
