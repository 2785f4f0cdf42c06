#pragma once
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

namespace trilith::test {

/// Folder of the reference data that is not part of the repository: $TRILITH_SHARED where it is set, else `../shared` beside the source
/// root. Empty where it is absent; a test that needs it then skips with one line: GTEST_SKIP() << "no shared data".
inline std::optional<std::filesystem::path> shared_data() {
  namespace fs = std::filesystem;
  const char* chosen = std::getenv("TRILITH_SHARED");
  fs::path folder = chosen != nullptr && *chosen != '\0' ? fs::path(chosen) : fs::path(TRILITH_SOURCE_DIR).parent_path() / "shared";
  std::error_code absent;
  if (!fs::is_directory(folder, absent)) return std::nullopt;
  return folder;
}

}  // namespace trilith::test
