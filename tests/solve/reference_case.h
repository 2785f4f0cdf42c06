#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>

#include "geom/mass_properties.h"
#include "model/assembly.h"
#include "support/shared_data.h"

/// Reads the reference cases of shared data with their stored interfaces. A reader of the tests' own, so that solvers are tested without
/// the readers and the contact detection of the library.
namespace trilith::test {

struct ReferenceCase {
  std::string name;
  model::Assembly assembly;
  std::optional<bool> stands;  ///< whether a force state in the true cone exists; empty where the reference does not say
};

inline Vec3d vec(const nlohmann::json& j) { return {j.at(0), j.at(1), j.at(2)}; }

inline void read_blocks(const std::filesystem::path& file, model::Assembly& assembly) {
  std::ifstream in(file);
  std::vector<Vec3d> vertices;
  std::map<std::uint32_t, std::uint32_t> local;
  std::string line, word;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    words >> word;
    if (word == "o") {
      assembly.blocks.emplace_back();
      words >> assembly.blocks.back().id;
      local.clear();
    } else if (word == "v") {
      Vec3d v{};
      words >> v.x >> v.y >> v.z;
      vertices.push_back(v);
    } else if (word == "f") {
      geom::Mesh& mesh = assembly.blocks.back().mesh;
      std::vector<std::uint32_t> corners;
      while (words >> word) {
        const auto index = static_cast<std::uint32_t>(std::stoul(word)) - 1;
        const auto [at, is_new] = local.emplace(index, static_cast<std::uint32_t>(mesh.vertices.size()));
        if (is_new) mesh.vertices.push_back(vertices[index]);
        corners.push_back(at->second);
      }
      mesh.add_face(corners);
    }
  }
}

inline std::optional<bool> expected_to_stand(const nlohmann::json& j) {
  if (!j.contains("expected") || !j["expected"].contains("at_mu")) return {};
  const nlohmann::json& at_mu = j["expected"]["at_mu"];
  if (!at_mu.contains("force_state_exists")) return {};
  const nlohmann::json& exists = at_mu["force_state_exists"];
  if (exists.contains("quadratic")) return exists["quadratic"] == "feasible";
  if (exists.value("K8in", "") == "feasible") return true;
  if (exists.value("K8circ", "") == "infeasible" || exists.value("K4circ", "") == "infeasible") return false;
  return {};
}

inline ReferenceCase read_reference_case(const std::filesystem::path& file) {
  const nlohmann::json j = nlohmann::json::parse(std::ifstream(file));
  ReferenceCase result{j.at("name"), {}, expected_to_stand(j)};
  model::Assembly& assembly = result.assembly;
  assembly.gravity = vec(j.at("gravity"));
  read_blocks(file.parent_path() / j.at("blocks"), assembly);
  std::map<std::string, std::uint32_t> index;
  for (std::size_t i = 0; i < assembly.blocks.size(); ++i) index[assembly.blocks[i].id] = static_cast<std::uint32_t>(i);
  for (const auto& id : j.at("fixed")) assembly.blocks[index.at(id)].fixed = true;
  for (model::Block& block : assembly.blocks) {
    const geom::MassProperties m = geom::measure_mass_properties(block.mesh);
    block.density = j["density"].is_number() ? j["density"].get<double>() : j["density"].at(block.id).get<double>();
    block.volume = m.volume < 0 ? -m.volume : m.volume;
    block.mass = block.density * block.volume;
    block.com = m.com;
    block.box = geom::bounding_box(block.mesh);
    block.size = geom::longest_side(block.box);
  }
  const nlohmann::json faces = nlohmann::json::parse(std::ifstream(file.parent_path() / j.at("interfaces")));
  for (const auto& f : faces.at("interfaces")) {
    model::Interface interface;
    interface.a = index.at(f.at("A"));
    interface.b = index.at(f.at("B"));
    interface.mu = j.at("mu");
    interface.normal = unit(vec(f.at("n")));
    const Vec3d t = vec(f.at("t1"));
    interface.t1 = unit(t - dot(t, interface.normal) * interface.normal);
    interface.t2 = cross(interface.normal, interface.t1);
    for (const auto& p : f.at("points")) interface.polygon.push_back(vec(p));
    assembly.interfaces.push_back(interface);
  }
  return result;
}

}  // namespace trilith::test
