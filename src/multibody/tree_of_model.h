#pragma once
#include "model/model.h"
#include "multibody/tree.h"

namespace trilith::multibody {

/// The tree of an articulated model. `body(b)` of the tree is body b of the model (0: the world), also where a body has no joints and is
/// part of its parent's link. Coordinates and degrees of freedom are numbered as the model's joints are (`Joint::q`, `Joint::v`); a joint
/// with coordinates q moves link `dof_link(v)`. A body with several joints becomes a chain of links of which the last has its mass; a free
/// joint a translation and a ball. A mocap body is fixed to the world in its pose of the file: who moves it poses it.
Tree make_tree(const model::Model& model);

/// The plain list behind it.
TreeInput tree_input_of(const model::Model& model);

}  // namespace trilith::multibody
