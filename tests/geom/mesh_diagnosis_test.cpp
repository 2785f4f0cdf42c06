#include "geom/mesh_diagnosis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "geom/mass_properties.h"
#include "geom/shapes.h"

namespace trilith::geom {
namespace {

using test::Random;

const Mesh cube = test::box({0, 0, 0}, {1, 1, 1});

void reverse(Mesh& mesh, std::size_t f) {
  std::reverse(mesh.face_vertex.begin() + mesh.face_start[f], mesh.face_vertex.begin() + mesh.face_start[f + 1]);
}

Mesh without_face(const Mesh& mesh, std::size_t gone) {
  Mesh result;
  result.vertices = mesh.vertices;
  for (std::size_t f = 0; f < mesh.face_count(); ++f)
    if (f != gone) result.add_face(mesh.face(f));
  return result;
}

/// Both meshes as one.
Mesh together(const Mesh& a, const Mesh& b) {
  Mesh result = a;
  const auto shift = static_cast<std::uint32_t>(a.vertices.size());
  result.vertices.insert(result.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (std::size_t f = 0; f < b.face_count(); ++f) {
    std::vector<std::uint32_t> face(b.face(f).begin(), b.face(f).end());
    for (std::uint32_t& v : face) v += shift;
    result.add_face(face);
  }
  return result;
}

bool tells(const std::vector<std::string>& lines, std::string_view part) {
  return std::ranges::any_of(lines, [part](const std::string& line) { return line.find(part) != std::string::npos; });
}

void expect_sound(const MeshDiagnosis& d, double volume) {
  EXPECT_TRUE(d.errors.empty()) << (d.errors.empty() ? "" : d.errors[0]);
  EXPECT_FALSE(d.flat);
  EXPECT_NEAR(measure_volume(d.mesh), volume, 1e-9 * volume);
}

TEST(MeshDiagnosisTest, SoundMeshIsLeftAlone) {
  const MeshDiagnosis d = diagnose_mesh(cube, {});
  expect_sound(d, 1);
  EXPECT_TRUE(d.warnings.empty());
  EXPECT_EQ(d.shells, 1);
  EXPECT_EQ(d.mesh.face_vertex, cube.face_vertex);
}

TEST(MeshDiagnosisTest, InwardMeshIsTurnedAndTold) {
  Mesh inward = cube;
  for (std::size_t f = 0; f < 6; ++f) reverse(inward, f);
  const MeshDiagnosis d = diagnose_mesh(inward, {});
  expect_sound(d, 1);
  ASSERT_EQ(d.warnings.size(), 1U);
  EXPECT_EQ(d.warnings[0], "faces wind inwards: 6 of 6 faces turned");
}

TEST(MeshDiagnosisTest, AnyMixOfWindingsIsRepaired) {
  for (unsigned mask = 1; mask + 1 < 64; ++mask) {
    Mesh mixed = cube;
    for (std::size_t f = 0; f < 6; ++f)
      if ((mask >> f & 1) != 0) reverse(mixed, f);
    const MeshDiagnosis d = diagnose_mesh(mixed, {});
    expect_sound(d, 1);
    const int count = __builtin_popcount(mask);
    EXPECT_TRUE(tells(d.warnings, "faces wind both ways: " + std::to_string(count) + " of 6 faces turned")) << mask;
  }
}

TEST(MeshDiagnosisTest, OpenBoxNamesItsBoundaryEdges) {
  const MeshDiagnosis d = diagnose_mesh(without_face(cube, 3), {});
  ASSERT_EQ(d.errors.size(), 1U);
  EXPECT_EQ(d.errors[0], "mesh is open: 4 boundary edges (vertices 2-3, 2-6, 3-7, 6-7)");
}

TEST(MeshDiagnosisTest, VertexNumbersAreThoseOfTheInput) {
  Mesh open = without_face(cube, 3);
  open.vertices.insert(open.vertices.begin(), Vec3d{9, 9, 9});  // used by no face
  for (std::uint32_t& v : open.face_vertex) ++v;
  const MeshDiagnosis d = diagnose_mesh(open, {});
  ASSERT_EQ(d.errors.size(), 1U);
  EXPECT_TRUE(tells(d.errors, "vertices 3-4, 3-7, 4-8, 7-8"));
}

TEST(MeshDiagnosisTest, SheetIsFlatHoweverItIsTurned) {
  Random random(5);
  const Mesh sheet = test::make_mesh({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}});
  const Mesh closed = test::make_mesh({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2, 3}, {0, 3, 2, 1}});
  for (int i = 0; i < 50; ++i) {
    const double scale = random.scale(1e-3, 1e5);
    const test::Motion motion = test::random_motion(random, 100 * scale, scale);
    for (const Mesh& mesh : {sheet, closed}) {
      const MeshDiagnosis d = diagnose_mesh(test::moved(mesh, motion), {});
      EXPECT_TRUE(d.flat);
      EXPECT_TRUE(d.errors.empty());
    }
    // a shim of 4e-4 is thin, not flat, at any scale
    expect_sound(diagnose_mesh(test::moved(test::box({0, 0, 0}, {1, 1, 4e-4}), motion), {}),
                 4e-4 * motion.scale * motion.scale * motion.scale);
  }
}

TEST(MeshDiagnosisTest, ThinShimKeepsItsVertices) {
  const MeshDiagnosis d = diagnose_mesh(test::box({0, 0, 0}, {1, 1, 4e-4}), {});
  expect_sound(d, 4e-4);
  EXPECT_EQ(d.mesh.vertices.size(), 8U);
  EXPECT_TRUE(d.warnings.empty());
}

TEST(MeshDiagnosisTest, TVertexIsHealed) {
  Mesh mesh = cube;
  mesh.vertices.push_back({0.5, 0, 1});
  Mesh split;
  split.vertices = mesh.vertices;
  for (std::size_t f = 0; f < 6; ++f) {
    if (f != 1) split.add_face(mesh.face(f));
    if (f == 1) split.add_face(std::vector<std::uint32_t>{4, 8, 5, 6, 7});
  }
  const MeshDiagnosis d = diagnose_mesh(split, {});
  expect_sound(d, 1);
  EXPECT_TRUE(tells(d.warnings, "1 T-vertex healed (3 unpaired sides"));
}

TEST(MeshDiagnosisTest, TrianglesWithTheirOwnVerticesAreWelded) {
  const Mesh triangles = test::triangulated(cube);
  Mesh soup;
  for (std::size_t f = 0; f < triangles.face_count(); ++f) {
    std::vector<std::uint32_t> face;
    for (const std::uint32_t v : triangles.face(f)) {
      face.push_back(static_cast<std::uint32_t>(soup.vertices.size()));
      soup.vertices.push_back(triangles.vertices[v]);
    }
    soup.add_face(face);
  }
  MeshDiagnosis d = diagnose_mesh(soup, {});
  expect_sound(d, 1);
  EXPECT_EQ(d.mesh.vertices.size(), 8U);
  EXPECT_TRUE(tells(d.warnings, "28 duplicate vertices welded"));

  // the same with noise: welded within tolerance because the mesh would be open otherwise
  Random random(6);
  for (Vec3d& p : soup.vertices) p = p + 1e-7 * random.direction();
  d = diagnose_mesh(soup, {});
  EXPECT_TRUE(d.errors.empty());
  EXPECT_EQ(d.mesh.vertices.size(), 8U);
  EXPECT_NEAR(measure_volume(d.mesh), 1, 1e-6);
  EXPECT_TRUE(tells(d.warnings, "28 vertices welded to a neighbour"));
}

TEST(MeshDiagnosisTest, RepeatedCornersAndListingsAreTold) {
  Mesh mesh;
  mesh.vertices = cube.vertices;
  for (std::size_t f = 0; f < 6; ++f) mesh.add_face(cube.face(f));
  mesh.add_face(cube.face(2));                                // listed twice
  mesh.add_face(std::vector<std::uint32_t>{0, 0, 1});         // an edge
  mesh.face_vertex.insert(mesh.face_vertex.begin() + 1, 0U);  // first face repeats its first corner
  for (std::size_t i = 1; i < mesh.face_start.size(); ++i) ++mesh.face_start[i];
  mesh.vertices.push_back({5, 5, 5});
  const MeshDiagnosis d = diagnose_mesh(mesh, {});
  expect_sound(d, 1);
  EXPECT_TRUE(tells(d.warnings, "1 face repeated a corner"));
  EXPECT_TRUE(tells(d.warnings, "1 face with fewer than 3 different corners"));
  EXPECT_TRUE(tells(d.warnings, "1 vertex used by no face"));
  EXPECT_TRUE(tells(d.warnings, "1 face listed twice"));
  EXPECT_EQ(d.mesh.vertices.size(), 8U);
}

TEST(MeshDiagnosisTest, SeveralShellsAreOneBlockAndTold) {
  const MeshDiagnosis d = diagnose_mesh(together(cube, test::box({3, 0, 0}, {4, 1, 1})), {});
  expect_sound(d, 2);
  EXPECT_EQ(d.shells, 2);
  EXPECT_TRUE(tells(d.warnings, "2 separate shells"));
}

TEST(MeshDiagnosisTest, InwardShellBesideAnotherIsTurned) {
  Mesh second = test::box({3, 0, 0}, {4, 1, 1});
  for (std::size_t f = 0; f < 6; ++f) reverse(second, f);
  const MeshDiagnosis d = diagnose_mesh(together(cube, second), {});
  expect_sound(d, 2);
  EXPECT_TRUE(tells(d.warnings, "6 of 12 faces turned"));
}

TEST(MeshDiagnosisTest, CavityStaysACavity) {
  Mesh hole = test::box({0.25, 0.25, 0.25}, {0.75, 0.75, 0.75});
  for (std::size_t f = 0; f < 6; ++f) reverse(hole, f);
  Mesh hollow = together(cube, hole);
  expect_sound(diagnose_mesh(hollow, {}), 0.875);
  EXPECT_TRUE(tells(diagnose_mesh(hollow, {}).warnings, "1 shell lies inside another and counts as a cavity"));
  for (std::size_t f = 0; f < hollow.face_count(); ++f) reverse(hollow, f);
  expect_sound(diagnose_mesh(hollow, {}), 0.875);  // inside out as a whole
}

TEST(MeshDiagnosisTest, ThreeFacesOnAnEdgeAreRefused) {
  Mesh fin = cube;
  fin.vertices.push_back({0.5, 0.5, 2});
  fin.add_face(std::vector<std::uint32_t>{4, 5, 8});
  const MeshDiagnosis d = diagnose_mesh(fin, {});
  EXPECT_TRUE(tells(d.errors, "boundary edges"));
  EXPECT_TRUE(tells(d.errors, "shared by more than two faces (vertices 5-6)"));
}

TEST(MeshDiagnosisTest, TwoBoxesThatShareAnEdgeAreAccepted) {
  Mesh two = together(cube, test::box({1, 1, 0}, {2, 2, 1}));
  const MeshDiagnosis d = diagnose_mesh(two, {});
  expect_sound(d, 2);
  EXPECT_TRUE(tells(d.warnings, "shared by more than two faces"));
}

TEST(MeshDiagnosisTest, MoebiusStripIsRefused) {
  // five quads round a strip with one twist: open, and without two sides
  Mesh strip;
  for (int i = 0; i < 5; ++i) {
    const double angle = 2 * M_PI * i / 5, twist = angle / 2;
    for (const double w : {-0.3, 0.3})
      strip.vertices.push_back(
          {(1 + w * std::cos(twist)) * std::cos(angle), (1 + w * std::cos(twist)) * std::sin(angle), w * std::sin(twist)});
  }
  for (std::uint32_t i = 0; i < 5; ++i) {
    const std::uint32_t a = 2 * i, b = 2 * i + 1, c = i < 4 ? a + 2 : 1, d = i < 4 ? b + 2 : 0;
    strip.add_face(std::vector<std::uint32_t>{a, b, d, c});
  }
  EXPECT_FALSE(diagnose_mesh(strip, {}).errors.empty());
}

TEST(MeshDiagnosisTest, ClosedOneSidedSurfaceIsRefused) {
  // the projective plane with six vertices: every edge has two faces, no winding fits
  Mesh plane;
  Random random(7);
  for (int i = 0; i < 6; ++i) plane.vertices.push_back(random.gauss_vector());
  for (const auto& f : {std::array<std::uint32_t, 3>{0, 1, 2},
                        {0, 2, 3},
                        {0, 3, 4},
                        {0, 4, 5},
                        {0, 5, 1},
                        {1, 2, 4},
                        {2, 3, 5},
                        {3, 4, 1},
                        {4, 5, 2},
                        {5, 1, 3}})
    plane.add_face(f);
  EXPECT_TRUE(tells(diagnose_mesh(plane, {}).errors, "one-sided"));
}

TEST(MeshDiagnosisTest, BadNumbersAreRefused) {
  Mesh nan = cube;
  nan.vertices[3].y = std::nan("");
  EXPECT_TRUE(tells(diagnose_mesh(nan, {}).errors, "vertex 4 is not a finite number"));
  Mesh outside = cube;
  outside.face_vertex[0] = 77;
  EXPECT_TRUE(tells(diagnose_mesh(outside, {}).errors, "face 1 names vertex 78 of 8"));
  EXPECT_TRUE(tells(diagnose_mesh({}, {}).errors, "no face"));
  Mesh point = cube;
  for (Vec3d& p : point.vertices) p = {1, 1, 1};
  EXPECT_TRUE(tells(diagnose_mesh(point, {}).errors, "no face"));
}

}  // namespace
}  // namespace trilith::geom
