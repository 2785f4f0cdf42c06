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

/// Length in bytes of the UTF-8 character that `text` starts with, 0 where it starts with none (overlong and surrogate forms are none).
std::size_t utf8_length(std::string_view text);

/// `text` in double quotes for a message: at most 60 bytes, control characters and bytes that are no UTF-8 as \xNN.
std::string in_quotes(std::string_view text);

}  // namespace trilith::io
