#include "io/assembly_json.h"

#include <gtest/gtest.h>

#include <bit>

#include "io/expect_error.h"
#include "support/random.h"

namespace trilith::io {
namespace {

Result<model::AssemblyInput> parse(const std::string& text) {
  Result<Json> json = parse_json(text, "wall.json");
  EXPECT_TRUE(json.ok()) << first_error(json);
  if (!json) return json.errors();
  return parse_assembly_json(json.value(), "wall.json", nullptr);
}

model::AssemblyInput read(const std::string& text) {
  Result<model::AssemblyInput> result = parse(text);
  EXPECT_TRUE(result.ok()) << first_error(result);
  return result.ok() ? std::move(result).value() : model::AssemblyInput{};
}

const std::string tetrahedron = R"("vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "faces": [[0,2,1],[0,1,3],[1,2,3],[0,3,2]])";

std::string with_block(const std::string& members) { return R"({"blocks": [{"id": "a", )" + members + "}]}"; }
std::string with_top(const std::string& members) { return "{" + members + R"(, "blocks": [{"id": "a", )" + tetrahedron + "}]}"; }
std::string with_patch(const std::string& members) { return with_top(R"("interfaces": [{)" + members + "}]"); }

TEST(AssemblyJsonTest, ReadsEveryMember) {
  const model::AssemblyInput input =
      read(R"({"schema": "trilith.assembly/1", "units": "mm", "gravity": [0, 0.5, -9.81], "friction": 0.84, "density": 2400,
    "blocks": [{"id": "ground", "fixed": true, )" +
           tetrahedron + R"(}, {"id": "v1", "density": 2200, )" + tetrahedron + R"(}],
    "interfaces": [{"a": "ground", "b": "v1", "polygon": [[0,0,0],[1,0,0],[1,1,0]], "friction": 0.6, "normal": [0,0,2], "t1": [1,0,0]},
                   {"a": "v1", "b": "ground", "polygon": [[0,0,0],[1,0,0],[1,1,0],[0,1,0]]}]})");
  EXPECT_EQ(input.source, "wall.json");
  EXPECT_EQ(input.unit, "mm");
  EXPECT_EQ(input.gravity->y, 0.5);
  EXPECT_EQ(input.friction, 0.84);
  EXPECT_EQ(input.density, 2400);
  ASSERT_EQ(input.blocks.size(), 2U);
  EXPECT_TRUE(input.blocks[0].fixed);
  EXPECT_FALSE(input.blocks[0].density.has_value());
  EXPECT_EQ(input.blocks[1].id, "v1");
  EXPECT_EQ(input.blocks[1].density, 2200);
  EXPECT_EQ(input.blocks[1].where, "wall.json:/blocks/1");
  EXPECT_EQ(input.blocks[1].mesh.face_count(), 4U);
  EXPECT_EQ(input.blocks[1].mesh.vertices[3].z, 1);
  ASSERT_TRUE(input.interfaces.has_value());
  ASSERT_EQ(input.interfaces->size(), 2U);
  const model::InterfaceInput& patch = input.interfaces->front();
  EXPECT_EQ(patch.a, "ground");
  EXPECT_EQ(patch.polygon.size(), 3U);
  EXPECT_EQ(patch.friction, 0.6);
  EXPECT_EQ(patch.normal->z, 2);
  EXPECT_EQ(patch.t1->x, 1);
  EXPECT_EQ(patch.where, "wall.json:/interfaces/0");
  EXPECT_FALSE(input.interfaces->back().normal.has_value());
  EXPECT_TRUE(input.warnings.empty());
}

TEST(AssemblyJsonTest, WhatIsAbsentOrNullStaysOpen) {
  const model::AssemblyInput input =
      read(R"({"units": null, "friction": null, "interfaces": null, "blocks": [{"id": "a", "mesh": null, "density": null, )" + tetrahedron +
           "}]}");
  EXPECT_FALSE(input.unit || input.gravity || input.friction || input.density || input.interfaces);
  EXPECT_FALSE(input.blocks[0].fixed);
  EXPECT_TRUE(input.warnings.empty());
  EXPECT_EQ(read(with_top(R"("interfaces": [])")).interfaces->size(), 0U);
}

TEST(AssemblyJsonTest, DensityMayBeGivenById) {
  const model::AssemblyInput input = read(R"({"density": {"a": 1800, "b": 2000}, "blocks": [{"id": "a", )" + tetrahedron +
                                          R"(}, {"id": "b", "density": 2500, )" + tetrahedron + "}]}");
  EXPECT_FALSE(input.density.has_value());
  EXPECT_EQ(input.blocks[0].density, 1800);
  EXPECT_EQ(input.blocks[1].density, 2500);
  ASSERT_EQ(input.warnings.size(), 1U);
  EXPECT_EQ(input.warnings[0].where, "wall.json:/density/b");
  expect_error(parse(R"({"density": {"stone_1": 1}, "blocks": [{"id": "stone1", )" + tetrahedron + "}]}"), "wall.json:/density/stone_1",
               "no block \"stone_1\"; did you mean \"stone1\"?");
}

TEST(AssemblyJsonTest, UnknownKeysAreToldOnceWithTheNearestKnownOne) {
  const model::AssemblyInput input = read(R"({"unit": "mm", "blocks": [{"id": "a", "colour": 1, "densty": 3, )" + tetrahedron +
                                          R"(}, {"id": "b", "colour": 2, )" + tetrahedron + "}]}");
  ASSERT_EQ(input.warnings.size(), 3U);
  EXPECT_EQ(input.warnings[0].what, "unknown key \"unit\" of the file left out; did you mean \"units\"?");
  EXPECT_EQ(input.warnings[0].where, "wall.json:/unit");
  EXPECT_EQ(input.warnings[1].what, "unknown key \"colour\" of a block left out");
  EXPECT_EQ(input.warnings[1].where, "wall.json:/blocks/0/colour");
  EXPECT_EQ(input.warnings[2].what, "unknown key \"densty\" of a block left out; did you mean \"density\"?");
}

TEST(AssemblyJsonTest, WrongTypesAreRefusedByTheirPath) {
  expect_error(parse("[1]"), "wall.json:/", "must be an object, is an array of 1");
  expect_error(parse(R"({"a": 1})"), "wall.json:/", "the file has no \"blocks\"");
  expect_error(parse(R"({"blocks": 3})"), "wall.json:/blocks", "must be an array, is the number 3");
  expect_error(parse(R"({"blocks": [7]})"), "wall.json:/blocks/0", "must be an object");
  expect_error(parse(with_top(R"("units": 1)")), "wall.json:/units", "must be a text, is the number 1");
  expect_error(parse(with_top(R"("gravity": -9.81)")), "wall.json:/gravity", "must be three numbers");
  expect_error(parse(with_top(R"("gravity": [0, 0])")), "wall.json:/gravity", "must be three numbers, is an array of 2");
  expect_error(parse(with_top(R"("gravity": [0, 0, "nan"])")), "wall.json:/gravity/2", "must be a number, is the text \"nan\"");
  expect_error(parse(with_top(R"("gravity": [0, 0, null])")), "wall.json:/gravity/2", "is null");
  expect_error(parse(with_top(R"("friction": "0.7")")), "wall.json:/friction", "must be a number");
  expect_error(parse(with_top(R"("density": [1])")), "wall.json:/density", "must be a number");
  expect_error(parse(with_top(R"("density": {"a": "x"})")), "wall.json:/density/a", "must be a number");
  expect_error(parse(with_top(R"("interfaces": {})")), "wall.json:/interfaces", "must be an array");
  expect_error(parse(with_block(R"("density": true, )" + tetrahedron)), "wall.json:/blocks/0/density", "must be a number, is true");
  expect_error(parse(with_block(R"("fixed": "yes", )" + tetrahedron)), "wall.json:/blocks/0/fixed", "must be true or false");
  expect_error(parse(R"({"blocks": [{"id": 12, )" + tetrahedron + "}]}"), "wall.json:/blocks/0/id", "must be a text");
  expect_error(parse("{\"blocks\": [{" + tetrahedron + "}]}"), "wall.json:/blocks/0", "\"id\" is missing");
  expect_error(parse(R"({"blocks": [{"id": "", )" + tetrahedron + "}]}"), "wall.json:/blocks/0/id", "is empty");
  expect_error(parse(R"({"blocks": [{"id": "a\nb", )" + tetrahedron + "}]}"), "wall.json:/blocks/0/id",
               "\"a\\nb\" holds a control character");
}

TEST(AssemblyJsonTest, ShapesThatAreNoneAreRefused) {
  expect_error(parse(with_block(R"("fixed": true)")), "wall.json:/blocks/0", "needs \"mesh\", or \"vertices\" and \"faces\"");
  expect_error(parse(with_block(R"("vertices": [[0,0,0]])")), "wall.json:/blocks/0", "needs \"mesh\"");
  expect_error(parse(with_block(R"("mesh": "a.obj", )" + tetrahedron)), "wall.json:/blocks/0", "has both");
  expect_error(parse(with_block(R"("mesh": 3)")), "wall.json:/blocks/0/mesh", "must be a text");
  expect_error(parse(with_block(R"("mesh": "a.obj")")), "wall.json:/blocks/0/mesh", "mesh files are not read here");
  expect_error(parse(with_block(R"("vertices": [[0,0,0],[1,0]], "faces": [])")), "wall.json:/blocks/0/vertices/1", "must be three numbers");
  expect_error(parse(with_block(R"("vertices": [[0,0,0],[1,0,"1"]], "faces": [])")), "wall.json:/blocks/0/vertices/1/2",
               "must be a number");
  const std::string three = R"("vertices": [[0,0,0],[1,0,0],[0,1,0]], "faces": )";
  expect_error(parse(with_block(three + "[[0,1]]")), "wall.json:/blocks/0/faces/0", "at least 3 corners, has 2");
  expect_error(parse(with_block(three + "[[0,1,2],[0,1,3]]")), "wall.json:/blocks/0/faces/1/2", "vertex index 3 is not one of 0 to 2");
  expect_error(parse(with_block(three + "[[0,1,-1]]")), "wall.json:/blocks/0/faces/0/2", "vertex index -1");
  expect_error(parse(with_block(three + "[[0,1,1.5]]")), "wall.json:/blocks/0/faces/0/2", "vertex index 1.5");
  expect_error(parse(with_block(three + "[[0,1,1e14]]")), "wall.json:/blocks/0/faces/0/2", "vertex index");
}

TEST(AssemblyJsonTest, InterfacesThatAreNoneAreRefused) {
  expect_error(parse(with_patch(R"("b": "a", "polygon": [[0,0,0],[1,0,0],[0,1,0]])")), "wall.json:/interfaces/0", "\"a\" is missing");
  expect_error(parse(with_patch(R"("a": "a", "b": "a")")), "wall.json:/interfaces/0", "\"polygon\" is missing");
  expect_error(parse(with_patch(R"("a": "a", "b": "a", "polygon": [[0,0,0],[1,0,0]])")), "wall.json:/interfaces/0/polygon",
               "at least 3 points, has 2");
  expect_error(parse(with_patch(R"("a": "a", "b": "a", "polygon": [[0,0,0],[1,0,0],[0,1,0]], "normal": 1)")),
               "wall.json:/interfaces/0/normal", "must be three numbers");
}

TEST(AssemblyJsonTest, OtherAndNewerSchemasAreRefused) {
  expect_error(parse(with_top(R"("schema": "trilith.assembly/99")")), "wall.json:/schema", "made by a newer version");
  expect_error(parse(with_top(R"("schema": "trilith.certificate/1")")), "wall.json:/schema", "an assembly has \"trilith.assembly/1\"");
  expect_error(parse(with_top(R"("schema": "trilith.assembly")")), "wall.json:/schema", "schema is");
  expect_error(parse(with_top(R"("schema": 1)")), "wall.json:/schema", "must be a text");
}

TEST(AssemblyJsonTest, EveryProblemIsToldUpToTheLimit) {
  std::string text = R"({"friction": "x", "blocks": [)";
  for (int i = 0; i < 50; ++i) text += (i > 0 ? "," : "") + std::string(R"({"id": 3, "mesh": 4})");
  const Result<model::AssemblyInput> result = parse(text + "]}");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.errors().size(), max_errors);
  EXPECT_EQ(result.errors()[1].where, "wall.json:/blocks/0/id");
}

TEST(AssemblyJsonTest, PathsEscapeKeys) {
  expect_error(parse(with_top(R"("density": {"a/b~c": 1})")), "wall.json:/density/a~1b~0c", "no block");
}

void expect_same(const Vec3d& a, const Vec3d& b) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a.x), std::bit_cast<std::uint64_t>(b.x));
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a.y), std::bit_cast<std::uint64_t>(b.y));
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a.z), std::bit_cast<std::uint64_t>(b.z));
}

model::AssemblyInput random_assembly(test::Random& random) {
  model::AssemblyInput input;
  input.unit = "cm";
  if (random.coin()) input.gravity = random.gauss_vector();
  if (random.coin()) input.friction = random.uniform(0, 1);
  if (random.coin()) input.density = random.scale(1, 1e4);
  for (std::size_t b = 0; b < 1 + random.index(4); ++b) {
    model::BlockInput& block = input.blocks.emplace_back();
    block.id = "block \"" + std::to_string(b) + "\" \\ \xc3\xa4";
    block.fixed = random.coin();
    if (random.coin()) block.density = random.scale(1e-150, 1e150);
    for (int v = 0; v < 6; ++v)
      block.mesh.vertices.push_back({random.gauss() * random.scale(1e-9, 1e9), -0.0, random.scale(1e-320, 1e-300)});
    for (int f = 0; f < 3; ++f) {
      std::vector<std::uint32_t> corners(3 + random.index(4));
      for (std::uint32_t& corner : corners) corner = static_cast<std::uint32_t>(random.index(6));
      block.mesh.add_face(corners);
    }
  }
  if (random.coin()) {
    model::InterfaceInput patch{"a", "b", {random.gauss_vector(), random.gauss_vector(), random.gauss_vector()}, {}, {}, {}, {}, {}, {}};
    if (random.coin()) patch.tension_Pa = random.scale(1, 1e6);
    if (random.coin()) patch.tension_N = random.scale(1, 1e6);
    if (random.coin()) patch.normal = random.direction();
    if (random.coin()) patch.t1 = random.direction();
    if (random.coin()) patch.friction = random.uniform(0, 2);
    input.interfaces = std::vector{patch};
  }
  if (random.coin()) input.tension_Pa = random.scale(1, 1e6);
  if (random.coin()) input.loads.push_back({"block", random.gauss_vector(), {}, random.gauss_vector(), {}, {}});
  if (random.coin()) input.loads.push_back({"other", {}, random.gauss(), {}, {{0, 0, 0}, random.gauss_vector(), {0, 1, 0}}, {}});
  return input;
}

TEST(AssemblyJsonTest, WhatIsWrittenIsReadBackBitForBit) {
  test::Random random(3);
  for (int i = 0; i < 200; ++i) {
    const model::AssemblyInput input = random_assembly(random);
    const model::AssemblyInput back = read(write_assembly_json(input));
    EXPECT_TRUE(back.warnings.empty());
    EXPECT_EQ(back.unit, input.unit);
    EXPECT_EQ(back.friction, input.friction);
    EXPECT_EQ(back.density, input.density);
    ASSERT_EQ(back.gravity.has_value(), input.gravity.has_value());
    if (input.gravity) expect_same(*back.gravity, *input.gravity);
    ASSERT_EQ(back.blocks.size(), input.blocks.size());
    for (std::size_t b = 0; b < input.blocks.size(); ++b) {
      const model::BlockInput &mine = input.blocks[b], &other = back.blocks[b];
      EXPECT_EQ(other.id, mine.id);
      EXPECT_EQ(other.fixed, mine.fixed);
      EXPECT_EQ(other.density, mine.density);
      EXPECT_EQ(other.mesh.face_start, mine.mesh.face_start);
      EXPECT_EQ(other.mesh.face_vertex, mine.mesh.face_vertex);
      ASSERT_EQ(other.mesh.vertices.size(), mine.mesh.vertices.size());
      for (std::size_t v = 0; v < mine.mesh.vertices.size(); ++v) expect_same(other.mesh.vertices[v], mine.mesh.vertices[v]);
    }
    EXPECT_EQ(back.tension_Pa, input.tension_Pa);
    ASSERT_EQ(back.loads.size(), input.loads.size());
    for (std::size_t k = 0; k < input.loads.size(); ++k) {
      const model::LoadInput &mine = input.loads[k], &other = back.loads[k];
      EXPECT_EQ(other.block, mine.block);
      EXPECT_EQ(other.pressure, mine.pressure);
      ASSERT_EQ(other.force.has_value(), mine.force.has_value());
      if (mine.force) expect_same(*other.force, *mine.force);
      ASSERT_EQ(other.point.has_value(), mine.point.has_value());
      if (mine.point) expect_same(*other.point, *mine.point);
      ASSERT_EQ(other.polygon.size(), mine.polygon.size());
      for (std::size_t v = 0; v < mine.polygon.size(); ++v) expect_same(other.polygon[v], mine.polygon[v]);
    }
    ASSERT_EQ(back.interfaces.has_value(), input.interfaces.has_value());
    if (!input.interfaces) continue;
    const model::InterfaceInput &mine = input.interfaces->front(), &other = back.interfaces->front();
    EXPECT_EQ(other.friction, mine.friction);
    EXPECT_EQ(other.tension_Pa, mine.tension_Pa);
    EXPECT_EQ(other.tension_N, mine.tension_N);
    ASSERT_EQ(other.normal.has_value(), mine.normal.has_value());
    if (mine.normal) expect_same(*other.normal, *mine.normal);
    ASSERT_EQ(other.t1.has_value(), mine.t1.has_value());
    for (std::size_t v = 0; v < 3; ++v) expect_same(other.polygon[v], mine.polygon[v]);
  }
}

}  // namespace
}  // namespace trilith::io
