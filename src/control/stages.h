#pragma once
#include <span>
#include <vector>

#include "control/options.h"
#include "control/row_terms.h"
#include "control/stage_qp.h"
#include "control/trajectory.h"

namespace trilith::control {

/// What differs between the entries of a batch.
struct Entry {
  Entry(const KnotSizes& sizes, int knots);

  KnotVectors x;                         ///< the trajectory
  KnotVectors step;                      ///< of the tangent
  std::vector<double> start_q, start_v;  ///< the measured state, padded
  std::vector<double> reference;         ///< 3 per knot
  std::vector<double> applied;           ///< 6 per body and knot: force, moment about the body's origin, world axes; empty: none
  std::vector<double> multipliers;       ///< of the dynamics, for warm starts of conjugate gradients
  double merit_weight = 1;
  double pcg_tolerance = 1e-4;
  double proximal = 0, rate = 1;
  double merit = 0;      ///< cost and weighted defects at x
  double row_merit = 0;  ///< what row groups add to it
  bool done = false;
};

/// The trajectory at hand, measured.
struct Measure {
  double cost = 0;
  double defect_sum = 0;  ///< 1-norm of all defects, the first state's too
  double defect_max = 0;
};

/// Merits of eight trial steps: cost and weighted defects, and what row groups add.
struct TrialMerits {
  alignas(64) double own[step_lengths] = {};
  alignas(64) double rows[step_lengths] = {};
};

/// How the subproblem of an iteration is solved.
enum class StepSystem : unsigned char { factor, pcg };
struct StepReport {
  bool good = true;  ///< false: a pivot was not positive, there is no step
  PcgReport pcg;
};

/// The subproblem of one entry at a time: dynamics and cost linearised at its trajectory, its solution, and the merit of trial steps.
/// Workspaces are sized at construction; no other function allocates.
class Stages {
 public:
  virtual ~Stages() = default;
  /// Linearises at `entry.x`.
  virtual Measure linearise(const Entry& entry) noexcept = 0;
  /// Writes `entry.step` for the proximal weight at hand; adds the terms of `rows` (null: none) first.
  virtual StepReport solve(int index, Entry& entry, StepSystem system, const PcgLimits& limits, RowTerms* rows) noexcept = 0;
  /// Largest multiplier of the dynamics that belongs to the step at hand.
  virtual double largest_multiplier(const Entry& entry) noexcept = 0;
  /// Merits of entry.x + length * entry.step for eight lengths.
  virtual void try_steps(int index, const Entry& entry, std::span<const double> lengths, RowTerms* rows, TrialMerits& merits) noexcept = 0;
  /// entry.x += length * entry.step, on the manifold.
  virtual void take_step(Entry& entry, double length) noexcept = 0;
  /// Feedback u = -K dx of the first knot (inputs x state tangent) and its cost to go; false where the last solve had no factor.
  virtual bool write_feedback(std::span<double> gain, std::span<double> cost_to_go) const noexcept = 0;
};

}  // namespace trilith::control
