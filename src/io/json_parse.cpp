#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/json.h"
#include "io/text_position.h"

namespace trilith::io {
namespace {

using Reader = nlohmann::json;

/// Input iterator whose position is shared with the builder, so that a duplicate key can be told with its line and column.
struct Cursor {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char** at;

  reference operator*() const { return **at; }
  Cursor& operator++() {
    ++*at;
    return *this;
  }
  Cursor operator++(int) {
    const Cursor before = *this;
    ++*at;
    return before;
  }
  [[maybe_unused]] friend bool operator==(const Cursor& a, const Cursor& b) { return *a.at == *b.at; }
  friend bool operator!=(const Cursor& a, const Cursor& b) { return *a.at != *b.at; }
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

// the word that byte `at` belongs to, or that byte
std::string_view word_around(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {};
  std::size_t start = at, stop = at + 1;
  if (!is_letter(text[at])) return text.substr(at, 1);
  while (start > 0 && is_letter(text[start - 1])) --start;
  while (stop < text.size() && is_letter(text[stop])) ++stop;
  return text.substr(start, stop - start);
}

/// Receives the events of the tokenizer and builds the value; open containers are a stack of pointers into it.
class Builder {
 public:
  Builder(std::string_view text, std::string_view source, const char** at) : text_(text), source_(source), at_(at) {}

  bool null() { return place(Json()); }
  bool boolean(bool value) { return place(Json(value)); }
  bool number_integer(Reader::number_integer_t value) { return place(Json(static_cast<double>(value))); }
  bool number_unsigned(Reader::number_unsigned_t value) { return place(Json(static_cast<double>(value))); }
  bool number_float(double value, const std::string&) { return place(Json(value)); }
  bool string(std::string& value) { return place(Json(std::move(value))); }
  bool binary(Reader::binary_t&) { return false; }

  bool start_object(std::size_t) { return open(Json(Json::Object{})); }
  bool start_array(std::size_t) { return open(Json(Json::Array{})); }
  bool key(std::string& name) {
    key_end_.push_back(static_cast<std::size_t>(*at_ - text_.data()));
    open_.back()->object()->emplace_back(std::move(name), Json());
    return true;
  }
  bool end_object() {
    const Json::Object& members = *open_.back()->object();
    const std::size_t first = key_end_.size() - members.size();
    const bool good = members.size() < 2 || keys_differ(members, first);
    key_end_.resize(first);
    open_.pop_back();
    return good;
  }
  bool end_array() {
    open_.pop_back();
    return true;
  }
  bool parse_error(std::size_t position, const std::string& token, const Reader::exception& error) {
    fail(position > 0 ? position - 1 : 0, explain(position, token, error));
    return false;
  }

  Json& root() { return root_; }
  std::vector<Error>& errors() { return errors_; }

 private:
  /// Where the next value goes.
  Json& slot() {
    if (open_.empty()) return root_;
    if (Json::Array* items = open_.back()->array()) {
      if (items->empty()) items->reserve(3);  // most arrays of an assembly are points
      return items->emplace_back();
    }
    return open_.back()->object()->back().second;
  }
  bool place(Json&& value) {
    slot() = std::move(value);
    return true;
  }
  bool open(Json&& container) {
    if (open_.size() >= static_cast<std::size_t>(json_depth_limit)) {
      fail(static_cast<std::size_t>(*at_ - text_.data()) - 1, "nested deeper than " + std::to_string(json_depth_limit) + " levels");
      return false;
    }
    Json& place = slot();
    place = std::move(container);
    open_.push_back(&place);
    return true;
  }
  void fail(std::size_t offset, std::string what) {
    errors_.push_back({std::move(what), place_in(source_, position_of(text_, offset)), Error::Kind::refused});
  }

  bool keys_differ(const Json::Object& members, std::size_t first);
  void refuse_duplicate(const Json::Object& members, std::size_t first, std::size_t one, std::size_t other);
  std::size_t key_start(std::size_t end) const;
  std::string explain(std::size_t position, const std::string& token, const Reader::exception& error) const;

  std::string_view text_, source_;
  const char** at_;
  Json root_;
  std::vector<Json*> open_;
  std::vector<std::size_t> key_end_;  // offsets just behind the keys of all open objects
  std::vector<std::uint32_t> order_;  // scratch
  std::vector<Error> errors_;
};

// pairs where there are few, else sorted neighbours; ties keep the order of the file
bool Builder::keys_differ(const Json::Object& members, std::size_t first) {
  constexpr std::size_t few = 12;
  if (members.size() <= few) {
    for (std::size_t j = 1; j < members.size(); ++j)
      for (std::size_t i = 0; i < j; ++i)
        if (members[i].first == members[j].first) {
          refuse_duplicate(members, first, i, j);
          return false;
        }
    return true;
  }
  order_.resize(members.size());
  for (std::uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const int order = members[a].first.compare(members[b].first);
    return order != 0 ? order < 0 : a < b;
  });
  for (std::size_t k = 1; k < order_.size(); ++k)
    if (members[order_[k - 1]].first == members[order_[k]].first) {
      refuse_duplicate(members, first, order_[k - 1], order_[k]);
      return false;
    }
  return true;
}

void Builder::refuse_duplicate(const Json::Object& members, std::size_t first, std::size_t one, std::size_t other) {
  const TextPosition earlier = position_of(text_, key_start(key_end_[first + one]));
  fail(key_start(key_end_[first + other]),
       "key " + in_quotes(members[other].first) + " appears twice in one object, first in line " + std::to_string(earlier.line));
}

// walks back from the closing quote to the opening one, over escaped quotes
std::size_t Builder::key_start(std::size_t end) const {
  std::size_t i = end - 1;
  while (i > 0) {
    --i;
    if (text_[i] != '"') continue;
    std::size_t slashes = 0;
    while (slashes < i && text_[i - 1 - slashes] == '\\') ++slashes;
    if (slashes % 2 == 0) return i;
  }
  return 0;
}

// the tokenizer's reason in the words of the person who has to mend the file
std::string Builder::explain(std::size_t position, const std::string& token, const Reader::exception& error) const {
  constexpr int out_of_range = 406;
  if (error.id == out_of_range) return "number " + in_quotes(token) + " is beyond the largest double";
  if (position > text_.size()) return "the text ends before the value does";
  const std::size_t at = position > 0 ? position - 1 : 0;
  const std::string_view word = word_around(text_, at);
  for (const std::string_view none : {"NaN", "nan", "Infinity", "inf", "Inf"})
    if (word == none) return in_quotes(word) + " is no JSON number; write null where there is none";
  if (word == "/") return "JSON has no comments";
  if (open_.empty() && !root_.is_null()) return "text after the end of the value";
  const std::size_t last = text_.substr(0, at).find_last_not_of(" \t\r\n");
  if ((word == "]" || word == "}") && last != std::string_view::npos && text_[last] == ',') return "a comma before the closing bracket";
  std::string_view reason = error.what();
  if (const std::size_t dash = reason.find(" - "); dash != std::string_view::npos) reason.remove_prefix(dash + 3);
  reason = reason.substr(0, reason.find("; last read"));
  return "not JSON: " + std::string(reason) + ", found " + in_quotes(word);
}

}  // namespace

Result<Json> parse_json(std::string_view text, std::string_view source) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return Error{"empty file", std::string(source), Error::Kind::refused};
  const char* at = text.data();
  const char* end = text.data() + text.size();
  Builder builder(text, source, &at);
  const bool good = Reader::sax_parse(Cursor{&at}, Cursor{&end}, &builder);
  if (!good || !builder.errors().empty()) return std::move(builder.errors());
  return std::move(builder.root());
}

}  // namespace trilith::io
