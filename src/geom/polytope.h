#pragma once
#include "geom/simplex.h"

namespace trilith::geom {

/// How deep the cores of a pair overlap, from a simplex in or at whose surface the origin lies: the direction, the distance (< 0) and the
/// nearest points of the cores. Adds to `gap.steps`. (COL-12)
void measure_depth(ConvexPair& pair, const Simplex& start, Gap& gap) noexcept;

}  // namespace trilith::geom
