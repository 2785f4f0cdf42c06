#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>
#include <vector>

namespace trilith {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// The token without one leading plus; empty where what follows is no digit or point (so "+-1" stays refused).
std::string_view without_plus(std::string_view token) noexcept {
  if (token.empty() || token[0] != '+') return token;
  token.remove_prefix(1);
  const bool starts = !token.empty() && (is_digit(token[0]) || token[0] == '.');
  return starts ? token : std::string_view{};
}

/// True where a well-formed number that did not fit is too small rather than too large: its first nonzero digit stands at a negative power.
bool is_tiny(std::string_view number) noexcept {
  const std::size_t e = number.find_first_of("eE");
  std::int64_t exponent = 0;
  if (e != std::string_view::npos) {
    std::string_view tail = number.substr(e + 1);
    const bool negative = !tail.empty() && tail[0] == '-';
    if (!tail.empty() && tail[0] == '+') tail.remove_prefix(1);
    const auto [end, error] = std::from_chars(tail.data(), tail.data() + tail.size(), exponent);
    if (error == std::errc::result_out_of_range) return negative;
  }
  std::string_view mantissa = number.substr(0, e);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t digit = mantissa.find_first_of("123456789");
  if (digit == std::string_view::npos) return true;
  const auto place = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(digit);
  return exponent < -place;
}

/// Length of the well-formed UTF-8 character at the start of `s`, 0 where there is none. Unicode 15, table 3-7.
std::size_t utf8_length(std::string_view s) noexcept {
  const auto byte = [&](std::size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u; };
  const auto tail = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xbf) { return byte(i) >= low && byte(i) <= high; };
  const unsigned b = byte(0);
  if (s.empty()) return 0;
  if (b < 0x80) return 1;
  if (b >= 0xc2 && b <= 0xdf) return tail(1) ? 2 : 0;
  if (b >= 0xe0 && b <= 0xef) {
    const bool second = tail(1, b == 0xe0 ? 0xa0 : 0x80, b == 0xed ? 0x9f : 0xbf);
    return second && tail(2) ? 3 : 0;
  }
  if (b >= 0xf0 && b <= 0xf4) {
    const bool second = tail(1, b == 0xf0 ? 0x90 : 0x80, b == 0xf4 ? 0x8f : 0xbf);
    return second && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

void append_escaped(std::string& text, unsigned char c) {
  switch (c) {
    case '\n':
      text += "\\n";
      return;
    case '\r':
      text += "\\r";
      return;
    case '\t':
      text += "\\t";
      return;
    case '\\':
      text += "\\\\";
      return;
    default:
      break;
  }
  text += "\\x";
  text += "0123456789abcdef"[c >> 4];
  text += "0123456789abcdef"[c & 15];
}

/// Control characters of both ranges: C0 and DEL, and C1 (U+0080 to U+009F, two bytes in UTF-8).
bool is_control(std::string_view character) noexcept {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7f;
  return character.size() == 2 && first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
}

}  // namespace

std::optional<double> parse_double(std::string_view token) noexcept {
  token = without_plus(token);
  double value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (token.empty() || end != token.data() + token.size() || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    const bool negative = token[0] == '-';
    if (!is_tiny(token.substr(negative ? 1 : 0))) return std::nullopt;
    return negative ? -0.0 : 0.0;
  }
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_int(std::string_view token) noexcept {
  token = without_plus(token);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (token.empty() || end != token.data() + token.size() || error != std::errc{}) return std::nullopt;
  return value;
}

void append_double(std::string& text, double value) {
  std::array<char, 32> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  if (value != value) {
    text += "nan";
  } else {
    text.append(buffer.data(), end);
  }
}

std::string format_double(double value) {
  std::string text;
  append_double(text, value);
  return text;
}

std::string format_quantity(double value, std::string_view unit) {
  constexpr int digits = 4;
  std::array<char, 64> buffer;
  char* const last = buffer.data() + buffer.size();
  // round to the digits shown, then read the power of ten of the rounded number
  auto written = std::to_chars(buffer.data(), last, value, std::chars_format::scientific, digits - 1);
  std::string text(buffer.data(), written.ptr);
  const std::size_t e = text.find('e');
  if (value != value) {
    text = "nan";
  } else if (e != std::string::npos) {
    const int power = static_cast<int>(*parse_int(std::string_view(text).substr(e + 1)));
    const double rounded = *parse_double(text);
    if (power >= -4 && power < 7) {
      written = std::to_chars(buffer.data(), last, rounded, std::chars_format::fixed);
    } else {
      written = std::to_chars(buffer.data(), last, rounded, std::chars_format::scientific);
    }
    text.assign(buffer.data(), written.ptr);
  }
  if (text == "-0") text = "0";
  if (!unit.empty()) text.append(" ").append(unit);
  return text;
}

int edit_distance(std::string_view a, std::string_view b) {
  // three rows of the table of optimal string alignment
  const std::size_t width = b.size() + 1;
  std::vector<int> before(width), above(width), now(width);
  for (std::size_t j = 0; j < width; ++j) above[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = static_cast<int>(i);
    for (std::size_t j = 1; j < width; ++j) {
      const int change = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      now[j] = std::min({change, above[j] + 1, now[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, now);
  }
  return above[b.size()];
}

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> candidates) {
  std::string_view best;
  int best_distance = -1;
  for (const std::string_view candidate : candidates) {
    const int allowed = std::max(1, static_cast<int>(std::max(name.size(), candidate.size()) / 3));
    const int distance = edit_distance(name, candidate);
    if (distance > allowed || (best_distance >= 0 && distance >= best_distance)) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

std::string escape(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, length > 0 ? length : 1);
    if (length == 0 || character == "\\" || is_control(character)) {
      for (const char c : character) append_escaped(result, static_cast<unsigned char>(c));
    } else {
      result += character;
    }
    text.remove_prefix(character.size());
  }
  return result;
}

bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace trilith
