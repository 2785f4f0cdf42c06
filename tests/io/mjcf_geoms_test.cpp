#include <gtest/gtest.h>

#include <cstring>
#include <span>

#include "byte_writer.h"
#include "mjcf_support.h"
#include "temporary_folder.h"

// shapes, sites and the assets that they name

namespace trilith::io {
namespace {

std::string tetrahedron() { return "vertex='0 0 0  1 0 0  0 1 0  0 0 1'"; }
std::string with_asset(const std::string& asset, const std::string& geom) {
  return file("<asset>" + asset + "</asset><worldbody>" + geom + "</worldbody>");
}

TEST(MjcfGeomsTest, EveryShapeKeepsItsSizes) {
  const model::ModelInput m = read_good(world(
      "<geom type='plane' size='1 2 .1'/><geom type='sphere' size='3'/><geom type='capsule' size='1 2'/><geom type='ellipsoid' size='1 2 "
      "3'/><geom type='cylinder' size='4 5'/><geom type='box' size='6 7 8'/>"));
  const Vec3d sizes[] = {{1, 2, .1}, {3, 0, 0}, {1, 2, 0}, {1, 2, 3}, {4, 5, 0}, {6, 7, 8}};
  for (std::size_t i = 0; i < 6; ++i) expect_vector(m.geoms[i].size, sizes[i]);
  EXPECT_EQ(m.geoms[5].kind, model::GeomKind::box);
}

TEST(MjcfGeomsTest, ContactNumbersAreRead) {
  const model::ModelInput m = read_good(world(
      "<geom size='1' contype='2' conaffinity='4' condim='6' group='3' priority='5' friction='.5 .02' solmix='2' margin='.1' gap='.05' "
      "solref='-100 -5' solimp='.8 .9 .01' mass='7' density='9' shellinertia='true' rgba='1 0 0 .5'/>"));
  const model::Geom& g = m.geoms[0];
  EXPECT_EQ(g.contype, 2);
  EXPECT_EQ(g.conaffinity, 4);
  EXPECT_EQ(g.condim, 6);
  EXPECT_EQ(g.group, 3);
  EXPECT_EQ(g.priority, 5);
  EXPECT_EQ(g.friction, (std::array<double, 3>{.5, .02, .0001}));
  EXPECT_EQ(g.solmix, 2);
  EXPECT_EQ(g.margin, .1);
  EXPECT_EQ(g.gap, .05);
  EXPECT_EQ(g.law.solref, (std::array<double, 2>{-100, -5}));
  EXPECT_EQ(g.law.solimp, (std::array<double, 5>{.8, .9, .01, .5, 2}));
  EXPECT_EQ(*g.mass, 7);
  EXPECT_EQ(g.density, 9);
  EXPECT_TRUE(g.shell);
  EXPECT_EQ(g.rgba[3], .5F);
}

TEST(MjcfGeomsTest, EndsOfAnAxisGivePoseAndLength) {
  const model::ModelInput m = read_good(world(
      "<geom type='capsule' size='.1 9' fromto='.1 0 0 .1 .4 .3'/><geom type='box' size='.2' fromto='0 0 0 2 0 0'/><site type='cylinder' "
      "size='.01' fromto='0 0 1 0 0 0'/>"));
  EXPECT_DOUBLE_EQ(m.geoms[0].size.y, .25);
  expect_vector(m.geoms[0].pose.p, {.1, .2, .15});
  // z from the second end to the first
  expect_vector(m.geoms[0].pose.R * Vec3d{0, 0, 1}, {0, -.8, -.6});
  expect_vector(m.geoms[1].size, {.2, .2, 1});
  expect_vector(m.sites[0].pose.R * Vec3d{0, 0, 1}, {0, 0, 1});
  EXPECT_DOUBLE_EQ(m.sites[0].size.y, .5);
  expect_refused(world("<geom type='sphere' size='1' fromto='0 0 0 0 0 1'/>"), "is for capsules");
  expect_refused(world("<geom type='capsule' size='1' fromto='0 0 1 0 0 1'/>"), "both ends in one place");
  expect_refused(world("<geom type='capsule' size='1' fromto='0 0 0 0 0 1' pos='1 0 0'/>"), "stands beside a position");
}

TEST(MjcfGeomsTest, ShapesThatCannotBeAreRefused) {
  expect_refused(world("<geom/>"), "a sphere needs 1 positive size, number 1 is 0 or absent");
  expect_refused(world("<geom type='capsule' size='1'/>"), "a capsule needs 2 positive sizes, number 2 is 0 or absent");
  expect_refused(world("<geom type='cone' size='1'/>"), "is \"cone\"; allowed are plane");
  expect_refused(world("<geom size='1' condim='2'/>"), "is 2; allowed are 1, 3, 4 and 6");
  expect_refused(world("<geom size='1' density='-1'/>"), "density must not be negative");
  expect_refused(world("<geom type='mesh'/>"), "names no mesh");
  expect_refused(world("<geom type='hfield'/>"), "names no hfield");
  expect_refused(world("<site type='plane' size='1 1 1'/>"), "sites are spheres");
}

TEST(MjcfGeomsTest, MaterialsGiveTheirColour) {
  const model::ModelInput m = read_good(with_asset("<material name='paint' rgba='.1 .2 .3 1'/>",
                                                   "<geom size='1' material='paint'/><geom size='1' material='paint' rgba='1 0 0 1'/>"
                                                   "<geom size='1' material='none'/>"));
  EXPECT_EQ(m.geoms[0].rgba[1], .2F);
  EXPECT_EQ(m.geoms[1].rgba[0], 1);
  EXPECT_EQ(count_told(m, "material that is not there"), 1U);
}

TEST(MjcfGeomsTest, MeshesInLineAreMovedTurnedAndScaled) {
  const std::string faces = "face='0 2 1  0 1 3  1 2 3  2 0 3'";
  const model::ModelInput m = read_good(with_asset(
      "<mesh name='m' " + tetrahedron() + " " + faces + " refpos='1 0 0' refquat='1 0 0 1' scale='2 3 -4' inertia='shell'/>", ""));
  ASSERT_EQ(m.meshes.size(), 1U);
  EXPECT_EQ(m.meshes[0].inertia, model::MeshAsset::Inertia::shell);
  // (0 1 0) - (1 0 0) = (-1 1 0), turned back a quarter about z: (1 1 0)
  expect_vector(m.meshes[0].mesh.vertices[2], {2, 3, 0});
  // mirrored: the faces turn with it
  EXPECT_EQ(m.meshes[0].mesh.face(0)[0], 0U);
  EXPECT_EQ(m.meshes[0].mesh.face(0)[1], 1U);
  expect_refused(with_asset("<mesh name='m' vertex='0 0 0 1'/>", ""), "three numbers for each of at least 4 vertices, got 4");
  expect_refused(with_asset("<mesh name='m' " + tetrahedron() + " face='0 1 4'/>", ""), "there are 4, counted from 0");
  expect_refused(with_asset("<mesh name='m' " + tetrahedron() + " face='0 1'/>", ""), "three vertex numbers");
  expect_refused(with_asset("<mesh name='m' " + tetrahedron() + " scale='1 0 1'/>", ""), "must not hold 0");
  expect_refused(with_asset("<mesh name='m'/>", ""), "neither a file nor vertices");
}

TEST(MjcfGeomsTest, VerticesAloneBecomeTheirHull) {
  const model::ModelInput m = read_good(with_asset("<mesh name='m' " + tetrahedron() + "/>", "<geom type='mesh' mesh='m'/>"));
  EXPECT_EQ(m.meshes[0].mesh.face_count(), 4U);
  EXPECT_EQ(m.geoms[0].asset.name, "m");
  EXPECT_EQ(count_told(m, "convex hull"), 1U);
  expect_refused(with_asset("<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 1 1 0'/>", ""), "hull is flat");
}

TEST(MjcfGeomsTest, MeshFilesAreReadWhole) {
  const TemporaryFolder folder;
  folder.put("parts/two.obj",
             "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
             "o b\nv 5 0 0\nv 6 0 0\nv 5 1 0\nv 5 0 1\nf 5 7 6\nf 5 6 8\nf 6 7 8\nf 7 5 8\n");
  folder.put("parts/bad.obj", "v 0 0 0\nf 1 2 3\n");
  folder.put("parts/m.msh", "????");
  const auto load = [&](const std::string& asset, const std::string& compiler = "meshdir='parts'") {
    return load_mjcf(folder.put("m.xml", file("<compiler " + compiler + "/><asset>" + asset + "</asset>")));
  };
  const auto two = load("<mesh file='two.obj'/>");
  ASSERT_TRUE(two.ok()) << first_error(two);
  EXPECT_EQ(two.value().meshes[0].name, "two");
  EXPECT_EQ(two.value().meshes[0].mesh.vertices.size(), 8U);
  EXPECT_EQ(two.value().meshes[0].mesh.face_count(), 8U);
  EXPECT_EQ(two.value().meshes[0].mesh.face(4)[0], 4U);
  EXPECT_TRUE(load("<mesh file='/somewhere/two.obj'/>", "assetdir='parts' strippath='true'").ok());
  EXPECT_NE(first_error(load("<mesh file='none.stl'/>")).find("mesh file \"parts/none.stl\" is not there"), std::string::npos);
  EXPECT_NE(first_error(load("<mesh file='bad.obj'/>")).find("bad.obj:2"), std::string::npos)
      << first_error(load("<mesh file='bad.obj'/>"));
  EXPECT_NE(first_error(load("<mesh file='m.msh'/>")).find("MSH"), std::string::npos) << first_error(load("<mesh file='m.msh'/>"));
  std::string bytes;
  for (const std::int32_t count : {4, 1, 0, 4}) put_bytes(bytes, count);
  for (const float x : {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 9, 9, 9}) put_bytes(bytes, x);  // the last three: a normal
  for (const std::int32_t corner : {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3}) put_bytes(bytes, corner);
  folder.put("parts/good.msh", bytes);
  folder.put("parts/cut.msh", bytes.substr(0, bytes.size() - 1));
  bytes[bytes.size() - 4] = 4;
  folder.put("parts/wild.msh", bytes);
  const auto msh = load("<mesh file='good.msh'/>");
  ASSERT_TRUE(msh.ok()) << first_error(msh);
  EXPECT_EQ(msh.value().meshes[0].mesh.face_count(), 4U);
  EXPECT_EQ(msh.value().meshes[0].mesh.vertices[3].z, 1);
  EXPECT_NE(first_error(load("<mesh file='cut.msh'/>")).find("4 vertices and 4 triangles"), std::string::npos);
  EXPECT_NE(first_error(load("<mesh file='wild.msh'/>")).find("names vertex 4"), std::string::npos);
  EXPECT_NE(first_error(load("<mesh file='../../x.obj'/>")).find("mesh file"), std::string::npos);
  expect_refused(with_asset("<mesh file='two.obj'/>", ""), "this text may name none");
}

TEST(MjcfGeomsTest, ShapesAreFittedToTheBoxOfTheSameInertia) {
  // a box of 2 x 4 x 6, off its origin
  const std::string box = "vertex='1 2 3 3 2 3 1 6 3 3 6 3 1 2 9 3 2 9 1 6 9 3 6 9' inertia='exact'";
  const auto fitted = [&](const std::string& compiler, const std::string& geom) {
    return read_good(file("<compiler " + compiler + "/><asset><mesh name='m' " + box + "/></asset><worldbody>" + geom + "</worldbody>"));
  };
  for (const char* compiler : {"fitaabb='false'", "fitaabb='true'"}) {
    const model::ModelInput m = fitted(compiler, "<geom type='box' mesh='m' fitscale='2' pos='1 0 0'/>");
    expect_vector(m.geoms[0].size, {2, 4, 6}, 1e-9);
    expect_vector(m.geoms[0].pose.p, {3, 4, 6}, 1e-9);
    EXPECT_EQ(count_told(m, "a shape was fitted to its mesh"), 1U);
  }
  expect_vector(fitted("", "<geom type='cylinder' mesh='m'/>").geoms[0].size, {1.5, 3, 0}, 1e-9);
  expect_vector(fitted("", "<geom type='capsule' mesh='m'/>").geoms[0].size, {1.5, 2.25, 0}, 1e-9);
  expect_vector(fitted("", "<geom type='sphere' mesh='m'/>").geoms[0].size, {2, 0, 0}, 1e-9);
  expect_vector(fitted("fitaabb='true'", "<geom type='capsule' mesh='m'/>").geoms[0].size, {2, 1, 0}, 1e-9);
  expect_refused(world("<geom type='box' mesh='none'/>"), "which is not there");
}

template <class T>
void append_bytes(std::string& out, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out.append(bytes, sizeof(T));
}

/// 3 x 2 grey pixels, from the top: 10 20 30, 110 60 10.
constexpr unsigned char grey_png[] = {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44,
                                      0x52, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x02, 0x08, 0x00, 0x00, 0x00, 0x00, 0xb8,
                                      0x1f, 0x39, 0xc6, 0x00, 0x00, 0x00, 0x10, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0xe0,
                                      0x12, 0x91, 0x63, 0xc8, 0xb3, 0xe1, 0x02, 0x00, 0x03, 0x28, 0x00, 0xf1, 0xc0, 0x32, 0xde,
                                      0x14, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
/// 2 x 1 pixels of 16 bits and three colours; red: 0x0163 0x0563.
constexpr unsigned char red_png[] = {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44,
                                     0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x10, 0x02, 0x00, 0x00, 0x00, 0x2b,
                                     0xd0, 0x34, 0x9e, 0x00, 0x00, 0x00, 0x12, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x60,
                                     0x4c, 0x66, 0x07, 0x02, 0xd6, 0x64, 0x4e, 0x20, 0x00, 0x00, 0x07, 0xaf, 0x01, 0x0d, 0xe2,
                                     0x4d, 0xec, 0x3b, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

TEST(MjcfGeomsTest, PixelsOfAPngAreHeights) {
  const TemporaryFolder folder;
  const auto text_of = [](std::span<const unsigned char> bytes) { return std::string(bytes.begin(), bytes.end()); };
  folder.put("grey.png", text_of(grey_png)), folder.put("red.png", text_of(red_png));
  folder.put("cut.png", text_of(grey_png).substr(0, sizeof grey_png - 20));
  const auto load = [&](const std::string& name) {
    return load_mjcf(folder.put("m.xml", file("<asset><hfield size='1 1 1 1' file='" + name + "'/></asset>")));
  };
  const auto grey = load("grey.png"), red = load("red.png");
  ASSERT_TRUE(grey.ok()) << first_error(grey);
  ASSERT_TRUE(red.ok()) << first_error(red);
  const model::HeightFieldAsset& field = grey.value().height_fields[0];
  EXPECT_EQ(field.rows, 2);
  EXPECT_EQ(field.columns, 3);
  // 10 to 110 become 0 to 1; the lowest row of the image is the first of the field
  const std::vector<float> wanted = {1, 0.5F, 0, 0, 0.1F, 0.2F};
  EXPECT_EQ(field.heights, wanted);
  EXPECT_EQ(red.value().height_fields[0].heights, (std::vector<float>{0, 1}));
  EXPECT_EQ(count_told(red.value(), "the red values are the heights"), 1U);
  EXPECT_EQ(count_told(red.value(), "the upper 8"), 1U);
  EXPECT_NE(first_error(load("cut.png")).find("is a PNG image that cannot be read"), std::string::npos) << first_error(load("cut.png"));
}

TEST(MjcfGeomsTest, HeightsAreNormalisedFromTextAndFile) {
  const model::ModelInput m = read_good(with_asset(
      "<hfield name='h' nrow='2' ncol='3' size='1 2 3 4' elevation='5 5 5 1 2 3'/><hfield name='flat' nrow='2' ncol='2' size='1 1 1 1'/>",
      "<geom type='hfield' hfield='h'/>"));
  EXPECT_EQ(m.height_fields[0].heights, (std::vector<float>{0, .25F, .5F, 1, 1, 1}));  // the text begins with the far row
  EXPECT_EQ(m.height_fields[0].size[3], 4);
  EXPECT_EQ(m.height_fields[1].heights, (std::vector<float>(4, 0)));
  EXPECT_EQ(m.geoms[0].asset.name, "h");
  const TemporaryFolder folder;
  std::string bytes;
  append_bytes<std::int32_t>(bytes, 1), append_bytes<std::int32_t>(bytes, 2), append_bytes<float>(bytes, 7), append_bytes<float>(bytes, 9);
  folder.put("h.bin", bytes);
  folder.put("short.bin", bytes.substr(0, 12));
  folder.put("p.png", "\x89PNG\r\n\x1a\n");
  const auto load = [&](const std::string& name) {
    return load_mjcf(folder.put("m.xml", file("<asset><hfield size='1 1 1 1' file='" + name + "'/></asset>")));
  };
  EXPECT_EQ(load("h.bin").value().height_fields[0].heights, (std::vector<float>{0, 1}));
  EXPECT_NE(first_error(load("short.bin")).find("says 1 x 2 heights"), std::string::npos);
  EXPECT_NE(first_error(load("p.png")).find("is a PNG image that cannot be read"), std::string::npos);
  expect_refused(with_asset("<hfield name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='1 2 3'/>", ""), "needs 4 numbers, got 3");
  expect_refused(with_asset("<hfield name='h' nrow='2' ncol='2' size='1 1 0 1'/>", ""), "needs 4 positive numbers");
  expect_refused(with_asset("<hfield name='h' nrow='9999999' ncol='2' size='1 1 1 1'/>", ""), "at most 10000000 heights");
}

}  // namespace
}  // namespace trilith::io
