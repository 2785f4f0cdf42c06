// Implements (RBE-3): the divergence theorem over the face fans, about the middle of the box.
#include "geom/mass_properties.h"

#include <algorithm>

namespace trilith::geom {
namespace {

Vec3d middle(const Aabb& box) { return 0.5 * (box.lower + box.upper); }

/// Sums over the tetrahedra (origin, a, b, c): six times the volume, and with it the first and second moments.
struct Moments {
  double volume6 = 0;
  Vec3d first{0, 0, 0};                   // of volume6 * (a + b + c), 24 times the first moment
  double second[6] = {0, 0, 0, 0, 0, 0};  // xx yy zz xy yz zx, 120 times the second moments

  void add(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const double v = dot(a, cross(b, c));
    const Vec3d sum = a + b + c;
    volume6 += v;
    first = first + v * sum;
    const auto moment = [&](double Vec3d::* i, double Vec3d::* j) {
      return v * (a.*i * a.*j + b.*i * b.*j + c.*i * c.*j + sum.*i * sum.*j);
    };
    second[0] += moment(&Vec3d::x, &Vec3d::x);
    second[1] += moment(&Vec3d::y, &Vec3d::y);
    second[2] += moment(&Vec3d::z, &Vec3d::z);
    second[3] += moment(&Vec3d::x, &Vec3d::y);
    second[4] += moment(&Vec3d::y, &Vec3d::z);
    second[5] += moment(&Vec3d::z, &Vec3d::x);
  }
};

Moments sum_moments(const Mesh& mesh, const Vec3d& origin) {
  Moments moments;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const auto face = mesh.face(f);
    for (std::size_t i = 2; i < face.size(); ++i)
      moments.add(mesh.vertices[face[0]] - origin, mesh.vertices[face[i - 1]] - origin, mesh.vertices[face[i]] - origin);
  }
  return moments;
}

Vec3d vertex_mean(const Mesh& mesh, const Vec3d& origin) {
  Vec3d sum{0, 0, 0};
  for (const Vec3d& p : mesh.vertices) sum = sum + (p - origin);
  return mesh.vertices.empty() ? origin : origin + (1.0 / static_cast<double>(mesh.vertices.size())) * sum;
}

}  // namespace

MassProperties measure_mass_properties(const Mesh& mesh) {
  const Vec3d origin = middle(bounding_box(mesh));
  const Moments m = sum_moments(mesh, origin);
  if (m.volume6 == 0) return {0, vertex_mean(mesh, origin), {}};

  MassProperties result;
  result.volume = m.volume6 / 6;
  const Vec3d arm = (1 / (4 * m.volume6)) * m.first;
  result.com = origin + arm;

  // second moments about the centre of mass, then the inertia they make
  const double v = result.volume;
  const double xx = m.second[0] / 120 - v * arm.x * arm.x, yy = m.second[1] / 120 - v * arm.y * arm.y,
               zz = m.second[2] / 120 - v * arm.z * arm.z;
  const double xy = m.second[3] / 120 - v * arm.x * arm.y, yz = m.second[4] / 120 - v * arm.y * arm.z,
               zx = m.second[5] / 120 - v * arm.z * arm.x;
  result.inertia = {{yy + zz, -xy, -zx, -xy, zz + xx, -yz, -zx, -yz, xx + yy}};
  return result;
}

double measure_volume(const Mesh& mesh) { return sum_moments(mesh, middle(bounding_box(mesh))).volume6 / 6; }

Aabb bounding_box(const Mesh& mesh) {
  if (mesh.face_vertex.empty()) return {};
  Aabb box{mesh.vertices[mesh.face_vertex[0]], mesh.vertices[mesh.face_vertex[0]]};
  for (const std::uint32_t i : mesh.face_vertex) {
    const Vec3d& p = mesh.vertices[i];
    box.lower = {std::min(box.lower.x, p.x), std::min(box.lower.y, p.y), std::min(box.lower.z, p.z)};
    box.upper = {std::max(box.upper.x, p.x), std::max(box.upper.y, p.y), std::max(box.upper.z, p.z)};
  }
  return box;
}

double longest_side(const Aabb& box) {
  const Vec3d side = box.upper - box.lower;
  return std::max({side.x, side.y, side.z});
}

}  // namespace trilith::geom
