#pragma once
#include <optional>
#include <vector>

#include "constraints/touch_pairs.h"
#include "constraints/touch_rows.h"
#include "geom/broad_phase.h"
#include "geom/collide.h"
#include "geom/convex_mesh.h"
#include "geom/height_grid.h"

namespace trilith::constraints {

class TouchFinder;

/// What the search for contacts works with, one per run. What it holds changes no result.
class TouchScratch {
 public:
  explicit TouchScratch(const TouchFinder& finder);

 private:
  friend class TouchFinder;
  std::vector<Posed> X_WG_;        // per geom
  std::vector<geom::Aabb> boxes_;  // per geom that may meet others
  geom::BroadPhase phase_;
  geom::BroadPhase::Pairs proposals_;
};

/// How many pairs of shapes are few. (docs/defaults.md)
struct TouchLimits {
  std::size_t compared = 32;  ///< all pairs are compared each step; with more, boxes about the shapes propose them
  std::size_t listed = 8192;  ///< `TouchFinder::pairs` lists all
};

/// What every step of a model needs to find contacts. Immutable; refers to the model, which must live as long. Memory is linear in the
/// shapes; a search takes as much as pairs touch. (SOFT-13)
class TouchFinder {
 public:
  /// Contacts with friction have at least `least_condim`. Warnings name shapes that cannot be touched (flat meshes). The limits change no
  /// contact.
  TouchFinder(const model::Model& model, int least_condim, std::vector<Warning>& warnings, const TouchLimits& limits = {});

  /// All pairs that may meet, where they are listed; else those that the file names, then `sample_pairs`.
  std::span<const TouchPair> pairs() const noexcept { return pairs_; }
  /// No more pairs than this can touch.
  std::size_t most_pairs() const noexcept;
  /// The largest condim of their contacts.
  std::int32_t most_condim() const noexcept { return most_condim_; }
  const geom::Shape& shape(std::int32_t geom) const noexcept { return shapes_[static_cast<std::size_t>(geom)]; }

  /// Contacts at body poses `X_WB`, pair after pair (those that the file names, then by the numbers of the geoms), at most as many as `out`
  /// has room for. Returns how many; `full` tells that there were more.
  std::size_t find(std::span<const Posed> X_WB, TouchScratch& scratch, std::span<Touch> out, bool& full) const noexcept;

 private:
  friend class TouchScratch;
  struct Search;
  void add_shapes(std::vector<Warning>& warnings);
  void add_named_pairs();
  void add_members();
  void add_pairs();
  void raise_condim(TouchPair& pair) const noexcept;
  void find_listed(std::span<const TouchPair> pairs, Search& search) const noexcept;
  void find_proposed(TouchScratch& scratch, Search& search) const noexcept;
  void add_contacts(const TouchPair& pair, Search& search) const noexcept;
  bool are_near(std::int32_t a, std::int32_t b, double reach, const Search& search) const noexcept;

  const model::Model* model_;
  std::vector<std::optional<geom::ConvexMesh>> meshes_;  // per mesh asset
  std::vector<geom::HeightGrid> grids_;                  // per height field asset
  std::vector<geom::Shape> shapes_;                      // per geom
  std::vector<double> radius_, reach_;                   // per geom, m
  std::vector<char> solid_;                              // per geom: can be touched
  std::vector<std::int32_t> classes_;                    // per geom: of parameters
  std::optional<TouchFilter> filter_;
  std::vector<TouchPair> pairs_;  // first those that the file names
  std::size_t named_ = 0;
  std::vector<std::int32_t> members_, groups_;  // geoms that may meet others, and the bodies that they are fixed to
  bool compared_ = true, listed_ = true;
  std::int32_t least_condim_ = 3, most_condim_ = 1;
};

/// Rows n, t1, t2 of the contact frame; `wanted` is the first tangent where it is not zero. (SOFT-14)
Mat3d make_touch_frame(const Vec3d& normal, const Vec3d& wanted) noexcept;

}  // namespace trilith::constraints
