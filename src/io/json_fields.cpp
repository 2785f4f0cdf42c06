#include "io/json_fields.h"

#include <algorithm>

#include "base/text.h"
#include "io/text_position.h"

namespace trilith::io {
namespace {

std::string describe(const Json& value) {
  if (value.is_null()) return "null";
  if (const bool* flag = value.boolean()) return *flag ? "true" : "false";
  if (const double* number = value.number()) return "the number " + format_double(*number);
  if (const std::string* text = value.string()) return "the text " + in_quotes(*text);
  if (const Json::Array* items = value.array()) return "an array of " + std::to_string(items->size());
  return "an object";
}

void append_pointer(const JsonPath& path, std::string& out) {
  if (path.parent == nullptr) return;
  append_pointer(*path.parent, out);
  out += '/';
  if (path.key.data() == nullptr) {
    out += std::to_string(path.index);
    return;
  }
  for (const char c : escape(path.key)) {
    if (c == '~')
      out += "~0";
    else if (c == '/')
      out += "~1";
    else
      out += c;
  }
}

}  // namespace

std::string JsonFields::where(const JsonPath& path) const {
  std::string out = source_ + ":";
  append_pointer(path, out);
  if (out.size() == source_.size() + 1) out += '/';
  return out;
}

void JsonFields::fail(std::string what, const JsonPath& path) {
  if (!full()) errors.push_back({std::move(what), where(path), Error::Kind::refused});
}

void JsonFields::wrong_type(std::string_view wanted, const Json& value, const JsonPath& path) {
  fail("must be " + std::string(wanted) + ", is " + describe(value), path);
}

std::optional<double> JsonFields::number(const Json& value, const JsonPath& path) {
  if (const double* number = value.number()) return *number;
  wrong_type("a number", value, path);
  return {};
}

std::optional<bool> JsonFields::boolean(const Json& value, const JsonPath& path) {
  if (const bool* flag = value.boolean()) return *flag;
  wrong_type("true or false", value, path);
  return {};
}

std::optional<std::string> JsonFields::string(const Json& value, const JsonPath& path) {
  if (const std::string* text = value.string()) return *text;
  wrong_type("a text", value, path);
  return {};
}

const Json::Array* JsonFields::array(const Json& value, const JsonPath& path) {
  if (value.array() == nullptr) wrong_type("an array", value, path);
  return value.array();
}

const Json::Object* JsonFields::object(const Json& value, const JsonPath& path) {
  if (value.object() == nullptr) wrong_type("an object", value, path);
  return value.object();
}

std::optional<Vec3d> JsonFields::vector(const Json& value, const JsonPath& path) {
  const Json::Array* items = value.array();
  if (items == nullptr || items->size() != 3) {
    wrong_type(items != nullptr && items->size() > 3 ? "three numbers (with decimal points, not commas)" : "three numbers", value, path);
    return {};
  }
  double xyz[3];
  for (std::size_t i = 0; i < 3; ++i) {
    const double* number = (*items)[i].number();
    if (number == nullptr) {
      wrong_type("a number", (*items)[i], path.at(i));
      return {};
    }
    xyz[i] = *number;
  }
  return Vec3d{xyz[0], xyz[1], xyz[2]};
}

std::vector<Vec3d> JsonFields::points(const Json& value, const JsonPath& path, std::size_t least) {
  std::vector<Vec3d> out;
  const Json::Array* items = array(value, path);
  if (items == nullptr) return out;
  if (items->size() < least) {
    fail("needs at least " + std::to_string(least) + " points, has " + std::to_string(items->size()), path);
    return out;
  }
  out.reserve(items->size());
  for (std::size_t i = 0; i < items->size() && !full(); ++i) {
    const std::optional<Vec3d> point = vector((*items)[i], path.at(i));
    if (point) out.push_back(*point);
  }
  if (out.size() != items->size()) out.clear();
  return out;
}

void JsonFields::warn_unknown(const Json::Object& object, const JsonPath& path, std::string_view kind,
                              std::span<const std::string_view> known) {
  constexpr std::size_t most = 100;  // distinct keys
  for (const auto& [key, value] : object) {
    if (std::find(known.begin(), known.end(), key) != known.end() || unknown_.size() >= most) continue;
    if (!unknown_.emplace(std::string(kind) + "/" + key, 0).second) continue;
    const std::string_view near = nearest_name(key, known);
    const std::string hint = near.empty() ? "" : "; did you mean \"" + std::string(near) + "\"?";
    warn("unknown key " + in_quotes(key) + " of " + std::string(kind) + " left out" + hint, path.at(key));
  }
}

Schema parse_schema(std::string_view text) {
  const std::size_t slash = text.find_last_of('/');
  if (slash == std::string_view::npos) return {text, 0};
  const std::optional<std::int64_t> version = parse_int(text.substr(slash + 1));
  constexpr std::int64_t largest = 1000000;
  return {text.substr(0, slash), version && *version > 0 ? static_cast<int>(std::min(*version, largest)) : 0};
}

}  // namespace trilith::io
