#include "io/mjcf_include.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "mjcf_support.h"
#include "temporary_folder.h"

namespace trilith::io {
namespace {

namespace fs = std::filesystem;

std::string part(const std::string& inside) { return "<mujocoinclude>" + inside + "</mujocoinclude>"; }

std::string error_of(const std::string& path, const MjcfOptions& options = {}) { return first_error(load_mjcf(path, options)); }

TEST(MjcfIncludeTest, ElementsTakeThePlaceOfTheInclude) {
  const TemporaryFolder folder;
  folder.put("parts/b.xml", part("<body name='b1'/><body name='b2'><include file='inner.xml'/></body>"));
  folder.put("parts/inner.xml", part("<geom name='g' size='1'/>\n<joint name='j'/>"));
  const auto input = load_mjcf(folder.put("m.xml", world("<body name='a'/><include file='parts/b.xml'/><body name='c'/>")));
  ASSERT_TRUE(input.ok()) << first_error(input);
  ASSERT_EQ(input.value().bodies.size(), 5U);
  EXPECT_EQ(input.value().bodies[1].name, "a");
  EXPECT_EQ(input.value().bodies[2].name, "b1");
  EXPECT_EQ(input.value().bodies[3].name, "b2");
  EXPECT_EQ(input.value().bodies[4].name, "c");
  EXPECT_EQ(input.value().joints[0].body, 3);
  EXPECT_EQ(input.value().joints[0].where, folder.file("parts/inner.xml") + ":2:1:/mujoco/worldbody/body[2]/joint");
}

TEST(MjcfIncludeTest, SectionsOfAnIncludedFileCount) {
  const TemporaryFolder folder;
  folder.put("s.xml", "<mujoco><compiler angle='radian'/><worldbody><body name='x'/></worldbody></mujoco>");
  const auto input = load_mjcf(folder.put("m.xml", file("<include file='s.xml'/><worldbody><body euler='1 0 0'/></worldbody>")));
  ASSERT_TRUE(input.ok()) << first_error(input);
  ASSERT_EQ(input.value().bodies.size(), 3U);
  EXPECT_NEAR(input.value().bodies[2].pose.R.m[4], 0.5403023058681398, 1e-15);
}

TEST(MjcfIncludeTest, NamesAreRelativeToTheMainFileAndThenToTheirOwn) {
  const TemporaryFolder folder;
  folder.put("x.xml", part("<body name='top'/>"));
  folder.put("sub/x.xml", part("<body name='sub'/>"));
  folder.put("sub/y.xml", part("<body name='y'/>"));
  folder.put("sub/a.xml", part("<include file='x.xml'/><include file='y.xml'/>"));
  const auto input = load_mjcf(folder.put("m.xml", world("<include file='sub/a.xml'/>")));
  ASSERT_TRUE(input.ok()) << first_error(input);
  EXPECT_EQ(input.value().bodies[1].name, "top");
  EXPECT_EQ(input.value().bodies[2].name, "y");
}

TEST(MjcfIncludeTest, CyclesArePrintedAsAChain) {
  const TemporaryFolder folder;
  folder.put("b.xml", part("<include file='m.xml'/>"));
  folder.put("c.xml", part("<include file='c.xml'/>"));
  const std::string self = folder.put("self.xml", file("<include file='self.xml'/>"));
  EXPECT_NE(error_of(self).find("includes itself: " + self + " -> " + self), std::string::npos) << error_of(self);
  const std::string main = folder.put("m.xml", file("<include file='b.xml'/>"));
  EXPECT_NE(error_of(main).find("m.xml -> " + folder.file("b.xml") + " -> " + main), std::string::npos) << error_of(main);
  const std::string other = folder.put("o.xml", file("<include file='./c.xml'/>"));
  EXPECT_NE(error_of(other).find("c.xml -> "), std::string::npos) << error_of(other);
}

TEST(MjcfIncludeTest, RefusesDamagedIncludes) {
  const TemporaryFolder folder;
  folder.put("empty.xml", part(""));
  folder.put("bad.xml", "<mujoco><worldbody></mujoco>");
  folder.put("once.xml", part("<body/>"));
  const auto refused = [&](const std::string& inside, const std::string& what) {
    const std::string error = error_of(folder.put("m.xml", world(inside)));
    EXPECT_NE(error.find(what), std::string::npos) << error;
  };
  refused("<include/>", "needs the attribute file");
  refused("<include file=''/>", "has no name");
  refused("<include file='none.xml'/>", "include file \"none.xml\" is not there");
  refused("<include file='empty.xml'/>", "holds no elements");
  refused("<include file='bad.xml'/>", "bad.xml:1:20: tag <worldbody> opened in line 1");
  refused("<include file='once.xml'/><include file='once.xml'/>", "is included twice, first at ");
  refused("<include file='once.xml'><body/></include>", "takes no elements inside");
  expect_refused(world("<include file='once.xml'/>"), "this text may name none");
}

TEST(MjcfIncludeTest, NoFileOutsideOfTheFolderIsOpened) {
  const TemporaryFolder folder;
  folder.put("outside.xml", part("<body name='out'/>"));
  const std::string above = folder.put("in/m.xml", world("<include file='../outside.xml'/>"));
  EXPECT_NE(error_of(above).find("lies outside of the model's folder"), std::string::npos) << error_of(above);
  const std::string absolute = folder.put("in/a.xml", world("<include file='" + folder.file("outside.xml") + "'/>"));
  EXPECT_NE(error_of(absolute).find("lies outside"), std::string::npos) << error_of(absolute);
  fs::create_symlink(folder.file("outside.xml"), folder.file("in/link.xml"));
  const std::string linked = folder.put("in/l.xml", world("<include file='link.xml'/>"));
  EXPECT_NE(error_of(linked).find("lies outside"), std::string::npos) << error_of(linked);
  // an allowed folder, and a way that leaves and comes back
  EXPECT_EQ(error_of(above, {{folder.file("")}}), "");
  folder.put("in/own.xml", part("<body/>"));
  EXPECT_EQ(error_of(folder.put("in/back.xml", world("<include file='../in/own.xml'/>"))), "");
}

TEST(MjcfIncludeTest, NestingByIncludesHasTheSameLimit) {
  const TemporaryFolder folder;
  constexpr int files = 40;
  for (int i = 0; i < files; ++i) {
    std::string next = "<geom size='1'/>";
    if (i + 1 < files) next.assign("<include file='f").append(std::to_string(i + 1)).append(".xml'/>");
    std::string open, close;
    for (int k = 0; k < 10; ++k) open += "<body>", close += "</body>";
    folder.put("f" + std::to_string(i) + ".xml", part(open.append(next).append(close)));
  }
  const std::string error = error_of(folder.put("m.xml", world("<include file='f0.xml'/>")));
  EXPECT_NE(error.find("deeper than the limit of 256"), std::string::npos) << error;
}

}  // namespace
}  // namespace trilith::io
