// `respond` of rows with intervals, eight at a time (CONE-8, NEWTON-3). Compiled once per instruction set.
#include "rows/scalar_rows_kernel.h"

#include "cones/box.h"
#include "cones/nonnegative.h"

namespace trilith::rows {
namespace {

constexpr int lanes = Double8::size;
using Eight = cones::Block<Double8, 1>;
using Response = cones::Response<Double8, 1>;

/// Up to eight numbers from `p` on, the rest filled with `rest`.
TRI_INLINE Double8 load_some(const double* p, std::int64_t count, double rest) {
  if (count >= lanes) return Double8::load(p);
  double part[lanes];
  for (int i = 0; i < lanes; ++i) part[i] = i < count ? p[i] : rest;
  return Double8::load(part);
}
TRI_INLINE void store_some(Double8 value, double* p, std::int64_t count) {
  if (count >= lanes) return value.store(p);
  for (int i = 0; i < count; ++i) p[i] = value[i];
}

/// Rows from `i` on. Rows past the end are at rest: no force, no energy.
TRI_INLINE Response respond_from(const ScalarRows& rows, std::int64_t i, Double8 x) {
  const std::int64_t left = rows.count - i;
  const Eight R{{load_some(rows.R + i, left, 1)}}, value{{x}}, none{{Double8(0.0)}};
  if (rows.lower == nullptr) return cones::respond(cones::Nonnegative<Double8>{}, value, R, none);
  const cones::Box<Double8> box{load_some(rows.lower + i, left, 0), load_some(rows.upper + i, left, 0)};
  return cones::respond(box, value, R, none);
}

double gradient(const ScalarRows& rows, const double* value, double* to) noexcept {
  Double8 energy(0.0);
  for (std::int64_t i = 0; i < rows.count; i += lanes) {
    const Response r = respond_from(rows, i, load_some(value + i, rows.count - i, 0));
    store_some(Double8(-1.0) * r.force[0], to + i, rows.count - i);
    energy += r.value;
  }
  return sum_lanes(energy);
}

void hessian(const ScalarRows& rows, const double* value, double* to) noexcept {
  for (std::int64_t i = 0; i < rows.count; i += lanes)
    store_some(respond_from(rows, i, load_some(value + i, rows.count - i, 0)).hessian.m[0][0], to + i, rows.count - i);
}

void along(const ScalarRows& rows, const double* value, const double* direction, double step, double* out) noexcept {
  Double8 slope(0.0), curvature(0.0);
  for (std::int64_t i = 0; i < rows.count; i += lanes) {
    const Double8 d = load_some(direction + i, rows.count - i, 0);
    const Response r = respond_from(rows, i, load_some(value + i, rows.count - i, 0) + Double8(step) * d);
    slope -= r.force[0] * d;
    curvature += d * r.hessian.m[0][0] * d;
  }
  out[0] = sum_lanes(slope);
  out[1] = sum_lanes(curvature);
}

double change(const ScalarRows& rows, const double* from, const double* to) noexcept {
  Double8 sum(0.0);
  for (std::int64_t i = 0; i < rows.count; i += lanes) {
    const std::int64_t left = rows.count - i;
    sum += respond_from(rows, i, load_some(to + i, left, 0)).value - respond_from(rows, i, load_some(from + i, left, 0)).value;
  }
  return sum_lanes(sum);
}

}  // namespace

namespace entry::TRILITH_ISA_NAMESPACE {
const ScalarRowsKernel scalar_rows_kernel = {gradient, hessian, along, change};
}
}  // namespace trilith::rows
