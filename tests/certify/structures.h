#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "certify/problem.h"
#include "support/random.h"

/// Small structures whose force states and collapses are known in closed form, and what must not change their verdict.
namespace trilith::test {

using V = Vec3d;
inline V add(const V& a, const V& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline V sub(const V& a, const V& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline V scaled(double s, const V& a) { return {s * a.x, s * a.y, s * a.z}; }
inline double inner(const V& a, const V& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline V outer(const V& a, const V& b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

/// "r3"
inline std::string name(const char* prefix, int number) { return std::string(prefix).append(std::to_string(number)); }

struct BodyData {
  std::string id{};
  bool fixed = false;
  double density = 1000;
  std::vector<V> vertices{};
  std::vector<std::uint32_t> face_start{0}, face_vertex{};
};

struct PatchData {
  std::uint32_t a = 0, b = 0;
  std::vector<V> polygon;
  V normal{0, 0, 1};
  double mu = .84;
};

/// Owns what a StaticProblem views, with a force state and a motion.
struct Structure {
  std::vector<BodyData> bodies;
  std::vector<PatchData> patches;
  V gravity{0, 0, -9.80665};
  std::vector<V> forces;
  std::vector<certify::Velocity> velocities;

  /// Axis-aligned box, outward quads. Returns its index.
  std::uint32_t add_box(std::string id, const V& low, const V& high, bool fixed = false) {
    BodyData body{std::move(id), fixed};
    for (int i = 0; i < 8; ++i)
      body.vertices.push_back({(i & 1) != 0 ? high.x : low.x, (i & 2) != 0 ? high.y : low.y, (i & 4) != 0 ? high.z : low.z});
    for (const auto& face :
         {std::array<std::uint32_t, 4>{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}) {
      body.face_vertex.insert(body.face_vertex.end(), face.begin(), face.end());
      body.face_start.push_back(std::uint32_t(body.face_vertex.size()));
    }
    bodies.push_back(std::move(body));
    velocities.push_back({});
    return std::uint32_t(bodies.size() - 1);
  }

  /// Horizontal rectangle at height z, b on top of a, with one force per corner.
  void add_bed(std::uint32_t a, std::uint32_t b, const std::array<double, 4>& x0x1y0y1, double z, const std::array<V, 4>& corner_forces) {
    const auto [x0, x1, y0, y1] = x0x1y0y1;
    patches.push_back({a, b, {{x0, y0, z}, {x1, y0, z}, {x1, y1, z}, {x0, y1, z}}});
    forces.insert(forces.end(), corner_forces.begin(), corner_forces.end());
  }

  /// View of this object; valid until it changes or goes.
  certify::StaticProblem problem() {
    body_views.clear();
    patch_views.clear();
    for (const BodyData& b : bodies) body_views.push_back({b.id, b.fixed, b.density, b.vertices, b.face_start, b.face_vertex});
    for (const PatchData& p : patches) patch_views.push_back({p.a, p.b, p.polygon, p.normal, p.mu});
    return {body_views, patch_views, gravity};
  }

  std::vector<certify::Body> body_views;
  std::vector<certify::Patch> patch_views;
};

/// A unit cube on a wide ground; each corner carries a quarter of the weight.
inline Structure block_on_ground() {
  Structure s;
  s.add_box("ground", {-1, -1, -1}, {2, 2, 0}, true);
  s.add_box("block", {0, 0, 0}, {1, 1, 1});
  const V quarter{0, 0, 1000 * 9.80665 / 4};
  s.add_bed(0, 1, {0, 1, 0, 1}, 0, {quarter, quarter, quarter, quarter});
  return s;
}

/// The same with gravity turned by an angle with the given tangent: a block on a slope that falls towards +x. The forces all use the same
/// share of the friction; the downhill corners carry more.
inline Structure block_on_slope(double tangent, double mu) {
  Structure s = block_on_ground();
  const double cosine = 1 / std::sqrt(1 + tangent * tangent), g = 9.80665, weight = 1000 * g;
  s.gravity = {g * tangent * cosine, 0, -g * cosine};
  s.patches[0].mu = mu;
  // moment about the block's base line x = 1/2: the push at half height moves the pressure downhill by tangent / 2
  const double pressure = weight * cosine, uphill = pressure * (1 - tangent) / 4, downhill = pressure * (1 + tangent) / 4;
  const auto force = [&](double n) { return V{-tangent * n, 0, n}; };
  s.forces = {force(uphill), force(downhill), force(downhill), force(uphill)};
  return s;
}

/// Two unit cubes on a ground.
inline Structure stack_of_two() {
  Structure s = block_on_ground();
  s.bodies[1].id = "lower";
  s.add_box("upper", {0, 0, 1}, {1, 1, 2});
  const double quarter = 1000 * 9.80665 / 4;
  for (V& f : s.forces) f.z = 2 * quarter;
  const V top{0, 0, quarter};
  s.add_bed(1, 2, {0, 1, 0, 1}, 1, {top, top, top, top});
  return s;
}

/// Running bond of blocks 2 x 1 x 1 on a ground: `rows` courses; every half block of length carries its own column. Head joints carry
/// nothing.
inline Structure wall(int columns, int rows) {
  Structure s;
  s.add_box("ground", {-1, 0, -1}, {2.0 * columns + 1, 1, 0}, true);
  const double half_weight = 1000 * 9.80665;  // of half a block
  std::vector<std::uint32_t> below(std::size_t(2 * columns), 0), here(below.size());
  for (int r = 0; r < rows; ++r) {
    // block edges at even halves in even courses, at odd ones (and both ends) in odd courses
    std::uint32_t last = 0;
    for (int h = 0; h < 2 * columns;) {
      const int width = r % 2 == 1 && h == 0 ? 1 : std::min(2, 2 * columns - h);
      last = s.add_box(name("r", r).append(name("h", h)), {double(h), 0, double(r)}, {double(h + width), 1, double(r + 1)});
      if (h > 0) {
        s.patches.push_back(
            {last - 1,
             last,
             {{double(h), 0, double(r)}, {double(h), 1, double(r)}, {double(h), 1, double(r + 1)}, {double(h), 0, double(r + 1)}},
             {1, 0, 0}});
        s.forces.insert(s.forces.end(), 4, V{});
      }
      for (int k = 0; k < width; ++k) here[std::size_t(h + k)] = last;
      h += width;
    }
    const V corner{0, 0, half_weight * (rows - r) / 4};
    for (int h = 0; h < 2 * columns; ++h)
      s.add_bed(below[std::size_t(h)], here[std::size_t(h)], {double(h), double(h + 1), 0, 1}, r, {corner, corner, corner, corner});
    below = here;
  }
  return s;
}

/// A chain of wedge-free links: a row of cubes pressed between two supports by `press` times the weight of one; friction carries them.
inline Structure pressed_row(int count, double press, double mu) {
  Structure s;
  s.add_box("left", {-1, 0, 0}, {0, 1, 1}, true);
  for (int i = 0; i < count; ++i) s.add_box(name("c", i), {double(i), 0, 0}, {double(i + 1), 1, 1});
  s.add_box("right", {double(count), 0, 0}, {double(count + 1), 1, 1}, true);
  const double weight = 1000 * 9.80665;
  for (int i = 0; i <= count; ++i) {
    const double x = i;
    s.patches.push_back({std::uint32_t(i), std::uint32_t(i + 1), {{x, 0, 0}, {x, 1, 0}, {x, 1, 1}, {x, 0, 1}}, {1, 0, 0}, mu});
    // the joint lifts what hangs right of it up to the middle; its moment about the row's axis moves the pressure up or down
    const double lift = weight * (count / 2.0 - i), push = press * weight;
    // bending moment of the row at the joint, by the parabola that vanishes at the ends
    const double bend = weight * i * (count - i) / 2.0;
    const double low = push / 4 - bend / 2, high = push / 4 + bend / 2;
    const auto force = [&](double n) { return V{n, 0, lift * n / push}; };
    s.forces.insert(s.forces.end(), {force(low), force(low), force(high), force(high)});
  }
  return s;
}

/// A cube that touches nothing; falls by translation.
inline Structure floating_block() {
  Structure s = block_on_ground();
  s.patches.clear();
  s.forces.clear();
  s.bodies[1].id = "cloud";
  s.velocities[1].linear = {0, 0, -1};
  return s;
}

/// A cube that reaches over the edge x = `edge` of its table, edge < 1/2; falls by turning about the edge.
inline Structure block_over_edge(double edge) {
  Structure s = block_on_ground();
  s.bodies[0] = {};
  Structure table;
  table.add_box("table", {-1, -1, -1}, {edge, 2, 0}, true);
  s.bodies[0] = table.bodies[0];
  s.patches[0].polygon = {{0, 0, 0}, {edge, 0, 0}, {edge, 1, 0}, {0, 1, 0}};
  // about the line x = edge, z = 0 along +y, clockwise seen from -y: the far end goes down
  const V spin{0, 1, 0}, arm{.5 - edge, 0, .5};
  s.velocities[1] = {outer(spin, arm), spin};
  return s;
}

/// A block on a slope steeper than its friction; falls by sliding, lifting off at the dilatancy of associated friction. The factor
/// 1 + 1e-9 keeps the velocity inside the dual cone.
inline Structure sliding_block(double tangent, double mu) {
  Structure s = block_on_slope(tangent, mu);
  s.velocities[1].linear = {1, 0, mu * (1 + 1e-9)};
  return s;
}

// ---- what must not change a verdict

/// Rotation by a unit quaternion (w, x, y, z).
struct Rotation {
  double w = 1, x = 0, y = 0, z = 0;
  V operator()(const V& p) const {
    const V axis{x, y, z}, t = scaled(2, outer(axis, p));
    return add(p, add(scaled(w, t), outer(axis, t)));
  }
};

inline Rotation random_rotation(Random& random) {
  const double a = random.gauss(), b = random.gauss(), c = random.gauss(), d = random.gauss(), n = std::sqrt(a * a + b * b + c * c + d * d);
  return {a / n, b / n, c / n, d / n};
}

template <class Point, class Direction>
void map_all(Structure& s, const Point& point, const Direction& direction) {
  for (BodyData& b : s.bodies)
    for (V& p : b.vertices) p = point(p);
  for (PatchData& p : s.patches) {
    for (V& q : p.polygon) q = point(q);
    p.normal = direction(p.normal);
  }
  for (V& f : s.forces) f = direction(f);
  for (certify::Velocity& v : s.velocities) v = {direction(v.linear), direction(v.angular)};
  s.gravity = direction(s.gravity);
}

inline Structure rotated(Structure s, const Rotation& r) {
  map_all(s, r, r);
  return s;
}

inline Structure translated(Structure s, const V& shift) {
  map_all(s, [&](const V& p) { return add(p, shift); }, [](const V& d) { return d; });
  return s;
}

/// Lengths times `factor`: forces grow with the weight, angular velocities shrink.
inline Structure resized(Structure s, double factor) {
  map_all(s, [&](const V& p) { return scaled(factor, p); }, [](const V& d) { return d; });
  for (V& f : s.forces) f = scaled(factor * factor * factor, f);
  for (certify::Velocity& v : s.velocities) v.angular = scaled(1 / factor, v.angular);
  return s;
}

inline Structure heavier(Structure s, double factor) {
  for (BodyData& b : s.bodies) b.density *= factor;
  for (V& f : s.forces) f = scaled(factor, f);
  return s;
}

/// x becomes -x; faces are wound the other way, angular velocities are pseudovectors.
inline Structure mirrored(Structure s) {
  const auto mirror = [](const V& p) { return V{-p.x, p.y, p.z}; };
  map_all(s, mirror, mirror);
  for (certify::Velocity& v : s.velocities) v.angular = scaled(-1, v.angular);
  for (BodyData& b : s.bodies)
    for (std::size_t f = 0; f + 1 < b.face_start.size(); ++f)
      std::reverse(b.face_vertex.begin() + b.face_start[f], b.face_vertex.begin() + b.face_start[f + 1]);
  return s;
}

}  // namespace trilith::test
