#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace trilith {

/// The number that the whole token spells ("1", "-2.5e-3", "+4."): nothing before, nothing after, no locale, correctly rounded, decimal
/// only. Too small becomes a zero of its sign; too large, infinite, NaN and anything else: none.
std::optional<double> parse_double(std::string_view token) noexcept;
/// The decimal integer that the whole token spells, with an optional sign; none where it does not fit.
std::optional<std::int64_t> parse_int(std::string_view token) noexcept;

/// Shortest text that reads back as the same double ("0.1", "1e+300", "-0"; "inf", "nan").
std::string format_double(double value);
/// The same, at the end of `text`.
void append_double(std::string& text, double value);
/// For people: 4 significant digits and the unit, "12.35 kg"; plain digits between 1e-4 and 1e7, else an exponent. Empty unit: the number
/// alone.
std::string format_quantity(double value, std::string_view unit);

/// Fewest insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b` (bytes).
int edit_distance(std::string_view a, std::string_view b);
/// The candidate to suggest for a misspelt `name`: the first of least edit distance, at most a third of the longer length (and at least 1);
/// empty where none is near. ("did you mean ...?")
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> candidates);

/// `text` for a message or a terminal: control characters, backslashes and bytes that are not UTF-8 are written as \n, \t, \x1b, \\ ...
std::string escape(std::string_view text);
/// Well-formed UTF-8 (no overlong forms, no surrogates, at most U+10FFFF).
bool is_utf8(std::string_view text) noexcept;

}  // namespace trilith
