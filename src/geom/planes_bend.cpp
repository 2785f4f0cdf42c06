// Implements (GEO-12): how far a smooth surface may stand off the facets that were made of it.
#include "geom/planes_bend.h"

#include <algorithm>

#include "base/math.h"

namespace trilith::geom {
namespace {

constexpr std::size_t most_corners = 64;  // a facet of a curve has few corners; beyond, the region is taken as flat

/// A corner of a convex piece: its region and the angle there.
struct Corner {
  std::uint32_t region;
  double angle;  // rad
};

class BendMeter {
 public:
  BendMeter(const Mesh& mesh, double size, const ContactSettings& settings, PlanarRegions& surface)
      : mesh_(mesh),
        surface_(surface),
        least_cosine_(cos(settings.curve_angle)),
        most_rise_(settings.curve_rise * size),
        start_(mesh.vertices.size() + 1, 0) {}

  void run() {
    list_corners();
    for (std::uint32_t g = 0; g < surface_.regions.size(); ++g) surface_.regions[g].bend = bend_of(g);
  }

 private:
  /// The corners at each vertex, in the order of the regions.
  void list_corners() {
    for (const std::uint32_t v : surface_.vertex) ++start_[v + 1];
    for (std::size_t v = 1; v < start_.size(); ++v) start_[v] += start_[v - 1];
    corners_.resize(surface_.vertex.size());
    std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
    for (std::uint32_t g = 0; g < surface_.regions.size(); ++g) {
      const PlanarRegion& region = surface_.regions[g];
      for (std::uint32_t i = region.first_piece; i < region.first_piece + region.piece_count; ++i) {
        const auto piece = surface_.piece(i);
        const auto vertices = surface_.piece_vertices(i);
        for (std::size_t k = 0; k < piece.size(); ++k) corners_[next[vertices[k]]++] = {g, angle_at(piece, k)};
      }
    }
  }

  static double angle_at(std::span<const Vec2> piece, std::size_t k) {
    const std::size_t n = piece.size();
    const Vec2 &before = piece[(k + n - 1) % n], &here = piece[k], &after = piece[(k + 1) % n];
    const Vec2 u{after.x - here.x, after.y - here.y}, v{before.x - here.x, before.y - here.y};
    return abs(atan2(u.x * v.y - u.y * v.x, u.x * v.x + u.y * v.y));
  }

  Bend bend_of(std::uint32_t g) {
    const PlanarRegion& region = surface_.regions[g];
    slopes_.clear();
    places_.clear();
    Bend bend;
    const std::uint32_t first = surface_.piece_start[region.first_piece],
                        end = surface_.piece_start[region.first_piece + region.piece_count];
    if (end - first > most_corners) return {};
    for (std::uint32_t k = first; k < end; ++k) {
      slopes_.push_back(slope_at(g, surface_.vertex[k]));
      places_.push_back(mesh_.vertices[surface_.vertex[k]]);
      bend.lean = std::max(bend.lean, norm(slopes_.back()));
    }
    if (!(bend.lean > 0)) return {};

    // along a chord d with slope s at one end a parabola stands s . d / 4 over it
    for (const Vec3d& from : places_)
      for (std::size_t j = 0; j < places_.size(); ++j) {
        const double rise = 0.25 * dot(slopes_[j], places_[j] - from);
        bend.low = std::min(bend.low, rise);
        bend.high = std::max(bend.high, rise);
      }
    if (bend.high - bend.low > most_rise_) return {};
    return bend;
  }

  /// Mean normal of the smooth surface at a vertex, by the angles of its facets there, as what it leans off the region's normal (a
  /// tangent).
  Vec3d slope_at(std::uint32_t g, std::uint32_t vertex) const {
    const Vec3d& normal = surface_.regions[g].frame.normal;
    Vec3d sum{0, 0, 0};
    double total = 0;
    for (std::uint32_t k = start_[vertex]; k < start_[vertex + 1]; ++k) {
      const Vec3d& other = surface_.regions[corners_[k].region].frame.normal;
      if (!(dot(other, normal) > least_cosine_)) continue;
      sum = sum + corners_[k].angle * (other - normal);
      total += corners_[k].angle;
    }
    const Vec3d mean = total > 0 ? (1 / total) * sum : sum;
    const double along = dot(mean, normal);
    return (1 / (1 + along)) * (mean - along * normal);
  }

  const Mesh& mesh_;
  PlanarRegions& surface_;
  const double least_cosine_, most_rise_;
  std::vector<std::uint32_t> start_;  // corners_[start_[v] .. start_[v + 1]) meet at vertex v
  std::vector<Corner> corners_;
  std::vector<Vec3d> slopes_, places_;
};

}  // namespace

void measure_bends(const Mesh& mesh, double size, const ContactSettings& settings, PlanarRegions& surface) {
  BendMeter(mesh, size, settings, surface).run();
}

}  // namespace trilith::geom
