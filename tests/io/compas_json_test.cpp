#include "io/compas_json.h"

#include <gtest/gtest.h>

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
  expect_error(parse(one("{" + three + R"(, "face": {"4": [0, 1, "2"]}})")), at + "/block/data/face/4/2", "must be a number");
  expect_error(parse(one(R"({"vertex": {"a": {"x":0,"y":0,"z":0}}, "face": {}})")), at + "/block/data/vertex/a", "no whole number");
  expect_error(parse(one(R"({"vertex": {"1": {"x":0,"y":0,"z":0}, "01": {"x":0,"y":0,"z":0}}, "face": {}})")), at + "/block/data/vertex/01",
               "twice");
  expect_error(parse(one(R"({"vertex": {"0": {"x":0,"y":0}}, "face": {}})")), at + "/block/data/vertex/0", "vertex without z");
  expect_error(parse(one(R"({"vertex": {"0": {"x":0,"y":0,"z":"nan"}}, "face": {}})")), at + "/block/data/vertex/0/z", "must be a number");
  EXPECT_TRUE(parse(one(R"({"default_vertex_attributes": {"z": 4}, "vertex": {"0": {"x":0,"y":0}}, "face": {}})")).ok());
}

TEST(CompasJsonTest, BadInterfacesAreRefusedByTheirPath) {
  const std::string at = "c.json:/data/graph/data/edge/0/1/interfaces";
  const auto one = [](const std::string& list) { return assembly(two_nodes, R"({"0": {"1": {"interfaces": )" + list + "}}}"); };
  expect_error(parse(one("{}")), at, "must be an array");
  expect_error(parse(one(R"([{"data": {}}])")), at + "/0/data", "without \"points\"");
  expect_error(parse(one(R"([{"points": [[0,0,0],[1,0,0]]}])")), at + "/0/points", "at least 3 points");
  expect_error(parse(one(R"([{"points": [[0,0,0],[1,0,0],[0,1,0]], "frame": {"xaxis": [1,0,0]}}])")), at + "/0/frame",
               "needs \"xaxis\" and \"yaxis\"");
}

TEST(CompasJsonTest, WhatIsNotReadIsRefusedByName) {
  expect_error(parse(R"({"dtype": "compas.datastructures/Mesh", "data": {}})"), "c.json:/dtype",
               "is a COMPAS \"compas.datastructures/Mesh\", not an assembly");
  expect_error(parse(R"({"dtype": 3, "data": {}})"), "c.json:/dtype", "must be a text");
  expect_error(parse(R"({"dtype": "compas_assembly.datastructures/Assembly", "value": {"node": {}}})"), "c.json:/", "written by COMPAS 1");
  expect_error(parse(R"({"data": {"dna": {}, "dea": {}}})"), "c.json:/", "written by COMPAS 1");
  expect_error(parse(R"({"assembly": {}, "blocks": {}})"), "c.json:/", "written by COMPAS 1");
  expect_error(parse(R"([{"dtype": "compas.datastructures/Mesh"}])"), "c.json:/", "a list of COMPAS objects");
  expect_error(parse(R"({"dtype": "a/Assembly"})"), "c.json:/", "without data/graph");
  expect_error(parse(R"({"dtype": "a/Assembly", "data": {"graph": {"data": {}}}})"), "c.json:/data/graph/data", "no \"node\"");
}

TEST(CompasJsonTest, OurOwnFilesAreNotTakenForCompas) {
  for (const char* text : {R"({"blocks": [], "friction": 1})", "[]", "[1]", "3", R"({"data": 1})"})
    EXPECT_FALSE(is_compas_json(parse_json(text, "").value()));
}

}  // namespace
}  // namespace trilith::io
