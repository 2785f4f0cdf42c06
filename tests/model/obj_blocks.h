#pragma once
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "model/assembly.h"

namespace trilith::test {

/// Blocks of an OBJ file with one `o` line per block, vertices of one block only in its faces; positive or negative indices.
inline std::vector<model::BlockInput> read_obj_blocks(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<model::BlockInput> blocks;
  std::vector<Vec3d> all;
  std::size_t first = 0;
  const auto start = [&](const std::string& id) {
    blocks.push_back({});
    blocks.back().id = id;
    blocks.back().where = path.filename().string() + "#" + id;
    first = all.size();
  };
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "o") {
      words >> word;
      start(word);
    } else if (word == "v") {
      if (blocks.empty()) start(path.stem().string());
      Vec3d p{};
      words >> p.x >> p.y >> p.z;
      all.push_back(p);
      blocks.back().mesh.vertices.push_back(p);
    } else if (word == "f") {
      std::vector<std::uint32_t> corners;
      while (words >> word) {
        const long index = std::stol(word);
        corners.push_back(
            static_cast<std::uint32_t>((index > 0 ? index - 1 : static_cast<long>(all.size()) + index) - static_cast<long>(first)));
      }
      blocks.back().mesh.add_face(corners);
    }
  }
  return blocks;
}

}  // namespace trilith::test
