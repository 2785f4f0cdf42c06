// Reference assemblies of the shared data: no wrong verdict, with the interfaces of the file and with those found here. Skipped where
// absent.
#include <algorithm>
#include <filesystem>

#include "gtest/gtest.h"
#include "io/file.h"
#include "io/json.h"
#include "io/load_assembly.h"
#include "model/find_interfaces.h"
#include "model/make_assembly.h"
#include "statics/check.h"
#include "support/shared_data.h"

namespace trilith {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t largest_case = 2000;  // blocks; larger ones belong to the benchmarks

const io::Json* dig(const io::Json* json, std::initializer_list<std::string_view> path) {
  for (const std::string_view key : path) json = json ? json->find(key) : nullptr;
  return json;
}

std::string word(const io::Json* json) { return json && json->string() ? *json->string() : ""; }

/// The true cone where known; else an inscribed pyramid that admits a state, or a circumscribed one that does not, decides.
std::string wanted(const io::Json& reference) {
  const io::Json* states = dig(&reference, {"expected", "at_mu", "force_state_exists"});
  const std::string exact = word(dig(states, {"quadratic"}));
  if (exact == "feasible") return "stands";
  if (exact == "infeasible") return "falls";
  if (word(dig(states, {"K8in"})) == "feasible") return "stands";
  return word(dig(states, {"K8circ"})) == "infeasible" || word(dig(states, {"K4circ"})) == "infeasible" ? "falls" : "";
}

Vec3d vector_of(const io::Json& json) {
  const io::Json::Array& a = *json.array();
  return {*a[0].number(), *a[1].number(), *a[2].number()};
}

void add_given_interfaces(const io::Json& list, model::AssemblyInput& input) {
  auto& faces = input.interfaces.emplace();
  for (const io::Json& row : *list.find("interfaces")->array()) {
    model::InterfaceInput& face = faces.emplace_back();
    face.a = word(row.find("A"));
    face.b = word(row.find("B"));
    for (const io::Json& point : *row.find("points")->array()) face.polygon.push_back(vector_of(point));
    face.normal = vector_of(*row.find("n"));
    face.t1 = vector_of(*row.find("t1"));
    face.where = "interfaces";
  }
}

struct ReferenceCase {
  std::string name, want;
  model::AssemblyInput input;
  std::optional<io::Json> interfaces;
};

io::Json read_json(const fs::path& path) { return io::parse_json(io::read_file(path).value(), path.string()).value(); }

std::optional<ReferenceCase> read_case(const fs::path& path) {
  const io::Json json = read_json(path);
  const io::Json* count = dig(&json, {"expected", "n_blocks"});
  if (!count || *count->number() > largest_case) return std::nullopt;
  ReferenceCase c{
      path.stem().string(), wanted(json), io::load_assembly((path.parent_path() / word(json.find("blocks"))).string()).value(), {}};
  c.input.friction = *json.find("mu")->number();
  c.input.gravity = vector_of(*json.find("gravity"));
  const io::Json& density = *json.find("density");
  for (model::BlockInput& block : c.input.blocks) {
    block.density = density.number() ? *density.number() : *density.find(block.id)->number();
    for (const io::Json& id : *json.find("fixed")->array()) block.fixed = block.fixed || *id.string() == block.id;
  }
  if (const io::Json* file = json.find("interfaces")) c.interfaces = read_json(path.parent_path() / *file->string());
  return c;
}

std::vector<ReferenceCase> read_cases(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<ReferenceCase> cases;
  for (const fs::path& file : files)
    if (auto c = read_case(file)) cases.push_back(std::move(*c));
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
  for (const ReferenceCase& c : read_cases(*shared / "reference/statics/open")) {
    model::AssemblyInput given = c.input;
    if (c.interfaces) add_given_interfaces(*c.interfaces, given);
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
