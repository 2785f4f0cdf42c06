#pragma once
#include <span>
#include <string>
#include <vector>

#include "io/json.h"
#include "model/cover_bodies.h"

namespace trilith::results {

/// The answer of `trilith spherize`.
struct SpheresAnswer {
  std::span<const model::BodyCover> covers;
  geom::CoverSettings settings;
  std::vector<Warning> warnings;  ///< of the model and of covering
};

/// schema trilith.spheres/1: `robot`, `links` {name: [[x, y, z, r], ...]} in each link's frame (m), `excess_m` {name: bound}, settings.
io::Json spheres_json(const model::Model& model, const SpheresAnswer& answer);
/// The same for people, one line a link.
std::string spheres_text(const model::Model& model, const SpheresAnswer& answer);

}  // namespace trilith::results
