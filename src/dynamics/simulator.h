#pragma once
#include <string_view>

#include "dynamics/constraint_stage.h"

namespace trilith::dynamics {

enum class StepStatus : std::uint8_t {
  done,
  diverged,  ///< a number of the state is not finite or beyond `StepSettings::divergence`
  singular,  ///< the mass matrix, or the matrix of an implicit step, cannot be factored
  unsolved,  ///< the accelerations under constraints have no factor
};
std::string_view name(StepStatus status) noexcept;

/// What was not finite.
enum class DivergedPart : std::uint8_t { none, position, velocity, acceleration, control };

/// What became of one step. On any status but `done` the state is the one at the step's start.
struct StepReport {
  StepStatus status = StepStatus::done;
  DivergedPart part = DivergedPart::none;
  std::int32_t index = -1;  ///< of the number that diverged: degree of freedom, or control
  ConstraintReport constraints;
};

/// The body that a degree of freedom moves.
std::int32_t body_of_dof(const model::Model& model, std::int32_t dof) noexcept;

/// A run: a system, its state and the workspace, sized once. Not thread safe; several may share a system.
class Simulator {
 public:
  explicit Simulator(std::shared_ptr<const System> system);

  const System& system() const noexcept { return *system_; }
  State& state() noexcept { return state_; }
  const State& state() const noexcept { return state_; }
  const Workspace& workspace() const noexcept { return workspace_; }
  const ConstraintStage& constraints() const noexcept { return constraints_; }

  /// Of the last step or update: the convex law on its rows. Nothing without exact friction.
  std::optional<ResolutionDifference> compare_resolutions() noexcept { return constraints_.compare(*system_, workspace_); }

  /// Everything at the present state up to the acceleration `workspace().a`, and the measurements; the state stays.
  StepReport update() noexcept;
  /// One time step. Measurements are those of its start. Allocates only where contacts tie
  /// other trees together than in the step before.
  StepReport step() noexcept;

 private:
  StepReport update_acceleration() noexcept;
  StepReport integrate() noexcept;
  StepReport integrate_euler() noexcept;
  StepReport integrate_implicit() noexcept;
  StepReport integrate_runge_kutta() noexcept;
  void advance(std::span<const double> act_rate, std::span<const double> a, std::span<const double> v_of_positions) noexcept;

  std::shared_ptr<const System> system_;
  State state_;
  Workspace workspace_;
  ConstraintStage constraints_;
};

}  // namespace trilith::dynamics
