// (RBE-3) with running error bounds.
#include "certify/measure.h"

#include "certify/bounds.h"
#include "linalg/fixed.h"

namespace trilith::certify {
namespace {

Vec3d absolute(const Vec3d& a) { return {abs(a.x), abs(a.y), abs(a.z)}; }

/// |a| x |b| with plus signs: bounds every product of a x b.
Vec3d cross_magnitude(const Vec3d& a, const Vec3d& b) { return {a.y * b.z + a.z * b.y, a.z * b.x + a.x * b.z, a.x * b.y + a.y * b.x}; }

/// Signed sums over the tetrahedra of the fan triangles, and the sums of absolute values that bound their errors.
struct Sums {
  double volume6 = 0, volume6_magnitude = 0;
  Vec3d moment{}, moment_magnitude{};
  double triangles = 0;

  void add(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const double det = dot(a, cross(b, c));
    const Vec3d p = absolute(a), q = absolute(b), r = absolute(c);
    const double magnitude = dot(p, cross_magnitude(q, r));
    volume6 += det;
    volume6_magnitude += magnitude;
    moment = moment + det * (a + b + c);
    moment_magnitude = moment_magnitude + magnitude * (p + q + r);
    ++triangles;
  }
};

/// Sizes between these keep every product of the verifier far from overflow and underflow, m.
constexpr double smallest_size = 0x1p-300, largest_size = 0x1p300;
/// Below this mean weight, N, an underflow could matter: nothing is certain.
constexpr double smallest_weight = 0x1p-600;

double longest_side(std::span<const Vec3d> points) {
  Vec3d low = points[0], high = points[0];
  for (const Vec3d& p : points) {
    low = {min(low.x, p.x), min(low.y, p.y), min(low.z, p.z)};
    high = {max(high.x, p.x), max(high.y, p.y), max(high.z, p.z)};
  }
  return max_abs(high - low);
}

}  // namespace

Measure measure(const Body& body) noexcept {
  Measure m;
  m.origin = body.vertices[0];
  m.size = longest_side(body.vertices);
  if (body.fixed) return m;
  Sums sums;
  for (std::size_t f = 0; f + 1 < body.face_start.size(); ++f) {
    const auto face = body.face_vertex.subspan(body.face_start[f], body.face_start[f + 1] - body.face_start[f]);
    for (std::size_t k = 2; k < face.size(); ++k)
      sums.add(body.vertices[face[0]] - m.origin, body.vertices[face[k - 1]] - m.origin, body.vertices[face[k]] - m.origin);
  }
  // a determinant sees 8 roundings, its product with the corner sum 12, a sum one more per triangle
  m.volume6 = sums.volume6;
  m.volume6_error = gamma(sums.triangles + 8) * sums.volume6_magnitude + sums.triangles * underflow_loss;
  const double least = m.volume6 - m.volume6_error;
  m.certain = least > 0 && m.size >= smallest_size && m.size <= largest_size;
  if (!m.certain) return m;
  const double moment_error = gamma(sums.triangles + 12) * max_abs(sums.moment_magnitude) + sums.triangles * underflow_loss;
  m.com = (1 / (4 * m.volume6)) * sums.moment;
  const double reach = max_abs(m.com);
  m.com_error = bound_slack * ((moment_error + 4 * reach * m.volume6_error) / (4 * least) + gamma(4) * reach);
  return m;
}

Mass mass_of(const Body& body, const Measure& measure) noexcept {
  const double value = body.density * measure.volume6 / 6;
  return {value, bound_slack * body.density * measure.volume6_error / 6 + gamma(3) * value};
}

/// Root of the sum of the squares of the loads on free bodies, N.
double size_of_loads(const StaticProblem& problem) noexcept {
  double squares = 0;
  for (const Load& load : problem.loads)
    if (!problem.bodies[load.body].fixed) squares += dot(load.force, load.force);
  return sqrt(squares) * (1 - gamma(static_cast<double>(problem.loads.size()) + 4));
}

Scale measure_scale(const StaticProblem& problem, const std::vector<Measure>& measures) noexcept {
  double mass = 0, size = 0, count = 0;
  for (std::size_t i = 0; i < measures.size(); ++i) {
    if (problem.bodies[i].fixed) continue;
    const Mass m = mass_of(problem.bodies[i], measures[i]);
    mass += m.value - m.error;
    size += measures[i].size;
    ++count;
  }
  if (count == 0) return {};
  const double shrink = 1 - gamma(count + 12);
  const double gravity = norm(problem.gravity), own = gravity * mass;
  const double loads = (own > 0 ? heavy_load_share : 1) * size_of_loads(problem);
  const double weight = shrink * max(own, loads) / count;
  if (!(weight >= smallest_weight && weight <= 1 / smallest_weight)) return {};
  return {weight, shrink * size / count, loads > own};
}

Bounded point_velocity(const Measure& m, const Velocity& v, const Vec3d& p) noexcept {
  const double turning = sum_abs(v.angular);
  if (turning == 0) return {v.linear, 0};
  const Vec3d from_origin = p - m.origin, arm = from_origin - m.com;
  const double arm_error = roundoff * (max_abs(from_origin) + max_abs(arm)) + m.com_error;
  const Vec3d value = v.linear + cross(v.angular, arm);
  const double swing = turning * max_abs(arm);
  return {value, bound_slack * (turning * arm_error + gamma(4) * swing + roundoff * max_abs(v.linear) + underflow_loss)};
}

}  // namespace trilith::certify
