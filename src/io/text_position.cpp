#include "io/text_position.h"

#include <algorithm>

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

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  // the second byte rules out overlong forms, surrogates and what lies beyond U+10FFFF
  const unsigned second = byte(1);
  const bool bad = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) || (lead == 0xf0 && second < 0x90) ||
                   (lead == 0xf4 && second > 0x8f);
  return bad ? 0 : length;
}

std::string in_quotes(std::string_view text) {
  static constexpr char hex[] = "0123456789abcdef";
  constexpr std::size_t longest = 60;
  std::string out = "\"";
  std::size_t i = 0;
  while (i < text.size() && i < longest) {
    const std::size_t length = utf8_length(text.substr(i));
    const auto c = static_cast<unsigned char>(text[i]);
    if (length == 0 || c < 0x20 || c == 0x7f) {
      out += "\\x";
      out += hex[c >> 4];
      out += hex[c & 15];
      ++i;
    } else {
      out += text.substr(i, length);
      i += length;
    }
  }
  if (i < text.size()) out += "...";
  return out + "\"";
}

}  // namespace trilith::io
