// The point of a segment, triangle or tetrahedron nearest to the origin. Equations: (COL-11)
#include "geom/simplex.h"

#include <limits>

#include "base/math.h"

namespace trilith::geom {
namespace {

/// Points of a simplex by index, their shares, and the squared distance of their combination.
struct Nearest {
  int index[3] = {0, 0, 0}, count = 0;
  double share[3] = {0, 0, 0};
  double square = std::numeric_limits<double>::infinity();
};

void take(const Simplex& s, Nearest made, Nearest& best) {
  Vec3d sum{0, 0, 0};
  for (int k = 0; k < made.count; ++k) sum = sum + made.share[k] * s.v[made.index[k]].p;
  made.square = dot(sum, sum);
  if (made.square < best.square) best = made;
}

void try_segment(const Simplex& s, int i, int j, Nearest& best) {
  const Vec3d &a = s.v[i].p, &b = s.v[j].p, side = b - a;
  const double along = -dot(a, side), length = dot(side, side);
  if (!(along > 0)) return take(s, {{i, 0, 0}, 1, {1, 0, 0}}, best);
  if (!(along < length)) return take(s, {{j, 0, 0}, 1, {1, 0, 0}}, best);
  const double t = along / length;
  take(s, {{i, j, 0}, 2, {1 - t, t, 0}}, best);
}

/// Inside of the triangle, else on a side that has the new point `k` (the side without it is known to be further).
void try_triangle(const Simplex& s, int i, int j, int k, Nearest& best) {
  const Vec3d &a = s.v[i].p, &b = s.v[j].p, &c = s.v[k].p;
  const Vec3d n = cross(b - a, c - a);
  const double area = dot(n, n);
  const double u = dot(cross(b, c), n), v = dot(cross(c, a), n), w = dot(cross(a, b), n);  // weights of a, b, c
  if (area > 0 && u > 0 && v > 0 && w > 0) {
    const double sum = u + v + w;
    return take(s, {{i, j, k}, 3, {u / sum, v / sum, w / sum}}, best);
  }
  try_segment(s, i, k, best);
  try_segment(s, j, k, best);
  try_segment(s, i, j, best);
}

/// The origin is not strictly on the side of `d` of the plane a, b, c; a flat tetrahedron has no inside.
bool beyond_face(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
  const Vec3d n = cross(b - a, c - a);
  const double origin = -dot(a, n), other = dot(d - a, n);
  return !(origin * other > 0);
}

}  // namespace

Vec3d Simplex::point() const {
  Vec3d sum{0, 0, 0};
  for (int k = 0; k < count; ++k) sum = sum + share[k] * v[k].p;
  return sum;
}

void Simplex::witness(Vec3d& on_a, Vec3d& on_b) const {
  on_a = on_b = {0, 0, 0};
  for (int k = 0; k < count; ++k) {
    on_a = on_a + share[k] * v[k].a;
    on_b = on_b + share[k] * v[k].b;
  }
}

bool reduce_to_nearest(Simplex& s) noexcept {
  Nearest best;
  if (s.count == 1) take(s, {{0, 0, 0}, 1, {1, 0, 0}}, best);
  if (s.count == 2) try_segment(s, 0, 1, best);
  if (s.count == 3) try_triangle(s, 0, 1, 2, best);
  if (s.count == 4) {
    constexpr int faces[4][4] = {{0, 1, 3, 2}, {1, 2, 3, 0}, {2, 0, 3, 1}, {0, 1, 2, 3}};
    for (const auto& f : faces)
      if (beyond_face(s.v[f[0]].p, s.v[f[1]].p, s.v[f[2]].p, s.v[f[3]].p)) try_triangle(s, f[0], f[1], f[2], best);
    if (best.count == 0) return false;
  }
  const Simplex whole = s;
  s.count = best.count;
  for (int k = 0; k < best.count; ++k) {
    s.v[k] = whole.v[best.index[k]];
    s.share[k] = best.share[k];
  }
  return true;
}

}  // namespace trilith::geom
