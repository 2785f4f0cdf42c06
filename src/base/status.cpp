#include "trilith/status.h"

namespace trilith {

std::string_view name(SolveStatus status) noexcept {
  switch (status) {
    case SolveStatus::not_run:
      return "not_run";
    case SolveStatus::solved:
      return "solved";
    case SolveStatus::solved_inaccurate:
      return "solved_inaccurate";
    case SolveStatus::primal_infeasible:
      return "primal_infeasible";
    case SolveStatus::dual_infeasible:
      return "dual_infeasible";
    case SolveStatus::iteration_limit:
      return "iteration_limit";
    case SolveStatus::time_limit:
      return "time_limit";
    case SolveStatus::stalled:
      return "stalled";
    case SolveStatus::numerical_failure:
      return "numerical_failure";
  }
  return "unknown";
}

std::string_view name(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::stands:
      return "stands";
    case Verdict::falls:
      return "falls";
    case Verdict::marginal:
      return "marginal";
    case Verdict::undecided:
      return "undecided";
  }
  return "unknown";
}

std::string_view name(Claim claim) noexcept {
  switch (claim) {
    case Claim::rbe:
      return "rbe";
    case Claim::cra:
      return "cra";
    case Claim::settle:
      return "settle";
  }
  return "unknown";
}

}  // namespace trilith
