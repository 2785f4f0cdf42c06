#pragma once

namespace trilith::solve {

/// First and second derivative along a line.
struct LineSlope {
  double slope = 0, curvature = 0;
};

struct LineSearchSettings {
  double slope_enough = 0;  ///< |slope| at which a length is taken
  int limit = 50;           ///< slopes
};

/// Where the slope of a convex function along a line is zero: Newton steps, kept between the largest length with a falling and the smallest
/// with a rising slope; their middle is taken where a Newton step leaves them, or where their distance did not halve. `first` < 0 is the
/// slope at 0; `slope_at(length)` gives a LineSlope. The slope may have corners. Returns 0 where the function does not fall from 0 on.
/// (NEWTON-3)
template <class Function>
double find_slope_root(double first, const Function& slope_at, const LineSearchSettings& settings) noexcept {
  if (!(first < 0)) return 0;
  double low = 0, high = 0, last_width = 0, length = 1;
  bool bracketed = false;
  for (int count = 0; count < settings.limit; ++count) {
    const LineSlope at = slope_at(length);
    if (!(at.slope == at.slope)) return 0;
    if ((at.slope < 0 ? -at.slope : at.slope) <= settings.slope_enough) return length;
    double next = at.curvature > 0 ? length - at.slope / at.curvature : 2 * length;
    if (at.slope < 0) {
      low = length;
    } else {
      high = length;
      bracketed = true;
    }
    if (!bracketed) {
      length = next > length ? next : 2 * length;
      continue;
    }
    const double width = high - low;
    const bool slow = last_width > 0 && width > 0.5 * last_width;
    last_width = width;
    if (slow || !(next > low && next < high)) next = low + 0.5 * width;
    if (!(next > low && next < high)) break;  // the two are neighbours
    length = next;
  }
  return low;
}

}  // namespace trilith::solve
