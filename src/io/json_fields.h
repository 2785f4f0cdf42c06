#pragma once
#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/json.h"
#include "trilith/result.h"
#include "trilith/vec.h"

namespace trilith::io {

/// A place in a JSON value, as a chain on the stack; spelt out only where somebody has to be told.
struct JsonPath {
  const JsonPath* parent = nullptr;
  std::string_view key;   ///< member of an object; empty: `index`
  std::size_t index = 0;  ///< element of an array

  JsonPath at(std::string_view member) const { return {this, member, 0}; }
  JsonPath at(std::size_t element) const { return {this, {}, element}; }
};

/// Typed access to a parsed file that collects every problem with its JSON pointer (RFC 6901): "wall.json:/blocks/12/density".
class JsonFields {
 public:
  explicit JsonFields(std::string_view source) : source_(source) {}

  std::string where(const JsonPath& path) const;
  void fail(std::string what, const JsonPath& path);
  void warn(std::string what, const JsonPath& path) { warnings.push_back({std::move(what), where(path)}); }
  /// True when no more errors are collected: reading may stop.
  bool full() const { return errors.size() >= max_errors; }

  /// The value in the wanted type; nothing and an error where it has another. `wanted` says what it should be.
  std::optional<double> number(const Json& value, const JsonPath& path);
  std::optional<bool> boolean(const Json& value, const JsonPath& path);
  std::optional<std::string> string(const Json& value, const JsonPath& path);
  const Json::Array* array(const Json& value, const JsonPath& path);
  const Json::Object* object(const Json& value, const JsonPath& path);
  /// Exactly three numbers.
  std::optional<Vec3d> vector(const Json& value, const JsonPath& path);
  /// At least `least` points; empty where there was an error.
  std::vector<Vec3d> points(const Json& value, const JsonPath& path, std::size_t least);

  /// One warning for each key of `object` that is not among `known`, told at its first place only. `kind` says what the object is.
  void warn_unknown(const Json::Object& object, const JsonPath& path, std::string_view kind, std::span<const std::string_view> known);

  std::vector<Error> errors;
  std::vector<Warning> warnings;

 private:
  void wrong_type(std::string_view wanted, const Json& value, const JsonPath& path);

  std::string source_;
  std::map<std::string, int, std::less<>> unknown_;  // "kind/key" that were told
};

/// Word before the slash and number behind it of a `schema` value ("trilith.assembly/1"); number 0 where it has none.
struct Schema {
  std::string_view name;
  int version = 0;
};
Schema parse_schema(std::string_view text);

}  // namespace trilith::io
