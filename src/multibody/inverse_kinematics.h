#pragma once
#include <span>
#include <vector>

#include "multibody/workspace.h"
#include "trilith/status.h"

namespace trilith::multibody {

/// Where a frame shall be. A weight of 0 leaves the position or the orientation free.
struct PoseTarget {
  BodyFrame frame;
  Posed X_WF = identity_pose<double>();
  double position_weight = 1;     ///< 1/m
  double orientation_weight = 1;  ///< 1/rad
};

struct InverseKinematicsSettings {
  double tolerance = 1e-9;        ///< largest weighted error of a target that counts as reached (1: weights of 1 mean m and rad)
  double least_decrease = 1e-10;  ///< relative decrease of the error's norm below which a step counts as no progress
  double first_damping = 1e-3;    ///< of the largest diagonal entry of J'J
  double least_damping = 1e-14;   ///< of the same
  double largest_damping = 1e10;  ///< of the same: beyond, no step helps
  double damping_fall = 0.2;      ///< factor of the damping after a step that helped,
  double damping_rise = 4;        ///< and after one that did not
  int iteration_limit = 200;      ///< steps tried
};

struct InverseKinematicsReport {
  SolveStatus status = SolveStatus::not_run;  ///< solved; stalled: a local minimum or limits keep the target out of reach
  int iterations = 0;                         ///< steps tried
  double error = 0;                           ///< largest weighted norm of a position or orientation error
};

/// Damped least squares (Levenberg and Marquardt) on the configuration manifold. (TREE-20)
class InverseKinematics {
 public:
  /// Room for up to `most_targets` targets.
  InverseKinematics(const Tree& tree, int most_targets);

  /// Moves `q` (coordinates) towards the targets and leaves it at the best found. `lower`, `upper`: per coordinate bounds of hinges and
  /// slides, infinite where there is none (entries of other kinds are not read); both may be empty. A `q` outside is moved inside first.
  /// Does not allocate.
  InverseKinematicsReport solve(std::span<const PoseTarget> targets, std::span<const double> lower, std::span<const double> upper,
                                const InverseKinematicsSettings& settings, std::span<double> q) noexcept;

 private:
  struct Bounds {
    std::span<const double> lower, upper;
  };
  double measure(std::span<const PoseTarget> targets, std::span<const double> q) noexcept;
  void assemble(std::span<const PoseTarget> targets) noexcept;
  void hold_at_bounds(const Bounds& bounds, std::span<const double> q) noexcept;
  bool propose(double damping, std::span<const double> q, const Bounds& bounds) noexcept;

  const Tree& tree_;
  Workspace<double> workspace_;
  double largest_ = 0;                   ///< largest error of the last `measure`
  std::vector<double> error_;            ///< 6 per target
  std::vector<double> jacobian_;         ///< 6 x nv
  std::vector<double> normal_, factor_;  ///< J'J and its damped factor, nv x nv
  std::vector<double> gradient_, step_;  ///< nv
  std::vector<double> trial_;            ///< coordinates
  std::vector<char> held_;               ///< nv: at a bound and pushed against it
};

}  // namespace trilith::multibody
