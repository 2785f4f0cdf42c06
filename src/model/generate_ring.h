#pragma once
#include <vector>

#include "geom/mesh.h"

/// Circular rings in the x-z plane, for arches and vaults. Internal to the generators.
namespace trilith::model {

struct RingJoint {
  Vec3d inner, outer;  ///< on the intrados and on the extrados; y = 0
};

/// The count + 1 radial joints of a semicircle about the origin from -x over the top to +x; both ends lie exactly at z = 0.
std::vector<RingJoint> semicircle(int count, double inner, double outer);

/// The count + 1 radial joints of an arc that opens by `opening`, symmetric about the vertical, from the left springing to the right one.
std::vector<RingJoint> arc(int count, double inner, double outer, double opening);

/// The stone between two joints, from y = `front` to y = `back`.
geom::Mesh voussoir(const RingJoint& from, const RingJoint& to, double front, double back);

}  // namespace trilith::model
