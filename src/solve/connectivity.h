#pragma once
#include <span>
#include <vector>

#include "rows/patch_rows.h"

namespace trilith::solve {

/// Bodies that no chain of contacts ties to a fixed one (RBE-13). They fall whatever their joints do, and their equilibrium rows have no
/// solution, so this comes before any factorization.
struct Connectivity {
  std::vector<std::vector<int>> floating;  ///< groups of touching bodies, each ascending; groups by their first body
  bool supported() const { return floating.empty(); }
};

Connectivity find_floating(const rows::PatchRows& rows);

/// The proposed collapse: floating bodies translate along `direction` (gravity; any length), the rest stands still. `velocity`: 6 per body,
/// linear then angular, world axes, unit speed; zero everywhere where `direction` is zero.
void write_fall(const Connectivity& connectivity, const Vec3d& direction, std::span<double> velocity) noexcept;
/// The same where groups have loads of their own: each moves along what `load` (6 per body, minus weight and loads) leaves over on it.
void write_fall(const Connectivity& connectivity, std::span<const double> load, std::span<double> velocity) noexcept;

}  // namespace trilith::solve
