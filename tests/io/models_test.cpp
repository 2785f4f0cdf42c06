#include <gtest/gtest.h>

#include <filesystem>

#include "io/load_model.h"

namespace trilith::io {
namespace {

const std::string folder = std::string(TRILITH_SOURCE_DIR) + "/models/";

struct Expected {
  std::string file;
  int nq, nv, nu;
  double mass;           ///< kg; 0: not pinned
  std::size_t told = 0;  ///< warnings: default positions outside their range
};

TEST(ModelsTest, EveryModelOfTheRepositoryLoadsAndOnlyItsDefaultPoseIsTold) {
  const Expected models[] = {{"indy7.urdf", 6, 6, 0, 26.381},   {"iiwa14.urdf", 7, 7, 0, 30.61},  {"fr3.urdf", 7, 7, 0, 17.891, 2},
                             {"gen3.urdf", 7, 7, 0, 8.1885},    {"ur5e.urdf", 6, 6, 0, 21.7},     {"go2.urdf", 12, 12, 0, 16.087, 4},
                             {"arm_hand.xml", 16, 15, 8, 0},    {"figure27.xml", 28, 27, 21, 70}, {"pile20.xml", 140, 120, 0, 64},
                             {"pile100.xml", 700, 600, 0, 320}, {"pendulum.xml", 1, 1, 0, 3},     {"fourbar.xml", 3, 3, 1, 0},
                             {"gears.xml", 3, 3, 1, 0},         {"tendons.xml", 3, 3, 2, 0}};
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files += entry.path().extension() == ".xml" || entry.path().extension() == ".urdf";
  EXPECT_EQ(files, std::size(models)) << "a model without a line here";
  for (const Expected& want : models) {
    const auto model = load_model(folder + want.file);
    ASSERT_TRUE(model.ok()) << want.file << ": " << model.errors()[0].where << ": " << model.errors()[0].what;
    const model::Model& got = model.value();
    EXPECT_EQ(got.sizes.nq, want.nq) << want.file;
    EXPECT_EQ(got.sizes.nv, want.nv) << want.file;
    EXPECT_EQ(got.sizes.nu, want.nu) << want.file;
    if (want.mass > 0) {
      EXPECT_NEAR(got.mass, want.mass, 6e-4) << want.file;
    }
    EXPECT_EQ(got.warnings.size(), want.told) << want.file;
    for (const Warning& warning : got.warnings) EXPECT_NE(warning.what.find("outside its range"), std::string::npos) << warning.what;
  }
}

TEST(ModelsTest, AFloatingBaseMakesTheQuadrupedFree) {
  model::ModelOptions options;
  options.floating_base = true;
  const auto model = load_model(folder + "go2.urdf", {}, options);
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model.value().sizes.nv, 18);
  EXPECT_EQ(model.value().sizes.nq, 19);
}

}  // namespace
}  // namespace trilith::io
