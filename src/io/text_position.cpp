#include "io/text_position.h"

#include <algorithm>

#include "base/text.h"

namespace trilith::io {

TextPosition position_of(std::string_view text, std::size_t offset) {
  TextPosition position;
  std::size_t line_start = 0;
  offset = std::min(offset, text.size());
  for (std::size_t i = 0; i < offset; ++i) {
    const bool lone_return = text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n');
    if (text[i] != '\n' && !lone_return) continue;
    ++position.line;
    line_start = i + 1;
  }
  position.column = offset - line_start + 1;
  return position;
}

std::string place_in(std::string_view source, TextPosition position) {
  return std::string(source) + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
}

std::string_view name_fault(std::string_view name) {
  if (name.empty()) return "is empty";
  if (name.size() > name_limit) return "is longer than 1024 bytes";
  const bool control = std::any_of(name.begin(), name.end(), [](char c) { return (c >= 0 && c < 0x20) || c == 0x7f; });
  return control ? "holds a control character" : "";
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::size_t length = std::min(text.size(), longest);
  while (length < text.size() && length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) --length;  // whole characters
  return '"' + escape(text.substr(0, length)) + (length < text.size() ? "...\"" : "\"");
}

}  // namespace trilith::io
