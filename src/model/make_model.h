#pragma once
#include "model/model.h"

namespace trilith::model {

/// Checks what a reader has filled, resolves references, takes inertias from shapes, lays out coordinates (depth first in file order) and
/// degrees of freedom. Every problem is told, up to `max_errors`; every alteration is a warning in the model.
Result<Model> make_model(ModelInput input, const ModelOptions& options = {});

}  // namespace trilith::model
