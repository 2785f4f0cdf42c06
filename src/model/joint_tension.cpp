#include "model/joint_tension.h"

#include <algorithm>

#include "geom/polygon.h"

namespace trilith::model {

std::vector<double> share_tension(std::span<const Vec3d> polygon, double total_N, bool& even) {
  const std::size_t count = polygon.size();
  const Vec3d middle = geom::polygon_centroid(polygon), area = geom::area_vector(polygon);
  const double area2 = dot(area, area);
  std::vector<double> share(count, 0.0);
  for (std::size_t i = 0; i < count && area2 > 0; ++i) {
    const std::size_t next = (i + 1) % count;
    const double part = dot(cross(polygon[i] - middle, polygon[next] - middle), area) / (4 * area2);
    share[i] += part;
    share[next] += part;
  }
  even = !(area2 > 0) || std::ranges::any_of(share, [](double s) { return s < 0; });
  for (double& s : share) s = total_N * (even ? 1 / static_cast<double>(count) : s);
  return share;
}

}  // namespace trilith::model
