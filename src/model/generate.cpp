#include "model/generate.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>

#include "base/math.h"
#include "linalg/fixed.h"

namespace trilith::model {
namespace {

constexpr double half_turn = 3.14159265358979323846;

std::string numbered(std::string_view letter, int number) {
  std::string text(letter);
  text += std::to_string(number);
  return text;
}

AssemblyInput named(std::string source) {
  AssemblyInput input;
  input.source = std::move(source);
  input.unit.emplace("m");
  return input;
}

void add_block(AssemblyInput& input, std::string id, geom::Mesh mesh, bool fixed = false) {
  BlockInput block;
  block.where = input.source + ":/blocks/" + std::to_string(input.blocks.size());
  block.id = std::move(id);
  block.mesh = std::move(mesh);
  block.fixed = fixed;
  input.blocks.push_back(std::move(block));
}

/// A point of the x-z plane.
Vec3d at(double x, double z) { return {x, 0, z}; }

}  // namespace

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

AssemblyInput generate_wall(const WallOptions& options) {
  AssemblyInput input = named("wall");
  const double length = options.length, height = options.height, wide = options.columns * length;
  add_block(input, "ground", make_box({0, 0, -options.ground_height}, {wide, options.depth, 0}), true);
  for (int row = 0; row < options.rows; ++row) {
    // an odd course starts and ends with half a block
    const double low = row * height, high = (row + 1) * height;
    const int count = row % 2 == 0 ? options.columns : options.columns + 1;
    for (int column = 0; column < count; ++column) {
      const double shift = row % 2 == 0 ? 0 : -0.5;
      const double left = std::max(0.0, (column + shift) * length), right = std::min(wide, (column + 1 + shift) * length);
      add_block(input, numbered(numbered("r", row) + "c", column), make_box({left, 0, low}, {right, options.depth, high}));
    }
  }
  return input;
}

AssemblyInput generate_portal(const PortalOptions& options) {
  AssemblyInput input = named("portal");
  const double width = options.post_width, depth = options.depth, inner = 0.5 * options.span, outer = inner + width;
  add_block(input, "ground", make_box({-outer - width, -width, -width}, {outer + width, depth + width, 0}), true);
  for (const auto& [side, left, right] : {std::tuple("left", -outer, -inner), std::tuple("right", inner, outer)})
    for (int i = 0; i < options.drums; ++i) {
      const double low = options.post_height * i / options.drums, high = options.post_height * (i + 1) / options.drums;
      add_block(input, numbered(side, i), make_box({left, 0, low}, {right, depth, high}));
    }
  const double reach = outer + options.overhang, top = options.post_height;
  add_block(input, "lintel", make_box({-reach, 0, top}, {reach, depth, top + options.lintel_height}));
  return input;
}

AssemblyInput generate_stack(const StackOptions& options) {
  AssemblyInput input = named("stack");
  const double length = options.length, depth = options.depth, height = options.height;
  add_block(input, "ground", make_box({-length, -depth, -height}, {2 * length, 2 * depth, 0}), true);
  for (int i = 0; i < options.count; ++i) {
    const double left = i * options.offset;
    add_block(input, numbered("b", i + 1), make_box({left, 0, i * height}, {left + length, depth, (i + 1) * height}));
  }
  return input;
}

AssemblyInput generate_arch(const ArchOptions& options) {
  AssemblyInput input = named("arch");
  const double inner = options.radius * (1 - 0.5 * options.thickness_ratio), outer = options.radius * (1 + 0.5 * options.thickness_ratio);
  const double base = 0.5 * options.radius;
  add_block(input, "left", make_box({-outer, 0, -base}, {-inner, options.depth, 0}), true);
  add_block(input, "right", make_box({inner, 0, -base}, {outer, options.depth, 0}), true);

  // joints from the left springing to the right one; both ends lie exactly on the springers
  std::vector<SinCos<double>> joint(static_cast<std::size_t>(options.count) + 1);
  for (int i = 0; i <= options.count; ++i) joint[static_cast<std::size_t>(i)] = sincos(half_turn * i / options.count);
  joint.front() = {0, 1};
  joint.back() = {0, -1};
  for (int i = 0; i < options.count; ++i) {
    const SinCos<double> from = joint[static_cast<std::size_t>(i)], to = joint[static_cast<std::size_t>(i) + 1];
    const Vec3d polygon[4] = {at(-inner * from.cos, inner * from.sin), at(-inner * to.cos, inner * to.sin),
                              at(-outer * to.cos, outer * to.sin), at(-outer * from.cos, outer * from.sin)};
    add_block(input, numbered("v", i + 1), make_prism(polygon, 0, options.depth));
  }
  return input;
}

AssemblyInput generate_incline(const InclineOptions& options) {
  AssemblyInput input = named("incline");
  const SinCos<double> slope = sincos(options.angle);
  const double length = options.length, height = options.height;
  // u runs down the slope towards +x, v stands on it
  const auto on_slope = [&slope](double u, double v) { return at(u * slope.cos + v * slope.sin, v * slope.cos - u * slope.sin); };
  const Vec3d ramp[4] = {on_slope(2 * length, -height), on_slope(2 * length, 0), on_slope(-length, 0), on_slope(-length, -height)};
  const Vec3d block[4] = {on_slope(length, 0), on_slope(length, height), on_slope(0, height), on_slope(0, 0)};
  add_block(input, "slope", make_prism(ramp, -options.depth, 2 * options.depth), true);
  add_block(input, "block", make_prism(block, 0, options.depth));
  return input;
}

}  // namespace trilith::model
