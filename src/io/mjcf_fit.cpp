#include <algorithm>

#include "io/mjcf_reader.h"
#include "linalg/symmetric_eigen.h"
#include "model/shape_inertia.h"

// A shape that names a mesh without being one is fitted to it: in the axes of the mesh's inertia, the longest along z, to the box of the
// same inertia or to the box of its vertices (compiler fitaabb). Source: MuJoCo's documentation of geom/mesh.

namespace trilith::io {
namespace {

using model::GeomKind;

/// The frame P of a mesh's principal axes: the greatest moment about x, the least about z.
struct PrincipalFrame {
  Posed X_MP;
  Vec3d moments{};  ///< of 1 kg, kg m^2, descending
};

std::optional<PrincipalFrame> principal_frame(const model::MeshAsset& asset, std::string& why) {
  const std::optional<model::ShapeInertia> inertia = model::mesh_inertia(asset, why);
  if (!inertia) return std::nullopt;
  const linalg::SymmetricEigen eigen = linalg::symmetric_eigen(inertia->unit.about_com);
  const double* v = eigen.vectors.m;
  // columns from last to first; the middle one turned, so that the axes stay right-handed
  const Mat3d axes{{v[2], -v[1], v[0], v[5], -v[4], v[3], v[8], -v[7], v[6]}};
  return PrincipalFrame{{axes, inertia->unit.com}, {eigen.values.z, eigen.values.y, eigen.values.x}};
}

// half sizes of the box with these moments and 1 kg
Vec3d inertia_box(const Vec3d& moments) {
  const auto half = [](double square) { return 0.5 * sqrt(std::max(6 * square, 0.)); };
  return {half(moments.y + moments.z - moments.x), half(moments.x + moments.z - moments.y), half(moments.x + moments.y - moments.z)};
}

std::array<double, 3> size_from_inertia(GeomKind kind, const Vec3d& box) {
  const double radius = (box.x + box.y) / 2;
  if (kind == GeomKind::sphere) return {(box.x + box.y + box.z) / 3, 0, 0};
  if (kind == GeomKind::capsule) return {radius, std::max(box.z - radius / 2, 0.), 0};
  if (kind == GeomKind::cylinder) return {radius, box.z, 0};
  return {box.x, box.y, box.z};
}

std::array<double, 3> size_from_box(GeomKind kind, const Vec3d& box) {
  const double radius = std::max(box.x, box.y);
  if (kind == GeomKind::sphere) return {std::max(radius, box.z), 0, 0};
  if (kind == GeomKind::capsule) return {radius, box.z - radius, 0};
  if (kind == GeomKind::cylinder) return {radius, box.z, 0};
  return {box.x, box.y, box.z};
}

geom::Aabb box_of(const model::MeshAsset& asset, const Posed& X_MP) {
  geom::Aabb box{};
  for (std::size_t i = 0; i < asset.mesh.vertices.size(); ++i) {
    const Vec3d p = inverse_transform_point(X_MP, asset.mesh.vertices[i]);
    if (i == 0) box = {p, p};
    box.lower = {std::min(box.lower.x, p.x), std::min(box.lower.y, p.y), std::min(box.lower.z, p.z)};
    box.upper = {std::max(box.upper.x, p.x), std::max(box.upper.y, p.y), std::max(box.upper.z, p.z)};
  }
  return box;
}

}  // namespace

std::optional<Posed> fit_to_mesh(MjcfReader& reader, const XmlElement& e, const GeomDraft& draft, std::array<double, 3>& size) {
  const GeomKind kind = draft.geom.kind;
  if (draft.placement.from_to) {
    reader.fields.fail("stands beside a mesh that the shape is fitted to", e, "fromto");
    return std::nullopt;
  }
  if (kind == GeomKind::plane || kind == GeomKind::hfield) {
    reader.fields.fail("is no shape that can be fitted to a mesh", e, "type");
    return std::nullopt;
  }
  const auto& meshes = reader.out.meshes;
  const auto asset = std::find_if(meshes.begin(), meshes.end(), [&](const model::MeshAsset& m) { return m.name == draft.mesh; });
  if (asset == meshes.end()) {
    reader.fields.fail("names the mesh " + in_quotes(draft.mesh) + ", which is not there", e);
    return std::nullopt;
  }
  std::string why;
  const std::optional<PrincipalFrame> frame = principal_frame(*asset, why);
  if (!frame) {
    reader.fields.fail("cannot be fitted to the mesh " + in_quotes(draft.mesh) + ": " + why, e);
    return std::nullopt;
  }
  reader.fields.count("a shape was fitted to its mesh", e);
  Posed X_MG = frame->X_MP;
  if (reader.compiler.fit_box) {
    const geom::Aabb box = box_of(*asset, frame->X_MP);
    X_MG.p = transform_point(frame->X_MP, 0.5 * (box.lower + box.upper));
    size = size_from_box(kind, 0.5 * (box.upper - box.lower));
  } else {
    size = size_from_inertia(kind, inertia_box(frame->moments));
  }
  for (double& s : size) s *= draft.fit_scale;
  return X_MG;
}

}  // namespace trilith::io
