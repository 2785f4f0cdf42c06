#include <cmath>
#include <map>
#include <numeric>

#include "geom/mass_properties.h"
#include "linalg/fixed.h"
#include "model/generate_cells.h"
#include "model/generated.h"

namespace trilith::model {
namespace {

using test::assembled;

double free_volume(const Assembly& a) {
  double sum = 0;
  for (const Block& block : a.blocks) sum += block.fixed ? 0 : block.volume;
  return sum;
}

double contact_area(const Assembly& a, const std::string& one, const std::string& two) {
  double sum = 0;
  for (const Interface& face : a.interfaces) {
    const std::string &p = a.blocks[face.a].id, &q = a.blocks[face.b].id;
    if ((p == one && q == two) || (p == two && q == one)) sum += face.area;
  }
  return sum;
}

std::size_t root_of(std::vector<std::size_t>& parent, std::size_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

TEST(GenerateKindsTest, EveryKindIsReadWithoutAWarningAndHangsTogether) {
  for (auto& [name, input] : test::generated()) {
    SCOPED_TRACE(name);
    const Assembly a = assembled(std::move(input));
    std::set<std::string> ids;
    std::vector<std::size_t> parent(a.blocks.size());
    std::iota(parent.begin(), parent.end(), 0);
    for (const Block& block : a.blocks) ids.insert(block.id);
    EXPECT_EQ(ids.size(), a.blocks.size());

    // every free stone reaches a support over contacts
    for (const Interface& face : a.interfaces) parent[root_of(parent, face.a)] = root_of(parent, face.b);
    std::set<std::size_t> grounded;
    for (std::size_t i = 0; i < a.blocks.size(); ++i)
      if (a.blocks[i].fixed) grounded.insert(root_of(parent, i));
    for (std::size_t i = 0; i < a.blocks.size(); ++i) EXPECT_TRUE(grounded.contains(root_of(parent, i))) << a.blocks[i].id;
  }
}

TEST(GenerateKindsTest, MeshesAreClosedOutwardAndFlatFaced) {
  for (const auto& [name, input] : test::generated())
    for (const BlockInput& block : input.blocks) {
      SCOPED_TRACE(name + " " + block.id);
      std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
      double size = 0, off_plane = 0;
      for (const Vec3d& p : block.mesh.vertices) size = std::max(size, norm(p - block.mesh.vertices[0]));
      for (std::size_t f = 0; f < block.mesh.face_count(); ++f) {
        const auto face = block.mesh.face(f);
        const auto corner = [&](std::size_t i) { return block.mesh.vertices[face[i % face.size()]]; };
        Vec3d area{0, 0, 0};
        for (std::size_t i = 0; i < face.size(); ++i) {
          ++edges[{face[i], face[(i + 1) % face.size()]}];
          area = area + 0.5 * cross(corner(i) - corner(0), corner(i + 1) - corner(0));
        }
        for (std::size_t i = 1; i < face.size(); ++i) off_plane = std::max(off_plane, std::abs(dot(unit(area), corner(i) - corner(0))));
      }
      for (const auto& [edge, count] : edges) {
        EXPECT_EQ(count, 1);
        EXPECT_TRUE(edges.contains({edge.second, edge.first}));
      }
      EXPECT_LE(off_plane, 1e-13 * size);
      EXPECT_GT(geom::measure_volume(block.mesh), 0);
    }
}

TEST(GenerateKindsTest, TheSameSeedGivesTheSameBitsAndAnotherDoesNot) {
  const auto vertices = [](const AssemblyInput& input) {
    std::vector<double> list;
    for (const BlockInput& block : input.blocks)
      for (const Vec3d& p : block.mesh.vertices) list.insert(list.end(), {p.x, p.y, p.z});
    return list;
  };
  EXPECT_EQ(vertices(generate_rubble({.seed = 3})), vertices(generate_rubble({.seed = 3})));
  EXPECT_NE(vertices(generate_rubble({.seed = 3})), vertices(generate_rubble({.seed = 4})));
  EXPECT_EQ(vertices(generate_polygonal_wall({.seed = 3})), vertices(generate_polygonal_wall({.seed = 3})));
  EXPECT_NE(vertices(generate_polygonal_wall({.seed = 3})), vertices(generate_polygonal_wall({.seed = 4})));
}

TEST(GenerateKindsTest, CellsFillTheirWallForEverySeed) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    const double jitter = 0.45 * double(seed) / 12;
    const PolygonalWallOptions flat{.columns = 5, .rows = 4, .jitter = jitter, .seed = seed};
    EXPECT_NEAR(free_volume(assembled(generate_polygonal_wall(flat))), 5 * 0.5 * 4 * 0.4 * 0.4, 1e-9);
    const RubbleOptions deep{.columns = 3, .rows = 3, .layers = 2, .jitter = jitter, .size_spread = jitter, .seed = seed};
    const Assembly rubble = assembled(generate_rubble(deep));
    EXPECT_NEAR(free_volume(rubble), 3 * 0.6 * 3 * 0.2 * 2 * 0.5, 1e-9);
    // a border is seen from both sides: the surface of all stones is the box and each contact twice
    double surface = 0, contact = 0;
    for (std::size_t i = 1; i < rubble.blocks.size(); ++i) {
      const geom::Mesh& mesh = rubble.blocks[i].mesh;
      for (std::size_t f = 0; f < mesh.face_count(); ++f) {
        const auto face = mesh.face(f);
        Vec3d area{0, 0, 0};
        for (std::size_t k = 1; k + 1 < face.size(); ++k)
          area = area + 0.5 * cross(mesh.vertices[face[k]] - mesh.vertices[face[0]], mesh.vertices[face[k + 1]] - mesh.vertices[face[0]]);
        surface += norm(area);
      }
    }
    for (const Interface& face : rubble.interfaces)
      contact += rubble.blocks[face.a].fixed || rubble.blocks[face.b].fixed ? 0 : 2 * face.area;
    EXPECT_NEAR(surface, contact + 2 * (1.8 * 1 + 1.8 * 0.6 + 1 * 0.6), 1e-6);
  }
}

TEST(GenerateKindsTest, NoFaceOfACellIsNarrow) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for (const AssemblyInput& input : {generate_rubble({.rows = 4, .layers = 2, .jitter = 0.45, .size_spread = 0.5, .seed = seed}),
                                       generate_polygonal_wall({.columns = 9, .rows = 9, .jitter = 0.45, .seed = seed})})
      for (std::size_t i = 1; i < input.blocks.size(); ++i) {
        const geom::Mesh& mesh = input.blocks[i].mesh;
        // .002 of the spacing, which is at least .2 m / .65 along every axis
        EXPECT_GE(ConvexCell(mesh).least_width(), 0.002 * 0.3) << input.source << seed << " " << input.blocks[i].id;
      }
}

TEST(GenerateKindsTest, PublishedWallsHaveTheirBlocks) {
  for (const auto& [number, free, top] : {std::tuple(1, 33U, 1.05), std::tuple(2, 55U, 1.75), std::tuple(3, 46U, 1.925)}) {
    const Assembly a = assembled(generate_published_wall({number}));
    EXPECT_EQ(a.blocks.size(), free + 1);
    EXPECT_EQ(a.friction, 0.65);
    double high = 0;
    for (const Block& block : a.blocks) high = std::max(high, block.box.upper.z);
    EXPECT_NEAR(high, top, 1e-12);
  }
}

TEST(GenerateKindsTest, AnOpeningIsSpannedAsAsked) {
  OpeningOptions options{.columns = 8, .rows = 7, .opening_columns = 3, .opening_rows = 3, .sill_rows = 2};
  const double solid = 8 * 0.6 * 7 * 0.3 * 0.3, hole = 3 * 0.6 * 3 * 0.3 * 0.3;
  for (const auto top : {OpeningOptions::Top::none, OpeningOptions::Top::lintel, OpeningOptions::Top::arch}) {
    options.top = top;
    EXPECT_NEAR(free_volume(assembled(generate_opening(options))), solid - hole, 1e-12);
  }
  options.top = OpeningOptions::Top::lintel;
  const Assembly a = assembled(generate_opening(options));
  double bearing = 0;
  for (const Interface& face : a.interfaces)
    if (a.blocks[face.b].id == "lintel" && std::abs(face.normal.z) > 0.5 && face.polygon[0].z < 1.6) bearing += face.area;
  EXPECT_NEAR(bearing, 2 * 0.3 * 0.3, 1e-12);
}

TEST(GenerateKindsTest, StonesOfAnArchMeetInTheirWholeJoints) {
  const Assembly pointed = assembled(generate_pointed_arch({.count = 8, .thickness_ratio = 0.1}));
  EXPECT_EQ(pointed.interfaces.size(), 9U);
  EXPECT_NEAR(contact_area(pointed, "left", "v1"), 0.2 * 0.5, 1e-12);
  // the crown: inner height sqrt(1.9^2 - 1), outer sqrt(2.1^2 - 1)
  EXPECT_NEAR(contact_area(pointed, "v4", "v5"), (std::sqrt(2.1 * 2.1 - 1) - std::sqrt(1.9 * 1.9 - 1)) * 0.5, 1e-12);

  const Assembly jack = assembled(generate_jack_arch({.count = 5, .skew = 0.3}));
  EXPECT_NEAR(contact_area(jack, "left", "v1"), 0.4 / std::cos(0.3) * 0.3, 1e-12);
  EXPECT_NEAR(free_volume(jack), (2 + 0.4 * std::tan(0.3)) * 0.4 * 0.3, 1e-12);
}

TEST(GenerateKindsTest, ARoundPointedArchIsTheSemicircle) {
  const AssemblyInput round = generate_pointed_arch({.count = 10, .span = 2, .radius = 1}), arch = generate_arch({.count = 10});
  ASSERT_EQ(round.blocks.size(), arch.blocks.size());
  for (std::size_t i = 2; i < arch.blocks.size(); ++i)
    for (std::size_t k = 0; k < 8; ++k)
      EXPECT_LT(norm(round.blocks[i].mesh.vertices[k] - arch.blocks[i].mesh.vertices[k]), 1e-14) << arch.blocks[i].id;
}

TEST(GenerateKindsTest, VaultsAndDomesHaveTheirContacts) {
  // in stack bond every joint is whole: 9 courses and 10 beds of 4 stones
  const Assembly barrel = assembled(generate_barrel_vault({.bond = Bond::stack}));
  EXPECT_EQ(barrel.interfaces.size(), 9U * 3 + 10 * 4);
  const Assembly cross = assembled(generate_cross_vault({.count = 6}));
  EXPECT_EQ(cross.blocks.size(), 4U + 4 * 6);
  // per web half 3 stones: 2 beds and the springing; the groin of each; the crown of each web
  EXPECT_EQ(cross.interfaces.size(), 8U * 3 + 4 * 3 + 4);
  const DomeOptions stack{.rows = 4, .columns = 8, .keystone = true, .bond = Bond::stack};
  const Assembly dome = assembled(generate_dome(stack));
  EXPECT_EQ(dome.blocks.size(), 8U * 5 + 1);
  EXPECT_EQ(dome.interfaces.size(), 4U * 8 + 4 * 8 + 8);
  const Assembly bonded = assembled(generate_dome({.rows = 4, .columns = 8}));
  EXPECT_EQ(bonded.interfaces.size(), 4U * 8 + 4 * 16);
}

TEST(GenerateKindsTest, AHarmonicStackHasItsEdgesInTheHarmonicSeries) {
  const AssemblyInput input = generate_overhang({.count = 4, .length = 2, .factor = 0.5});
  double edge = 0;
  for (int k = 4; k >= 1; --k) {
    edge += 0.5 * 2 / (2.0 * k);
    EXPECT_NEAR(input.blocks[static_cast<std::size_t>(5 - k)].mesh.vertices[1].x, edge, 1e-15);
  }
}

TEST(GenerateKindsTest, OptionsThatCannotBeBuiltAreNamed) {
  const auto where = [](const std::vector<Error>& errors) { return errors.empty() ? std::string() : errors[0].where; };
  EXPECT_EQ(where(faults(WallOptions{.columns = 0})), "--columns");
  EXPECT_EQ(where(faults(WallOptions{.columns = 100000, .rows = 100000})), "--rows");
  EXPECT_EQ(where(faults(WallOptions{.length = std::nan("")})), "--length");
  EXPECT_EQ(where(faults(PublishedWallOptions{4})), "--number");
  EXPECT_EQ(where(faults(ArchOptions{.opening = 0.1})), "--angle");
  EXPECT_EQ(where(faults(ArchOptions{.opening = 3.2})), "--angle");
  EXPECT_EQ(where(faults(OpeningOptions{.columns = 2})), "--opening-columns");
  EXPECT_EQ(where(faults(OpeningOptions{.rows = 5})), "--opening-rows");
  EXPECT_EQ(where(faults(OpeningOptions{.top = OpeningOptions::Top::arch, .skew = 1.2})), "--skew");
  EXPECT_EQ(where(faults(PorticoOptions{.span = 0.4})), "--span");
  EXPECT_EQ(where(faults(OverhangOptions{.factor = 2})), "--factor");
  EXPECT_EQ(where(faults(CorbelOptions{.span = 0.9})), "--span");
  EXPECT_EQ(where(faults(InclineOptions{.angle = 1.6})), "--angle");
  EXPECT_EQ(where(faults(HModelOptions{.height = 1})), "--height");
  EXPECT_EQ(where(faults(ArchOptions{.thickness_ratio = 2})), "--thickness");
  EXPECT_EQ(where(faults(PointedArchOptions{.count = 7})), "--count");
  EXPECT_EQ(where(faults(PointedArchOptions{.radius = 0.9})), "--radius");
  EXPECT_EQ(where(faults(PointedArchOptions{.count = 200, .thickness_ratio = 0.4})), "--count");
  EXPECT_EQ(where(faults(CrossVaultOptions{.count = 5})), "--count");
  EXPECT_EQ(where(faults(DomeOptions{.eye = 1.6})), "--eye");
  EXPECT_EQ(where(faults(DomeOptions{.rows = 1, .eye = 0.01, .springing = 1.7})), "--springing");
  EXPECT_EQ(where(faults(RubbleOptions{.jitter = 0.5})), "--jitter");
  EXPECT_TRUE(faults(DomeOptions{}).empty());
}

}  // namespace
}  // namespace trilith::model
