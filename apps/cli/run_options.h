#pragma once
#include <span>
#include <vector>

#include "cli/arguments.h"
#include "dynamics/run_options.h"
#include "io/load_model.h"

namespace trilith::cli {

/// Options of every command that takes a state one step on: integrator, solver, contact law.
std::span<const Option> run_options();
dynamics::RunOverrides read_run_overrides(Arguments& arguments);

/// Options of every command that reads a model: gravity, floating base, mending of inertias.
std::span<const Option> model_options();
model::ModelOptions read_model_options(Arguments& arguments);

/// Where a model's other files are looked for: folders of packages.
io::LoadOptions load_options(const std::vector<std::string>& packages);

/// `own`, then the lists above.
std::vector<Option> with_run_options(std::span<const Option> own);

}  // namespace trilith::cli
