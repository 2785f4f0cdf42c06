#include "cones/pyramid.h"

#include "cones/set_checker.h"

namespace trilith::test {
namespace {

using cones::make_pyramid_faces;
using cones::PyramidFaces;
using cones::PyramidFit;

TEST(PyramidTest, HoldsTheContractOfASet) {
  for (const int count : {3, 4, 8, 13}) {
    PyramidFamily::K = count;
    SetChecker<PyramidFamily>(40, 12000 / count).check_all();
  }
}

TEST(PyramidFacesTest, FourFacesHaveExactCoefficients) {
  const PyramidFaces faces = make_pyramid_faces(4).value();
  const double expected[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(faces.cosine()[k], expected[k][0]);
    EXPECT_EQ(faces.sine()[k], expected[k][1]);
    EXPECT_FALSE(std::signbit(faces.cosine()[k]) && faces.cosine()[k] == 0);
  }
  EXPECT_EQ(faces.half_width(), 1);
  double rows[12];
  write_pyramid_rows(faces, 0.84, rows);
  const double written[12] = {-0.84, 1, 0, -0.84, 0, 1, -0.84, -1, 0, -0.84, 0, -1};
  for (int i = 0; i < 12; ++i) EXPECT_EQ(rows[i], written[i]);
}

TEST(PyramidFacesTest, FacesAreUnitVectorsAtEqualAnglesAndMirrorExactly) {
  for (const int count : {3, 4, 5, 6, 7, 8, 12, 16, 100, 1024}) {
    const PyramidFaces faces = make_pyramid_faces(count).value();
    ASSERT_EQ(faces.count(), count);
    for (int k = 0; k < count; ++k) {
      const auto i = static_cast<std::size_t>(k), mirrored = static_cast<std::size_t>((count - k) % count);
      EXPECT_NEAR(faces.cosine()[i], std::cos(2 * M_PI * k / count), 1e-15);
      EXPECT_NEAR(faces.sine()[i], std::sin(2 * M_PI * k / count), 1e-15);
      EXPECT_EQ(faces.cosine()[i], faces.cosine()[mirrored]);
      EXPECT_EQ(faces.sine()[i], -faces.sine()[mirrored]);
    }
    EXPECT_NEAR(faces.half_width(), std::tan(M_PI / count), 2e-15);
    EXPECT_NEAR(faces.effective_mu(0.84, PyramidFit::inscribed), 0.84 * std::cos(M_PI / count), 1e-15);
    EXPECT_EQ(faces.effective_mu(0.84, PyramidFit::circumscribed), 0.84);
  }
}

TEST(PyramidFacesTest, TooFewAndTooManyFacesAreRefused) {
  for (const int count : {-1, 0, 2, 1025}) {
    const auto refused = make_pyramid_faces(count);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.errors()[0].what.find("3 to 1024"), std::string::npos);
  }
}

// The safe side: inscribed lies in the true cone, circumscribed contains it, and both touch it.
TEST(PyramidTest, InscribedIsInsideAndCircumscribedIsOutside) {
  Random random(44);
  for (const int count : {3, 4, 5, 8, 16}) {
    const PyramidFaces faces = make_pyramid_faces(count).value();
    const double mu = 0.6;
    const auto inner = cones::make_pyramid<double>(faces, faces.effective_mu(mu, PyramidFit::inscribed));
    const auto outer = cones::make_pyramid<double>(faces, faces.effective_mu(mu, PyramidFit::circumscribed));
    const cones::FrictionCone<double> cone = {mu};
    for (int i = 0; i < 2000; ++i) {
      const Point<3> v = {{random.gauss(), random.gauss(), random.gauss()}};
      EXPECT_LE(violation(cone, inner.project(v)), 1e-14);
      EXPECT_LE(violation(outer, cone.project(v)), 1e-14);
    }
    const Point<3> corner = {{1, mu * std::cos(M_PI / count), mu * std::sin(M_PI / count)}}, foot = {{1, mu, 0}};
    EXPECT_LE(violation(inner, corner), 1e-15);
    EXPECT_LE(violation(outer, foot), 1e-15);
  }
}

// A force against one face of four keeps the other tangent exactly.
TEST(PyramidTest, FourFacesProjectExactly) {
  const PyramidFaces faces = make_pyramid_faces(4).value();
  const auto pyramid = cones::make_pyramid<double>(faces, 0.5);
  const Point<3> p = pyramid.project({{1, 3, 0.125}});
  EXPECT_EQ(p[0], 2);
  EXPECT_EQ(p[1], 1);
  EXPECT_EQ(p[2], 0.125);
  const Point<3> corner = pyramid.project({{-1, 4, -4}});
  EXPECT_EQ(corner[0], 2);
  EXPECT_EQ(corner[1], 1);
  EXPECT_EQ(corner[2], -1);
  const auto slope = pyramid.projection({{1, 3, 0.125}}, {{1, 1, 1}}).slope;
  EXPECT_EQ(slope.m[2][2], 1);
  EXPECT_EQ(slope.m[0][2], 0);
}

// Many faces tend to the cone.
TEST(PyramidTest, ManyFacesTendToTheCone) {
  const PyramidFaces faces = make_pyramid_faces(1024).value();
  Random random(45);
  const double mu = 0.7, half_face = mu * faces.half_width();
  for (int i = 0; i < 500; ++i) {
    const Point<3> v = {{random.gauss(), random.gauss(), random.gauss()}};
    const Point<3> p = cones::make_pyramid<double>(faces, mu).project(v), q = cones::FrictionCone<double>{mu}.project(v);
    EXPECT_LE(cones::norm(p - q), half_face * cones::norm(v));
  }
}

}  // namespace
}  // namespace trilith::test
