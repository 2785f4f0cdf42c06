#pragma once
#include <optional>

#include "geom/patches.h"

namespace trilith::geom {

/// Where two solids without a common patch meet all the same: a corner on a face, two crossing edges (edge_or_point), or one inside the
/// other (overlap, gap = minus the depth of the deepest corner). Nothing where they stay `near` [m] apart. (GEO-7)
std::optional<DoubtfulContact> find_touch(const ContactSolid& a, const ContactSolid& b, double near);

}  // namespace trilith::geom
