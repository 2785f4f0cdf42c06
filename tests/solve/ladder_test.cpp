#include "solve/ladder.h"

#include <gtest/gtest.h>

namespace trilith::solve {
namespace {

const double some_values[3] = {1, 2, 3};

Rung silent(std::string_view name, SolveStatus status, int& calls) {
  return {name, [status, &calls](const Deadline&) {
            ++calls;
            return Attempt{.status = status, .iterations = 7, .residual = 0.5, .reason = "nothing found", .proposal = {}};
          }};
}
Rung proposing(std::string_view name, Proposal::Kind kind, int& calls) {
  return {name, [kind, &calls](const Deadline&) {
            ++calls;
            return Attempt{
                .status = SolveStatus::solved, .iterations = 1, .residual = 1e-12, .reason = "found", .proposal = {kind, some_values}};
          }};
}

TEST(LadderTest, StopsAtTheFirstAcceptedProposal) {
  int calls = 0;
  const Rung rungs[] = {silent("a", SolveStatus::stalled, calls), proposing("b", Proposal::Kind::force_state, calls),
                        proposing("c", Proposal::Kind::collapse, calls)};
  const LadderReport report = climb(rungs, [](const Proposal& p) { return p.values.size() == 3; }, {});
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(report.decided, 1);
  EXPECT_EQ(report.kind, Proposal::Kind::force_state);
  ASSERT_EQ(report.rungs.size(), 2u);
  EXPECT_EQ(report.rungs[0].name, "a");
  EXPECT_EQ(report.rungs[0].status, SolveStatus::stalled);
  EXPECT_EQ(report.rungs[0].iterations, 7);
  EXPECT_EQ(report.rungs[0].residual, 0.5);
  EXPECT_EQ(report.rungs[0].reason, "nothing found");
  EXPECT_FALSE(report.rungs[0].proposed);
  EXPECT_TRUE(report.rungs[1].proposed);
  EXPECT_TRUE(report.rungs[1].accepted);
}

TEST(LadderTest, OnlyTheJudgeDecides) {
  int calls = 0;
  const Rung rungs[] = {proposing("a", Proposal::Kind::force_state, calls), proposing("b", Proposal::Kind::collapse, calls)};
  const LadderReport report = climb(rungs, [](const Proposal&) { return false; }, {});
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(report.decided, -1);
  EXPECT_EQ(report.kind, Proposal::Kind::none);
  EXPECT_TRUE(report.rungs[0].proposed && !report.rungs[0].accepted);
  EXPECT_EQ(report.rungs[0].status, SolveStatus::solved);  // a solved rung is no verdict
}

TEST(LadderTest, ARungWithoutProposalNeverReachesTheJudge) {
  int calls = 0, judged = 0;
  const Rung rungs[] = {silent("a", SolveStatus::solved, calls)};
  const LadderReport report = climb(rungs,
                                    [&](const Proposal&) {
                                      ++judged;
                                      return true;
                                    },
                                    {});
  EXPECT_EQ(judged, 0);
  EXPECT_EQ(report.decided, -1);
}

TEST(LadderTest, ADeadlineStopsTheClimb) {
  int calls = 0;
  const Rung rungs[] = {silent("a", SolveStatus::stalled, calls)};
  const LadderReport report = climb(rungs, [](const Proposal&) { return true; }, Deadline::after(0));
  EXPECT_EQ(calls, 0);
  EXPECT_TRUE(report.rungs.empty());
  EXPECT_EQ(report.decided, -1);
}

}  // namespace
}  // namespace trilith::solve
