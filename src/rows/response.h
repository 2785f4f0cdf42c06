#pragma once
#include <type_traits>

#include "rows/mechanism.h"
#include "rows/visit.h"

namespace trilith::rows {
TRI_ISA_BEGIN

template <class Set>
inline constexpr int dim_of = std::remove_cvref_t<Set>::dim;

/// Force and energy of `respond` where the set's rows have the value `x`, with the weights of the mechanism: R, or 1 / rho with the
/// multiplier as the shift. `row` is the first row of the set in the problem.
template <class Set>
TRI_INLINE cones::Response<double, dim_of<Set>> response_at(const Set& set, const RowGroup& group, const MechanismParameters& parameters,
                                                            const GroupDuals& duals, const cones::Block<double, dim_of<Set>>& x,
                                                            std::int32_t row) noexcept {
  constexpr int D = dim_of<Set>;
  const std::int32_t local = row - group.first;
  if (group.mechanism == Mechanism::respond) return respond(set, x, load_block<D>(parameters.R, local), cones::filled<double, D>(0.0));
  return respond(set, x, cones::filled<double, D>(1 / parameters.rho), load_block<D>(duals.multiplier, local));
}

template <class Set>
TRI_INLINE cones::Response<double, dim_of<Set>> response(const Set& set, const RowGroup& group, const MechanismParameters& parameters,
                                                         const GroupDuals& duals, std::span<const double> value,
                                                         std::int32_t row) noexcept {
  return response_at(set, group, parameters, duals, load_block<dim_of<Set>>(value, row), row);
}

TRI_ISA_END
}  // namespace trilith::rows
