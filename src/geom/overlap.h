#pragma once
#include <optional>

#include "geom/patches.h"

namespace trilith::geom {

/// Whether two solids share space deeper than `deep` [m]: a ball of that diameter fits into both. The deepest place that was seen, as an
/// overlap without a polygon, gap = minus its depth. Cheap where a face of one keeps the two apart. (GEO-14)
std::optional<DoubtfulContact> find_overlap(const ContactSolid& a, const ContactSolid& b, double deep);

}  // namespace trilith::geom
