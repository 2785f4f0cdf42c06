#pragma once
#include "cones/box.h"
#include "cones/disc.h"
#include "cones/ellipse.h"
#include "cones/elliptic.h"
#include "cones/nonnegative.h"
#include "cones/pyramid.h"
#include "cones/zero.h"
#include "rows/row_group.h"

/// One switch per group, then a tight loop over its blocks with the set as a value: the way every algorithm meets the sets.
namespace trilith::rows {
TRI_ISA_BEGIN

namespace detail {

/// Calls visit(set of block b, first row of block b) for every block; `make` gives the set.
template <int D, class Make, class Visitor>
TRI_INLINE void each(const RowGroup& group, const Make& make, Visitor& visit) {
  const std::int32_t blocks = group.blocks();
  for (std::int32_t b = 0; b < blocks; ++b) visit(make(static_cast<std::size_t>(b)), group.first + b * D);
}

template <int D, class Visitor>
TRI_INLINE void each_wide(const RowGroup& group, Visitor& visit) {
  if (group.set == SetKind::friction_cone) {
    each<D>(group, [&](std::size_t b) { return cones::FrictionCone<double, D>{group.mu[b]}; }, visit);
  } else if (group.set == SetKind::disc) {
    each<D>(group, [&](std::size_t b) { return cones::Disc<double, D>{group.radius[b]}; }, visit);
  } else {
    each<D>(
        group,
        [&](std::size_t b) {
          cones::Elliptic<double, D> set;
          for (std::size_t j = 0; j + 1 < D; ++j) set.mu.v[j] = group.mu[b * (D - 1) + j];
          return set;
        },
        visit);
  }
}

}  // namespace detail

/// Calls visit(set, row) once per block of a group that `find_faults` passed: `set` models cones::ConvexSet with Scalar double, `row` is
/// the first of its set.dim rows in the problem. Blocks in order.
template <class Visitor>
TRI_INLINE void for_each_block(const RowGroup& group, Visitor&& visit) {
  switch (group.set) {
    case SetKind::zero:
      return detail::each<1>(group, [](std::size_t) { return cones::Zero<double>{}; }, visit);
    case SetKind::nonnegative:
      return detail::each<1>(group, [](std::size_t) { return cones::Nonnegative<double>{}; }, visit);
    case SetKind::box:
      return detail::each<1>(group, [&](std::size_t b) { return cones::Box<double>{group.lower[b], group.upper[b]}; }, visit);
    case SetKind::pyramid:
      return detail::each<3>(group, [&](std::size_t b) { return cones::make_pyramid<double>(*group.faces, group.mu[b]); }, visit);
    case SetKind::ellipse:
      return detail::each<2>(
          group, [&](std::size_t b) { return cones::Ellipse<double, 2>{group.radius[b], {{group.mu[2 * b], group.mu[2 * b + 1]}}}; },
          visit);
    case SetKind::friction_cone:
    case SetKind::elliptic:
    case SetKind::disc:
      break;
  }
  switch (group.block) {
    case 1:
      return detail::each<1>(group, [&](std::size_t b) { return cones::Disc<double, 1>{group.radius[b]}; }, visit);
    case 2:
      return detail::each_wide<2>(group, visit);
    case 3:
      return detail::each_wide<3>(group, visit);
    case 4:
      return detail::each_wide<4>(group, visit);
    case 5:
      return detail::each_wide<5>(group, visit);
    case 6:
      return detail::each_wide<6>(group, visit);
    default:
      return;
  }
}

/// The D entries of `values` from `row` on.
template <int D>
TRI_INLINE cones::Block<double, D> load_block(std::span<const double> values, std::int32_t row) {
  cones::Block<double, D> r;
  for (int i = 0; i < D; ++i) r[i] = values[static_cast<std::size_t>(row + i)];
  return r;
}
template <int D>
TRI_INLINE void store_block(const cones::Block<double, D>& block, std::span<double> values, std::int32_t row) {
  for (int i = 0; i < D; ++i) values[static_cast<std::size_t>(row + i)] = block[i];
}

TRI_ISA_END
}  // namespace trilith::rows
