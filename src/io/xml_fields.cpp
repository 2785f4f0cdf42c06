#include "io/xml_fields.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/text.h"
#include "io/line_scanner.h"

namespace trilith::io {
namespace {

// warnings of one kind that are told one by one
constexpr std::size_t most_alike = 5;

// longest list of a fixed length
constexpr std::size_t most_numbers = 16;

constexpr std::string_view blanks = " \t\r\n";

/// Takes the next word off `text`; empty at the end.
std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(blanks));
  text.remove_prefix(word.size());
  return word;
}

std::size_t count_words(std::string_view text) {
  std::size_t count = 0;
  while (!take_word(text).empty()) ++count;
  return count;
}

/// True where a "/" parts the name like a path; "</" of markup does not, it is escaped where it is shown.
bool divides_path(std::string_view name) {
  for (std::size_t at = name.find('/'); at != std::string_view::npos; at = name.find('/', at + 1))
    if (at == 0 || name[at - 1] != '<') return true;
  return false;
}

std::string plural(std::size_t count) { return std::to_string(count) + (count == 1 ? " number" : " numbers"); }

}  // namespace

std::string label_of(const XmlElement& element) {
  std::string label = escape(element.name.substr(0, 60));
  if (const XmlAttribute* name = element.find("name")) label += " " + in_quotes(name->value);
  return label;
}

std::string list_words(std::span<const std::string_view> words) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) list += i + 1 == words.size() ? " or " : ", ";
    list += words[i];
  }
  return list;
}

void XmlFields::fail(const std::string& what, const XmlElement& element) {
  if (!full()) findings_.refuse(label_of(element) + ": " + what, place_of(element));
}
void XmlFields::fail(const std::string& what, const XmlElement& element, std::string_view attribute) {
  if (const XmlAttribute* found = element.find(attribute)) return fail_at(what, element, *found);
  fail(std::string(attribute) + " " + what, element);
}
void XmlFields::fail_at(const std::string& what, const XmlElement& element, const XmlAttribute& attribute) {
  if (!full()) findings_.refuse(label_of(element) + ": " + escape(attribute.name) + " " + what, place_of(element, attribute));
}
void XmlFields::warn(const std::string& what, const XmlElement& element) {
  findings_.warn(label_of(element) + ": " + what, place_of(element));
}

void XmlFields::warn_some(const std::string& kind, const std::string& what, const XmlElement& element) {
  some_.try_emplace(kind, findings_, most_alike, kind).first->second.add(label_of(element) + ": " + what, place_of(element));
}

void XmlFields::count(const std::string& what, const XmlElement& element) {
  const auto found = counts_.find(what);
  if (found != counts_.end()) {
    ++found->second.count;
  } else {
    counts_.emplace(what, Count{place_of(element), 1, counts_.size()});
  }
}

void XmlFields::tell_counts() {
  for (auto& [kind, tally] : some_) tally.finish();
  some_.clear();
  std::vector<std::pair<std::string, Count>> sorted(counts_.begin(), counts_.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second.order < b.second.order; });
  for (const auto& [what, told] : sorted)
    findings_.warn(what + (told.count > 1 ? " (" + std::to_string(told.count) + " times)" : ""), told.where);
  counts_.clear();
}

bool XmlFields::number(std::string_view word, const XmlElement& element, const XmlAttribute& attribute, double& out) {
  const std::optional<double> value = parse_double(word);
  if (!value) {
    fail_at("holds " + in_quotes(word) + ", which " + std::string(number_fault(word)), element, attribute);
    return false;
  }
  if (std::abs(*value) > xml_number_limit) {
    fail_at("holds " + in_quotes(word) + ", beyond the largest size of 1e9", element, attribute);
    return false;
  }
  out = *value;
  return true;
}

// how many there were; nothing where one of them is refused. Nothing is written then.
std::optional<std::size_t> XmlFields::numbers(const XmlElement& element, const XmlAttribute& attribute, std::span<double> out) {
  std::string_view text = attribute.value;
  std::size_t count = 0;
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text), ++count) {
    double value = 0;
    if (!number(word, element, attribute, value)) return std::nullopt;
    if (count < out.size()) out[count] = value;
  }
  return count;
}

bool XmlFields::read(const XmlElement& element, std::string_view attribute, double& out) {
  return read(element, attribute, std::span(&out, 1));
}

bool XmlFields::read(const XmlElement& element, std::string_view attribute, Vec3d& out) {
  double xyz[3] = {0, 0, 0};
  if (!read(element, attribute, xyz)) return false;
  out = {xyz[0], xyz[1], xyz[2]};
  return true;
}

bool XmlFields::read(const XmlElement& element, std::string_view attribute, std::span<double> out) {
  const XmlAttribute* found = element.find(attribute);
  if (found == nullptr) return false;
  double values[most_numbers] = {};
  TRI_CHECK(out.size() <= most_numbers);
  const std::optional<std::size_t> count = numbers(element, *found, std::span(values).first(out.size()));
  if (!count) return false;
  if (*count != out.size()) {
    fail_at("needs " + plural(out.size()) + ", got " + std::to_string(*count), element, *found);
    return false;
  }
  std::copy_n(values, out.size(), out.begin());
  return true;
}

std::size_t XmlFields::read_up_to(const XmlElement& element, std::string_view attribute, std::span<double> out) {
  const XmlAttribute* found = element.find(attribute);
  if (found == nullptr) return 0;
  double values[most_numbers] = {};
  TRI_CHECK(out.size() <= most_numbers);
  const std::optional<std::size_t> count = numbers(element, *found, std::span(values).first(out.size()));
  if (!count) return 0;
  if (*count == 0 || *count > out.size()) {
    fail_at("needs 1 to " + plural(out.size()) + ", got " + std::to_string(*count), element, *found);
    return 0;
  }
  std::copy_n(values, *count, out.begin());
  return *count;
}

bool XmlFields::read_list(const XmlElement& element, std::string_view attribute, std::vector<double>& out) {
  const XmlAttribute* found = element.find(attribute);
  if (found == nullptr) return false;
  std::vector<double> values(count_words(found->value));
  if (!numbers(element, *found, values)) return false;
  out = std::move(values);
  return true;
}

bool XmlFields::read(const XmlElement& element, std::string_view attribute, std::int32_t& out) {
  const XmlAttribute* found = element.find(attribute);
  if (found == nullptr) return false;
  std::string_view text = found->value;
  const std::string_view word = take_word(text);
  const std::optional<std::int64_t> value = parse_int(word);
  if (!value || !take_word(text).empty()) {
    fail_at("needs a whole number, got " + in_quotes(found->value), element, *found);
    return false;
  }
  if (*value > INT32_MAX || *value < INT32_MIN) {
    fail_at("is out of range: " + std::string(word), element, *found);
    return false;
  }
  out = static_cast<std::int32_t>(*value);
  return true;
}

bool XmlFields::read(const XmlElement& element, std::string_view attribute, bool& out) {
  constexpr std::string_view words[] = {"false", "true"};
  const std::optional<std::size_t> word = read_word(element, attribute, words);
  if (word) out = *word == 1;
  return word.has_value();
}

bool XmlFields::read_text(const XmlElement& element, std::string_view attribute, std::string& out) {
  const XmlAttribute* found = element.find(attribute);
  if (found == nullptr) return false;
  out = found->value;
  return true;
}

bool XmlFields::read_name(const XmlElement& element, std::string_view attribute, std::string& out) {
  const XmlAttribute* found = element.find(attribute);
  if (found == nullptr) return false;
  // an empty name is no name: files that programs write hold them
  std::string_view fault = found->value.empty() ? std::string_view{} : name_fault(found->value);
  if (fault.empty() && divides_path(found->value)) fault = "holds \"/\", which names do not";
  if (!fault.empty()) {
    fail_at(in_quotes(found->value) + " " + std::string(fault), element, *found);
    return false;
  }
  out = found->value;
  return true;
}

std::optional<std::size_t> XmlFields::read_word(const XmlElement& element, std::string_view attribute,
                                                std::span<const std::string_view> words) {
  const XmlAttribute* found = element.find(attribute);
  if (found == nullptr) return std::nullopt;
  const auto word = std::find(words.begin(), words.end(), found->value);
  if (word != words.end()) return static_cast<std::size_t>(word - words.begin());
  const std::string_view near = nearest_name(found->value, words);
  fail_at("is " + in_quotes(found->value) + "; allowed are " + list_words(words) +
              (near.empty() ? "" : " (did you mean " + in_quotes(near) + "?)"),
          element, *found);
  return std::nullopt;
}

bool XmlFields::require(const XmlElement& element, std::string_view attribute) {
  if (element.find(attribute) != nullptr) return true;
  fail("needs the attribute " + std::string(attribute), element);
  return false;
}

}  // namespace trilith::io
