// Smooth dynamics against dumps of an independent engine (MuJoCo), read in place.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "dynamics/simulator.h"
#include "dynamics/stages.h"
#include "io/load_model.h"
#include "multibody/mass_matrix.h"
#include "support/json_files.h"
#include "support/shared_data.h"

namespace trilith::dynamics {
namespace {

using io::Json;
using test::numbers;

// the dumps have 12 digits: states are known to 5e-13 of their size
constexpr double usual_tolerance = 1e-9;
// that engine's principal axes of an inertia with products end at 1e-6 rad: the inertia in this dump is off by 3e-8 of the file's
constexpr double full_inertia_tolerance = 3e-8;

double worst(const std::vector<double>& ours, const std::vector<double>& theirs) {
  if (ours.size() != theirs.size()) return HUGE_VAL;
  double scale = 1, difference = 0;
  for (const double x : theirs) scale = std::max(scale, std::abs(x));
  for (std::size_t i = 0; i < ours.size(); ++i) difference = std::max(difference, std::abs(ours[i] - theirs[i]));
  return difference / scale;
}

std::vector<double> mass_matrix(const Json& snapshot, std::size_t n) {
  if (const Json* dense = snapshot.find("M")) return numbers(dense);
  const Json& lower = *snapshot.find("M_lower");
  const std::vector<double> row = numbers(lower.find("row")), column = numbers(lower.find("col")), value = numbers(lower.find("val"));
  std::vector<double> M(n * n);
  for (std::size_t e = 0; e < value.size(); ++e) {
    const auto i = static_cast<std::size_t>(row[e]), j = static_cast<std::size_t>(column[e]);
    M[i * n + j] = M[j * n + i] = value[e];
  }
  return M;
}

void take(const Json& snapshot, std::string_view key, std::vector<double>& target) {
  const std::vector<double> given = numbers(snapshot.find(key));
  if (given.size() == target.size()) target = given;
}

void check_snapshot(const System& system, const Json& snapshot, const std::string& name) {
  State state = make_state(*system.model);
  take(snapshot, "qpos", state.q), take(snapshot, "qvel", state.v), take(snapshot, "ctrl", state.ctrl), take(snapshot, "act", state.act);
  const double tolerance = name.starts_with("ball_top") ? full_inertia_tolerance : usual_tolerance;
  Workspace w(system);
  ASSERT_TRUE(update_smooth(system, state, w));
  const auto n = static_cast<std::size_t>(system.nv());
  std::vector<double> M(n * n);
  multibody::write_mass_matrix<double>(system.tree, w.tree, M);
  EXPECT_LE(worst(M, mass_matrix(snapshot, n)), tolerance) << name << " M";
  EXPECT_LE(worst(w.bias, numbers(snapshot.find("qfrc_bias"))), tolerance) << name << " bias";
  EXPECT_LE(worst(w.passive, numbers(snapshot.find("qfrc_passive"))), tolerance) << name << " passive";
  EXPECT_LE(worst(w.a_smooth, numbers(snapshot.find("qacc_smooth"))), tolerance) << name << " a_smooth";
  if (const Json* torque = snapshot.find("qfrc_actuator")) {
    EXPECT_LE(worst(w.actuator_torque, numbers(torque)), tolerance) << name << " actuators";
  }
}

TEST(ReferenceTest, SmoothDynamicsOfEveryDumpAgree) {
  const auto data = test::shared_data();
  if (!data) GTEST_SKIP() << "no shared data";
  const std::filesystem::path& shared = *data;
  int snapshots = 0;
  for (const auto& entry : std::filesystem::directory_iterator(shared / "reference/dynamics/open")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".json" || !name.ends_with("mj312")) continue;
    const Json dump = test::read_json_file(entry.path());
    const auto path = shared / "models/mjcf/open" / *dump.find("model")->string();
    const auto model = std::make_shared<const model::Model>(io::load_model(path.string()).value());
    const auto system = make_system(model, model->options).value().system;
    for (const Json& snapshot : *dump.find("snapshots")->array()) check_snapshot(*system, snapshot, name), ++snapshots;
  }
  EXPECT_GT(snapshots, 100);
}

}  // namespace
}  // namespace trilith::dynamics
