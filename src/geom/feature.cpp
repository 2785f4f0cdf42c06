// Faces and edges of convex shapes. Equations: (COL-14)
#include "geom/feature.h"

#include "base/math.h"
#include "geom/convex_mesh.h"

namespace trilith::geom {
namespace {

void box_face(const Vec3d& half, const Vec3d& d, Feature& out) {
  const double x = abs(d.x), y = abs(d.y), z = abs(d.z);
  out.count = 4;
  if (x >= y && x >= z) {
    const double s = d.x >= 0 ? 1 : -1, a = s * half.x;
    out.normal = {s, 0, 0};
    out.corner[0] = {a, half.y, half.z}, out.corner[1] = {a, -s * half.y, s * half.z};
    out.corner[2] = {a, -half.y, -half.z}, out.corner[3] = {a, s * half.y, -s * half.z};
  } else if (y >= z) {
    const double s = d.y >= 0 ? 1 : -1, a = s * half.y;
    out.normal = {0, s, 0};
    out.corner[0] = {half.x, a, half.z}, out.corner[1] = {s * half.x, a, -s * half.z};
    out.corner[2] = {-half.x, a, -half.z}, out.corner[3] = {-s * half.x, a, s * half.z};
  } else {
    const double s = d.z >= 0 ? 1 : -1, a = s * half.z;
    out.normal = {0, 0, s};
    out.corner[0] = {half.x, half.y, a}, out.corner[1] = {-s * half.x, s * half.y, a};
    out.corner[2] = {-half.x, -half.y, a}, out.corner[3] = {s * half.x, -s * half.y, a};
  }
}

/// A cap as an octagon in the cylinder's own axes, or the line of its side.
void cylinder_feature(const Vec3d& size, const Vec3d& d, Feature& out) {
  const double aside = sqrt(d.x * d.x + d.y * d.y);
  if (abs(d.z) < aside) {
    const Vec3d n{d.x / aside, d.y / aside, 0};
    out.count = 2;
    out.normal = n;
    out.corner[0] = {size.x * n.x, size.x * n.y, size.y}, out.corner[1] = {size.x * n.x, size.x * n.y, -size.y};
    return;
  }
  constexpr double h = 0.70710678118654752440;
  constexpr double at[8][2] = {{1, 0}, {h, h}, {0, 1}, {-h, h}, {-1, 0}, {-h, -h}, {0, -1}, {h, -h}};
  const double s = d.z >= 0 ? 1 : -1;
  out.count = 8;
  out.normal = {0, 0, s};
  for (int k = 0; k < 8; ++k) out.corner[k] = {size.x * at[k][0], s * size.x * at[k][1], s * size.y};
}

/// Of the faces round the furthest corner the one that looks most along d.
void mesh_face(Core& core, const Vec3d& d, Feature& out) {
  const ConvexMesh& mesh = *core.mesh;
  core.support(d);
  const auto faces = mesh.faces_at(core.last);
  std::uint32_t best = faces[0];
  for (const std::uint32_t f : faces)
    if (dot(mesh.normal(f), d) > dot(mesh.normal(best), d)) best = f;
  const auto corners = mesh.face(best);
  const std::size_t step = (corners.size() + most_corners - 1) / most_corners;
  out.normal = mesh.normal(best);
  for (std::size_t k = 0; k < corners.size(); k += step) out.corner[out.count++] = mesh.vertices()[corners[k]];
}

/// The upper triangle; walls and base have no face that anything could rest on.
void prism_top(std::span<const Vec3d> points, const Vec3d& d, Feature& out) {
  const Vec3d n = unit(cross(points[4] - points[3], points[5] - points[3]));
  if (!(dot(n, d) > 0)) return;
  out.count = 3;
  out.normal = n;
  for (int k = 0; k < 3; ++k) out.corner[k] = points[static_cast<std::size_t>(3 + k)];
}

}  // namespace

void find_feature(Core& core, const Posed& X, const Vec3d& direction, Feature& out) noexcept {
  const Vec3d d = transpose_times(X.R, direction);
  out.count = 0;
  out.normal = {0, 0, 0};
  switch (core.kind) {
    case Core::Kind::box:
      box_face(core.size, d, out);
      break;
    case Core::Kind::cylinder:
      cylinder_feature(core.size, d, out);
      break;
    case Core::Kind::mesh:
      mesh_face(core, d, out);
      break;
    case Core::Kind::prism:
      prism_top(core.points, d, out);
      break;
    case Core::Kind::segment:
      out.count = 2;
      out.corner[0] = {0, 0, core.size.y}, out.corner[1] = {0, 0, -core.size.y};
      break;
    default:
      break;
  }
  for (int k = 0; k < out.count; ++k) out.corner[k] = transform_point(X, out.corner[k]);
  out.normal = X.R * out.normal;
  out.along = dot(out.normal, direction);
  out.flat = out.count > 2;
}

}  // namespace trilith::geom
