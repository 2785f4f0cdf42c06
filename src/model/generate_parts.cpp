#include "model/generate_parts.h"

#include "base/math.h"
#include "base/text.h"

namespace trilith::model {

geom::Mesh make_box(const Vec3d& lower, const Vec3d& upper) {
  const auto ring = [&](double z, Vec3d(&corners)[4]) {
    corners[0] = {lower.x, lower.y, z};
    corners[1] = {upper.x, lower.y, z};
    corners[2] = {upper.x, upper.y, z};
    corners[3] = {lower.x, upper.y, z};
  };
  Vec3d below[4], above[4];
  ring(lower.z, below);
  ring(upper.z, above);
  return make_hexahedron(below, above);
}

void close_between_rings(geom::Mesh& mesh, RingSense sense) {
  const auto n = static_cast<std::uint32_t>(mesh.vertices.size() / 2);
  const bool outward = sense == RingSense::first_outward;
  std::vector<std::uint32_t> first, second;
  for (std::uint32_t i = 0; i < n; ++i) {
    first.push_back(outward ? i : n - 1 - i);
    second.push_back(outward ? 2 * n - 1 - i : n + i);
  }
  mesh.add_face(first);
  mesh.add_face(second);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t next = (i + 1) % n;
    const std::uint32_t from = outward ? next : i, to = outward ? i : next;
    const std::uint32_t side[4] = {from, to, n + to, n + from};
    mesh.add_face(side);
  }
}

geom::Mesh make_prism(std::span<const Vec3d> polygon_xz, double front, double back) {
  geom::Mesh mesh;
  for (const double y : {front, back})
    for (const Vec3d& p : polygon_xz) mesh.vertices.push_back({p.x, y, p.z});
  close_between_rings(mesh, RingSense::first_outward);
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

void FaultList::courses(int columns, int rows, double block_length, double height, double depth) {
  count("--columns", columns);
  count("--rows", rows);
  length("--length", block_length);
  length("--height", height);
  length("--depth", depth);
}

void FaultList::ring(double radius, double thickness_ratio) {
  length("--radius", radius);
  length("--thickness", thickness_ratio);
  need(thickness_ratio < 2, "--thickness", "must be below 2 radii");
}

void FaultList::blocks(std::string_view option, double total) {
  need(total <= most_blocks, option, std::string("gives more than ") + format_double(most_blocks) + " blocks");
}

}  // namespace trilith::model
