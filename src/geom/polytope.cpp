// Depth of two overlapping convex shapes: a polytope inside of A - B grows where its surface is nearest to the origin. (COL-12)
#include "geom/polytope.h"

#include <limits>

#include "base/math.h"
#include "geom/collide_settings.h"

namespace trilith::geom {
namespace {

namespace set = collide_settings;

constexpr int most_points = set::epa_points;
constexpr int most_faces = 2 * most_points;
constexpr double infinite = std::numeric_limits<double>::infinity();

struct Face {
  int v[3];       // counter-clockwise from outside
  int across[3];  // face on the other side of v[k] -> v[k + 1]
  Vec3d normal;   // unit, outward
  double offset;  // of its plane from the origin; infinite where it is too thin to have a normal
  bool live;
};

/// A closed surface of triangles round a point of A - B.
class Polytope {
 public:
  /// Four points that are not in one plane.
  Polytope(const SupportPoint* corners, double scale) : scale_(scale) {
    for (int k = 0; k < 4; ++k) points_[point_count_++] = corners[k];
    const Vec3d& p = points_[0].p;
    const bool turned = dot(points_[3].p - p, cross(points_[1].p - p, points_[2].p - p)) > 0;
    const int b = turned ? 2 : 1, c = turned ? 1 : 2;  // the fourth point lies below the face 0, b, c
    const int f0 = make_face(0, b, c), f1 = make_face(0, 3, b), f2 = make_face(b, 3, c), f3 = make_face(c, 3, 0);
    set_across(f0, f1, f2, f3);
    set_across(f1, f3, f2, f0);
    set_across(f2, f1, f3, f0);
    set_across(f3, f2, f1, f0);
  }
  int used() const { return used_; }
  bool full() const { return point_count_ == most_points; }
  const SupportPoint& point(int i) const { return points_[i]; }
  const Face& face(int i) const { return faces_[i]; }
  int nearest_face() const {
    int best = -1;
    double least = infinite;
    for (int i = 0; i < used_; ++i)
      if (distance_[i] < least) best = i, least = distance_[i];
    return best;
  }
  /// Replaces the faces that `w` sees, `start` among them. False where rounding leaves no clean rim: no more growth then.
  bool grow(int start, const SupportPoint& w) {
    const int apex = point_count_;
    points_[point_count_++] = w;
    remove_seen(start, w.p);
    if (rim_count_ < 3 || !order_rim()) return false;
    int first = -1, before = -1;
    for (int k = 0; k < rim_count_; ++k) {
      const Edge& e = rim_[k];
      const int made = make_face(e.from, e.to, apex);
      if (made < 0) return false;
      faces_[made].across[0] = e.face;
      Face& outside = faces_[e.face];
      for (int j = 0; j < 3; ++j)
        if (outside.v[j] == e.to) outside.across[j] = made;
      if (before >= 0) join(before, made);
      if (first < 0) first = made;
      before = made;
    }
    join(before, first);
    return true;
  }

 private:
  struct Edge {
    int from, to, face;  // face: the one that stays
  };
  void set_across(int f, int a, int b, int c) { faces_[f].across[0] = a, faces_[f].across[1] = b, faces_[f].across[2] = c; }
  /// Along the edge from the end of the rim edge of `before`, which starts that of `after`, to the apex.
  void join(int before, int after) { faces_[before].across[1] = after, faces_[after].across[2] = before; }

  int make_face(int a, int b, int c) {
    if (free_count_ == 0 && used_ == most_faces) return -1;
    const int i = free_count_ > 0 ? free_[--free_count_] : used_++;
    const Vec3d &p = points_[a].p, n = cross(points_[b].p - p, points_[c].p - p);
    const double area = norm(n);
    const bool thin = !(area > set::epa_thin * scale_ * scale_);
    const Vec3d normal = thin ? Vec3d{0, 0, 0} : (1 / area) * n;
    faces_[i] = {{a, b, c}, {-1, -1, -1}, normal, thin ? infinite : dot(normal, p), true};
    distance_[i] = faces_[i].offset;
    return i;
  }
  /// The face is seen from p, or its plane holds p: then it goes too, or slivers would stay.
  bool seen(const Face& f, const Vec3d& p) const { return f.offset == infinite || dot(f.normal, p) - f.offset > -set::epa_flat * scale_; }
  void remove(int i) {
    faces_[i].live = false;
    distance_[i] = infinite;
    free_[free_count_++] = i;
  }
  void remove_seen(int start, const Vec3d& p) {
    int stack[most_faces], top = 0;
    rim_count_ = 0;
    stack[top++] = start;
    remove(start);
    while (top > 0) {
      const Face& gone = faces_[stack[--top]];
      for (int k = 0; k < 3; ++k) {
        Face& other = faces_[gone.across[k]];
        if (!other.live) continue;
        if (seen(other, p)) {
          remove(gone.across[k]);
          stack[top++] = gone.across[k];
        } else if (rim_count_ < most_faces) {
          rim_[rim_count_++] = {gone.v[k], gone.v[(k + 1) % 3], gone.across[k]};
        }
      }
    }
  }
  /// Puts the edges of the rim one after another; false where they are no single loop.
  bool order_rim() {
    for (int k = 0; k + 1 < rim_count_; ++k) {
      int next = k + 1;
      while (next < rim_count_ && rim_[next].from != rim_[k].to) ++next;
      if (next == rim_count_) return false;
      const Edge found = rim_[next];
      rim_[next] = rim_[k + 1];
      rim_[k + 1] = found;
    }
    return rim_[rim_count_ - 1].to == rim_[0].from;
  }

  SupportPoint points_[most_points];
  Face faces_[most_faces];
  Edge rim_[most_faces];
  double distance_[most_faces];  // of live faces with a normal; else infinite
  int free_[most_faces];         // places of faces that are gone
  int point_count_ = 0, used_ = 0, free_count_ = 0, rim_count_ = 0;
  double scale_;
};

/// The support point furthest from `from` along `d` or against it.
SupportPoint furthest_both_ways(ConvexPair& pair, const Vec3d& d, const Vec3d& from, Gap& gap) {
  const SupportPoint one = pair.support(d), two = pair.support(-d);
  gap.steps += 2;
  return abs(dot(one.p - from, d)) >= abs(dot(two.p - from, d)) ? one : two;
}

Vec3d any_perpendicular(const Vec3d& d) {
  const double x = abs(d.x), y = abs(d.y), z = abs(d.z);
  return cross(d, x <= y && x <= z ? Vec3d{1, 0, 0} : y <= z ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1});
}

/// Fills up a simplex to four points that span space. False where A - B is flat: `flat` is its normal then.
bool span_space(ConvexPair& pair, Simplex& s, double least, Vec3d& flat, Gap& gap) {
  if (s.count == 4) {
    const Vec3d n = cross(s.v[1].p - s.v[0].p, s.v[2].p - s.v[0].p);
    const double area = norm(n);
    if (abs(dot(s.v[3].p - s.v[0].p, n)) > least * area && area > least * least) return true;
    s.count = 3;
  }
  if (s.count == 3 && !(norm(cross(s.v[1].p - s.v[0].p, s.v[2].p - s.v[0].p)) > least * least)) s.count = 2;
  if (s.count == 2 && !(norm(s.v[1].p - s.v[0].p) > least)) s.count = 1;
  if (s.count == 1) {
    for (const Vec3d& d : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
      s.v[1] = furthest_both_ways(pair, d, s.v[0].p, gap);
      flat = d;
      s.count = 2;
      if (norm(s.v[1].p - s.v[0].p) > least) break;
      s.count = 1;
    }
    if (s.count == 1) return false;
  }
  if (s.count == 2) {
    const Vec3d side = unit(s.v[1].p - s.v[0].p), across = unit(any_perpendicular(side));
    flat = across;
    s.v[2] = furthest_both_ways(pair, across, s.v[0].p, gap);
    if (!(abs(dot(s.v[2].p - s.v[0].p, across)) > least)) {
      flat = cross(side, across);
      s.v[2] = furthest_both_ways(pair, flat, s.v[0].p, gap);
      if (!(abs(dot(s.v[2].p - s.v[0].p, flat)) > least)) return false;
    }
    s.count = 3;
  }
  flat = unit(cross(s.v[1].p - s.v[0].p, s.v[2].p - s.v[0].p));
  s.v[3] = furthest_both_ways(pair, flat, s.v[0].p, gap);
  s.count = 4;
  return abs(dot(s.v[3].p - s.v[0].p, flat)) > least;
}

/// Shares of the corners of a face in the point `q` near its plane, and the least of them: negative where q is not over the face.
struct Shares {
  double u, v, w, least;
};

Shares shares_at(const Polytope& polytope, const Face& face, const Vec3d& q) {
  const Vec3d a = polytope.point(face.v[0]).p - q, b = polytope.point(face.v[1]).p - q, c = polytope.point(face.v[2]).p - q;
  const double u = dot(cross(b, c), face.normal), v = dot(cross(c, a), face.normal), w = dot(cross(a, b), face.normal);
  const double sum = u + v + w;
  if (!(sum > 0)) return {0, 0, 0, -infinite};
  return {u / sum, v / sum, w / sum, min(u, min(v, w)) / sum};
}

/// Nearest points of the cores: of the faces in the plane of contact that over which the origin lies.
void set_witness(const Polytope& polytope, double flat, Gap& gap) {
  const Vec3d q = -gap.distance * gap.normal;
  int best = -1;
  Shares shares{0, 0, 0, -infinite};
  for (int i = 0; i < polytope.used(); ++i) {
    const Face& face = polytope.face(i);
    if (!face.live || !(abs(dot(face.normal, q) - face.offset) <= flat)) continue;
    const Shares found = shares_at(polytope, face, q);
    if (found.least > shares.least) best = i, shares = found;
  }
  if (best < 0) return;
  const double u = max(shares.u, 0.0), v = max(shares.v, 0.0), w = max(shares.w, 0.0), sum = u + v + w;
  const Face& face = polytope.face(best);
  const SupportPoint &a = polytope.point(face.v[0]), &b = polytope.point(face.v[1]), &c = polytope.point(face.v[2]);
  gap.on_a = (1 / sum) * (u * a.a + (v * b.a + w * c.a));
  gap.on_b = (1 / sum) * (u * a.b + (v * b.b + w * c.b));
}

/// Grows the polytope until no way out is shorter than the distance of its nearest face, within `tolerance`.
void find_way_out(ConvexPair& pair, Polytope& polytope, double tolerance, Gap& gap) {
  double least = infinite;
  gap.limit = true;
  for (;;) {
    const int nearest = polytope.nearest_face();
    if (nearest < 0) return;
    const Face& face = polytope.face(nearest);
    const SupportPoint w = pair.support(face.normal);
    ++gap.steps;
    const double way = dot(w.p, face.normal);  // moving B by this along the normal parts the cores
    if (way < least) {
      least = way;
      gap.normal = face.normal;
      gap.distance = -way;
    }
    gap.limit = least - face.offset > tolerance;
    if (!gap.limit || polytope.full() || !polytope.grow(nearest, w)) return;
  }
}

/// Not segments: across them the furthest point jumps.
bool is_round(const Core& core) { return core.kind == Core::Kind::ellipsoid || core.kind == Core::Kind::point; }

/// Newton's method on the way out as a function of the direction, where both surfaces bend. (COL-12)
void polish(ConvexPair& pair, double scale, bool round, Gap& gap) {
  for (int step = 0; step < set::polish_steps; ++step) {
    const Vec3d n = gap.normal, t = unit(any_perpendicular(n)), u = cross(n, t);
    const SupportPoint here = pair.support(n);
    const double way = dot(here.p, n), g_t = dot(here.p, t), g_u = dot(here.p, u), h = set::polish_angle;
    if (g_t * g_t + g_u * g_u <= set::gjk_tolerance * set::gjk_tolerance * scale * scale) return;
    const Vec3d d_t = (0.5 / h) * (pair.support(n + h * t).p - pair.support(n - h * t).p);
    const Vec3d d_u = (0.5 / h) * (pair.support(n + h * u).p - pair.support(n - h * u).p);
    gap.steps += 5;
    const double tt = dot(d_t, t) - way, uu = dot(d_u, u) - way, tu = 0.5 * (dot(d_t, u) + dot(d_u, t)), det = tt * uu - tu * tu;
    if (!(tt > 0 && det > 0)) return;
    const Vec3d move = ((tu * g_u - uu * g_t) / det) * t + ((tu * g_t - tt * g_u) / det) * u;
    double share = min(1.0, set::polish_reach / norm(move));
    bool better = false;
    for (int half = 0; half < 5 && !better; ++half, share *= 0.5) {
      const Vec3d next = unit(n + share * move);
      const SupportPoint there = pair.support(next);
      ++gap.steps;
      better = dot(there.p, next) < way;
      if (better) gap.normal = next, gap.distance = -dot(there.p, next);
      if (better && round) gap.on_a = there.a, gap.on_b = there.b;
    }
    if (!better) return;
  }
}

/// The axes of both shapes: surfaces that bend and are symmetric as well leave the polytope without end, and their best way out is often
/// one of these.
void try_axes(ConvexPair& pair, Gap& gap) {
  for (int k = 0; k < 12; ++k) {
    const Mat3d R = k < 6 ? identity3<double>() : pair.X_AB.R;
    const Vec3d n = (k % 2 == 0 ? 1.0 : -1.0) * column(R, k % 6 / 2);
    const SupportPoint w = pair.support(n);
    const double way = dot(w.p, n);
    if (!(way < -gap.distance)) continue;
    gap.normal = n, gap.distance = -way;
    gap.on_b = w.b, gap.on_a = w.b + way * n;
  }
  gap.steps += 12;
}

}  // namespace

void measure_depth(ConvexPair& pair, const Simplex& start, Gap& gap) noexcept {
  const double scale = pair.scale();
  Simplex s = start;
  gap.normal = {0, 0, 1};
  gap.distance = 0;
  s.witness(gap.on_a, gap.on_b);
  if (!span_space(pair, s, set::epa_span * scale, gap.normal, gap)) return;  // without thickness: no way is needed

  Polytope polytope(s.v, scale);
  const bool round = is_round(pair.A) && is_round(pair.B);
  find_way_out(pair, polytope, (round ? set::epa_round : set::epa_tolerance) * scale, gap);
  set_witness(polytope, set::epa_round * scale, gap);
  if (gap.limit) try_axes(pair, gap);
  if (round || gap.limit) polish(pair, scale, round, gap);
}

}  // namespace trilith::geom
