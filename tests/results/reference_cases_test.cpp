// Reference assemblies of the shared data: no wrong verdict, with the interfaces of the file and with those found here. Skipped where
// absent.
#include <algorithm>
#include <filesystem>

#include "gtest/gtest.h"
#include "model/find_interfaces.h"
#include "model/make_assembly.h"
#include "statics/check.h"
#include "support/reference_case.h"
#include "support/shared_data.h"

namespace trilith {
namespace {

namespace fs = std::filesystem;
constexpr double largest_case = 2000;  // blocks; larger ones belong to the benchmarks

std::vector<test::ReferenceCase> read_cases(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<test::ReferenceCase> cases;
  for (const fs::path& file : files)
    if (auto c = test::read_reference_case(file, "n_blocks", largest_case)) cases.push_back(std::move(*c));
  return cases;
}

Verdict judge(model::AssemblyInput input) {
  auto assembly = model::make_assembly(std::move(input), {});
  if (!assembly.ok()) {
    ADD_FAILURE() << assembly.errors()[0].where << ": " << assembly.errors()[0].what;
    return Verdict::undecided;
  }
  if (!assembly.value().interfaces_given) model::find_interfaces(assembly.value(), {}, 1);
  return statics::check(assembly.value(), {}).verdict;
}

TEST(ReferenceCasesTest, NoVerdictIsWrongAndAlmostAllAreDecided) {
  const auto shared = test::shared_data();
  if (!shared) GTEST_SKIP() << "no shared data";
  int decided = 0, total = 0;
  for (const test::ReferenceCase& c : read_cases(*shared / "reference/statics/open")) {
    model::AssemblyInput given = c.input;
    if (c.stored_interfaces) test::add_stored_interfaces(*c.stored_interfaces, given);
    for (const Verdict got : {judge(given), judge(c.input)}) {
      ++total;
      if (got == Verdict::undecided || c.want.empty()) continue;
      EXPECT_EQ(name(got), c.want) << c.name;
      ++decided;
    }
  }
  EXPECT_GE(total, 140);
  EXPECT_GE(decided, 138);
}

}  // namespace
}  // namespace trilith
