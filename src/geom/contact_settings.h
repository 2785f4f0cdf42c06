#pragma once

namespace trilith::geom {

/// When two faces touch. All tolerances are relative to the smaller block's longest side unless said otherwise. (docs/defaults.md)
struct ContactSettings {
  double gap_tolerance = 2e-5;        ///< largest distance between the two faces anywhere on the contact polygon
  double doubt_factor = 10;           ///< a gap or overlap up to this many tolerances is told, not used
  double planar_tolerance = 2e-5;     ///< faces this near to a plane are one surface (relative to their own block)
  double angle_tolerance = 0.05;      ///< rad: faces further from parallel are not compared
  double collinear_tolerance = 2e-5;  ///< corners this near to the line through their neighbours are removed
  double least_width = 4e-5;          ///< a contact narrower than this is an edge or a point
  double least_area = 1e-8;           ///< of size squared: a smaller contact is dropped and told
  double snap_tolerance = 1e-9;       ///< a corner this near to a clip line is on it
  int most_doubts = 20;               ///< doubtful pairs told one by one; the rest are counted in one line
};

}  // namespace trilith::geom
