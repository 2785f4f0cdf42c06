#pragma once
#include "model/elements.h"

namespace trilith::model {

/// A shape's extent and the inertia of 1 kg spread evenly over it.
struct ShapeInertia {
  double extent = 0;                ///< m^3; of a shell m^2. 0: the shape cannot carry mass
  Inertiad unit{1, {0, 0, 0}, {}};  ///< mass 1 kg, in the shape's frame G
};

/// Solid or shell of a primitive (not a mesh), by closed forms. Planes have none; a height field counts as the box of its half sizes and
/// heights, as MuJoCo does. The shell of an ellipsoid is the layer between semi-axes a and a + 1 um; its area is Thomsen's approximation.
/// (INE-1)
ShapeInertia shape_inertia(const Geom& geom, const HeightFieldAsset* field);

/// Of a mesh by the rule of its asset; every n-gon is its fan. Legacy sums the pyramids over the faces, seen from the middle of the
/// surface, without their sign; exact with their sign; convex takes the hull; shell the surface. Empty where the rule fails, with the
/// reason in `why` ("its volume is negative: faces wind inwards"). (INE-2)
std::optional<ShapeInertia> mesh_inertia(const MeshAsset& asset, std::string& why);

}  // namespace trilith::model
