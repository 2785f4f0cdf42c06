#include "base/check.h"
#include "base/math.h"
#include "linalg/fixed.h"
#include "model/generate_parts.h"
#include "model/generate_ring.h"

namespace trilith::model {
namespace {

/// Where the stones of a course end, as fractions of its length times 2 `columns`: whole stones, or between two halves where shifted.
std::vector<int> stone_ends(int columns, bool shifted) {
  std::vector<int> ends{0};
  for (int place = shifted ? 1 : 2; place < 2 * columns; place += 2) ends.push_back(place);
  ends.push_back(2 * columns);
  return ends;
}

/// A dome's stone: between two spheres, two cones about the vertical, and the meridians of `turns` (two, or three where a meridian in its
/// middle bends its flat faces). `lower` and `upper`: sine and cosine of the polar angles of its beds.
geom::Mesh dome_stone(double inner, double outer, const SinCos<double>& lower, const SinCos<double>& upper,
                      std::span<const SinCos<double>> turns) {
  geom::Mesh mesh;
  for (const SinCos<double>& turn : turns)
    for (const auto& [bed, radius] : {std::pair(lower, inner), std::pair(upper, inner), std::pair(upper, outer), std::pair(lower, outer)})
      mesh.vertices.push_back({radius * (bed.sin * turn.cos), radius * (bed.sin * turn.sin), radius * bed.cos});

  // four strips along the meridians, and the two ends
  const auto n = static_cast<std::uint32_t>(turns.size());
  for (std::uint32_t k = 0; k + 1 < n; ++k)
    for (std::uint32_t c = 0; c < 4; ++c) {
      const std::uint32_t next = (c + 1) % 4, here = 4 * k, there = 4 * (k + 1);
      const std::uint32_t quad[4] = {here + c, here + next, there + next, there + c};
      mesh.add_face(quad);
    }
  const std::uint32_t first[4] = {3, 2, 1, 0}, last[4] = {4 * n - 4, 4 * n - 3, 4 * n - 2, 4 * n - 1};
  mesh.add_face(first);
  mesh.add_face(last);
  return mesh;
}

/// The stone that closes a dome: a frustum over the bed `bed`, with a corner on every meridian.
geom::Mesh dome_keystone(double inner, double outer, const SinCos<double>& bed, std::span<const SinCos<double>> turns) {
  geom::Mesh mesh;
  for (const double radius : {inner, outer})
    for (const SinCos<double>& turn : turns)
      mesh.vertices.push_back({radius * (bed.sin * turn.cos), radius * (bed.sin * turn.sin), radius * bed.cos});
  close_between_rings(mesh, RingSense::first_inward);
  return mesh;
}

/// Sines and cosines of the meridians, two per stone where stones are shifted against each other.
std::vector<SinCos<double>> meridians(const DomeOptions& o) {
  const int count = o.bond == Bond::running ? 2 * o.columns : o.columns;
  std::vector<SinCos<double>> turns;
  for (int i = 0; i < count; ++i) turns.push_back(sincos(2 * half_turn * i / count));
  return turns;
}

/// One course of a dome; row 0 is the fixed ring below the springing.
void add_dome_course(AssemblyInput& input, const DomeOptions& o, int row, std::span<const SinCos<double>> turns) {
  const double inner = o.radius * (1 - 0.5 * o.thickness_ratio), outer = o.radius * (1 + 0.5 * o.thickness_ratio);
  const double step = (o.springing - o.eye) / o.rows;
  const auto bed = [&](int joint) { return sincos(o.springing - (joint - 1) * step); };
  const SinCos<double> lower = bed(row), upper = bed(row + 1);
  const std::size_t per_stone = o.bond == Bond::running ? 2 : 1, shift = o.bond == Bond::running && row % 2 == 1 ? 1 : 0;
  for (int column = 0; column < o.columns; ++column) {
    std::vector<SinCos<double>> own;
    for (std::size_t k = 0; k <= per_stone; ++k)
      own.push_back(turns[(static_cast<std::size_t>(column) * per_stone + shift + k) % turns.size()]);
    const std::string id = row == 0 ? numbered("s", column) : numbered(numbered("r", row) + "c", column);
    add_block(input, id, dome_stone(inner, outer, lower, upper, own), row == 0);
  }
}

/// One stone of a cross vault: the course between two joints, from the groin to the edge of the bay, turned by `quarter` right angles about
/// the vertical. The joints lie in the half x > 0 of a ring in the x-z plane.
geom::Mesh web_stone(const RingJoint& from, const RingJoint& to, double reach, int quarter, bool mirror) {
  // along: the direction of the barrel; across: from its axis
  const auto point = [&](double along, double across, double z) {
    const double y = mirror ? -across : across;
    if (quarter == 0) return Vec3d{along, y, z};
    if (quarter == 1) return Vec3d{-y, along, z};
    if (quarter == 2) return Vec3d{-along, -y, z};
    return Vec3d{y, -along, z};
  };
  const Vec3d section[4] = {from.inner, to.inner, to.outer, from.outer};
  Vec3d groin[4], edge[4];
  for (int k = 0; k < 4; ++k) {
    const int c = mirror ? k : 3 - k;
    groin[k] = point(section[c].x, section[c].x, section[c].z);
    edge[k] = point(reach, section[c].x, section[c].z);
  }
  return make_hexahedron(groin, edge);
}

}  // namespace

std::vector<Error> faults(const BarrelVaultOptions& o) {
  FaultList list;
  list.count("--count", o.count, 2);
  list.count("--columns", o.columns);
  list.ring(o.radius, o.thickness_ratio);
  list.length("--depth", o.depth);
  list.blocks("--columns", double(o.count) * (o.columns + 1));
  return list.take();
}

AssemblyInput generate_barrel_vault(const BarrelVaultOptions& options) {
  TRI_CHECK(faults(options).empty());
  AssemblyInput input = named("barrel-vault");
  const double inner = options.radius * (1 - 0.5 * options.thickness_ratio), outer = options.radius * (1 + 0.5 * options.thickness_ratio);
  add_block(input, "left", make_box({-outer, 0, -0.5 * options.radius}, {-inner, options.depth, 0}), true);
  add_block(input, "right", make_box({inner, 0, -0.5 * options.radius}, {outer, options.depth, 0}), true);
  const std::vector<RingJoint> joints = semicircle(options.count, inner, outer);
  for (int row = 0; row < options.count; ++row) {
    const auto i = static_cast<std::size_t>(row);
    const std::vector<int> ends = stone_ends(options.columns, options.bond == Bond::running && row % 2 == 1);
    for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
      const auto y = [&](std::size_t end) { return options.depth * ends[end] / (2 * options.columns); };
      add_block(input, numbered(numbered("r", row + 1) + "c", static_cast<int>(k)), voussoir(joints[i], joints[i + 1], y(k), y(k + 1)));
    }
  }
  return input;
}

std::vector<Error> faults(const CrossVaultOptions& o) {
  FaultList list;
  list.count("--count", o.count, 2);
  list.need(o.count % 2 == 0, "--count", "must be even: the crown is a joint");
  list.ring(o.radius, o.thickness_ratio);
  list.length("--edge", o.edge);
  return list.take();
}

AssemblyInput generate_cross_vault(const CrossVaultOptions& options) {
  TRI_CHECK(faults(options).empty());
  AssemblyInput input = named("cross-vault");
  const double inner = options.radius * (1 - 0.5 * options.thickness_ratio), outer = options.radius * (1 + 0.5 * options.thickness_ratio);
  const double reach = outer + options.edge;
  for (const bool left : {true, false})
    for (const bool near : {true, false})
      add_block(input, std::string(left ? "left" : "right") + (near ? "_near" : "_far"),
                make_box({left ? -reach : inner, near ? -reach : inner, -0.5 * options.radius},
                         {left ? -inner : reach, near ? -inner : reach, 0}),
                true);

  // joints from the springing at +x to the crown, which lies exactly at x = 0
  std::vector<RingJoint> joints = semicircle(options.count, inner, outer);
  const int half = options.count / 2;
  joints[static_cast<std::size_t>(half)] = {at(0, inner), at(0, outer)};
  for (int quarter = 0; quarter < 4; ++quarter)
    for (const bool mirror : {false, true})
      for (int i = 0; i < half; ++i) {
        const auto last = joints.size() - 1 - static_cast<std::size_t>(i);
        add_block(input, numbered(numbered(mirror ? "m" : "w", quarter + 1) + "v", i + 1),
                  web_stone(joints[last], joints[last - 1], reach, quarter, mirror));
      }
  return input;
}

std::vector<Error> faults(const DomeOptions& o) {
  FaultList list;
  list.count("--rows", o.rows);
  list.count("--columns", o.columns, 3);
  list.ring(o.radius, o.thickness_ratio);
  list.degrees("--eye", o.eye, 0, 90);
  list.degrees("--springing", o.springing, 0, 120);
  list.need(o.eye < o.springing, "--eye", "must be smaller than the polar angle of the springing");
  list.need(o.springing + (o.springing - o.eye) / o.rows < half_turn, "--springing", "leaves no room for the fixed ring below");
  list.blocks("--rows", double(o.rows) * o.columns);
  return list.take();
}

AssemblyInput generate_dome(const DomeOptions& options) {
  TRI_CHECK(faults(options).empty());
  AssemblyInput input = named("dome");
  const std::vector<SinCos<double>> turns = meridians(options);
  for (int row = 0; row <= options.rows; ++row) add_dome_course(input, options, row, turns);
  if (options.keystone) {
    const double inner = options.radius * (1 - 0.5 * options.thickness_ratio), outer = options.radius * (1 + 0.5 * options.thickness_ratio);
    const double step = (options.springing - options.eye) / options.rows;
    add_block(input, "keystone", dome_keystone(inner, outer, sincos(options.springing - options.rows * step), turns));
  }
  return input;
}

}  // namespace trilith::model
