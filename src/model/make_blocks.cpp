#include <algorithm>
#include <limits>
#include <unordered_map>

#include "base/parallel.h"
#include "base/text.h"
#include "geom/mass_properties.h"
#include "geom/mesh_diagnosis.h"
#include "geom/polygon.h"
#include "linalg/fixed.h"
#include "model/assembly_steps.h"

namespace trilith::model {
namespace {

void check_ids(const std::vector<BlockInput>& blocks, Findings& findings) {
  std::unordered_map<std::string_view, const BlockInput*> seen;
  for (const BlockInput& block : blocks) {
    if (block.id.empty()) {
      findings.refuse("a block needs an id", block.where + "/id");
      continue;
    }
    const auto [first, fresh] = seen.emplace(block.id, &block);
    if (!fresh) findings.refuse("the id of " + quoted_block(block.id) + " is used before, at " + first->second->where, block.where + "/id");
  }
}

/// First coordinate that cannot be: not finite, or too large once in metres. Empty where all are fine.
std::string odd_coordinate(const geom::Mesh& mesh, double largest) {
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    for (const double x : {mesh.vertices[i].x, mesh.vertices[i].y, mesh.vertices[i].z}) {
      if (!is_finite(x)) return "vertex " + std::to_string(i + 1) + " is not a finite number";
      if (abs(x) > largest)
        return "vertex " + std::to_string(i + 1) + " lies " + format_quantity(abs(x), "m") + " from the origin, the limit is " +
               format_quantity(largest, "m");
    }
  return {};
}

/// Density of one block, flag over block over file; one error where it cannot be.
double settle_density(const BlockInput& block, const Setup& setup, const Assembly& assembly, Findings& findings) {
  if (setup.options.density || !block.density) return assembly.density;
  if (!(*block.density >= setup.limits.least_magnitude && *block.density <= setup.limits.largest_magnitude))
    findings.refuse(quoted_block(block.id) + ": " + density_rule(setup.limits) + ", got " + format_double(*block.density),
                    block.where + "/density");
  return *block.density;
}

void tell_replaced(const AssemblyInput& input, const AssemblyOptions& options, Findings& findings) {
  const auto own = std::ranges::count_if(input.blocks, [](const BlockInput& block) { return block.density.has_value(); });
  if (options.density && own > 0)
    findings.warn("--density " + format_double(*options.density) + " replaces the density of " + std::to_string(own) +
                      (own == 1 ? " block" : " blocks"),
                  "--density");
}

void tell_odd_densities(const AssemblyInput& input, const AssemblyLimits& limits, const Assembly& assembly, Findings& findings) {
  std::size_t count = 0, first = 0;
  for (std::size_t i = 0; i < assembly.blocks.size(); ++i) {
    const double density = assembly.blocks[i].density;
    if (!(density > 0) || (density >= limits.low_density && density <= limits.high_density)) continue;
    if (count++ == 0) first = i;
  }
  if (count == 0) return;
  const std::string others = count > 1 ? " and of " + std::to_string(count - 1) + " more" : "";
  findings.warn("density of " + quoted_block(assembly.blocks[first].id) + others + " is " +
                    format_quantity(assembly.blocks[first].density, "kg/m^3") + ", outside " + format_double(limits.low_density) + " to " +
                    format_double(limits.high_density),
                input.blocks[first].where);
}

}  // namespace

void make_blocks(AssemblyInput& input, const Setup& setup, Assembly& assembly, std::vector<bool>& flat, Findings& findings) {
  check_ids(input.blocks, findings);
  const std::size_t count = input.blocks.size();
  assembly.blocks.resize(count);
  flat.assign(count, false);

  // the meshes are mended side by side; what is said about them is said in their order
  std::vector<geom::MeshDiagnosis> meshes(count);
  const int threads = setup.options.threads > 0 ? setup.options.threads : hardware_threads();
  parallel_for(static_cast<std::int64_t>(count), threads, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) {
      const auto k = static_cast<std::size_t>(i);
      geom::Mesh& mesh = input.blocks[k].mesh;
      for (Vec3d& p : mesh.vertices) p = setup.scale.to_metres(p);
      std::string odd = odd_coordinate(mesh, setup.limits.largest_coordinate);
      if (odd.empty()) {
        meshes[k] = geom::diagnose_mesh(std::move(mesh), geom::MeshSettings{});
      } else {
        meshes[k].errors.push_back(std::move(odd));
      }
    }
  });

  for (std::size_t i = 0; i < count; ++i) {
    const BlockInput& given = input.blocks[i];
    for (const std::string& what : meshes[i].errors) findings.refuse(quoted_block(given.id) + ": " + what, given.where);
    for (const std::string& what : meshes[i].warnings) findings.warn(quoted_block(given.id) + ": " + what, given.where);
    Block& block = assembly.blocks[i];
    block.id = given.id;
    block.fixed = given.fixed;
    block.density = settle_density(given, setup, assembly, findings);
    block.mesh = std::move(meshes[i].mesh);
    if (!meshes[i].errors.empty()) block.mesh = {};
    block.box = geom::bounding_box(block.mesh);
    block.size = geom::longest_side(block.box);
    flat[i] = meshes[i].flat;
  }
  tell_replaced(input, setup.options, findings);
  tell_odd_densities(input, setup.limits, assembly, findings);
}

namespace {

void tell_sizes(const AssemblyLimits& limits, const Assembly& assembly, const std::string& source, Findings& findings) {
  double longest = 0, shortest = std::numeric_limits<double>::infinity(), heaviest = 0, lightest = shortest, largest = 0;
  std::string_view large;
  for (const Block& block : assembly.blocks) {
    if (block.size > largest) {
      largest = block.size;
      large = block.id;
    }
    if (block.fixed) continue;
    longest = std::max(longest, block.size);
    shortest = std::min(shortest, block.size);
    heaviest = std::max(heaviest, block.mass);
    lightest = std::min(lightest, block.mass);
  }
  if (largest > limits.large_block)
    findings.warn("the largest block, \"" + escape(large) + "\", is " + format_quantity(largest, "m") + " long; lengths are read in " +
                      assembly.unit + (assembly.unit == "m" ? " (--unit mm?)" : ""),
                  source);
  if (heaviest >= limits.mass_ratio * lightest)
    findings.warn("the heaviest free block is " + format_quantity(heaviest / lightest, "") + " times as heavy as the lightest", source);
  if (longest >= limits.length_ratio * shortest)
    findings.warn("the longest free block is " + format_quantity(longest / shortest, "") + " times as long as the shortest", source);
}

/// A sheet touches on both sides: where its faces are seen from one side only, their backs are added.
void add_back_faces(geom::Mesh& mesh) {
  Vec3d sum{0, 0, 0};
  double total = 0;
  std::vector<Vec3d> polygon;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    polygon.clear();
    for (const std::uint32_t v : mesh.face(f)) polygon.push_back(mesh.vertices[v]);
    const Vec3d area = geom::area_vector(polygon);
    sum = sum + area;
    total += norm(area);
  }
  if (norm(sum) < 0.5 * total) return;  // closed: fronts and backs cancel
  const std::size_t count = mesh.face_count();
  for (std::size_t f = 0; f < count; ++f) {
    const auto face = mesh.face(f);
    mesh.add_face(std::vector<std::uint32_t>(face.rbegin(), face.rend()));
  }
}

Vec3d vertex_mean(const geom::Mesh& mesh) {
  Vec3d sum{0, 0, 0};
  for (const Vec3d& p : mesh.vertices) sum = sum + (p - mesh.vertices[0]);
  return mesh.vertices[0] + (1.0 / static_cast<double>(mesh.vertices.size())) * sum;
}

}  // namespace

void weigh_blocks(const AssemblyInput& input, const Setup& setup, const std::vector<bool>& flat, Assembly& assembly, Findings& findings) {
  for (std::size_t i = 0; i < assembly.blocks.size(); ++i) {
    Block& block = assembly.blocks[i];
    if (block.mesh.vertices.empty()) continue;
    if (flat[i] && !block.fixed) {
      findings.refuse(quoted_block(block.id) + " is flat (its volume is zero): give it a thickness, or make it a support (fixed)",
                      input.blocks[i].where);
      continue;
    }
    if (flat[i]) {
      add_back_faces(block.mesh);
      block.com = vertex_mean(block.mesh);
      findings.warn(quoted_block(block.id) + " is flat: a support without weight, its centre is the mean of its vertices",
                    input.blocks[i].where);
      continue;
    }
    const geom::MassProperties mass = geom::measure_mass_properties(block.mesh);
    block.volume = mass.volume;
    block.com = mass.com;
    block.mass = block.density * mass.volume;
  }
  if (findings.ok()) tell_sizes(setup.limits, assembly, input.source, findings);
}

}  // namespace trilith::model
