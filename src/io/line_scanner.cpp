#include "io/line_scanner.h"

#include <charconv>

namespace trilith::io {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

}  // namespace

LineScanner::LineScanner(std::string_view text) : at_(text.data()), end_(text.data() + text.size()), line_start_(text.data()) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) at_ += byte_order_mark.size();
}

std::size_t LineScanner::line_end(const char* p) const {
  if (p == end_) return 0;
  if (*p == '\n') return 1;
  if (*p != '\r') return 0;
  return p + 1 != end_ && p[1] == '\n' ? 2 : 1;
}

void LineScanner::pass_line_end(std::size_t length) {
  at_ += length;
  line_start_ = at_;
  ++line_;
}

bool LineScanner::next_line() {
  if (line_ == 0) {
    line_ = 1;
    return at_ != end_;
  }
  while (at_ != end_ && *at_ != '\n' && *at_ != '\r') ++at_;
  if (at_ == end_) return false;
  pass_line_end(line_end(at_));
  return at_ != end_;
}

void LineScanner::skip_blanks() {
  for (;;) {
    while (at_ != end_ && is_blank(*at_)) ++at_;
    if (at_ == end_ || *at_ != '\\') return;
    const std::size_t length = line_end(at_ + 1);
    if (length == 0) return;
    pass_line_end(length + 1);
  }
}

std::string_view LineScanner::word() {
  skip_blanks();
  word_line_ = line_;
  word_column_ = static_cast<std::size_t>(at_ - line_start_) + 1;
  const char* const start = at_;
  if (at_ != end_ && *at_ == '#') return {};
  while (at_ != end_ && !is_blank(*at_) && *at_ != '\n' && *at_ != '\r') {
    if (*at_ == '\\' && line_end(at_ + 1) != 0) break;
    ++at_;
  }
  return {start, static_cast<std::size_t>(at_ - start)};
}

std::string_view LineScanner::rest() {
  while (at_ != end_ && is_blank(*at_)) ++at_;
  const char* const start = at_;
  while (at_ != end_ && *at_ != '\n' && *at_ != '\r') ++at_;
  const char* stop = at_;
  while (stop != start && is_blank(stop[-1])) --stop;
  return {start, static_cast<std::size_t>(stop - start)};
}

std::string_view number_fault(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, code] = std::from_chars(word.data(), end, value);
  if (stop != end || code == std::errc::invalid_argument) return "is no number (the decimal sign is a point)";
  return code == std::errc::result_out_of_range ? "is beyond the largest double" : "is not finite";
}

}  // namespace trilith::io
