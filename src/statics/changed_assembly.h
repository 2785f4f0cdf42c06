#pragma once
#include <span>

#include "model/assembly.h"

/// An assembly with one of its parameters changed, for searches of limits. Joints that were left out as doubtful change with the others.
namespace trilith::statics {

/// Every joint about its centroid; areas and pulls with the square.
void scale_joints(double factor, model::Assembly& assembly);
/// Every friction coefficient.
void scale_friction(double factor, model::Assembly& assembly);
/// Puts factor times `live` on it, beside its own loads.
void add_loads(std::span<const model::Load> live, double factor, model::Assembly& assembly);

}  // namespace trilith::statics
