#include "statics/proof_view.h"

namespace trilith::statics {

ProofView::ProofView(const model::Assembly& assembly) {
  bodies_.reserve(assembly.blocks.size());
  for (const model::Block& block : assembly.blocks)
    bodies_.push_back({block.id, block.fixed, block.density, block.mesh.vertices, block.mesh.face_start, block.mesh.face_vertex});
  patches_.reserve(assembly.interfaces.size());
  for (const model::Interface& face : assembly.interfaces) patches_.push_back({face.a, face.b, face.polygon, face.normal, face.mu});
  problem_ = {bodies_, patches_, assembly.gravity};
}

}  // namespace trilith::statics
