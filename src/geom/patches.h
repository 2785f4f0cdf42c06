#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "geom/box_tree.h"
#include "geom/contact_settings.h"
#include "geom/inside.h"
#include "geom/mesh.h"
#include "geom/planes.h"

namespace trilith::geom {

/// A block as the contact search sees it: a view of its mesh and the planar regions made from it.
struct ContactSolid {
  const Mesh* mesh = nullptr;  ///< closed, outward; not owned
  Aabb box{};                  ///< m
  double size = 0;             ///< longest side, m
  PlanarRegions surface;
  Surface inside;                       ///< of the mesh
  double reach = 0;                     ///< m: largest deviation and rise of its regions
  std::shared_ptr<const BoxTree> tree;  ///< over the boxes of the regions; null where they are few
};

ContactSolid make_contact_solid(const Mesh& mesh, const ContactSettings& settings);

/// A convex polygon in which two solids touch. It lies in the plane of a's face, counter-clockwise about `normal`.
struct ContactPatch {
  std::vector<Vec3d> polygon;  ///< m, world, at least 3 corners, none collinear
  Vec3d normal{}, t1{};        ///< unit; normal from a into b (outward from a), t1 along the first edge of a's face
  double area = 0;             ///< m^2
  double gap = 0;              ///< largest distance between the two faces on the polygon, m
  double warp = 0;             ///< deviation of the two faces from their planes, m
  bool curved = false;         ///< taken because the two facets stand for the same curved surface (GEO-12)
};

/// Something that looks like a contact and was not taken as one.
struct DoubtfulContact {
  enum class Kind : std::uint8_t {
    edge_or_point,  ///< the blocks touch in an edge or a point only
    small,          ///< area or width below the threshold
    gap,            ///< parallel faces, further apart than the tolerance
    overlap,        ///< the blocks intersect
  };
  Kind kind = Kind::gap;
  double area = 0;               ///< m^2, 0 for an edge or a point
  double gap = 0;                ///< m, negative where they intersect
  Vec3d at{};                    ///< a place in it, m, world
  std::vector<Vec3d> polygon{};  ///< as in ContactPatch, in a's plane; empty where there is none
  Vec3d normal{}, t1{};          ///< likewise
  bool told = false;             ///< belongs to a curve: told with its joint or not worth a word, but it might carry (GEO-12)
};

/// The patches of one pair that stand for a curved surface: taken together or not at all. (GEO-12)
struct CurvedJoint {
  std::size_t facets = 0;  ///< patches of it
  double area = 0;         ///< m^2
  double left_out = 0;     ///< m^2 of it whose facets are further apart and were left out
  double gap = 0;          ///< largest distance between the two meshes on it, m
  Vec3d at{};              ///< where that is, m, world
};

struct PatchSearch {
  std::vector<ContactPatch> patches;
  std::vector<DoubtfulContact> doubts;
  CurvedJoint curved;  ///< without facets where there is none
};

/// Every planar contact between `a` and `b`, in the order of a's regions, then b's; what looks like one and is not goes to `doubts`.
/// (GEO-5, GEO-6, GEO-7)
PatchSearch find_patches(const ContactSolid& a, const ContactSolid& b, const ContactSettings& settings);

}  // namespace trilith::geom
