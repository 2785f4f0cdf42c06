// (RBE-3) in exact arithmetic.
#include "certify/exact_body.h"

#include "linalg/fixed.h"

namespace trilith::certify {

Dyadic exact_size(const Body& body) {
  Vec3d low = body.vertices[0], high = body.vertices[0];
  for (const Vec3d& p : body.vertices) {
    low = {min(low.x, p.x), min(low.y, p.y), min(low.z, p.z)};
    high = {max(high.x, p.x), max(high.y, p.y), max(high.z, p.z)};
  }
  const ExactVec side = exact(high) - exact(low);
  return larger(larger(side.x, side.y), side.z);
}

ExactBody measure_exactly(const Body& body) {
  ExactBody m;
  m.origin = exact(body.vertices[0]);
  m.size = exact_size(body);
  if (body.fixed) return m;
  std::vector<ExactVec> local;
  local.reserve(body.vertices.size());
  for (const Vec3d& p : body.vertices) local.push_back(exact(p) - m.origin);
  for (std::size_t f = 0; f + 1 < body.face_start.size(); ++f) {
    const auto face = body.face_vertex.subspan(body.face_start[f], body.face_start[f + 1] - body.face_start[f]);
    for (std::size_t k = 2; k < face.size(); ++k) {
      const ExactVec &a = local[face[0]], &b = local[face[k - 1]], &c = local[face[k]];
      const Dyadic det = dot(a, cross(b, c));
      if (det.sign() == 0) continue;
      m.volume6 += det;
      m.moment = m.moment + det * (a + b + c);
    }
  }
  m.mass6 = Dyadic(body.density) * m.volume6;
  return m;
}

std::vector<ExactBody> measure_exactly(const StaticProblem& problem) {
  std::vector<ExactBody> bodies;
  bodies.reserve(problem.bodies.size());
  for (const Body& body : problem.bodies) bodies.push_back(measure_exactly(body));
  return bodies;
}

ExactScale measure_scale(const StaticProblem& problem, const std::vector<ExactBody>& bodies) {
  ExactScale scale;
  const ExactVec gravity = exact(problem.gravity);
  scale.gravity2 = dot(gravity, gravity);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (problem.bodies[i].fixed) continue;
    scale.mass6 += bodies[i].mass6;
    scale.size += bodies[i].size;
    ++scale.count;
  }
  scale.weight2 = scale.gravity2 * square(scale.mass6);
  Dyadic loads2;
  for (const Load& load : problem.loads)
    if (!problem.bodies[load.body].fixed) loads2 += Dyadic(36) * dot(exact(load.force), exact(load.force));
  if (scale.weight2.sign() > 0) loads2 *= square(Dyadic(heavy_load_share));
  scale.of_loads = scale.weight2 < loads2;
  if (scale.of_loads) scale.weight2 = loads2;
  return scale;
}

}  // namespace trilith::certify
