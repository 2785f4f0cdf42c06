// Pairs of forces and motion that are known in closed form, and every damage to them.
#include "certify/cra_pair.h"

#include <functional>

#include "certify/structures.h"
#include "gtest/gtest.h"

namespace trilith::test {
namespace {

constexpr double give = 1e-4;

/// A structure with a motion and alphas.
struct PairData {
  Structure structure;
  std::vector<double> alpha;
  double give = test::give, bound = 100 * test::give;

  certify::Verification judge(const certify::CraSettings& settings = {}) {
    return verify_cra_pair(structure.problem(), {structure.forces, structure.velocities, alpha, give, bound}, settings);
  }
};

/// A cube that sinks into the ground by the give.
PairData sunk_block() {
  PairData p{block_on_ground(), {0, 0, 0, 0}};
  p.structure.velocities[1] = {{0, 0, -give}, {0, 0, 0}};
  return p;
}

/// A block on a slope that also slips down by half a give: friction is -tangent f_n along x, alpha that over the slip.
PairData slipping_block(double tangent) {
  PairData p{block_on_slope(tangent, .84), {}};
  p.structure.velocities[1] = {{.5 * give, 0, -give}, {0, 0, 0}};
  for (const V& f : p.structure.forces) p.alpha.push_back(-f.x / (.5 * give));
  return p;
}

TEST(CraPairTest, ABlockThatSinksByTheGiveStands) {
  const certify::Verification v = sunk_block().judge();
  EXPECT_TRUE(v.accepted) << v.statement;
  EXPECT_EQ(v.verdict, Verdict::stands);
}

TEST(CraPairTest, FrictionOnASlopeNeedsTheSlipThatItOpposes) {
  for (const double tangent : {.1, .8, .84 * (1 - 1e-11)}) {
    PairData p = slipping_block(tangent);
    EXPECT_TRUE(p.judge().accepted) << p.judge().statement;
  }
  EXPECT_FALSE(slipping_block(.85).judge().accepted);
}

TEST(CraPairTest, EveryConditionIsAsked) {
  struct Damage {
    const char* says;
    std::function<void(PairData&)> make;
  };
  const Damage damages[] = {
      {"sunk by 1 gives", [](PairData& p) { p.structure.velocities[1].linear.z *= 1 + 2e-6; }},
      {"pressed, but sunk", [](PairData& p) { p.structure.velocities[1].linear.z *= 1 - 2e-6; }},
      {"pressed, but sunk", [](PairData& p) { p.structure.velocities[1].angular.y = 1e-9; }},
      {"beyond the bound", [](PairData& p) { p.bound = 1.1 * give, p.structure.velocities[1].linear.y = 1.2 * give; }},
      {"off minus alpha", [](PairData& p) { p.structure.velocities[1].linear.x *= -1; }},
      {"off minus alpha", [](PairData& p) { p.alpha[0] *= 1 + 1e-5; }},
      {"off minus alpha", [](PairData& p) { p.structure.velocities[1].linear.y = 1e-5 * give; }},
      {"is not >= 0", [](PairData& p) { p.alpha[2] *= -1; }},
      {"one alpha per", [](PairData& p) { p.alpha.pop_back(); }},
      {"give is not", [](PairData& p) { p.give = 0; }},
      {"at least the give", [](PairData& p) { p.bound = .5 * give; }},
      {"friction without slip",
       [](PairData& p) {
         p.structure.velocities[1].linear.x *= 1e-3;
         for (double& a : p.alpha) a *= 1e3;
       }},
      {"unbalanced", [](PairData& p) { p.structure.forces[0].z *= 1 + 1e-6; }},
      {"support moves", [](PairData& p) { p.structure.velocities[0].linear.x = 1e-9; }},
  };
  for (const Damage& damage : damages) {
    PairData p = slipping_block(.5);
    ASSERT_TRUE(p.judge().accepted);
    damage.make(p);
    const certify::Verification v = p.judge();
    EXPECT_FALSE(v.accepted) << damage.says;
    EXPECT_EQ(v.verdict, Verdict::undecided);
    EXPECT_NE(v.statement.find(damage.says), std::string::npos) << damage.says << ": " << v.statement;
  }
}

TEST(CraPairTest, TheCommonFactorOfLengthsIsFree) {
  PairData p = slipping_block(.5);
  const double factor = 0x1p-20;
  p.give *= factor;
  p.bound *= factor;
  p.structure.velocities[1].linear = scaled(factor, p.structure.velocities[1].linear);
  for (double& a : p.alpha) a /= factor;
  EXPECT_TRUE(p.judge().accepted) << p.judge().statement;
}

}  // namespace
}  // namespace trilith::test
