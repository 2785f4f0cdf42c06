#include "constraints/touch_finder.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/random.h"

namespace trilith::constraints {
namespace {

model::Model two_balls() {
  model::Model model;
  model.bodies.resize(3);
  for (std::int32_t i = 1; i < 3; ++i) {
    model.bodies[static_cast<std::size_t>(i)].weld = i;
    model::Geom& geom = model.geoms.emplace_back();
    geom.body = i;
    geom.size = {0.1, 0, 0};
  }
  return model;
}

TEST(TouchFinderTest, PriorityDecidesAloneElseTheLargerWins) {
  model::Model model = two_balls();
  model.geoms[0].friction = {0.4, 0.01, 0.002};
  model.geoms[0].condim = 1;
  model.geoms[0].margin = 0.01, model.geoms[1].margin = 0.02;
  TouchPair pair = mix_pair(model, 0, 1);
  EXPECT_EQ(pair.condim, 3);
  EXPECT_EQ(pair.friction[0], 1);
  EXPECT_EQ(pair.friction[2], 0.01);
  EXPECT_DOUBLE_EQ(pair.margin, 0.03);
  model.geoms[0].priority = 1;
  pair = mix_pair(model, 0, 1);
  EXPECT_EQ(pair.condim, 1);
  EXPECT_EQ(pair.friction[0], 0.4);
}

TEST(TouchFinderTest, MasksParentsAndExclusionsFilterPairs) {
  std::vector<Warning> warnings;
  model::Model model = two_balls();
  EXPECT_EQ(TouchFinder(model, 3, warnings).pairs().size(), 1U);
  model.bodies[2].parent = 1;
  EXPECT_EQ(TouchFinder(model, 3, warnings).pairs().size(), 0U);
  model.options.filter_parent = false;
  EXPECT_EQ(TouchFinder(model, 3, warnings).pairs().size(), 1U);
  model.geoms[0].contype = 2, model.geoms[0].conaffinity = 4;
  EXPECT_EQ(TouchFinder(model, 3, warnings).pairs().size(), 0U);
  model.geoms[1].conaffinity = 2;
  EXPECT_EQ(TouchFinder(model, 3, warnings).pairs().size(), 1U);
  model.excludes.push_back({{"", 2}, {"", 1}, ""});
  EXPECT_EQ(TouchFinder(model, 3, warnings).pairs().size(), 0U);
  model::ContactPair& given = model.pairs.emplace_back();
  given.a.index = 0, given.b.index = 1, given.condim = 6;
  const TouchFinder finder(model, 3, warnings);
  ASSERT_EQ(finder.pairs().size(), 1U);  // a named pair asks nobody
  EXPECT_EQ(finder.pairs()[0].condim, 6);
}

TEST(TouchFinderTest, ContactsActBelowTheMarginAndFullIsTold) {
  std::vector<Warning> warnings;
  const model::Model model = two_balls();
  const TouchFinder finder(model, 3, warnings);
  std::vector<Posed> X_WB(3, identity_pose<double>());
  TouchScratch scratch(finder);
  X_WB[2].p = {0, 0, 0.19};
  std::vector<Touch> touches(1);
  bool full = false;
  ASSERT_EQ(finder.find(X_WB, scratch, touches, full), 1U);
  EXPECT_FALSE(full);
  EXPECT_NEAR(touches[0].distance, -0.01, 1e-15);
  EXPECT_NEAR(touches[0].frame.m[2], 1, 1e-15);
  EXPECT_EQ(finder.find(X_WB, scratch, std::span(touches).first(0), full), 0U);
  EXPECT_TRUE(full);
  X_WB[2].p = {0, 0, 0.21};
  EXPECT_EQ(finder.find(X_WB, scratch, touches, full), 0U);
}

/// Shapes of every kind in a small room, on bodies some of which are welded or carried, with masks, exclusions and named pairs.
model::Model crowd(test::Random& random) {
  model::Model model;
  model.bodies.resize(41);
  for (std::int32_t i = 1; i < 41; ++i) {
    model::Body& body = model.bodies[static_cast<std::size_t>(i)];
    body.weld = i;
    if (i % 7 == 0) body.weld = i - 1, body.parent = i - 1;
    if (i % 5 == 3) body.parent = i - 1;
  }
  constexpr model::GeomKind kinds[] = {model::GeomKind::sphere,   model::GeomKind::capsule, model::GeomKind::ellipsoid,
                                       model::GeomKind::cylinder, model::GeomKind::box,     model::GeomKind::plane};
  for (std::int32_t i = 0; i < 90; ++i) {
    model::Geom& geom = model.geoms.emplace_back();
    geom.body = i < 3 ? 0 : 1 + i % 40;
    geom.kind = i < 3 ? model::GeomKind::plane : kinds[random.index(5)];
    geom.size = {random.uniform(0.05, 0.2), random.uniform(0.05, 0.2), random.uniform(0.05, 0.2)};
    geom.contype = 1 + static_cast<std::int32_t>(random.index(3)), geom.conaffinity = static_cast<std::int32_t>(random.index(4));
    geom.friction[0] = random.coin() ? 1 : 0.4, geom.condim = random.coin() ? 3 : 4;
    geom.margin = random.coin() ? 0 : 0.02, geom.gap = random.coin() ? 0 : 0.01;
  }
  model.geoms[2].pose.R = {{1, 0, 0, 0, 0.8, -0.6, 0, 0.6, 0.8}};  // a slope
  model.excludes.push_back({{"", 4}, {"", 9}, ""});
  for (const std::int32_t a : {7, 30}) {
    model::ContactPair& given = model.pairs.emplace_back();
    given.a.index = a, given.b.index = 12, given.margin = 0.3, given.condim = 6;
  }
  return model;
}

std::vector<Posed> strewn(const model::Model& model, test::Random& random) {
  std::vector<Posed> poses(model.bodies.size(), identity_pose<double>());
  for (std::size_t i = 1; i < poses.size(); ++i) {
    const Vec3d x = random.direction(), y = unit(cross(x, random.direction()));
    poses[i] = {from_columns(x, y, cross(x, y)), {random.uniform(0, 1.2), random.uniform(0, 1.2), random.uniform(0, 0.9)}};
  }
  return poses;
}

void expect_equal(const Touch& a, const Touch& b) {
  EXPECT_EQ(a.a, b.a);
  EXPECT_EQ(a.b, b.b);
  EXPECT_EQ(a.condim, b.condim);
  EXPECT_EQ(a.friction, b.friction);
  EXPECT_EQ(a.margin, b.margin);
  EXPECT_EQ(a.distance, b.distance);
  EXPECT_EQ(norm(a.position - b.position), 0);
  EXPECT_EQ(a.law.solref, b.law.solref);
  EXPECT_EQ(a.law.solimp, b.law.solimp);
  EXPECT_TRUE(std::equal(std::begin(a.frame.m), std::end(a.frame.m), std::begin(b.frame.m)));
}

TEST(TouchFinderTest, ProposedPairsGiveTheContactsOfAllPairs) {
  test::Random random(61);
  std::vector<Warning> warnings;
  std::size_t seen = 0;
  for (int trial = 0; trial < 10; ++trial) {
    const model::Model model = crowd(random);
    const TouchFinder all(model, 3, warnings, {1 << 20, 1 << 20}), some(model, 3, warnings, {0, 0});
    EXPECT_LT(some.pairs().size(), all.pairs().size());
    TouchScratch scratch(all), other(some);
    std::vector<Touch> expected(4000), found(4000);
    for (int step = 0; step < 5; ++step) {
      const std::vector<Posed> poses = strewn(model, random);
      bool full = false;
      const std::size_t count = all.find(poses, scratch, expected, full);
      ASSERT_EQ(some.find(poses, other, found, full), count);
      for (std::size_t i = 0; i < count; ++i) expect_equal(found[i], expected[i]);
      seen += count;
    }
  }
  EXPECT_GT(seen, 5000U);
}

TEST(TouchFinderTest, APairIsListedForEveryTwoKindsOfShapes) {
  model::Model model;
  model.bodies.resize(3);
  for (std::int32_t i = 1; i < 3; ++i) model.bodies[static_cast<std::size_t>(i)].weld = i;
  for (std::int32_t i = 0; i < 6000; ++i) {  // two bodies of 3,000 shapes, first all of the one
    model::Geom& geom = model.geoms.emplace_back();
    geom.body = i < 3000 ? 1 : 2;
    geom.size = {0.1, 0, 0};
    geom.friction[0] = i % 2 == 0 ? 0.5 : 0.75;
  }
  std::vector<Warning> warnings;
  const TouchFinder two_kinds(model, 3, warnings);
  ASSERT_EQ(two_kinds.pairs().size(), 3U);
  EXPECT_EQ(two_kinds.pairs()[0].friction[0], 0.5);
  EXPECT_EQ(two_kinds.pairs()[1].friction[0], 0.75);
  EXPECT_EQ(two_kinds.most_pairs(), 6000U * 5999U / 2);

  for (std::size_t i = 0; i < model.geoms.size(); ++i) model.geoms[i].friction[0] = 0.5 + 1e-4 * static_cast<double>(i % 3000);
  model.geoms[1234].law.solref[0] = 1e-5;  // one of 3,001 kinds, alone on its body
  const TouchFinder many(model, 3, warnings);
  EXPECT_LT(many.pairs().size(), 5U * 3001U);
  EXPECT_TRUE(
      std::any_of(many.pairs().begin(), many.pairs().end(), [](const TouchPair& pair) { return pair.a == 1234 || pair.b == 1234; }));
}

}  // namespace
}  // namespace trilith::constraints
