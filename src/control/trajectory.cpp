#include "control/trajectory.h"

#include <algorithm>

#include "base/check.h"

namespace trilith::control {

void read_trajectory(std::span<const double> from, const KnotSizes& s, int knots, KnotVectors& to) noexcept {
  TRI_CHECK(from.size() == trajectory_length(s, knots));
  const double* p = from.data();
  for (int k = 0; k < knots; ++k) {
    std::copy_n(p, s.coordinates, to.q_of(k)), p += s.coordinates;
    std::copy_n(p, s.speeds, to.v_of(k)), p += s.speeds;
    if (k + 1 < knots) std::copy_n(p, s.inputs, to.u_of(k)), p += s.inputs;
  }
}

void write_trajectory(const KnotVectors& from, const KnotSizes& s, int knots, std::span<double> to) noexcept {
  TRI_CHECK(to.size() == trajectory_length(s, knots));
  double* p = to.data();
  for (int k = 0; k < knots; ++k) {
    p = std::copy_n(from.q_of(k), s.coordinates, p);
    p = std::copy_n(from.v_of(k), s.speeds, p);
    if (k + 1 < knots) p = std::copy_n(from.u_of(k), s.inputs, p);
  }
}

}  // namespace trilith::control
