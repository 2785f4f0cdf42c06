// Two posts and a lintel made in code, checked, and the verdict with what it rests on.
#include <cstdio>

#include "model/find_interfaces.h"
#include "model/generate.h"
#include "model/make_assembly.h"
#include "statics/check.h"

using namespace trilith;  // NOLINT(google-build-using-namespace): a program of one page

int main() {
  // any meshes will do: fill a model::AssemblyInput, or take a generated one
  model::AssemblyInput input = model::generate_portal({.span = 1.5});
  input.friction = 0.7;
  input.density = 2400;

  // checks everything, converts to SI units; or says what is wrong, and where in the data
  auto made = model::make_assembly(std::move(input), {});
  if (!made) {
    for (const Error& error : made.errors()) std::printf("%s: %s\n", error.where.c_str(), error.what.c_str());
    return 65;
  }
  model::Assembly assembly = std::move(made).value();
  model::find_interfaces(assembly, {}, 1);

  const statics::CheckResult result = statics::check(assembly, {});
  std::printf("%s: %s\n", std::string(name(result.verdict)).c_str(), result.verification.statement.c_str());
  const std::vector<Vec3d> loads = statics::support_reactions(assembly, result);
  for (std::size_t i = 0; i < loads.size(); ++i)
    if (assembly.blocks[i].fixed) std::printf("%s carries %.0f N\n", assembly.blocks[i].id.c_str(), -loads[i].z);
  return result.verdict == Verdict::stands ? 0 : 1;
}
