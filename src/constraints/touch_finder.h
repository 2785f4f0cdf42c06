#pragma once
#include <optional>
#include <vector>

#include "constraints/touch_rows.h"
#include "geom/collide.h"
#include "geom/convex_mesh.h"
#include "geom/height_grid.h"

namespace trilith::constraints {

/// Two shapes that may meet, with what their contacts have in common. (SOFT-13)
struct TouchPair {
  std::int32_t a = 0, b = 0;  ///< geoms
  std::int32_t condim = 3;
  std::array<double, 5> friction{};
  double margin = 0, gap = 0;  ///< m: contacts act below the margin, and are listed below margin + gap
  model::Softness law;
  std::array<double, 2> friction_solref{};
};

/// The parameters of a contact of two shapes by their own. (SOFT-4)
TouchPair mix_pair(const model::Model& model, std::int32_t a, std::int32_t b);

/// What every step of a model needs to find contacts. Immutable; refers to the model, which must live as long.
class TouchFinder {
 public:
  /// Contacts with friction have at least `least_condim`. Warnings name shapes that cannot be touched (flat meshes).
  TouchFinder(const model::Model& model, int least_condim, std::vector<Warning>& warnings);

  std::span<const TouchPair> pairs() const noexcept { return pairs_; }
  const geom::Shape& shape(std::int32_t geom) const noexcept { return shapes_[static_cast<std::size_t>(geom)]; }

  /// Contacts at body poses `X_WB`, pair after pair, at most as many as `out` has room for. `X_WG` is scratch, one per geom. Returns how
  /// many; `full` tells that there were more.
  std::size_t find(std::span<const Posed> X_WB, std::span<Posed> X_WG, std::span<Touch> out, bool& full) const noexcept;

 private:
  void add_shapes(std::vector<Warning>& warnings);
  void add_pairs(int least_condim);
  bool meets(std::int32_t a, std::int32_t b) const;
  bool excluded(std::int32_t body_a, std::int32_t body_b) const;

  const model::Model* model_;
  std::vector<std::optional<geom::ConvexMesh>> meshes_;  // per mesh asset
  std::vector<geom::HeightGrid> grids_;                  // per height field asset
  std::vector<geom::Shape> shapes_;                      // per geom
  std::vector<double> radius_;                           // per geom, m
  std::vector<char> solid_;                              // per geom: can be touched
  std::vector<TouchPair> pairs_;
};

/// Rows n, t1, t2 of the contact frame; `wanted` is the first tangent where it is not zero. (SOFT-14)
Mat3d make_touch_frame(const Vec3d& normal, const Vec3d& wanted) noexcept;

}  // namespace trilith::constraints
