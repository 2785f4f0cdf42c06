// One stone on its support: closed forms first, then turned scenes, rankings and degenerate contacts.
#include "statics/gate.h"

#include <algorithm>

#include "assemblies.h"
#include "geom/mass_properties.h"
#include "geom/shapes.h"

namespace trilith {
namespace {

using statics::GateScene;
using statics::GateSettings;
using statics::SeatReport;
using test::box;

GateScene scene_of(const geom::Mesh& stone, const geom::Mesh& support, GateSettings settings = {}) {
  if (!settings.into) settings.into = Vec3d{0, 1, 0};
  auto made = statics::make_gate_scene(stone, support, settings);
  EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.errors()[0].what);
  return made.ok() ? std::move(made).value() : GateScene{};
}

SeatReport as_it_lies(const geom::Mesh& stone, const geom::Mesh& support, const GateSettings& settings = {}) {
  return statics::measure_seat(scene_of(stone, support, settings), identity_pose<double>());
}

geom::Mesh joined(geom::Mesh one, const geom::Mesh& two) {
  const auto first = static_cast<std::uint32_t>(one.vertices.size());
  one.vertices.insert(one.vertices.end(), two.vertices.begin(), two.vertices.end());
  for (std::size_t f = 0; f < two.face_count(); ++f) {
    std::vector<std::uint32_t> corners;
    for (const std::uint32_t v : two.face(f)) corners.push_back(first + v);
    one.add_face(corners);
  }
  return one;
}

const geom::Mesh slab = box({-5, -5, -1}, {5, 5, 0});

TEST(GateTest, ABoxOnASlabMeetsItsClosedForm) {
  const SeatReport seat = as_it_lies(box({0, 0, 2}, {0.8, 0.4, 2.3}), slab);
  EXPECT_NEAR(seat.drop, 2, 1e-12);
  EXPECT_NEAR(seat.clearance, 0.2, 1e-12);
  EXPECT_TRUE(seat.stable);
  EXPECT_NEAR(seat.support_area, 0.32, 1e-12);
  EXPECT_NEAR(seat.com_offset.value_or(-1), 0, 1e-12);
  EXPECT_NEAR(seat.hollow, 0, 1e-12);
  // only the height of the seat is left: half of (1 m over the support's lowest point) over the mean width .6
  EXPECT_NEAR(seat.objective.value_or(-1), 0.5 * 1 / 0.6, 1e-12);
  EXPECT_NEAR(seat.nbo.margin, 0.2 / std::sqrt(0.32), 1e-12);
  EXPECT_NEAR(seat.nbo.depth_ratio, 0.4 / 0.3, 1e-12);
  EXPECT_NEAR(seat.nbo.seating, 1, 1e-12);
  EXPECT_TRUE(seat.nbo.stable);
}

TEST(GateTest, ClearanceIsSignedAtTheEdgeOfTheSupport) {
  // the slab ends at x = 5; the stone's centre is at x = 5 - d
  for (const double d : {0.1, 0.013, 1e-4, -1e-4, -0.05, -0.31}) {
    const SeatReport seat = as_it_lies(box({5 - d - 0.4, 0, 1}, {5 - d + 0.4, 0.4, 1.3}), slab);
    EXPECT_NEAR(seat.clearance, std::min(d, 0.2), 1e-9) << d;
    EXPECT_EQ(seat.stable, d > 0);
    EXPECT_EQ(seat.nbo.in_hull, d > 0);
    EXPECT_NEAR(seat.support_area, (0.4 + d) * 0.4, 1e-9);
  }
  GateSettings asking;
  asking.margin = 0.15;
  EXPECT_FALSE(as_it_lies(box({4.5, 0, 1}, {5.3, 0.4, 1.3}), slab, asking).stable);   // .1 inside
  EXPECT_TRUE(as_it_lies(box({4.43, 0, 1}, {5.23, 0.4, 1.3}), slab, asking).stable);  // .17 inside
}

TEST(GateTest, AStoneOnTwoRailsSpansThemAndLeavesAHollow) {
  const geom::Mesh rails = joined(box({0, 0, 0}, {0.2, 1, 0.5}), box({0.8, 0, 0}, {1, 1, 0.5}));
  const geom::Mesh floor = joined(rails, box({-1, -1, -0.2}, {2, 2, 0}));
  GateSettings settings;
  settings.cell = 0.01;
  const SeatReport seat = as_it_lies(box({0, 0, 3}, {1, 1, 3.8}), floor, settings);
  EXPECT_NEAR(seat.clearance, 0.5, 1e-9);
  EXPECT_NEAR(seat.support_area, 1, 1e-9);
  EXPECT_NEAR(seat.hollow, 0.6 * 1 * 0.5, 0.011);  // one column more or less on each side
  // over nothing the hollow counts with the height of the stone, .8
  EXPECT_NEAR(as_it_lies(box({0, 0, 3}, {1, 1, 3.8}), rails, settings).hollow, 0.6 * 1 * 0.8, 0.017);
}

TEST(GateTest, NoOneTwoAndCollinearContactsHaveClearanceMinusOne) {
  const geom::Mesh tip = test::make_mesh({{0, 0, 0}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}},
                                         {{1, 2, 3, 4}, {0, 2, 1}, {0, 3, 2}, {0, 4, 3}, {0, 1, 4}});
  const SeatReport one = as_it_lies(tip, slab);
  EXPECT_TRUE(one.lands);
  EXPECT_EQ(one.clearance, -1);
  EXPECT_FALSE(one.stable);
  EXPECT_EQ(one.support_area, 0);
  EXPECT_NEAR(one.com_offset.value_or(-1), 0, 1e-9);
  // a roof upside down touches along its ridge, two studs touch in two points
  const geom::Mesh ridge = test::make_mesh({{0, -1, 0}, {0, 1, 0}, {1, 1, 1}, {1, -1, 1}, {-1, 1, 1}, {-1, -1, 1}},
                                           {{0, 1, 2, 3}, {1, 0, 5, 4}, {2, 4, 5, 3}, {1, 4, 2}, {0, 3, 5}});
  for (const double margin : {0.0, -2.0}) {
    GateSettings settings;
    settings.margin = margin;
    EXPECT_EQ(as_it_lies(ridge, slab, settings).clearance, -1);
    EXPECT_FALSE(as_it_lies(ridge, slab, settings).stable);
  }
  const geom::Mesh needles =
      joined(test::moved(tip, {.shift = {0, 0, -1}, .scale = 0.02}), test::moved(tip, {.shift = {0.5, 0, -1}, .scale = 0.02}));
  geom::Mesh studs = needles;
  for (Vec3d& p : studs.vertices) p.z = -p.z;
  EXPECT_EQ(as_it_lies(box({0, -1, 4}, {1, 1, 5}), studs).clearance, -1);
  const SeatReport none = as_it_lies(box({20, 0, 1}, {21, 1, 2}), slab);
  EXPECT_FALSE(none.lands);
  EXPECT_EQ(none.clearance, -1);
  EXPECT_FALSE(none.stable);
  EXPECT_FALSE(none.objective);
}

TEST(GateTest, ATallStoneFailsByItsDepthAndALeaningOneByItsSeating) {
  const SeatReport tall = as_it_lies(box({0, 0, 0}, {0.5, 0.2, 0.41}), slab);
  EXPECT_TRUE(tall.stable);
  EXPECT_NEAR(tall.nbo.depth_ratio, 0.2 / 0.41, 1e-12);
  EXPECT_FALSE(tall.nbo.stable);
  // a block on its edge: the face below its centre leans by 44 or 50 degrees, cosines .72 and .64
  for (const double degrees : {44.0, 50.0}) {
    const double angle = degrees * 3.14159265358979323846 / 180;
    test::Motion turn;
    turn.x = {std::cos(angle), 0, std::sin(angle)};
    turn.z = {-std::sin(angle), 0, std::cos(angle)};
    const geom::Mesh cube = test::moved(box({-1, -1, 0}, {1, 1, 0.9}), turn);
    const SeatReport seat = as_it_lies(cube, slab);
    EXPECT_NEAR(seat.nbo.seating, std::cos(angle), 1e-9);
    EXPECT_EQ(seat.clearance, -1);
  }
}

TEST(GateTest, TurningEverythingTurnsTheAnswer) {
  test::Random random(8);
  geom::Mesh stone = box({-0.4, -0.25, 0}, {0.4, 0.25, 0.3});
  for (Vec3d& p : stone.vertices) p = p + Vec3d{random.uniform(-0.03, 0.03), random.uniform(-0.03, 0.03), random.uniform(-0.03, 0.03)};
  geom::Mesh support = joined(box({-1, -0.5, -0.3}, {0.05, 0.5, -0.02}), box({0.1, -0.5, -0.3}, {1, 0.5, -0.05}));
  for (const geom::Mesh& mesh : {std::cref(stone), std::cref(support)}) ASSERT_GT(geom::measure_volume(mesh), 0);
  const SeatReport plain = as_it_lies(test::triangulated(stone), support);
  const GateScene flat = scene_of(test::triangulated(stone), support);
  const SeatReport placed = statics::measure_seat(flat, statics::place_stone(flat, 0, {0.1, 0.05, 1}));
  for (int round = 0; round < 20; ++round) {
    const test::Motion motion = test::random_motion(random, 3);
    GateSettings settings;
    settings.gravity = motion.turn({0, 0, -9.80665});
    settings.into = motion.turn({0, 1, 0});
    const GateScene scene = scene_of(test::moved(test::triangulated(stone), motion), test::moved(support, motion), settings);
    const SeatReport turned = statics::measure_seat(scene, identity_pose<double>());
    const SeatReport laid = statics::measure_seat(scene, statics::place_stone(scene, 0, motion({0.1, 0.05, 1})));
    for (const auto& [a, b] : {std::pair(plain, turned), std::pair(placed, laid)}) {
      EXPECT_NEAR(a.clearance, b.clearance, 1e-9);
      EXPECT_NEAR(a.support_area, b.support_area, 1e-9);
      EXPECT_NEAR(a.drop, b.drop, 1e-9);
      EXPECT_NEAR(a.hollow, b.hollow, 1e-9);
      EXPECT_NEAR(a.objective.value_or(-1), b.objective.value_or(-2), 1e-8);
      EXPECT_NEAR(a.nbo.margin, b.nbo.margin, 1e-9);
      EXPECT_NEAR(a.nbo.depth_ratio, b.nbo.depth_ratio, 1e-9);
      EXPECT_EQ(a.contacts, b.contacts);
    }
  }
}

TEST(GateTest, TheFacesOfABoxAreItsRestsAndTheLowestComesFirst) {
  const GateScene scene = scene_of(box({0, 0, 0}, {3, 2, 1}), slab);
  ASSERT_EQ(scene.resting_faces().size(), 6U);
  EXPECT_NEAR(scene.resting_faces()[0].height, 0.5, 1e-12);
  EXPECT_NEAR(scene.resting_faces()[0].area, 6, 1e-12);
  EXPECT_NEAR(scene.resting_faces()[0].clearance, 1, 1e-12);
  EXPECT_NEAR(scene.resting_faces()[5].height, 1.5, 1e-12);
}

TEST(GateTest, AFaceThatTheCentreOfMassOverhangsIsNoRest) {
  // a prism that leans so far that it falls over from its foot
  geom::Mesh leaning = box({0, 0, 0}, {1, 1, 2});
  for (Vec3d& p : leaning.vertices) p.x += 0.8 * p.z;
  const GateScene scene = scene_of(leaning, slab);
  for (const auto& face : scene.resting_faces()) EXPECT_LT(std::abs(face.normal.z), 0.9);
  EXPECT_EQ(scene.resting_faces().size(), 4U);
}

TEST(GateTest, ThePlacingRuleLaysTheStoneFlatAndPointsItIntoTheWall) {
  test::Random random(12);
  for (int round = 0; round < 10; ++round) {
    const test::Motion motion = test::random_motion(random, 2);
    const GateScene scene = scene_of(test::moved(box({0, 0, 0}, {0.9, 0.3, 0.5}), motion), slab);
    const SeatReport seat = statics::measure_seat(scene, statics::place_stone(scene, 0, {1, 2, 5}));
    const Vec3d com = transform_point(seat.X_WS, scene.com());
    test::expect_near(com, {1, 2, 0.15}, 1e-9);
    EXPECT_NEAR(seat.nbo.depth_ratio, 0.9 / 0.3, 1e-9);
    EXPECT_NEAR(seat.clearance, 0.25, 1e-9);
    EXPECT_NEAR(seat.support_area, 0.45, 1e-9);
    EXPECT_TRUE(seat.stable && seat.nbo.stable);
  }
}

TEST(GateTest, StableSeatsComeFirstThenTheLeastObjective) {
  const geom::Mesh stone = box({-0.4, -0.2, 0}, {0.4, 0.2, 0.3});
  const geom::Mesh steps = joined(box({-5, -5, -1}, {5, 0, 0}), box({-5, 0, -1}, {5, 5, 0.5}));
  const GateScene scene = scene_of(stone, steps);
  std::vector<SeatReport> seats;
  for (const Vec3d& target : {Vec3d{30, 0, 0}, Vec3d{0, 5.1, 0}, Vec3d{0, 3, 0}, Vec3d{0, -3, 0}})
    seats.push_back(statics::measure_seat(scene, statics::place_stone(scene, 0, target)));
  EXPECT_FALSE(seats[0].lands);
  EXPECT_FALSE(seats[1].stable);  // its centre of mass is beyond the edge
  EXPECT_EQ(statics::rank_seats(seats), (std::vector<std::size_t>{3, 2, 1, 0}));
}

TEST(GateTest, OnAFlatBedClearanceSaysWhatTheProofSays) {
  test::Random random(20);
  const geom::Mesh bed = box({-2, -2, -1}, {0, 2, 0});
  int stands = 0, falls = 0;
  for (int round = 0; round < 40; ++round) {
    // a prism of any outline, turned about the vertical, somewhere at the edge x = 0 of the bed
    std::vector<Vec3d> outline;
    const int corners = 3 + static_cast<int>(random.index(4));
    const Vec3d at{random.uniform(-0.6, 0.6), random.uniform(-1, 1), 0};
    for (int i = 0; i < corners; ++i) {
      const double angle = (i + random.uniform(0.1, 0.9)) * 6.283185307179586 / corners;
      outline.push_back(at + Vec3d{std::cos(angle), 0.7 * std::sin(angle), 0});
    }
    const geom::Mesh stone = test::prism(outline, 0, 0.5);
    const double clearance = as_it_lies(stone, bed).clearance;
    if (std::abs(clearance) < 1e-3) continue;
    model::AssemblyInput input;
    input.friction = 0.6;
    input.density = 2400;
    input.blocks = {{"bed", bed, true, {}, ""}, {"stone", stone, false, {}, ""}};
    const Verdict verdict = test::judge(test::assemble(std::move(input))).verdict;
    EXPECT_EQ(verdict, clearance > 0 ? Verdict::stands : Verdict::falls) << round << " " << clearance;
    (clearance > 0 ? stands : falls) += 1;
  }
  EXPECT_GT(stands, 8);
  EXPECT_GT(falls, 8);
}

TEST(GateTest, WeightsScaleTheirOwnTerms) {
  const geom::Mesh stone = box({4.7, 0, 0}, {5.5, 0.4, 0.3});
  // of its .8 m, .3 rest on the slab, .5 hang over nothing
  const double expected[] = {1 - 0.3 / 0.8, 0.25 / 0.6, 0.5 / 0.8, 1 / 0.6}, tolerance[] = {1e-9, 1e-9, 0.05, 1e-9};
  double sum = 0;
  for (int term = 0; term < 4; ++term) {
    GateSettings settings;
    double* weights[] = {&settings.weights.support, &settings.weights.offset, &settings.weights.hollow, &settings.weights.seat};
    for (int i = 0; i < 4; ++i) *weights[i] = i == term ? 1 : 0;
    const double value = as_it_lies(stone, slab, settings).objective.value_or(-1);
    EXPECT_NEAR(value, expected[term], tolerance[term]) << term;
    sum += (term == 3 ? 0.5 : 1) * value;
  }
  EXPECT_NEAR(as_it_lies(stone, slab).objective.value_or(-1), sum, 1e-12);
}

TEST(GateTest, WhatCannotBeMeasuredIsRefusedAndWhatIsOpenIsTold) {
  geom::Mesh open = box({0, 0, 0}, {1, 1, 1});
  open.face_start.pop_back();
  open.face_vertex.resize(20);
  const GateScene scene = scene_of(open, slab);
  ASSERT_EQ(scene.warnings().size(), 1U);
  EXPECT_NE(scene.warnings()[0].what.find("convex hull: mesh is open"), std::string::npos) << scene.warnings()[0].what;
  test::expect_near(scene.com(), {0.5, 0.5, 0.5}, 1e-12);
  // an L has its centre of mass outside of the middle of its hull; inside out and unwelded it is mended, and that is told
  const geom::Mesh angle = test::prism({{0, 0, 0}, {3, 0, 0}, {3, 1, 0}, {1, 1, 0}, {1, 3, 0}, {0, 3, 0}}, 0, 1);
  geom::Mesh torn;
  for (std::size_t f = 0; f < angle.face_count(); ++f) {
    std::vector<std::uint32_t> corners;
    for (const std::uint32_t v : angle.face(f)) {
      corners.insert(corners.begin(), static_cast<std::uint32_t>(torn.vertices.size()));
      torn.vertices.push_back(angle.vertices[v]);
    }
    torn.add_face(corners);
  }
  const GateScene mended = scene_of(torn, slab);
  EXPECT_FALSE(mended.warnings().empty());
  test::expect_near(mended.com(), {1.1, 1.1, 0.5}, 1e-12);
  const geom::Mesh sheet = test::make_mesh({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2, 3}});
  EXPECT_FALSE(statics::make_gate_scene(sheet, slab, {}).ok());
  EXPECT_FALSE(statics::make_gate_scene(slab, {}, {}).ok());
  GateSettings weightless, along;
  weightless.gravity = {0, 0, 0};
  along.into = Vec3d{0, 0, 2};
  EXPECT_FALSE(statics::make_gate_scene(slab, slab, weightless).ok());
  EXPECT_FALSE(statics::make_gate_scene(slab, slab, along).ok());
}

}  // namespace
}  // namespace trilith
