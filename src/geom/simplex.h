#pragma once
#include "geom/convex_pair.h"

namespace trilith::geom {

/// Up to four points of A - B of which a combination is nearest to the origin.
struct Simplex {
  SupportPoint v[4];
  double share[4] = {1, 0, 0, 0};
  int count = 0;

  Vec3d point() const;
  void witness(Vec3d& on_a, Vec3d& on_b) const;
};

/// Reduces `simplex`, whose last point is new, to the points whose combination is nearest to the origin; their shares. False where the
/// origin lies inside of four points, which all stay. (COL-11)
bool reduce_to_nearest(Simplex& simplex) noexcept;

}  // namespace trilith::geom
