// Sweeps of the conic interior point over contact points in lanes (IPM-2)..(IPM-7). Compiled per instruction set.
#include "solve/interior_point_kernel.h"

#include "cones/jordan.h"
#include "solve/patch_lanes.h"

namespace trilith::solve {
namespace {

using rows::patch_lanes;
using rows::slot_rows;
using Scaling = cones::NesterovTodd<Double8>;

constexpr double tiny = 1e-300;  // keeps a determinant that underflows from dividing by zero

/// Contact to cone coordinates: (mu n, t); for mu = 0 the tangents are cut off and the cone is the ray n >= 0.
struct Coordinates {
  Double8 normal, tangent;  // contact = (normal * cone.x, tangent * cone.t)
  TRI_INLINE explicit Coordinates(Double8 mu)
      : normal(select(mu > Double8(0), Double8(1) / select(mu > Double8(0), mu, Double8(1)), Double8(1))),
        tangent(select(mu > Double8(0), Double8(1), Double8(0))) {}
  TRI_INLINE LaneVec contact(const LaneVec& cone) const { return {normal * cone.x, tangent * cone.y, tangent * cone.z}; }
};

/// Calls `body(slot index, used, coordinates)` for every slot.
template <class Body>
TRI_INLINE void for_each_slot(const ConicView& view, Body body) {
  for (int g = 0; g < view.group_count; ++g) {
    const rows::PatchGroup& group = view.groups[g];
    const Coordinates to(Double8::load(view.mu + static_cast<std::ptrdiff_t>(g) * patch_lanes));
    for (int s = group.first_slot; s < group.first_slot + group.slots; ++s) body(s, Double8::load(view.slots[s].used), to);
  }
}

TRI_INLINE double* at(double* rows, int slot) { return rows + static_cast<std::ptrdiff_t>(slot) * slot_rows; }
TRI_INLINE const double* at(const double* rows, int slot) { return rows + static_cast<std::ptrdiff_t>(slot) * slot_rows; }

TRI_INLINE Scaling load_scaling(const double* scaling, int slot) {
  const double* p = scaling + static_cast<std::ptrdiff_t>(slot) * 4 * patch_lanes;
  return {load3(p), Double8::load(p + 3 * patch_lanes)};
}
TRI_INLINE void store_scaling(const Scaling& w, double* scaling, int slot) {
  double* p = scaling + static_cast<std::ptrdiff_t>(slot) * 4 * patch_lanes;
  store3(w.w, p);
  w.eta_squared.store(p + 3 * patch_lanes);
}

ScaleSums scale(const ConicView& view, const ConicArrays& a, const double* velocity, double* weights, double* force,
                double* residual_force) noexcept {
  Double8 gap(0), largest(0);
  for_each_slot(view, [&](int slot, Double8 used, const Coordinates& to) {
    const LaneVec z = load3(at(a.z, slot)), s = load3(at(a.s, slot)), u = to.contact(load3(at(velocity, slot)));
    const LaneVec rd = (Double8(0) - used) * (s + u);  // (IPM-6): c = 0
    const Scaling w = Scaling::of(z, s, Double8(tiny));
    gap += used * dot(z, s);
    largest = max(largest, max(abs(rd.x), max(abs(rd.y), abs(rd.z))));
    Double8 h[6];
    w.upper(h);
    const Double8 n = to.normal, t = to.tangent;
    double* out = weights + static_cast<std::ptrdiff_t>(slot) * 6 * patch_lanes;
    (n * n * h[0]).store(out);
    (n * t * h[1]).store(out + patch_lanes);
    (n * t * h[2]).store(out + 2 * patch_lanes);
    (t * h[3]).store(out + 3 * patch_lanes);
    (t * h[4]).store(out + 4 * patch_lanes);
    (t * h[5]).store(out + 5 * patch_lanes);
    store_scaling(w, a.scaling, slot);
    store3(rd, at(a.dual_residual, slot));
    store3(used * to.contact(z), at(force, slot));
    store3(used * to.contact(w.apply(rd)), at(residual_force, slot));
  });
  return {sum_lanes(gap), max_lanes(largest)};
}

PredictSums predict(const ConicView& view, const ConicArrays& a, const PredictRows& rows) noexcept {
  Double8 primal(0), dual(0), z_ds(0), dz_s(0), dz_ds(0), low(0), high(unbounded_scale);
  const Double8 floor(tiny);
  for_each_slot(view, [&](int slot, Double8 used, const Coordinates& to) {
    const LaneVec z = load3(at(a.z, slot)), s = load3(at(a.s, slot));
    const Scaling w = load_scaling(a.scaling, slot);
    const LaneVec ds = load3(at(a.dual_residual, slot)) - to.contact(load3(at(rows.velocity, slot)));
    const LaneVec dz = (Double8(0) - used) * (z + w.apply(ds));
    primal = max(primal, cones::inverse_step(z, dz, floor));
    dual = max(dual, cones::inverse_step(s, ds, floor));
    z_ds += used * dot(z, ds);
    dz_s += used * dot(dz, s);
    dz_ds += used * dot(dz, ds);

    // centring and second-order terms of the combined direction (IPM-4)
    const Double8 eta = sqrt(w.eta_squared);
    const LaneVec product = cones::jordan_product(w.inverse_root(dz, eta), w.root(ds, eta));
    const LaneVec centring = cones::jordan_inverse(s, floor);
    const LaneVec second = -z - w.root(cones::jordan_divide(w.root(s, eta), product, floor), eta);
    store3(centring, at(a.centring, slot));
    store3(second, at(a.second, slot));
    store3(used * to.contact(centring), at(rows.centring_force, slot));
    store3(used * to.contact(second), at(rows.second_force, slot));

    // the line of equilibria against this cone (IPM-7)
    const LaneVec direction = w.apply(to.contact(load3(at(rows.base, slot)))), start = z - w.apply(to.contact(load3(at(rows.shift, slot))));
    const cones::ConeInterval<Double8> interval = cones::cone_interval(start, direction);
    const auto real = used > Double8(0);
    low = max(low, select(real, interval.low, Double8(0)));
    high = min(high, select(real, interval.high, Double8(unbounded_scale)));
  });
  return {max_lanes(primal), max_lanes(dual), sum_lanes(z_ds), sum_lanes(dz_s), sum_lanes(dz_ds), max_lanes(low), min_lanes(high)};
}

StepBounds combine(const ConicView& view, const ConicArrays& a, const double* velocity, double keep, double centre) noexcept {
  Double8 step_z(0), step_s(0);
  const Double8 floor(tiny);
  for_each_slot(view, [&](int slot, Double8 used, const Coordinates& to) {
    const LaneVec z = load3(at(a.z, slot)), s = load3(at(a.s, slot));
    const Scaling w = load_scaling(a.scaling, slot);
    const LaneVec ds = used * (Double8(keep) * load3(at(a.dual_residual, slot)) - to.contact(load3(at(velocity, slot))));
    const LaneVec dz = used * ((Double8(centre) * load3(at(a.centring, slot)) + load3(at(a.second, slot))) - w.apply(ds));
    store3(dz, at(a.dz, slot));
    store3(ds, at(a.ds, slot));
    step_z = max(step_z, cones::inverse_step(z, dz, floor));
    step_s = max(step_s, cones::inverse_step(s, ds, floor));
  });
  return {max_lanes(step_z), max_lanes(step_s)};
}

/// What moves an eigenvalue into its range, downwards by no more than the upper end of it.
TRI_INLINE Double8 towards(Double8 value, const ProductRange& range) {
  const Double8 low(range.low), high(range.high);
  return max(min(max(value, low), high) - value, Double8(0) - high);
}

void correct(const ConicView& view, const ConicArrays& a, const ProductRange& range, double* second_force) noexcept {
  const Double8 floor(tiny), zero(0), length(range.step);
  for_each_slot(view, [&](int slot, Double8 used, const Coordinates& to) {
    const Scaling w = load_scaling(a.scaling, slot);
    const Double8 eta = sqrt(w.eta_squared);
    const LaneVec s = load3(at(a.s, slot)), z_after = load3(at(a.z, slot)) + length * load3(at(a.dz, slot)),
                  s_after = s + length * load3(at(a.ds, slot));
    const LaneVec product = cones::jordan_product(w.inverse_root(z_after, eta), w.root(s_after, eta));
    const Double8 r = sqrt(product.y * product.y + product.z * product.z);
    const Double8 first = towards(product.x + r, range), last = towards(product.x - r, range);
    const Double8 across = Double8(0.5) * (first - last) / max(r, floor);
    const LaneVec change{Double8(0.5) * (first + last), across * product.y, across * product.z};
    const LaneVec second = load3(at(a.second, slot)) + used * w.root(cones::jordan_divide(w.root(s, eta), change, floor), eta);
    store3(second, at(a.second, slot));
    store3(used * to.contact(second), at(second_force, slot));
  });
}

void advance(const ConicView& view, const ConicArrays& a, double primal, double dual) noexcept {
  for_each_slot(view, [&](int slot, Double8, const Coordinates&) {
    store3(load3(at(a.z, slot)) + Double8(primal) * load3(at(a.dz, slot)), at(a.z, slot));
    store3(load3(at(a.s, slot)) + Double8(dual) * load3(at(a.ds, slot)), at(a.s, slot));
  });
}

/// max(|f_n|, |f_t|)
TRI_INLINE Double8 size_of(const LaneVec& f) { return max(abs(f.x), sqrt(f.y * f.y + f.z * f.z)); }

void start(const ConicView& view, const ConicArrays& a, const double* force, double least) noexcept {
  const Double8 one(1), zero(0);
  for_each_slot(view, [&](int slot, Double8 used, const Coordinates& to) {
    LaneVec z{one, zero, zero};
    if (force) {
      const LaneVec f = load3(at(force, slot));
      const Double8 t1 = to.tangent * f.y, t2 = to.tangent * f.z;
      const auto real = used > zero;
      z.x = select(real, max(f.x / to.normal, sqrt(t1 * t1 + t2 * t2)) + Double8(least), one);
      z.y = select(real, t1, zero);
      z.z = select(real, t2, zero);
    }
    store3(z, at(a.z, slot));
    store3(cones::jordan_inverse(z, Double8(tiny)), at(a.s, slot));
  });
}

double mean_size(const ConicView& view, const double* force, int points) noexcept {
  Double8 total(0);
  for_each_slot(view, [&](int slot, Double8 used, const Coordinates&) { total += used * size_of(load3(at(force, slot))); });
  return sum_lanes(total) / points;
}

double motion_violation(const ConicView& view, const double* velocity) noexcept {
  Double8 worst(0);
  for (int g = 0; g < view.group_count; ++g) {
    const rows::PatchGroup& group = view.groups[g];
    const Double8 mu = Double8::load(view.mu + static_cast<std::ptrdiff_t>(g) * patch_lanes);
    for (int s = group.first_slot; s < group.first_slot + group.slots; ++s) {
      const LaneVec u = load3(at(velocity, s));
      worst = max(worst, mu * sqrt(u.y * u.y + u.z * u.z) + u.x);
    }
  }
  return max_lanes(worst);
}

}  // namespace

namespace entry::TRILITH_ISA_NAMESPACE {
extern const InteriorPointKernel interior_point_kernel = {scale, predict, combine, correct, advance, start, mean_size, motion_violation};
}  // namespace entry::TRILITH_ISA_NAMESPACE

}  // namespace trilith::solve
