#pragma once
#include "constraints/soft_rows.h"
#include "constraints/soft_scene.h"

/// Friction losses and limits of joints and tendons. (SOFT-6, SOFT-7)
namespace trilith::constraints {

/// One row for every degree of freedom of a joint with friction loss, then one for every such tendon: the force stays within the loss.
void add_loss_rows(const SoftScene& scene, SoftRows& rows) noexcept;

/// One row for every limit that is nearer than its margin: both sides of hinges and slides, the angle of balls, then both sides of tendons.
/// The force only pushes back.
void add_limit_rows(const SoftScene& scene, SoftRows& rows) noexcept;

}  // namespace trilith::constraints
