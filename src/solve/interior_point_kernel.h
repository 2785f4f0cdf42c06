#pragma once
#include "base/isa.h"
#include "rows/patch_rows.h"

/// Sweeps of the conic interior point over contact points, one set per instruction set. Points in cone coordinates (mu n, t1, t2), row
/// vectors in contact coordinates (n, t1, t2); both in lane layout. Plain pointers; sizes are the caller's business.
namespace trilith::solve {

/// What `PredictSums::high` holds where no cone bounds the scale of the load from above. No scale of a normalised problem comes near it.
constexpr double unbounded_scale = 1e300;

struct ConicView {
  const rows::PatchGroup* groups;
  const rows::PatchSlot* slots;
  int group_count;
  const double* mu;  ///< patch_lanes per group
};

/// What the sweeps read and write, rows() numbers each unless said otherwise.
struct ConicArrays {
  double *z, *s;              ///< primal and dual point, cone coordinates
  double* scaling;            ///< w and eta^2: 4 per slot and lane
  double* dual_residual;      ///< cone coordinates
  double *centring, *second;  ///< s^-1, and -z - W (lambda \ (W^-1 dz o W ds)), cone coordinates
  double *dz, *ds;            ///< cone coordinates
};

struct ScaleSums {
  double gap;               ///< sum of z's
  double largest_residual;  ///< of the dual residual
};

struct PredictSums {
  double primal, dual;  ///< one over the largest step, 0 and less: any
  double z_ds, dz_s, dz_ds;
  double low, high;  ///< scales of the load for which z - H A' yz + t H A' yb lies in every cone; high may be `unbounded_scale`
};

/// Row vectors of the predictor, contact coordinates.
struct PredictRows {
  const double* velocity;      ///< G dx - h dtau of the affine direction
  const double *base, *shift;  ///< G yb and G yz of (IPM-7)
  double* centring_force;      ///< out: of the centring term
  double* second_force;        ///< out: of the second-order term; may be `velocity`
};

/// One over the largest steps of the primal and the dual part; 0 and less: any.
struct StepBounds {
  double primal = 0, dual = 0;
};

/// Where the products of z and s should lie after a step of this length. (IPM-10)
struct ProductRange {
  double step, low, high;
};

struct InteriorPointKernel {
  /// Dual residual, scaling and weights (6 per slot and lane, contact coordinates) at the current point. `velocity`: A' y. `force`: z as
  /// contact forces; `residual_force`: H rd likewise.
  ScaleSums (*scale)(const ConicView&, const ConicArrays&, const double* velocity, double* weights, double* force,
                     double* residual_force) noexcept;
  /// Affine direction of `rows.velocity`: second-order terms, their contact forces, step bounds, the line of equilibria.
  PredictSums (*predict)(const ConicView&, const ConicArrays&, const PredictRows& rows) noexcept;
  /// Combined direction of `velocity`; one over the largest steps.
  StepBounds (*combine)(const ConicView&, const ConicArrays&, const double* velocity, double keep, double centre) noexcept;
  /// Adds to `second` what brings the eigenvalues of the products after a step of (dz, ds) into their range, and writes its contact force.
  void (*correct)(const ConicView&, const ConicArrays&, const ProductRange& range, double* second_force) noexcept;
  /// z += primal dz, s += dual ds.
  void (*advance)(const ConicView&, const ConicArrays&, double primal, double dual) noexcept;
  /// Unit start where `force` is null; else z = (max(mu f_n, |f_t|) + least, f_t) and s = z^-1 in the Jordan algebra. `force`: contact
  /// coordinates.
  void (*start)(const ConicView&, const ConicArrays&, const double* force, double least) noexcept;
  /// Mean over points of max(|f_n|, |f_t|).
  double (*mean_size)(const ConicView&, const double* force, int points) noexcept;
  /// Largest of mu |u_t| + u_n: how far the motion -y enters a joint, `velocity` = A' y.
  double (*motion_violation)(const ConicView&, const double* velocity) noexcept;
};

namespace entry {
namespace baseline {
extern const InteriorPointKernel interior_point_kernel;
}
namespace v3 {
extern const InteriorPointKernel interior_point_kernel;
}
namespace v4 {
extern const InteriorPointKernel interior_point_kernel;
}
}  // namespace entry

/// The kernels of `isa`; the CPU must have it.
inline const InteriorPointKernel& interior_point_kernel_of(Isa isa) {
  return isa == Isa::v4   ? entry::v4::interior_point_kernel
         : isa == Isa::v3 ? entry::v3::interior_point_kernel
                          : entry::baseline::interior_point_kernel;
}

}  // namespace trilith::solve
