#pragma once
#include "model/model.h"

namespace trilith::model {

/// Where numbers of a model file become refusals or warnings. (docs/defaults.md)
struct ModelLimits {
  double largest_number = 1e9;               ///< m, of positions and sizes
  double least_mass = 1e-15;                 ///< kg, of what a joint moves
  double least_inertia = 1e-15;              ///< kg m^2, smallest principal moment of what a joint moves
  double triangle_tolerance = 1e-9;          ///< A + B >= C may fail by this share of C: rounding of printed tensors
  double definite_tolerance = 1e-12;         ///< a moment may be below 0 by this share of the largest
  double unit_axis = 1e-12;                  ///< an axis shorter than this has no direction
  double largest_friction = 10;              ///< above: told
  double largest_size = 100;                 ///< m, longest side of a shape that moves; above: told
  double largest_mass_ratio = 1e6;           ///< between bodies that move; above: told
  double long_timestep = 0.05;               ///< s; above: told
  double largest_timestep = 1;               ///< s; above: refused
  double pose_tolerance = 1e-9;              ///< rad or m: a default pose this far outside a range is not told
  std::int64_t most_mass_entries = 1 << 23;  ///< of the lower triangle of the mass matrix: a chain of 4,095 hinges
  std::size_t most_alike = 5;                ///< warnings of one kind that are told one by one
};

/// Checks what a reader has filled, resolves references, takes inertias from shapes, lays out coordinates (depth first in file order) and
/// degrees of freedom. Every problem is told, up to `max_errors`; every alteration is a warning in the model. (INE-3)
Result<Model> make_model(ModelInput input, const ModelOptions& options, const ModelLimits& limits);
Result<Model> make_model(ModelInput input, const ModelOptions& options = {});

}  // namespace trilith::model
