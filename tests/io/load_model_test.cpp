#include "io/load_model.h"

#include <gtest/gtest.h>

#include "io/temporary_folder.h"

namespace trilith::io {
namespace {

const std::string urdf_text = "<robot name=\"r\"><link name=\"a\"/></robot>";
const std::string mjcf_text = "<mujoco model=\"m\"><worldbody/></mujoco>";

TEST(LoadModelTest, TheRootElementDecidesWhateverTheNameOfTheFile) {
  const TemporaryFolder folder;
  for (const std::string before : {"", "\xef\xbb\xbf", "<?xml version=\"1.0\"?>\n<!-- <mujoco> -->\n", "  \n"}) {
    const auto robot = load_model(folder.put("x.xml", before + urdf_text));
    ASSERT_TRUE(robot.ok()) << before << robot.errors()[0].what;
    EXPECT_EQ(robot.value().format, "urdf");
    const auto scene = load_model(folder.put("x.urdf", before + mjcf_text));
    ASSERT_TRUE(scene.ok()) << before << scene.errors()[0].what;
    EXPECT_EQ(scene.value().format, "mjcf");
  }
}

TEST(LoadModelTest, OtherFilesAreNamed) {
  const TemporaryFolder folder;
  const auto sdf = load_model(folder.put("x.sdf", "<sdf><model/></sdf>"));
  ASSERT_FALSE(sdf.ok());
  EXPECT_NE(sdf.errors()[0].what.find("root element is \"sdf\""), std::string::npos) << sdf.errors()[0].what;
  EXPECT_FALSE(load_model(folder.put("x.png", "\x89PNG\r\n\x1a\n")).ok());
  EXPECT_FALSE(load_model(folder.put("empty.xml", "")).ok());
  const auto absent = load_model(folder.file("absent.xml"));
  ASSERT_FALSE(absent.ok());
  EXPECT_EQ(absent.errors()[0].kind, Error::Kind::io);
}

TEST(LoadModelTest, OptionsReachTheModel) {
  const TemporaryFolder folder;
  const std::string heavy =
      "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>";
  const std::string path = folder.put("x.urdf", "<robot name=\"r\"><link name=\"a\">" + heavy + "</link></robot>");
  model::ModelOptions options;
  options.floating_base = true;
  options.gravity = Vec3d{0, 0, -1};
  const auto model = load_model(path, {}, options);
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model.value().sizes.nv, 6);
  EXPECT_EQ(model.value().options.gravity.z, -1);
}

}  // namespace
}  // namespace trilith::io
