#pragma once

/// What decides in contacts of shapes. All are far below any length that matters: they only keep rounding from deciding. (docs/defaults.md)
namespace trilith::geom::collide_settings {

inline constexpr double touch_slack = 1e-13;        ///< of the lengths of the pair: distances this near to the margin are at the margin
inline constexpr double bound_slack = 1e-10;        ///< of the lengths: a box about a shape is larger by this
inline constexpr double parallel = 1e-12;           ///< sine of a tilt below which a cylinder stands flat on a plane
inline constexpr double parallel_square = 1e-12;    ///< squared sine below which two capsules are parallel
inline constexpr double concentric = 1e-12;         ///< of the radii: centres this near have no direction between them
inline constexpr double edge_parallel = 1e-16;      ///< squared sine below which two edges of boxes span no plane
inline constexpr double edge_ambiguous = 1e-9;      ///< component of a unit axis below which it does not tell two edges of a box apart
inline constexpr double edge_bias = 1e-6;           ///< an edge axis must beat a face axis of two boxes by this share of the depth
inline constexpr double edge_alias = 0.99;          ///< cosine: an edge axis this near to the best face axis
inline constexpr double edge_alias_gain = 0.05;     ///< ... must beat it by this share of the depth
inline constexpr double same_corner = 1e-7;         ///< of the half diagonal of a face: corners of a clipped face this near are one
inline constexpr int gjk_steps = 64;                ///< support points towards the nearest points
inline constexpr double gjk_tolerance = 1e-12;      ///< of the squared distance: between the bounds of the distance
inline constexpr double gjk_tolerance_abs = 1e-11;  ///< of the lengths of the pair: between the bounds of the distance
inline constexpr double gjk_far = 1e-3;             ///< of the lengths: what is nearer when the steps end counts as touching
inline constexpr double gjk_touch = 1e-8;           ///< of the lengths of the pair: cores nearer than this overlap
inline constexpr int epa_points = 72;               ///< corners of the polytope that looks for the depth
inline constexpr double epa_tolerance = 1e-9;       ///< of the lengths of the pair: between the bounds of the depth
inline constexpr double epa_round = 1e-4;           ///< the same where both surfaces bend and Newton's method goes on from there
inline constexpr int polish_steps = 8;              ///< of Newton's method
inline constexpr double polish_angle = 1e-5;        ///< rad: step of its differences
inline constexpr double polish_reach = 0.2;         ///< rad: longest of its steps
inline constexpr double epa_span = 1e-9;            ///< of the lengths: thinner differences of shapes have no inside
inline constexpr double epa_thin = 1e-18;           ///< of the squared lengths: faces of less area have no normal
inline constexpr double epa_flat = 1e-13;           ///< of the lengths: a new corner this near to the plane of a face replaces it
inline constexpr double spread_slack = 1e-6;        ///< of a side or radius: corners better by less do not replace others
inline constexpr double edges_parallel = 1e-3;      ///< sine: edges that run side by side
inline constexpr double steepest_exit =
    0.5;                                    ///< cosine to the normal of a terrain triangle: ways out flatter than this go through its walls
inline constexpr double flush = 1 - 1e-9;   ///< cosine to the normal of a terrain triangle from which a way out is that of its face
inline constexpr double on_side = 1e-6;     ///< share of a corner below which a point of a triangle lies on the side without it
inline constexpr double least_base = 1e-3;  ///< of the sides of a terrain: it is at least this thick below z = 0
inline constexpr double same_contact = 1e-9;  ///< of the lengths: contacts with two triangles this near are one

}  // namespace trilith::geom::collide_settings
