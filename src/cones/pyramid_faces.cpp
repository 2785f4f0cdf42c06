// Face normals of friction pyramids (CONE-12).
#include "cones/pyramid_faces.h"

#include <string>

#include "base/check.h"
#include "base/math.h"

namespace trilith::cones {
namespace {

struct Direction {
  double cosine, sine;
};

/// Cosine and sine of 2 pi eighths / (8 K), 0 <= eighths < 8 K, folded into the first eighth of the turn so that quarter turns are exact.
Direction direction_at(int eighths, int faces) {
  double side = 1, front = 1;
  if (eighths > 4 * faces) eighths = 8 * faces - eighths, side = -1;
  if (eighths > 2 * faces) eighths = 4 * faces - eighths, front = -1;
  const bool steep = eighths > faces;
  if (steep) eighths = 2 * faces - eighths;

  // the diagonal by its root, so that both components are equal
  constexpr double quarter_pi = 0.78539816339744830962;
  const double angle = quarter_pi * eighths / faces;
  Direction d = {cos(angle), sin(angle)};
  if (eighths == faces) d.cosine = d.sine = sqrt(0.5);
  if (steep) d = {d.sine, d.cosine};
  // no negative zeros
  return {d.cosine == 0 ? 0 : front * d.cosine, d.sine == 0 ? 0 : side * d.sine};
}

}  // namespace

Result<PyramidFaces> make_pyramid_faces(int faces) {
  if (faces < least_pyramid_faces || faces > most_pyramid_faces)
    return Error{"a friction pyramid has 3 to 1024 faces, got " + std::to_string(faces), "faces"};
  PyramidFaces table;
  for (int k = 0; k < faces; ++k) {
    const Direction d = direction_at(8 * k, faces);
    table.cosine_.push_back(d.cosine);
    table.sine_.push_back(d.sine);
    table.cosine_float_.push_back(static_cast<float>(d.cosine));
    table.sine_float_.push_back(static_cast<float>(d.sine));
  }
  const Direction half = direction_at(4, faces);
  table.half_width_ = half.sine / half.cosine;
  table.shrink_ = half.cosine;
  return table;
}

void write_pyramid_rows(const PyramidFaces& faces, double effective_mu, std::span<double> rows) noexcept {
  TRI_CHECK(rows.size() == 3 * faces.cosine().size());
  for (std::size_t k = 0; k < faces.cosine().size(); ++k) {
    rows[3 * k] = 0 - effective_mu;
    rows[3 * k + 1] = faces.cosine()[k];
    rows[3 * k + 2] = faces.sine()[k];
  }
}

}  // namespace trilith::cones
