// Implements (DYN-13) and the box of (DYN-14).
#include "dynamics/principal_axes.h"

namespace trilith::dynamics {
namespace {

constexpr int most_sweeps = 50;
constexpr double diagonal_tolerance = 1e-15;  // relative: off-diagonal entries below it are rounding
constexpr double least_side = 1e-15;          // m^2 kg: keeps a flat box from having no side

/// Turns axes p and q so that the entry (p, q) of A vanishes: A := J'AJ, R := R J (Jacobi 1846).
void rotate_pair(Mat3d& A, Mat3d& R, int p, int q) {
  const double off = A.m[3 * p + q];
  if (off == 0) return;
  const double ratio = (A.m[3 * q + q] - A.m[3 * p + p]) / (2 * off);
  const double t = copysign(1.0, ratio) / (abs(ratio) + trilith::sqrt(ratio * ratio + 1));
  const double c = 1 / trilith::sqrt(t * t + 1), s = t * c;
  Mat3d J = identity3<double>();
  J.m[3 * p + p] = J.m[3 * q + q] = c;
  J.m[3 * p + q] = s, J.m[3 * q + p] = -s;
  A = transpose(J) * A * J;
  R = R * J;
}

/// Rotation to principal axes and the moments in their order.
Mat3d diagonalize(Mat3d A, Vec3d& moments) {
  Mat3d R = identity3<double>();
  const double size = abs(A.m[0]) + abs(A.m[4]) + abs(A.m[8]);
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    if (abs(A.m[1]) + abs(A.m[2]) + abs(A.m[5]) <= diagonal_tolerance * size) break;
    rotate_pair(A, R, 0, 1), rotate_pair(A, R, 0, 2), rotate_pair(A, R, 1, 2);
  }
  moments = {A.m[0], A.m[4], A.m[8]};
  return R;
}

}  // namespace

Posed principal_frame(const Inertiad& inertia) noexcept {
  Vec3d moments{};
  return {diagonalize(inertia.about_com, moments), inertia.com};
}

DraggedBody drag_box(std::int32_t body, const Inertiad& inertia) noexcept {
  DraggedBody dragged;
  dragged.body = body;
  Vec3d I{};
  dragged.X_BI = {diagonalize(inertia.about_com, I), inertia.com};
  const auto side = [&](double a, double b, double c) { return trilith::sqrt(max(least_side, a + b - c) / inertia.mass * 6); };
  dragged.box = {side(I.y, I.z, I.x), side(I.x, I.z, I.y), side(I.x, I.y, I.z)};
  return dragged;
}

}  // namespace trilith::dynamics
