// Robots of the shared reference data: the same step by two recursions, plans that end, postures that hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "control/plan.h"
#include "io/load_model.h"
#include "support/random.h"
#include "support/shared_data.h"

namespace trilith::control {
namespace {

struct Reference {
  const char *file, *body;
  bool floating;
};
constexpr Reference references[] = {{"indy7/indy7.urdf", "tcp", false},   {"iiwa14/iiwa14_gato.urdf", "contact", false},
                                    {"fr3/fr3.urdf", "fr3_link8", false}, {"gen3/gen3.urdf", "end_effector_link", false},
                                    {"ur5e/ur5e.urdf", "tool0", false},   {"go2/go2.urdf", "FR_foot", true}};

std::shared_ptr<const Robot> load(const std::filesystem::path& folder, const Reference& reference) {
  io::LoadOptions reading;
  reading.urdf.keep_going_without_meshes = true;
  model::ModelOptions making;
  making.bare = true, making.floating_base = reference.floating, making.gravity = Vec3d{0, 0, -9.81};
  const auto model = io::load_model((folder / reference.file).string(), reading, making);
  if (!model) return nullptr;
  const auto& bodies = model.value().bodies;
  const auto body = std::find_if(bodies.begin(), bodies.end(), [&](const model::Body& b) { return b.name == reference.body; });
  if (body == bodies.end()) return nullptr;
  auto robot = make_robot(model.value(), {reference.body, static_cast<std::int32_t>(body - bodies.begin()), identity_pose<double>()});
  return robot ? std::make_shared<const Robot>(std::move(robot).value()) : nullptr;
}

constexpr int knots = 16;

/// Somewhere inside the limits, with a disturbed trajectory.
void fill(Solver& solver, const Robot& robot) {
  test::Random random(4);
  std::vector<double> x(static_cast<std::size_t>(solver.sizes().state()), 0.0), xu;
  const std::size_t shift = robot.fixed_base ? 0 : 7, n = static_cast<std::size_t>(robot.dofs());
  if (!robot.fixed_base) x[2] = 0.4, x[3] = 1;
  for (std::size_t i = robot.fixed_base ? 0 : 6; i < n; ++i) {
    const double low = std::max(robot.position.lower[i], -2.0), high = std::min(robot.position.upper[i], 2.0);
    x[i + (shift > 0 ? 1 : 0)] = low + (high - low) * random.uniform(0.35, 0.65);
  }
  for (int k = 0; k < knots; ++k) {
    for (std::size_t i = 0; i < x.size(); ++i) xu.push_back(x[i] + (k > 0 && i >= shift ? random.uniform(-0.02, 0.02) : 0));
    for (int i = 0; k + 1 < knots && i < solver.sizes().inputs; ++i) xu.push_back(random.uniform(-1, 1));
  }
  const Vec3d p = solver.end_effector(std::span(x).first(static_cast<std::size_t>(solver.sizes().coordinates)));
  std::vector<double> points;
  for (int k = 0; k < knots; ++k) points.insert(points.end(), {p.x + 0.05, p.y - 0.03, p.z + 0.02});
  solver.set_start(0, x), solver.set_trajectory(0, xu), solver.set_reference(0, points);
}

std::vector<double> plan_of(const Solver& solver) {
  std::vector<double> xu(solver.length());
  solver.write_trajectory(0, xu);
  return xu;
}

class ReferenceRobotsTest : public testing::TestWithParam<Reference> {
 protected:
  void SetUp() override {
    const auto shared = test::shared_data();
    if (!shared) GTEST_SKIP() << "no shared data";
    robot_ = load(*shared / "models" / "robots", GetParam());
    ASSERT_NE(robot_, nullptr) << GetParam().file;
  }
  std::shared_ptr<const Robot> robot_;
};

TEST_P(ReferenceRobotsTest, TwoRecursionsGiveTheSameStep) {
  if (!robot_->fixed_base) GTEST_SKIP() << "only the dense recursion is for free bases";
  std::vector<std::vector<double>> plans;
  for (const LinearSystem system : {LinearSystem::factor, LinearSystem::factor_first}) {
    SolverOptions o;
    o.most_iterations = 1, o.linear_system = system;
    Solver solver(robot_, knots, 0.01, 1, o);
    fill(solver, *robot_);
    (void)solver.solve();
    EXPECT_GT(solver.statistics().step_size[0], 0);
    plans.push_back(plan_of(solver));
  }
  double worst = 0, size = 0;
  for (std::size_t i = 0; i < plans[0].size(); ++i)
    worst = std::max(worst, std::fabs(plans[0][i] - plans[1][i])), size = std::max(size, std::fabs(plans[0][i]));
  EXPECT_LT(worst, 1e-8 * size);
}

TEST_P(ReferenceRobotsTest, APlanEndsWithoutDefects) {
  SolverOptions o;
  o.most_iterations = 200, o.step_tolerance = 1e-6, o.adapt_merit_weight = true;
  if (!robot_->fixed_base) o.integrator = Integrator::semi_implicit;
  CostWeights w;
  w.position_barrier = robot_->fixed_base ? 1e-3 : 0, w.input = 1e-5, w.velocity = 1e-2;
  Solver solver(robot_, knots, 0.01, 1, o, w);
  fill(solver, *robot_);
  EXPECT_EQ(solver.solve(), SolveStatus::solved);
  EXPECT_LT(solver.measure(0).defect_max, 1e-6);
  EXPECT_LT(solver.measure(0).cost, solver.statistics().initial_merit[0]);
}

std::string name_of(const testing::TestParamInfo<Reference>& robot) {
  const std::string file = robot.param.file;
  return file.substr(0, file.find('/'));
}
INSTANTIATE_TEST_SUITE_P(Robots, ReferenceRobotsTest, testing::ValuesIn(references), name_of);

}  // namespace
}  // namespace trilith::control
