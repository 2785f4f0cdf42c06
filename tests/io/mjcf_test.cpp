#include "io/mjcf.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/sha256.h"
#include "mjcf_support.h"
#include "model/make_model.h"
#include "support/shared_data.h"
#include "temporary_folder.h"

namespace trilith::io {
namespace {

namespace fs = std::filesystem;

TEST(MjcfTest, ReadsASmallModel) {
  const model::ModelInput input = read_good(
      "<mujoco model='arm'>\n<worldbody>\n<geom type='plane' size='0 0 1'/>\n<body name='link' pos='0 0 1'>\n<joint name='hinge' axis='0 2 "
      "0' "
      "range='-90 45'/>\n<geom name='rod' type='capsule' size='.1' fromto='0 0 0 0 0 -1'/>\n</body></worldbody></mujoco>");
  EXPECT_EQ(input.name, "arm");
  EXPECT_EQ(input.format, "mjcf");
  ASSERT_EQ(input.bodies.size(), 2U);
  EXPECT_EQ(input.bodies[0].name, "world");
  EXPECT_EQ(input.bodies[1].where, "m.xml:4:1:/mujoco/worldbody/body");
  ASSERT_EQ(input.joints.size(), 1U);
  expect_vector(input.joints[0].axis, {0, 1, 0});
  EXPECT_NEAR(input.joints[0].range->lower, -1.5707963267948966, 1e-15);
  EXPECT_NEAR(input.joints[0].range->upper, 0.7853981633974483, 1e-15);
  ASSERT_EQ(input.geoms.size(), 2U);
  EXPECT_EQ(input.geoms[0].body, 0);
  EXPECT_EQ(input.geoms[1].body, 1);
  EXPECT_DOUBLE_EQ(input.geoms[1].size.y, 0.5);
  expect_vector(input.geoms[1].pose.p, {0, 0, -0.5});
  EXPECT_TRUE(input.warnings.empty());
}

TEST(MjcfTest, ReadsEveryOpenModelAndCase) {
  const auto shared = test::shared_data();
  if (!shared) GTEST_SKIP() << "no shared data";
  std::size_t count = 0;
  for (const char* folder : {"models/mjcf/open", "cases/open"})
    for (const auto& entry : fs::recursive_directory_iterator(*shared / folder)) {
      if (entry.path().extension() != ".xml") continue;
      Result<model::ModelInput> input = load_mjcf(entry.path().string());
      ASSERT_TRUE(input.ok()) << first_error(input);
      const Result<model::Model> made = model::make_model(std::move(input).value());
      EXPECT_TRUE(made.ok()) << first_error(made);
      ++count;
    }
  EXPECT_GT(count, 20U);
}

TEST(MjcfTest, TheHashNamesTheFileAndWhatItIncludes) {
  const TemporaryFolder folder;
  const std::string text = world("<body/>");
  EXPECT_EQ(load_mjcf(folder.put("a.xml", text)).value().sha256, sha256_hex(text));
  const std::string part = "<mujocoinclude><body/></mujocoinclude>", main = world("<include file='part.xml'/>");
  folder.put("part.xml", part);
  EXPECT_EQ(load_mjcf(folder.put("b.xml", main)).value().sha256,
            sha256_hex(sha256_hex(main) + "  b.xml\n" + sha256_hex(part) + "  part.xml\n"));
}

TEST(MjcfTest, ClassesMeanWhatMujocoMeans) {
  const auto shared = test::shared_data();
  if (!shared) GTEST_SKIP() << "no shared data";
  Result<model::ModelInput> input = load_mjcf((*shared / "cases/open/DY-14/classes.xml").string());
  ASSERT_TRUE(input.ok()) << first_error(input);
  const model::ModelInput& m = input.value();
  EXPECT_EQ(m.geoms[0].friction[0], 0.3);
  EXPECT_EQ(m.geoms[0].density, 1500);
  EXPECT_EQ(m.geoms[1].kind, model::GeomKind::capsule);
  EXPECT_EQ(m.geoms[1].friction[0], 0.9);
  EXPECT_EQ(m.geoms[1].density, 400);
  EXPECT_EQ(m.geoms[2].density, 700);
  const model::Model made = model::make_model(std::move(input).value()).value();
  EXPECT_NEAR(made.bodies[1].inertia.mass, 7.12094335, 1e-8);
  EXPECT_NEAR(made.bodies[2].inertia.mass, 1.46607657, 1e-8);
}

}  // namespace
}  // namespace trilith::io
