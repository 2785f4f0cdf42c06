#include "statics/proof_view.h"

namespace trilith::statics {

certify::Patch patch_of(const model::Interface& face) { return {face.a, face.b, face.polygon, face.normal, face.mu, face.tension}; }

ProofView::ProofView(const model::Assembly& assembly) {
  bodies_.reserve(assembly.blocks.size());
  for (const model::Block& block : assembly.blocks)
    bodies_.push_back({block.id, block.fixed, block.density, block.mesh.vertices, block.mesh.face_start, block.mesh.face_vertex});
  patches_.reserve(assembly.interfaces.size() + assembly.doubtful.size());
  for (const model::Interface& face : assembly.interfaces) patches_.push_back(patch_of(face));
  for (const model::Interface& face : assembly.doubtful) patches_.push_back(patch_of(face));
  loads_.reserve(assembly.loads.size());
  for (const model::Load& load : assembly.loads) loads_.push_back({load.block, load.force, load.point, load.at_centre});
  problem_ = {bodies_, std::span(patches_).first(assembly.interfaces.size()), assembly.gravity, loads_};
  collapse_problem_ = {bodies_, patches_, assembly.gravity, loads_};
}

}  // namespace trilith::statics
