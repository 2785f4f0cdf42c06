#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "trilith/result.h"

namespace trilith::io {

/// A JSON value. Objects keep the order of their members. Numbers are doubles; NaN and infinity are written as null.
class Json {
 public:
  using Array = std::vector<Json>;
  using Member = std::pair<std::string, Json>;
  using Object = std::vector<Member>;

  Json() = default;
  Json(const Json&);
  Json(Json&&) noexcept;
  Json& operator=(const Json&);
  Json& operator=(Json&&) noexcept;
  ~Json();
  Json(std::nullptr_t) {}                                       // NOLINT(google-explicit-constructor)
  Json(bool value) : value_(value) {}                           // NOLINT(google-explicit-constructor)
  Json(double value) : value_(value) {}                         // NOLINT(google-explicit-constructor)
  Json(int value) : value_(double(value)) {}                    // NOLINT(google-explicit-constructor)
  Json(std::size_t value) : value_(double(value)) {}            // NOLINT(google-explicit-constructor)
  Json(std::string value) : value_(std::move(value)) {}         // NOLINT(google-explicit-constructor)
  Json(std::string_view value) : value_(std::string(value)) {}  // NOLINT(google-explicit-constructor)
  Json(const char* value) : value_(std::string(value)) {}       // NOLINT(google-explicit-constructor)
  Json(Array value) : value_(std::move(value)) {}               // NOLINT(google-explicit-constructor)
  Json(Object value) : value_(std::move(value)) {}              // NOLINT(google-explicit-constructor)

  bool is_null() const { return value_.index() == 0; }
  const bool* boolean() const { return std::get_if<bool>(&value_); }
  const double* number() const { return std::get_if<double>(&value_); }
  const std::string* string() const { return std::get_if<std::string>(&value_); }
  const Array* array() const { return std::get_if<Array>(&value_); }
  const Object* object() const { return std::get_if<Object>(&value_); }
  Array* array() { return std::get_if<Array>(&value_); }
  Object* object() { return std::get_if<Object>(&value_); }

  /// Member of an object, or nullptr (also where this is no object).
  const Json* find(std::string_view key) const;
  /// Appends a member; this must be an object (or null, which becomes one).
  void set(std::string key, Json value);

 private:
  std::variant<std::monostate, bool, double, std::string, Array, Object> value_;
};

/// Largest nesting that is read.
inline constexpr int json_depth_limit = 256;

/// Strict JSON: refuses NaN literals, comments, trailing commas, duplicate keys, nesting beyond the limit, numbers that overflow a double,
/// text after the value. `source` names the text in errors ("wall.json:12:7").
Result<Json> parse_json(std::string_view text, std::string_view source);

/// Shortest digits that read back to the same doubles. `indent` 0: one line. Otherwise objects and arrays of arrays are broken over lines,
/// arrays of numbers stay on one.
std::string write_json(const Json& value, int indent);

}  // namespace trilith::io
