#pragma once
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "io/file.h"
#include "io/json.h"
#include "io/load_assembly.h"

/// A statics case of the shared reference data, for tests and benchmarks.
namespace trilith::test {

struct ReferenceCase {
  std::string name, want;                     ///< "stands", "falls", or "" where the reference does not say
  model::AssemblyInput input;                 ///< without interfaces
  std::optional<io::Json> stored_interfaces;  ///< the file of them, where there is one
};

inline const io::Json* dig(const io::Json* json, std::initializer_list<std::string_view> path) {
  for (const std::string_view key : path) json = json ? json->find(key) : nullptr;
  return json;
}

inline std::string word(const io::Json* json) { return json && json->string() ? *json->string() : ""; }

inline Vec3d vector_of(const io::Json& json) {
  const io::Json::Array& a = *json.array();
  return {*a[0].number(), *a[1].number(), *a[2].number()};
}

inline io::Json read_json(const std::filesystem::path& path) { return io::parse_json(io::read_file(path).value(), path.string()).value(); }

/// The true cone where known; else an inscribed pyramid that admits a state, or a circumscribed one that does not, decides.
inline std::string wanted_verdict(const io::Json& reference) {
  const io::Json* states = dig(&reference, {"expected", "at_mu", "force_state_exists"});
  const std::string exact = word(dig(states, {"quadratic"}));
  if (exact == "feasible") return "stands";
  if (exact == "infeasible") return "falls";
  if (word(dig(states, {"K8in"})) == "feasible") return "stands";
  return word(dig(states, {"K8circ"})) == "infeasible" || word(dig(states, {"K4circ"})) == "infeasible" ? "falls" : "";
}

/// The case in `path`; nothing where its `expected` has no number `count` ("n_blocks", "n_free") or more than `most`.
inline std::optional<ReferenceCase> read_reference_case(const std::filesystem::path& path, std::string_view count, double most) {
  const io::Json json = read_json(path);
  const io::Json* number = dig(&json, {"expected", count});
  if (!number || *number->number() > most) return std::nullopt;
  ReferenceCase c{path.stem().string(), wanted_verdict(json),
                  io::load_assembly((path.parent_path() / word(json.find("blocks"))).string()).value(), std::nullopt};
  c.input.friction = *json.find("mu")->number();
  c.input.gravity = vector_of(*json.find("gravity"));
  const io::Json& density = *json.find("density");
  for (model::BlockInput& block : c.input.blocks) {
    block.density = density.number() ? *density.number() : *density.find(block.id)->number();
    for (const io::Json& id : *json.find("fixed")->array()) block.fixed = block.fixed || *id.string() == block.id;
  }
  if (const io::Json* file = json.find("interfaces")) c.stored_interfaces = read_json(path.parent_path() / *file->string());
  return c;
}

/// The stored interfaces into `input`.
inline void add_stored_interfaces(const io::Json& list, model::AssemblyInput& input) {
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

}  // namespace trilith::test
