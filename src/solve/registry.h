#pragma once
#include <span>
#include <string>
#include <string_view>

namespace trilith::solve {

/// Whether a solver can be used in this build, on this machine.
struct Availability {
  bool available = true;
  std::string note;  ///< version of an outside library, or why it cannot be used; empty for our own
};

/// A solver that a command may be asked for by name.
struct SolverEntry {
  std::string_view name;  ///< the word of `--solver`
  std::string_view what;  ///< one line for help texts
  Availability availability;
};

/// Every solver, cheapest first; outside ones are listed whether or not they were found, so that asking for one can be refused with the
/// reason and never falls back to another in silence.
std::span<const SolverEntry> list_solvers();

/// nullptr where there is no such name.
const SolverEntry* find_solver(std::string_view name);

/// "solver osqp is not available: ..." where it is known but cannot be used; empty where it can.
std::string why_not_available(std::string_view name);

}  // namespace trilith::solve
