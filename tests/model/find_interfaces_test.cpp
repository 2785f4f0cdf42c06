#include "model/find_interfaces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "geom/polygon.h"
#include "linalg/fixed.h"
#include "model/generate.h"
#include "model/make_assembly.h"
#include "support/random.h"

namespace trilith::model {
namespace {

using test::Random;
using Areas = std::map<std::pair<std::string, std::string>, std::vector<double>>;

Assembly found(AssemblyInput input, int threads = 1) {
  Result<Assembly> result = make_assembly(std::move(input), {});
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.errors()[0].what);
  if (!result.ok()) return {};
  Assembly assembly = std::move(result).value();
  find_interfaces(assembly, {}, threads);
  return assembly;
}

/// Areas of every pair, in units of scale squared, sorted.
Areas areas(const Assembly& assembly, double scale = 1) {
  Areas result;
  for (const Interface& face : assembly.interfaces)
    result[std::minmax(assembly.blocks[face.a].id, assembly.blocks[face.b].id)].push_back(face.area / (scale * scale));
  for (auto& [pair, list] : result) std::sort(list.begin(), list.end());
  return result;
}

void expect_same(const Areas& one, const Areas& two, double tolerance) {
  ASSERT_EQ(one.size(), two.size());
  for (const auto& [pair, list] : one) {
    ASSERT_TRUE(two.contains(pair)) << pair.first << " - " << pair.second;
    const auto& other = two.at(pair);
    ASSERT_EQ(list.size(), other.size()) << pair.first << " - " << pair.second;
    for (std::size_t i = 0; i < list.size(); ++i) EXPECT_NEAR(list[i], other[i], tolerance * list[i]);
  }
}

template <class F>
AssemblyInput changed(AssemblyInput input, F&& f) {
  for (BlockInput& block : input.blocks)
    for (Vec3d& p : block.mesh.vertices) p = f(p);
  return input;
}

std::vector<AssemblyInput> samples() {
  WallOptions wall;
  wall.columns = 5;
  wall.rows = 4;
  PortalOptions portal;
  portal.drums = 3;
  ArchOptions arch;
  arch.count = 11;
  return {generate_wall(wall), generate_portal(portal), generate_stack({}), generate_arch(arch), generate_incline({})};
}

TEST(FindInterfacesTest, WallHasItsJoints) {
  WallOptions options;
  options.columns = 4;
  options.rows = 3;
  const Assembly a = found(generate_wall(options));
  const double bed = options.length * options.depth, head = options.height * options.depth;
  const Areas all = areas(a);
  // 4 on the ground; heads 3 + 4 + 3; beds 8 between two courses
  EXPECT_EQ(all.size(), 4U + 10 + 16);
  EXPECT_NEAR(all.at({"ground", "r0c0"})[0], bed, 1e-14);
  EXPECT_NEAR(all.at({"r0c0", "r1c0"})[0], bed / 2, 1e-14);
  EXPECT_NEAR(all.at({"r0c0", "r0c1"})[0], head, 1e-14);
  EXPECT_TRUE(a.interfaces.size() == all.size());
  for (const Interface& face : a.interfaces) {
    EXPECT_LT(face.a, face.b);
    EXPECT_EQ(face.polygon.size(), 4U);
    EXPECT_EQ(face.mu, a.friction);
    EXPECT_NEAR(norm(cross(face.normal, face.t1) - face.t2), 0, 1e-15);
    EXPECT_GT(dot(a.blocks[face.b].com - a.blocks[face.a].com, face.normal), 0);
  }
}

TEST(FindInterfacesTest, ArchHasOneJointMoreThanStones) {
  for (const int count : {3, 16, 101}) {
    ArchOptions options;
    options.count = count;
    const Assembly a = found(generate_arch(options));
    EXPECT_EQ(a.interfaces.size(), static_cast<std::size_t>(count) + 1);
    for (const Interface& face : a.interfaces) EXPECT_NEAR(face.area, options.radius * options.thickness_ratio * options.depth, 1e-12);
  }
}

TEST(FindInterfacesTest, RotationKeepsPairsAndAreas) {
  Random random(1);
  for (const AssemblyInput& sample : samples()) {
    const Areas still = areas(found(sample));
    for (int i = 0; i < 5; ++i) {
      const Vec3d z = random.direction(), x = unit(cross(z, random.direction())), y = cross(z, x);
      expect_same(still, areas(found(changed(sample, [&](const Vec3d& p) { return p.x * x + p.y * y + p.z * z; }))), 1e-9);
    }
  }
}

TEST(FindInterfacesTest, SiteCoordinatesKeepPairsAndAreas) {
  for (const AssemblyInput& sample : samples()) {
    const Areas still = areas(found(sample));
    for (const double far : {1e6, 1e7})  // doubles are 1e-10 and 2e-9 apart there
      expect_same(still, areas(found(changed(sample, [far](const Vec3d& p) { return p + Vec3d{far, -0.7 * far, 0.01 * far}; }))),
                  1e-15 * far);
  }
}

TEST(FindInterfacesTest, ScaleKeepsPairsAndAreas) {
  for (const AssemblyInput& sample : samples()) {
    const Areas still = areas(found(sample));
    for (const double scale : {1e-3, 1e3})
      expect_same(still, areas(found(changed(sample, [scale](const Vec3d& p) { return scale * p; })), scale), 1e-9);
  }
}

TEST(FindInterfacesTest, UnitsKeepPairsAndAreas) {
  for (const AssemblyInput& sample : samples()) {
    AssemblyInput millimetres = changed(sample, [](const Vec3d& p) { return 1000.0 * p; });
    millimetres.unit = std::string("mm");
    expect_same(areas(found(sample)), areas(found(millimetres)), 1e-9);
  }
}

TEST(FindInterfacesTest, OrderOfBlocksKeepsPairsAndAreas) {
  Random random(2);
  for (const AssemblyInput& sample : samples()) {
    AssemblyInput shuffled = sample;
    for (std::size_t i = shuffled.blocks.size(); i > 1; --i) std::swap(shuffled.blocks[i - 1], shuffled.blocks[random.index(i)]);
    expect_same(areas(found(sample)), areas(found(shuffled)), 1e-9);
  }
}

TEST(FindInterfacesTest, MirrorKeepsPairsAndAreas) {
  for (const AssemblyInput& sample : samples()) {
    // the faces wind inwards after a mirror and are turned back
    const Assembly mirrored = found(changed(sample, [](const Vec3d& p) { return Vec3d{-p.x, p.y, p.z}; }));
    expect_same(areas(found(sample)), areas(mirrored), 1e-9);
  }
}

TEST(FindInterfacesTest, NoiseOfSinglePrecisionKeepsPairsAndAreas) {
  Random random(3);
  for (const AssemblyInput& sample : samples()) {
    const Assembly noisy = found(changed(sample, [&](const Vec3d& p) { return p + 1e-6 * random.direction(); }));
    expect_same(areas(found(sample)), areas(noisy), 1e-4);
    const Assembly rounded =
        found(changed(sample, [](const Vec3d& p) { return Vec3d{double(float(p.x)), double(float(p.y)), double(float(p.z))}; }));
    expect_same(areas(found(sample)), areas(rounded), 1e-6);
  }
}

TEST(FindInterfacesTest, TrianglesGiveTheSamePolygons) {
  for (const AssemblyInput& sample : samples()) {
    AssemblyInput triangles = sample;
    for (BlockInput& block : triangles.blocks) {
      geom::Mesh fan;
      fan.vertices = block.mesh.vertices;
      for (std::size_t f = 0; f < block.mesh.face_count(); ++f)
        for (std::size_t i = 2; i < block.mesh.face(f).size(); ++i)
          fan.add_face(std::vector<std::uint32_t>{block.mesh.face(f)[0], block.mesh.face(f)[i - 1], block.mesh.face(f)[i]});
      block.mesh = fan;
    }
    expect_same(areas(found(sample)), areas(found(triangles)), 1e-12);
  }
}

TEST(FindInterfacesTest, ThreadsDoNotChangeABit) {
  WallOptions options;
  options.columns = 20;
  options.rows = 20;
  const Assembly one = found(generate_wall(options), 1);
  for (const int threads : {2, 3, 8}) {
    const Assembly many = found(generate_wall(options), threads);
    ASSERT_EQ(one.interfaces.size(), many.interfaces.size());
    for (std::size_t i = 0; i < one.interfaces.size(); ++i) {
      const Interface &a = one.interfaces[i], &b = many.interfaces[i];
      ASSERT_TRUE(a.a == b.a && a.b == b.b && a.area == b.area && a.polygon.size() == b.polygon.size());
      for (std::size_t k = 0; k < a.polygon.size(); ++k)
        ASSERT_TRUE(a.polygon[k].x == b.polygon[k].x && a.polygon[k].y == b.polygon[k].y && a.polygon[k].z == b.polygon[k].z);
    }
  }
}

TEST(FindInterfacesTest, SupportsHaveNoInterfaceWithEachOther) {
  AssemblyInput input = generate_stack({});
  input.blocks[1].fixed = true;
  const Areas all = areas(found(input));
  EXPECT_FALSE(all.contains({"b1", "ground"}));
  EXPECT_EQ(all.size(), 2U);
}

TEST(FindInterfacesTest, ASheetAsGroundCarriesFromBothSides) {
  for (const bool turned : {false, true}) {
    AssemblyInput input = generate_stack({});
    geom::Mesh sheet;
    sheet.vertices = {{-1, -1, 0}, {2, -1, 0}, {2, 2, 0}, {-1, 2, 0}};
    sheet.add_face(turned ? std::vector<std::uint32_t>{3, 2, 1, 0} : std::vector<std::uint32_t>{0, 1, 2, 3});
    input.blocks[0].mesh = sheet;
    const Assembly a = found(input);
    ASSERT_EQ(a.interfaces.size(), 3U);
    EXPECT_EQ(a.interfaces[0].normal.z, 1);
    EXPECT_EQ(a.interfaces[0].area, 1);
  }
}

TEST(FindInterfacesTest, ABlockThatTouchesNothingStays) {
  AssemblyInput input = generate_stack({});
  for (Vec3d& p : input.blocks[2].mesh.vertices) p.x += 100;
  const Assembly a = found(input);
  EXPECT_EQ(a.blocks.size(), 4U);
  EXPECT_EQ(a.interfaces.size(), 1U);
}

TEST(FindInterfacesTest, GapsAndOverlapsAreOneWarningEach) {
  AssemblyInput input = generate_stack({});
  for (Vec3d& p : input.blocks[1].mesh.vertices) p.z += 1e-4;  // a gap below, an overlap above
  const Assembly a = found(input);
  EXPECT_EQ(a.interfaces.size(), 1U);
  ASSERT_EQ(a.warnings.size(), 4U);  // friction and density are defaults
  EXPECT_EQ(a.warnings[2].where, "blocks ground - b1");
  EXPECT_EQ(a.warnings[2].what, "faces are up to 0.0001 m apart over 1 m^2 near (0.5, 0.5, 0): no contact there");
  EXPECT_EQ(a.warnings[3].where, "blocks b1 - b2");
  EXPECT_NE(a.warnings[3].what.find("blocks overlap by 0.0001 m over 1 m^2"), std::string::npos) << a.warnings[3].what;
}

TEST(FindInterfacesTest, EdgeTouchesAreNamedForLonelyBlocksAndCountedForOthers) {
  // a chequered floor: every stone touches its diagonal neighbours in an edge
  AssemblyInput input = generate_stack({});
  input.blocks.resize(1);
  for (int x = 0; x < 4; ++x)
    for (int y = 0; y < 4; ++y) {
      BlockInput block;
      block.id = std::string("x").append(std::to_string(x)).append("y").append(std::to_string(y));
      block.mesh = make_box({0.25 * x, 0.25 * y, 0}, {0.25 * (x + 1), 0.25 * (y + 1), 0.25});
      input.blocks.push_back(block);
    }
  const Assembly floor = found(input);
  EXPECT_EQ(floor.interfaces.size(), 16U + 24);
  ASSERT_EQ(floor.warnings.size(), 3U);
  EXPECT_EQ(floor.warnings[2].what,
            "18 pairs of blocks touch in an edge or a point only, which carries no force; all of these blocks have faces in contact "
            "elsewhere");

  BlockInput lonely;
  lonely.id = "lonely";
  lonely.mesh = make_box({1, 1, 0.25}, {2, 2, 1});
  input.blocks.push_back(lonely);
  const Assembly with = found(input);
  EXPECT_TRUE(std::ranges::any_of(with.warnings, [](const Warning& w) { return w.where == "blocks x3y3 - lonely"; }));
}

TEST(FindInterfacesTest, DoubtsBeyondTheLimitAreCounted) {
  AssemblyInput input = generate_stack({});
  input.blocks.resize(1);
  for (int x = 0; x < 50; ++x) {
    BlockInput block;
    block.id = std::string("b").append(std::to_string(x));
    block.mesh = make_box({-1 + 0.05 * x, 0, 2e-6}, {-1 + 0.05 * x + 0.02, 0.02, 0.02});
    input.blocks.push_back(block);
  }
  const Assembly a = found(input);
  EXPECT_TRUE(a.interfaces.empty());
  EXPECT_EQ(a.warnings.size(), 2U + 20 + 1);
  EXPECT_EQ(a.warnings.back().what, "30 more doubtful contacts are not listed");
}

TEST(FindInterfacesTest, WarpedFacesAreToldOnceWithTheWorst) {
  AssemblyInput input = generate_stack({});
  input.blocks[2].mesh.vertices[6].z += 0.05;
  input.blocks[3].mesh.vertices[6].z += 0.02;
  const Assembly a = found(input);
  EXPECT_TRUE(std::ranges::any_of(
      a.warnings, [](const Warning& w) { return w.where == "block b2" && w.what.find("2 blocks have faces that are not planar") == 0; }));
}

TEST(FindInterfacesTest, DoubtfulJointsAreKeptAsGeometry) {
  AssemblyInput input = generate_stack({});
  for (Vec3d& p : input.blocks[1].mesh.vertices) p.z += 1e-4;  // a gap below, an overlap above
  const Assembly a = found(input);
  ASSERT_EQ(a.doubtful.size(), 2U);
  EXPECT_EQ(a.doubtful_pairs, 2);
  EXPECT_NEAR(a.doubtful[0].gap, 1e-4, 1e-9);
  EXPECT_NEAR(a.doubtful[1].gap, -1e-4, 1e-9);
  for (const Interface& joint : a.doubtful) {
    EXPECT_NEAR(joint.area, 1, 1e-12);
    EXPECT_NEAR(geom::polygon_area(joint.polygon), 1, 1e-12);
    EXPECT_EQ(joint.mu, a.friction);
    EXPECT_GT(dot(a.blocks[joint.b].com - a.blocks[joint.a].com, joint.normal), 0);
  }
}

TEST(FindInterfacesTest, StonesThatRunIntoEachOtherMayHoldEachOtherAnyhow) {
  // a stone on a ledge that runs 1 mm into the wall behind it, and a stone on a bar that passes right through it
  const auto block = [](const std::string& id, geom::Mesh mesh, bool fixed) {
    BlockInput one;
    one.id = id;
    one.mesh = std::move(mesh);
    one.fixed = fixed;
    return one;
  };
  AssemblyInput input = generate_stack({});
  input.blocks.clear();
  geom::Mesh ledge;
  for (const double y : {0.0, 1.0})
    for (const auto& [x, z] : {std::pair{-1.0, -.5}, {.1, -.5}, {.1, 0.0}, {0.0, 0.0}, {0.0, 2.0}, {-1.0, 2.0}})
      ledge.vertices.push_back({x, y, z});
  ledge.add_face(std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5});
  ledge.add_face(std::vector<std::uint32_t>{11, 10, 9, 8, 7, 6});
  for (std::uint32_t i = 0; i < 6; ++i) ledge.add_face(std::vector<std::uint32_t>{(i + 1) % 6, i, 6 + i, 6 + (i + 1) % 6});
  input.blocks.push_back(block("ledge", ledge, true));
  input.blocks.push_back(block("stone", make_box({-.001, .2, 0}, {.5, .8, 1}), false));
  input.blocks.push_back(block("bar", make_box({7, -.1, -.1}, {13, .1, .1}), true));
  input.blocks.push_back(block("pierced", make_box({9.5, -.5, -.5}, {10.5, .5, .5}), false));
  const Assembly a = found(input);
  EXPECT_EQ(a.interfaces.size(), 1U);  // the stone on its ledge
  EXPECT_EQ(a.doubtful_pairs, 2);
  EXPECT_EQ(a.doubtful.size(), 2U * 12);  // six faces of a box each, from both sides
  int told = 0;
  for (const Warning& warning : a.warnings) told += warning.what.find("blocks overlap by ") == 0 ? 1 : 0;
  EXPECT_EQ(told, 2);
}

TEST(FindInterfacesTest, AWiderContactGapTakesTheJointAndTellsIt) {
  AssemblyInput input = generate_stack({});
  for (Vec3d& p : input.blocks[1].mesh.vertices) p.z += 1e-4;
  input.contact_gap = 1.5e-4;
  Assembly a = std::move(make_assembly(input, {})).value();
  find_interfaces(a, contact_settings(a), 1);
  EXPECT_EQ(a.interfaces.size(), 3U);
  EXPECT_TRUE(a.doubtful.empty());
  EXPECT_NEAR(a.interfaces[0].gap, 1e-4, 1e-9);
  EXPECT_NE(a.warnings.back().what.find("2 contacts are taken as touching though the faces are up to 0.0001 m apart"), std::string::npos)
      << a.warnings.back().what;
}

TEST(FindInterfacesTest, ALargerContactAreaDropsAndTells) {
  AssemblyInput input = generate_stack({});
  input.contact_area = 0.05;
  for (Vec3d& p : input.blocks[3].mesh.vertices) p.x += 0.97;  // .03 of the top is left
  Assembly a = std::move(make_assembly(input, {})).value();
  find_interfaces(a, contact_settings(a), 1);
  EXPECT_EQ(a.interfaces.size(), 2U);
  ASSERT_EQ(a.doubtful.size(), 1U);
  EXPECT_NE(a.warnings.back().what.find("contact of 0.03 m^2 (gap 0 m) is too small and was left out"), std::string::npos)
      << a.warnings.back().what;
}

TEST(FindInterfacesTest, ContactThresholdsOutOfRangeAreRefused) {
  for (const double gap : {0.0, -1.0, 0.5}) {
    AssemblyOptions options;
    options.contact_gap = gap;
    const auto made = make_assembly(generate_stack({}), options);
    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.errors()[0].where, "--contact-gap");
  }
}

}  // namespace
}  // namespace trilith::model
