// Where the polygons of a certificate lie: exact distances to the faces of both bodies.
#include "certify/bounds.h"
#include "certify/curve.h"
#include "certify/exact_body.h"
#include "certify/findings.h"
#include "linalg/fixed.h"

namespace trilith::certify {
namespace {

struct Box {
  Vec3d low, high;
};

/// One triangle of the fan of a face; double, only to pass over pieces that are far away or turned elsewhere.
struct Piece {
  std::uint32_t face = 0, corner = 0;  ///< corners 0, corner - 1, corner of the face
  Vec3d normal{};                      ///< not of length 1, outward
  Box box{};
};

struct Shell {
  std::vector<Piece> pieces;
  std::vector<bool> is_concave;  ///< per face: some fan triangle may be turned over
  std::vector<double> warp;      ///< per face: spread of its corners along its normal, m
  std::vector<Curve> curves;     ///< per piece
  double size = 0;
};

/// Cosine between a fan triangle and its face above which rounding cannot have turned it over.
constexpr double surely_convex = 1e-6;

void grow(Box& box, const Vec3d& p) {
  box.low = {min(box.low.x, p.x), min(box.low.y, p.y), min(box.low.z, p.z)};
  box.high = {max(box.high.x, p.x), max(box.high.y, p.y), max(box.high.z, p.z)};
}

bool overlap(const Box& a, const Box& b, double margin) {
  return a.low.x <= b.high.x + margin && b.low.x <= a.high.x + margin && a.low.y <= b.high.y + margin && b.low.y <= a.high.y + margin &&
         a.low.z <= b.high.z + margin && b.low.z <= a.high.z + margin;
}

std::span<const std::uint32_t> face_of(const Body& body, std::size_t f) {
  return body.face_vertex.subspan(body.face_start[f], body.face_start[f + 1] - body.face_start[f]);
}

double warp_of(const Body& body, std::span<const std::uint32_t> face, const Vec3d& normal) {
  double low = 0, high = 0;
  for (const std::uint32_t v : face) {
    const double height = dot(body.vertices[v] - body.vertices[face[0]], normal);
    low = min(low, height);
    high = max(high, height);
  }
  return high - low;
}

Shell make_shell(const Body& body, const VerifySettings& settings) {
  Shell shell;
  for (std::uint32_t f = 0; f + 1 < body.face_start.size(); ++f) {
    const auto face = face_of(body, f);
    const std::size_t first = shell.pieces.size();
    Vec3d area{};
    for (std::uint32_t k = 2; k < face.size(); ++k) {
      const Vec3d &a = body.vertices[face[0]], &b = body.vertices[face[k - 1]], &c = body.vertices[face[k]];
      Piece piece{f, k, cross(b - a, c - a), {a, a}};
      grow(piece.box, b);
      grow(piece.box, c);
      area = area + piece.normal;
      shell.pieces.push_back(piece);
    }
    bool concave = false;
    for (std::size_t i = first; i < shell.pieces.size(); ++i) {
      const Vec3d& n = shell.pieces[i].normal;
      concave |= !(dot(n, area) > surely_convex * norm(n) * norm(area));  // where in doubt the exact outline decides
    }
    shell.is_concave.push_back(concave);
    shell.warp.push_back(face.size() > 3 ? warp_of(body, face, unit(area)) : 0);
  }
  Box box{body.vertices[0], body.vertices[0]};
  for (const Vec3d& p : body.vertices) grow(box, p);
  shell.size = max_abs(box.high - box.low);
  shell.curves = measure_curves(body, shell.size, settings);
  return shell;
}

/// Squared distance from p to the segment a b is at most limit2. Roots and fractions multiplied out.
bool near_segment(const ExactVec& p, const ExactVec& a, const ExactVec& b, const Dyadic& limit2) {
  const ExactVec edge = b - a, from_a = p - a;
  const Dyadic along = dot(from_a, edge), length2 = dot(edge, edge);
  if (along.sign() <= 0) return dot(from_a, from_a) <= limit2;
  if (length2 <= along) {
    const ExactVec from_b = p - b;
    return dot(from_b, from_b) <= limit2;
  }
  const ExactVec off = cross(from_a, edge);
  return dot(off, off) <= limit2 * length2;
}

/// Corners, normal, and in the triangle's plane the inward normals of the edges ab, bc, ca.
struct Triangle {
  ExactVec a, b, c, normal, inward_ab, inward_bc, inward_ca;
};

bool near_triangle(const ExactVec& p, const Triangle& t, const Dyadic& limit2) {
  const ExactVec from_a = p - t.a;
  const bool inside = dot(from_a, t.inward_ab).sign() >= 0 && dot(from_a, t.inward_ca).sign() >= 0 && dot(p - t.b, t.inward_bc).sign() >= 0;
  if (inside) return square(dot(from_a, t.normal)) <= limit2 * dot(t.normal, t.normal);
  return near_segment(p, t.a, t.b, limit2) || near_segment(p, t.b, t.c, limit2) || near_segment(p, t.c, t.a, limit2);
}

/// Component `axis` of a: 0, 1 or 2.
const Dyadic& component(const ExactVec& a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }

/// How often the outline winds about p, seen along `axis`; half-open edges, so only points on the outline are in doubt.
int winding(const ExactVec& p, const std::vector<ExactVec>& outline, int axis) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  int turns = 0;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const ExactVec &a = outline[i], &b = outline[(i + 1) % outline.size()];
    const bool a_below = component(a, v) <= component(p, v), b_below = component(b, v) <= component(p, v);
    if (a_below == b_below) continue;
    const Dyadic side = (component(b, u) - component(a, u)) * (component(p, v) - component(a, v)) -
                        (component(p, u) - component(a, u)) * (component(b, v) - component(a, v));
    if (a_below && side.sign() > 0) ++turns;
    if (b_below && side.sign() < 0) --turns;
  }
  return turns;
}

int dominant_axis(const Vec3d& a) {
  if (abs(a.x) >= abs(a.y) && abs(a.x) >= abs(a.z)) return 0;
  return abs(a.y) >= abs(a.z) ? 1 : 2;
}

/// A piece that faces the patch.
struct Candidate {
  Triangle triangle;
  std::uint32_t face = 0;
  bool is_flush = false;  ///< the whole piece lies in the plane of the patch
};

/// What counts as near and as parallel for one patch. A warped face, which two stones may cut along different diagonals, is known to its
/// warp w only: w is added to the distance, and 5 w / size to the squared tangent (1 - cos may grow by 2 w / size). Facets of a curve that
/// both bodies share are known to what the curve stands off them. (GEO-12)
struct Limits {
  double slope2 = 0;
  Dyadic exact_slope2, reach2;
};

/// How far the faces of one body at a patch are from planes.
struct Unevenness {
  double warp = 0;
  Curve curve;
};

struct PatchJudge {
  const StaticProblem& problem;
  const VerifySettings& settings;
  Findings& found;
  std::vector<Shell> shells;

  void judge(std::size_t index) {
    const Patch& patch = problem.patches[index];
    if (patch.polygon.empty()) return;
    const Limits limits = limits_of(patch);
    const ExactVec normal = exact(patch.normal);
    std::vector<ExactVec> polygon;
    for (const Vec3d& p : patch.polygon) polygon.push_back(exact(p));
    test_plane(index, polygon, normal);

    bool on_faces = true, flush = false;
    for (const bool on_b : {false, true}) {
      const std::uint32_t body = on_b ? patch.b : patch.a;
      const std::vector<Candidate> candidates = find_candidates(patch, on_b, limits, normal, polygon[0]);
      bool all_flush = true;
      for (std::size_t k = 0; k < polygon.size(); ++k) {
        bool vertex_flush = false;
        const bool lies = lies_on(polygon[k], body, candidates, limits.reach2, dominant_axis(patch.normal), vertex_flush);
        all_flush &= lies && vertex_flush;
        if (!lies && found.next())
          found.write(text({"vertex does not lie on a face of ", body_place(problem, body), " that faces the other block"}),
                      patch_place(problem, index, int(k)));
        on_faces &= lies;
      }
      flush |= all_flush;
    }
    if (on_faces && !flush && found.next()) found.write("normal is not that of a face of either block", patch_place(problem, index));
  }

  double min_size(const Patch& patch) const { return min(shells[patch.a].size, shells[patch.b].size); }

  static Box box_of(const Patch& patch) {
    Box box{patch.polygon[0], patch.polygon[0]};
    for (const Vec3d& p : patch.polygon) grow(box, p);
    return box;
  }

  /// Largest warp and curve of the faces of the body at the patch.
  Unevenness unevenness_at(const Patch& patch, bool on_b) const {
    const Shell& shell = shells[on_b ? patch.b : patch.a];
    const Box box = box_of(patch);
    Unevenness most;
    for (std::size_t i = 0; i < shell.pieces.size(); ++i) {
      const Piece& piece = shell.pieces[i];
      const double warp = shell.warp[piece.face];
      const Curve& curve = shell.curves[i];
      if (!(warp > most.warp || curve.low < most.curve.low || curve.high > most.curve.high || curve.lean > most.curve.lean)) continue;
      const double along = (on_b ? -1 : 1) * dot(piece.normal, patch.normal);
      const double margin = warp + settings.curve_factor * curve.rise() + settings.contact_tolerance * shell.size;
      if (!(along > 0) || !overlap(box, piece.box, margin)) continue;
      most.warp = max(most.warp, warp);
      most.curve.low = min(most.curve.low, curve.low);
      most.curve.high = max(most.curve.high, curve.high);
      most.curve.lean = max(most.curve.lean, curve.lean);
    }
    return most;
  }

  /// A curve counts where both bodies have one, of opposite sense: two drums that meet on a line do not share it.
  Limits limits_of(const Patch& patch) const {
    const Unevenness a = unevenness_at(patch, false), b = unevenness_at(patch, true);
    const bool curved = a.curve.lean > 0 && b.curve.lean > 0 && may_be_one(a.curve, b.curve);
    const double size = min_size(patch), warp = a.warp + b.warp;
    const double rise = curved ? settings.curve_factor * (a.curve.rise() + b.curve.rise()) : 0;
    const double slope = settings.contact_slope + (curved ? settings.curve_factor * (a.curve.lean + b.curve.lean) : 0);
    Limits limits;
    limits.slope2 = slope * slope + (size > 0 ? 5 * warp / size : 0);
    limits.exact_slope2 = limits.slope2;
    limits.reach2 = square(Dyadic(settings.contact_tolerance) * Dyadic(size) + Dyadic(warp + rise));
    return limits;
  }

  /// Every vertex lies in the plane through the first one, within tolerance.
  void test_plane(std::size_t index, const std::vector<ExactVec>& polygon, const ExactVec& normal) {
    const Dyadic limit = square(Dyadic(settings.contact_tolerance) * min_size(problem.patches[index])) * dot(normal, normal);
    for (std::size_t k = 1; k < polygon.size(); ++k)
      if (!(square(dot(polygon[k] - polygon[0], normal)) <= limit) && found.next())
        found.write("vertex is not in the plane of its polygon", patch_place(problem, index, int(k)));
  }

  /// Pieces of the body whose outward normal runs along side * patch normal within the slope, near the polygon.
  std::vector<Candidate> find_candidates(const Patch& patch, bool on_b, const Limits& limits, const ExactVec& normal,
                                         const ExactVec& start) const {
    const Body& body = problem.bodies[on_b ? patch.b : patch.a];
    const Shell& shell = shells[on_b ? patch.b : patch.a];
    const Box box = box_of(patch);
    const int side = on_b ? -1 : 1;
    // generous, so that rounding never passes over a piece that the exact tests would take
    const double margin = 2 * root_of_ratio(limits.reach2, 1), slack = 2 * sqrt(limits.slope2) + 1e-9;
    const Dyadic flush_limit = square(Dyadic(settings.contact_tolerance) * Dyadic(shell.size)) * dot(normal, normal);
    std::vector<Candidate> candidates;
    for (const Piece& piece : shell.pieces) {
      const double along = side * dot(piece.normal, patch.normal);
      if (!overlap(box, piece.box, margin) || !(norm(cross(piece.normal, patch.normal)) <= slack * along)) continue;
      const auto face = face_of(body, piece.face);
      Candidate c{make_triangle(body, face[0], face[piece.corner - 1], face[piece.corner]), piece.face};
      const Dyadic aligned = Dyadic(side) * dot(c.triangle.normal, normal);
      const ExactVec off = cross(c.triangle.normal, normal);
      if (aligned.sign() <= 0 || !(dot(off, off) <= limits.exact_slope2 * square(aligned))) continue;
      const auto in_plane = [&](const ExactVec& q) { return square(dot(q - start, normal)) <= flush_limit; };
      c.is_flush = in_plane(c.triangle.a) && in_plane(c.triangle.b) && in_plane(c.triangle.c);
      candidates.push_back(std::move(c));
    }
    return candidates;
  }

  static Triangle make_triangle(const Body& body, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    Triangle t{exact(body.vertices[a]), exact(body.vertices[b]), exact(body.vertices[c]), {}, {}, {}, {}};
    const ExactVec ab = t.b - t.a, ca = t.a - t.c;
    t.normal = cross(ca, ab);
    t.inward_ab = cross(t.normal, ab);
    t.inward_bc = cross(t.normal, t.c - t.b);
    t.inward_ca = cross(t.normal, ca);
    return t;
  }

  bool lies_on(const ExactVec& p, std::uint32_t body, const std::vector<Candidate>& candidates, const Dyadic& reach2, int axis,
               bool& is_flush) const {
    bool lies = false;
    for (const Candidate& c : candidates) {
      if (lies && !c.is_flush) continue;
      if (!near_triangle(p, c.triangle, reach2)) continue;
      if (shells[body].is_concave[c.face] && !within_outline(p, problem.bodies[body], c.face, reach2, axis)) continue;
      lies = true;
      is_flush |= c.is_flush;
      if (is_flush) break;
    }
    return lies;
  }

  /// The fan of a concave face covers more than the face: the outline decides.
  static bool within_outline(const ExactVec& p, const Body& body, std::uint32_t face_index, const Dyadic& reach2, int axis) {
    std::vector<ExactVec> outline;
    for (const std::uint32_t v : face_of(body, face_index)) outline.push_back(exact(body.vertices[v]));
    if (winding(p, outline, axis) != 0) return true;
    for (std::size_t i = 0; i < outline.size(); ++i)
      if (near_segment(p, outline[i], outline[(i + 1) % outline.size()], reach2)) return true;
    return false;
  }
};

}  // namespace

std::vector<Broken> find_misplaced_patches(const StaticProblem& problem, const VerifySettings& settings) {
  Findings found(settings.most_broken);
  check_problem(problem, found);
  if (!found.none()) return found.take();
  PatchJudge judge{problem, settings, found, {}};
  for (const Body& body : problem.bodies) judge.shells.push_back(make_shell(body, settings));
  for (std::size_t i = 0; i < problem.patches.size(); ++i) judge.judge(i);
  return found.take();
}

std::vector<Broken> find_misplaced_patches(const StaticProblem& problem, double contact_tolerance, int most_broken) {
  VerifySettings settings;
  settings.contact_tolerance = contact_tolerance;
  settings.most_broken = most_broken;
  return find_misplaced_patches(problem, settings);
}

}  // namespace trilith::certify
