#pragma once
#include <functional>

#include "base/clock.h"
#include "dynamics/simulator.h"

namespace trilith::dynamics {

/// How far to go, and with which controls.
struct RunPlan {
  std::int64_t steps = 0;
  std::span<const std::vector<double>> controls;  ///< nu numbers for every step; the last row is held; empty: as the state has them
  Deadline deadline;
  std::int64_t every = 1;                                             ///< `record` is called at step 0, every so many steps, and the last
  std::function<void(std::int64_t step, const State& state)> record;  ///< empty: not called
};

enum class RunStatus : std::uint8_t { done, diverged, singular, unsolved, time_limit, interrupted };
std::string_view name(RunStatus status) noexcept;

/// Numbers about the run as a whole.
struct Telemetry {
  double energy_start = 0, energy_end = 0;  ///< kinetic and potential, J
  double limit_violation = 0;               ///< largest distance of a joint outside its range at the recorded steps, rad or m
  double penetration = 0;                   ///< largest overlap of two shapes, m
  double equality_residual = 0;             ///< largest residual of an equality, m or rad
  double creep = 0;                         ///< largest speed along a contact whose friction is inside its cone, m/s
  double gap_bound = 0;                     ///< largest bound on what a better solve could gain in one step, J (NEWTON-2)
  double latch_gap = 0;                     ///< exact friction: largest difference of a normal force and what bounds its friction, N
  std::int64_t iterations = 0;              ///< of all solves
  std::int64_t touches = 0;                 ///< of all steps
  std::int64_t unfinished = 0;              ///< solves that ended at their iteration limit
  std::int64_t overfull = 0;                ///< steps with more contacts or rows than there was room for
};

struct RunReport {
  RunStatus status = RunStatus::done;
  StepReport last;
  std::int64_t steps = 0;  ///< taken
  double seconds = 0;      ///< of the clock, in steps
  Telemetry telemetry;
};

/// Takes the steps of `plan` from the simulator's present state. Ends early on any status but `done`; the state is then that of the last
/// step that succeeded.
RunReport run(Simulator& simulator, const RunPlan& plan);

/// Why a run ended early, for people: "diverged at t = 0.134 s: the velocity of body \"arm\" is not finite". Empty where it is done.
std::string describe_end(const Simulator& simulator, const RunReport& report);

}  // namespace trilith::dynamics
