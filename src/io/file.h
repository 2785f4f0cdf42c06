#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trilith/result.h"

namespace trilith::io {

/// Largest file that is read, bytes.
inline constexpr std::uint64_t file_size_limit = std::uint64_t(1) << 30;

/// The bytes of a file. Directories, files beyond the limit and whatever the system refuses are errors of kind io, with the system's words.
Result<std::string> read_file(const std::string& path);

/// What was written.
struct WrittenFile {
  std::size_t bytes = 0;
};

/// Why `write_file_atomically` would refuse this path as things are now; empty where it would not.
std::vector<Error> why_not_writable(const std::string& path, bool force, std::span<const std::string> inputs = {});

/// Writes to a temporary name beside `path`, flushes it to the disk and renames it: the old file stays whole until the new one is. Nothing
/// is left behind on failure. An existing file needs `force`; a path that is one of `inputs` is always refused. Devices and pipes are
/// written straight. Errors are of kind io.
Result<WrittenFile> write_file_atomically(const std::string& path, std::string_view text, bool force,
                                          std::span<const std::string> inputs = {});

}  // namespace trilith::io
