#include "certify/curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "certify/structures.h"

/// Facets of a curve are known to what the curve stands off them. (GEO-12)
namespace trilith::test {
namespace {

/// Prism of a profile in x-z (counter-clockwise seen from -y), 1 deep.
BodyData prism_of(const std::string& id, const std::vector<V>& profile, bool fixed) {
  BodyData body{id, fixed};
  const auto n = std::uint32_t(profile.size());
  for (const double y : {0.0, 1.0})
    for (const V& p : profile) body.vertices.push_back({p.x, y, p.z});
  const auto face = [&body](const std::vector<std::uint32_t>& corners) {
    body.face_vertex.insert(body.face_vertex.end(), corners.begin(), corners.end());
    body.face_start.push_back(std::uint32_t(body.face_vertex.size()));
  };
  std::vector<std::uint32_t> front, back;
  for (std::uint32_t i = 0; i < n; ++i) {
    front.push_back(i);
    back.push_back(2 * n - 1 - i);
  }
  face(front);
  face(back);
  for (std::uint32_t i = 0; i < n; ++i) face({(i + 1) % n, i, n + i, n + (i + 1) % n});
  return body;
}

constexpr double half = .6;

V on_arc(int i, int count, double radius = 1) {
  const double angle = -half + 2 * half * i / count;
  return {radius * std::sin(angle), 0, radius * std::cos(angle)};
}

/// A bulging block of 8 facets under a hollow one of 13, and a patch on facet 3 of the lower one, lifted by `lift`.
Structure arcs(double lift = 0, bool upper_is_plane = false) {
  Structure s;
  std::vector<V> lower{on_arc(8, 8)}, upper;
  lower.insert(lower.begin(), {{on_arc(0, 8).x, 0, 0}, {on_arc(8, 8).x, 0, 0}});
  for (int i = 7; i >= 0; --i) lower.push_back(on_arc(i, 8));
  s.bodies.push_back(prism_of("lower", lower, true));
  if (upper_is_plane) {
    s.add_box("upper", {-1, 0, on_arc(3, 8).z}, {1, 1, 3});
  } else {
    for (int i = 0; i <= 13; ++i) upper.push_back(on_arc(i, 13));
    upper.push_back({on_arc(13, 13).x, 0, 2});
    upper.push_back({on_arc(0, 13).x, 0, 2});
    s.bodies.push_back(prism_of("upper", upper, false));
  }
  const V a = on_arc(3, 8), b = on_arc(4, 8);
  const double length = std::hypot(b.x - a.x, b.z - a.z);
  const V normal{-(b.z - a.z) / length, 0, (b.x - a.x) / length};
  const auto at = [&](const V& p, double y) { return V{p.x + lift * normal.x, y, p.z + lift * normal.z}; };
  s.patches = {{0, 1, {at(a, 0), at(b, 0), at(b, 1), at(a, 1)}, normal}};
  return s;
}

std::vector<certify::Broken> misplaced(Structure s) { return certify::find_misplaced_patches(s.problem(), certify::VerifySettings{}); }

TEST(CurveTest, FacetOfAnArcKnowsItsSagittaAndItsTurn) {
  Structure s = arcs();
  const auto problem = s.problem();
  const double turn = 2 * half / 8, sagitta = 1 - std::cos(turn / 2);
  int curved = 0;
  for (const certify::Curve& curve : certify::measure_curves(problem.bodies[0], 1.2, {})) {
    if (!(curve.lean > 0)) continue;
    ++curved;
    EXPECT_NEAR(curve.high, sagitta, .01 * sagitta);  // the lower body bulges
    EXPECT_NEAR(curve.low, 0, 1e-12);
    EXPECT_NEAR(curve.lean, std::tan(turn / 2), .01 * turn);
  }
  EXPECT_EQ(curved, 16);  // two triangles for each of the 8 facets
  for (const certify::Curve& curve : certify::measure_curves(problem.bodies[1], 1.2, {})) {
    EXPECT_LE(curve.high, 1e-12);
    if (curve.lean > 0) {
      EXPECT_NEAR(curve.low, std::cos(half / 13) - 1, .01 * sagitta);  // the upper one is hollow
    }
  }
}

TEST(CurveTest, BoxesHaveNoCurve) {
  Structure s = stack_of_two();
  for (const certify::Curve& curve : certify::measure_curves(s.problem().bodies[1], 1, {})) EXPECT_EQ(curve.lean, 0);
}

TEST(CurveTest, PatchOnOneMeshOfACurveLiesOnTheOther) {
  EXPECT_TRUE(misplaced(arcs()).empty()) << misplaced(arcs())[0].what;
  Random random(3);
  for (const double size : {1e-3, 1e3}) {
    const Structure moved = translated(rotated(resized(arcs(), size), random_rotation(random)), scaled(size, {1e5, -1e5, 2e5}));
    EXPECT_TRUE(misplaced(moved).empty());
  }
}

TEST(CurveTest, PatchOffBothMeshesIsRefused) {
  const double hidden = 2 - std::cos(half / 8) - std::cos(half / 13);
  EXPECT_FALSE(misplaced(arcs(4 * hidden)).empty());
  EXPECT_FALSE(misplaced(arcs(-4 * hidden)).empty());
}

TEST(CurveTest, APlaneFaceAgainstACurveHasNoRoom) {
  // the far corners of the facet are .02 below the plane
  EXPECT_FALSE(misplaced(arcs(0, true)).empty());
}

/// The prism of a profile from x = -1 to 1 that lies below (or above) the curve z = height(x), cut into `count` facets.
template <class F>
BodyData under(const F& height, int count, bool above) {
  std::vector<V> corners;
  for (int i = 0; i <= count; ++i) {
    const double x = -1 + 2. * i / count;
    corners.push_back({x, 0, height(x)});
  }
  if (!above) std::reverse(corners.begin(), corners.end());
  corners.push_back({above ? 1. : -1., 0, above ? 2. : -2.});
  corners.push_back({above ? -1. : 1., 0, above ? 2. : -2.});
  return prism_of(above ? "above" : "below", corners, !above);
}

/// One patch on each of the `count` facets of the curve from `first` on.
template <class F>
Structure joint(const F& lower, int count, const F& upper, int other, int first, int last) {
  Structure s;
  s.bodies = {under(lower, count, false), under(upper, other, true)};
  for (int i = first; i < last; ++i) {
    const double x0 = -1 + 2. * i / count, x1 = -1 + 2. * (i + 1) / count, z0 = lower(x0), z1 = lower(x1);
    const double length = std::hypot(x1 - x0, z1 - z0);
    s.patches.push_back({0, 1, {{x0, 0, z0}, {x1, 0, z1}, {x1, 1, z1}, {x0, 1, z0}}, {(z0 - z1) / length, 0, (x1 - x0) / length}});
  }
  return s;
}

TEST(CurveTest, TwoDrumsThatMeetOnALineShareNoFacet) {
  using Height = double (*)(double);
  const Height bulge = [](double x) { return -.25 * x * x; }, hollow = [](double x) { return .25 * x * x; };
  // the middle facet of the lower one is .0031 below the line in which the drums meet
  EXPECT_FALSE(misplaced(joint(bulge, 9, hollow, 8, 4, 5)).empty());
  EXPECT_FALSE(misplaced(joint(hollow, 9, bulge, 8, 4, 5)).empty());  // two hollows that meet nowhere there
  EXPECT_TRUE(misplaced(joint(bulge, 9, bulge, 8, 4, 5)).empty());
  EXPECT_TRUE(misplaced(joint(hollow, 9, hollow, 8, 4, 5)).empty());
}

TEST(CurveTest, AWaveIsOneCurveAlsoWhereItTurns) {
  using Height = double (*)(double);
  const Height wave = [](double x) { return .06 * std::sin(6 * x); };
  for (const auto& [count, other] : {std::pair{16, 21}, {21, 16}, {15, 40}, {40, 17}, {30, 31}})
    EXPECT_TRUE(misplaced(joint(wave, count, wave, other, 0, count)).empty()) << count << " " << other;
}

TEST(CurveTest, TheNormalMustBeThatOfAFacet) {
  Structure s = arcs();
  s.patches[0].normal = {s.patches[0].normal.x + .02, 0, s.patches[0].normal.z};
  EXPECT_FALSE(misplaced(s).empty());
}

}  // namespace
}  // namespace trilith::test
