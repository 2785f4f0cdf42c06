// Joints that pull, and loads beside the weight, with closed forms. Equations: (LIM-1) (LIM-2)
#include "model/joint_tension.h"
#include <algorithm>

#include "boxes.h"
#include "geom/polygon.h"
#include "statics/proof_view.h"

namespace trilith::statics {
namespace {

using test::assemble;
using test::box;
using test::boxes;
using test::judge;

/// Both judges: a proof of one must be one of the other.
void expect_exact(const model::Assembly& assembly, const CheckResult& result) {
  const ProofView view(assembly);
  const certify::VerifySettings settings;
  if (result.verdict == Verdict::stands) {
    EXPECT_TRUE(certify::verify_force_state_exact(view.problem(), result.forces_W, settings).accepted);
  } else {
    EXPECT_TRUE(certify::verify_collapse_exact(view.problem(), result.velocities, settings).accepted);
  }
}

/// A block of 2 x 1 x 1 m glued with its end to a wall: its weight of 20 kN has the arm 1 m about the bottom edge, an even stress s on the
/// joint of 1 m2 the moment s / 2. It peels at s = 40 kPa.
model::Assembly console(double stress) {
  model::AssemblyInput input = boxes({box("wall", {-1, 0, 0}, {0, 1, 1}, true), box("arm", {0, 0, 0}, {2, 1, 1})}, 0.9);
  input.tension_Pa = stress;
  return assemble(std::move(input));
}

TEST(JointTensionTest, AGluedConsolePeelsAtTheMomentOfItsJoint) {
  for (const double e : {1e-2, 1e-5, 1e-7}) {
    const model::Assembly holds = console(40000 * (1 + e)), peels = console(40000 * (1 - e));
    const CheckResult up = judge(holds), down = judge(peels);
    EXPECT_EQ(up.verdict, Verdict::stands) << e << ": " << up.reason;
    EXPECT_EQ(down.verdict, Verdict::falls) << e << ": " << down.reason;
    expect_exact(holds, up);
    expect_exact(peels, down);
  }
}

/// A block of 10 kN that hangs from a beam by a clutch.
model::Assembly hanging(double clutch, double pull) {
  model::AssemblyInput input = boxes({box("beam", {0, 0, 1}, {1, 1, 2}, true), box("block", {0, 0, 0}, {1, 1, 1})}, 0.3);
  input.interfaces = {{"beam", "block", {{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}, {}, {}, {}, {}, clutch, {}}};
  if (pull != 0) input.loads.push_back({"block", Vec3d{0, 0, -pull}, {}, {}, {}, {}});
  return assemble(std::move(input));
}

/// An arch of 16 stones with the same force on each, whatever its weight.
model::Assembly loaded_arch(const Vec3d& force, const Vec3d& gravity) {
  model::AssemblyInput input = model::generate_arch({.count = 16, .thickness_ratio = 0.15});
  input.gravity = gravity;
  for (const model::BlockInput& block : input.blocks)
    if (!block.fixed) input.loads.push_back({block.id, force, {}, {}, {}, {}});
  return assemble(std::move(input));
}

TEST(LoadsTest, AnArchCarriesItsLoadsWithoutGravityAndFarBeyondItsWeight) {
  for (const double weight : {0.0, 9.8}) {
    for (const double size : {3e-7, 1e3, 3e12}) {
      if (weight > 0 && size < 1) continue;
      for (const double aside : {1e-3, 0.9}) {
        const model::Assembly arch = loaded_arch({aside * size, 0.3e-3 * size, -size}, {0, 0, -weight});
        if (weight > 0 && size < 1e4 && aside > 0.5) continue;  // there the weight decides
        const CheckResult result = judge(arch);
        EXPECT_EQ(result.verdict, aside < 0.5 ? Verdict::stands : Verdict::falls) << weight << ' ' << size << ' ' << aside << result.reason;
        expect_exact(arch, result);
      }
    }
  }
}

TEST(JointTensionTest, AHangingBlockFallsWhenItsWeightPassesTheClutch) {
  EXPECT_EQ(judge(hanging(10000 * (1 + 1e-7), 0)).verdict, Verdict::stands);
  EXPECT_EQ(judge(hanging(10000 * (1 - 1e-7), 0)).verdict, Verdict::falls);
  // and no joint at all holds nothing
  EXPECT_EQ(judge(hanging(0, 0)).verdict, Verdict::falls);
}

TEST(JointTensionTest, ALoadCountsAsWeightDoes) {
  EXPECT_EQ(judge(hanging(12500 * (1 + 1e-7), 2500)).verdict, Verdict::stands);
  EXPECT_EQ(judge(hanging(12500 * (1 - 1e-7), 2500)).verdict, Verdict::falls);
  // lifted by its own weight it needs no clutch
  EXPECT_EQ(judge(hanging(1e-3, -10000)).verdict, Verdict::stands);
}

/// Sideways on a floor: friction of weight and of the pull of a glued joint, mu (W + C).
TEST(JointTensionTest, FrictionGrowsWithThePullOfTheJoint) {
  const auto pushed = [](double push) {
    model::AssemblyInput input = boxes({box("floor", {-2, -2, -1}, {3, 3, 0}, true), box("slab", {0, 0, 0}, {1, 1, 0.1})}, 0.5);
    input.tension_Pa = 3000;
    input.loads.push_back({"slab", Vec3d{push, 0, 0}, {}, Vec3d{0.5, 0.5, 0}, {}, {}});
    return assemble(std::move(input));
  };
  EXPECT_EQ(judge(pushed(2000 * (1 - 1e-6))).verdict, Verdict::stands);
  EXPECT_EQ(judge(pushed(2000 * (1 + 1e-6))).verdict, Verdict::falls);
}

/// A pressure on the overhang of a plank: resultant at the centroid, into the block. The plank of 4 kN reaches 1 m over the edge of 4; a
/// pressure p on its last half metre tips it at p / 2 * 0.75 = 4 kN * 1.
TEST(JointTensionTest, APressureTipsAPlank) {
  const auto pressed = [](double pressure, bool clockwise) {
    model::AssemblyInput input = boxes({box("table", {-5, 0, -1}, {0, 1, 0}, true), box("plank", {-3, 0, 0}, {1, 1, 0.1})}, 0.6);
    std::vector<Vec3d> area{{0.5, 0, 0.1}, {1, 0, 0.1}, {1, 1, 0.1}, {0.5, 1, 0.1}};
    if (clockwise) std::reverse(area.begin(), area.end());
    input.loads.push_back({"plank", {}, pressure, {}, area, {}});
    return assemble(std::move(input));
  };
  const double limit = 4000 * 1 / (0.5 * 0.75);
  for (const bool clockwise : {false, true}) {
    EXPECT_EQ(judge(pressed(limit * (1 - 1e-6), clockwise)).verdict, Verdict::stands);
    EXPECT_EQ(judge(pressed(limit * (1 + 1e-6), clockwise)).verdict, Verdict::falls);
    EXPECT_EQ(pressed(limit, clockwise).warnings.size(), clockwise ? 1 : 0);
  }
}

TEST(JointTensionTest, EveryRungKeepsToThePull) {
  const model::Assembly strong = console(60000), weak = console(30000);
  for (const SolverChoice rung : {SolverChoice::ls, SolverChoice::projections, SolverChoice::ipm}) {
    const CheckResult result = judge(strong, rung);
    EXPECT_TRUE(rung == SolverChoice::ls || result.verdict == Verdict::stands) << result.reason;
    EXPECT_NE(judge(weak, rung).verdict, Verdict::stands);
  }
}

TEST(JointTensionTest, LeastNormLeavesAJointThatNeedNotPullAlone) {
  model::AssemblyInput input = boxes({box("floor", {-1, -1, -1}, {2, 2, 0}, true), box("cube", {0, 0, 0}, {1, 1, 1})}, 0.5);
  input.tension_Pa = 1e5;
  const CheckResult result = judge(assemble(std::move(input)));
  ASSERT_EQ(result.verdict, Verdict::stands);
  EXPECT_EQ(result.method, "ls");
  for (const Vec3d& f : result.forces[0]) EXPECT_NEAR(f.x, 2500, 1e-6);
}

TEST(JointTensionTest, SharesBalanceAboutTheCentroid) {
  const std::vector<Vec3d> polygon{{0, 0, 0}, {4, 0, 0}, {5, 2, 0}, {2, 3, 0}, {-1, 1, 0}};
  bool even = true;
  const std::vector<double> share = model::share_tension(polygon, 7, even);
  EXPECT_FALSE(even);
  const Vec3d middle = geom::polygon_centroid(polygon);
  double sum = 0;
  Vec3d moment{0, 0, 0};
  for (std::size_t i = 0; i < share.size(); ++i) {
    EXPECT_GT(share[i], 0);
    sum += share[i];
    moment = moment + share[i] * (polygon[i] - middle);
  }
  EXPECT_NEAR(sum, 7, 1e-12);
  EXPECT_NEAR(norm(moment), 0, 1e-12);
}

TEST(JointTensionTest, BadLoadsAndPullsAreRefusedByName) {
  const auto refused = [](auto change) {
    model::AssemblyInput input = boxes({box("floor", {-1, -1, -1}, {2, 2, 0}, true), box("cube", {0, 0, 0}, {1, 1, 1})}, 0.5);
    change(input);
    const auto made = model::make_assembly(std::move(input), {});
    return made.ok() ? std::string() : made.errors()[0].what;
  };
  using Input = model::AssemblyInput;
  EXPECT_NE(refused([](Input& in) { in.loads.push_back({"cub", Vec3d{1, 0, 0}, {}, {}, {}, "x"}); }).find("did you mean"),
            std::string::npos);
  EXPECT_NE(refused([](Input& in) { in.loads.push_back({"cube", {}, {}, {}, {}, "x"}); }).find("force_N or pressure_Pa"),
            std::string::npos);
  EXPECT_NE(refused([](Input& in) { in.loads.push_back({"cube", {}, 5.0, {}, {}, "x"}); }).find("needs a polygon"), std::string::npos);
  EXPECT_NE(refused([](Input& in) { in.tension_Pa = -1; }).find("tension_Pa must be"), std::string::npos);
}

}  // namespace
}  // namespace trilith::statics
