#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "certify/planar_refutation.h"
#include "certify/problem.h"
#include "model/assembly.h"

namespace trilith::statics {

struct PlanarSettings {
  double tolerance = 1e-6;       ///< relative: normals and centres of mass out of the plane, corners that count as one point of it
  double line_tolerance = 1e-8;  ///< relative: interfaces of two blocks that lie on one line of the plane
};

/// A corner of the assembly that carries a share of what a point of the plane carries.
struct PlanarCorner {
  std::uint32_t interface = 0, vertex = 0;
  double share = 0;
};

/// An assembly that is the same in front of and behind a plane through all its centres of mass: a problem of three rows per block. Every
/// interface becomes two contact points, the ends of its section with the plane. (CRA-8)
struct PlanarModel {
  Vec3d axis{}, across{}, up{};  ///< out of the plane, and its axes: across x up = axis
  double length_m = 1, weight_N = 1;
  double deviation = 0;  ///< relative: how far the assembly is from being exactly plane
  std::vector<int> body_of_block, block_of_body;
  std::vector<double> load;  ///< three per body, mean free weights
  std::vector<certify::PlanarContact> contacts;
  std::vector<std::vector<PlanarCorner>> corners;  ///< of every contact: shares that put its force into the plane, sum 1
  std::vector<std::uint32_t> interface_of_joint;

  certify::PlanarProblem problem(double bound, double least_slip) const {
    return {static_cast<int>(block_of_body.size()), static_cast<int>(interface_of_joint.size()), load, contacts, bound, least_slip};
  }
};

/// The plane of the assembly where there is one; else nothing, and in `why` what stands out of it.
std::optional<PlanarModel> find_plane(const model::Assembly& assembly, const PlanarSettings& settings, std::string& why);

}  // namespace trilith::statics
