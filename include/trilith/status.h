#pragma once
#include <cstdint>
#include <string_view>

namespace trilith {

/// Why an iterative solve stopped. An outcome, not an error. Only `solved` carries a point that may be used as proof.
enum class SolveStatus : std::uint8_t {
  not_run,            ///< nothing was tried
  solved,             ///< every stopping test holds
  solved_inaccurate,  ///< a looser test holds; never proof
  primal_infeasible,  ///< no point satisfies the rows; a ray shows it
  dual_infeasible,    ///< the objective is unbounded below; a ray shows it
  iteration_limit,    ///< the iteration cap came first
  time_limit,         ///< the clock came first
  stalled,            ///< progress stopped; the best iterate is kept
  numerical_failure,  ///< a NaN, an infinity or a lost factor was met
};

/// The answer to "does it stand?". Never inferred from a SolveStatus: it needs a verified certificate.
enum class Verdict : std::uint8_t { stands, falls, marginal, undecided };

/// What a verdict claims: rigid-block equilibrium, coupled rigid-block analysis, or a physics settle.
enum class Claim : std::uint8_t { rbe, cra, settle };

std::string_view name(SolveStatus status) noexcept;
std::string_view name(Verdict verdict) noexcept;
std::string_view name(Claim claim) noexcept;

}  // namespace trilith
