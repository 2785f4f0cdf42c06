#pragma once
#include <string>
#include <string_view>

namespace trilith::io {

/// A place in a text, both counted from 1. Columns count bytes.
struct TextPosition {
  std::size_t line = 1, column = 1;
};

/// Line and column of byte `offset` (at most the size of the text). Lines end with \n, \r\n or \r.
TextPosition position_of(std::string_view text, std::size_t offset);

/// "source:line:column".
std::string place_in(std::string_view source, TextPosition position);

/// Longest name of a block, bytes: names are keys in paths and reports.
inline constexpr std::size_t name_limit = 1024;

/// Why `name` cannot name a block ("is empty", "holds a control character", ...); empty where it can.
std::string_view name_fault(std::string_view name);

/// `text` in double quotes for a message: escaped, and cut behind 60 bytes.
std::string in_quotes(std::string_view text);

}  // namespace trilith::io
