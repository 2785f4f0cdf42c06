#include <gtest/gtest.h>

#include <cmath>

#include "io/assembly_json.h"
#include "io/byte_writer.h"
#include "io/compas_json.h"
#include "io/obj.h"
#include "io/read_mesh.h"
#include "support/random.h"

// Damaged files: every reader answers with a value whose numbers are finite, or with errors that say where. Never a crash.
namespace trilith::io {
namespace {

constexpr char obj_text[] =
    "# two blocks\no lower\nv 0 0 0\nv 1.5 0 0\nv 0 1e0 0 1\nv 0 0 1\nf 1 3 2\nf 1/1 2/2 4\nf 2//1 3 4\nf -4 -1 \\\n -2\no upper\nv 0 0 "
    "2\nv 1 0 2\nv 0 1 2\nf "
    "-3 -2 -1\nl 1 2\n";
constexpr char assembly_text[] =
    R"({"schema": "trilith.assembly/1", "units": "mm", "gravity": [0, 0, -9.8], "friction": 0.8, "density": {"a": 2e3}, "blocks": [
 {"id": "a", "vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "faces": [[0,2,1],[0,1,3],[1,2,3],[0,3,2]], "fixed": true}, {"id": "b", "vertices": [], "faces": []}],
 "interfaces": [{"a": "a", "b": "b", "polygon": [[0,0,0],[1,0,0],[1,1,0]], "friction": 0.6, "normal": [0,0,1], "t1": [1,0,0]}]})";
constexpr char compas_text[] =
    R"({"dtype": "a/Assembly", "data": {"graph": {"data": {"node": {"1": {"block": {"data": {"vertex": {"0": {"x": 0, "y": 0, "z": 0}, "4": {"x": 1, "y": 0, "z": 0},
 "2": {"x": 0, "y": 1, "z": 0}}, "face": {"0": [0, 4, 2]}}}, "is_support": true}}, "edge": {"1": {"1": {"interfaces": [{"data": {"points": [[0,0,0],[1,0,0],[0,1,0]],
 "frame": {"data": {"xaxis": [1,0,0], "yaxis": [0,1,0]}}}}]}}}}}}})";

// words that break number and text parsers
constexpr std::string_view hostile[] = {
    "nan", "1e400", "-0", "99999999999999999999", "\xff", "\\", "\"", "\n", "{", "]", "\\u0000", "#", "null", "o ", "f ", "v ", "/", "-1"};

std::string mutate(std::string text, test::Random& random) {
  for (std::uint64_t k = 0; k < 1 + random.index(4); ++k) {
    const std::size_t at = random.index(text.size() + 1);
    switch (random.index(5)) {
      case 0:
        text.resize(at);
        break;
      case 1:
        text.insert(at, hostile[random.index(std::size(hostile))]);
        break;
      case 2:
        text.erase(at, random.index(6));
        break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(random.index(256));
        break;
      default:
        text.insert(at, text.substr(random.index(text.size() + 1), random.index(40)));
    }
  }
  return text;
}

void expect_finite(const std::vector<Vec3d>& points) {
  for (const Vec3d& p : points) EXPECT_TRUE(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
}

void expect_sound(const geom::Mesh& mesh) {
  expect_finite(mesh.vertices);
  EXPECT_EQ(mesh.face_start.back(), mesh.face_vertex.size());
  for (std::size_t f = 0; f < mesh.face_count(); ++f) EXPECT_GE(mesh.face(f).size(), 3U);
  for (const std::uint32_t v : mesh.face_vertex) EXPECT_LT(v, mesh.vertices.size());
}

template <class T>
void expect_told(const Result<T>& result) {
  EXPECT_FALSE(result.errors().empty());
  EXPECT_LE(result.errors().size(), max_errors);
  for (const Error& error : result.errors()) EXPECT_FALSE(error.what.empty() || error.where.empty());
}

void expect_sound(const Result<model::AssemblyInput>& result) {
  if (!result) return expect_told(result);
  const model::AssemblyInput& input = result.value();
  for (const auto& number : {input.friction, input.density}) EXPECT_TRUE(!number || std::isfinite(*number));
  for (const model::BlockInput& block : input.blocks) expect_sound(block.mesh);
  if (!input.interfaces) return;
  for (const model::InterfaceInput& patch : *input.interfaces) {
    EXPECT_GE(patch.polygon.size(), 3U);
    expect_finite(patch.polygon);
  }
}

constexpr int mutations = 2000;

TEST(MutationTest, DamagedObjFilesAreReadOrRefused) {
  test::Random random(11);
  int good = 0;
  for (int i = 0; i < mutations; ++i) {
    const Result<MeshFile> result = parse_obj(mutate(obj_text, random), "m.obj");
    if (!result) {
      expect_told(result);
      continue;
    }
    ++good;
    for (const MeshObject& object : result.value().objects) expect_sound(object.mesh);
  }
  EXPECT_GT(good, mutations / 10);  // both sides are met
  EXPECT_LT(good, mutations * 9 / 10);
}

TEST(MutationTest, DamagedJsonFilesAreReadOrRefused) {
  test::Random random(12);
  int good = 0;
  for (int i = 0; i < mutations; ++i) {
    const bool compas = random.coin();
    const Result<Json> json = parse_json(mutate(compas ? compas_text : assembly_text, random), "m.json");
    if (!json) {
      expect_told(json);
      continue;
    }
    const Result<model::AssemblyInput> result =
        is_compas_json(json.value()) ? parse_compas_json(json.value(), "m.json") : parse_assembly_json(json.value(), "m.json", nullptr);
    expect_sound(result);
    good += result.ok() ? 1 : 0;
  }
  EXPECT_GT(good, mutations / 50);
}

constexpr char stl_text[] =
    "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet\nfacet normal 0 0 1\nouter loop\n"
    "vertex 0 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid a\n";
constexpr char ply_text[] =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\nelement face 2\n"
    "property list uchar int vertex_indices\nend_header\n0 0 0 1\n1 0 0 2\n0 1 0 3\n0 0 1 4\n3 0 2 1\n4 0 1 2 3\n";
constexpr char gltf_text[] =
    R"({"asset": {"version": "2.0"}, "nodes": [{"mesh": 0, "rotation": [0, 0, 0, 1]}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
 "buffers": [{"byteLength": 36, "uri": "data:a;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}], "bufferViews": [{"buffer": 0, "byteLength": 36}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}]})";

/// The same triangle in a binary STL, PLY or GLB.
std::string binary_text(std::uint64_t kind) {
  std::string out;
  if (kind == 0) {
    out.assign(80, 'h');
    put_bytes(out, std::uint32_t(2));
    for (int i = 0; i < 2; ++i) {
      for (const float x : {0.F, 0.F, 0.F, 0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 1.F, 0.F}) put_bytes(out, x);
      put_bytes(out, std::uint16_t(0));
    }
  } else if (kind == 1) {
    out =
        "ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n"
        "property list uchar ushort vertex_indices\nend_header\n";
    for (const float x : {0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 1.F, 0.F}) put_bytes(out, x, std::endian::big);
    out += '\3';
    for (const std::uint16_t v : {0, 1, 2}) put_bytes(out, v, std::endian::big);
  } else {
    const std::string json = gltf_text;
    out = "glTF";
    put_bytes(out, std::uint32_t(2));
    put_bytes(out, static_cast<std::uint32_t>(20 + json.size()));
    put_bytes(out, static_cast<std::uint32_t>(json.size()));
    out += "JSON" + json;
  }
  return out;
}

TEST(MutationTest, DamagedMeshFilesAreReadOrRefused) {
  test::Random random(14);
  int good = 0;
  for (int i = 0; i < 3 * mutations; ++i) {
    const std::uint64_t kind = random.index(6);
    const std::string text = kind < 3 ? binary_text(kind) : kind == 3 ? stl_text : kind == 4 ? ply_text : gltf_text;
    const Result<MeshFile> result = read_mesh(mutate(text, random), kind % 5 == 0 || kind == 3 ? "m.stl" : "m.ply");
    if (!result) {
      expect_told(result);
      continue;
    }
    ++good;
    for (const MeshObject& object : result.value().objects) expect_sound(object.mesh);
  }
  EXPECT_GT(good, mutations / 10);
}

// values replaced by values of another type, which text damage seldom reaches
void replace_somewhere(Json& json, test::Random& random) {
  const Json others[] = {Json(), true, -1e300, "x", Json::Array{1, 2}, Json::Object{{"x", 1}}};
  if (Json::Array* items = json.array(); items != nullptr && !items->empty() && random.index(8) != 0)
    return replace_somewhere((*items)[random.index(items->size())], random);
  if (Json::Object* members = json.object(); members != nullptr && !members->empty() && random.index(8) != 0)
    return replace_somewhere((*members)[random.index(members->size())].second, random);
  json = others[random.index(std::size(others))];
}

TEST(MutationTest, ValuesOfAnotherTypeAreReadOrRefused) {
  test::Random random(13);
  for (int i = 0; i < mutations; ++i) {
    const bool compas = random.coin();
    Json json = parse_json(compas ? compas_text : assembly_text, "m.json").value();
    replace_somewhere(json, random);
    expect_sound(compas ? parse_compas_json(json, "m.json") : parse_assembly_json(json, "m.json", nullptr));
  }
}

}  // namespace
}  // namespace trilith::io
