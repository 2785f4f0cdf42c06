// Implements (INE-2): the inertia of a mesh, by the four rules that MJCF knows.
#include "geom/hull.h"
#include "geom/mass_properties.h"
#include "linalg/symmetric_eigen.h"
#include "model/shape_inertia.h"

namespace trilith::model {
namespace {

constexpr double least_extent = 1e-15;  // m^2 or m^3

template <class Visit>
void each_triangle(const geom::Mesh& mesh, Visit&& visit) {
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const auto face = mesh.face(f);
    for (std::size_t i = 2; i < face.size(); ++i) visit(mesh.vertices[face[0]], mesh.vertices[face[i - 1]], mesh.vertices[face[i]]);
  }
}

/// Area of the surface and its middle.
std::pair<double, Vec3d> middle_of_surface(const geom::Mesh& mesh) {
  double area = 0;
  Vec3d sum{0, 0, 0};
  each_triangle(mesh, [&](const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const double part = 0.5 * norm(cross(b - a, c - a));
    area += part;
    sum = sum + (part / 3) * (a + b + c);
  });
  return {area, area > 0 ? (1 / area) * sum : sum};
}

/// Second moments of a triangle's or pyramid's vertices: integral over it = weight / C * this (C = 12 for areas, 20 for pyramids with the
/// fourth corner at the origin).
Mat3d corner_moments(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d s = a + b + c;
  return outer(a, a) + outer(b, b) + outer(c, c) + outer(s, s);
}

/// From second moments to the inertia of the same mass.
Mat3d from_second_moments(const Mat3d& p) { return trace(p) * identity3<double>() - p; }

std::optional<ShapeInertia> finish(double extent, const Vec3d& com, const Mat3d& moments) {
  return ShapeInertia{extent, {1, com, (1 / extent) * from_second_moments(moments)}};
}

std::optional<ShapeInertia> of_shell(const geom::Mesh& mesh, const std::pair<double, Vec3d>& surface) {
  Mat3d moments{};
  each_triangle(mesh, [&](Vec3d a, Vec3d b, Vec3d c) {
    a = a - surface.second, b = b - surface.second, c = c - surface.second;
    moments = moments + (0.5 * norm(cross(b - a, c - a)) / 12) * corner_moments(a, b, c);
  });
  return finish(surface.first, surface.second, moments);
}

/// Pyramids over the faces with the tip at `tip`, signed or not.
std::optional<ShapeInertia> of_pyramids(const geom::Mesh& mesh, const Vec3d& tip, bool is_signed, std::string& why) {
  const auto volume_of = [&](const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const double v = dot(a, cross(b, c)) / 6;
    return is_signed || v > 0 ? v : -v;
  };
  double volume = 0;
  Vec3d first{0, 0, 0};
  each_triangle(mesh, [&](const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const double part = volume_of(a - tip, b - tip, c - tip);
    volume += part;
    first = first + (part / 4) * ((a - tip) + (b - tip) + (c - tip));
  });
  if (volume < least_extent) {
    why = volume < -least_extent ? "its volume is negative: its faces wind inwards" : "its volume is 0: is it a shell (inertia=\"shell\")?";
    return std::nullopt;
  }
  const Vec3d com = tip + (1 / volume) * first;
  // about the centre of mass. Unsigned pyramids make another sum from there, which is the one that counts
  double again = 0;
  Mat3d moments{};
  each_triangle(mesh, [&](const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const double part = volume_of(a - com, b - com, c - com);
    again += part;
    moments = moments + (part / 20) * corner_moments(a - com, b - com, c - com);
  });
  if (again < least_extent) {
    why = "its volume is 0";
    return std::nullopt;
  }
  return finish(again, com, moments);
}

}  // namespace

std::optional<ShapeInertia> mesh_inertia(const MeshAsset& asset, std::string& why) {
  using Rule = MeshAsset::Inertia;
  const auto surface = middle_of_surface(asset.mesh);
  if (surface.first < least_extent) {
    why = "its surface has no area";
    return std::nullopt;
  }
  if (asset.inertia == Rule::shell) return of_shell(asset.mesh, surface);
  if (asset.inertia == Rule::convex) {
    const auto hull = geom::make_hull(asset.mesh.vertices);
    if (!hull) why = "it has no convex hull: its vertices lie in one plane";
    return hull ? of_pyramids(*hull, middle_of_surface(*hull).second, true, why) : std::nullopt;
  }
  return of_pyramids(asset.mesh, surface.second, asset.inertia == Rule::exact, why);
}

}  // namespace trilith::model
