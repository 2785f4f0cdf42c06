#pragma once
#include "model/assembly.h"
#include "model/findings.h"
#include "model/make_assembly.h"

/// The stages of make_assembly, in their order.
namespace trilith::model {

/// Lengths of a file in metres: x times `factor` over `divisor`, so that 12 in and 1 ft are the same double.
struct UnitScale {
  double factor = 1, divisor = 1;

  double to_metres(double x) const { return x * factor / divisor; }
  Vec3d to_metres(const Vec3d& p) const { return {to_metres(p.x), to_metres(p.y), to_metres(p.z)}; }
};
std::optional<UnitScale> unit_scale(std::string_view unit);

/// What every stage reads.
struct Setup {
  const AssemblyOptions& options;
  const AssemblyLimits& limits;
  UnitScale scale{};  ///< of the lengths, once settle_defaults has found it
};

/// Unit, gravity, default friction and density, contact thresholds: flags over file over limits. Sets the scale of the lengths.
void settle_defaults(const AssemblyInput& input, Setup& setup, Assembly& assembly, Findings& findings);

/// Blocks with metres, mended meshes and boxes; ids unique. Takes the meshes out of `input`. `flat[i]`: block i has no volume.
void make_blocks(AssemblyInput& input, const Setup& setup, Assembly& assembly, std::vector<bool>& flat, Findings& findings);

/// Supports of the file, of --fixed, or by the stated rule: the blocks that reach lowest along gravity.
void choose_supports(const Setup& setup, Assembly& assembly, Findings& findings);

/// Volume, mass and centre of every block; refuses flat free blocks and warns of odd sizes.
void weigh_blocks(const AssemblyInput& input, const Setup& setup, const std::vector<bool>& flat, Assembly& assembly, Findings& findings);

/// Checks given interfaces and puts them into `assembly.interfaces`.
void check_interfaces(const AssemblyInput& input, const Setup& setup, Assembly& assembly, Findings& findings);

/// Checks external loads and puts those on free blocks into `assembly.loads`.
void check_loads(const AssemblyInput& input, const Setup& setup, Assembly& assembly, Findings& findings);

/// Is it a number, neither infinite nor NaN?
bool is_finite(double x);
bool is_finite(const Vec3d& p);

/// "density must be a number > 0, ..." with the range.
std::string density_rule(const AssemblyLimits& limits);

/// The largest component in size.
double largest_component(const Vec3d& p);

/// `block "b3"`, with odd characters escaped.
std::string quoted_block(std::string_view id);

}  // namespace trilith::model
