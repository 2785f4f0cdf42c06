#pragma once
#include <vector>

#include "certify/verify.h"

namespace trilith::certify {

/// What the neighbours of a facet tell of the smooth surface it may stand for; 0 where there is none. (GEO-12)
struct Curve {
  double low = 0,
         high = 0;  ///< m: height of that surface over the facet, low <= 0 <= high; high where the body bulges, low where it is hollow
  double lean = 0;  ///< largest tangent of the angle between the two

  /// The most that surface stands off the facet, to either side, m.
  double rise() const { return high > -low ? high : -low; }
};

/// True where two curved surfaces can be one seen from both sides: one bulges where the other is hollow, as the product of their mean
/// heights tells. With a little more room than the search for contacts, which asks it of a whole joint.
bool may_be_one(const Curve& a, const Curve& b);

/// One for every triangle of the fans of the body's faces, in their order; `size`: the body's longest side, m. In double: it sets a
/// tolerance.
std::vector<Curve> measure_curves(const Body& body, double size, const VerifySettings& settings);

}  // namespace trilith::certify
