#include "model/generate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "geom/mass_properties.h"
#include "linalg/fixed.h"
#include "model/find_interfaces.h"
#include "model/make_assembly.h"

namespace trilith::model {
namespace {

Assembly made(AssemblyInput input) {
  input.friction = 0.7;
  input.density = 2000;
  Result<Assembly> result = make_assembly(std::move(input), {});
  EXPECT_TRUE(result.ok());
  Assembly assembly = std::move(result).value();
  find_interfaces(assembly, {}, 1);
  EXPECT_TRUE(assembly.warnings.empty()) << assembly.warnings[0].what;
  std::set<std::string> ids;
  for (const Block& block : assembly.blocks) ids.insert(block.id);
  EXPECT_EQ(ids.size(), assembly.blocks.size());
  return assembly;
}

TEST(GenerateTest, WallFillsItsRectangleWithoutAWarning) {
  WallOptions options;
  options.columns = 5;
  options.rows = 4;
  const Assembly a = made(generate_wall(options));
  ASSERT_EQ(a.blocks.size(), 1U + 5 + 6 + 5 + 6);
  double volume = 0;
  for (const Block& block : a.blocks) volume += block.fixed ? 0 : block.volume;
  EXPECT_NEAR(volume, 5 * 0.6 * 4 * 0.3 * 0.3, 1e-12);
  EXPECT_EQ(a.blocks[6].id, "r1c0");
  EXPECT_NEAR(a.blocks[6].box.upper.x, 0.3, 1e-15);  // half a block
  EXPECT_TRUE(a.blocks[0].fixed);
}

TEST(GenerateTest, PortalStandsOnTwoPosts) {
  PortalOptions options;
  options.drums = 4;
  options.overhang = 0.2;
  const Assembly a = made(generate_portal(options));
  EXPECT_EQ(a.blocks.size(), 1U + 8 + 1);
  EXPECT_EQ(a.blocks.back().id, "lintel");
  EXPECT_EQ(a.interfaces.size(), 2U + 6 + 2);
  EXPECT_NEAR(a.blocks.back().size, 3.4, 1e-14);
}

TEST(GenerateTest, StackShiftsEachBlock) {
  StackOptions options;
  options.count = 4;
  options.offset = 0.25;
  const Assembly a = made(generate_stack(options));
  EXPECT_NEAR(a.blocks[4].com.x, 0.5 + 3 * 0.25, 1e-15);
  ASSERT_EQ(a.interfaces.size(), 4U);
  EXPECT_NEAR(a.interfaces[3].area, 0.75, 1e-15);
}

TEST(GenerateTest, ArchIsPartOfARing) {
  ArchOptions options;
  options.count = 9;
  const Assembly a = made(generate_arch(options));
  const double thickness = options.radius * options.thickness_ratio;
  double volume = 0;
  for (const Block& block : a.blocks) volume += block.fixed ? 0 : block.volume;
  // voussoirs with straight sides: 2 R t sin(half the angle) cos(half the angle) each
  EXPECT_NEAR(volume, 9 * options.radius * thickness * options.depth * std::sin(M_PI / 9), 1e-12);
  EXPECT_EQ(a.interfaces.size(), 10U);
  EXPECT_NEAR(a.blocks[6].com.x, 0, 1e-12);  // the keystone
}

TEST(GenerateTest, ASegmentalArchRestsOnItsSpringingJoints) {
  ArchOptions options;
  options.count = 7;
  options.opening = 2.5;
  const Assembly a = made(generate_arch(options));
  ASSERT_EQ(a.blocks.size(), 9U);
  ASSERT_EQ(a.interfaces.size(), 8U);
  const double thickness = options.radius * options.thickness_ratio;
  double volume = 0;
  for (const Block& block : a.blocks) volume += block.fixed ? 0 : block.volume;
  EXPECT_NEAR(volume, 7 * options.radius * thickness * options.depth * std::sin(options.opening / 7), 1e-12);
  for (const Interface& joint : a.interfaces) EXPECT_NEAR(joint.area, thickness * options.depth, 1e-12);
  // the springing joints lie at half the opening from the vertical
  double steepest = 0;
  for (const Interface& joint : a.interfaces) steepest = std::max(steepest, std::acos(std::abs(joint.normal.x)));
  EXPECT_NEAR(steepest, options.opening / 2, 1e-12);
}

TEST(GenerateTest, InclineRestsOnItsSlope) {
  for (const double angle : {0.0, 0.3, 0.7}) {
    InclineOptions options;
    options.angle = angle;
    const Assembly a = made(generate_incline(options));
    ASSERT_EQ(a.interfaces.size(), 1U);
    EXPECT_NEAR(a.interfaces[0].normal.x, std::sin(angle), 1e-14);
    EXPECT_NEAR(a.interfaces[0].normal.z, std::cos(angle), 1e-14);
    EXPECT_NEAR(a.interfaces[0].area, 1, 1e-13);
    EXPECT_NEAR(a.blocks[1].volume, 1, 1e-13);
  }
}

TEST(GenerateTest, PrismFacesPointOutwards) {
  const Vec3d triangle[3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
  EXPECT_NEAR(geom::measure_volume(make_prism(triangle, -1, 1)), 1, 1e-15);
  EXPECT_NEAR(geom::measure_volume(make_box({0, 0, 0}, {1, 2, 3})), 6, 1e-14);
}

}  // namespace
}  // namespace trilith::model
