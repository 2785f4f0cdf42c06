#pragma once
#include <optional>

#include "constraints/friction_rows.h"
#include "constraints/latched_rows.h"
#include "dynamics/constraint_settings.h"
#include "dynamics/workspace.h"
#include "solve/latched_descent.h"
#include "solve/row_system.h"

namespace trilith::dynamics {

/// What became of the solve of one step.
struct ConstraintSolveReport {
  solve::DescentReport descent;  ///< status solved without constraints
  int latch_rounds = 0;          ///< exact friction: solves with latches held; else 0
  double latch_gap = 0;          ///< exact friction: N, largest difference of a normal force and what bounds its friction (NEWTON-7)
  solve::DescentReport no_slip;  ///< status not_run without that pass

  /// Whether the solve or the no-slip pass ended so.
  bool has(SolveStatus status) const noexcept { return descent.status == status || no_slip.status == status; }
};

/// Contacts of one step by both laws on the same rows.
struct ResolutionDifference {
  double normal_force = 0, normal_force_convex = 0;  ///< N, sums over the contacts with friction
  double friction = 0, friction_convex = 0;          ///< N, likewise, of the sliding forces
  double lift = 0;  ///< m/s^2: by how much more, at most, the convex law parts two surfaces than exact friction does
};

/// What a solve starts from, besides its rows.
struct ConstraintSolveInput {
  std::span<const constraints::Touch> touches;
  std::span<const double> warm_start;  ///< accelerations; empty: none
};

/// Accelerations and forces under the rows of one step, by the law of `settings`: one convex cost, or exact friction; then, where it is
/// asked for, friction once more without creep. (DYN-30) Does not allocate after construction but where rows tie other bodies than before.
class ConstraintSolve {
 public:
  ConstraintSolve(const System& system, const ConstraintSettings& settings, const constraints::RowCapacity& capacity,
                  std::int32_t widest_row, double scale);

  /// Reads `w.a_smooth` and the mass matrix with its factor; writes `w.a` and `w.constraint`.
  ConstraintSolveReport solve(const System& system, const constraints::SoftRows& rows, const ConstraintSolveInput& input,
                              Workspace& w) noexcept;

  /// The rows of the last solve, by exact friction, against the convex law: solved once more. Nothing under the convex law.
  std::optional<ResolutionDifference> compare(const System& system, const constraints::SoftRows& rows,
                                              std::span<const constraints::Touch> touches, const Workspace& w) noexcept;

  /// Per row, of the last solve: N or N m.
  std::span<const double> force() const noexcept { return std::span(force_).first(rows_); }

 private:
  bool begin(const System& system, const constraints::SoftRows& rows, std::span<const rows::RowGroup> groups, const Workspace& w) noexcept;
  solve::SoftProgram cone_program(const constraints::SoftRows& rows, const Workspace& w) const noexcept {
    return {w.a_smooth, rows.reference(), rows.groups(), rows.parameters(), {}, scale_};
  }
  void solve_convex(const constraints::SoftRows& rows, std::span<const double> warm_start, Workspace& w,
                    ConstraintSolveReport& report) noexcept;
  void solve_latched(const constraints::SoftRows& rows, std::span<const double> warm_start, Workspace& w,
                     ConstraintSolveReport& report) noexcept;
  void stop_slip(const System& system, const constraints::SoftRows& rows, std::span<const constraints::Touch> touches, Workspace& w,
                 ConstraintSolveReport& report) noexcept;

  ConstraintSettings settings_;
  double scale_;
  std::size_t rows_ = 0;
  solve::RowSystem system_;
  solve::SoftDescent descent_;
  std::vector<double> force_;
  // exact friction only
  std::optional<constraints::LatchedRows> latched_;
  std::optional<solve::LatchedDescent> latched_descent_;
  // the no-slip pass only
  std::optional<constraints::FrictionRows> friction_;
  std::optional<solve::SoftDescent> friction_descent_;
  std::vector<double> center_, rest_;
};

}  // namespace trilith::dynamics
