// Contacts found from the blocks alone, against the stored polygons of an independent program. Label: shared.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "geom/polygon.h"
#include "model/find_interfaces.h"
#include "model/make_assembly.h"
#include "model/obj_blocks.h"
#include "support/shared_data.h"

namespace trilith::model {
namespace {

namespace fs = std::filesystem;
using Areas = std::map<std::pair<std::string, std::string>, double>;

nlohmann::json read_json(const fs::path& path) {
  std::ifstream file(path);
  return nlohmann::json::parse(file);
}

std::pair<std::string, std::string> pair_of(const std::string& a, const std::string& b) { return std::minmax(a, b); }

Areas stored_areas(const fs::path& path) {
  Areas areas;
  const nlohmann::json stored = read_json(path);
  for (const auto& face : stored["interfaces"]) {
    std::vector<Vec3d> polygon;
    for (const auto& p : face["points"]) polygon.push_back({p[0], p[1], p[2]});
    areas[pair_of(face["A"], face["B"])] += geom::polygon_area(polygon);
  }
  return areas;
}

Assembly read_assembly(const fs::path& folder, const nlohmann::json& data) {
  AssemblyInput input;
  input.source = data["blocks"];
  input.friction = data["mu"].get<double>();
  input.density = 1000;
  input.blocks = test::read_obj_blocks(folder / std::string(data["blocks"]));
  const std::set<std::string> fixed = data["fixed"];
  for (BlockInput& block : input.blocks) block.fixed = fixed.contains(block.id);
  Result<Assembly> made = make_assembly(std::move(input), {});
  EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.errors()[0].what);
  return made.ok() ? std::move(made).value() : Assembly{};
}

std::vector<fs::path> reference_cases() {
  std::vector<fs::path> cases;
  const auto shared = test::shared_data();
  if (!shared) return cases;
  for (const auto& entry : fs::directory_iterator(*shared / "reference/statics/open")) {
    const fs::path stored = entry.path().parent_path() / "blocks" / (entry.path().stem().string() + ".interfaces.json");
    if (entry.path().extension() == ".json" && fs::exists(stored)) cases.push_back(entry.path());
  }
  std::sort(cases.begin(), cases.end());
  return cases;
}

/// Faces that are curved or not planar: the area there depends on the tolerance of the search.
bool is_curved(const std::string& name) {
  return name.starts_with("cra_armadillo") || name.starts_with("cra_cube_curve") || name.starts_with("cra_curve_3");
}

class ReferenceContactsTest : public testing::TestWithParam<fs::path> {};

TEST_P(ReferenceContactsTest, SamePairsAndAreas) {
  const fs::path path = GetParam();
  const nlohmann::json data = read_json(path);
  Assembly assembly = read_assembly(path.parent_path(), data);
  find_interfaces(assembly, {}, 2);
  Areas found, expected = stored_areas(path.parent_path() / "blocks" / (path.stem().string() + ".interfaces.json"));
  for (const Interface& face : assembly.interfaces) {
    EXPECT_NEAR(geom::polygon_area(face.polygon), face.area, 1e-9 * face.area);
    found[pair_of(assembly.blocks[face.a].id, assembly.blocks[face.b].id)] += face.area;
  }
  const std::set<std::string> fixed = data["fixed"];
  std::erase_if(expected, [&fixed](const auto& entry) { return fixed.contains(entry.first.first) && fixed.contains(entry.first.second); });

  for (const auto& [pair, area] : expected) {
    EXPECT_TRUE(found.contains(pair)) << "missing " << pair.first << " - " << pair.second << ", area " << area;
    if (is_curved(path.stem()) || !found.contains(pair)) continue;
    EXPECT_NEAR(found[pair], area, 1e-4 * area) << pair.first << " - " << pair.second;
  }
  for (const auto& [pair, area] : found)
    EXPECT_TRUE(expected.contains(pair)) << "extra " << pair.first << " - " << pair.second << ", area " << area;
  for (const Warning& warning : assembly.warnings) RecordProperty("warning", warning.where + ": " + warning.what);
}

std::string case_name(const testing::TestParamInfo<fs::path>& info) {
  std::string name = info.param.stem();
  std::replace_if(name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ReferenceContactsTest);
INSTANTIATE_TEST_SUITE_P(Shared, ReferenceContactsTest, testing::ValuesIn(reference_cases()), case_name);

TEST(ReferenceContactsDataTest, DataIsThere) {
  if (!test::shared_data()) GTEST_SKIP() << "no shared data: contacts are not compared with the reference";
  EXPECT_FALSE(reference_cases().empty());
}

}  // namespace
}  // namespace trilith::model
