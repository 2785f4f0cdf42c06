#pragma once
#include "rows/mechanism.h"

namespace trilith::rows {

/// Slope and curvature of a group's energy along a line.
struct LinePoint {
  double slope = 0, curvature = 0;
};

/// Gradient of a group's energy by its rows: minus their forces; `count` numbers. The same groups as below.
void write_gradient(const RowGroup& group, const MechanismParameters& parameters, const GroupDuals& duals, std::span<const double> value,
                    std::span<double> gradient) noexcept;

/// Hessian blocks of a group's energy, row-major, one after the other; count * block numbers.
void write_hessian(const RowGroup& group, const MechanismParameters& parameters, const GroupDuals& duals, std::span<const double> value,
                   std::span<double> hessian) noexcept;

/// At value + step * direction (all rows of the problem), for groups under `respond` or `augmented_lagrangian`. Never allocates.
LinePoint measure_along(const RowGroup& group, const MechanismParameters& parameters, const GroupDuals& duals,
                        std::span<const double> value, std::span<const double> direction, double step) noexcept;

/// Energy of the group at `to` minus that at `from`, summed block by block, so that what does not change costs no digits. The same groups.
double measure_change(const RowGroup& group, const MechanismParameters& parameters, const GroupDuals& duals, std::span<const double> from,
                      std::span<const double> to) noexcept;

}  // namespace trilith::rows
