#pragma once
#include <algorithm>
#include <string>

#include "certify/structures.h"
#include "model/assembly.h"
#include "results/certificate.h"

/// The structures of tests/certify as assemblies with certificates.
namespace trilith::test {

/// `interfaces_given`: as if the file listed them; else as if they were detected.
inline model::Assembly assembly_of(const Structure& s, bool interfaces_given = true) {
  model::Assembly assembly;
  assembly.source = "test.json";
  assembly.sha256 = std::string(64, 'a');
  assembly.unit = "m";
  assembly.gravity = s.gravity;
  assembly.friction = s.patches.empty() ? .84 : s.patches[0].mu;
  assembly.density = s.bodies.back().density;
  assembly.interfaces_given = interfaces_given;
  for (const BodyData& b : s.bodies) {
    V low = b.vertices[0], high = low;
    for (const V& p : b.vertices) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    model::Block block;
    block.id = b.id;
    block.mesh = {b.vertices, b.face_start, b.face_vertex};
    block.fixed = b.fixed;
    block.density = b.density;
    block.size = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
    block.box = {low, high};
    assembly.blocks.push_back(std::move(block));
  }
  for (const PatchData& p : s.patches) {
    model::Interface face;
    face.a = p.a;
    face.b = p.b;
    face.polygon = p.polygon;
    face.normal = p.normal;
    face.mu = p.mu;
    assembly.interfaces.push_back(std::move(face));
  }
  return assembly;
}

inline results::Certificate force_proof(const model::Assembly& assembly, const Structure& s) {
  return results::make_force_certificate(assembly, s.forces, {});
}
inline results::Certificate collapse_proof(const model::Assembly& assembly, const Structure& s) {
  return results::make_collapse_certificate(assembly, s.velocities, {});
}

}  // namespace trilith::test
