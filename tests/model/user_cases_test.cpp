// Meshes from reports of users, with the right value of each. Label: shared.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "linalg/fixed.h"
#include "model/find_interfaces.h"
#include "model/make_assembly.h"
#include "model/obj_blocks.h"
#include "support/shared_data.h"

namespace trilith::model {
namespace {

class UserCasesTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::shared_data()) GTEST_SKIP() << "no shared data: meshes of users are not read";
  }

  /// Adds the blocks of one OBJ file of the case; a file without names gives one block called `id`.
  void add(const std::string& name, const std::string& id, double density = 2400, bool fixed = false) {
    for (BlockInput& block : test::read_obj_blocks(*test::shared_data() / "cases/open" / name)) {
      if (!id.empty()) block.id = id;
      block.density = density;
      block.fixed = fixed;
      input_.blocks.push_back(std::move(block));
    }
  }

  Assembly found() {
    input_.source = "assembly.json";
    input_.friction = 0.7;
    Result<Assembly> result = make_assembly(input_, {});
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.errors()[0].what);
    if (!result.ok()) return {};
    Assembly assembly = std::move(result).value();
    find_interfaces(assembly, {}, 1);
    return assembly;
  }

  std::string refused() {
    input_.source = "assembly.json";
    const Result<Assembly> result = make_assembly(input_, {});
    EXPECT_FALSE(result.ok());
    return result.ok() ? "" : result.errors()[0].what;
  }

  AssemblyInput input_;
};

TEST_F(UserCasesTest, WedgeIsTheSameHoweverItsFacesWind) {
  for (const std::string winding : {"out", "in", "mixed"}) {
    input_ = {};
    add("ST-01/ground.obj", "ground", 2400, true);
    add("ST-01/wedge_" + winding + ".obj", "w");
    const Assembly a = found();
    EXPECT_NEAR(a.blocks[1].volume, 3, 1e-12);
    EXPECT_NEAR(a.blocks[1].mass, 7200, 1e-8);
    EXPECT_NEAR(norm(a.blocks[1].com - Vec3d{10.0 / 9, 0.5, 7.0 / 9}), 0, 1e-12);
    EXPECT_EQ(a.interfaces.size(), 1U);
    EXPECT_EQ(std::ranges::any_of(a.warnings, [](const Warning& w) { return w.what.find("faces turned") != std::string::npos; }),
              winding != "out");
  }
}

TEST_F(UserCasesTest, ShimKeepsItsThickness) {
  add("ST-02/ground.obj", "ground", 2400, true);
  add("ST-02/shim.obj", "shim", 7850);
  add("ST-02/cube.obj", "cube");
  const Assembly a = found();
  EXPECT_NEAR(a.blocks[1].volume, 4e-4, 1e-15);
  EXPECT_NEAR(a.blocks[1].mass, 3.14, 1e-11);
  ASSERT_EQ(a.interfaces.size(), 2U);
  for (const Interface& face : a.interfaces) EXPECT_NEAR(face.area, 1, 1e-12);
  EXPECT_TRUE(a.warnings.empty()) << a.warnings[0].what;
}

TEST_F(UserCasesTest, OpenBoxIsRefusedWithItsEdges) {
  add("ST-05/ground.obj", "ground", 2400, true);
  add("ST-05/open_box.obj", "b");
  EXPECT_NE(refused().find("block \"b\": mesh is open: 4 boundary edges"), std::string::npos);
}

TEST_F(UserCasesTest, SheetIsRefusedAsFlat) {
  add("ST-06/ground.obj", "ground", 2400, true);
  add("ST-06/flat.obj", "sheet");
  EXPECT_NE(refused().find("block \"sheet\" is flat"), std::string::npos);
}

TEST_F(UserCasesTest, MapCoordinatesKeepVolumeAndCentre) {
  add("ST-07/ground.obj", "ground", 2400, true);
  add("ST-07/geo_cube.obj", "c");
  const Assembly a = found();
  EXPECT_NEAR(a.blocks[1].volume, 1, 1e-8);
  EXPECT_NEAR(norm(a.blocks[1].com - Vec3d{502345.757, 5301235.018, 431.629}), 0, 1e-8);
  ASSERT_EQ(a.interfaces.size(), 1U);
  EXPECT_NEAR(a.interfaces[0].area, 1, 1e-8);
}

TEST_F(UserCasesTest, SteppedStonesHaveThreeContacts) {
  add("ST-08/ground.obj", "ground", 2400, true);
  add("ST-08/lower.obj", "lower");
  add("ST-08/upper.obj", "upper");
  const Assembly a = found();
  ASSERT_EQ(a.interfaces.size(), 4U);
  for (const Interface& face : a.interfaces) EXPECT_NEAR(face.area, face.a == 1 ? 1 : 2, 1e-12);
}

TEST_F(UserCasesTest, ExportNoiseKeepsThreeContacts) {
  add("ST-16/ground.obj", "ground", 2400, true);
  for (const std::string name : {"c0", "c1", "c2"}) add("ST-16/" + name + ".obj", name);
  const Assembly a = found();
  ASSERT_EQ(a.interfaces.size(), 3U);
  for (const Interface& face : a.interfaces) EXPECT_NEAR(face.area, 1, 1e-4);
}

TEST_F(UserCasesTest, TVertexIsHealedAndTold) {
  add("ST-20/ground.obj", "ground", 2400, true);
  add("ST-20/t_vertex_cube.obj", "c");
  const Assembly a = found();
  EXPECT_NEAR(a.blocks[1].volume, 1, 1e-12);
  EXPECT_EQ(a.interfaces.size(), 1U);
  EXPECT_TRUE(std::ranges::any_of(
      a.warnings, [](const Warning& w) { return w.what.find("1 T-vertex healed (3 unpaired sides") != std::string::npos; }));
}

}  // namespace
}  // namespace trilith::model
