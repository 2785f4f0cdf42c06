#pragma once

/// What decides in contacts of shapes. All are far below any length that matters: they only keep rounding from deciding. (docs/defaults.md)
namespace trilith::geom::collide_settings {

inline constexpr double touch_slack = 1e-13;      ///< of the lengths of the pair: distances this near to the margin are at the margin
inline constexpr double parallel = 1e-12;         ///< sine of a tilt below which a cylinder stands flat on a plane
inline constexpr double parallel_square = 1e-12;  ///< squared sine below which two capsules are parallel
inline constexpr double concentric = 1e-12;       ///< of the radii: centres this near have no direction between them
inline constexpr double edge_parallel = 1e-16;    ///< squared sine below which two edges of boxes span no plane
inline constexpr double edge_ambiguous = 1e-9;    ///< component of a unit axis below which it does not tell two edges of a box apart
inline constexpr double edge_bias = 1e-6;         ///< an edge axis must beat a face axis of two boxes by this share of the depth
inline constexpr double edge_alias = 0.99;        ///< cosine: an edge axis this near to the best face axis
inline constexpr double edge_alias_gain = 0.05;   ///< ... must beat it by this share of the depth
inline constexpr double same_corner = 1e-7;       ///< of the half diagonal of a face: corners of a clipped face this near are one

}  // namespace trilith::geom::collide_settings
