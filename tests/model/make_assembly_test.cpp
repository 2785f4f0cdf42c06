#include "model/make_assembly.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/fixed.h"
#include "model/generate.h"

namespace trilith::model {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

BlockInput block(std::string id, geom::Mesh mesh, bool fixed = false) {
  BlockInput input;
  input.where = "wall.json:/blocks/" + id;
  input.id = std::move(id);
  input.mesh = std::move(mesh);
  input.fixed = fixed;
  return input;
}

/// A cube on a fixed ground, all values given.
AssemblyInput two_blocks() {
  AssemblyInput input;
  input.source = "wall.json";
  input.unit = std::string("m");
  input.friction = 0.7;
  input.density = 2000;
  input.blocks = {block("ground", make_box({-1, -1, -1}, {2, 2, 0}), true), block("cube", make_box({0, 0, 0}, {1, 1, 1}))};
  return input;
}

InterfaceInput base_of_cube() {
  InterfaceInput face;
  face.a = "ground";
  face.b = "cube";
  face.polygon = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  face.where = "wall.json:/interfaces/0";
  return face;
}

Assembly made(AssemblyInput input, const AssemblyOptions& options = {}) {
  Result<Assembly> result = make_assembly(std::move(input), options);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.errors()[0].where + ": " + result.errors()[0].what);
  return result.ok() ? std::move(result).value() : Assembly{};
}

std::vector<Error> refused(AssemblyInput input, const AssemblyOptions& options = {}) {
  const Result<Assembly> result = make_assembly(std::move(input), options);
  EXPECT_FALSE(result.ok());
  return result.ok() ? std::vector<Error>{} : result.errors();
}

void expect_one(const std::vector<Error>& errors, std::string_view what, std::string_view where) {
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_NE(errors[0].what.find(what), std::string::npos) << errors[0].what;
  EXPECT_EQ(errors[0].where, where);
  EXPECT_EQ(errors[0].kind, Error::Kind::refused);
}

void expect_warning(const Assembly& assembly, std::string_view what) {
  EXPECT_TRUE(std::ranges::any_of(assembly.warnings, [what](const Warning& w) { return w.what.find(what) != std::string::npos; }))
      << what << (assembly.warnings.empty() ? " but there is no warning" : ", first is: " + assembly.warnings[0].what);
}

TEST(MakeAssemblyTest, CompleteInputGivesNoWarning) {
  const Assembly a = made(two_blocks());
  EXPECT_TRUE(a.warnings.empty()) << a.warnings[0].what;
  ASSERT_EQ(a.blocks.size(), 2U);
  EXPECT_EQ(a.blocks[1].mass, 2000);
  EXPECT_EQ(a.blocks[1].volume, 1);
  EXPECT_EQ(a.blocks[1].com.z, 0.5);
  EXPECT_EQ(a.blocks[0].size, 3);
  EXPECT_TRUE(a.blocks[0].fixed);
  EXPECT_FALSE(a.interfaces_given);
  EXPECT_EQ(a.gravity.z, -9.80665);
}

TEST(MakeAssemblyTest, DefaultsAreUsedAndTold) {
  AssemblyInput input = two_blocks();
  input.friction.reset();
  input.density.reset();
  const Assembly a = made(input);
  EXPECT_EQ(a.friction, 0.84);
  EXPECT_EQ(a.blocks[1].mass, 2400);
  EXPECT_EQ(a.warnings.size(), 2U);
  expect_warning(a, "no friction given: 0.84 is used");
  expect_warning(a, "no density given: 2400 kg/m^3 is used");
}

TEST(MakeAssemblyTest, DefaultsThatNothingNeedsAreNotTold) {
  AssemblyInput input = two_blocks();
  input.friction.reset();
  input.density.reset();
  for (BlockInput& b : input.blocks) b.density = 1800;
  input.interfaces.emplace({base_of_cube()});
  (*input.interfaces)[0].friction = 0.5;
  EXPECT_TRUE(made(input).warnings.empty());
}

TEST(MakeAssemblyTest, FlagsWinOverTheFile) {
  AssemblyInput input = two_blocks();
  input.blocks[1].density = 1800;
  input.gravity = Vec3d{0, 0, -9.81};
  input.interfaces.emplace({base_of_cube()});
  (*input.interfaces)[0].friction = 0.5;
  EXPECT_EQ(made(input).blocks[1].mass, 1800);
  EXPECT_EQ(made(input).interfaces[0].mu, 0.5);
  AssemblyOptions options;
  options.density = 1000;
  options.friction = 0.3;
  options.gravity = Vec3d{1, 0, -9};
  options.unit = "cm";
  const Assembly a = made(input, options);
  EXPECT_NEAR(a.blocks[1].mass, 1e-3, 1e-18);
  EXPECT_EQ(a.interfaces[0].mu, 0.3);
  EXPECT_EQ(a.gravity.x, 1);
  EXPECT_EQ(a.unit, "cm");
  expect_warning(a, "--density 1000 replaces the density of 1 block");
  expect_warning(a, "--friction 0.3 replaces the friction of an interface");
  expect_warning(a, "--unit cm is used");
}

TEST(MakeAssemblyTest, EveryUnitGivesTheSameBlock) {
  const std::pair<const char*, double> units[] = {{"m", 3.048}, {"cm", 304.8}, {"mm", 3048}, {"in", 120}, {"ft", 10}};
  for (const auto& [unit, length] : units) {
    AssemblyInput input = two_blocks();
    input.unit = std::string(unit);
    input.blocks[1].mesh = make_box({0, 0, 0}, {length, length, length});
    EXPECT_DOUBLE_EQ(made(input).blocks[1].size, 3.048) << unit;
  }
  AssemblyInput input = two_blocks();
  input.unit = std::string("furlong");
  expect_one(refused(input), "unit \"furlong\" is not one of m, cm, mm, in, ft", "wall.json:/units");
  EXPECT_FALSE(metres_per_unit("yd"));
  EXPECT_DOUBLE_EQ(*metres_per_unit("in"), 0.0254);
}

TEST(MakeAssemblyTest, BadFrictionAndDensityAreRefused) {
  for (const double bad : {-0.3, nan, 1e300, std::numeric_limits<double>::infinity()}) {
    AssemblyInput input = two_blocks();
    input.friction = bad;
    expect_one(refused(input), "friction must be a number >= 0", "wall.json:/friction");
    AssemblyOptions options;
    options.friction = bad;
    expect_one(refused(two_blocks(), options), "friction must be", "--friction");
    input = two_blocks();
    input.interfaces.emplace({base_of_cube()});
    (*input.interfaces)[0].friction = bad;
    expect_one(refused(input), "friction must be", "wall.json:/interfaces/0/friction");
  }
  for (const double bad : {0.0, -1.0, 1e-300, 1e300, nan}) {
    AssemblyInput input = two_blocks();
    input.density = bad;
    expect_one(refused(input), "density must be a number > 0", "wall.json:/density");
    input = two_blocks();
    input.blocks[1].density = bad;
    expect_one(refused(input), "block \"cube\": density must be a number > 0", "wall.json:/blocks/cube/density");
  }
}

TEST(MakeAssemblyTest, OddFrictionAndDensityAreTold) {
  AssemblyInput input = two_blocks();
  input.friction = 0;
  expect_warning(made(input), "frictionless");
  input.friction = 11;
  expect_warning(made(input), "friction 11 is above 10");
  input = two_blocks();
  input.blocks[1].density = 1e6;
  expect_warning(made(input), "density of block \"cube\" is 1000000 kg/m^3, outside 100 to 25000");
  input.density = 1e-3;
  expect_warning(made(input), "and of 1 more");
}

TEST(MakeAssemblyTest, IdsAreUniqueAndThere) {
  AssemblyInput input = two_blocks();
  input.blocks.push_back(block("cube", make_box({5, 5, 5}, {6, 6, 6})));
  input.blocks.back().where = "wall.json:/blocks/2";
  expect_one(refused(input), "the id of block \"cube\" is used before, at wall.json:/blocks/cube", "wall.json:/blocks/2/id");
  input.blocks.back().id.clear();
  expect_one(refused(input), "needs an id", "wall.json:/blocks/2/id");
  input.blocks.clear();
  expect_one(refused(input), "no blocks", "wall.json");
}

TEST(MakeAssemblyTest, BadMeshesAreRefusedByName) {
  AssemblyInput input = two_blocks();
  input.blocks[1].mesh.face_start.pop_back();
  input.blocks[1].mesh.face_vertex.resize(input.blocks[1].mesh.face_start.back());
  expect_one(refused(input), "block \"cube\": mesh is open: 4 boundary edges", "wall.json:/blocks/cube");
  input = two_blocks();
  input.blocks[1].mesh.vertices[2].x = nan;
  expect_one(refused(input), "block \"cube\": vertex 3 is not a finite number", "wall.json:/blocks/cube");
  input = two_blocks();
  input.blocks[1].mesh.vertices[2].x = 2e9;
  expect_one(refused(input), "the limit is 1e+09 m", "wall.json:/blocks/cube");
  AssemblyOptions options;
  options.unit = "mm";
  input = two_blocks();
  for (BlockInput& b : input.blocks)
    for (Vec3d& p : b.mesh.vertices) p = p + Vec3d{2e9, 0, 0};
  EXPECT_TRUE(make_assembly(input, options).ok());  // 2e9 mm is 2,000 km
}

TEST(MakeAssemblyTest, RepairsAreToldByName) {
  AssemblyInput input = two_blocks();
  geom::Mesh& mesh = input.blocks[1].mesh;
  for (std::size_t f = 0; f < 6; ++f)
    std::reverse(mesh.face_vertex.begin() + mesh.face_start[f], mesh.face_vertex.begin() + mesh.face_start[f + 1]);
  const Assembly a = made(input);
  EXPECT_EQ(a.blocks[1].volume, 1);
  ASSERT_EQ(a.warnings.size(), 1U);
  EXPECT_EQ(a.warnings[0].what, "block \"cube\": faces wind inwards: 6 of 6 faces turned");
  EXPECT_EQ(a.warnings[0].where, "wall.json:/blocks/cube");
}

TEST(MakeAssemblyTest, FlatBlocksAreSupportsOrRefused) {
  for (const double scale : {1e-3, 1.0, 1e5}) {
    AssemblyInput input = two_blocks();
    geom::Mesh sheet;
    sheet.vertices = {{-1, -1, 0}, {2, -1, 0}, {2, 2, 0}, {-1, 2, 0}};
    sheet.add_face(std::vector<std::uint32_t>{0, 1, 2});
    sheet.add_face(std::vector<std::uint32_t>{0, 2, 3});
    input.blocks[0].mesh = sheet;
    for (BlockInput& b : input.blocks)
      for (Vec3d& p : b.mesh.vertices) p = scale * p;
    const Assembly a = made(input);
    expect_warning(a, "block \"ground\" is flat");
    EXPECT_EQ(a.blocks[0].mass, 0);
    EXPECT_NEAR(a.blocks[0].com.x, 0.5 * scale, 1e-12 * scale);
    EXPECT_EQ(a.blocks[0].mesh.face_count(), 4U);  // seen from both sides
    input.blocks[1].fixed = true;
    input.blocks[0].fixed = false;
    expect_one(refused(input), "block \"ground\" is flat", "wall.json:/blocks/ground");
  }
}

TEST(MakeAssemblyTest, SupportsByFlagWithASuggestion) {
  AssemblyInput input = two_blocks();
  input.blocks[0].fixed = false;
  AssemblyOptions options;
  options.fixed = {"ground"};
  const Assembly a = made(input, options);
  EXPECT_TRUE(a.blocks[0].fixed && !a.blocks[1].fixed);
  EXPECT_EQ(a.supports_added, std::vector<std::string>{"ground"});
  EXPECT_TRUE(a.warnings.empty());
  options.fixed = {"grond"};
  expect_one(refused(two_blocks(), options), "there is no block \"grond\"; did you mean \"ground\"?", "--fixed");
}

TEST(MakeAssemblyTest, LowestBlocksAlongGravityAreSupportsWhereNoneAreGiven) {
  AssemblyInput input = two_blocks();
  input.blocks = {block("left", make_box({0, 0, 1e-6}, {1, 1, 1})), block("right", make_box({2, 0, 0}, {3, 1, 1})),
                  block("top", make_box({0, 0, 1}, {3, 1, 2}))};
  Assembly a = made(input);
  EXPECT_TRUE(a.blocks[0].fixed && a.blocks[1].fixed && !a.blocks[2].fixed);
  expect_warning(a, "no supports given: the lowest blocks along gravity are taken as supports: left, right");
  input.gravity = Vec3d{9.81, 0, 0};
  a = made(input);
  EXPECT_TRUE(!a.blocks[0].fixed && a.blocks[1].fixed && a.blocks[2].fixed);
  input.gravity = Vec3d{0, 0, 9.81};
  a = made(input);
  EXPECT_TRUE(!a.blocks[0].fixed && !a.blocks[1].fixed && a.blocks[2].fixed);
}

TEST(MakeAssemblyTest, AThinShimAboveTheGroundIsNoSupport) {
  AssemblyInput input = two_blocks();
  input.blocks = {block("shim", make_box({0, 0, 0}, {1, 1, 4e-4})), block("cube", make_box({0, 0, 4e-4}, {1, 1, 1}))};
  const Assembly a = made(input);
  EXPECT_TRUE(a.blocks[0].fixed && !a.blocks[1].fixed);
}

TEST(MakeAssemblyTest, AllBlocksSupportsIsTold) {
  AssemblyInput input = two_blocks();
  input.blocks[1].fixed = true;
  expect_warning(made(input), "all blocks are supports");
}

TEST(MakeAssemblyTest, GravityMustBeFiniteAndZeroIsTold) {
  AssemblyInput input = two_blocks();
  input.gravity = Vec3d{0, nan, 0};
  expect_one(refused(input), "gravity must be three finite numbers", "wall.json:/gravity");
  for (const double odd : {1e-300, 1e300}) {
    input.gravity = Vec3d{0, 0, odd};
    expect_one(refused(input), "gravity must be three finite numbers", "wall.json:/gravity");
  }
  input.gravity = Vec3d{0, 0, 0};
  expect_warning(made(input), "gravity is zero");
}

TEST(MakeAssemblyTest, OddSizesAreTold) {
  AssemblyInput input = two_blocks();
  input.blocks[0].mesh = make_box({-100, -100, -1}, {100, 100, 0});
  expect_warning(made(input), "is 200 m long; lengths are read in m (--unit mm?)");
  input = two_blocks();
  input.blocks.push_back(block("dust", make_box({0, 0, 1}, {1e-6, 1e-6, 1 + 1e-6})));
  const Assembly a = made(input);
  expect_warning(a, "1e+18 times as heavy");
  expect_warning(a, "1000000 times as long");
}

TEST(MakeAssemblyTest, AllProblemsComeAtOnceUpToTheLimit) {
  AssemblyInput input = two_blocks();
  input.friction = -1;
  input.density = 0;
  input.gravity = Vec3d{nan, 0, 0};
  input.blocks[1].mesh.vertices[0].x = nan;
  EXPECT_EQ(refused(input).size(), 4U);
  for (int i = 0; i < 50; ++i) input.blocks.push_back(block("cube", make_box({0, 0, 0}, {1, 1, 1})));
  EXPECT_EQ(refused(input).size(), max_errors);
}

TEST(MakeAssemblyTest, GivenInterfaceWithoutNormalPointsFromAIntoB) {
  for (const bool turned : {false, true}) {
    AssemblyInput input = two_blocks();
    input.interfaces.emplace({base_of_cube()});
    InterfaceInput& face = (*input.interfaces)[0];
    if (turned) std::reverse(face.polygon.begin() + 1, face.polygon.end());
    const Assembly a = made(input);
    ASSERT_EQ(a.interfaces.size(), 1U);
    EXPECT_EQ(a.interfaces[0].normal.z, 1);
    EXPECT_EQ(a.interfaces[0].area, 1);
    EXPECT_EQ(a.interfaces[0].mu, 0.7);
    const Vec3d t1 = a.interfaces[0].t1;  // the first edge as the file lists it
    EXPECT_EQ(turned ? t1.y : t1.x, 1);
    EXPECT_TRUE(a.interfaces_given);
    EXPECT_TRUE(a.warnings.empty());
    std::swap((*input.interfaces)[0].a, (*input.interfaces)[0].b);
    EXPECT_EQ(made(input).interfaces[0].normal.z, -1);
  }
}

TEST(MakeAssemblyTest, ReversedNormalIsTurnedAndTold) {
  AssemblyInput input = two_blocks();
  input.interfaces.emplace({base_of_cube()});
  (*input.interfaces)[0].normal = Vec3d{0, 0, -3};
  const Assembly a = made(input);
  EXPECT_EQ(a.interfaces[0].normal.z, 1);
  expect_warning(a, "interface normal pointed from b into a");
}

TEST(MakeAssemblyTest, ReentrantBlocksAreJudgedByTheirFacesNotTheirCentres) {
  // a block under the arm of a big angle: the centres of mass point the wrong way
  AssemblyInput input = two_blocks();
  const Vec3d angle[6] = {{0, 0, 0}, {10, 0, 0}, {10, 0, 10}, {9, 0, 10}, {9, 0, 1}, {0, 0, 1}};
  input.blocks[0].mesh = make_prism(angle, 0, 1);
  input.blocks[1].mesh = make_box({0, 0, 1}, {1, 1, 2});
  InterfaceInput face = base_of_cube();
  for (Vec3d& p : face.polygon) p.z = 1;
  input.interfaces.emplace({face});
  const Assembly a = made(input);
  EXPECT_GT(a.blocks[0].com.z, a.blocks[1].com.z);
  EXPECT_EQ(a.interfaces[0].normal.z, 1);
  (*input.interfaces)[0].normal = Vec3d{0, 0, 1};
  EXPECT_TRUE(made(input).warnings.empty());
}

TEST(MakeAssemblyTest, ClockwisePolygonIsTurnedButKeepsItsFirstCorner) {
  AssemblyInput input = two_blocks();
  InterfaceInput face = base_of_cube();
  std::reverse(face.polygon.begin() + 1, face.polygon.end());
  face.normal = Vec3d{0, 0, 1};
  input.interfaces.emplace({face});
  const Assembly a = made(input);
  expect_warning(a, "ran clockwise about its normal");
  EXPECT_EQ(a.interfaces[0].polygon[1].x, 1);
}

TEST(MakeAssemblyTest, TangentIsMadePerpendicular) {
  AssemblyInput input = two_blocks();
  InterfaceInput face = base_of_cube();
  face.t1 = Vec3d{0, 2, 0.5};
  input.interfaces.emplace({face});
  const Assembly a = made(input);
  expect_warning(a, "t1 was not perpendicular");
  EXPECT_EQ(a.interfaces[0].t1.y, 1);
  EXPECT_EQ(a.interfaces[0].t2.x, -1);
  (*input.interfaces)[0].t1 = Vec3d{0, 0, 1};
  expect_one(refused(input), "t1 must be three finite numbers across the normal", "wall.json:/interfaces/0/t1");
}

TEST(MakeAssemblyTest, BadInterfacesAreRefused) {
  const auto with = [](auto change) {
    AssemblyInput input = two_blocks();
    InterfaceInput face = base_of_cube();
    change(face);
    input.interfaces.emplace({face});
    return refused(input);
  };
  const std::string where = "wall.json:/interfaces/0";
  expect_one(with([](InterfaceInput& f) { f.b = "kube"; }), "there is no block \"kube\"; did you mean \"cube\"?", where + "/b");
  expect_one(with([](InterfaceInput& f) { f.a = "cube"; }), "block \"cube\" has an interface with itself", where);
  expect_one(with([](InterfaceInput& f) { f.polygon.resize(2); }), "at least 3 different corners, got 2", where + "/polygon");
  expect_one(with([](InterfaceInput& f) { f.polygon[1].y = nan; }), "corner 2 is not a finite place", where + "/polygon");
  expect_one(with([](InterfaceInput& f) { f.polygon = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}; }), "no area", where + "/polygon");
  expect_one(with([](InterfaceInput& f) { f.polygon[2].z = 0.2; }), "not planar", where + "/polygon");
  expect_one(with([](InterfaceInput& f) { f.normal = Vec3d{0, 0, 0}; }), "normal must be", where + "/normal");
  expect_one(with([](InterfaceInput& f) { f.normal = Vec3d{1, 0, 0}; }), "does not stand on its polygon", where + "/normal");
}

TEST(MakeAssemblyTest, SmallDefectsOfInterfacesAreMendedAndTold) {
  AssemblyInput input = two_blocks();
  InterfaceInput face = base_of_cube();
  face.polygon.insert(face.polygon.begin() + 1, face.polygon[0]);
  face.polygon.push_back(face.polygon[0]);
  face.polygon[3].z = 1e-4;
  InterfaceInput again = base_of_cube();
  std::rotate(again.polygon.begin(), again.polygon.begin() + 2, again.polygon.end());
  again.polygon[0].z = 1e-4;
  std::swap(again.a, again.b);
  input.interfaces.emplace({face, again});
  const Assembly a = made(input);
  ASSERT_EQ(a.interfaces.size(), 1U);
  EXPECT_EQ(a.interfaces[0].polygon.size(), 4U);
  expect_warning(a, "repeats a corner");
  expect_warning(a, "listed twice");
  expect_warning(a, "2 interface polygons are not planar; the worst is off by");
}

// A joint in the air is taken because the file says so, and said aloud.
TEST(MakeAssemblyTest, GivenInterfacesOffTheFacesAreTold) {
  AssemblyInput input = two_blocks();
  InterfaceInput face = base_of_cube();
  input.interfaces.emplace({face});
  EXPECT_EQ(made(input).warnings.size(), 0U);
  for (Vec3d& p : face.polygon) p.z += 0.3;
  input.interfaces.emplace({face});
  const Assembly raised = made(input);
  EXPECT_EQ(raised.interfaces.size(), 1U);
  expect_warning(raised, "of the interface is more than");
  face = base_of_cube();
  face.polygon[2].x += 5;
  input.interfaces.emplace({face});
  expect_warning(made(input), "corner 3 of the interface is more than");
}

TEST(MakeAssemblyTest, ManyAlikeWarningsBecomeOneLine) {
  AssemblyInput input = two_blocks();
  input.interfaces.emplace(100, base_of_cube());
  const Assembly a = made(input);
  EXPECT_EQ(a.interfaces.size(), 1U);
  EXPECT_EQ(a.warnings.size(), 6U);
  expect_warning(a, "94 more interfaces listed twice");
}

TEST(MakeAssemblyTest, InterfacesOfTwoSupportsAreDropped) {
  AssemblyInput input = two_blocks();
  input.blocks[1].fixed = true;
  input.interfaces.emplace({base_of_cube()});
  const Assembly a = made(input);
  EXPECT_TRUE(a.interfaces.empty());
  EXPECT_EQ(a.warnings.size(), 1U);  // all blocks are supports
}

TEST(MakeAssemblyTest, ThreadsDoNotChangeTheAnswer) {
  AssemblyInput input = generate_wall({});
  for (BlockInput& b : input.blocks) std::reverse(b.mesh.face_vertex.begin(), b.mesh.face_vertex.begin() + 4);
  AssemblyOptions one, three;
  three.threads = 3;
  const Assembly a = made(input, one), b = made(input, three);
  ASSERT_EQ(a.warnings.size(), b.warnings.size());
  for (std::size_t i = 0; i < a.warnings.size(); ++i) EXPECT_EQ(a.warnings[i].what, b.warnings[i].what);
  for (std::size_t i = 0; i < a.blocks.size(); ++i) EXPECT_EQ(a.blocks[i].volume, b.blocks[i].volume);
}

}  // namespace
}  // namespace trilith::model
