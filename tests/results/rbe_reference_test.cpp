// The penalty program on the reference assemblies, against objectives of an independent program.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/find_interfaces.h"
#include "model/make_assembly.h"
#include "statics/rbe.h"
#include "support/reference_case.h"
#include "support/shared_data.h"

namespace trilith {
namespace {

namespace fs = std::filesystem;

/// The case with its stored contacts; nothing where it has none or is large.
std::optional<model::Assembly> read_assembly(const fs::path& file) {
  auto stored = test::read_reference_case(file, "n_blocks", 500);
  if (!stored || !stored->stored_interfaces) return std::nullopt;
  test::add_stored_interfaces(*stored->stored_interfaces, stored->input);
  return model::make_assembly(std::move(stored->input), {}).value();
}

TEST(RbeReferenceTest, EveryObjectiveAndEveryContradictionIsMet) {
  const auto shared = test::shared_data();
  if (!shared) GTEST_SKIP() << "no shared data";
  int solved = 0, contradictions = 0;
  double worst_gap = 0;
  for (const auto& entry : fs::directory_iterator(*shared / "reference/statics/open")) {
    if (entry.path().extension() != ".json" || !test::read_json(entry.path()).find("expected")) continue;
    const io::Json json = test::read_json(entry.path());
    for (const char* key : {"seed_net_K8in", "seed_net_quadratic", "compas_plus_gamma1e3_K8in"}) {
      const io::Json* want = test::dig(&json, {"expected", "at_mu", "rbe", key});
      const auto assembly = want ? read_assembly(entry.path()) : std::nullopt;
      if (!assembly) continue;
      statics::RbeSettings settings;
      if (std::string(key).ends_with("quadratic")) settings.cone = statics::RbeCone::quadratic;
      if (std::string(key).starts_with("compas")) settings.form = solve::FrictionForm::plus;
      const statics::RbeReport report = statics::solve_rbe(*assembly, settings);
      const std::string status = test::word(want->find("status"));
      if (status == "optimal") {
        ASSERT_TRUE(report.objective.has_value()) << entry.path().stem() << " " << key << " " << report.reason;
        const double objective = *want->find("objective")->number();
        EXPECT_NEAR(*report.objective / objective, 1, 1e-6) << entry.path().stem() << " " << key;
        EXPECT_TRUE(report.proof.accepted) << entry.path().stem() << " " << key << " " << report.proof.statement;
        worst_gap = std::max(worst_gap, report.proof.gap);
        ++solved;
      } else if (status.starts_with("infeasible")) {
        EXPECT_EQ(report.status, SolveStatus::primal_infeasible) << entry.path().stem() << " " << key;
        ++contradictions;
      }
    }
  }
  RecordProperty("worst_gap", std::to_string(worst_gap * 1e12) + "e-12");
  EXPECT_GT(solved, 100);
  EXPECT_GT(contradictions, 20);
}

TEST(RbeReferenceTest, TheMedianCompressionWouldCallTheWedgeUnstable) {
  const auto shared = test::shared_data();
  if (!shared) GTEST_SKIP() << "no shared data";
  const auto assembly = read_assembly(*shared / "reference/statics/open/cra_wedge_type_b.json");
  ASSERT_TRUE(assembly.has_value());
  statics::RbeSettings settings;
  settings.engine = statics::RbeEngine::admm;
  settings.polish = false;
  settings.tolerance = 1e-4;
  const statics::RbeReport report = statics::solve_rbe(*assembly, settings);
  ASSERT_EQ(report.status, SolveStatus::solved);
  EXPECT_TRUE(*report.stable_by_ratio);
  double weight = 0;
  int free = 0;
  for (const model::Block& block : assembly->blocks)
    if (!block.fixed) weight += block.mass * std::abs(assembly->gravity.z), ++free;
  std::vector<double> pressing;
  for (std::size_t i = 0; i < report.force.size(); ++i)
    if (i / rows::patch_lanes % 3 == 0 && report.force[i] != 0) pressing.push_back(report.force[i] * weight / free);
  std::sort(pressing.begin(), pressing.end());
  EXPECT_GT(report.max_tension_N, settings.ratio * pressing[pressing.size() / 2]);
}

}  // namespace
}  // namespace trilith
