#pragma once
#include <string>
#include <vector>

#include "geom/covering_spheres.h"
#include "model/model.h"

namespace trilith::model {

/// Spheres around the shapes of one body that can touch something.
struct BodyCover {
  std::int32_t body = 0;
  std::vector<geom::Sphere> spheres;  ///< centres in the body's frame, m
  double excess = 0;                  ///< m: no point of a sphere is further from the body's shapes
  bool reached = false;               ///< `excess` is at most what was asked
};

/// Covers the shapes of every body that has some, in the order of bodies; `settings.most` is the number for each shape. Spheres stay as
/// they are, capsules become rows, boxes and meshes are covered by (SPHERE-2), cylinders and ellipsoids as meshes around them, whose excess
/// counts. Planes and height fields have no cover: each is told in `warnings`. Shapes that are only seen or touch nothing are left out.
std::vector<BodyCover> cover_bodies(const Model& model, const geom::CoverSettings& settings, std::vector<Warning>& warnings);

}  // namespace trilith::model
