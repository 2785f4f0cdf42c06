// Contact patches of an assembly as normalised rows (RBE-1, RBE-2, RBE-5), (LIM-1).
#include "constraints/contact_rows.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "geom/mass_properties.h"
#include "linalg/fixed.h"

namespace trilith::constraints {
namespace {

// loads beyond one over this of the weight set the scale of forces, as they do for the judge (RBE-5)
constexpr double heavy_load_share = 1e-2;

// distance from the origin, in block sizes, from which centres of mass are measured locally: there rounding reaches 1e-13 sizes
constexpr double far_in_sizes = 1e3;

void number_bodies(const model::Assembly& assembly, ContactRows& contacts) {
  contacts.body_of_block.assign(assembly.blocks.size(), -1);
  for (std::size_t block = 0; block < assembly.blocks.size(); ++block) {
    if (assembly.blocks[block].fixed) continue;
    contacts.body_of_block[block] = static_cast<int>(contacts.block_of_body.size());
    contacts.block_of_body.push_back(static_cast<int>(block));
  }
}

/// Root of the sum of the squares of the loads on free blocks, N; taken of shares of the largest, so that none is lost.
double size_of_loads(const model::Assembly& assembly) {
  double largest = 0, squares = 0;
  const auto is_carried = [&](const model::Load& load) { return !assembly.blocks[load.block].fixed; };
  for (const model::Load& load : assembly.loads)
    if (is_carried(load)) largest = std::max(largest, std::max({std::abs(load.force.x), std::abs(load.force.y), std::abs(load.force.z)}));
  if (!(largest > 0)) return 0;
  for (const model::Load& load : assembly.loads)
    if (is_carried(load)) squares += dot((1 / largest) * load.force, (1 / largest) * load.force);
  return largest * sqrt(squares);
}

// (RBE-5)
void choose_scales(const model::Assembly& assembly, ContactRows& contacts) {
  double mass = 0, size = 0;
  for (const int block : contacts.block_of_body) {
    mass += assembly.blocks[static_cast<std::size_t>(block)].mass;
    size += assembly.blocks[static_cast<std::size_t>(block)].size;
  }
  const double count = static_cast<double>(std::max<std::size_t>(1, contacts.block_of_body.size()));
  const double weight = mass / count * norm(assembly.gravity);
  contacts.weight_N = std::max(weight, (weight > 0 ? heavy_load_share : 1) * size_of_loads(assembly) / count);
  if (!(contacts.weight_N > 0)) contacts.weight_N = 1;
  if (size > 0) contacts.length_m = size / count;
}

void write_load(const model::Assembly& assembly, ContactRows& contacts) {
  contacts.load.assign(6 * contacts.block_of_body.size(), 0.0);
  for (std::size_t body = 0; body < contacts.block_of_body.size(); ++body) {
    const double scale = -assembly.blocks[static_cast<std::size_t>(contacts.block_of_body[body])].mass / contacts.weight_N;
    contacts.load[6 * body] = scale * assembly.gravity.x;
    contacts.load[6 * body + 1] = scale * assembly.gravity.y;
    contacts.load[6 * body + 2] = scale * assembly.gravity.z;
  }
}

/// A centre of mass as base + offset, so that differences with nearby points keep their digits far from the origin.
struct Centre {
  Vec3d base{}, offset{};
  Vec3d to(const Vec3d& point) const { return (point - base) - offset; }
};

// far from the origin a rounded world position of the centre costs digits of every arm: measure it about a vertex of the block instead
Centre find_centre(const model::Block& block) {
  const Vec3d c = block.com;
  if (block.mesh.vertices.empty() || norm(c) <= far_in_sizes * block.size) return {c, {}};
  geom::Mesh local = block.mesh;
  const Vec3d base = local.vertices.front();
  for (Vec3d& vertex : local.vertices) vertex = vertex - base;
  return {base, geom::measure_mass_properties(local).com};
}

// lists the interfaces that carry unknown forces; returns their numbers of points
std::vector<int> choose_patches(const model::Assembly& assembly, ContactRows& contacts) {
  std::vector<int> points;
  points.reserve(assembly.interfaces.size());
  contacts.interface_of_patch.reserve(assembly.interfaces.size());
  contacts.first_vertex.reserve(assembly.interfaces.size() + 1);
  contacts.first_vertex.push_back(0);
  for (std::size_t i = 0; i < assembly.interfaces.size(); ++i) {
    const model::Interface& interface = assembly.interfaces[i];
    const int vertices = static_cast<int>(interface.polygon.size());
    contacts.first_vertex.push_back(contacts.first_vertex.back() + vertices);
    if (vertices == 0 || (assembly.blocks[interface.a].fixed && assembly.blocks[interface.b].fixed)) continue;
    contacts.interface_of_patch.push_back(static_cast<int>(i));
    points.push_back(vertices);
  }
  return points;
}

// `points` is scratch, at least as long as the polygon
rows::PatchDescription describe(const model::Interface& interface, const ContactRows& contacts, std::span<const Centre> centres,
                                std::span<Vec3d> points) {
  const double scale = 1 / contacts.length_m;
  const Vec3d origin = interface.polygon.front(), n = interface.normal, t1 = interface.t1, t2 = interface.t2;
  rows::PatchDescription patch;
  patch.block_a = contacts.body_of_block[interface.a];
  patch.block_b = contacts.body_of_block[interface.b];
  patch.axes = {{n.x, t1.x, t2.x, n.y, t1.y, t2.y, n.z, t1.z, t2.z}};
  patch.arm_a = scale * centres[interface.a].to(origin);
  patch.arm_b = scale * centres[interface.b].to(origin);
  patch.mu = interface.mu;
  for (std::size_t i = 0; i < interface.polygon.size(); ++i) {
    const Vec3d d = scale * (interface.polygon[i] - origin);
    points[i] = {dot(d, n), dot(d, t1), dot(d, t2)};
  }
  patch.points = points.first(interface.polygon.size());
  return patch;
}

void add_force(double* wrench, const Vec3d& force, const Vec3d& arm) {
  const Vec3d moment = cross(arm, force);
  const double parts[6] = {force.x, force.y, force.z, moment.x, moment.y, moment.z};
  for (int i = 0; i < 6; ++i) wrench[i] += parts[i];
}

/// The pull that joints can carry: g = f + c n lies in the plain cones, and A c n joins the load. (LIM-1)
void write_shift(const model::Assembly& assembly, std::span<const Centre> centres, ContactRows& contacts) {
  for (int patch = 0; patch < contacts.rows.patches(); ++patch) {
    const model::Interface& face =
        assembly.interfaces[static_cast<std::size_t>(contacts.interface_of_patch[static_cast<std::size_t>(patch)])];
    if (face.tension.empty()) continue;
    if (contacts.shift.empty()) contacts.shift.assign(contacts.rows.size(), 0.0);
    for (std::size_t i = 0; i < face.tension.size(); ++i) {
      const double c = face.tension[i] / contacts.weight_N;
      contacts.shift[contacts.rows.row(patch, static_cast<int>(i))] = c;
      contacts.capacity += c;
      for (const auto& [block, sign] : {std::pair{face.a, -1.0}, {face.b, 1.0}}) {
        const int body = contacts.body_of_block[block];
        if (body < 0) continue;
        const Vec3d arm = (1 / contacts.length_m) * centres[block].to(face.polygon[i]);
        add_force(contacts.load.data() + 6 * body, sign * c * face.normal, arm);
      }
    }
  }
}

}  // namespace

void add_load(const ContactRows& contacts, const model::Assembly& assembly, const model::Load& load, double factor,
              std::span<double> vector) {
  const int body = contacts.body_of_block[load.block];
  if (body < 0) return;
  Vec3d arm{0, 0, 0};
  if (!load.at_centre) arm = (1 / contacts.length_m) * find_centre(assembly.blocks[load.block]).to(load.point);
  add_force(vector.data() + 6 * body, (-factor / contacts.weight_N) * load.force, arm);
}

void drop_pull(ContactRows& contacts, const model::Assembly& assembly) {
  if (contacts.shift.empty()) return;
  contacts.shift.clear();
  contacts.capacity = 0;
  write_load(assembly, contacts);
  for (const model::Load& load : assembly.loads) add_load(contacts, assembly, load, 1, contacts.load);
}

ContactRows make_contact_rows(const model::Assembly& assembly) {
  ContactRows contacts;
  number_bodies(assembly, contacts);
  choose_scales(assembly, contacts);
  write_load(assembly, contacts);
  const std::vector<int> points = choose_patches(assembly, contacts);
  contacts.rows = rows::PatchRows(static_cast<int>(contacts.block_of_body.size()), points);
  std::vector<Centre> centres(assembly.blocks.size());
  for (const int block : contacts.block_of_body)
    centres[static_cast<std::size_t>(block)] = find_centre(assembly.blocks[static_cast<std::size_t>(block)]);
  std::vector<Vec3d> scratch(points.empty() ? 0 : static_cast<std::size_t>(*std::max_element(points.begin(), points.end())));
  for (int patch = 0; patch < contacts.rows.patches(); ++patch) {
    const int i = contacts.interface_of_patch[static_cast<std::size_t>(patch)];
    contacts.rows.set(patch, describe(assembly.interfaces[static_cast<std::size_t>(i)], contacts, centres, scratch));
  }
  for (const int block : contacts.block_of_body)
    contacts.total += assembly.blocks[static_cast<std::size_t>(block)].mass * norm(assembly.gravity) / contacts.weight_N;
  for (const model::Load& load : assembly.loads) {
    add_load(contacts, assembly, load, 1, contacts.load);
    contacts.total += norm(load.force) / contacts.weight_N;
  }
  write_shift(assembly, centres, contacts);
  return contacts;
}

std::vector<double> make_mass_blocks(const ContactRows& contacts, const model::Assembly& assembly) {
  const double gravity = norm(assembly.gravity), length = contacts.length_m;
  std::vector<double> blocks(36 * contacts.block_of_body.size(), 0.0);
  for (std::size_t body = 0; body < contacts.block_of_body.size(); ++body) {
    const model::Block& block = assembly.blocks[static_cast<std::size_t>(contacts.block_of_body[body])];
    const Mat3d inertia = geom::measure_mass_properties(block.mesh).inertia;
    double* out = blocks.data() + 36 * body;
    for (std::size_t i = 0; i < 3; ++i) {
      out[7 * i] = block.mass * gravity / contacts.weight_N;
      for (std::size_t j = 0; j < 3; ++j)
        out[6 * (3 + i) + 3 + j] = block.density * gravity / (contacts.weight_N * length * length) * inertia.m[3 * i + j];
    }
  }
  return blocks;
}

void write_forces(const ContactRows& contacts, std::span<const double> force, std::span<Vec3d> contact_N) {
  TRI_CHECK(force.size() == contacts.rows.size());
  TRI_CHECK(contact_N.size() == static_cast<std::size_t>(contacts.first_vertex.back()));
  std::fill(contact_N.begin(), contact_N.end(), Vec3d{});
  for (int patch = 0; patch < contacts.rows.patches(); ++patch) {
    const auto interface = static_cast<std::size_t>(contacts.interface_of_patch[static_cast<std::size_t>(patch)]);
    Vec3d* out = contact_N.data() + contacts.first_vertex[interface];
    for (int point = 0; point < contacts.rows.points_of(patch); ++point) {
      const std::size_t row = contacts.rows.row(patch, point);
      const double* from = force.data() + row;
      const double pressure = contacts.shift.empty() ? from[0] : from[0] - contacts.shift[row];
      out[point] = contacts.weight_N * Vec3d{pressure, from[rows::patch_lanes], from[2 * rows::patch_lanes]};
    }
  }
}

void write_world_forces(const ContactRows& contacts, const model::Assembly& assembly, std::span<const double> force,
                        std::span<Vec3d> world_N) {
  TRI_CHECK(contacts.first_vertex.size() == assembly.interfaces.size() + 1);
  write_forces(contacts, force, world_N);
  for (std::size_t i = 0; i < assembly.interfaces.size(); ++i) {
    const model::Interface& interface = assembly.interfaces[i];
    for (int v = contacts.first_vertex[i]; v < contacts.first_vertex[i + 1]; ++v) {
      Vec3d& f = world_N[static_cast<std::size_t>(v)];
      f = f.x * interface.normal + f.y * interface.t1 + f.z * interface.t2;
    }
  }
}

void write_rows(const ContactRows& contacts, std::span<const Vec3d> contact_N, std::span<double> force) {
  TRI_CHECK(force.size() == contacts.rows.size());
  TRI_CHECK(contact_N.size() == static_cast<std::size_t>(contacts.first_vertex.back()));
  std::fill(force.begin(), force.end(), 0.0);
  const double scale = 1 / contacts.weight_N;
  for (int patch = 0; patch < contacts.rows.patches(); ++patch) {
    const auto interface = static_cast<std::size_t>(contacts.interface_of_patch[static_cast<std::size_t>(patch)]);
    const Vec3d* from = contact_N.data() + contacts.first_vertex[interface];
    for (int point = 0; point < contacts.rows.points_of(patch); ++point) {
      const std::size_t row = contacts.rows.row(patch, point);
      double* to = force.data() + row;
      to[0] = scale * from[point].x + (contacts.shift.empty() ? 0 : contacts.shift[row]);
      to[rows::patch_lanes] = scale * from[point].y;
      to[2 * rows::patch_lanes] = scale * from[point].z;
    }
  }
}

void write_velocities(const ContactRows& contacts, std::span<const double> velocity, std::span<Vec3d> linear, std::span<Vec3d> angular) {
  TRI_CHECK(velocity.size() == 6 * contacts.block_of_body.size());
  TRI_CHECK(linear.size() == contacts.body_of_block.size() && angular.size() == linear.size());
  const double turn = 1 / contacts.length_m;
  for (std::size_t block = 0; block < linear.size(); ++block) {
    linear[block] = angular[block] = {};
    if (contacts.body_of_block[block] < 0) continue;
    const double* y = velocity.data() + 6 * contacts.body_of_block[block];
    linear[block] = {y[0], y[1], y[2]};
    angular[block] = turn * Vec3d{y[3], y[4], y[5]};
  }
}

}  // namespace trilith::constraints
