#include <gtest/gtest.h>

#include <map>

#include "io/urdf.h"
#include "model/make_model.h"
#include "support/shared_data.h"

namespace trilith::io {
namespace {

Result<model::Model> load(const std::string& path, const UrdfOptions& options = {}) {
  Result<model::ModelInput> input = load_urdf(path, options);
  if (!input) return input.errors();
  return model::make_model(std::move(input).value());
}

TEST(UrdfSharedTest, EveryBadUrdfIsRefusedInItsKind) {
  const auto shared = test::shared_data();
  if (!shared) GTEST_SKIP() << "no shared data";
  const std::string folder = *shared / "cases/bad_inputs";
  const std::map<std::string, std::string> words{{"u1_cycle", "in a circle"},
                                                 {"u2_two_roots", "has 2 roots"},
                                                 {"u3_two_parents", "two parents"},
                                                 {"u4_dup_link", "second of this name"},
                                                 {"u5_missing_child", "there is no link"},
                                                 {"u7_zero_axis", "has no length"},
                                                 {"u8_inv_limit", "must not be above"},
                                                 {"u9_neg_mass", "is negative"},
                                                 {"u10_nan_mass", "\"nan\""},
                                                 {"u11_self_joint", "to itself"},
                                                 {"u12_mimic_cycle", "in a circle"},
                                                 {"u13_xacro", "xacro"},
                                                 {"u15_empty_robot", "holds no links"},
                                                 {"u16_unknown_type", "revolute, continuous"},
                                                 {"u18_locale_mass", "1,5"}};
  const auto load_named = [&](const std::string& name) { return load(std::filesystem::path(folder) / (name + ".urdf")); };
  for (const auto& [name, word] : words) {
    const auto model = load_named(name);
    ASSERT_FALSE(model.ok()) << name;
    EXPECT_NE(model.errors()[0].what.find(word), std::string::npos) << name << ": " << model.errors()[0].what;
    EXPECT_NE(model.errors()[0].where.find(name + ".urdf:1"), std::string::npos) << model.errors()[0].where;
  }
  for (const std::string name : {"u0_good", "u6_no_limit", "u14_package_mesh", "u17_zero_inertia", "u19_spherical"}) {
    const auto model = load_named(name);
    EXPECT_TRUE(model.ok()) << name << ": " << (model.ok() ? "" : model.errors()[0].what);
  }
}

TEST(UrdfSharedTest, PublishedRobotsHaveTheirMasses) {
  const auto shared = test::shared_data();
  if (!shared) GTEST_SKIP() << "no shared data";
  const std::string folder = *shared / "models/robots";
  struct Robot {
    std::string file;
    int nv;
    double mass;
  };
  UrdfOptions options;
  options.keep_going_without_meshes = true;
  for (const Robot& robot :
       {Robot{"indy7/indy7.urdf", 6, 26.381}, Robot{"iiwa14/iiwa14.urdf", 7, 30.61}, Robot{"iiwa14/iiwa14_gato.urdf", 7, 25.727},
        Robot{"fr3/fr3.urdf", 7, 17.891}, Robot{"gen3/gen3.urdf", 7, 8.1885}, Robot{"gen3/gen3_nq7.urdf", 7, 8.1885},
        Robot{"ur5e/ur5e.urdf", 6, 21.7}, Robot{"go2/go2.urdf", 12, 16.087}}) {
    const auto model = load(folder + "/" + robot.file, options);
    ASSERT_TRUE(model.ok()) << robot.file << ": " << model.errors()[0].what;
    EXPECT_EQ(model.value().sizes.nv, robot.nv) << robot.file;
    EXPECT_NEAR(model.value().mass, robot.mass, 6e-4) << robot.file;
  }
}

TEST(UrdfSharedTest, TheTriangleRuleNamesLinkAndExcess) {
  const auto shared = test::shared_data();
  if (!shared) GTEST_SKIP() << "no shared data";
  const std::string folder = *shared / "cases/open/DY-09";
  const auto model = load(folder + "/triangle.urdf");
  ASSERT_FALSE(model.ok());
  EXPECT_NE(model.errors()[0].what.find("link \"finger\""), std::string::npos);
  EXPECT_NE(model.errors()[0].what.find("by 1.2e-06"), std::string::npos);
  EXPECT_TRUE(load(folder + "/ok.urdf").ok());
}

}  // namespace
}  // namespace trilith::io
