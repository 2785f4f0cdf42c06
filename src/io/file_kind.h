#pragma once
#include <string_view>

namespace trilith::io {

/// What the first bytes of a file say.
enum class FileKind { empty, json, text, other };

struct Sniffed {
  FileKind kind;
  std::string_view name;  ///< of `other`: "a PNG image"
};

/// Looks at the beginning of a file, never at its name.
Sniffed sniff(std::string_view text);

}  // namespace trilith::io
