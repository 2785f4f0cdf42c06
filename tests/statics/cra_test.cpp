// Coupled analysis against closed forms: a bar that jams, wedges, slopes; and its proofs, damaged.
#include "statics/cra.h"

#include <cmath>

#include "boxes.h"
#include "constraints/contact_rows.h"
#include "statics/planar.h"

namespace trilith::statics {
namespace {

using test::assemble;
using test::box;
using test::boxes;

model::Assembly with_friction(model::AssemblyInput input, double friction) {
  input.friction = friction;
  input.density = 2400;
  return assemble(std::move(input));
}

CheckResult coupled(const model::Assembly& assembly, double bound = 100) {
  CoupledSettings settings;
  settings.bound_gives = bound;
  return check_coupled(assembly, settings);
}

CheckResult coupled(model::AssemblyInput input, double friction, double bound = 100) {
  return coupled(with_friction(std::move(input), friction), bound);
}

TEST(CoupledTest, ABarBetweenPostsJamsExactlyFromTwiceItsHeightOverItsSpan) {
  for (const double height : {.1, .25, .5})
    for (const double span : {1.0, 1.25}) {
      const double least = 2 * height / span;
      EXPECT_EQ(coupled(model::generate_h_model({.span = span, .height = height}), least * (1 + 1e-4)).verdict, Verdict::stands) << least;
      const CheckResult below = coupled(model::generate_h_model({.span = span, .height = height}), least * (1 - 1e-4));
      EXPECT_EQ(below.verdict, Verdict::falls) << least;
      EXPECT_EQ(below.coupled->decided_by, "plane search");
    }
}

TEST(CoupledTest, TheBarNeedsABoundOfTwiceItsSpanOverItsHeightAndOne) {
  // (CRA-4): 2 w / h + 1 = 9 gives
  const model::Assembly bar = with_friction(model::generate_h_model({.span = 1, .height = .25}), .6);
  EXPECT_EQ(coupled(bar, 9.1).verdict, Verdict::stands);
  EXPECT_EQ(coupled(bar, 7.9).verdict, Verdict::falls);
}

TEST(CoupledTest, ABlockThatOnlySqueezedFrictionHoldsFalls) {
  // equilibrium exists from mu = tan 30, but nothing squeezes the block
  const model::Assembly wedge = with_friction(model::generate_wedge({}), .84);
  EXPECT_EQ(check(wedge, {}).verdict, Verdict::stands);
  EXPECT_EQ(coupled(wedge).verdict, Verdict::falls);
}

TEST(CoupledTest, AKeystoneStandsWithoutFrictionAndWith) {
  for (const double mu : {0.0, .1, .84}) EXPECT_EQ(coupled(model::generate_wedge({.angle = -.2}), mu).verdict, Verdict::stands) << mu;
}

TEST(CoupledTest, ASlopeIsDecidedOnBothSidesOfTheFrictionAngle) {
  const double angle = .6, limit = std::tan(angle);
  EXPECT_EQ(coupled(model::generate_incline({.angle = angle, .height = .2}), limit * (1 + 1e-3)).verdict, Verdict::stands);
  const CheckResult below = coupled(model::generate_incline({.angle = angle, .height = .2}), limit * (1 - 1e-3));
  EXPECT_EQ(below.verdict, Verdict::falls);
  EXPECT_EQ(below.coupled->decided_by, "collapse");
  EXPECT_EQ(below.claim, Claim::cra);
}

TEST(CoupledTest, WhatStandsOnItsOwnWeightStands) {
  EXPECT_EQ(coupled(model::generate_stack({.count = 4, .offset = .1}), .84).verdict, Verdict::stands);
  EXPECT_EQ(coupled(model::generate_portal({}), .84).verdict, Verdict::stands);
  EXPECT_EQ(coupled(model::generate_arch({.count = 16, .thickness_ratio = .12}), .84).verdict, Verdict::stands);
  EXPECT_EQ(coupled(model::generate_wall({.columns = 6, .rows = 6}), .84).verdict, Verdict::stands);
}

TEST(CoupledTest, TheResultCarriesAPairThatTheJudgeAccepts) {
  const model::Assembly arch = with_friction(model::generate_arch({.count = 9, .thickness_ratio = .15}), .6);
  const CheckResult result = coupled(arch);
  ASSERT_EQ(result.verdict, Verdict::stands);
  EXPECT_TRUE(result.verification.accepted);
  EXPECT_EQ(result.coupled->displacements.size(), arch.blocks.size());
  EXPECT_EQ(result.coupled->alpha.size(), result.forces_W.size());
  EXPECT_GT(result.coupled->engaged, 0);
  EXPECT_NEAR(result.coupled->bound_m, 100 * result.coupled->give_m, 1e-15);
}

TEST(CoupledTest, TurnedAndScaledAssembliesKeepTheVerdict) {
  for (const double mu : {.45, .55})
    for (const double scale : {1e-3, 1.0, 1e3}) {
      model::AssemblyInput input = model::generate_h_model({.span = 1, .height = .25});
      const test::Transform turn{.axes = test::rotation(.3, .7, -1.1), .shift = {10, -20, 5}, .scale = scale};
      const CheckResult result = coupled(test::transformed(std::move(input), turn), mu);
      EXPECT_EQ(result.verdict, mu > .5 ? Verdict::stands : Verdict::falls) << mu << " " << scale << " " << result.reason;
    }
}

TEST(CoupledTest, ASpatialStructureStandsByTheMotionBehindIt) {
  const CheckResult result = coupled(model::generate_barrel_vault({}), .84);
  EXPECT_EQ(result.verdict, Verdict::stands);
  EXPECT_FALSE(result.coupled->plane);
}

TEST(CoupledTest, OnlySupportsStandAndAPassedDeadlineDecidesNothing) {
  CoupledSettings settings;
  settings.check.deadline = Deadline::after(0);
  EXPECT_EQ(check_coupled(with_friction(model::generate_stack({}), .84), settings).verdict, Verdict::undecided);
}

/// The refutation of a bar just below its limit.
struct Refuted {
  PlanarModel plane;
  std::vector<certify::RefutationStep> steps;
  certify::PlanarProblem problem() const { return plane.problem(100, 1e-3); }
};

Refuted refuted_bar() {
  std::string why;
  Refuted r{*find_plane(with_friction(model::generate_h_model({.span = 1, .height = .25}), .45), {}, why), {}};
  r.steps = search_plane(r.problem(), {}, {}).steps;
  return r;
}

TEST(PlanarRefutationTest, ARayThatOverflowsProvesNothing) {
  // two bodies on the ground; the turn of the first is so fast that what its contact takes is no number
  const double load[] = {0, 1, 0, 0, 1, 0};
  certify::PlanarContact first{-1, 0, 0, {0, 0}, {10, 10}, {0.6, 0.8}, {0.8, -0.6}, 0.5}, second = first;
  second.body_b = second.joint = 1;
  const certify::PlanarContact contacts[] = {first, second};
  const certify::PlanarProblem problem{2, 2, load, contacts, 100, 1e-3};
  certify::RefutationStep step;
  step.kind = certify::RefutationStep::Kind::force;
  step.ray = {0, -1, 1e308, 0, 0, 0};
  EXPECT_FALSE(certify::verify_planar_refutation(problem, {&step, 1}, {}).accepted);
}

TEST(PlanarModelTest, PiecesOfOneLineAreOneJointOnlyWhereTheyRubAlike) {
  for (const double other : {0.5, 0.9}) {
    model::Assembly assembly = assemble(boxes({box("floor", {-5, -5, -1}, {5, 5, 0}, true), box("block", {0, 0, 0}, {1, 1, 1})}, 0.5));
    ASSERT_EQ(assembly.interfaces.size(), 1U);
    assembly.interfaces.push_back(assembly.interfaces[0]);
    for (Vec3d& p : assembly.interfaces[0].polygon) p.x *= 0.5;
    for (Vec3d& p : assembly.interfaces[1].polygon) p.x = 0.5 + 0.5 * p.x;
    assembly.interfaces[1].mu = other;
    std::string why;
    const auto plane = find_plane(assembly, {}, why);
    ASSERT_TRUE(plane) << why;
    EXPECT_EQ(plane->contacts.size(), other == 0.5 ? 2U : 4U);
    for (const certify::PlanarContact& contact : plane->contacts)
      EXPECT_EQ(contact.mu, assembly.interfaces[plane->interface_of_joint[static_cast<std::size_t>(contact.joint)]].mu);
  }
}

TEST(PlanarRefutationTest, AnExhaustedSearchIsAcceptedAndEveryDamageIsNot) {
  const Refuted good = refuted_bar();
  ASSERT_TRUE(certify::verify_planar_refutation(good.problem(), good.steps, {}).accepted);
  for (std::size_t i = 0; i < good.steps.size(); ++i) {
    const auto refused = [&](const char* what, auto damage) {
      Refuted bad = good;
      damage(bad);
      EXPECT_FALSE(certify::verify_planar_refutation(bad.problem(), bad.steps, {}).accepted) << what << " of step " << i;
    };
    if (good.steps[i].kind != certify::RefutationStep::Kind::learned) {
      refused("ray turned", [&](Refuted& r) {
        for (double& v : r.steps[i].ray) v = -v;
      });
      refused("ray zero", [&](Refuted& r) { std::fill(r.steps[i].ray.begin(), r.steps[i].ray.end(), 0.0); });
      refused("ray short", [&](Refuted& r) { r.steps[i].ray.pop_back(); });
      for (std::size_t k = 0; k < good.steps[i].literals.size(); ++k)
        refused("literal gone",
                [&](Refuted& r) { r.steps[i].literals.erase(r.steps[i].literals.begin() + static_cast<std::ptrdiff_t>(k)); });
    }
  }
  Refuted open = good;
  open.steps.pop_back();
  EXPECT_FALSE(certify::verify_planar_refutation(open.problem(), open.steps, {}).accepted);
  Refuted leap{good.plane, {{certify::RefutationStep::Kind::learned, {}, {}}}};
  EXPECT_FALSE(certify::verify_planar_refutation(leap.problem(), leap.steps, {}).accepted);
}

TEST(PlanarRefutationTest, ItHoldsForItsOwnFrictionAndBoundOnly) {
  const Refuted r = refuted_bar();
  PlanarModel rougher = r.plane;
  for (certify::PlanarContact& c : rougher.contacts) c.mu = 2;
  EXPECT_FALSE(certify::verify_planar_refutation(rougher.problem(100, 1e-3), r.steps, {}).accepted);
}

TEST(PlanarTest, ABarHasTwoContactsPerPostAndTwistedPilesHaveNoPlane) {
  std::string why;
  const auto plane = find_plane(with_friction(model::generate_h_model({}), .5), {}, why);
  ASSERT_TRUE(plane.has_value()) << why;
  EXPECT_EQ(plane->contacts.size(), 4u);
  EXPECT_EQ(plane->interface_of_joint.size(), 2u);
  EXPECT_LT(plane->deviation, 1e-12);
  EXPECT_FALSE(find_plane(with_friction(model::generate_barrel_vault({}), .84), {}, why).has_value());
  EXPECT_FALSE(why.empty());
}

}  // namespace
}  // namespace trilith::statics
