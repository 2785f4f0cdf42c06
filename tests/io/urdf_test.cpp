#include "io/urdf.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geom/mass_properties.h"
#include "io/temporary_folder.h"
#include "model/make_model.h"

namespace trilith::io {
namespace {

std::string robot(const std::string& inside) { return "<robot name=\"r\">" + inside + "</robot>"; }
std::string link(const std::string& name, const std::string& inside = "") { return "<link name=\"" + name + "\">" + inside + "</link>"; }
const std::string heavy =
    "<inertial><mass value=\"2\"/><inertia ixx=\".1\" iyy=\".1\" izz=\".1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>";
std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& inside = "<axis xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"1\" effort=\"5\" velocity=\"2\"/>") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent + "\"/><child link=\"" + child + "\"/>" + inside +
         "</joint>";
}

model::ModelInput parsed(const std::string& inside, const UrdfOptions& options = {}) {
  Result<model::ModelInput> input = parse_urdf(robot(inside), "r.urdf", options);
  EXPECT_TRUE(input.ok()) << (input.ok() ? "" : input.errors()[0].where + ": " + input.errors()[0].what);
  return input.ok() ? std::move(input).value() : model::ModelInput{};
}
model::Model made(const std::string& inside, const model::ModelOptions& options = {}) {
  Result<model::Model> model = model::make_model(parsed(inside), options);
  EXPECT_TRUE(model.ok()) << (model.ok() ? "" : model.errors()[0].what);
  return model.ok() ? std::move(model).value() : model::Model{};
}

void expect_refused(const std::string& inside, std::string_view what,
                    std::string_view where = "r.urdf:1:", const UrdfOptions& options = {}) {
  const auto input = parse_urdf(robot(inside), "r.urdf", options);
  ASSERT_FALSE(input.ok());
  EXPECT_NE(input.errors()[0].what.find(what), std::string::npos) << input.errors()[0].what;
  EXPECT_NE(input.errors()[0].where.find(where), std::string::npos) << input.errors()[0].where;
}
void expect_told(const std::vector<Warning>& warnings, std::string_view what) {
  for (const Warning& warning : warnings)
    if (warning.what.find(what) != std::string::npos) return;
  ADD_FAILURE() << "no warning says: " << what;
}

TEST(UrdfTest, LinksBecomeBodiesDepthFirstInTheOrderOfJoints) {
  const auto input =
      parsed(link("tip") + link("base") + link("arm", heavy) + link("other", heavy) + joint("j1", "revolute", "base", "arm") +
             joint("f", "fixed", "arm", "tip", "<origin xyz=\"0 0 1\"/>") + joint("j2", "prismatic", "base", "other"));
  ASSERT_EQ(input.bodies.size(), 5U);
  const char* names[] = {"world", "base", "arm", "tip", "other"};
  for (int i = 0; i < 5; ++i) EXPECT_EQ(input.bodies[i].name, names[i]);
  EXPECT_EQ(input.bodies[3].parent, 2);
  EXPECT_EQ(input.bodies[3].pose.p.z, 1);
  ASSERT_EQ(input.joints.size(), 2U);
  EXPECT_EQ(input.joints[0].kind, model::JointKind::hinge);
  EXPECT_EQ(input.joints[1].kind, model::JointKind::slide);
  EXPECT_EQ(input.joints[1].range->upper, 1);
  EXPECT_EQ(*input.joints[1].max_effort, 5);
  ASSERT_EQ(input.sites.size(), 1U);
  EXPECT_EQ(input.sites[0].name, "f") << "the name of a fixed joint stays a place";
  EXPECT_TRUE(input.warnings.empty());
}

TEST(UrdfTest, RollPitchYawTurnsAboutFixedAxes) {
  const auto input = parsed(link("a") + link("b") + joint("f", "fixed", "a", "b", "<origin rpy=\"0.3 0.5 0.7\"/>"));
  const Mat3d& R = input.bodies[2].pose.R;
  // Rz Ry Rx: the first column is the x axis turned by pitch, then by yaw
  EXPECT_NEAR(R.m[0], std::cos(0.7) * std::cos(0.5), 1e-15);
  EXPECT_NEAR(R.m[3], std::sin(0.7) * std::cos(0.5), 1e-15);
  EXPECT_NEAR(R.m[6], -std::sin(0.5), 1e-15);
  EXPECT_NEAR(R.m[7], std::cos(0.5) * std::sin(0.3), 1e-15);
}

TEST(UrdfTest, TheRotationOfAnInertialOriginTurnsTheTensor) {
  const auto input = parsed(link("a",
                                 "<inertial><origin xyz=\"1 2 3\" rpy=\"0 0 1.5707963267948966\"/><mass value=\"4\"/>"
                                 "<inertia ixx=\"1\" iyy=\"2\" izz=\"2.5\" ixy=\".1\" ixz=\"0\" iyz=\"0\"/></inertial>"));
  const Inertiad& inertia = *input.bodies[1].inertial;
  EXPECT_EQ(inertia.mass, 4);
  EXPECT_EQ(inertia.com.y, 2);
  EXPECT_NEAR(inertia.about_com.m[0], 2, 1e-15);
  EXPECT_NEAR(inertia.about_com.m[4], 1, 1e-15);
  EXPECT_NEAR(inertia.about_com.m[1], -0.1, 1e-15);
}

TEST(UrdfTest, LinksWithoutInertialHaveNoMassAndTheRootsMassIsKept) {
  const auto model = made(link("base", heavy) + link("arm", heavy) + link("tcp") + joint("j", "revolute", "base", "arm") +
                          joint("f", "fixed", "arm", "tcp", ""));
  EXPECT_EQ(model.mass, 4);
  EXPECT_EQ(model.bodies[1].inertia.mass, 2);
  EXPECT_EQ(model.bodies[3].inertia.mass, 0);
}

TEST(UrdfTest, AMovingLinkWithShapesAndNoInertialIsRefused) {
  const auto input = parsed(link("a") + link("b", "<collision><geometry><sphere radius=\".1\"/></geometry></collision>") +
                            joint("j", "continuous", "a", "b", "<axis xyz=\"0 0 1\"/>"));
  const auto model = model::make_model(input);
  ASSERT_FALSE(model.ok());
  EXPECT_NE(model.errors()[0].what.find("needs an inertial element"), std::string::npos);
}

TEST(UrdfTest, MissingLimitsAreUnlimitedWithOneWarningAndZeroOnesAreKept) {
  const auto none = parsed(link("a") + link("b", heavy) + joint("q", "revolute", "a", "b", "<limit lower=\"-1\" upper=\"1\"/>"));
  ASSERT_EQ(none.warnings.size(), 1U);
  expect_told(none.warnings, "no effort is given for \"q\", and no velocity");
  EXPECT_FALSE(none.joints[0].max_effort || none.joints[0].max_velocity);

  const std::string zero = "<limit lower=\"-1\" upper=\"1\" effort=\"0\" velocity=\"0\"/>";
  const std::string file = link("a") + link("b", heavy) + joint("q", "revolute", "a", "b", zero);
  const auto kept = parsed(file);
  expect_told(kept.warnings, "zero effort and zero velocity");
  EXPECT_EQ(*kept.joints[0].max_effort, 0);
  UrdfOptions lifted;
  lifted.zero_means_unlimited = true;
  EXPECT_FALSE(parsed(file, lifted).joints[0].max_effort);

  const auto open = parsed(link("a") + link("b", heavy) + joint("q", "revolute", "a", "b", "<limit effort=\"1\" velocity=\"1\"/>"));
  expect_told(open.warnings, "as a continuous one");
  EXPECT_FALSE(open.joints[0].range);
}

TEST(UrdfTest, MimicIsKeptAndBecomesAnEquality) {
  const auto model =
      made(link("a") + link("b", heavy) + link("c", heavy) + joint("lead", "revolute", "a", "b") +
           joint("follow", "continuous", "a", "c", "<axis xyz=\"0 0 1\"/><mimic joint=\"lead\" multiplier=\"-2\" offset=\".1\"/>"));
  EXPECT_EQ(model.joints[1].mimic->joint.index, 0);
  EXPECT_EQ(model.joints[1].mimic->multiplier, -2);
  ASSERT_EQ(model.equalities.size(), 1U);
  EXPECT_EQ(model.equalities[0].a.index, 1);
  EXPECT_EQ(model.equalities[0].b.index, 0);
  EXPECT_EQ(model.equalities[0].polynomial[0], 0.1);
  EXPECT_EQ(model.equalities[0].polynomial[1], -2);
  EXPECT_EQ(model.default_qpos[1], 0.1);
  EXPECT_EQ(model.qpos0[1], 0);
}

TEST(UrdfTest, AFloatingLinkBecomesAFreeChildOfTheWorld) {
  const auto input = parsed(link("a", heavy) + link("b", heavy) + link("c", heavy) +
                            joint("f", "floating", "a", "b", "<origin xyz=\"1 0 0\" rpy=\"0 0 0\"/>") + joint("j", "revolute", "a", "c"));
  ASSERT_EQ(input.bodies.size(), 4U);
  EXPECT_EQ(input.bodies[3].name, "b");
  EXPECT_EQ(input.bodies[3].parent, 0);
  EXPECT_EQ(input.bodies[3].pose.p.x, 1);
  EXPECT_EQ(input.joints[1].kind, model::JointKind::free);
}

TEST(UrdfTest, APlanarJointIsTwoSlidesAndAHingeAcrossItsAxis) {
  const auto model = made(link("a") + link("b", heavy) + joint("p", "planar", "a", "b", "<axis xyz=\"0 0 2\"/>"));
  ASSERT_EQ(model.joints.size(), 3U);
  EXPECT_EQ(model.joints[0].axis.x, 1);
  EXPECT_EQ(model.joints[1].axis.y, 1);
  EXPECT_EQ(model.joints[2].axis.z, 1);
  EXPECT_EQ(model.joints[2].name, "p_turn");
  EXPECT_EQ(model.joints[2].kind, model::JointKind::hinge);
}

TEST(UrdfTest, ShapesAreReadAsHalfSizesAndVisualsAreMarked) {
  const auto input = parsed(link("a",
                                 "<collision><origin xyz=\"0 0 1\"/><geometry><box size=\"2 4 6\"/></geometry></collision>"
                                 "<collision><geometry><cylinder radius=\".1\" length=\"2\"/></geometry></collision>"
                                 "<collision><geometry><capsule radius=\".1\" length=\"2\"/></geometry></collision>"
                                 "<visual><geometry><sphere radius=\".3\"/></geometry><material name=\"m\"><color rgba=\"1 0 0 1\"/>"
                                 "</material></visual>"));
  ASSERT_EQ(input.geoms.size(), 4U);
  EXPECT_EQ(input.geoms[0].size.z, 3);
  EXPECT_EQ(input.geoms[0].pose.p.z, 1);
  EXPECT_EQ(input.geoms[1].kind, model::GeomKind::cylinder);
  EXPECT_EQ(input.geoms[1].size.y, 1);
  EXPECT_EQ(input.geoms[2].kind, model::GeomKind::capsule);
  EXPECT_TRUE(input.geoms[3].visual_only);
  EXPECT_EQ(input.geoms[3].rgba[0], 1);
  EXPECT_EQ(input.geoms[3].name, "a:3");
}

TEST(UrdfTest, MeshesThatAreNotThereAreRefusedForContactAndToldForLooks) {
  const std::string mesh = "<geometry><mesh filename=\"package://arm/x.stl\"/></geometry>";
  UrdfOptions options;
  options.package_folders = {"/opt/models"};
  expect_refused(link("a", "<collision>" + mesh + "</collision>"), "tried \"/opt/models/arm/x.stl\"", "mesh", options);
  const auto told = parsed(link("a", "<visual>" + mesh + "</visual>"), options);
  expect_told(told.warnings, "visual meshes that are not there");
  options.keep_going_without_meshes = true;
  expect_told(parsed(link("a", "<collision>" + mesh + "</collision>"), options).warnings, "the link has no such collision shape");
}

constexpr const char* tetrahedron_obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
std::string mesh_robot(const std::string& filename, const std::string& scale = "1 1 1") {
  return robot(link("a", "<collision><geometry><mesh filename=\"" + filename + "\" scale=\"" + scale + "\"/></geometry></collision>"));
}

TEST(UrdfTest, MeshesAreFoundBesideTheFileInFoldersOfPackagesAndInThePackageAround) {
  const TemporaryFolder folder;
  folder.put("packages/arm/meshes/t.obj", tetrahedron_obj);
  folder.put("home/arm/package.xml", "<package/>");
  folder.put("home/arm/meshes/t.obj", tetrahedron_obj);
  folder.put("home/arm/urdf/t.obj", tetrahedron_obj);
  const std::string lone = folder.put("lone/r.urdf", mesh_robot("package://arm/meshes/t.obj"));
  EXPECT_FALSE(load_urdf(lone).ok());
  for (const std::string place : {"packages", "packages/arm"}) {
    UrdfOptions options;
    options.package_folders = {folder.file(place)};
    EXPECT_TRUE(load_urdf(lone, options).ok()) << place;
  }
  for (const std::string filename : {"package://arm/meshes/t.obj", "t.obj", "../meshes/t.obj"}) {
    const auto input = load_urdf(folder.put("home/arm/urdf/r.urdf", mesh_robot(filename)));
    ASSERT_TRUE(input.ok()) << filename << ": " << input.errors()[0].what;
    EXPECT_EQ(input.value().meshes.size(), 1U);
    EXPECT_EQ(input.value().geoms[0].asset.name, filename);
  }
}

TEST(UrdfTest, NoMeshOutsideOfTheFoldersIsOpened) {
  const TemporaryFolder folder;
  folder.put("t.obj", tetrahedron_obj);
  const auto input = load_urdf(folder.put("inner/r.urdf", mesh_robot("../t.obj")));
  ASSERT_FALSE(input.ok());
  EXPECT_NE(input.errors()[0].what.find("outside"), std::string::npos) << input.errors()[0].what;
}

TEST(UrdfTest, AMirroredMeshStaysOutwardAndEveryScaleIsAnAssetOfItsOwn) {
  const TemporaryFolder folder;
  folder.put("t.obj", tetrahedron_obj);
  const auto input = load_urdf(folder.put("r.urdf", mesh_robot("t.obj", "-2 1 1")));
  ASSERT_TRUE(input.ok());
  EXPECT_NEAR(geom::measure_volume(input.value().meshes[0].mesh), 2.0 / 6, 1e-15);
  EXPECT_EQ(input.value().meshes[0].name, "t.obj x -2 1 1");
  EXPECT_EQ(input.value().sha256.size(), 64U);
}

TEST(UrdfTest, TreesThatAreNoneAreRefused) {
  expect_refused("", "holds no links");
  expect_refused(link("a") + link("b"), "has 2 roots: \"a\", \"b\"");
  expect_refused(link("a") + joint("j", "fixed", "a", "a"), "ties link \"a\" to itself");
  expect_refused(link("a") + link("b") + link("c") + joint("j1", "fixed", "a", "c") + joint("j2", "fixed", "b", "c"),
                 "two parents: joint \"j1\"");
  expect_refused(link("a") + link("b") + joint("j1", "revolute", "a", "b") + joint("j2", "revolute", "b", "a"),
                 "hangs on \"b\" by joint \"j2\", which hangs on \"a\" by joint \"j1\"");
  expect_refused(link("a") + link("finger") + joint("j", "fixed", "a", "fingr"), "did you mean \"finger\"?");
  expect_refused(link("a") + link("a"), "the first is at r.urdf:1:17");
  expect_refused(link("a") + "<joint name=\"j\"/><joint name=\"j\" type=\"fixed\"/>", "needs the attribute type");
  expect_refused(link("a") + link("b") + joint("j", "wobbly", "a", "b"), "revolute, continuous, prismatic, fixed, floating or planar");
  UrdfOptions rooted;
  rooted.root = "b";
  EXPECT_EQ(parsed(link("a") + link("b"), rooted).bodies[1].name, "b");
}

TEST(UrdfTest, XacroIsNamed) {
  expect_refused("<xacro:property name=\"m\" value=\"1\"/>" + link("a"), "run \"xacro FILE > robot.urdf\" first");
  expect_refused(link("a", "<inertial><mass value=\"${m}\"/></inertial>"), "xacro");
}

TEST(UrdfTest, BadNumbersHaveTheirPlace) {
  const auto mass = [](const std::string& text) { return link("a", "<inertial><mass value=\"" + text + "\"/></inertial>"); };
  expect_refused(mass("nan"), "nan", "/robot/link/inertial/mass/@value");
  expect_refused(mass("1,5"), "1,5");
  expect_refused(mass("-1"), "is negative");
}

TEST(UrdfTest, WhatIsLeftOutIsTold) {
  const auto input = parsed("<transmission name=\"t\"/><gazebo/><gazebo/><mujoco><compiler/></mujoco>" + link("a", "<speed/>"));
  expect_told(input.warnings, "elements \"transmission\" are left out");
  expect_told(input.warnings, "elements \"gazebo\" are left out (2 times)");
  expect_told(input.warnings, "settings of MuJoCo");
  expect_told(input.warnings, "elements \"speed\" of links are left out");
}

TEST(UrdfTest, AFollowerInACircleIsRefusedByTheModel) {
  const auto input = parsed(link("a") + link("b", heavy) + link("c", heavy) +
                            joint("j1", "continuous", "a", "b", "<axis xyz=\"0 0 1\"/><mimic joint=\"j2\"/>") +
                            joint("j2", "continuous", "b", "c", "<axis xyz=\"0 0 1\"/><mimic joint=\"j1\"/>"));
  const auto model = model::make_model(input);
  ASSERT_FALSE(model.ok());
  EXPECT_NE(model.errors()[0].what.find("in a circle"), std::string::npos) << model.errors()[0].what;
}

TEST(UrdfTest, AChainOfTwentyThousandLinksIsReadWithoutDepth) {
  std::string text = link("l0", heavy);
  for (int i = 1; i < 20000; ++i)
    text += link("l" + std::to_string(i), heavy) +
            joint("j" + std::to_string(i), "revolute", "l" + std::to_string(i - 1), "l" + std::to_string(i));
  const auto input = parsed(text);
  EXPECT_EQ(input.joints.size(), 19999U);
  const auto model = model::make_model(input);
  ASSERT_FALSE(model.ok()) << "its mass matrix has 200 million entries";
  EXPECT_NE(model.errors()[0].what.find("the longest chain of joints has 19999 degrees"), std::string::npos) << model.errors()[0].what;
}

}  // namespace
}  // namespace trilith::io
