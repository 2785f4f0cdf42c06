#pragma once
#include <span>

#include "control/trajectory.h"

namespace trilith::control {

/// One knot as row groups see it at the linearisation point, and where their terms go. Gradients, diagonals and dense blocks are added to.
struct KnotRows {
  int entry = 0, knot = 0;
  KnotPoint at;            ///< padded
  const double* jacobian;  ///< 3 x padded dofs: of the end effector
  StageTerms terms;        ///< gradients (padded), diagonals of the Hessian
  double* dense_q;         ///< dofs x padded dofs, or null where `has_dense_q` is false
  double* dense_u;         ///< inputs x padded inputs, or null
};

/// The seam for row groups: what their mechanisms add to the subproblem and to the merit. One object serves all entries of a batch; calls
/// for different entries come from different threads at once. No function allocates.
///
/// One iteration of an entry calls `begin`, `add_curvature` for every knot (then the factorization), and rounds of `add_gradient` for every
/// knot and a solve until `finish_round` is false (ADMM: its inner iterations). `add_merit` is called for every knot of the eight trial
/// trajectories, `end` once with what became of the step.
class RowTerms {
 public:
  virtual ~RowTerms() = default;
  virtual bool has_dense_q() const noexcept { return false; }
  virtual bool has_dense_u() const noexcept { return false; }
  virtual bool needs_factor() const noexcept { return false; }      ///< conjugate gradients are not allowed
  virtual bool freezes_proximal() const noexcept { return false; }  ///< the augmented Lagrangian
  virtual void begin(int entry, const KnotVectors& x) noexcept = 0;
  virtual void add_curvature(const KnotRows& knot) noexcept = 0;
  virtual void add_gradient(const KnotRows& knot) noexcept = 0;
  virtual bool finish_round(int entry, const KnotVectors& x, const KnotVectors& step) noexcept = 0;
  /// Adds to 8 merits; interleaved lanes of a trial's knot.
  virtual void add_merit(int entry, int knot, const KnotPoint& trial, double* merit) noexcept = 0;
  /// The same at the present trajectory.
  virtual double merit(int entry, const KnotVectors& x) noexcept = 0;
  virtual void end(int entry, const KnotVectors& x, bool accepted) noexcept = 0;
};

}  // namespace trilith::control
