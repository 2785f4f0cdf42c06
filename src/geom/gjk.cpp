// Distance of two convex shapes. Equations: (COL-11)
#include "base/math.h"
#include "geom/collide_settings.h"
#include "geom/convex_pair.h"
#include "geom/polytope.h"
#include "geom/simplex.h"

namespace trilith::geom {
namespace {

namespace set = collide_settings;

bool repeats(const Simplex& s, const SupportPoint& w) {
  for (int k = 0; k < s.count; ++k) {
    const Vec3d d = s.v[k].p - w.p;
    if (dot(d, d) == 0) return true;
  }
  return false;
}

enum class Found : std::uint8_t { apart, beyond, touching };

/// Walks to the point of A - B nearest to the origin; `touching` where the origin is within rounding of it or inside.
Found find_nearest(ConvexPair& pair, double core_reach, double scale, Simplex& s, Gap& gap) {
  const double touch = set::gjk_touch * scale;
  Vec3d v = pair.A.center - transform_point(pair.X_AB, pair.B.center);
  if (!(dot(v, v) > 0)) v = {1, 0, 0};
  double square = dot(v, v);
  for (gap.steps = 0; gap.steps < set::gjk_steps; ++gap.steps) {
    const SupportPoint w = pair.support(-v);
    const double along = dot(v, w.p);
    if (along > 0 && along * along > core_reach * core_reach * square && core_reach >= 0) return Found::beyond;
    // no point of A - B is nearer than along / |v|
    const double enough = max(set::gjk_tolerance * square, set::gjk_tolerance_abs * scale * sqrt(square));
    if (s.count > 0 && (square - along <= enough || repeats(s, w))) return Found::apart;
    const Simplex before = s;
    s.v[s.count++] = w;
    if (!reduce_to_nearest(s)) return Found::touching;
    const Vec3d next = s.point();
    const double next_square = dot(next, next);
    if (next_square <= touch * touch) return Found::touching;
    if (before.count > 0 && !(next_square < square)) {  // rounding has the last word
      s = before;
      return Found::apart;
    }
    v = next;
    square = next_square;
  }
  // bent surfaces that all but touch: the polytope knows better
  gap.limit = square > set::gjk_far * set::gjk_far * scale * scale;
  return gap.limit ? Found::apart : Found::touching;
}

}  // namespace

Gap measure_gap(ConvexPair& pair, double reach) noexcept {
  Gap gap;
  const double radii = pair.A.radius + pair.B.radius, scale = pair.scale();
  Simplex s;
  const Found found = find_nearest(pair, reach + radii, scale, s, gap);
  if (found == Found::beyond) {
    gap.beyond = true;
    return gap;
  }
  if (found == Found::apart) {
    const Vec3d v = s.point();
    const double length = norm(v);
    gap.normal = (-1 / length) * v;
    gap.distance = length - radii;
    s.witness(gap.on_a, gap.on_b);
  } else {
    measure_depth(pair, s, gap);
    gap.distance -= radii;
  }
  gap.beyond = gap.distance > reach;
  return gap;
}

}  // namespace trilith::geom
