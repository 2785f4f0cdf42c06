#pragma once
#include <memory>

#include "control/arm_riccati_kernel.h"
#include "control/cost.h"
#include "control/options.h"
#include "control/stages.h"
#include "multibody/linearise.h"

namespace trilith::control {

/// What all workspaces of a robot's problem share.
struct RobotProblem {
  std::shared_ptr<const Robot> robot;
  std::shared_ptr<const KnotCosts> costs;
  int knots = 0;
  double dt = 0;  ///< s
  Integrator integrator = Integrator::frozen_acceleration;
  int substeps = 1;
  LinearSystem linear_system = LinearSystem::factor;
  Hessian hessian = Hessian::gauss_newton;
  double hessian_step = 1e-5;
};

/// Stages of a robot: eight knots side by side are linearised, eight step lengths side by side are tried. Fixed-base robots of at most
/// eight degrees of freedom with an input for each take the recursion in acceleration coordinates (CTL-6), others dense stages (CTL-7,
/// CTL-8).
class RobotStages final : public Stages {
 public:
  explicit RobotStages(const RobotProblem& problem);

  Measure linearise(const Entry& entry) noexcept override;
  StepReport solve(int index, Entry& entry, StepSystem system, const PcgLimits& limits, RowTerms* rows) noexcept override;
  double largest_multiplier(const Entry& entry) noexcept override;
  void try_steps(int index, const Entry& entry, std::span<const double> lengths, RowTerms* rows, TrialMerits& merits) noexcept override;
  void take_step(Entry& entry, double length) noexcept override;
  bool write_feedback(std::span<double> gain, std::span<double> cost_to_go) const noexcept override;

 private:
  static constexpr int lanes = multibody::Workspace<double>::group;
  /// A state or its surroundings, a number per lane.
  struct Lanes {
    std::vector<double> q, v, u, tau, applied, a, position, coordinates, q_next, v_next, turn;
  };
  struct StateAt {
    const double *q, *v;
  };
  /// What linearising a group of knots gives.
  struct Group {
    std::vector<double> by_q, by_v, inertia, jacobian;
  };

  void load_group(const Entry& entry, int g) noexcept;
  multibody::Knots<double> knots_in_lanes(const Entry& entry) const noexcept;
  void linearise_group(const Entry& entry, int g) noexcept;
  void map_inputs() noexcept;
  void advance() noexcept;
  void compose_dense(int g, int substep) noexcept;
  void write_dense_step(const Group& group, int lane) noexcept;
  void unpack_arm(int g) noexcept;
  void unpack_positions(int g) noexcept;
  void measure_knot(const Entry& entry, int k, Measure& m) noexcept;
  void add_gap(const StateAt& to, const StateAt& from, double* eq, double* ev, Measure& m) noexcept;
  const double* coordinates_of(const double* q) noexcept;
  StageTerms terms_of(int k) noexcept;
  double* jacobian_of(int k) noexcept;
  void set_point(const Entry& entry, int k, KnotPoint& at) noexcept;
  KnotRows rows_at(int index, const Entry& entry, int k) noexcept;
  StepReport factor(const Entry& entry, StepSystem system) noexcept;
  void solve_round(Entry& entry, StepSystem system, const PcgLimits& limits, StepReport& report) noexcept;
  void assemble_dense(int k) noexcept;
  void write_dense_gradient(int k) noexcept;
  void load_perturbed(const Entry& entry, int k, int first) noexcept;
  void write_curvature(const Entry& entry, int k) noexcept;
  void add_curvature_columns(const Entry& entry, int k, int first) noexcept;
  void project_stage(int k) noexcept;
  void recover_inputs(Entry& entry) noexcept;
  void load_trial(const Entry& entry, int k, std::span<const double> lengths) noexcept;
  void add_trial_cost(int index, const Entry& entry, int k, RowTerms* rows, TrialMerits& merits) noexcept;
  void trial_gap(const Entry& entry, int k, double* merit) noexcept;

  RobotProblem problem_;
  const multibody::Tree& tree_;
  const StageKernel& kernel_;
  const ArmRiccatiKernel& arm_kernel_;
  int n_, nq_, m_, knots_, groups_;
  double theta_;  // q+ = q (+) dt (v + theta dt a)
  bool arm_ = false, factored_ = false, rows_dense_q_ = false, rows_dense_u_ = false;
  multibody::Workspace<double> work_;
  Lanes lane_;
  std::vector<Group> group_;
  KnotVectors next_;                        // where the dynamics lead from each knot
  KnotVectors gradient_, diagonal_, base_;  // dense path (and base_: gradients without rows)
  std::vector<double> positions_, jacobians_, dense_q_, dense_u_, one_, start_gap_;
  std::vector<ArmStage> arm_stage_;
  std::vector<ArmFactor> arm_factor_;
  ArmProblem arm_problem_;
  std::vector<double> arm_q_, arm_v_, arm_a_;
  std::unique_ptr<StageQp> qp_;
  std::vector<double> curvature_, stage_block_, eigenvectors_, pull_;  // (CTL-10)
  std::vector<double> dx_, du_, A_step_, B_step_, A_old_, B_old_, block_q_, block_v_;
};

}  // namespace trilith::control
