#pragma once
#include <string_view>

namespace trilith::io {

/// What the first bytes of a file say.
enum class FileKind { empty, json, text, stl, ply, glb, other };

struct Sniffed {
  FileKind kind;
  std::string_view name;  ///< of `other`: "a PNG image"
};

/// Name of bytes that have no signature and are no text.
inline constexpr std::string_view binary_name = "a binary file";

/// Looks at the beginning of a file (and, for a binary STL, at its size), never at its name.
Sniffed sniff(std::string_view text);

}  // namespace trilith::io
