#include "geom/covering_spheres.h"

#include <algorithm>
#include <array>
#include <utility>

#include "geom/inside.h"
#include "geom/mass_properties.h"
#include "linalg/fixed.h"

namespace trilith::geom {
namespace {

using Cell = std::array<Vec3d, 3>;

double longest_edge(const Cell& cell) { return std::max({norm(cell[1] - cell[0]), norm(cell[2] - cell[1]), norm(cell[0] - cell[2])}); }
Vec3d middle_of(const Cell& cell) { return (1.0 / 3) * (cell[0] + cell[1] + cell[2]); }

double surface_area(const Mesh& mesh) {
  double sum = 0;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const auto face = mesh.face(f);
    for (std::size_t i = 2; i < face.size(); ++i)
      sum += norm(cross(mesh.vertices[face[i - 1]] - mesh.vertices[face[0]], mesh.vertices[face[i]] - mesh.vertices[face[0]])) / 2;
  }
  return sum;
}

/// Halves the longest edge until no edge is longer than `edge`.
void append_cells(const Cell& whole, double edge, std::vector<Cell>& out) {
  std::vector<Cell> open{whole};
  while (!open.empty()) {
    const Cell cell = open.back();
    open.pop_back();
    if (longest_edge(cell) <= edge) {
      out.push_back(cell);
      continue;
    }
    std::size_t a = 0;
    for (std::size_t i = 1; i < 3; ++i)
      if (norm(cell[(i + 1) % 3] - cell[i]) > norm(cell[(a + 1) % 3] - cell[a])) a = i;
    const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
    const Vec3d half = 0.5 * (cell[a] + cell[b]);
    open.push_back({half, cell[b], cell[c]});
    open.push_back({cell[a], half, cell[c]});
  }
}

/// The surface in pieces with edges no longer than the settings ask, or than keeps their number in bounds.
std::vector<Cell> cut_surface(const Mesh& mesh, double size, const CoverSettings& settings) {
  // a halved triangle has edges of about .7 of the bound, so about .17 edge^2 of area
  const double fewest = sqrt(surface_area(mesh) / (0.17 * settings.most_cells));
  const double edge = std::max(std::min(settings.cell * size, settings.excess), fewest);
  std::vector<Cell> cells;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const auto face = mesh.face(f);
    for (std::size_t i = 2; i < face.size(); ++i)
      append_cells({mesh.vertices[face[0]], mesh.vertices[face[i - 1]], mesh.vertices[face[i]]}, edge, cells);
  }
  return cells;
}

/// A place where a sphere may stand.
struct Candidate {
  Vec3d center;
  double depth;  // m below the surface; negative outside
};

/// Covers the cells of one mesh.
class Cover {
 public:
  Cover(const Mesh& mesh, const CoverSettings& settings)
      : settings_(settings),
        box_(bounding_box(mesh)),
        size_(longest_side(box_)),
        surface_(mesh),
        cells_(cut_surface(mesh, size_, settings)) {
    for (const Cell& cell : cells_) middles_.push_back(middle_of(cell));
    add_grid();
    add_below_surface();
    measure_distances();
  }

  SphereCover run() {
    if (cells_.empty()) return {};
    std::vector<Sphere> best = choose(settings_.excess);
    if (static_cast<int>(best.size()) > settings_.most) best = choose_few();
    SphereCover cover;
    cover.spheres = std::move(best);
    for (const Sphere& s : cover.spheres) cover.excess = std::max(cover.excess, s.radius - depth(s.center));
    cover.reached = cover.excess <= settings_.excess;
    return cover;
  }

 private:
  double depth(const Vec3d& p) const {
    const double distance = surface_.distance(p);
    return surface_.winding_number(p) > 0 ? distance : -distance;
  }
  void measure_distances() {
    farthest_.reserve(candidates_.size() * cells_.size());
    for (const Candidate& candidate : candidates_)
      for (const Cell& cell : cells_) {
        double square = 0;
        for (const Vec3d& p : cell) square = std::max(square, dot(p - candidate.center, p - candidate.center));
        farthest_.push_back(sqrt(square));
      }
  }
  void add(const Vec3d& p) { candidates_.push_back({p, depth(p)}); }

  void add_grid() {
    const Vec3d side = box_.upper - box_.lower;
    const double volume = std::max(side.x, size_ / 100) * std::max(side.y, size_ / 100) * std::max(side.z, size_ / 100);
    const double step = cbrt_above(2 * volume / settings_.candidates);
    const auto count = [&](double length) { return std::max(1, static_cast<int>(length / step)) | 1; };  // odd: the middle is tried
    const int nx = count(side.x), ny = count(side.y), nz = count(side.z);
    for (int i = 0; i < nx; ++i)
      for (int j = 0; j < ny; ++j)
        for (int k = 0; k < nz; ++k)
          add_inside(box_.lower + Vec3d{side.x * (i + 0.5) / nx, side.y * (j + 0.5) / ny, side.z * (k + 0.5) / nz});
  }
  void add_inside(const Vec3d& p) {
    if (surface_.winding_number(p) > 0) add(p);
  }
  /// Below the middles of pieces, by halved depths, and on them.
  void add_below_surface() {
    const std::size_t stride = 1 + 4 * cells_.size() / static_cast<std::size_t>(settings_.candidates);
    for (std::size_t i = 0; i < cells_.size(); i += stride) {
      const Vec3d inwards = -unit(cross(cells_[i][1] - cells_[i][0], cells_[i][2] - cells_[i][0]));
      add(middles_[i]);
      for (double d = size_ / 8; d > size_ / 100; d /= 2) add_inside(middles_[i] + d * inwards);
    }
  }
  /// The cube root, to a few digits: it only spaces a grid.
  static double cbrt_above(double a) {
    double r = 1;
    for (int i = 0; i < 100; ++i) r = (2 * r + a / (r * r)) / 3;
    return r;
  }

  /// The fewest spheres of this excess that greed finds; a piece that none holds gets one of its own. (SPHERE-2)
  std::vector<Sphere> choose(double excess) const {
    const std::vector<std::vector<std::uint32_t>> held = cells_held(excess);
    std::vector<bool> done(cells_.size(), false);
    std::vector<std::size_t> gain(held.size());
    for (std::size_t c = 0; c < held.size(); ++c) gain[c] = held[c].size();
    std::vector<Sphere> chosen;
    while (static_cast<int>(chosen.size()) <= settings_.most) {
      const std::size_t best = most_gain(held, done, gain);
      if (best == held.size()) break;
      std::vector<std::uint32_t> fresh;
      for (const std::uint32_t i : held[best])
        if (!done[i]) fresh.push_back(i), done[i] = true;
      chosen.push_back(tighten(candidates_[best].center, fresh));
    }
    for (std::size_t i = 0; i < cells_.size() && static_cast<int>(chosen.size()) <= settings_.most; ++i)
      if (!done[i]) chosen.push_back(tighten(middles_[i], {static_cast<std::uint32_t>(i)}));
    return chosen;
  }
  std::vector<std::vector<std::uint32_t>> cells_held(double excess) const {
    std::vector<std::vector<std::uint32_t>> held(candidates_.size());
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      const double radius = candidates_[c].depth + excess;
      for (std::size_t i = 0; i < cells_.size(); ++i)
        if (farthest_[c * cells_.size() + i] <= radius) held[c].push_back(static_cast<std::uint32_t>(i));
    }
    return held;
  }
  /// Gains only fall: a candidate whose old gain does not beat the best one found is not counted again.
  static std::size_t most_gain(const std::vector<std::vector<std::uint32_t>>& held, const std::vector<bool>& done,
                               std::vector<std::size_t>& gain) {
    std::size_t best = held.size(), most = 0;
    for (std::size_t c = 0; c < held.size(); ++c) {
      if (gain[c] <= most) continue;
      gain[c] = static_cast<std::size_t>(std::count_if(held[c].begin(), held[c].end(), [&](std::uint32_t i) { return !done[i]; }));
      if (gain[c] > most) most = gain[c], best = c;
    }
    return best;
  }

  Sphere around(const Vec3d& center, const std::vector<std::uint32_t>& members) const {
    double farthest = 0;
    for (const std::uint32_t i : members)
      for (const Vec3d& p : cells_[i]) farthest = std::max(farthest, norm(p - center));
    return {center, farthest + settings_.inflation * size_};
  }
  /// Moves the centre along the axes, by halved steps, while the sphere sticks out less.
  Sphere tighten(const Vec3d& start, const std::vector<std::uint32_t>& members) const {
    constexpr std::array<Vec3d, 6> ways = {{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}};
    Sphere best = around(start, members);
    double excess = best.radius - depth(start), step = best.radius / 4;
    for (int k = 0; k < settings_.search_steps; ++k) {
      bool better = false;
      for (const Vec3d& way : ways) {
        const Sphere moved = around(best.center + step * way, members);
        const double stick_out = moved.radius - depth(moved.center);
        if (stick_out < excess) best = moved, excess = stick_out, better = true;
      }
      if (!better) step /= 2;
    }
    return best;
  }

  /// As many spheres as may be: the least excess by bisection.
  std::vector<Sphere> choose_few() const {
    double low = settings_.excess, high = size_;
    std::vector<Sphere> best = choose(high);
    for (int i = 0; i < settings_.bisections; ++i) {
      const double middle = sqrt(low * high);
      std::vector<Sphere> found = choose(middle);
      if (static_cast<int>(found.size()) > settings_.most) {
        low = middle;
      } else {
        high = middle;
        best = std::move(found);
      }
    }
    return best;
  }

  CoverSettings settings_;
  Aabb box_;
  double size_;
  Surface surface_;
  std::vector<Cell> cells_;
  std::vector<Vec3d> middles_;
  std::vector<Candidate> candidates_;
  std::vector<double> farthest_;  // of a piece from a candidate, row-major, m
};

}  // namespace

SphereCover cover_capsule(double radius, double half_length, const CoverSettings& settings) {
  const double outer = radius + settings.excess;
  const double widest = std::min(settings.spacing * radius, 2 * sqrt(std::max(0.0, outer * outer - radius * radius)));
  const double wanted = half_length <= 0 ? 0 : 2 * half_length / std::max(widest, 2 * half_length / settings.most);
  int gaps = static_cast<int>(wanted);
  if (gaps < wanted) ++gaps;
  gaps = std::min(gaps, settings.most - 1);
  const double spacing = gaps > 0 ? 2 * half_length / gaps : 0;
  const double grown = sqrt(radius * radius + spacing * spacing / 4);
  SphereCover cover;
  for (int i = 0; i <= gaps; ++i) cover.spheres.push_back({{0, 0, -half_length + spacing * i}, grown});
  cover.excess = grown - radius;
  cover.reached = cover.excess <= settings.excess;
  return cover;
}

SphereCover cover_mesh(const Mesh& mesh, const CoverSettings& settings) { return Cover(mesh, settings).run(); }

double sphere_excess(const Mesh& mesh, const Sphere& sphere) {
  const double distance = distance_to_surface(mesh, sphere.center);
  return sphere.radius - (winding_number(mesh, sphere.center) > 0 ? distance : -distance);
}

}  // namespace trilith::geom
