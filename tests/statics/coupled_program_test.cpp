// IPOPT on the programs of coupled analysis, where it is installed.
#include "statics/coupled_program.h"

#include "assemblies.h"
#include "statics/cra.h"

namespace trilith::statics {
namespace {

model::Assembly bar(double mu) {
  model::AssemblyInput input = model::generate_h_model({.span = 1, .height = .25});
  input.friction = mu;
  input.density = 2400;
  return test::assemble(std::move(input));
}

bool absent() { return !solve::ipopt_availability().available; }

TEST(CoupledProgramTest, APointOfIpoptStandsOnlyByTheJudge) {
  if (absent()) GTEST_SKIP() << solve::ipopt_availability().note;
  CoupledSettings settings;
  settings.ipopt = true;
  const CheckResult above = check_coupled(bar(.55), settings);
  EXPECT_EQ(above.verdict, Verdict::stands) << above.reason;
  EXPECT_EQ(above.coupled->decided_by, "ipopt");
  // its "infeasible" is no verdict, however right it is here
  EXPECT_EQ(check_coupled(bar(.45), settings).verdict, Verdict::undecided);
}

TEST(CoupledProgramTest, ThePenaltyFormPullsWhereASlopeIsTooSteep) {
  if (absent()) GTEST_SKIP() << solve::ipopt_availability().note;
  const auto pull = [](double mu) {
    model::AssemblyInput input = model::generate_incline({.angle = .6, .height = .2});
    input.friction = mu;
    input.density = 2400;
    const PenaltyReport report = cra_penalty(test::assemble(std::move(input)), {}, {});
    EXPECT_LT(report.residual, 1e-6) << report.reason;
    return report.largest_pull_N / report.largest_push_N;
  };
  EXPECT_LT(pull(.84), 1e-4);
  EXPECT_GT(pull(.6), 1e-3);
}

TEST(CoupledProgramTest, MisfitIsTheLargestViolation) {
  solve::BilinearProgram program;
  const int x = program.add_variable(1, 0, 10), y = program.add_variable(1, 0, 10);
  program.bilinear.push_back({program.add_row(6, 6), x, y, 1});
  EXPECT_NEAR(misfit_of(program, {2, 3}), 0, 1e-15);
  EXPECT_NEAR(misfit_of(program, {2, 2}), 2, 1e-15);
  EXPECT_NEAR(misfit_of(program, {-1, -6}), 6, 1e-15);
}

}  // namespace
}  // namespace trilith::statics
