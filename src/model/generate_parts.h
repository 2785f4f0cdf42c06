#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/generate.h"

/// What the generators share.
namespace trilith::model {

inline constexpr double half_turn = 3.14159265358979323846;  // rad
inline constexpr double largest_length = 1e9;                ///< m, as far as files may go
inline constexpr int most_per_side = 100000;                 ///< stones along one side
inline constexpr double most_blocks = 1e7;                   ///< in one assembly

/// "r" and 3: "r3".
std::string numbered(std::string_view letters, int number);

/// An empty assembly in metres.
AssemblyInput named(std::string source);
void add_block(AssemblyInput& input, std::string id, geom::Mesh mesh, bool fixed = false);

/// A point of the x-z plane.
inline Vec3d at(double x, double z) { return {x, 0, z}; }

/// Coordinates along and square to a slope that falls by `angle` towards +x.
struct Slope {
  double cos, sin;
  explicit Slope(double angle);
  Vec3d point(double along, double above) const { return at(along * cos + above * sin, above * cos - along * sin); }
};

/// A convex solid with eight corners: `lower` and `upper` are quads, both counter-clockwise seen from the side of `upper`; corner i of one
/// is joined to corner i of the other.
geom::Mesh make_hexahedron(const Vec3d (&lower)[4], const Vec3d (&upper)[4]);

/// Which way the first of two rings of corners faces as it runs.
enum class RingSense : std::uint8_t { first_outward, first_inward };
/// Adds the end faces and the sides between the two rings that the vertices are, half of them each, as a closed outward mesh.
void close_between_rings(geom::Mesh& mesh, RingSense sense);

/// tan(angle) without libm.
double tangent(double angle);

/// Collects what is wrong with options.
class FaultList {
 public:
  void need(bool holds, std::string_view option, std::string what);
  void count(std::string_view option, int value, int least = 1, int most = most_per_side);
  void length(std::string_view option, double value);                                     ///< above 0, at most largest_length
  void range(std::string_view option, double value, double least, double most);           ///< both ends allowed, in the option's unit
  void degrees(std::string_view option, double angle, double least, double most);         ///< angle in rad; ends in degrees, not allowed
  void courses(int columns, int rows, double block_length, double height, double depth);  ///< of every wall
  void ring(double radius, double thickness_ratio);                                       ///< of every arch and vault
  void blocks(std::string_view option, double total);                                     ///< at most most_blocks
  std::vector<Error> take() { return std::move(errors_); }

 private:
  std::vector<Error> errors_;
};

}  // namespace trilith::model
