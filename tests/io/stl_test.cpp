#include "io/stl.h"

#include <gtest/gtest.h>

#include <limits>

#include "geom/mass_properties.h"
#include "geom/mesh_diagnosis.h"
#include "geom/shapes.h"
#include "io/byte_writer.h"
#include "io/expect_error.h"

namespace trilith::io {
namespace {

MeshFile read(const std::string& bytes) {
  Result<MeshFile> result = parse_stl(bytes, "in/wall.stl");
  EXPECT_TRUE(result.ok()) << first_error(result);
  return result.ok() ? std::move(result).value() : MeshFile{};
}

std::string binary(const geom::Mesh& mesh, std::string header = "made by a test", std::uint32_t lie = 0) {
  const geom::Mesh triangles = test::triangulated(mesh);
  header.resize(80, ' ');
  put_bytes(header, static_cast<std::uint32_t>(triangles.face_count()) + lie);
  for (std::size_t f = 0; f < triangles.face_count(); ++f) {
    for (int i = 0; i < 3; ++i) put_bytes(header, 0.0F);
    for (const std::uint32_t v : triangles.face(f))
      for (const double x : {triangles.vertices[v].x, triangles.vertices[v].y, triangles.vertices[v].z})
        put_bytes(header, static_cast<float>(x));
    put_bytes(header, std::uint16_t(0));
  }
  return header;
}

std::string ascii(const geom::Mesh& mesh, const std::string& name) {
  const geom::Mesh triangles = test::triangulated(mesh);
  std::string out = "solid " + name + "\n";
  for (std::size_t f = 0; f < triangles.face_count(); ++f) {
    out += "  facet normal 0 0 0\n    outer loop\n";
    for (const std::uint32_t v : triangles.face(f)) {
      const Vec3d p = triangles.vertices[v];
      out += "      vertex " + std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + "\n";
    }
    out += "    endloop\n  endfacet\n";
  }
  return out + "endsolid " + name + "\n";
}

const geom::Mesh cube = test::box({0, 0, 0}, {1, 2, 3});

void expect_volume(const MeshObject& object, double volume) {
  const geom::MeshDiagnosis d = geom::diagnose_mesh(object.mesh, {});
  EXPECT_TRUE(d.errors.empty() && d.warnings.empty()) << object.name;
  EXPECT_NEAR(geom::measure_volume(d.mesh), volume, 1e-6 * volume);
}

geom::Mesh both(geom::Mesh a, const geom::Mesh& b) {
  const auto shift = static_cast<std::uint32_t>(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (std::size_t f = 0; f < b.face_count(); ++f) {
    std::vector<std::uint32_t> face(b.face(f).begin(), b.face(f).end());
    for (std::uint32_t& v : face) v += shift;
    a.add_face(face);
  }
  return a;
}

TEST(StlTest, BinaryAndAsciiGiveTheSameWeldedSolid) {
  for (const std::string& bytes : {binary(cube), ascii(cube, "stone")}) {
    const MeshFile file = read(bytes);
    ASSERT_EQ(file.objects.size(), 1U);
    EXPECT_EQ(file.objects[0].mesh.vertices.size(), 8U);
    EXPECT_EQ(file.objects[0].mesh.face_count(), 12U);
    expect_volume(file.objects[0], 6);
    EXPECT_TRUE(file.warnings.empty());
  }
  EXPECT_EQ(read(binary(cube)).objects[0].name, "wall");
  EXPECT_EQ(read(ascii(cube, "stone")).objects[0].name, "stone");
}

TEST(StlTest, AHeaderThatBeginsWithSolidIsStillBinary) {
  EXPECT_TRUE(is_binary_stl(binary(cube, "solid facet exported by some program")));
  expect_volume(read(binary(cube, "solid facet exported by some program")).objects[0], 6);
}

TEST(StlTest, EveryClosedShellIsABlock) {
  const MeshFile apart = read(binary(both(cube, test::box({1.5, 0, 0}, {2.5, 2, 3}))));
  ASSERT_EQ(apart.objects.size(), 2U);
  EXPECT_EQ(apart.objects[0].name, "wall.1");
  EXPECT_EQ(apart.objects[1].name, "wall.2");
  ASSERT_EQ(apart.warnings.size(), 1U);
  EXPECT_NE(apart.warnings[0].what.find("2 closed shells: each is a block"), std::string::npos);
}

// stones of one wall share their corners and edges in the file
TEST(StlTest, StonesThatTouchStayApart) {
  geom::Mesh wall = cube;
  for (const Vec3d at : {Vec3d{1, 0, 0}, {0, 2, 0}, {1, 2, 0}, {0, 0, 3}, {1, 0, 3}, {0, 2, 3}, {1, 2, 3}})
    wall = both(wall, test::box(at, at + Vec3d{1, 2, 3}));
  const MeshFile file = read(binary(wall));
  ASSERT_EQ(file.objects.size(), 8U);
  for (const MeshObject& object : file.objects) {
    EXPECT_EQ(object.mesh.vertices.size(), 8U);
    expect_volume(object, 6);
  }
  // two that meet in an edge only
  EXPECT_EQ(read(binary(both(cube, test::box({1, 2, 0}, {2, 3, 3})))).objects.size(), 2U);
}

TEST(StlTest, AShellInsideAnotherIsItsCavity) {
  geom::Mesh hole = test::box({0.4, 0.4, 0.4}, {0.6, 0.6, 0.6});
  for (std::size_t f = 0; f < hole.face_count(); ++f)
    std::reverse(hole.face_vertex.begin() + hole.face_start[f], hole.face_vertex.begin() + hole.face_start[f + 1]);
  const MeshFile file = read(binary(both(cube, hole)));
  ASSERT_EQ(file.objects.size(), 1U);
  EXPECT_NEAR(geom::measure_volume(file.objects[0].mesh), 6 - 0.008, 1e-6);
}

TEST(StlTest, SolidsOfOneFileKeepTheirNames) {
  const MeshFile file = read(ascii(cube, "a") + ascii(test::box({5, 0, 0}, {6, 1, 1}), "b") + ascii(test::box({9, 0, 0}, {10, 1, 1}), "a"));
  ASSERT_EQ(file.objects.size(), 3U);
  EXPECT_EQ(file.objects[1].name, "b");
  EXPECT_EQ(file.objects[2].name, "a.2");
  ASSERT_EQ(file.warnings.size(), 1U);
  EXPECT_EQ(file.objects[1].where, "in/wall.stl:87");
}

TEST(StlTest, CountsThatLieAreRefusedBeforeAnythingIsAllocated) {
  const auto refuse = [](const std::string& bytes, const std::string& what) { expect_error(parse_stl(bytes, "w.stl"), "w.stl", what); };
  const std::string good = binary(cube);
  refuse(binary(cube, "x", 1), "says that it holds 13 triangles and has room for 12: the file was cut off");
  refuse(binary(cube, "x", 4000000000U), "room for 12");
  refuse(binary(cube, "x", static_cast<std::uint32_t>(-1)), "says that it holds 11 triangles and has room for 12");
  refuse(good.substr(0, good.size() - 1), "the file was cut off");
  refuse(good.substr(0, 83), "83 bytes, the header alone has 84");
  refuse(std::string(84, '\0'), "no triangles");
  EXPECT_EQ(read(good + "tail").warnings[0].what, "4 bytes behind the last triangle left out");
}

TEST(StlTest, NumbersThatAreNotFiniteAreRefused) {
  geom::Mesh bad = cube;
  bad.vertices[6].z = std::numeric_limits<double>::quiet_NaN();
  expect_error(parse_stl(binary(bad), "w.stl"), "w.stl:/triangles/2", "triangle 3 has a coordinate that is not finite");
  expect_error(parse_stl("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n", "w.stl"), "w.stl:4:12", "is not finite");
}

TEST(StlTest, BrokenTextIsRefusedByItsLine) {
  const auto refuse = [](const std::string& text, const std::string& where, const std::string& what) {
    expect_error(parse_stl(text, "w.stl"), where, what);
  };
  const std::string facet = "solid a\nfacet normal 0 0 1\nouter loop\n";
  refuse(facet + "vertex 0 0 0\n", "w.stl:4:12", "ends within a facet");
  refuse(facet + "vertex 0 0\n", "w.stl:4:11", "a vertex needs 3 coordinates");
  refuse(facet + "vertex 0 0,5 1\n", "w.stl:4:10", "is no number");
  refuse(facet + "vertex 0 0 0\nvertex 0 0 1\nendloop\nendfacet\n", "w.stl:7:1", "a facet needs 3 vertices, has 2");
  refuse(facet + "vertx 0 0 0\n", "w.stl:4:1", "unexpected word \"vertx\" in a facet");
  refuse("solid a\nvertex 0 0 0\n", "w.stl:2:1", "unexpected word");
  refuse("solid a\nendsolid a\n", "w.stl:2:1", "no facets");
}

TEST(StlTest, CaseAndLineEndsDoNotMatter) {
  std::string text = ascii(cube, "A");
  std::string upper;
  for (const char c : text) upper += c == '\n' ? std::string("\r\n") : std::string(1, static_cast<char>(std::toupper(c)));
  expect_volume(read(upper).objects[0], 6);
  EXPECT_EQ(read(text.substr(0, text.rfind("endsolid"))).warnings[0].what, "ends without \"endsolid\"");
}

}  // namespace
}  // namespace trilith::io
