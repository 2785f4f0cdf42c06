#pragma once
#include "geom/planes.h"

namespace trilith::geom {

/// Fills `bend` of every region from the normals of its smooth neighbours; `size`: the block's longest side, m. A region that turns into no
/// neighbour by less than `curve_angle`, or whose curve would stand off it by more than `curve_rise`, keeps none. (GEO-12)
void measure_bends(const Mesh& mesh, double size, const ContactSettings& settings, PlanarRegions& surface);

}  // namespace trilith::geom
