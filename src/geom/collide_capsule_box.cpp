// A ball or a capsule and a box. Equations: (COL-8) (COL-9)
#include <limits>

#include "geom/collide_boxes.h"
#include "geom/collide_convex.h"
#include "geom/collide_settings.h"
#include "geom/collide_spheres.h"

namespace trilith::geom {
namespace {

namespace set = collide_settings;

constexpr int bit(int k) { return 1 << k; }

/// The capsule's segment p + x h, |x| <= 1, in the frame of the box.
struct Segment {
  double p[3], h[3], length_square;
  double half[3];  ///< of the box
};

/// Where the segment is nearest to the surface of the box. x: on the segment; the box's feature is a face (end of the segment over it), a
/// place on an edge, or one of its corners.
struct Nearest {
  enum class Feature : std::uint8_t { none, inside, face, edge, corner } feature = Feature::none;
  double square = std::numeric_limits<double>::infinity();
  double x = 0, on_edge = 0;  ///< each in [-1, 1]
  int axis = 0;               ///< of the face or the edge
  int corner = 0;             ///< bits of the corner (edge: of its lower end)
};

/// An end over a face, or in the box.
void try_ends(const Segment& s, Nearest& best) {
  for (const double x : {-1.0, 1.0}) {
    int outside = 0, axis = -1;
    double square = 0;
    for (int k = 0; k < 3; ++k) {
      const double q = s.p[k] + x * s.h[k], over = abs(q) - s.half[k];
      if (!(over > 0)) continue;
      ++outside;
      axis = k;
      square += over * over;
    }
    if (outside > 1 || !(square < best.square)) continue;
    best = {outside == 0 ? Nearest::Feature::inside : Nearest::Feature::face, square, x, 0, axis, 0};
  }
}

/// The edge along axis k through the corner `corner` (whose bit k is 0).
void try_edge(const Segment& s, int k, int corner, Nearest& best) {
  double from[3];  // from the middle of the segment to the middle of the edge
  for (int c = 0; c < 3; ++c) from[c] = (c == k ? 0 : (corner & bit(c)) != 0 ? s.half[c] : -s.half[c]) - s.p[c];
  const double edge = s.half[k], aa = edge * edge, ab = -edge * s.h[k], bb = s.length_square;
  const double u = -edge * from[k], v = s.h[0] * from[0] + s.h[1] * from[1] + s.h[2] * from[2];
  const double other = s.length_square - s.h[k] * s.h[k];  // part of the segment at right angles to the edge
  if (!(other > set::parallel_square * s.length_square)) return;
  const double determinant = aa * other;
  double x_edge = (bb * u - ab * v) / determinant, x = (aa * v - ab * u) / determinant;
  int end = 0;  // the edge was left at its lower (-1) or upper end (1), even if its best point comes back between them (as MuJoCo has it)
  const auto hold = [&end](double& value) {
    if (abs(value) > 1) end = value > 0 ? 1 : -1;
    value = min(max(value, -1.0), 1.0);
  };
  hold(x_edge);
  if (end != 0) x = (v - ab * x_edge) / bb;
  if (abs(x) > 1) {
    x = min(max(x, -1.0), 1.0);
    x_edge = (u - ab * x) / aa;
    hold(x_edge);
  }
  double square = 0;
  for (int c = 0; c < 3; ++c) {
    const double d = from[c] - x * s.h[c] + (c == k ? edge * x_edge : 0);
    square += d * d;
  }
  // a segment along a face or an edge meets several edges at the same distance: the first one stays
  if (!(square < best.square - set::parallel_square * (s.length_square + aa))) return;
  best = {end == 0 ? Nearest::Feature::edge : Nearest::Feature::corner, square, x, x_edge, k, corner + (end == 1 ? bit(k) : 0)};
}

Nearest find_nearest(const Segment& s) {
  Nearest best;
  try_ends(s, best);
  for (int k = 0; k < 3; ++k)
    for (int corner = 0; corner < 8; ++corner)
      if ((corner & bit(k)) == 0) try_edge(s, k, corner, best);
  return best;
}

/// The segment passes through the box.
bool pierces(const Segment& s) {
  double enter = -1, leave = 1;
  for (int k = 0; k < 3; ++k) {
    const double one = (-s.half[k] - s.p[k]) / s.h[k], two = (s.half[k] - s.p[k]) / s.h[k];
    if (s.h[k] == 0 && abs(s.p[k]) > s.half[k]) return false;
    if (s.h[k] == 0) continue;
    enter = max(enter, min(one, two)), leave = min(leave, max(one, two));
  }
  return enter <= leave;
}

/// Bits of the axes along which the segment points up.
int direction_bits(const Segment& s) { return (s.h[0] > 0 ? 1 : 0) + (s.h[1] > 0 ? 2 : 0) + (s.h[2] > 0 ? 4 : 0); }
int lowest_bit(int bits) { return (bits & 1) != 0 ? 0 : (bits & 2) != 0 ? 1 : 2; }
/// Way along the segment that crosses the whole box along axis k.
double crossing(const Segment& s, int k) { return 2 * s.half[k] / abs(s.h[k]); }

constexpr double no_step = -4;  // steps lie in [-2, 2]

/// Steps along the segment from the nearest point to the second contact.
double step_from_face(const Segment& s, const Nearest& near) {
  const double way = -near.x;  // from this end to the other
  double step = 2;
  for (int c = 0; c < 3; ++c) {
    if (c == near.axis) continue;
    const double at = s.p[c] + near.x * s.h[c];
    for (const double side : {s.half[c], -s.half[c]}) {
      const double leave = (side - at) / s.h[c] * way;
      if (leave > 0 && leave < step) step = leave;
    }
  }
  return way * step;
}

double step_from_corner(const Segment& s, const Nearest& near) {
  int bits = direction_bits(s) ^ near.corner;
  if (bits == 0 || bits == 7) return no_step;  // towards the corner or away from it
  const bool one = bits == 1 || bits == 2 || bits == 4;
  const double way = one ? 1 : -1;
  if (!one) bits = 7 - bits;
  const int k = lowest_bit(bits), k1 = (k + 1) % 3, k2 = (k + 2) % 3;
  if (s.h[k] * s.h[k] > 0.5 * s.length_square) return way * min(1 - way * near.x, crossing(s, k));  // along the edge
  return -way * min(1 + way * near.x, min(crossing(s, k1), crossing(s, k2)));                       // over the face
}

double step_from_edge(const Segment& s, const Nearest& near) {
  const int k = near.axis, up = direction_bits(s), bits = (up ^ near.corner) & (7 - bit(k));
  if (bits != 1 && bits != 2 && bits != 4) return no_step;  // across the edge like a T
  // over the face to which the segment is more nearly parallel
  const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
  const int over = abs(s.h[k1]) > abs(s.h[k2]) ? k1 : k2;
  const double way = (bits & bit(over)) != 0 ? 1 : -1;
  const double room = ((up & bit(k)) != 0) == (way > 0) ? 1 - near.on_edge : 1 + near.on_edge;  // of the edge, in half lengths
  return way * min(min(1 - way * near.x, crossing(s, over)), s.half[k] * room / abs(s.h[k]));
}

/// A step of 0 gives the same contact twice, which a soft contact feels as twice as stiff: kept, because models are tuned with it.
double second_step(const Segment& s, const Nearest& near) {
  switch (near.feature) {
    case Nearest::Feature::face:
      return step_from_face(s, near);
    case Nearest::Feature::edge:
      return step_from_edge(s, near);
    case Nearest::Feature::corner:
      return step_from_corner(s, near);
    default:
      return no_step;
  }
}

}  // namespace

void collide_ball_box(const Vec3d& p_a, double r_a, const Shape& b, const Posed& B, ContactWriter& out) noexcept {
  const Vec3d c = inverse_transform_point(B, p_a), half = b.size;
  const Vec3d held{min(max(c.x, -half.x), half.x), min(max(c.y, -half.y), half.y), min(max(c.z, -half.z), half.z)};
  const Vec3d inward = held - c;
  const double length = norm(inward);
  if (length - r_a > out.reach()) return;
  if (length > set::concentric * (r_a + half.x + half.y + half.z)) {
    const Vec3d n = (1 / length) * inward;
    out.add(transform_point(B, 0.5 * (held + (c + r_a * n))), B.R * n, length - r_a);
    return;
  }
  // the centre is inside: out by the nearest face; of equals -x, +x, -y ... wins
  const double room[6] = {half.x + c.x, half.x - c.x, half.y + c.y, half.y - c.y, half.z + c.z, half.z - c.z};
  int face = 0;
  for (int k = 1; k < 6; ++k)
    if (room[k] < room[face]) face = k;
  const double sign = face % 2 == 0 ? 1 : -1, depth = abs(room[face]);
  const Vec3d n{face / 2 == 0 ? sign : 0, face / 2 == 1 ? sign : 0, face / 2 == 2 ? sign : 0};
  out.add(transform_point(B, c + 0.5 * (r_a - depth) * n), B.R * n, -depth - r_a);
}

void collide_sphere_box(const Shape& a, const Posed& A, const Shape& b, const Posed& B, ContactWriter& out) noexcept {
  collide_ball_box(A.p, a.size.x, b, B, out);
}

void collide_capsule_box(const Shape& a, const Posed& A, const Shape& b, const Posed& B, ContactWriter& out) noexcept {
  const Vec3d p = inverse_transform_point(B, A.p), h = transpose_times(B.R, a.size.y * z_axis(A));
  const Segment s{{p.x, p.y, p.z}, {h.x, h.y, h.z}, dot(h, h), {b.size.x, b.size.y, b.size.z}};
  const Nearest near = find_nearest(s);
  if (near.feature == Nearest::Feature::none) return;
  const auto touch = [&](double x) { collide_ball_box(transform_point(B, p + x * h), a.size.x, b, B, out); };
  touch(near.x);
  const double step = second_step(s, near);
  if (step != no_step) touch(near.x + step);
  // a long capsule may be nearest to an edge where it is already out of the box
  if (out.count() == 0 && pierces(s)) collide_convex(a, A, b, B, out);
}

}  // namespace trilith::geom
