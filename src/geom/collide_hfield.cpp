// Contacts of terrain with convex shapes, triangle by triangle. Equations: (COL-16)
#include "geom/collide_hfield.h"

#include <utility>

#include "geom/collide.h"
#include "geom/collide_convex.h"
#include "geom/collide_settings.h"
#include "geom/height_grid.h"

namespace trilith::geom {
namespace {

namespace set = collide_settings;

/// Box of a shape in the grid's frame, grown by the reach.
struct Extent {
  Vec3d lower, upper;
};

Extent find_extent(ConvexPair& pair, double reach) {
  const double grow = pair.B.radius + reach;
  const auto along = [&](const Vec3d& d) { return dot(pair.support(-d).b, d); };
  return {{-along({-1, 0, 0}) - grow, -along({0, -1, 0}) - grow, -along({0, 0, -1}) - grow},
          {along({1, 0, 0}) + grow, along({0, 1, 0}) + grow, along({0, 0, 1}) + grow}};
}

/// Cells [first, last) along one side that an interval meets.
struct Cells {
  int first, last;
};
Cells cells_of(double lower, double upper, double half, int points) {
  const double size = 2 * half / (points - 1), most = points - 2;
  const double first = (lower + half) / size, last = (upper + half) / size;
  const auto hold = [most](double x) { return x > 0 ? min(x, most) : 0.0; };
  const int from = static_cast<int>(hold(first)), to = static_cast<int>(hold(last));
  return {from, to + 1};
}

/// One half of a cell: the corners (row, column) of its triangle, counter-clockwise from above, and the solid below it.
struct Prism {
  int row[3], column[3];
  Vec3d points[6], top;  ///< as `Core::points`; unit normal of the triangle
};

Prism make_half(const HeightGrid& grid, int r, int c, int half) {
  const double least = set::least_base * (grid.half_x() + grid.half_y()), bottom = -max(grid.base(), least);
  Prism prism{{r, half == 0 ? r + 1 : r, r + 1}, {c, c + 1, half == 0 ? c : c + 1}, {}, {}};
  Vec3d* p = prism.points;
  for (int k = 0; k < 3; ++k) {
    p[3 + k] = grid.point(prism.row[k], prism.column[k]);
    p[k] = {p[3 + k].x, p[3 + k].y, min(bottom, p[3 + k].z - least)};
  }
  prism.top = unit(cross(p[4] - p[3], p[5] - p[3]));
  return prism;
}

/// A way out of a cell at the rim of the terrain, through its outer wall.
bool leaves_terrain(const HeightGrid& grid, const Prism& prism, const Vec3d& n) {
  const auto [rows, columns] = std::pair(grid.rows() - 1, grid.columns() - 1);
  bool low_y = false, high_y = false, low_x = false, high_x = false;
  for (int k = 0; k < 3; ++k) {
    low_y = low_y || prism.row[k] == 0, high_y = high_y || prism.row[k] == rows;
    low_x = low_x || prism.column[k] == 0, high_x = high_x || prism.column[k] == columns;
  }
  return (low_y && n.y < -set::steepest_exit) || (high_y && n.y > set::steepest_exit) || (low_x && n.x < -set::steepest_exit) ||
         (high_x && n.x > set::steepest_exit);
}

/// No point of the terrain beside `p`, a point of the triangle, lies further along `n`: else it is the neighbour that is touched.
bool is_outermost(const HeightGrid& grid, const Prism& prism, const Vec3d& p, const Vec3d& n) {
  const Vec3d* t = prism.points + 3;
  const double area = dot(cross(t[1] - t[0], t[2] - t[0]), prism.top), slack = set::same_contact * grid.radius();
  int with[3], without = 0, count = 0;  // corners that p is a combination of
  for (int k = 0; k < 3; ++k) {
    const double share = dot(cross(t[(k + 1) % 3] - p, t[(k + 2) % 3] - p), prism.top) / area;
    if (share > set::on_side) with[count++] = k;
    if (share <= set::on_side) without = k;
  }
  const auto further = [&](int r, int c) {
    const bool there = r >= 0 && c >= 0 && r < grid.rows() && c < grid.columns();
    return there && dot(grid.point(r, c) - p, n) > slack;
  };
  const int *row = prism.row, *column = prism.column;
  if (count == 3 || count == 0) return true;
  if (count == 2)  // across the side lies the mirror image of the third corner
    return !further(row[with[0]] + row[with[1]] - row[without], column[with[0]] + column[with[1]] - column[without]);
  constexpr int beside[6][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, -1}};
  for (const auto& step : beside)
    if (further(row[with[0]] + step[0], column[with[0]] + step[1])) return false;
  return true;
}

/// Up from the triangle below the lowest point of B.
void lift(ConvexPair& pair, const HeightGrid& grid, const Posed& A, ContactWriter& out) {
  pair.A = Core{};  // the last prism is gone
  const Vec3d low = pair.support({0, 0, 1}).b;
  const Cells row = cells_of(low.y, low.y, grid.half_y(), grid.rows()), column = cells_of(low.x, low.x, grid.half_x(), grid.columns());
  const Vec3d corner = grid.point(row.first, column.first), next = grid.point(row.last, column.last);
  const bool upper = (low.y - corner.y) * (next.x - corner.x) > (low.x - corner.x) * (next.y - corner.y);
  const Prism prism = make_half(grid, row.first, column.first, upper ? 0 : 1);
  pair.A = make_prism(prism.points);
  touch_along(pair, prism.top, A, out);
}

/// The contacts of one prism. A way out through a wall that it shares with another prism, or over a side where the next triangle stands
/// further out, is none: the upper face decides there. False where one was passed over and the face had none either.
bool collide_prism(const Prism& prism, ConvexPair& pair, const HeightGrid& grid, const Posed& A, ContactWriter& out) {
  pair.A = make_prism(prism.points);
  const Gap gap = measure_gap(pair, out.reach());
  if (gap.beyond) return true;
  const Vec3d& n = gap.normal;
  const double along = dot(n, prism.top);
  const bool through_wall = along < set::steepest_exit && n.z > -set::steepest_exit && !leaves_terrain(grid, prism, n);
  const bool passed = through_wall || (along >= set::steepest_exit && along < set::flush && !is_outermost(grid, prism, gap.on_a, n));
  ContactPoint room[most_pair_contacts];
  ContactWriter found = out.beside(room);
  if (passed) touch_top(pair, A, found);
  if (!passed) touch_convex(pair, gap, A, found);
  for (int k = 0; k < found.count(); ++k) out.add_distinct(room[k], set::same_contact * pair.scale());
  return !passed || found.count() > 0;
}

}  // namespace

void collide_hfield(const Shape& a, const Posed& A, const Shape& b, const Posed& B, ContactWriter& out) noexcept {
  const HeightGrid& grid = *a.grid;
  ConvexPair pair{Core{}, make_core(b), relative_pose(A, B)};
  const Extent box = find_extent(pair, out.reach());
  if (box.lower.x > grid.half_x() || box.upper.x < -grid.half_x() || box.lower.y > grid.half_y() || box.upper.y < -grid.half_y() ||
      box.lower.z > grid.highest())
    return;
  const Cells rows = cells_of(box.lower.y, box.upper.y, grid.half_y(), grid.rows());
  const Cells columns = cells_of(box.lower.x, box.upper.x, grid.half_x(), grid.columns());
  bool all = true;
  for (int r = rows.first; r < rows.last; ++r) {
    for (int c = columns.first; c < columns.last; ++c) {
      for (const int half : {0, 1}) {
        const Prism prism = make_half(grid, r, c, half);
        const double top = max(prism.points[3].z, max(prism.points[4].z, prism.points[5].z));
        if (box.lower.z <= top && !collide_prism(prism, pair, grid, A, out)) all = false;
      }
    }
  }
  if (!all && out.count() == 0) lift(pair, grid, A, out);
}

}  // namespace trilith::geom
