#pragma once
#include <optional>
#include <string_view>

#include "model/assembly.h"

namespace trilith::model {

/// Defaults and sanity limits of an assembly. (docs/defaults.md)
struct AssemblyLimits {
  double friction = 0.84;                          ///< where neither file nor flag gives one: 40 degrees, dry stone
  double density = 2400;                           ///< kg/m^3, likewise
  Vec3d gravity{0, 0, -9.80665};                   ///< m/s^2, likewise
  double largest_coordinate = 1e9;                 ///< m, refused above
  double largest_magnitude = 1e30;                 ///< SI: of gravity, density, friction, loads, pull of joints; refused above
  double least_magnitude = 1e-30;                  ///< m/s^2, kg/m^3: gravity that is not zero and density, refused below
  double large_block = 100;                        ///< m, warned above: is the unit right?
  double low_density = 100, high_density = 25000;  ///< kg/m^3, warned outside
  double high_friction = 10;                       ///< warned above
  double mass_ratio = 1e12, length_ratio = 1e6;    ///< heaviest over lightest, longest over shortest free block: warned from here on
  double support_tolerance = 1e-4;  ///< of the assembly's height: blocks whose lowest point is this near to the lowest of all are supports
  double planar_tolerance = 1e-2;   ///< of a given interface's longest extent: a corner further off its plane is refused
  double planar_warning = 1e-6;     ///< likewise, told from here on
  double tangent_warning = 1e-6;    ///< normal part of a given unit t1, told from here on
  double same_tolerance = 1e-9;     ///< two given interfaces of one pair with corners this near (of the extent) are the same
  double largest_contact_gap = 1e-2;   ///< of the smaller block: a wider tolerance is refused
  double largest_contact_area = 1e-1;  ///< of its longest side squared, likewise
  double side_tolerance = 0.05;        ///< of the block's size: a face this near to a given interface tells which way is outwards
  std::size_t most_told = 5;           ///< alike alterations told one by one; the rest are counted in one line
};

/// m per unit of "m", "cm", "mm", "in", "ft"; nothing for another word.
std::optional<double> metres_per_unit(std::string_view unit);

/// Checks everything that was read, converts it to SI, fills defaults and finds the supports. Flags of `options` win over the file. Every
/// alteration is one warning; every problem one error, up to `max_errors`. Interfaces are left empty where the input gives none:
/// `find_interfaces` fills them.
Result<Assembly> make_assembly(AssemblyInput input, const AssemblyOptions& options);
Result<Assembly> make_assembly(AssemblyInput input, const AssemblyOptions& options, const AssemblyLimits& limits);

}  // namespace trilith::model
