// Two boxes: separating axes, then the contact of two edges or of a clipped face. Equations: (COL-10)
#include "geom/collide_boxes.h"

#include <limits>
#include <utility>

#include "geom/collide_settings.h"

namespace trilith::geom {
namespace {

namespace set = collide_settings;

constexpr int next(int i) { return i == 2 ? 0 : i + 1; }
constexpr int after(int i) { return i == 0 ? 2 : i - 1; }

/// Two boxes seen from both: half sides, R[3 i + j] = axis i of A dot axis j of B, the centre of each from the other.
struct BoxPair {
  double a[3], b[3], R[9], size[9], p_AB[3], p_BA[3];
};

BoxPair make_pair(const Shape& a, const Posed& A, const Shape& b, const Posed& B) {
  BoxPair pair;
  const Vec3d between = B.p - A.p;
  const Vec3d p = transpose_times(A.R, between), q = transpose_times(B.R, between);
  pair.a[0] = a.size.x, pair.a[1] = a.size.y, pair.a[2] = a.size.z;
  pair.b[0] = b.size.x, pair.b[1] = b.size.y, pair.b[2] = b.size.z;
  pair.p_AB[0] = p.x, pair.p_AB[1] = p.y, pair.p_AB[2] = p.z;
  pair.p_BA[0] = -q.x, pair.p_BA[1] = -q.y, pair.p_BA[2] = -q.z;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      pair.R[3 * i + j] = dot(column(A.R, i), column(B.R, j));
      pair.size[3 * i + j] = abs(pair.R[3 * i + j]);
    }
  }
  return pair;
}

/// The axis along which the boxes are furthest apart. 0..2: faces of A, 3..5: faces of B, 6 + 3 i + j: edge i of A across edge j of B.
struct Separation {
  int code = -1;
  double distance = -std::numeric_limits<double>::infinity();
  bool apart = false;  ///< further than the reach along some axis
};

Separation separate_faces(const BoxPair& pair, double reach) {
  Separation best;
  for (int k = 0; k < 6; ++k) {
    const bool of_a = k < 3;
    const int i = of_a ? k : k - 3;
    const double* size = pair.size;
    const double other = of_a ? size[3 * i] * pair.b[0] + size[3 * i + 1] * pair.b[1] + size[3 * i + 2] * pair.b[2]
                              : size[i] * pair.a[0] + size[3 + i] * pair.a[1] + size[6 + i] * pair.a[2];
    const double distance = of_a ? abs(pair.p_AB[i]) - pair.a[i] - other : abs(pair.p_BA[i]) - pair.b[i] - other;
    if (distance > reach) return {k, distance, true};
    if (distance > best.distance) best = {k, distance, false};
  }
  return best;
}

/// Unit axis of the edges (i, j) in A: component i is 0, the others are at next(i) and after(i). None where the edges are parallel.
struct EdgeAxis {
  double u = 0, v = 0;
  bool valid = false;
};

EdgeAxis edge_axis(const BoxPair& pair, int i, int j) {
  const double u = -pair.R[3 * after(i) + j], v = pair.R[3 * next(i) + j];
  const double square = u * u + v * v;
  if (square < set::edge_parallel) return {};
  const double inverse = 1 / sqrt(square);
  return {u * inverse, v * inverse, true};
}

/// Replaces `best` by an edge axis that separates more; a near tie belongs to the face, which holds better.
void separate_edges(const BoxPair& pair, double reach, Separation& best) {
  const double face = best.distance;
  for (int i = 0; i < 3; ++i) {
    const int i1 = next(i), i2 = after(i);
    for (int j = 0; j < 3; ++j) {
      const EdgeAxis axis = edge_axis(pair, i, j);
      if (!axis.valid) continue;
      const int j1 = next(j), j2 = after(j);
      const double b1 = axis.u * pair.R[3 * i1 + j1] + axis.v * pair.R[3 * i2 + j1];
      const double b2 = axis.u * pair.R[3 * i1 + j2] + axis.v * pair.R[3 * i2 + j2];
      const double sizes = pair.a[i1] * abs(axis.u) + pair.a[i2] * abs(axis.v) + pair.b[j1] * abs(b1) + pair.b[j2] * abs(b2);
      const double distance = abs(axis.u * pair.p_AB[i1] + axis.v * pair.p_AB[i2]) - sizes;
      if (distance > reach) {
        best.apart = true;
        return;
      }
      if (distance - set::edge_bias * abs(distance) > best.distance && distance > face) best = {6 + 3 * i + j, distance, false};
    }
  }
}

/// In A's frame, from A towards B.
Vec3d oriented_axis(const BoxPair& pair, int i, int j) {
  const EdgeAxis axis = edge_axis(pair, i, j);
  double n[3];
  n[i] = 0, n[next(i)] = axis.u, n[after(i)] = axis.v;
  const double along = n[0] * pair.p_AB[0] + n[1] * pair.p_AB[1] + n[2] * pair.p_AB[2];
  const double sign = along < 0 ? -1 : 1;
  return {sign * n[0], sign * n[1], sign * n[2]};
}

/// The axis that is used: an edge axis that all but repeats the best face axis gives way to it, or stacks at rest would change between
/// one contact and four.
Separation find_axis(const BoxPair& pair, double reach, double slack) {
  const Separation face = separate_faces(pair, reach);
  if (face.apart) return face;
  Separation best = face;
  separate_edges(pair, reach, best);
  if (best.apart || best.code < 6) return best;
  const int i = (best.code - 6) / 3, j = (best.code - 6) % 3, f = face.code % 3;
  const Vec3d n = oriented_axis(pair, i, j);
  const double* R = pair.R;
  const double along = face.code < 3 ? (f == 0 ? n.x : f == 1 ? n.y : n.z) : n.x * R[f] + n.y * R[3 + f] + n.z * R[6 + f];
  const bool alias = abs(along) > set::edge_alias && best.distance < face.distance + set::edge_alias_gain * abs(face.distance) + slack;
  return alias ? face : best;
}

struct EdgePoints {
  Vec3d on_a{}, on_b{};  ///< in A's frame
  double square = std::numeric_limits<double>::infinity();
};

/// The nearest points of the edge of A along axis i through `c_a` and of the edge of B along its axis j through `c_b`.
EdgePoints nearest_points(const BoxPair& pair, int i, int j, const double* c_a, const double* c_b) {
  const double d[3] = {pair.R[j], pair.R[3 + j], pair.R[6 + j]};
  const double e[3] = {c_b[0] - c_a[0], c_b[1] - c_a[1], c_b[2] - c_a[2]};
  const double cosine = d[i], along_a = e[i], along_b = d[0] * e[0] + d[1] * e[1] + d[2] * e[2];
  const double square = 1 - cosine * cosine;
  const auto clip = [](double x, double limit) { return min(max(x, -limit), limit); };
  double s = clip(square > set::edge_parallel ? (along_a - cosine * along_b) / square : 0, pair.a[i]);
  const double t = clip(cosine * s - along_b, pair.b[j]);
  s = clip(along_a + cosine * t, pair.a[i]);
  double p[3] = {c_a[0], c_a[1], c_a[2]};
  p[i] += s;
  const EdgePoints found{{p[0], p[1], p[2]}, {c_b[0] + t * d[0], c_b[1] + t * d[1], c_b[2] + t * d[2]}};
  const Vec3d gap = found.on_b - found.on_a;
  return {found.on_a, found.on_b, dot(gap, gap)};
}

/// Corner of a box where its edge along axis k is furthest along n; a component of n that says nothing is taken both ways by the caller.
void edge_corner(const double* half, const double* n, int k, int flipped, double* corner) {
  for (int c = 0; c < 3; ++c) corner[c] = c == k ? 0 : (n[c] >= 0) == (c != flipped) ? half[c] : -half[c];
}

/// The component that does not tell two edges apart, or -1.
int ambiguous(const double* n, int k) {
  if (abs(n[next(k)]) < set::edge_ambiguous) return next(k);
  return abs(n[after(k)]) < set::edge_ambiguous ? after(k) : -1;
}

void collide_edges(const BoxPair& pair, int i, int j, const Posed& A, ContactWriter& out) {
  const Vec3d axis = oriented_axis(pair, i, j);
  const double* R = pair.R;
  const double n_a[3] = {axis.x, axis.y, axis.z};
  double n_b[3];  // against the axis, in B
  for (int c = 0; c < 3; ++c) n_b[c] = -(n_a[0] * R[c] + n_a[1] * R[3 + c] + n_a[2] * R[6 + c]);
  const int either_a = ambiguous(n_a, i), either_b = ambiguous(n_b, j);

  EdgePoints best;
  for (int k = 0; k < 4; ++k) {
    const bool flip_a = (k & 2) != 0, flip_b = (k & 1) != 0;
    if ((flip_a && either_a < 0) || (flip_b && either_b < 0)) continue;
    double c_a[3], q[3], c_b[3];
    edge_corner(pair.a, n_a, i, flip_a ? either_a : -1, c_a);
    edge_corner(pair.b, n_b, j, flip_b ? either_b : -1, q);
    for (int c = 0; c < 3; ++c) c_b[c] = R[3 * c] * q[0] + R[3 * c + 1] * q[1] + R[3 * c + 2] * q[2] + pair.p_AB[c];
    const EdgePoints found = nearest_points(pair, i, j, c_a, c_b);
    if (found.square < best.square) best = found;
  }
  const double distance = dot(best.on_b - best.on_a, axis);
  out.add(A.p + A.R * (0.5 * (best.on_a + best.on_b)), A.R * axis, distance);
}

/// A convex polygon over a face: x, y in the face, z above it.
struct ClipPolygon {
  static constexpr int most = 12;  // four corners, one more for each of four clips, and room
  double v[most][3];
  int count = 0;
  void add(double x, double y, double z) {
    if (count == most) return;
    v[count][0] = x, v[count][1] = y, v[count][2] = z;
    ++count;
  }
};

/// Keeps what lies at sign * v[c] <= limit. What lies there but for rounding lies there: else sides that coincide would cross somewhere.
void clip(ClipPolygon& polygon, int c, double sign, double limit, double slack) {
  double over[ClipPolygon::most];
  bool all = true;
  for (int k = 0; k < polygon.count; ++k) {
    const double distance = sign * polygon.v[k][c] - limit;
    over[k] = abs(distance) <= slack ? 0 : distance;
    all = all && over[k] <= 0;
  }
  if (all) return;
  const ClipPolygon whole = polygon;
  polygon.count = 0;
  for (int k = 0; k < whole.count; ++k) {
    const int l = k + 1 == whole.count ? 0 : k + 1;
    const double *p = whole.v[k], *q = whole.v[l];
    if (over[k] <= 0) polygon.add(p[0], p[1], p[2]);
    if ((over[k] < 0 && over[l] > 0) || (over[k] > 0 && over[l] < 0)) {
      const double t = over[k] / (over[k] - over[l]);
      polygon.add(p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2]));
    }
  }
}

/// The reference face is face k of one box, in whose frame the other lies at `p` with the axes S[3 r + c].
struct FaceView {
  int k;
  double sign;  ///< of the outward normal along axis k
  const double *half, *other_half, *p;
  double S[9];
};

FaceView view_face(const BoxPair& pair, int code) {
  const bool of_a = code < 3;
  FaceView view{of_a ? code : code - 3, 1, of_a ? pair.a : pair.b, of_a ? pair.b : pair.a, of_a ? pair.p_AB : pair.p_BA, {}};
  view.sign = view.p[view.k] >= 0 ? 1 : -1;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) view.S[3 * r + c] = of_a ? pair.R[3 * r + c] : pair.R[3 * c + r];
  return view;
}

/// The face of the other box that looks most against the reference face, clipped by its sides.
ClipPolygon clipped_face(const FaceView& view, double slack) {
  const int k = view.k, rows[3] = {next(k), after(k), k};
  const double* S = view.S;
  int f = 0;
  for (int c = 1; c < 3; ++c)
    if (abs(S[3 * k + c]) > abs(S[3 * k + f])) f = c;
  const double side = view.sign * S[3 * k + f] > 0 ? -1 : 1;
  double middle[3], along[3], across[3];
  for (int r = 0; r < 3; ++r) {
    const int row = rows[r];
    middle[r] = view.p[row] + side * view.other_half[f] * S[3 * row + f];
    along[r] = view.other_half[next(f)] * S[3 * row + next(f)];
    across[r] = view.other_half[after(f)] * S[3 * row + after(f)];
  }
  middle[2] = view.sign * middle[2] - view.half[k];
  along[2] *= view.sign;
  across[2] *= view.sign;
  constexpr double corners[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  ClipPolygon polygon;
  for (const auto& s : corners)
    polygon.add(middle[0] + s[0] * along[0] + s[1] * across[0], middle[1] + s[0] * along[1] + s[1] * across[1],
                middle[2] + s[0] * along[2] + s[1] * across[2]);
  for (int c = 0; c < 2; ++c) {
    clip(polygon, c, 1, view.half[rows[c]], slack);
    clip(polygon, c, -1, view.half[rows[c]], slack);
  }
  return polygon;
}

/// A corner within the reach that no earlier one repeats.
bool counts(const ClipPolygon& polygon, int corner, double reach, double same_square) {
  const double* p = polygon.v[corner];
  if (p[2] > reach) return false;
  for (int k = 0; k < corner; ++k) {
    const double *q = polygon.v[k], x = q[0] - p[0], y = q[1] - p[1];
    if (q[2] <= reach && x * x + y * y < same_square) return false;
  }
  return true;
}

void collide_faces(const BoxPair& pair, int code, const Posed& A, const Posed& B, ContactWriter& out) {
  const FaceView view = view_face(pair, code);
  const ClipPolygon polygon = clipped_face(view, out.slack());
  const int k = view.k, x = next(k), y = after(k);
  const Posed& own = code < 3 ? A : B;
  const Vec3d normal = (code < 3 ? view.sign : -view.sign) * column(own.R, k);
  const double same = set::same_corner * set::same_corner * (view.half[x] * view.half[x] + view.half[y] * view.half[y]);
  for (int i = 0; i < polygon.count; ++i) {
    if (!counts(polygon, i, out.reach(), same)) continue;
    double p[3];
    p[x] = polygon.v[i][0], p[y] = polygon.v[i][1], p[k] = view.sign * (view.half[k] + 0.5 * polygon.v[i][2]);
    out.add(own.p + own.R * Vec3d{p[0], p[1], p[2]}, normal, polygon.v[i][2]);
  }
}

}  // namespace

void collide_box_box(const Shape& a, const Posed& A, const Shape& b, const Posed& B, ContactWriter& out) noexcept {
  const BoxPair pair = make_pair(a, A, b, B);
  const Separation axis = find_axis(pair, out.reach(), out.slack());
  if (axis.apart || axis.code < 0) return;
  if (axis.code >= 6) {
    collide_edges(pair, (axis.code - 6) / 3, (axis.code - 6) % 3, A, out);
  } else {
    collide_faces(pair, axis.code, A, B, out);
  }
}

}  // namespace trilith::geom
