// Exact friction and the no-slip pass on rows that the builders made.
#include "dynamics/constraint_solve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dynamics/stages.h"
#include "multibody/mass_matrix.h"
#include "recorded_scene.h"
#include "support/shared_data.h"

namespace trilith::dynamics {
namespace {

double largest_of(const std::vector<double>& numbers) {
  double worst = 1;
  for (const double x : numbers) worst = std::max(worst, std::abs(x));
  return worst;
}

// the solver's own test takes the recorded rows; here they are built, taken apart and solved by the engine
TEST(ConstraintSolveTest, ExactFrictionOfRecordedStatesIsTheRecordedFixedPoint) {
  const auto data = test::shared_data();
  if (!data) GTEST_SKIP() << "no shared data";
  const auto folder = *data / "reference/dynamics";
  const io::Json points = test::read_json_file(folder / "open/signorini_fixed_points.json");
  int states = 0;
  for (const io::Json& point : *points.find("results")->array()) {
    const std::string& name = *point.find("file")->string();
    if (!name.ends_with("mj312.json") || name.find("spin_torsion") != std::string::npos) continue;
    const io::Json dump = test::read_json_file(folder / name);
    const Scene run = make_scene(*data, dump, [](ConstraintSettings& s) {
      s.contact = ContactResolution::signorini;
      s.latch.gap_tolerance = 1e-12;
    });
    for (const io::Json& snapshot : *dump.find("snapshots")->array()) {
      if (*snapshot.find("step")->number() != *point.find("step")->number()) continue;
      const State state = state_of(*run.system, snapshot);
      Workspace w(*run.system);
      ConstraintStage stage(*run.system, run.setup);
      ASSERT_TRUE(update_smooth(*run.system, state, w));
      const ConstraintReport report = stage.update(*run.system, state, w);
      EXPECT_EQ(report.descent.status, SolveStatus::solved) << name;
      if (report.rows != test::numbers(point.find("efc_force")).size()) continue;  // a contact that hangs on its margin
      const std::vector<double> want = test::numbers(point.find("qacc"));
      const double scale = largest_of(want);
      for (std::size_t k = 0; k < want.size(); ++k) EXPECT_NEAR(w.a[k], want[k], 1e-6 * scale) << name << " " << k;
      ++states;
    }
  }
  EXPECT_GE(states, 25);
}

/// J a - aref of a row.
double residual_of(const constraints::SoftRows& rows, std::size_t i, const std::vector<double>& a) {
  double sum = -rows.reference()[i];
  for (auto e = static_cast<std::size_t>(rows.start()[i]); e < static_cast<std::size_t>(rows.start()[i + 1]); ++e)
    sum += rows.value()[e] * a[static_cast<std::size_t>(rows.column()[e])];
  return sum;
}

struct NoSlipCount {
  int stuck = 0, contacts = 0;
};

/// Forces of contacts before and after the pass.
void expect_no_slip(const ConstraintStage& before, const ConstraintStage& after, const std::vector<double>& a, const std::string& name,
                    NoSlipCount& count) {
  const double scale = largest_of(a);
  for (std::size_t t = 0; t < after.touches().size(); ++t) {
    const constraints::Touch& touch = after.touches()[t];
    if (touch.first_row < 0 || touch.condim == 1) continue;
    const auto was = before.touch_force(before.touches()[t]), is = after.touch_force(touch);
    ++count.contacts;
    EXPECT_NEAR(is[0], was[0], 1e-9 * (1 + std::abs(was[0]))) << name << ": the normal force stays";
    const auto first = static_cast<std::size_t>(touch.first_row);
    const bool pyramid = after.rows().row(first).kind == constraints::SoftRowKind::pyramid;
    double slide = 0;
    for (std::size_t k = 0; k < 2; ++k) slide += std::pow(is[k + 1] / touch.friction[k], 2);
    if (pyramid) continue;
    EXPECT_LE(std::sqrt(slide), is[0] * (1 + 1e-9) + 1e-9) << name;
    if (!(is[0] > 0) || std::sqrt(slide) > 0.99 * is[0]) continue;
    ++count.stuck;
    for (std::size_t k = 1; k < 3; ++k) {  // what sticks obeys J a - aref = -R f with the R of the pass
      const double give = ConstraintSettings{}.no_slip_softness * after.rows().R()[first + k] * is[k];
      EXPECT_NEAR(residual_of(after.rows(), first + k, a), -give, 1e-7 * scale) << name;
    }
  }
}

TEST(ConstraintSolveTest, TheNoSlipPassKeepsNormalForcesAndBoundsAndHoldsWhatSticks) {
  const auto data = test::shared_data();
  if (!data) GTEST_SKIP() << "no shared data";
  NoSlipCount count;
  for (const auto& file : test::files_of(*data / "reference/dynamics/open", ".json")) {
    const std::string name = file.stem().string();
    if (!name.ends_with("mj312")) continue;
    const io::Json dump = test::read_json_file(file);
    const Scene plain = make_scene(*data, dump);
    const Scene pass = make_scene(*data, dump, [](ConstraintSettings& s) { s.no_slip_iterations = 100; });
    for (const io::Json& snapshot : *dump.find("snapshots")->array()) {
      const State state = state_of(*plain.system, snapshot);
      Workspace w(*plain.system), v(*pass.system);
      ConstraintStage before(*plain.system, plain.setup), after(*pass.system, pass.setup);
      ASSERT_TRUE(update_smooth(*plain.system, state, w) && update_smooth(*pass.system, state, v));
      (void)before.update(*plain.system, state, w);
      const ConstraintReport report = after.update(*pass.system, state, v);
      EXPECT_FALSE(report.has(SolveStatus::numerical_failure)) << name;
      expect_no_slip(before, after, v.a, name, count);
      // a = a_smooth + M^-1 J' f with all forces
      std::vector<double> change = v.constraint;
      multibody::solve_mass_matrix<double>(pass.system->tree, v.tree, change);
      const double scale = largest_of(v.a);
      for (std::size_t k = 0; k < change.size(); ++k) EXPECT_NEAR(v.a[k] - v.a_smooth[k], change[k], 1e-6 * scale) << name << " " << k;
    }
  }
  EXPECT_GE(count.contacts, 400);
  EXPECT_GT(count.stuck, 50);
}

// two coefficients of sliding: the bound is an ellipse
TEST(ConstraintSolveTest, FrictionThatDiffersByAxisEndsAtAnEllipse) {
  const auto system = system_of(R"(<mujoco><worldbody><geom name="floor" type="plane" size="5 5 1"/>
      <body pos="0 0 0.05"><freejoint/><geom name="slab" type="box" size="0.2 0.2 0.05" mass="2"/></body></worldbody>
      <contact><pair geom1="floor" geom2="slab" condim="6" friction="0.5 0.2 0.01 0.002 0.001"/></contact></mujoco>)",
                                model::FrictionCone::elliptic, [](ConstraintSettings& s) { s.contact = ContactResolution::signorini; });
  Simulator simulator(system);
  simulator.state().v[0] = 3, simulator.state().v[1] = 2;
  for (int i = 0; i < 100; ++i) ASSERT_EQ(simulator.step().status, StepStatus::done);
  int sliding = 0;
  double weight = 0;
  for (const constraints::Touch& touch : simulator.constraints().touches()) {
    const auto f = simulator.constraints().touch_force(touch);
    if (!(f[0] > 0)) continue;
    EXPECT_NEAR(std::hypot(f[1] / 0.5, f[2] / 0.2), f[0], 1e-6 * f[0]);
    weight += f[0];
    ++sliding;
  }
  EXPECT_EQ(sliding, 4);
  EXPECT_NEAR(weight, 2 * 9.81, 0.5);
}

}  // namespace
}  // namespace trilith::dynamics
