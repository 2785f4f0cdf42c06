#pragma once
#include "rows/row_group.h"

namespace trilith::rows {

/// Parameters of a group's mechanism; each reads only its own.
struct MechanismParameters {
  double rho = 1;             ///< admm, augmented_lagrangian: penalty, > 0, (unit of energy) / (unit of the row)^2
  double barrier_weight = 1;  ///< barrier: > 0, unit of energy
  double barrier_delta = 1;   ///< barrier: > 0, unit of the row; the quadratic extension begins here
  /// admm: stiffness of a soft set, >= 0, unit of rho; infinity: the set is hard. (CONE-7)
  double softness = std::numeric_limits<double>::infinity();
  std::span<const double> R;  ///< respond: one weight per row of the group, > 0
};

/// Every parameter that the group's mechanism cannot use.
std::vector<Error> find_faults(const RowGroup& group, const MechanismParameters& parameters);

/// Dual storage of a group, one entry per row of the group; a view. They survive from solve to solve.
struct GroupDuals {
  std::span<double> multiplier;  ///< admm: y (unscaled, so rho may change); augmented_lagrangian: lambda, a force
  std::span<double> copy;        ///< admm: z, the projected copy
};

/// Derivatives of a group's energy, a view. Blocks of the Hessian are row-major, block x block, one after the other.
struct GroupDerivatives {
  std::span<double> gradient;  ///< count
  std::span<double> hessian;   ///< count * block
};

/// Energy that the group adds at `value` (all rows of the problem), with its derivatives by the group's rows: telemetry 0; respond
/// (CONE-8); barrier (CONE-14); augmented_lagrangian (CONE-16); admm y'(value - z) + rho/2 |value - z|^2. Never allocates.
double evaluate(const RowGroup& group, const MechanismParameters& parameters, const GroupDuals& duals, std::span<const double> value,
                const GroupDerivatives& out) noexcept;

/// Largest move of one dual step.
struct DualStep {
  double primal = 0;  ///< admm: max |value - z|; augmented_lagrangian: max |lambda step| / rho; unit of the row
  double dual = 0;    ///< admm: rho max |z step|, unit of y
};

/// Starts admm at `value`: z its projection, y = 0; augmented_lagrangian: lambda = 0.
void reset_duals(const RowGroup& group, std::span<const double> value, const GroupDuals& duals) noexcept;

/// One dual step at `value`: admm z = soft projection of value + y / rho, y += rho (value - z); augmented_lagrangian lambda = the force of
/// `evaluate`. No step for the others. Never allocates. (CONE-7, CONE-16)
DualStep update_duals(const RowGroup& group, const MechanismParameters& parameters, std::span<const double> value,
                      const GroupDuals& duals) noexcept;

}  // namespace trilith::rows
