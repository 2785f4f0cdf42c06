// Numbers that a force state is shown by. They decide nothing.
#include <algorithm>

#include "linalg/fixed.h"
#include "statics/check.h"
#include "statics/utilization.h"

namespace trilith::statics {

std::vector<Vec3d> support_reactions(const model::Assembly& assembly, const CheckResult& result) {
  std::vector<Vec3d> sums(assembly.blocks.size(), Vec3d{0, 0, 0});
  std::size_t vertex = 0;
  for (const model::Interface& face : assembly.interfaces)
    for (std::size_t k = 0; k < face.polygon.size() && vertex < result.forces_W.size(); ++k, ++vertex) {
      const Vec3d& force = result.forces_W[vertex];
      if (assembly.blocks[face.b].fixed) sums[face.b] = sums[face.b] + force;
      if (assembly.blocks[face.a].fixed) sums[face.a] = sums[face.a] - force;
    }
  return sums;
}

std::vector<double> utilization(const model::Assembly& assembly, const CheckResult& result) {
  double largest = 0;
  const auto pressed = [&assembly](std::size_t i, std::size_t k, const Vec3d& f) {
    const std::vector<double>& tension = assembly.interfaces[i].tension;
    return tension.empty() ? f.x : f.x + tension[k];
  };
  for (std::size_t i = 0; i < result.forces.size(); ++i)
    for (std::size_t k = 0; k < result.forces[i].size(); ++k) largest = std::max(largest, pressed(i, k, result.forces[i][k]));
  const double floor = least_counted_force(largest);
  std::vector<double> ratios(result.forces.size(), 0.0);
  for (std::size_t i = 0; i < result.forces.size(); ++i)
    for (std::size_t k = 0; k < result.forces[i].size(); ++k) {
      const Vec3d& f = result.forces[i][k];
      const double n = pressed(i, k, f);
      if (n >= floor && assembly.interfaces[i].mu > 0)
        ratios[i] = std::max(ratios[i], sqrt(f.y * f.y + f.z * f.z) / (assembly.interfaces[i].mu * n));
    }
  return ratios;
}

}  // namespace trilith::statics
