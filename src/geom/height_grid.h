#pragma once
#include <vector>

#include "trilith/vec.h"

namespace trilith::geom {

/// Terrain: heights over a grid of points in the rectangle |x| <= half_x, |y| <= half_y, solid from there down to z = -base. Rows run along
/// y, columns along x, both upwards. Every cell is two triangles; the diagonal goes from the corner of low x and y to that of high x and
/// y. Immutable once made.
class HeightGrid {
 public:
  /// `heights` row by row, m; at least two rows and columns, finite; half sides > 0, base >= 0.
  HeightGrid(int rows, int columns, double half_x, double half_y, double base, std::vector<double> heights);

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  double half_x() const { return half_x_; }
  double half_y() const { return half_y_; }
  double base() const { return base_; }
  double highest() const { return highest_; }
  /// Largest distance of a point of the solid from the origin, m.
  double radius() const { return radius_; }
  /// The surface at a point of the grid.
  Vec3d point(int row, int column) const;

 private:
  int rows_, columns_;
  double half_x_, half_y_, base_, highest_, radius_;
  std::vector<double> heights_;
};

}  // namespace trilith::geom
