#pragma once
#include "dynamics/state.h"
#include "dynamics/system.h"
#include "multibody/workspace.h"

namespace trilith::dynamics {

/// Scratch and results of the stages of one step; sized once from a system. Vectors over degrees of freedom have nv numbers.
struct Workspace {
  explicit Workspace(const System& system);

  multibody::Workspace<double> tree;                                               ///< kinematics, mass matrix and factor
  std::vector<Posed> X_WB;                                                         ///< per body
  std::vector<double> tendon_length, tendon_velocity, tendon_jacobian;             ///< Jacobian: values of `tendons.pattern()`
  std::vector<double> actuator_length, actuator_velocity, actuator_force, moment;  ///< moment: values of `transmissions.pattern()`
  std::vector<double> control;                                                     ///< nu: the controls that act
  std::vector<double> act_rate;                                                    ///< na: d act / dt
  std::vector<double> bias;  ///< Coriolis, centrifugal and gravity forces, on the other side of the equation
  std::vector<double> passive, gravity_compensation, actuator_torque;
  std::vector<double> smooth;       ///< all forces but those of constraints, minus bias
  std::vector<double> a_smooth;     ///< the acceleration that they alone give
  std::vector<double> a;            ///< acceleration with constraints
  std::vector<double> constraint;   ///< generalised forces of constraints
  std::vector<double> scratch;      ///< nv, 0 between uses
  std::vector<double> sensors;      ///< nsensordata: of the latest step's start
  std::vector<Wrenchd> body_force;  ///< per body, where a sensor needs it: what its carrier exerts on it, about its origin, world axes

  // of the integrators
  std::vector<double> step_a;                                                 ///< acceleration of the step that is taken
  std::vector<double> lower, upper;                                           ///< M - h D, tree-sparse (implicit)
  std::vector<double> stage_q, stage_v, stage_act, mean_v, mean_a, mean_act;  ///< Runge-Kutta

  multibody::TreeMotion motion(const System& system) const noexcept;
};

}  // namespace trilith::dynamics
