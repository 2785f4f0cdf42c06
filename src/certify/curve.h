#pragma once
#include <vector>

#include "certify/verify.h"

namespace trilith::certify {

/// What the neighbours of a facet tell of the smooth surface it may stand for; 0 where there is none. (GEO-12)
struct Curve {
  double rise = 0;  ///< m: the most that surface stands off the facet, to either side
  double lean = 0;  ///< largest tangent of the angle between the two
};

/// One for every triangle of the fans of the body's faces, in their order; `size`: the body's longest side, m. In double: it sets a
/// tolerance.
std::vector<Curve> measure_curves(const Body& body, double size, const VerifySettings& settings);

}  // namespace trilith::certify
