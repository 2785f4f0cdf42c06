#pragma once
#include <memory>
#include <vector>

#include "constraints/equality_rows.h"
#include "constraints/joint_rows.h"
#include "constraints/touch_finder.h"
#include "dynamics/constraint_solve.h"

namespace trilith::dynamics {

/// What the constraints of a system need that no step changes. Immutable.
struct ConstraintSetup {
  ConstraintSetup(const System& system, const ConstraintSettings& settings, std::vector<Warning>& warnings);

  ConstraintSettings settings;
  multibody::InverseWeights weights;
  std::vector<double> tendon_weight;  ///< J M^-1 J' in the pose of the file
  std::vector<constraints::EqualityHold> holds;
  constraints::TouchFinder touches;
  std::size_t most_touches = 0;
  constraints::RowCapacity capacity;
  std::int32_t widest_row = 1;  ///< entries of the longest row
  double scale = 1;             ///< 1 / (mean inertia times dofs): (NEWTON-3)
};

/// What became of the constraints of one step.
struct ConstraintReport : ConstraintSolveReport {
  std::size_t rows = 0, touches = 0;
  std::size_t rows_left_out = 0;  ///< more than there is room for
  bool touches_full = false;      ///< likewise
};

/// How far the soft constraints of a step are from hard ones.
struct ConstraintSoftness {
  double penetration = 0;        ///< m: largest overlap of contacts
  double equality_residual = 0;  ///< m or rad
  double creep = 0;              ///< m/s: fastest sliding of an elliptic or pyramidal contact that sticks
};

/// The stage between the acceleration without constraints and the integrator: finds contacts, builds rows, solves. (DYN-30)
/// Allocates in a step only where contacts tie other trees together than in the step before.
class ConstraintStage {
 public:
  ConstraintStage(const System& system, std::shared_ptr<const ConstraintSetup> setup);

  /// From `w.a_smooth`: writes `w.a` and `w.constraint` (generalised forces). The mass matrix and its factor must be those of the state.
  ConstraintReport update(const System& system, const State& state, Workspace& w) noexcept;

  /// What the builders of rows read of a state whose stages up to `w.a_smooth` are done. Views.
  constraints::SoftScene scene(const System& system, const State& state, const Workspace& w) const noexcept;

  /// Of the last update.
  ConstraintSoftness measure() const noexcept;
  /// Of the last update, by exact friction: what the convex law makes of the same rows. Solves once more; forces stay.
  std::optional<ResolutionDifference> compare(const System& system, const Workspace& w) noexcept {
    return solve_.compare(system, rows_, touches(), w);
  }

  std::span<const constraints::Touch> touches() const noexcept { return std::span(touches_).first(touch_count_); }
  const constraints::SoftRows& rows() const noexcept { return rows_; }
  /// Force on b along the axes of the contact frame [N], then its moments about them [N m]; zero where the touch has no rows.
  std::array<double, 6> touch_force(const constraints::Touch& touch) const noexcept;
  /// Per row: N or N m.
  std::span<const double> force() const noexcept { return solve_.force(); }

 private:
  double creep(const constraints::Touch& touch) const noexcept;
  void build_rows(const System& system, const constraints::SoftScene& scene) noexcept;

  std::shared_ptr<const ConstraintSetup> setup_;
  std::vector<char> active_;  // per equality
  constraints::TouchScratch touch_scratch_;
  std::vector<constraints::Touch> touches_;
  std::size_t touch_count_ = 0;
  bool touches_full_ = false;
  constraints::SoftRows rows_;
  constraints::TouchRows touch_rows_;
  constraints::EqualityRows equality_rows_;
  ConstraintSolve solve_;
};

}  // namespace trilith::dynamics
