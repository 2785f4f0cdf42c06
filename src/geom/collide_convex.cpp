// Contacts of two convex shapes from their gap, and from the faces or edges that meet there. Equations: (COL-14) (COL-15)
#include "geom/collide_convex.h"

#include "geom/collide_settings.h"
#include "geom/convex_mesh.h"
#include "geom/feature.h"
#include "geom/spread.h"

namespace trilith::geom {
namespace {

namespace set = collide_settings;

/// A polygon that is being clipped, and a spare to clip it into.
struct Clipped {
  Vec3d corner[2 * most_corners];
  int count = 0;
  void add(const Vec3d& p) {
    if (count < 2 * most_corners) corner[count++] = p;
  }
};

/// Keeps the side of the plane through `at` where dot(p - at, outward) <= 0; what lies there but for rounding lies there.
void clip(Clipped& polygon, const Vec3d& at, const Vec3d& outward, double slack) {
  double over[2 * most_corners];
  bool all = true;
  for (int k = 0; k < polygon.count; ++k) {
    const double distance = dot(polygon.corner[k] - at, outward);
    over[k] = abs(distance) <= slack ? 0 : distance;
    all = all && over[k] <= 0;
  }
  if (all) return;
  const Clipped whole = polygon;
  polygon.count = 0;
  const int sides = whole.count == 2 ? 1 : whole.count;  // a segment has no way back
  for (int k = 0; k < whole.count; ++k) {
    const int l = k + 1 == whole.count ? 0 : k + 1;
    if (over[k] <= 0) polygon.add(whole.corner[k]);
    if (k < sides && ((over[k] < 0 && over[l] > 0) || (over[k] > 0 && over[l] < 0)))
      polygon.add(whole.corner[k] + (over[k] / (over[k] - over[l])) * (whole.corner[l] - whole.corner[k]));
  }
}

/// What meets what: the face `on` whose normal the contacts have, and what lies on it.
struct Meeting {
  const Feature* on;
  const Feature* other;
  double on_radius, other_radius;
  Vec3d normal;   ///< out of the face
  double sign;    ///< 1: the face is A's
  Vec3d deepest;  ///< point of the other core furthest against the normal: a rim is more than its octagon
};

/// Over the inside of the face or on its rim.
bool lies_over(const Feature& face, const Vec3d& p, double slack) {
  for (int k = 0; k < face.count; ++k) {
    const Vec3d side = face.corner[k + 1 == face.count ? 0 : k + 1] - face.corner[k];
    if (dot(p - face.corner[k], unit(cross(side, face.normal))) > slack) return false;
  }
  return true;
}

/// Contacts where `other` lies over the face. Returns how many there were within reach.
int touch_face(const Meeting& m, const Posed& A, double slack, ContactWriter& out) {
  Clipped polygon;
  for (int k = 0; k < m.other->count; ++k) polygon.add(m.other->corner[k]);
  const Feature& face = *m.on;
  for (int k = 0; k < face.count; ++k) {
    const Vec3d side = face.corner[k + 1 == face.count ? 0 : k + 1] - face.corner[k];
    clip(polygon, face.corner[k], unit(cross(side, m.normal)), slack);
  }
  if (lies_over(face, m.deepest, slack)) polygon.add(m.deepest);
  const double radii = m.on_radius + m.other_radius;
  const auto at = [&](int i, Vec3d& p, double& depth) {
    p = polygon.corner[i];
    depth = radii - dot(p - face.corner[0], m.normal);
    return -depth <= out.reach();
  };
  int picked[4];
  const int count = pick_spread(polygon.count, m.normal, set::spread_slack * norm(face.corner[0] - face.corner[1]), at, picked);
  for (int k = 0; k < count; ++k) {
    Vec3d p;
    double depth;
    at(picked[k], p, depth);
    const Vec3d middle = p - (m.other_radius - 0.5 * depth) * m.normal;
    out.add(A.p + A.R * middle, A.R * (m.sign * m.normal), -depth);
  }
  return count;
}

/// Two edges that run side by side: the ends of what they share. Returns how many contacts that made.
int touch_edges(const ConvexPair& pair, const Feature& a, const Feature& b, const Gap& gap, const Posed& A, ContactWriter& out) {
  const Vec3d along = a.corner[1] - a.corner[0], other = b.corner[1] - b.corner[0];
  const double length = norm(along);
  const Vec3d axis = (1 / length) * along, skew = cross(axis, unit(other));
  if (dot(skew, skew) > set::edges_parallel * set::edges_parallel || abs(dot(axis, gap.normal)) > set::edges_parallel) return 0;
  double low = dot(b.corner[0] - a.corner[0], axis), high = dot(b.corner[1] - a.corner[0], axis);
  if (low > high) {
    const double swap = low;
    low = high, high = swap;
  }
  low = max(low, 0.0), high = min(high, length);
  if (!(high - low > set::spread_slack * length)) return 0;
  const Vec3d middle = 0.5 * ((gap.on_a + pair.A.radius * gap.normal) + (gap.on_b - pair.B.radius * gap.normal));
  const double from = dot(middle - a.corner[0], axis);
  for (const double at : {low, high}) out.add(A.p + A.R * (middle + (at - from) * axis), A.R * gap.normal, gap.distance);
  return 2;
}

void touch_once(const ConvexPair& pair, const Gap& gap, const Posed& A, ContactWriter& out) {
  const Vec3d on_a = gap.on_a + pair.A.radius * gap.normal, on_b = gap.on_b - pair.B.radius * gap.normal;
  out.add(A.p + A.R * (0.5 * (on_a + on_b)), A.R * gap.normal, gap.distance);
}

/// Distance of the shapes along `n`, a unit vector from A into B.
double distance_along(ConvexPair& pair, const Vec3d& n) { return -dot(pair.support(n).p, n) - pair.A.radius - pair.B.radius; }

/// Contacts of more than one point, where a face of one lies on the other or two edges run side by side. Returns how many.
int touch_widely(ConvexPair& pair, const Gap& gap, const Posed& A, ContactWriter& out) {
  Feature a, b;
  find_feature(pair.A, identity_pose<double>(), gap.normal, a);
  find_feature(pair.B, pair.X_AB, -gap.normal, b);
  if (a.count == 0 || b.count == 0) return 0;
  // a face parts them nearly as well as the best direction: it holds better (as COL-10)
  const double needed = gap.distance - set::edge_alias_gain * abs(gap.distance) - out.slack();
  const double by_a = a.flat && a.along > set::edge_alias ? distance_along(pair, a.normal) : needed - 1;
  const double by_b = b.flat && b.along > set::edge_alias ? distance_along(pair, -b.normal) : needed - 1;
  const double slack = out.slack();
  if (max(by_a, by_b) >= needed) {
    const bool on_a = by_a >= by_b - slack;
    // what lies on the face is looked for against its normal
    if (on_a) find_feature(pair.B, pair.X_AB, -a.normal, b);
    if (!on_a) find_feature(pair.A, identity_pose<double>(), -b.normal, a);
    const SupportPoint deepest = pair.support(on_a ? a.normal : -b.normal);
    const Meeting m = on_a ? Meeting{&a, &b, pair.A.radius, pair.B.radius, a.normal, 1, deepest.b}
                           : Meeting{&b, &a, pair.B.radius, pair.A.radius, b.normal, -1, deepest.a};
    return touch_face(m, A, slack, out);
  }
  return a.count == 2 && b.count == 2 ? touch_edges(pair, a, b, gap, A, out) : 0;
}

bool has_features(Core::Kind kind) { return kind != Core::Kind::point && kind != Core::Kind::ellipsoid; }

}  // namespace

void touch_convex(ConvexPair& pair, const Gap& gap, const Posed& A, ContactWriter& out) noexcept {
  if (has_features(pair.A.kind) && has_features(pair.B.kind) && touch_widely(pair, gap, A, out) > 0) return;
  touch_once(pair, gap, A, out);
}

void touch_top(ConvexPair& pair, const Posed& A, ContactWriter& out) noexcept {
  Feature top, other;
  find_feature(pair.A, identity_pose<double>(), {0, 0, 1}, top);
  if (top.count == 0 || distance_along(pair, top.normal) > out.reach()) return;
  find_feature(pair.B, pair.X_AB, -top.normal, other);
  const Vec3d deepest = pair.support(top.normal).b;
  touch_face({&top, &other, pair.A.radius, pair.B.radius, top.normal, 1, deepest}, A, out.slack(), out);
}

void touch_along(ConvexPair& pair, const Vec3d& normal, const Posed& A, ContactWriter& out) noexcept {
  Gap gap;
  gap.normal = normal;
  gap.distance = distance_along(pair, normal);
  gap.on_b = pair.support(normal).b;
  gap.on_a = gap.on_b - (gap.distance + pair.A.radius + pair.B.radius) * normal;
  touch_once(pair, gap, A, out);
}

Posed relative_pose(const Posed& X_WA, const Posed& X_WB) noexcept {
  const Mat3d &R = X_WA.R, &S = X_WB.R;
  return {from_columns(transpose_times(R, column(S, 0)), transpose_times(R, column(S, 1)), transpose_times(R, column(S, 2))),
          transpose_times(R, X_WB.p - X_WA.p)};
}

void collide_convex(const Shape& a, const Posed& A, const Shape& b, const Posed& B, ContactWriter& out) noexcept {
  ConvexPair pair{make_core(a), make_core(b), relative_pose(A, B)};
  const Gap gap = measure_gap(pair, out.reach());
  if (!gap.beyond) touch_convex(pair, gap, A, out);
}

void collide_plane_mesh(const Shape&, const Posed& A, const Shape& b, const Posed& B, ContactWriter& out) noexcept {
  const ConvexMesh& mesh = *b.mesh;
  const Vec3d normal = column(A.R, 2), n_B = transpose_times(B.R, normal);
  const double height = dot(B.p - A.p, normal);
  const auto points = mesh.vertices();
  if (height + dot(points[mesh.support(-n_B, 0)], n_B) > out.reach()) return;
  const auto at = [&](int i, Vec3d& p, double& depth) {
    p = points[static_cast<std::size_t>(i)];
    depth = -height - dot(p, n_B);
    return -depth <= out.reach();
  };
  int picked[4];
  const int count = pick_spread(static_cast<int>(points.size()), n_B, set::spread_slack * mesh.radius(), at, picked);
  for (int k = 0; k < count; ++k) {
    Vec3d p;
    double depth;
    at(picked[k], p, depth);
    out.add(B.p + B.R * p + 0.5 * depth * normal, normal, -depth);
  }
}

}  // namespace trilith::geom
