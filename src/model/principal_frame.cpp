// Implements (INE-5).
#include "model/principal_frame.h"

#include <utility>

#include "spatial/quaternion.h"

namespace trilith::model {
namespace {

// of MuJoCo's compiler: entries beside the diagonal (kg m^2) and cosines nearer to 1 than this end the rotations
constexpr double enough = 1e-12;
constexpr int most_rotations = 500;

/// A turn about axis `k` with half-angle sine `s`.
Quaterniond turn_about(int k, double s) {
  const double c = sqrt(1 - s * s);
  return {c, k == 0 ? s : 0, k == 1 ? s : 0, k == 2 ? s : 0};
}

/// The axis across the plane of the largest entry beside the diagonal; ties go to the later plane.
int largest_plane(const Mat3d& d) {
  const double xy = abs(d.m[1]), xz = abs(d.m[2]), yz = abs(d.m[5]);
  if (xy > xz && xy > yz) return 2;
  return xz > yz ? 1 : 0;
}

}  // namespace

PrincipalFrame principal_frame(const Mat3d& about_com) noexcept {
  Quaterniond q = identity_quaternion<double>();
  double value[3] = {};
  for (int i = 0; i < most_rotations; ++i) {
    const Mat3d axes = to_matrix(q), d = transpose(axes) * about_com * axes;
    for (int j = 0; j < 3; ++j) value[j] = d.m[4 * j];
    const int across = largest_plane(d), row = across == 0 ? 1 : 0, column = across == 2 ? 1 : 2;
    const double off = d.m[3 * row + column];
    if (abs(off) < enough) break;
    const double ratio = (d.m[4 * column] - d.m[4 * row]) / (2 * off), size = abs(ratio);
    const double tangent = 1 / (size + sqrt(1 + size * size)), cosine = 1 / sqrt(1 + tangent * tangent);
    if (cosine > 1 - enough) break;
    const double half_sine = sqrt(0.5 - 0.5 * cosine);
    // the plane xz turns the other way about y
    const bool negative = (ratio >= 0) != (across == 1);
    q = normalized(q * turn_about(across, negative ? -half_sine : half_sine));
  }
  for (const int j : {0, 1, 0}) {
    if (!(value[j] + enough < value[j + 1])) continue;
    std::swap(value[j], value[j + 1]);
    q = normalized(q * turn_about((j + 2) % 3, sqrt(0.5)));  // a quarter turn exchanges the two axes
  }
  return {{value[0], value[1], value[2]}, to_matrix(q)};
}

Mat3d tensor_of(const PrincipalFrame& frame) noexcept { return frame.axes * diagonal3(frame.moments) * transpose(frame.axes); }

}  // namespace trilith::model
