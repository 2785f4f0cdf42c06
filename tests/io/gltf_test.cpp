#include "io/gltf.h"

#include <gtest/gtest.h>

#include "geom/mass_properties.h"
#include "io/byte_writer.h"
#include "io/expect_error.h"

namespace trilith::io {
namespace {

std::string glb(std::string json, std::string binary) {
  while (json.size() % 4 != 0) json += ' ';
  while (binary.size() % 4 != 0) binary += '\0';
  std::string out = "glTF";
  put_bytes(out, std::uint32_t(2));
  put_bytes(out, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + binary.size()));
  put_bytes(out, static_cast<std::uint32_t>(json.size()));
  out += "JSON" + json;
  put_bytes(out, static_cast<std::uint32_t>(binary.size()));
  return out + std::string("BIN\0", 4) + binary;
}

MeshFile read(const std::string& bytes) {
  Result<MeshFile> result = parse_glb(bytes, "s.glb");
  EXPECT_TRUE(result.ok()) << first_error(result);
  return result.ok() ? std::move(result).value() : MeshFile{};
}

/// A tetrahedron: 12 floats, then 12 indices of 16 bits, then the same of 8 and of 32 bits, then 36 bytes of sparse changes.
const std::uint16_t corners[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};

std::string data() {
  std::string out;
  for (const float x : {0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 1.F}) put_bytes(out, x);
  for (const std::uint16_t v : corners) put_bytes(out, v);
  for (const std::uint16_t v : corners) put_bytes(out, static_cast<std::uint8_t>(v));
  for (const std::uint16_t v : corners) put_bytes(out, static_cast<std::uint32_t>(v));
  put_bytes(out, std::uint32_t(3));
  for (const float x : {0.F, 0.F, 2.F}) put_bytes(out, x);
  for (const int x : {0, 0, 0, 127, 0, 0, 0, 127, 0, 0, 0, 127}) put_bytes(out, static_cast<std::int8_t>(x));
  return out;
}

const std::string buffers =
    R"("buffers": [{"byteLength": 160}], "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24},
  {"buffer": 0, "byteOffset": 72, "byteLength": 12}, {"buffer": 0, "byteOffset": 84, "byteLength": 48}, {"buffer": 0, "byteOffset": 132, "byteLength": 4},
  {"buffer": 0, "byteOffset": 136, "byteLength": 12}, {"buffer": 0, "byteOffset": 148, "byteLength": 12}],
"accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 4}, {"bufferView": 1, "componentType": 5123, "type": "SCALAR", "count": 12},
  {"bufferView": 2, "componentType": 5121, "type": "SCALAR", "count": 12}, {"bufferView": 3, "componentType": 5125, "type": "SCALAR", "count": 12},
  {"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 4, "sparse": {"count": 1, "indices": {"bufferView": 4, "componentType": 5125}, "values": {"bufferView": 5}}},
  {"bufferView": 6, "componentType": 5120, "normalized": true, "type": "VEC3", "count": 4},
  {"componentType": 5126, "type": "VEC3", "count": 4, "sparse": {"count": 1, "indices": {"bufferView": 4, "componentType": 5125}, "values": {"bufferView": 5}}}])";

std::string scene(const std::string& nodes, const std::string& primitives, const std::string& more = "") {
  return R"({"asset": {"version": "2.0"}, )" + more + R"("nodes": )" + nodes + R"(, "meshes": [{"name": "stone", "primitives": [)" +
         primitives + "]}], " + buffers + "}";
}
std::string primitive(int positions, int indices) {
  return R"({"attributes": {"POSITION": )" + std::to_string(positions) + R"(}, "indices": )" + std::to_string(indices) + "}";
}
const std::string one_node = R"([{"mesh": 0}])";

TEST(GltfTest, YUpMetresBecomeZUp) {
  const MeshFile file = read(glb(scene(one_node, primitive(0, 1)), data()));
  ASSERT_EQ(file.objects.size(), 1U);
  EXPECT_EQ(file.objects[0].name, "stone");
  EXPECT_EQ(file.objects[0].where, "s.glb:/nodes/0");
  EXPECT_TRUE(file.in_metres);
  const geom::Mesh& mesh = file.objects[0].mesh;
  EXPECT_EQ(mesh.vertices[2].z, 1);   // y
  EXPECT_EQ(mesh.vertices[3].y, -1);  // z
  EXPECT_NEAR(geom::measure_volume(mesh), 1.0 / 6, 1e-15);
  ASSERT_EQ(file.warnings.size(), 1U);
  EXPECT_NE(file.warnings[0].what.find("turned to z-up"), std::string::npos);
}

TEST(GltfTest, AllComponentTypesAndSparseChangesAreRead) {
  for (const int indices : {1, 2, 3})
    EXPECT_NEAR(geom::measure_volume(read(glb(scene(one_node, primitive(0, indices)), data())).objects[0].mesh), 1.0 / 6, 1e-15);
  EXPECT_NEAR(geom::measure_volume(read(glb(scene(one_node, primitive(4, 1)), data())).objects[0].mesh), 2.0 / 6, 1e-15);
  EXPECT_NEAR(geom::measure_volume(read(glb(scene(one_node, primitive(5, 1)), data())).objects[0].mesh), 1.0 / 6, 1e-15);
  // without a view the points are zero but for the change
  EXPECT_EQ(read(glb(scene(one_node, primitive(6, 1)), data())).objects[0].mesh.vertices.size(), 2U);
}

TEST(GltfTest, NodesMoveWithTheirParentsAndEachIsABlock) {
  const std::string nodes = R"([{"translation": [10, 0, 0], "rotation": [0, 0, 0.7071067811865476, 0.7071067811865476], "children": [1, 2]},
    {"mesh": 0, "translation": [0, 2, 0], "scale": [2, 2, 2], "name": "a"}, {"mesh": 0, "matrix": [-1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,5,1], "name": "a"}])";
  const MeshFile file = read(glb(scene(nodes, primitive(0, 1)), data()));
  ASSERT_EQ(file.objects.size(), 2U);
  EXPECT_EQ(file.objects[0].name, "a");
  EXPECT_EQ(file.objects[1].name, "a.2");
  // a quarter turn about z takes (0, 2, 0) to (-2, 0, 0)
  EXPECT_NEAR(file.objects[0].mesh.vertices[0].x, 8, 1e-15);
  EXPECT_NEAR(geom::measure_volume(file.objects[0].mesh), 8.0 / 6, 1e-14);
  // a mirror keeps its faces outward
  EXPECT_NEAR(geom::measure_volume(file.objects[1].mesh), 1.0 / 6, 1e-14);
  EXPECT_NEAR(file.objects[1].mesh.vertices[0].y, -5, 1e-15);
}

TEST(GltfTest, OnlyTheShownSceneIsRead) {
  const std::string nodes = R"([{"mesh": 0, "name": "a"}, {"mesh": 0, "name": "b"}])";
  const MeshFile file = read(glb(scene(nodes, primitive(0, 1), R"("scene": 1, "scenes": [{"nodes": [0]}, {"nodes": [1]}], )"), data()));
  ASSERT_EQ(file.objects.size(), 1U);
  EXPECT_EQ(file.objects[0].name, "b");
}

TEST(GltfTest, StripsFansAndSoupsAreTriangles) {
  const auto faces = [](const std::string& mode) {
    const std::string soup = R"({"attributes": {"POSITION": 0}, "mode": )" + mode + "}";
    return read(glb(scene(one_node, soup), data())).objects[0].mesh;
  };
  EXPECT_EQ(faces("5").face_count(), 2U);
  EXPECT_EQ(faces("5").face(1)[0], faces("6").face(1)[2] == 3U ? 1U : 0U);
  EXPECT_EQ(faces("6").face_count(), 2U);
  EXPECT_EQ(faces("6").face(1)[0], 0U);
  EXPECT_EQ(faces("4").face_count(), 1U);
  const MeshFile lines = read(glb(scene(one_node, primitive(0, 1) + R"(, {"attributes": {"POSITION": 0}, "mode": 1})"), data()));
  EXPECT_EQ(lines.objects[0].mesh.face_count(), 4U);
  EXPECT_NE(lines.warnings[0].what.find("points and lines left out"), std::string::npos);
}

TEST(GltfTest, ATextSceneHoldsItsBuffersAsDataUris) {
  // three points and no indices: base64 of nine floats
  const std::string text =
      R"({"asset": {"version": "2.0"}, "nodes": [{"mesh": 0}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}], "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}]})";
  const Result<Json> json = parse_json(text, "s.gltf");
  ASSERT_TRUE(json.ok() && is_gltf_json(json.value()));
  const Result<MeshFile> file = parse_gltf(json.value(), "s.gltf");
  ASSERT_TRUE(file.ok()) << first_error(file);
  EXPECT_EQ(file.value().objects[0].name, "node_0");
  EXPECT_EQ(file.value().objects[0].mesh.vertices[2].z, 1);
}

TEST(GltfTest, WhatDoesNotFitIsRefusedByItsPath) {
  const auto refuse = [](const std::string& json, const std::string& where, const std::string& what) {
    expect_error(parse_glb(glb(json, data()), "s.glb"), where, what);
  };
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string json = scene(one_node, primitive(0, 1));
    json.replace(json.find(from), from.size(), to);
    return json;
  };
  refuse(changed("\"2.0\"", "\"1.0\""), "s.glb:/asset", "another version than 2");
  refuse(changed("\"mesh\": 0", "\"mesh\": 7"), "s.glb:/nodes/0/mesh", "index 7 is out of range");
  refuse(changed("\"byteLength\": 160", "\"byteLength\": 1e11"), "s.glb:/buffers/0/byteLength", "and has 160");
  refuse(changed("\"byteLength\": 48", "\"byteLength\": 480"), "s.glb:/bufferViews/0", "lie outside a buffer of 160");
  refuse(changed("\"count\": 4", "\"count\": 5"), "s.glb:/accessors/0", "5 elements do not fit into the 48 bytes");
  refuse(changed("\"count\": 4", "\"count\": 4000000000"), "s.glb:/accessors/0", "do not fit");
  refuse(changed("\"VEC3\"", "\"VEC2\""), "s.glb:/accessors/0", "type VEC3");
  refuse(changed("5126", "5124"), "s.glb:/accessors/0", "known componentType");
  refuse(changed("\"byteLength\": 48}", "\"byteLength\": 36}"), "s.glb:/accessors/0", "do not fit");
  refuse(scene(one_node, primitive(0, 9)), "s.glb:/meshes/0/primitives/0/indices", "index 9 is out of range");
  refuse(scene(R"([{"mesh": 0, "children": [0]}])", primitive(0, 1), R"("scenes": [{"nodes": [0]}], )"), "s.glb:/nodes/0",
         "its own descendant");
  refuse(scene(R"([{"mesh": 0, "matrix": [1,0,0,1, 0,1,0,0, 0,0,1,0, 0,0,0,1]}])", primitive(0, 1)), "s.glb:/nodes/0/matrix", "not affine");
  refuse(scene(R"([{"mesh": 0, "rotation": [0,0,0,0]}])", primitive(0, 1)), "s.glb:/nodes/0/rotation", "no unit quaternion");
  refuse(scene(one_node, primitive(0, 1), R"("extensionsRequired": ["KHR_draco_mesh_compression"], )"), "s.glb:/extensionsRequired/0",
         "needs the extension");
  refuse(changed("{\"byteLength\": 160}", R"({"byteLength": 4, "uri": "stones.bin"})"), "s.glb:/buffers/0/uri", "lies outside the file");
  refuse(scene("[{}]", primitive(0, 1)), "s.glb:/", "no node with a mesh");
}

TEST(GltfTest, LyingHeadersAreRefused) {
  const std::string good = glb(scene(one_node, primitive(0, 1)), data());
  const auto refuse = [](const std::string& bytes, const std::string& what) { expect_error(parse_glb(bytes, "s.glb"), "s.glb", what); };
  refuse(good.substr(0, 10), "was cut off");
  refuse(good.substr(0, good.size() - 4), "was cut off");
  std::string bytes = good;
  bytes[4] = 1;
  refuse(bytes, "GLB version 1");
  bytes = good;
  bytes.replace(12, 4, "\xff\xff\xff\x7f");
  refuse(bytes, "chunk 0 is longer than the file");
  bytes = good;
  bytes[16] = 'X';
  refuse(bytes, "does not begin with its JSON");
  bytes = good;
  bytes[20] = '?';
  expect_error(parse_glb(bytes, "s.glb"), "s.glb:json:1:1", "not JSON");
}

TEST(GltfTest, ManyNodesAreRead) {
  std::string nodes = "[";
  for (int i = 0; i < 20000; ++i) nodes += "{},";
  EXPECT_TRUE(parse_glb(glb(scene(nodes + R"({"mesh": 0}])", primitive(0, 1)), data()), "s.glb").ok());
}

}  // namespace
}  // namespace trilith::io
