#pragma once
#include <vector>

#include "cli/arguments.h"
#include "model/assembly.h"

namespace trilith::cli {

/// Options of every command that reads an assembly.
inline constexpr Option assembly_options[] = {
    {"--friction", "MU", "friction coefficient everywhere, instead of the file's (default .84)"},
    {"--density", "RHO", "density of every block, kg/m3, instead of the file's (default 2400)"},
    {"--gravity", "x,y,z", "gravity, m/s2 (default 0,0,-9.80665)"},
    {"--unit", "UNIT", "length unit of the file: mm, cm, m, in, ft"},
    {"--contact-gap", "G", "faces up to G of the smaller block apart are a contact (default 2e-5)"},
    {"--contact-area", "A", "contacts below A of the smaller block's longest side squared are left out (default 1e-8)"},
    {"--fixed", "ID", "make this block a support; may be repeated", true},
};

/// `own` and the assembly options, for a Syntax.
std::vector<Option> with_assembly_options(std::span<const Option> own);

model::AssemblyOptions read_assembly_options(Arguments& arguments);

/// Threads asked for by --threads, else all of the machine.
int read_threads(Arguments& arguments);

struct LoadedAssembly {
  model::Assembly assembly;
  double read_s = 0, interfaces_s = 0;
};

/// Reads, checks and, where the file lists none, finds the interfaces (unless `find` is false).
Result<LoadedAssembly> load_checked_assembly(const std::string& path, const model::AssemblyOptions& options, int threads, bool find);

}  // namespace trilith::cli
