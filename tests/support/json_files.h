#pragma once
#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "io/file.h"
#include "io/json.h"

namespace trilith::test {

/// A JSON file that must be good.
inline io::Json read_json_file(const std::filesystem::path& path) {
  return io::parse_json(io::read_file(path.string()).value(), path.string()).value();
}

/// All numbers of an array, or of an array of arrays, one after the other; one where there is a number, none where there is neither.
inline std::vector<double> numbers(const io::Json* json) {
  std::vector<double> out;
  if (json != nullptr && json->number() != nullptr) out.push_back(*json->number());
  if (json == nullptr || json->array() == nullptr) return out;
  for (const io::Json& entry : *json->array()) {
    const std::vector<double> inner = numbers(&entry);
    out.insert(out.end(), inner.begin(), inner.end());
  }
  return out;
}

/// Files of a folder with this ending, sorted.
inline std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder, std::string_view ending) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ending) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace trilith::test
