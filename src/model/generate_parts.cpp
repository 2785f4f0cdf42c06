#include "model/generate_parts.h"

#include "base/math.h"
#include "base/text.h"

namespace trilith::model {

geom::Mesh make_box(const Vec3d& lower, const Vec3d& upper) {
  geom::Mesh mesh;
  for (const double z : {lower.z, upper.z})
    mesh.vertices.insert(mesh.vertices.end(), {{lower.x, lower.y, z}, {upper.x, lower.y, z}, {upper.x, upper.y, z}, {lower.x, upper.y, z}});
  constexpr std::uint32_t faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  for (const auto& face : faces) mesh.add_face(face);
  return mesh;
}

geom::Mesh make_prism(std::span<const Vec3d> polygon_xz, double front, double back) {
  geom::Mesh mesh;
  const auto n = static_cast<std::uint32_t>(polygon_xz.size());
  for (const double y : {front, back})
    for (const Vec3d& p : polygon_xz) mesh.vertices.push_back({p.x, y, p.z});
  std::vector<std::uint32_t> near, far;
  for (std::uint32_t i = 0; i < n; ++i) {
    near.push_back(i);
    far.push_back(2 * n - 1 - i);
  }
  mesh.add_face(near);
  mesh.add_face(far);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t next = (i + 1) % n;
    const std::uint32_t side[4] = {next, i, n + i, n + next};
    mesh.add_face(side);
  }
  return mesh;
}

std::string numbered(std::string_view letters, int number) {
  std::string text(letters);
  text += std::to_string(number);
  return text;
}

AssemblyInput named(std::string source) {
  AssemblyInput input;
  input.source = std::move(source);
  input.unit.emplace("m");
  return input;
}

void add_block(AssemblyInput& input, std::string id, geom::Mesh mesh, bool fixed) {
  BlockInput block;
  block.where = input.source + ":/blocks/" + std::to_string(input.blocks.size());
  block.id = std::move(id);
  block.mesh = std::move(mesh);
  block.fixed = fixed;
  input.blocks.push_back(std::move(block));
}

Slope::Slope(double angle) {
  const SinCos<double> turn = sincos(angle);
  cos = turn.cos;
  sin = turn.sin;
}

geom::Mesh make_hexahedron(const Vec3d (&lower)[4], const Vec3d (&upper)[4]) {
  geom::Mesh mesh;
  mesh.vertices.assign(lower, lower + 4);
  mesh.vertices.insert(mesh.vertices.end(), upper, upper + 4);
  constexpr std::uint32_t faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  for (const auto& face : faces) mesh.add_face(face);
  return mesh;
}

double tangent(double angle) {
  const SinCos<double> turn = sincos(angle);
  return turn.sin / turn.cos;
}

void FaultList::need(bool holds, std::string_view option, std::string what) {
  if (holds || errors_.size() >= max_errors) return;
  errors_.push_back({std::move(what), std::string(option), Error::Kind::usage});
}

void FaultList::count(std::string_view option, int value, int least, int most) {
  need(value >= least && value <= most, option,
       std::string("must be from ") + std::to_string(least) + " to " + std::to_string(most) + ", got " + std::to_string(value));
}

void FaultList::length(std::string_view option, double value) {
  need(value > 0 && value <= largest_length, option,
       std::string("must be above 0 and at most ") + format_double(largest_length) + " m, got " + format_double(value));
}

void FaultList::range(std::string_view option, double value, double least, double most) {
  need(value >= least && value <= most, option,
       std::string("must be from ") + format_double(least) + " to " + format_double(most) + ", got " + format_double(value));
}

void FaultList::degrees(std::string_view option, double angle, double least, double most) {
  need(angle > least * radians_per_degree && angle < most * radians_per_degree, option,
       std::string("must lie between ") + format_double(least) + " and " + format_double(most) + " degrees, got " +
           format_quantity(angle / radians_per_degree, ""));
}

void FaultList::blocks(std::string_view option, double total) {
  need(total <= most_blocks, option, std::string("gives more than ") + format_double(most_blocks) + " blocks");
}

}  // namespace trilith::model
