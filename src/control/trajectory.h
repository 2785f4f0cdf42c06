#pragma once
#include <span>
#include <vector>

#include "control/stage_kernel.h"

namespace trilith::control {

/// Numbers of a knot. A linear problem has no speeds: its state is all coordinates.
struct KnotSizes {
  int coordinates = 0;  ///< of q
  int tangent = 0;      ///< of a change of q
  int speeds = 0;       ///< of v
  int inputs = 0;       ///< of u
  constexpr int state() const noexcept { return coordinates + speeds; }
  constexpr int state_tangent() const noexcept { return tangent + speeds; }
};

/// Vectors of every knot, each padded with zeros: q, v of knots 0..N-1, u of knots 0..N-2 (and zeros at N-1).
struct KnotVectors {
  KnotVectors(int knots, int coordinates, int speeds, int inputs)
      : q_stride(padded(coordinates)), v_stride(padded(speeds)), u_stride(padded(inputs)) {
    const auto n = static_cast<std::size_t>(knots);
    q.assign(n * static_cast<std::size_t>(q_stride), 0), v.assign(n * static_cast<std::size_t>(v_stride), 0);
    u.assign(n * static_cast<std::size_t>(u_stride), 0);
  }
  double* q_of(int k) noexcept { return q.data() + k * q_stride; }
  double* v_of(int k) noexcept { return v.data() + k * v_stride; }
  double* u_of(int k) noexcept { return u.data() + k * u_stride; }
  const double* q_of(int k) const noexcept { return q.data() + k * q_stride; }
  const double* v_of(int k) const noexcept { return v.data() + k * v_stride; }
  const double* u_of(int k) const noexcept { return u.data() + k * u_stride; }

  int q_stride, v_stride, u_stride;
  std::vector<double> q, v, u;
};

/// Numbers of a trajectory as users know it: [x_0, u_0, x_1, u_1, ..., x_{N-1}], x = (q, v).
constexpr std::size_t trajectory_length(const KnotSizes& s, int knots) noexcept {
  return static_cast<std::size_t>(knots) * static_cast<std::size_t>(s.state() + s.inputs) - static_cast<std::size_t>(s.inputs);
}

/// Reads and writes that form.
void read_trajectory(std::span<const double> from, const KnotSizes& s, int knots, KnotVectors& to) noexcept;
void write_trajectory(const KnotVectors& from, const KnotSizes& s, int knots, std::span<double> to) noexcept;

}  // namespace trilith::control
