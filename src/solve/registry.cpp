#include "solve/registry.h"

#include <vector>

#include "solve/ipopt_adapter.h"
#include "solve/osqp_adapter.h"

namespace trilith::solve {

std::span<const SolverEntry> list_solvers() {
  static const std::vector<SolverEntry> entries = {
      {"ls", "closed-form equilibrium of least norm, projected onto the cones", {}},
      {"projections", "alternating projections between equilibrium and the cones", {}},
      {"ipm", "conic interior point: a force state or a collapse", {}},
      {"admm", "operator splitting on the stacked rows: a force state or a collapse; also the engine of the penalty program", {}},
      {"osqp", "the outside library OSQP on the penalty program", osqp_availability()},
      {"ipopt", "the outside library IPOPT on the program of coupled analysis (claim cra): local, no verdict of its own",
       ipopt_availability()},
  };
  return entries;
}

const SolverEntry* find_solver(std::string_view name) {
  for (const SolverEntry& entry : list_solvers())
    if (entry.name == name) return &entry;
  return nullptr;
}

std::string why_not_available(std::string_view name) {
  const SolverEntry* entry = find_solver(name);
  if (entry == nullptr || entry->availability.available) return {};
  return std::string("solver ") + std::string(name) + " is not available: " + entry->availability.note;
}

}  // namespace trilith::solve
