#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "trilith/result.h"

namespace trilith::cones {

/// Which pyramid stands for a Coulomb cone. `inscribed` never admits a force outside the true cone: the safe side of "it stands";
/// `circumscribed` admits every force of it: the safe side of "it falls". (CONE-12)
enum class PyramidFit : std::uint8_t { inscribed, circumscribed };

/// Fewest faces, and the most that a table is made for.
inline constexpr int least_pyramid_faces = 3, most_pyramid_faces = 1024;

/// Unit normals (cos, sin)(2 pi k / K) of the K faces in the tangent plane, exact at multiples of a quarter turn and mirror images of each
/// other bit for bit. Made once, shared by every pyramid of K faces.
class PyramidFaces {
 public:
  int count() const noexcept { return static_cast<int>(cosine_.size()); }
  std::span<const double> cosine() const noexcept { return cosine_; }
  std::span<const double> sine() const noexcept { return sine_; }
  std::span<const float> cosine_float() const noexcept { return cosine_float_; }
  std::span<const float> sine_float() const noexcept { return sine_float_; }
  /// tan(pi / K): half the width of a face over its distance from the axis.
  double half_width() const noexcept { return half_width_; }
  /// Coefficient that makes K faces inscribed, mu cos(pi / K), or circumscribed, mu.
  double effective_mu(double mu, PyramidFit fit) const noexcept { return fit == PyramidFit::inscribed ? mu * shrink_ : mu; }

  friend Result<PyramidFaces> make_pyramid_faces(int faces);

 private:
  std::vector<double> cosine_, sine_;
  std::vector<float> cosine_float_, sine_float_;
  double half_width_ = 0, shrink_ = 1;
};

/// Refused below 3 faces and above 1024.
Result<PyramidFaces> make_pyramid_faces(int faces);

/// Writes the K rows  cos_k t1 + sin_k t2 - effective_mu n <= 0, K x 3 row-major, columns (n, t1, t2). (CONE-12)
void write_pyramid_rows(const PyramidFaces& faces, double effective_mu, std::span<double> rows) noexcept;

}  // namespace trilith::cones
