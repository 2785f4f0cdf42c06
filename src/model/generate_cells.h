#pragma once
#include <vector>

#include "geom/mesh.h"

/// Convex cells cut from a box, plane by plane. Internal to the generators.
namespace trilith::model {

/// Lengths in spacings of the points. (docs/defaults.md)
struct CellSettings {
  double snap = 1e-10;         ///< corners this near to a cutting plane lie on it
  double least_width = 0.002;  ///< stones with a narrower face are drawn again
  int rounds = 40;             ///< of drawing again; the last one draws the regular bond
  double window = 3;           ///< points further away do not cut a stone
};

/// A convex solid that half spaces cut; its mesh stays closed by construction. Lengths in any unit.
class ConvexCell {
 public:
  explicit ConvexCell(geom::Mesh box) : mesh_(std::move(box)) {}

  /// Keeps the part with dot(normal, p) <= offset. Corners within `snap` (over the length of the normal) of the plane lie on it.
  void cut(const Vec3d& normal, double offset, double snap);

  bool empty() const { return mesh_.face_count() < 4; }
  double radius_from(const Vec3d& centre) const;  ///< largest distance of a corner
  /// Narrowest face: its area over half its longest edge, or its shortest edge where that is less.
  double least_width() const;
  /// The mesh without corners that no face uses.
  geom::Mesh take();

 private:
  geom::Mesh mesh_;
};

/// A point of a power diagram: the cell is where |p - point|^2 - weight is least.
struct Site {
  Vec3d point;
  double weight = 0;
};

/// Cuts the cell of `own` by its border with `other`; both cells of a pair use the same plane bit for bit.
void cut_by_border(ConvexCell& cell, const Site& own, const Site& other, bool own_first, double snap);

}  // namespace trilith::model
