#include "solve/ladder.h"

#include <utility>

namespace trilith::solve {
namespace {

RungReport report_of(const Rung& rung, Attempt attempt) {
  RungReport report;
  report.name = rung.name;
  report.status = attempt.status;
  report.iterations = attempt.iterations;
  report.residual = attempt.residual;
  report.reason = std::move(attempt.reason);
  report.proposed = attempt.proposal.kind != Proposal::Kind::none;
  return report;
}

}  // namespace

LadderReport climb(std::span<const Rung> rungs, const std::function<bool(const Proposal&)>& accept, const Deadline& deadline) {
  LadderReport ladder;
  ladder.rungs.reserve(rungs.size());
  for (const Rung& rung : rungs) {
    if (deadline.passed()) break;
    const double start = wall_seconds();
    Attempt attempt = rung.propose(deadline);
    const Proposal proposal = attempt.proposal;
    RungReport report = report_of(rung, std::move(attempt));
    report.accepted = report.proposed && accept(proposal);
    report.seconds = wall_seconds() - start;
    ladder.rungs.push_back(std::move(report));
    if (!ladder.rungs.back().accepted) continue;
    ladder.decided = static_cast<int>(ladder.rungs.size()) - 1;
    ladder.kind = proposal.kind;
    break;
  }
  return ladder;
}

}  // namespace trilith::solve
