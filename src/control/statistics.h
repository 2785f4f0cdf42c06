#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace trilith::control {

/// What the latest solve of a batch came to, under the names that users of the batched solver know. B entries; (iteration, B) lists are
/// row-major with a row per iteration of the settings, of which `sqp_iters` count.
struct Statistics {
  double solve_time_us = 0;
  std::vector<std::int32_t> sqp_iters;             ///< B
  std::vector<std::int32_t> kkt_converged;         ///< B: 1 where the entry ended because it needs no step
  std::vector<double> initial_merit, final_merit;  ///< B
  std::int32_t ls_num_iters = 0;                   ///< iterations of the entry that took most
  std::vector<std::int32_t> pcg_iters;             ///< (iteration, B); 1 for a factorization, 2 where a pivot was not positive
  std::vector<double> pcg_times_us;                ///< per iteration: the slowest entry's linear system
  std::vector<double> min_merit;                   ///< (iteration, B)
  std::vector<double> step_size;                   ///< (iteration, B); -1: rejected
  std::vector<double> step_norm;                   ///< (iteration, B): largest entry of the step
  std::vector<double> proximal;                    ///< (iteration, B): weight of the trust region
  std::vector<double> defect_max;                  ///< (iteration, B), before the step
  std::vector<double> cost;                        ///< (iteration, B), before the step
  std::string_view linsys = "factor";
};

}  // namespace trilith::control
