// What a joint that was told and left out may do to a verdict. (GEO-13)
#include <gtest/gtest.h>

#include <algorithm>

#include "certify/verify.h"
#include "model/find_interfaces.h"
#include "model/generate.h"
#include "model/make_assembly.h"
#include "statics/check.h"
#include "statics/proof_view.h"

namespace trilith::statics {
namespace {

model::BlockInput box(const char* id, const Vec3d& low, const Vec3d& high, bool fixed = false) {
  model::BlockInput block;
  block.id = id;
  block.mesh = model::make_box(low, high);
  block.fixed = fixed;
  return block;
}

model::Assembly found(std::vector<model::BlockInput> blocks, const model::AssemblyOptions& options = {}) {
  model::AssemblyInput input;
  input.source = "test.json";
  input.friction = 0.7;
  input.density = 2000;
  input.blocks = std::move(blocks);
  auto made = model::make_assembly(std::move(input), options);
  EXPECT_TRUE(made.ok());
  model::Assembly assembly = std::move(made).value();
  model::find_interfaces(assembly, model::contact_settings(assembly), 1);
  return assembly;
}

const auto table = box("table", {-2, 0, 0}, {0, 1, 1}, true);
const auto over = box("over", {-0.4, 0, 1}, {0.6, 1, 1.5});  // .1 too far over the edge

TEST(DoubtfulJointsTest, AnOpenJointThatMightHoldLeavesTheFallUndecided) {
  const model::Assembly a = found({table, over, box("prop", {0.3, 0, 0}, {0.6, 1, 1 - 1e-4}, true)});
  ASSERT_EQ(a.doubtful.size(), 1U);
  EXPECT_NEAR(a.doubtful[0].area, 0.3, 1e-9);
  EXPECT_NEAR(a.doubtful[0].gap, 1e-4, 1e-9);
  const CheckResult result = check(a, {});
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_TRUE(std::ranges::any_of(result.rungs, [](const auto& rung) { return rung.reason.find("might hold it") != std::string::npos; }));
}

TEST(DoubtfulJointsTest, WithAWiderContactGapTheSameJointHolds) {
  model::AssemblyOptions options;
  options.contact_gap = 2e-4;
  const model::Assembly a = found({table, over, box("prop", {0.3, 0, 0}, {0.6, 1, 1 - 1e-4}, true)}, options);
  EXPECT_TRUE(a.doubtful.empty());
  EXPECT_EQ(check(a, {}).verdict, Verdict::stands);
}

TEST(DoubtfulJointsTest, AnOpenJointThatCannotHoldDoesNotBlockTheFall) {
  // a loose stone beside the one that falls, well on the table
  const model::Assembly a = found({table, box("over", {-0.3, 0, 1}, {0.9, 1, 1.2}), box("by", {-0.6, 0, 1}, {-0.3 - 5e-5, 1, 1.1})});
  ASSERT_EQ(a.doubtful_pairs, 1);
  const CheckResult result = check(a, {});
  ASSERT_EQ(result.verdict, Verdict::falls);
  model::Assembly enlarged = a;
  enlarged.interfaces.insert(enlarged.interfaces.end(), a.doubtful.begin(), a.doubtful.end());
  EXPECT_TRUE(certify::verify_collapse(ProofView(enlarged).problem(), result.velocities, {}).accepted);
}

TEST(DoubtfulJointsTest, AFallFarFromTheDoubtIsProved) {
  const model::Assembly a = found({table, over, box("a", {-1.9, 0, 1}, {-1.5, 1, 1.4}), box("b", {-1.9, 0, 1.4 + 5e-5}, {-1.5, 1, 1.8})});
  EXPECT_GT(a.doubtful_pairs, 0);
  EXPECT_EQ(check(a, {}).verdict, Verdict::falls);
}

TEST(DoubtfulJointsTest, AJointThatIsNotNeededDoesNotDisturbStanding) {
  const model::Assembly a = found({table, box("one", {-1, 0, 1}, {-0.5, 1, 1.5}), box("two", {-0.5 + 5e-5, 0, 1}, {-0.1, 1, 1.5})});
  EXPECT_EQ(a.doubtful_pairs, 1);
  EXPECT_EQ(check(a, {}).verdict, Verdict::stands);
}

TEST(DoubtfulJointsTest, BlocksThatPierceEachOtherMayHoldInAnyWay) {
  // a dowel through the falling stone and a counterweight: no facing faces, but nobody can say that it does not hold
  const auto counterweight = box("weight", {-1.9, 0, 1}, {-0.4 - 1e-2, 1, 2});
  const auto dowel = box("dowel", {-1, 0.4, 1.2}, {0.2, 0.6, 1.3});
  const model::Assembly a = found({table, over, counterweight, dowel});
  EXPECT_GT(a.doubtful.size(), 12U);
  EXPECT_EQ(check(a, {}).verdict, Verdict::undecided);
  // but both together, without the counterweight, still fall
  EXPECT_EQ(check(found({table, over, box("dowel", {-0.3, 0.4, 1.2}, {0.2, 0.6, 1.7})}), {}).verdict, Verdict::falls);
}

}  // namespace
}  // namespace trilith::statics
