#include "io/obj.h"

#include <gtest/gtest.h>

#include "io/expect_error.h"

namespace trilith::io {
namespace {

using Corners = std::vector<std::uint32_t>;

MeshFile read(const std::string& text) {
  Result<MeshFile> result = parse_obj(text, "dir/wall.obj");
  EXPECT_TRUE(result.ok()) << first_error(result);
  return result.ok() ? std::move(result).value() : MeshFile{};
}

void expect_refused(const std::string& text, const std::string& where, const std::string& what) {
  expect_error(parse_obj(text, "t.obj"), where, what);
}

Corners face(const geom::Mesh& mesh, std::size_t i) {
  const auto corners = mesh.face(i);
  return {corners.begin(), corners.end()};
}

constexpr char tetrahedron[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

TEST(ObjTest, AFileWithoutNamesIsOneObjectNamedAfterIt) {
  const MeshFile file = read(tetrahedron);
  ASSERT_EQ(file.objects.size(), 1U);
  const MeshObject& object = file.objects[0];
  EXPECT_EQ(object.name, "wall");
  EXPECT_EQ(object.where, "dir/wall.obj:5");
  EXPECT_EQ(object.mesh.vertices.size(), 4U);
  EXPECT_EQ(object.mesh.face_count(), 4U);
  EXPECT_EQ(face(object.mesh, 2), (Corners{1, 2, 3}));
  EXPECT_EQ(object.mesh.vertices[3].z, 1);
  EXPECT_TRUE(file.warnings.empty());
}

TEST(ObjTest, NegativeIndicesCountBackFromTheFaceLine) {
  const MeshFile file =
      read("o lower\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\no upper\nv 0 0 5\nv 1 0 5\nv 0 1 5\nf -1 -2 -3\nf -6 -1 -2\n");
  ASSERT_EQ(file.objects.size(), 2U);
  EXPECT_EQ(file.objects[0].name, "lower");
  EXPECT_EQ(face(file.objects[0].mesh, 0), (Corners{0, 1, 2}));
  const geom::Mesh& upper = file.objects[1].mesh;
  ASSERT_EQ(upper.vertices.size(), 4U);  // only what its faces use: one of the first object, three of its own
  EXPECT_EQ(upper.vertices[0].z, 0);
  EXPECT_EQ(face(upper, 0), (Corners{3, 2, 1}));
  EXPECT_EQ(face(upper, 1), (Corners{0, 3, 2}));
  EXPECT_EQ(file.objects[1].where, "dir/wall.obj:6");
}

TEST(ObjTest, IndicesMayPointForward) {
  const MeshFile file = read("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n");
  EXPECT_EQ(file.objects[0].mesh.vertices.size(), 3U);
}

TEST(ObjTest, GroupsAreObjectsWhereThereIsNoObject) {
  const std::string vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  const MeshFile groups = read(vertices + "g a b\nf 1 2 3\ng\nf 3 2 1\n");
  ASSERT_EQ(groups.objects.size(), 2U);
  EXPECT_EQ(groups.objects[0].name, "a b");
  EXPECT_EQ(groups.objects[1].name, "default");
  const MeshFile both = read(vertices + "o one\ng a\nf 1 2 3\ng b\nf 3 2 1\n");
  ASSERT_EQ(both.objects.size(), 1U);
  EXPECT_EQ(both.objects[0].mesh.face_count(), 2U);
  ASSERT_EQ(both.warnings.size(), 1U);
  EXPECT_EQ(both.warnings[0].what, "groups left out: the file has objects, and each is one block (2 lines)");
  EXPECT_EQ(both.warnings[0].where, "dir/wall.obj:5");
}

TEST(ObjTest, FacesBeforeTheFirstObjectAreNamedAfterTheFile) {
  const MeshFile file = read("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no b\nf 3 2 1\n");
  ASSERT_EQ(file.objects.size(), 2U);
  EXPECT_EQ(file.objects[0].name, "wall");
  ASSERT_EQ(file.warnings.size(), 1U);
  EXPECT_NE(file.warnings[0].what.find("faces before the first object"), std::string::npos);
}

TEST(ObjTest, PolygonsAndAllIndexFormsAreRead) {
  const MeshFile file = read("v 0 0 0\nv 1 0 0\nv 1 1 0\nv .5 .2 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nf 1/1 2/1/1 3//1 4/1 5//\n");
  EXPECT_EQ(face(file.objects[0].mesh, 0), (Corners{0, 1, 2, 3, 4}));
  EXPECT_TRUE(file.warnings.empty());
}

TEST(ObjTest, LayoutOfTheTextDoesNotMatter) {
  const MeshFile plain = read("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const std::string forms[] = {
      "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3",
      "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r",
      "\xef\xbb\xbf# head\n\n\tv\t0  0\t0 \n  v 1 0 \\\n 0\nv 0 +1 0 # tail\nf 1 \\\r\n2 3",
      "v 0.0 -0.0e5 0\nv 1. 0 0\nv 0 10E-1 1e-400\nf 1 2 3 # four\n#\n",
  };
  for (const std::string& text : forms) {
    const MeshFile file = read(text);
    ASSERT_EQ(file.objects.size(), 1U) << text;
    const geom::Mesh& mesh = file.objects[0].mesh;
    ASSERT_EQ(mesh.vertices.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(mesh.vertices[i].x, plain.objects[0].mesh.vertices[i].x);
      EXPECT_EQ(mesh.vertices[i].y, plain.objects[0].mesh.vertices[i].y);
      EXPECT_EQ(mesh.vertices[i].z, plain.objects[0].mesh.vertices[i].z);
    }
    EXPECT_EQ(face(mesh, 0), (Corners{0, 1, 2}));
  }
}

TEST(ObjTest, CommentsDoNotJoinLines) {
  EXPECT_EQ(read("# C:\\models\\\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").objects[0].mesh.vertices.size(), 3U);
}

TEST(ObjTest, CoordinatesKeepEveryBit) {
  const MeshFile file = read("v 502345.2570000001 0.30000000000000004 -1e-300\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const Vec3d p = file.objects[0].mesh.vertices[0];
  EXPECT_EQ(p.x, 502345.2570000001);
  EXPECT_EQ(p.y, 0.30000000000000004);
  EXPECT_EQ(p.z, -1e-300);
}

TEST(ObjTest, WhatIsLeftOutIsToldOnce) {
  const MeshFile file = read(
      "mtllib ../../../../etc/passwd\nv 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 1\nusemtl stone\ns off\nl 1 2\nl 2 3\np 1\nhello there\nf 1 2 "
      "3\n");
  ASSERT_EQ(file.warnings.size(), 4U);
  EXPECT_EQ(file.warnings[0].what, "numbers behind x y z of vertices (weight, colour) left out (3 lines)");
  EXPECT_EQ(file.warnings[0].where, "dir/wall.obj:2");
  EXPECT_EQ(file.warnings[1].what, "only faces make a block: \"l\" left out (2 lines)");
  EXPECT_EQ(file.warnings[2].what, "only faces make a block: \"p\" left out (1 line)");
  EXPECT_EQ(file.warnings[3].what, "unknown word \"hello\" left out (1 line)");
}

TEST(ObjTest, AnObjectWithoutFacesIsLeftOutWithAWarning) {
  const MeshFile file = read("o empty\nv 0 0 0\nv 1 0 0\nv 0 1 0\no full\nf 1 2 3\n");
  ASSERT_EQ(file.objects.size(), 1U);
  EXPECT_EQ(file.objects[0].name, "full");
  ASSERT_EQ(file.warnings.size(), 1U);
  EXPECT_EQ(file.warnings[0].where, "dir/wall.obj:1");
}

TEST(ObjTest, NamesInLatin1AreTurnedIntoUtf8) {
  const MeshFile file = read("v 0 0 0\nv 1 0 0\nv 0 1 0\no St\xfctze\nf 1 2 3\n");
  EXPECT_EQ(file.objects[0].name, "St\xc3\xbctze");
  ASSERT_EQ(file.warnings.size(), 1U);
}

TEST(ObjTest, IndicesOutOfRangeAreRefusedWithTheirLine) {
  const std::string three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  expect_refused(three + "f 1 2 9\n", "t.obj:4", "vertex index 9 is out of range, the file has 3 vertices");
  expect_refused(three + "f 0 1 2\n", "t.obj:4:3", "vertex index 0");
  expect_refused(three + "f 1 2 99999999999999\n", "t.obj:4:7", "vertex index 99999999999999 is out of range");
  expect_refused(three + "f 1 2 99999999999999999999999999/1\n", "t.obj:4:7", "out of range");
  expect_refused(three + "f 1 2 -4\n", "t.obj:4:7", "vertex index -4 is out of range");
  expect_refused(three + "f 1 2 -99999999999999999999999\n", "t.obj:4:7", "out of range");
  expect_refused(three + "f 1 2 4294967299\n", "t.obj:4:7", "out of range");
}

TEST(ObjTest, CornersThatAreNoIndexAreRefused) {
  const std::string three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  for (const char* word : {"x", "1.5", "2x", "1/2/3/4", "/1", "--1", "+", "1e2", "0x1"})
    expect_refused(three + "f 1 2 " + word + "\n", "t.obj:4:7", "is no vertex index");
}

TEST(ObjTest, NumbersThatAreNoneAreRefused) {
  expect_refused("v 0 0 nan\n", "t.obj:1:7", "\"nan\" is not finite");
  expect_refused("v 0 -inf 0\n", "t.obj:1:5", "is not finite");
  expect_refused("v 0 0 1e400\n", "t.obj:1:7", "beyond the largest double");
  expect_refused("v 0 0,5 0\n", "t.obj:1:5", "the decimal sign is a point");
  expect_refused("v 0 0 zero\n", "t.obj:1:7", "is no number");
  expect_refused("v 0 0 0x10\n", "t.obj:1:7", "is no number");
  expect_refused("v 0 0\n", "t.obj:1:1", "a vertex needs 3 coordinates, got 2");
  expect_refused("v 0 0 0 red\n", "t.obj:1:9", "is no number");
}

TEST(ObjTest, FacesOfLessThanThreeCornersAreRefused) {
  expect_refused("v 0 0 0\nv 1 0 0\nf 1 2\n", "t.obj:3:1", "a face needs at least 3 corners, got 2");
  expect_refused("v 0 0 0\nv 1 0 0\nf\n", "t.obj:3:1", "got 0");
}

TEST(ObjTest, TwoObjectsOfOneNameAreRefusedWithBothLines) {
  const std::string three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  expect_refused(three + "o a\nf 1 2 3\no b\nf 1 2 3\no a\nf 1 2 3\n", "t.obj:8", "object \"a\" appears twice, first in line 4");
  expect_refused(three + "g a\nf 1 2 3\ng b\nf 1 2 3\ng a\nf 1 2 3\n", "t.obj:8", "first in line 4");
}

TEST(ObjTest, NamesThatCannotBeKeysAreRefused) {
  expect_refused("o\n", "t.obj:1:1", "object without a name");
  expect_refused("o a\tb\n", "t.obj:1:1", "holds a control character");
  expect_refused("o " + std::string(1025, 'x') + "\n", "t.obj:1:1", "is longer than 1024 bytes");
}

TEST(ObjTest, FilesThatHoldNoMeshAreRefused) {
  expect_refused("", "t.obj", "empty file");
  expect_refused("\n \r\n", "t.obj", "empty file");
  expect_refused("v 0 0 0\nv 1 0 0\n", "t.obj", "no faces");
  expect_refused("hello world\n", "t.obj", "not an OBJ mesh");
  expect_refused(std::string("v 0 0 0\nv 1 \0 0\n", 16), "t.obj:2:5", "zero byte");
}

TEST(ObjTest, ErrorsAreCollectedUpToTheLimit) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "v 0 0 nan\n";
  const Result<MeshFile> result = parse_obj(text, "t.obj");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.errors().size(), max_errors);
  EXPECT_EQ(result.errors()[1].where, "t.obj:2:7");
}

}  // namespace
}  // namespace trilith::io
