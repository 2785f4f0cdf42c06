#include "certify/curve.h"

#include <gtest/gtest.h>

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
    EXPECT_NEAR(curve.rise, sagitta, .01 * sagitta);
    EXPECT_NEAR(curve.lean, std::tan(turn / 2), .01 * turn);
  }
  EXPECT_EQ(curved, 16);  // two triangles for each of the 8 facets
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

TEST(CurveTest, TheNormalMustBeThatOfAFacet) {
  Structure s = arcs();
  s.patches[0].normal = {s.patches[0].normal.x + .02, 0, s.patches[0].normal.z};
  EXPECT_FALSE(misplaced(s).empty());
}

}  // namespace
}  // namespace trilith::test
