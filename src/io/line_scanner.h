#pragma once
#include <string_view>

#include "io/text_position.h"

namespace trilith::io {

/// Walks a text line by line and word by word. Lines end with \n, \r\n or a lone \r; a backslash before the end joins two lines; `#` where
/// a word could start ends the line. The text must outlive the scanner.
class LineScanner {
 public:
  explicit LineScanner(std::string_view text);

  /// Goes to the next line, over what is left of this one; false at the end of the text.
  bool next_line();
  /// Next word of the line, empty at its end.
  std::string_view word();
  /// What is left of the line without blanks at both ends; no joining and no comments.
  std::string_view rest();

  /// Start of the last word.
  TextPosition position() const { return {word_line_, word_column_}; }
  /// Current line.
  std::size_t line() const { return line_; }

 private:
  /// Length of the line end at `p`, 0 where there is none.
  std::size_t line_end(const char* p) const;
  void skip_blanks();
  void pass_line_end(std::size_t length);

  const char* at_;
  const char* end_;
  const char* line_start_;
  std::size_t line_ = 0;
  std::size_t word_line_ = 1, word_column_ = 1;
};

/// Why `parse_double` takes `word` for no number: "is not finite", "is beyond the largest double" or "is no number ...".
std::string_view number_fault(std::string_view word);

}  // namespace trilith::io
