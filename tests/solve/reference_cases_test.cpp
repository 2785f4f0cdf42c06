#include "reference_case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "rungs.h"
#include "solve/connectivity.h"

// Every reference case with stored interfaces, rungs 1 to 3 and both judges. Labelled shared: skipped where the data is absent.
namespace trilith::solve {
namespace {

std::vector<std::filesystem::path> reference_files() {
  std::vector<std::filesystem::path> files;
  const auto shared = test::shared_data();
  if (!shared) return files;
  const std::filesystem::path folder = *shared / "reference" / "statics" / "open";
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json" &&
        std::filesystem::exists(folder / "blocks" / (entry.path().stem().string() + ".interfaces.json")))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// the first rung whose forces both judges accept; "none"
std::string_view deciding_rung(const model::Assembly& assembly) {
  const constraints::ContactRows contacts = constraints::make_contact_rows(assembly);
  if (!find_floating(contacts.rows).supported()) return "connectivity";
  const test::Outcome closed = test::run_closed_form(assembly);
  if (closed.solved() && test::accepted(assembly, closed)) return "closed form";
  const test::Outcome projected = test::run_projections(assembly);
  if (projected.solved() && test::accepted(assembly, projected)) return "projections";
  return projected.solved() ? "refused" : "none";
}

TEST(ReferenceCasesTest, EveryStandingCaseIsCertifiedAndNoFallingOne) {
  const std::vector<std::filesystem::path> files = reference_files();
  if (files.empty()) GTEST_SKIP() << "no shared data";
  int closed_form = 0, projections = 0, falling = 0;
  for (const std::filesystem::path& file : files) {
    const test::ReferenceCase c = test::read_reference_case(file);
    const std::string_view rung = deciding_rung(c.assembly);
    EXPECT_NE(rung, "refused") << c.name;
    closed_form += rung == "closed form";
    projections += rung == "projections";
    if (!c.stands.has_value()) continue;
    if (*c.stands) {
      EXPECT_TRUE(rung == "closed form" || rung == "projections") << c.name << " by " << rung;
    } else {
      EXPECT_TRUE(rung == "none" || rung == "connectivity") << c.name << " by " << rung;
      ++falling;
    }
  }
  RecordProperty("closed_form", closed_form);
  RecordProperty("projections", projections);
  std::printf("%zu cases: closed form %d, projections %d, falling %d\n", files.size(), closed_form, projections, falling);
  EXPECT_GE(closed_form, 9);
  EXPECT_GE(closed_form + projections, 50);
}

}  // namespace
}  // namespace trilith::solve
