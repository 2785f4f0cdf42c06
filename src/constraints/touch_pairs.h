#pragma once
#include <array>
#include <utility>
#include <vector>

#include "model/model.h"

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
TouchPair mix_pair(const model::Model& model, std::int32_t a, std::int32_t b) noexcept;

/// A pair as the file gives it: what it leaves out comes from the shapes. (SOFT-4)
TouchPair given_pair(const model::Model& model, const model::ContactPair& given);

/// How far from a shape its contacts are listed, m: of two shapes the sum counts.
double reach_of(const model::Model& model, std::int32_t geom) noexcept;

/// Which shapes may meet: by their masks, and not where one is fixed to the other or carries it. (SOFT-13) Immutable.
class TouchFilter {
 public:
  /// `solid`: per geom, 0 where it cannot be touched.
  TouchFilter(const model::Model& model, std::span<const char> solid);

  /// Pairs that the file names do not meet: they are named.
  bool meets(std::int32_t a, std::int32_t b) const noexcept;
  /// Some mask lets it meet others.
  bool meets_any(std::int32_t geom) const noexcept;
  /// The body that its own one is fixed to.
  std::int32_t weld(std::int32_t geom) const noexcept { return parts_[static_cast<std::size_t>(geom)].weld; }

 private:
  struct Part {
    std::int32_t contype = 0, conaffinity = 0, body = 0, weld = 0;
    std::int32_t carrier = -1;  ///< the weld that carries this one; -1 where that keeps nothing apart
  };
  using Pairs = std::vector<std::pair<std::int32_t, std::int32_t>>;

  std::vector<Part> parts_;  // per geom
  Pairs excluded_, named_;   // bodies, geoms: the smaller first, sorted
};

/// Shapes whose contacts with others have the same parameters and masks have the same number, from 0 in the order of their first ones.
std::vector<std::int32_t> classify_shapes(const model::Model& model);

/// Pairs that stand for all that may meet in a model of many shapes: one for every two classes, if two of their first shapes meet; of more
/// classes than `most_classes`, each with itself and with those of the extreme parameters. (SOFT-13)
std::vector<TouchPair> sample_pairs(const model::Model& model, const TouchFilter& filter, std::span<const std::int32_t> classes);

}  // namespace trilith::constraints
