// What must not change the verdict: rotation, place, scale, mirror, order of blocks, density; and what can only help: friction.
#include <algorithm>
#include <random>

#include "assemblies.h"

namespace trilith {
namespace {

using test::Transform;

struct Case {
  const char* name;
  model::AssemblyInput input;
};

std::vector<Case> cases() {
  std::vector<Case> list{{"wall", model::generate_wall({.columns = 4, .rows = 4})},
                         {"portal", model::generate_portal({.drums = 3})},
                         {"leaning stack", model::generate_stack({.count = 3, .offset = 0.3})},
                         {"overhanging stack", model::generate_stack({.count = 3, .offset = 0.36})},
                         {"thick arch", model::generate_arch({.count = 9, .thickness_ratio = 0.3})},
                         {"thin arch", model::generate_arch({.count = 9, .thickness_ratio = 0.08})},
                         {"gentle slope", model::generate_incline({.angle = 0.4, .height = 0.3})},
                         {"steep slope", model::generate_incline({.angle = 0.8, .height = 0.3})}};
  for (Case& c : list) {
    c.input.friction = 0.7;
    c.input.density = 2000;
  }
  model::AssemblyInput floating = list[0].input;
  for (model::BlockInput& block : floating.blocks)
    if (block.fixed)
      for (Vec3d& v : block.mesh.vertices) v.z -= 1;
  list.push_back({"floating wall", floating});
  return list;
}

Verdict verdict(model::AssemblyInput input) { return test::judge(test::assemble(std::move(input))).verdict; }

class MetamorphicTest : public testing::Test {
 protected:
  void expect_same(const Transform& transform) {
    for (const Case& c : cases()) EXPECT_EQ(verdict(test::transformed(c.input, transform)), verdict(c.input)) << c.name;
  }
};

TEST_F(MetamorphicTest, TheCasesCoverBothAnswersAndAllAreDecided) {
  std::vector<Verdict> seen;
  for (const Case& c : cases()) {
    seen.push_back(verdict(c.input));
    EXPECT_NE(seen.back(), Verdict::undecided) << c.name;
  }
  for (const Verdict v : {Verdict::stands, Verdict::falls}) EXPECT_NE(std::find(seen.begin(), seen.end(), v), seen.end());
}

TEST_F(MetamorphicTest, RotationKeepsTheVerdict) {
  std::mt19937_64 rng(3);
  std::uniform_real_distribution<double> angle(-3, 3);
  for (int k = 0; k < 6; ++k) expect_same({.axes = test::rotation(angle(rng), angle(rng), angle(rng))});
}

TEST_F(MetamorphicTest, PlaceKeepsTheVerdict) {
  expect_same({.shift = {1e6, -5e5, 300}});
  expect_same({.axes = test::rotation(0.3, 0.2, 0.1), .shift = {5e5, 5.3e6, 430}});
}

TEST_F(MetamorphicTest, ScaleKeepsTheVerdict) {
  for (const double scale : {1e-3, 0.0254, 1e3}) expect_same({.scale = scale});
}

TEST_F(MetamorphicTest, MirrorKeepsTheVerdict) { expect_same({.mirror = true}); }

TEST_F(MetamorphicTest, OrderOfBlocksKeepsTheVerdict) {
  std::mt19937_64 rng(5);
  for (const Case& c : cases()) {
    model::AssemblyInput shuffled = c.input;
    std::shuffle(shuffled.blocks.begin(), shuffled.blocks.end(), rng);
    EXPECT_EQ(verdict(shuffled), verdict(c.input)) << c.name;
  }
}

TEST_F(MetamorphicTest, TenTimesTheMassKeepsTheVerdict) {
  for (const Case& c : cases()) {
    model::AssemblyInput heavy = c.input;
    heavy.density = 20000;
    EXPECT_EQ(verdict(heavy), verdict(c.input)) << c.name;
  }
}

TEST_F(MetamorphicTest, MoreFrictionNeverMakesItFallAndLessNeverMakesItStand) {
  for (const Case& c : cases()) {
    model::AssemblyInput rough = c.input, smooth = c.input;
    rough.friction = 1.4;
    smooth.friction = 0.3;
    const Verdict plain = verdict(c.input);
    if (plain == Verdict::stands) {
      EXPECT_EQ(verdict(rough), Verdict::stands) << c.name;
    }
    if (plain == Verdict::falls) {
      EXPECT_EQ(verdict(smooth), Verdict::falls) << c.name;
    }
  }
}

TEST_F(MetamorphicTest, MirroredForcesMirror) {
  const model::AssemblyInput input = cases()[2].input;
  const model::Assembly plain = test::assemble(input), mirrored = test::assemble(test::transformed(input, {.mirror = true}));
  const auto a = statics::support_reactions(plain, test::judge(plain)), b = statics::support_reactions(mirrored, test::judge(mirrored));
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(a[i].x, -b[i].x, 1e-6);
    EXPECT_NEAR(a[i].z, b[i].z, 1e-6);
  }
}

}  // namespace
}  // namespace trilith
