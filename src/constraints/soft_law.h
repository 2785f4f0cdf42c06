#pragma once
#include "model/elements.h"

/// How soft constraints of articulated models answer: spring, damper and share of the constraint force, by position. Theory:
/// docs/theory/soft_rows.md.
namespace trilith::constraints {

/// Smallest and largest impedance, smallest regularisation. (docs/defaults.md)
using model::largest_impedance, model::least_impedance;
inline constexpr double least_regularization = 1e-15;

/// A soft law ready for use: a_ref = -damping v - stiffness d(r) (r - margin). (SOFT-1)
struct SoftLaw {
  double stiffness = 0, damping = 0;  ///< 1/s^2 (times d), 1/s
  double near = 0.9, far = 0.95;      ///< impedance at the margin, and from `width` on
  double width = 0.001;               ///< m or rad
  double middle = 0.5, power = 2;     ///< of the curve between
};

/// What a run does to all laws.
struct LawRule {
  double shortest_time_constant = 0;  ///< s: shorter ones are raised to it (2 time steps; 0: none)
  double time_constant = 0;           ///< s, of every spring; 0: each one's own
};

/// From a file's numbers. A `solref` with one positive and one negative number becomes the default. (SOFT-1)
SoftLaw make_soft_law(const model::Softness& softness, const LawRule& rule) noexcept;

/// Without a spring: friction loss and the friction rows of elliptic contacts. (SOFT-1)
SoftLaw without_spring(const SoftLaw& law) noexcept;

/// Impedance d at the distance |r - margin| from the margin, in (0, 1). (SOFT-2)
double impedance(const SoftLaw& law, double distance) noexcept;

/// R of a row whose inverse inertia is about `inverse_weight`: (1 - d)/d of it. (SOFT-3)
double regularization(double impedance, double inverse_weight) noexcept;

/// The law of two shapes in contact. (SOFT-4)
model::Softness mix(const model::Softness& a, const model::Softness& b, double share_of_a) noexcept;

}  // namespace trilith::constraints
