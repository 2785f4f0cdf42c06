#include "io/compas_json.h"

#include <gtest/gtest.h>

#include "geom/mass_properties.h"
#include "geom/mesh_diagnosis.h"
#include "io/compas_data.h"
#include "io/expect_error.h"

namespace trilith::io {
namespace {

Result<model::AssemblyInput> parse(const std::string& text) {
  Result<Json> json = parse_json(text, "c.json");
  EXPECT_TRUE(json.ok()) << first_error(json);
  if (!json) return json.errors();
  EXPECT_TRUE(is_compas_json(json.value())) << text.substr(0, 80);
  return parse_compas_json(json.value(), "c.json");
}

model::AssemblyInput read(const std::string& text) {
  Result<model::AssemblyInput> result = parse(text);
  EXPECT_TRUE(result.ok()) << first_error(result);
  return result.ok() ? std::move(result).value() : model::AssemblyInput{};
}

// sparse vertex keys, faces and vertices out of order
const std::string mesh_data =
    R"({"vertex": {"12": {"x": 0, "y": 0, "z": 1.5}, "3": {"x": 0, "y": 0, "z": 0}, "7": {"y": 0, "x": 1, "z": 0}, "9": {"x": 0, "y": 1, "z": 0}},
  "face": {"10": [3, 9, 7], "2": [3, 7, 12], "5": [7, 9, 12], "6": [3, 12, 9]}, "max_vertex": 12})";
const std::string block = R"({"dtype": "compas_assembly.datastructures/Block", "data": )" + mesh_data + "}";

std::string assembly(const std::string& nodes, const std::string& edges = "{}", const std::string& defaults = "{}",
                     const std::string& dtype = "compas_assembly.datastructures/Assembly") {
  return R"({"dtype": ")" + dtype +
         R"(", "data": {"attributes": {"name": "A"}, "graph": {"dtype": "compas.datastructures/Graph", "data": {"node": )" + nodes +
         R"(, "edge": )" + edges + R"(, "default_node_attributes": )" + defaults + R"(}}}, "guid": "x"})";
}
const std::string two_nodes = R"({"1": {"block": )" + block + R"(}, "0": {"block": )" + block + R"(, "is_support": true}})";

TEST(CompasJsonTest, BlocksAreTheNodesInNumericalOrder) {
  std::string nodes = "{";
  for (const char* key : {"10", "2", "1", "0", "9"}) nodes.append("\"").append(key).append("\": {\"block\": ").append(block).append("},");
  nodes += "\"'key'\": {\"block\": " + block + "}}";
  const model::AssemblyInput input = read(assembly(nodes));
  std::vector<std::string> ids;
  ids.reserve(input.blocks.size());
  for (const model::BlockInput& b : input.blocks) ids.push_back(b.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"0", "1", "2", "9", "10", "key"}));
  EXPECT_EQ(input.blocks[4].where, "c.json:/data/graph/data/node/10");
  EXPECT_FALSE(input.interfaces.has_value());
  EXPECT_FALSE(input.unit.has_value());
}

TEST(CompasJsonTest, SparseVertexKeysAreMapped) {
  const geom::Mesh mesh = read(assembly(two_nodes)).blocks[0].mesh;
  ASSERT_EQ(mesh.vertices.size(), 4U);
  EXPECT_EQ(mesh.vertices[1].x, 1);    // key 7
  EXPECT_EQ(mesh.vertices[3].z, 1.5);  // key 12
  ASSERT_EQ(mesh.face_count(), 4U);
  EXPECT_EQ((std::vector<std::uint32_t>{mesh.face(0).begin(), mesh.face(0).end()}), (std::vector<std::uint32_t>{0, 1, 3}));  // face "2"
  EXPECT_EQ((std::vector<std::uint32_t>{mesh.face(3).begin(), mesh.face(3).end()}), (std::vector<std::uint32_t>{0, 2, 1}));  // face "10"
}

TEST(CompasJsonTest, BothSpellingsOfTheTypeAreRead) {
  for (const char* type :
       {"compas_assembly.datastructures/Assembly", "compas_cra.datastructures/CRA_Assembly", "compas_cra.datastructures/Assembly"})
    EXPECT_EQ(read(assembly(two_nodes, "{}", "{}", type)).blocks.size(), 2U);
  // a bare graph, as later versions write it
  EXPECT_EQ(read(R"({"dtype": "compas_dem.models/Assembly", "data": {"graph": {"node": )" + two_nodes + "}}}").blocks.size(), 2U);
}

TEST(CompasJsonTest, SupportsComeFromTheNodeTheBlockOrTheDefault) {
  const std::string plain = R"({"block": )" + block + "}";
  const std::string by_block = R"({"block": {"data": {"attributes": {"is_support": true}, )" + mesh_data.substr(1) + "}}";
  const model::AssemblyInput input = read(assembly(R"({"0": )" + plain + R"(, "1": )" + by_block + R"(, "2": {"is_support": false, )" +
                                                   by_block.substr(1) + R"(, "3": {"is_support": null, )" + plain.substr(1) + "}"));
  EXPECT_FALSE(input.blocks[0].fixed);
  EXPECT_TRUE(input.blocks[1].fixed);
  EXPECT_FALSE(input.blocks[2].fixed);
  EXPECT_FALSE(input.blocks[3].fixed);
  EXPECT_TRUE(read(assembly(R"({"0": )" + plain + "}", "{}", R"({"is_support": true})")).blocks[0].fixed);
  expect_error(parse(assembly(R"({"0": {"is_support": 1, )" + plain.substr(1) + "}")), "c.json:/data/graph/data/node/0/is_support",
               "must be true or false");
}

const std::string patch =
    R"({"dtype": "compas_assembly.datastructures/Interface", "data": {"points": [[0,0,1],[0,1,1],[1,1,1],[1,0,1]], "size": 1.0,
  "frame": {"dtype": "compas.geometry/Frame", "data": {"point": [0,0,1], "xaxis": [1,0,0], "yaxis": [0,1,0]}}, "forces": null}})";

TEST(CompasJsonTest, InterfacesOfEdgesAreRead) {
  const model::AssemblyInput input = read(assembly(two_nodes, R"({"0": {"1": {"interfaces": [)" + patch + "," + patch + "]}}, \"1\": {}}"));
  ASSERT_TRUE(input.interfaces.has_value());
  ASSERT_EQ(input.interfaces->size(), 2U);
  const model::InterfaceInput& first = input.interfaces->front();
  EXPECT_EQ(first.a, "0");
  EXPECT_EQ(first.b, "1");
  EXPECT_EQ(first.polygon.size(), 4U);
  EXPECT_EQ(first.t1->x, 1);
  EXPECT_EQ(first.normal->z, 1);
  EXPECT_EQ(first.where, "c.json:/data/graph/data/edge/0/1/interfaces/0");
  EXPECT_TRUE(input.warnings.empty());
}

TEST(CompasJsonTest, TheOlderSingleInterfaceIsRead) {
  const model::AssemblyInput input = read(assembly(two_nodes, R"({"0": {"1": {"interface": )" + patch + "}}}"));
  ASSERT_TRUE(input.interfaces.has_value());
  EXPECT_EQ(input.interfaces->front().where, "c.json:/data/graph/data/edge/0/1/interface");
}

TEST(CompasJsonTest, EdgesWithoutPolygonsLeaveTheInterfacesToBeFound) {
  EXPECT_FALSE(read(assembly(two_nodes, R"({"0": {"1": {"interfaces": null}}, "1": {"0": {}}})")).interfaces.has_value());
  EXPECT_FALSE(read(assembly(two_nodes, R"({"0": {"1": {"interfaces": []}}})")).interfaces.has_value());
}

TEST(CompasJsonTest, StoredForcesAreLeftOutWithOneWarning) {
  std::string loaded = patch;
  loaded.replace(loaded.find("\"forces\": null"), 14, R"("forces": [{"c_np": 1}])");
  const model::AssemblyInput input = read(assembly(two_nodes, R"({"0": {"1": {"interfaces": [)" + loaded + "," + loaded + "]}}}"));
  ASSERT_EQ(input.warnings.size(), 1U);
  EXPECT_EQ(input.warnings[0].what, "forces stored with the interfaces are left out");
}

TEST(CompasJsonTest, UnknownNodeAttributesAreTold) {
  const model::AssemblyInput input = read(assembly(R"({"0": {"colour": 1, "section": null, "block": )" + block + "}}"));
  ASSERT_EQ(input.warnings.size(), 1U);
  EXPECT_EQ(input.warnings[0].where, "c.json:/data/graph/data/node/0/colour");
}

TEST(CompasJsonTest, BadBlocksAreRefusedByTheirPath) {
  const std::string at = "c.json:/data/graph/data/node/0";
  const auto one = [](const std::string& data) { return assembly(R"({"0": {"block": {"data": )" + data + "}}}"); };
  expect_error(parse(assembly(R"({"0": {"block": null}})")), at, "node without a block");
  expect_error(parse(one("{}")), at + "/block/data", "needs \"vertex\" and \"face\"");
  expect_error(parse(one(R"({"vertex": [], "face": {}})")), at + "/block/data/vertex", "must be an object");
  const std::string three = R"("vertex": {"0": {"x":0,"y":0,"z":0}, "1": {"x":1,"y":0,"z":0}, "2": {"x":0,"y":1,"z":0}})";
  expect_error(parse(one("{" + three + R"(, "face": {"4": [0, 1, 5]}})")), at + "/block/data/face/4/2", "the block has no vertex 5");
  expect_error(parse(one("{" + three + R"(, "face": {"4": [0, 1]}})")), at + "/block/data/face/4", "at least 3 corners");
  expect_error(parse(one("{" + three + R"(, "face": {"4": [0, 1, true]}})")), at + "/block/data/face/4/2", "must be a number");
  expect_error(parse(one("{" + three + R"(, "face": {"4": [0, 1, "b"]}})")), at + "/block/data/face/4/2", "has no vertex \"b\"");
  expect_error(parse(one(R"({"vertex": {"1": {"x":0,"y":0,"z":0}, "01": {"x":0,"y":0,"z":0}}, "face": {}})")), at + "/block/data/vertex/01",
               "twice");
  expect_error(parse(one(R"({"vertex": {"0": {"x":0,"y":0}}, "face": {}})")), at + "/block/data/vertex/0", "vertex without z");
  expect_error(parse(one(R"({"vertex": {"0": {"x":0,"y":0,"z":"nan"}}, "face": {}})")), at + "/block/data/vertex/0/z", "must be a number");
  EXPECT_TRUE(parse(one(R"({"default_vertex_attributes": {"z": 4}, "vertex": {"0": {"x":0,"y":0}}, "face": {}})")).ok());
}

TEST(CompasJsonTest, BadInterfacesAreRefusedByTheirPath) {
  const std::string at = "c.json:/data/graph/data/edge/0/1/interfaces";
  const auto one = [](const std::string& list) { return assembly(two_nodes, R"({"0": {"1": {"interfaces": )" + list + "}}}"); };
  expect_error(parse(one("{}")), at, "without \"points\"");
  expect_error(parse(one(R"([{"data": {}}])")), at + "/0/data", "without \"points\"");
  expect_error(parse(one(R"([{"points": [[0,0,0],[1,0,0]]}])")), at + "/0/points", "at least 3 points");
  expect_error(parse(one(R"([{"points": [[0,0,0],[1,0,0],[0,1,0]], "frame": {"xaxis": [1,0,0]}}])")), at + "/0/frame",
               "needs \"xaxis\" and \"yaxis\"");
}

TEST(CompasJsonTest, WhatIsNotReadIsRefusedByName) {
  expect_error(parse(R"({"dtype": "compas.datastructures/Mesh", "data": {}})"), "c.json:/dtype",
               "is a COMPAS \"compas.datastructures/Mesh\", not an assembly");
  expect_error(parse(R"({"dtype": "compas_model.elements/PlateElement", "data": {"thickness": 1}})"), "c.json:/dtype", "PlateElement");
  expect_error(parse(R"({"dtype": 3, "data": {}})"), "c.json:/dtype", "must be a text");
  expect_error(parse(R"({"dtype": "a/Assembly"})"), "c.json:/", "without data/graph");
  expect_error(parse(R"({"dtype": "a/Assembly", "data": {"graph": {"data": {}}}})"), "c.json:/data/graph/data", "no \"node\"");
  // a list of the wrong things is told once
  const Result<model::AssemblyInput> lines =
      parse(R"([{"dtype": "compas.geometry/Line", "data": {}}, {"dtype": "compas.geometry/Line", "data": {}}])");
  expect_error(lines, "c.json:/0", "is a COMPAS \"compas.geometry/Line\"; blocks are read from meshes");
  EXPECT_EQ(lines.errors().size(), 1U);
}

TEST(CompasJsonTest, OurOwnFilesAreNotTakenForCompas) {
  for (const char* text : {R"({"blocks": [], "friction": 1})", "[]", "[1]", "3", R"({"data": 1})"})
    EXPECT_FALSE(is_compas_json(parse_json(text, "").value()));
}

// the same two blocks and their interface in every layout that COMPAS has had
class CompasVersionTest : public ::testing::Test {
 protected:
  const std::string points = "[[0, 0, 1], [1, 0, 1], [0, 1, 1]]";
  const std::string frame = R"({"point": [0, 0, 1], "xaxis": [1, 0, 0], "yaxis": [0, 1, 0]})";

  static std::string typed(const std::string& type, const std::string& inner, const std::string& key) {
    return R"({"dtype": ")" + type + R"(", ")" + key + R"(": )" + inner + "}";
  }
  static void expect_pair(const model::AssemblyInput& input) {
    ASSERT_EQ(input.blocks.size(), 2U);
    EXPECT_EQ(input.blocks[0].id, "0");
    EXPECT_EQ(input.blocks[1].id, "1");
    EXPECT_TRUE(input.blocks[0].fixed);
    EXPECT_FALSE(input.blocks[1].fixed);
    for (const model::BlockInput& b : input.blocks) {
      EXPECT_EQ(b.mesh.face_count(), 4U);
      EXPECT_EQ(b.mesh.vertices[3].z, 1.5);
    }
    ASSERT_TRUE(input.interfaces.has_value());
    ASSERT_EQ(input.interfaces->size(), 1U);
    const model::InterfaceInput& face = input.interfaces->front();
    EXPECT_EQ(face.a + face.b, "01");
    EXPECT_EQ(face.polygon.size(), 3U);
    EXPECT_EQ(face.polygon[1].x, 1);
    ASSERT_TRUE(face.normal && face.t1);
    EXPECT_EQ(face.normal->z, 1);
    EXPECT_EQ(face.t1->x, 1);
  }
};

TEST_F(CompasVersionTest, Version1IsABareGraphWithValues) {
  const std::string old = typed("compas_assembly.datastructures/Block", mesh_data, "value");
  const std::string contact_patch = typed("compas_assembly.datastructures/Interface",
                                          R"({"points": )" + points + R"(, "type": "face_face", "size": 0.5, "forces": null, "frame": )" +
                                              typed("compas.geometry/Frame", frame, "value") + "}",
                                          "value");
  const std::string graph = R"({"attributes": {"name": "Network"}, "dna": {"block": null}, "dea": {"interface": null},
    "node": {"1": {"block": )" +
                            old + R"(}, "0": {"x": 1, "is_support": true, "block": )" + old + R"(}},
    "edge": {"0": {"1": {"interface": )" +
                            contact_patch + R"(}}, "1": {}}, "adjacency": {}, "max_node": -1})";
  expect_pair(read(graph));
  expect_pair(read(typed("compas.datastructures/Network", graph, "value")));
  expect_pair(read(R"({"graph": )" + graph + R"(, "attributes": {"name": "Assembly"}})"));
}

TEST_F(CompasVersionTest, TheDatatypeOfTheZeroVersionsIsLookedThrough) {
  const std::string inner = R"({"compas": "0.18.1", "datatype": "compas_assembly.datastructures/Block", "data": )" + mesh_data + "}";
  const std::string old = typed("compas_assembly.datastructures/Block", inner, "value");
  const model::AssemblyInput input = read("[[" + old + "], [" + old + "]]");
  ASSERT_EQ(input.blocks.size(), 2U);
  EXPECT_EQ(input.blocks[1].mesh.face_count(), 4U);
  EXPECT_EQ(input.blocks[1].where, "c.json:/1/0");
}

TEST_F(CompasVersionTest, TheOldestKeepBlocksBesideTheGraph) {
  // keys of corners are texts, edges hold the parts of their interface; nodes are "vertex" before they are "node"
  const std::string texts =
      R"({"vertex": {"12": {"x": 0, "y": 0, "z": 1.5}, "3": {"x": 0, "y": 0, "z": 0}, "7": {"y": 0, "x": 1, "z": 0}, "9": {"x": 0, "y": 1, "z": 0}},
  "face": {"10": ["3", "9", "7"], "2": ["3", "7", "12"], "5": ["7", "9", "12"], "6": ["3", "12", "9"]}, "max_int_key": 12})";
  const std::string edge = R"({"interface_points": )" + points +
                           R"(, "interface_uvw": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "interface_origin": [0, 0, 1], "interface_size": 0.5,
      "interface_type": "face_face", "interface_forces": null})";
  for (const std::string node : {"node", "vertex"})
    // NOLINTBEGIN(performance-inefficient-string-concatenation)
    expect_pair(read(R"({"assembly": {"attributes": {}, ")" + node + R"(": {"1": {"x": 0}, "0": {"is_support": true}}, "dva": {},
      "edge": {"0": {"1": )" +
                     edge + R"(}}, "max_int_key": 1}, "blocks": {"1": )" + texts + R"(, "0": )" + texts + "}}"));
  // NOLINTEND(performance-inefficient-string-concatenation)
}

TEST_F(CompasVersionTest, BlockModelsKeepTheirElementsByGuid) {
  const auto element = [&](const std::string& more) {
    return typed("compas_dem.elements/Block",
                 R"({"transformation": null, "features": [], "name": "Block", "material": "m", "geometry": )" + block + more + "}", "data");
  };
  const std::string point = R"({"dtype": "compas.geometry/Point", "data": )";
  const std::string contact =
      typed("compas_dem.interactions/FrictionContact",
            R"({"points": [)" + point + "[0, 0, 1]}, " + point + "[1, 0, 1]}, " + point +
                R"({"x": 0, "y": 1, "z": 1}}], "forces": [], "frame": )" + typed("compas.geometry/Frame", frame, "data") + "}",
            "data");
  const std::string model = typed("compas_dem.models/BlockModel",
                                  R"({"transformation": null, "elements": {"guid-b": )" + element("") + R"(, "guid-a": )" +
                                      element(R"(, "is_support": true)") + R"(},
      "materials": {"m": {"dtype": "compas_dem.material/Stone", "data": {"density": 2000}}},
      "tree": {"root": {"name": "root", "children": [{"element": "guid-a"}, {"element": "guid-b"}]}},
      "graph": {"node": {"0": {"element": "guid-a"}, "1": {"element": "guid-b"}}, "edge": {"0": {"1": {"contacts": [)" +
                                      contact + "]}}}}}",
                                  "data");
  const model::AssemblyInput input = read(model);
  expect_pair(input);
  EXPECT_EQ(input.blocks[1].density, 2000);

  // a problem holds a model, its friction, and supports as prescribed motions
  const model::AssemblyInput problem = read(typed("compas_dem.problem/Problem", R"({"model": )" + model + R"(,
      "contact_properties": {"dtype": "c/ContactProperties", "data": {"contact_model": {"dtype": "c/MohrCoulomb", "data": {"mu": 0.5, "c": null}}}},
      "boundary_conditions": {"dtype": "b/BoundaryConditions", "data": {"point_loads": [{"block_index": 0}],
        "displacements": [{"block_index": 1, "translation": [0, 0, 0], "rotation": [0, 0, 0]}]}}})",
                                                  "data"));
  EXPECT_EQ(problem.friction, 0.5);
  EXPECT_TRUE(problem.blocks[1].fixed);
  ASSERT_EQ(problem.warnings.size(), 1U);
  EXPECT_EQ(problem.warnings[0].what, "\"point_loads\" left out: only weight is carried");
}

TEST_F(CompasVersionTest, ElementsMoveWithTheirGroupsAndTheModel) {
  const auto shift = [](const std::string& x) {
    return R"({"dtype": "compas.geometry/Transformation", "data": {"matrix": [[0, -1, 0, )" + x +
           R"(], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}})";
  };
  const model::AssemblyInput input =
      read(R"({"dtype": "compas_model.models/Model", "data": {"transformation": )" + shift("100") +
           R"(, "elements": {"g": {"dtype": "compas_model.elements/Group", "data": {"transformation": )" + shift("10") +
           R"(}}, "e": {"dtype": "a/Block", "data": {"transformation": )" + shift("1") + R"(, "geometry": )" + block +
           R"(}}}, "tree": {"root": {"children": [{"element": "g", "children": [{"element": "e"}]}]}},
    "graph": {"node": {"0": {"element": "e"}}, "edge": {}}}})");
  ASSERT_EQ(input.blocks.size(), 1U);
  // (1, 0, 0) turns to (0, 1, 0), + 1; to (-1, 1, 0), + 10; to (-1, 9, 0), + 100
  EXPECT_EQ(input.blocks[0].mesh.vertices[1].x, 99);
  EXPECT_EQ(input.blocks[0].mesh.vertices[1].y, 9);
  // a mirror turns the faces; what is no affine map is refused
  const auto moved = [&](const std::string& matrix) {
    return assembly(R"({"0": {"transformation": {"matrix": )" + matrix + R"(}, "block": )" + block + "}}");
  };
  const geom::Mesh mirrored = read(moved("[[-1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]")).blocks[0].mesh;
  EXPECT_EQ(mirrored.vertices[1].x, -1);
  EXPECT_EQ((std::vector<std::uint32_t>{mirrored.face(0).begin(), mirrored.face(0).end()}), (std::vector<std::uint32_t>{0, 3, 1}));
  expect_error(parse(moved("[[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,1,1]]")), "c.json:/data/graph/data/node/0/transformation",
               "needs a matrix");
}

TEST_F(CompasVersionTest, ShapesHaveAFrame) {
  const std::string place = R"("frame": {"point": [10, 0, 0], "xaxis": [0, 1, 0], "yaxis": [0, 0, 1]})";
  const auto shape = [&](const std::string& type, const std::string& sizes) {
    return R"({"dtype": "compas.geometry/)" + type + R"(", "data": {)" + sizes + ", " + place + "}}";
  };
  const model::AssemblyInput input =
      read("[" + shape("Box", R"("xsize": 1, "ysize": 2, "zsize": 3)") + "," + shape("Cylinder", R"("radius": 1, "height": 2)") + "," +
           shape("Cone", R"("radius": 1, "height": 3)") + "," + shape("Sphere", R"("radius": 1)") + "," +
           shape("Capsule", R"("radius": 1, "height": 1)") + "," + shape("Torus", R"("radius_axis": 3, "radius_pipe": 1)") + "]");
  ASSERT_EQ(input.blocks.size(), 6U);
  const double pi = 3.141592653589793;
  const double exact[6] = {6, 2 * pi, pi, 4 * pi / 3, 4 * pi / 3 + pi, 6 * pi * pi};
  for (std::size_t i = 0; i < 6; ++i) {
    const geom::MeshDiagnosis diagnosis = geom::diagnose_mesh(input.blocks[i].mesh, geom::MeshSettings{});
    EXPECT_TRUE(diagnosis.errors.empty() && diagnosis.warnings.empty()) << i;
    const double volume = geom::measure_volume(diagnosis.mesh);
    EXPECT_GT(volume, i == 0 ? 5.999 : 0.95 * exact[i]) << i;
    EXPECT_LT(volume, i == 0 ? 6.001 : exact[i]) << i;
    const Vec3d com = geom::measure_mass_properties(diagnosis.mesh).com;
    EXPECT_NEAR(com.x, i == 2 ? 10.75 : 10, 1e-12) << i;  // the z axis of the frame is the x axis of the world
    EXPECT_NEAR(com.y, 0, 1e-12) << i;
  }
  ASSERT_EQ(input.warnings.size(), 1U);
  EXPECT_NE(input.warnings[0].what.find("32 sides"), std::string::npos);
  expect_error(parse(R"([{"dtype": "compas.geometry/Box", "data": {"xsize": 0, "ysize": 1, "zsize": 1}}])"), "c.json:/0/data/xsize",
               "above 0");
  expect_error(parse(R"([{"dtype": "compas.geometry/Sphere", "data": {"point": [0,0,0], "radius": 1}}])"), "c.json:/0/data",
               "without a frame");
}

TEST_F(CompasVersionTest, OneMeshIsOneBlockPerShellAndListsAreNamedWhereNamesDiffer) {
  const std::string two =
      R"({"dtype": "compas.datastructures/Mesh", "data": {"attributes": {"name": "wall"}, "vertex": {"0": {"x":0,"y":0,"z":0}, "1": {"x":1,"y":0,"z":0},
    "2": {"x":0,"y":1,"z":0}, "3": {"x":0,"y":0,"z":1}, "4": {"x":5,"y":0,"z":0}, "5": {"x":6,"y":0,"z":0}, "6": {"x":5,"y":1,"z":0}, "7": {"x":5,"y":0,"z":1}},
    "face": {"0": [0,2,1], "1": [0,1,3], "2": [1,2,3], "3": [0,3,2], "4": [4,6,5], "5": [4,5,7], "6": [5,6,7], "7": [4,7,6]}}})";
  const model::AssemblyInput split = read(two);
  ASSERT_EQ(split.blocks.size(), 2U);
  EXPECT_EQ(split.blocks[1].id, "wall.2");
  ASSERT_EQ(split.warnings.size(), 1U);
  const auto named = [&](const std::string& name) {
    return R"({"dtype": "compas.datastructures/Mesh", "data": )" + mesh_data + R"(, "name": ")" + name + "\"}";
  };
  EXPECT_EQ(read("[" + named("b") + "," + named("a") + "]").blocks[1].id, "a");
  EXPECT_EQ(read("[" + named("Mesh") + "," + named("Mesh") + "]").blocks[1].id, "1");
}

TEST_F(CompasVersionTest, QuotedKeysAreReadAndWrittenAlike) {
  for (const std::string id : {"a", "7", "07", "it's", "back\\slash", "\xc3\xa4"}) EXPECT_EQ(compas_id(python_key(id)), id);
  EXPECT_EQ(python_key("7"), "7");
  EXPECT_EQ(python_key("it's"), "'it\\'s'");
}

}  // namespace
}  // namespace trilith::io
