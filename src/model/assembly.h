#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "geom/contact_settings.h"
#include "geom/mesh.h"
#include "trilith/result.h"

namespace trilith::model {

/// A block as a file gives it: lengths still in the file's unit, nothing checked but the syntax.
struct BlockInput {
  std::string id;
  geom::Mesh mesh;
  bool fixed = false;
  std::optional<double> density;  ///< kg/m^3
  std::string where;              ///< "wall.json:/blocks/12" or "wall.obj:34"
};

/// An interface as a file gives it.
struct InterfaceInput {
  std::string a, b;             ///< ids of the two blocks
  std::vector<Vec3d> polygon;   ///< file units, at least 3 points
  std::optional<Vec3d> normal;  ///< from a into b, any length; Newell's rule where absent
  std::optional<Vec3d> t1;      ///< first tangent; the polygon's first edge where absent
  std::optional<double> friction;
  std::optional<double> tension_Pa, tension_N;  ///< pull that the joint can carry: a stress over its area, or in all
  std::string where;
};

/// A force on a block as a file gives it: `force` at `point` (absent: at the centre of mass), or spread evenly over `polygon`, or
/// `pressure` on `polygon`, which pushes into the block.
struct LoadInput {
  std::string block;
  std::optional<Vec3d> force;      ///< N
  std::optional<double> pressure;  ///< Pa
  std::optional<Vec3d> point;      ///< file units
  std::vector<Vec3d> polygon;      ///< file units; empty: none
  std::string where;
};

/// Everything that was read from a file and the files it names.
struct AssemblyInput {
  std::string source;                ///< file name as the user wrote it
  std::optional<std::string> unit;   ///< "m", "mm", ...: what the file says
  std::optional<Vec3d> gravity;      ///< m/s^2
  std::optional<double> friction;    ///< dimensionless
  std::optional<double> density;     ///< kg/m^3, of blocks without one
  std::optional<double> tension_Pa;  ///< pull that joints can carry, of interfaces that say nothing
  std::vector<BlockInput> blocks;
  std::vector<LoadInput> loads;
  std::optional<std::vector<InterfaceInput>> interfaces;  ///< empty optional: to be detected
  std::optional<double> contact_gap, contact_area;        ///< as in AssemblyOptions
  std::vector<Warning> warnings;
  std::string sha256;  ///< of the file's bytes, and of the files it names (docs/conventions.md)
};

/// What the command line or the caller sets above the file. Flags win over the file and are echoed.
struct AssemblyOptions {
  std::optional<std::string> unit;
  std::optional<Vec3d> gravity;
  std::optional<double> friction;
  std::optional<double> density;
  std::vector<std::string> fixed;      ///< ids; added to the file's supports
  std::optional<double> contact_gap;   ///< of the smaller block's longest side: faces further apart are no contact
  std::optional<double> contact_area;  ///< of that side squared: smaller contacts are left out
  int threads = 1;                     ///< for the meshes; 0: as many as the machine has. The result does not depend on it
};

/// A checked rigid block. SI units, world axes W.
struct Block {
  std::string id;
  geom::Mesh mesh;     ///< m, outward faces
  bool fixed = false;  ///< a support: takes any force, needs no equilibrium
  double density = 0;  ///< kg/m^3
  double volume = 0;   ///< m^3
  double mass = 0;     ///< kg
  Vec3d com{};         ///< p_WC, m
  double size = 0;     ///< longest side of the bounding box, m
  geom::Aabb box{};    ///< m
};

/// A planar polygon through which two blocks push. Contact frame (normal, t1, t2) is right-handed, normal from a into b; a force on b
/// is f_n normal + f_1 t1 + f_2 t2 per polygon vertex, on a the opposite; f_n >= 0 is compression. (RBE-1)
struct Interface {
  std::uint32_t a = 0, b = 0;  ///< indices into Assembly::blocks
  std::vector<Vec3d> polygon;  ///< m, world
  Vec3d normal{}, t1{}, t2{};  ///< unit
  double mu = 0;
  double area = 0;  ///< m^2
  double gap = 0;   ///< m: largest distance of the two faces on the polygon, negative where they overlap; 0 where the file gave it
  /// N per polygon vertex: pull that mortar, glue or a clutch carries there; empty: none. The cone is shifted by it, |f_t| <= mu (f_n + c).
  std::vector<double> tension{};
};

/// A force on a block beside its weight. It does not move with the block's centre unless `at_centre`.
struct Load {
  std::uint32_t block = 0;
  Vec3d force{};           ///< N, world
  Vec3d point{};           ///< m, world: where it acts; of an area load the centroid
  bool at_centre = false;  ///< acts at the centre of mass, whatever `point` was rounded to
};

/// Immutable once made; share it between threads.
struct Assembly {
  std::string source;
  std::string sha256;
  std::string unit;                  ///< unit of the file ("m" where it said nothing)
  Vec3d gravity{};                   ///< m/s^2
  double friction = 0, density = 0;  ///< defaults in force
  double tension_Pa = 0;             ///< likewise, of joints that the file does not list
  std::vector<Block> blocks;
  std::vector<Load> loads;
  std::vector<Interface> interfaces;                           ///< every block pair but fixed-fixed ones
  bool interfaces_given = false;                               ///< read from the file, not detected
  double contact_gap = geom::ContactSettings{}.gap_tolerance;  ///< thresholds of the detection in force, see AssemblyOptions
  double contact_area = geom::ContactSettings{}.least_area;
  /// Joints that were told and left out: open or overlapping by more than `contact_gap`, or smaller than `contact_area`. `gap` says by how
  /// much. To take them as contacts only enlarges the contact: a collapse that holds with them holds whatever they do. Sorted like
  /// `interfaces`.
  std::vector<Interface> doubtful;
  int doubtful_pairs = 0;                   ///< pairs of blocks in `doubtful`
  std::vector<std::string> supports_added;  ///< ids made fixed by flag or by the stated rule
  std::vector<Warning> warnings;
};

}  // namespace trilith::model
