#pragma once
#include <vector>

#include "certify/dyadic.h"
#include "certify/problem.h"

namespace trilith::certify {

using ExactVec = Vec3<Dyadic>;

/// The same numbers, exactly; components are finite.
inline ExactVec exact(const Vec3d& a) { return {Dyadic(a.x), Dyadic(a.y), Dyadic(a.z)}; }

inline ExactVec operator*(const Dyadic& s, const ExactVec& a) { return {s * a.x, s * a.y, s * a.z}; }

/// Mass properties of a free body about its first vertex, without any division. (RBE-3)
struct ExactBody {
  ExactVec origin;
  Dyadic volume6;   ///< six times the volume
  ExactVec moment;  ///< 4 volume6 (com - origin)
  Dyadic mass6;     ///< density * volume6: six times the mass
  Dyadic size;      ///< longest side of the bounding box
};

/// A support has origin and size only.
ExactBody measure_exactly(const Body& body);
std::vector<ExactBody> measure_exactly(const StaticProblem& problem);

/// Longest side of the bounding box.
Dyadic exact_size(const Body& body);

/// Sums over the free bodies. The mean weight is sqrt(weight2) / (6 count), the mean size size / count.
struct ExactScale {
  Dyadic gravity2;  ///< |g|^2
  Dyadic mass6, size;
  Dyadic weight2;         ///< (6 times the weight)^2, or (6 times a share of the loads)^2 (RBE-5)
  bool of_loads = false;  ///< the latter
  int count = 0;
};
ExactScale measure_scale(const StaticProblem& problem, const std::vector<ExactBody>& bodies);

}  // namespace trilith::certify
