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
  double curve_angle = 0.35;          ///< rad: faces that meet at less than this angle may be facets of one curved surface
  double curve_rise = 8e-3;           ///< of the block: a curved surface further off its facet is no curve but a corner
  double curve_factor = 1.5;          ///< facets may be apart by this many times what the curve stands off them
  double curve_opening = 0.5;         ///< mean opening of a curved joint, over the mean of what the curve stands off its facets
  double curve_share = 0.9;           ///< least part of a curved joint's area that must touch
  int most_curves = 5;                ///< curved joints told one by one
  int most_doubts = 20;               ///< doubtful pairs told one by one; the rest are counted in one line
};

}  // namespace trilith::geom
