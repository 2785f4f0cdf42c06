#include "geom/height_grid.h"

#include <algorithm>

#include "base/check.h"
#include "base/math.h"
#include "linalg/fixed.h"

namespace trilith::geom {

HeightGrid::HeightGrid(int rows, int columns, double half_x, double half_y, double base, std::vector<double> heights)
    : rows_(rows), columns_(columns), half_x_(half_x), half_y_(half_y), base_(base), heights_(std::move(heights)) {
  TRI_CHECK(rows >= 2 && columns >= 2 && half_x > 0 && half_y > 0 && base >= 0);
  TRI_CHECK(heights_.size() == static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  highest_ = *std::max_element(heights_.begin(), heights_.end());
  const double lowest = *std::min_element(heights_.begin(), heights_.end());
  radius_ = norm(Vec3d{half_x, half_y, max(max(abs(highest_), abs(lowest)), base)});
}

Vec3d HeightGrid::point(int row, int column) const {
  const double x = -half_x_ + 2 * half_x_ * column / (columns_ - 1), y = -half_y_ + 2 * half_y_ * row / (rows_ - 1);
  return {x, y, heights_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column)]};
}

}  // namespace trilith::geom
