#include "statics/changed_assembly.h"

#include "geom/polygon.h"
#include "linalg/fixed.h"

namespace trilith::statics {

void scale_joints(double factor, model::Assembly& assembly) {
  for (std::vector<model::Interface>* list : {&assembly.interfaces, &assembly.doubtful})
    for (model::Interface& face : *list) {
      const Vec3d middle = geom::polygon_centroid(face.polygon);
      for (Vec3d& p : face.polygon) p = middle + factor * (p - middle);
      face.area *= factor * factor;
      for (double& c : face.tension) c *= factor * factor;
    }
}

void scale_friction(double factor, model::Assembly& assembly) {
  for (std::vector<model::Interface>* list : {&assembly.interfaces, &assembly.doubtful})
    for (model::Interface& face : *list) face.mu *= factor;
}

void add_loads(std::span<const model::Load> live, double factor, model::Assembly& assembly) {
  for (model::Load load : live) {
    load.force = factor * load.force;
    assembly.loads.push_back(load);
  }
}

}  // namespace trilith::statics
