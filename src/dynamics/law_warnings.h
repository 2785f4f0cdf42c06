#pragma once
#include <vector>

#include "constraints/touch_finder.h"
#include "dynamics/system.h"

namespace trilith::dynamics {

/// Pyramids that make a contact this many times softer than its law says are told. (docs/defaults.md)
inline constexpr double soft_pyramid = 10;

/// Warnings about laws that this run changes or that do not do what they say: time constants below two time steps, and frictions at which
/// pyramids let shapes sink. The first of each kind by name, the rest counted.
void warn_of_laws(const System& system, const constraints::TouchFinder& touches, double impratio, std::vector<Warning>& warnings);

}  // namespace trilith::dynamics
