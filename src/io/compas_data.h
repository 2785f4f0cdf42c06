#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/json_fields.h"

/// How COMPAS wraps its data, over all its versions.
namespace trilith::io {

/// A key of a COMPAS dictionary: an integer where it is one, else a text in Python's quotes.
struct CompasKey {
  bool whole = false;
  std::int64_t number = 0;
  std::string_view text;  ///< as written
  const Json::Member* member = nullptr;

  friend bool operator<(const CompasKey& a, const CompasKey& b) {
    if (a.whole != b.whole) return a.whole;
    return a.whole ? a.number < b.number : a.text < b.text;
  }
  friend bool operator==(const CompasKey& a, const CompasKey& b) {
    return a.whole == b.whole && (a.whole ? a.number == b.number : a.text == b.text);
  }
};

CompasKey compas_key(std::string_view text);
/// Members in the order of their keys, numbers by value, then texts: COMPAS keeps no order.
std::vector<CompasKey> sorted_members(const Json::Object& object);
/// The key without the quotes and escapes of Python: 'a' is a.
std::string compas_id(std::string_view key);
/// The key as Python spells it: 12 for "12", 'a' for "a".
std::string python_key(std::string_view id);

/// A member that is there and not null, else nullptr.
const Json* given(const Json* object, std::string_view key);
/// The first of `keys` that is given, with its name in `found`.
const Json* given_one(const Json* object, std::initializer_list<std::string_view> keys, std::string_view& found);

/// The data inside a COMPAS object: `{"dtype", "data"}` (version 2), `{"dtype", "value"}` (1), `{"compas", "datatype", "data"}` inside
/// either (0.16 to 0.19), or bare. Paths are chains on the stack, so this stays where it is made.
class CompasObject {
 public:
  CompasObject(const Json& value, const JsonPath& path);
  CompasObject(const CompasObject&) = delete;
  CompasObject& operator=(const CompasObject&) = delete;

  const Json& data() const { return *data_; }
  const JsonPath& path() const { return count_ == 0 ? outer_ : steps_[count_ - 1]; }
  /// "compas.datastructures/Mesh"; empty where the file does not say.
  std::string_view dtype() const { return dtype_; }
  /// What stands behind the last slash of the type.
  std::string_view type() const { return dtype_.substr(dtype_.find_last_of('/') + 1); }

 private:
  static constexpr int most_steps = 4;
  const Json* data_;
  const JsonPath& outer_;
  JsonPath steps_[most_steps];
  int count_ = 0;
  std::string_view dtype_;
};

}  // namespace trilith::io
