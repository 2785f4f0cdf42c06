#include "io/compas_data.h"

#include <algorithm>
#include <charconv>

namespace trilith::io {

CompasKey compas_key(std::string_view text) {
  CompasKey key;
  key.text = text;
  const char* const end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, key.number);
  key.whole = code == std::errc() && stop == end;
  return key;
}

std::vector<CompasKey> sorted_members(const Json::Object& object) {
  std::vector<CompasKey> keys;
  keys.reserve(object.size());
  for (const Json::Member& member : object) {
    keys.push_back(compas_key(member.first));
    keys.back().member = &member;
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

std::string compas_id(std::string_view key) {
  const bool framed = key.size() > 2 && (key.front() == '\'' || key.front() == '"') && key.back() == key.front();
  if (!framed) return std::string(key);
  std::string id;
  for (std::size_t i = 1; i + 1 < key.size(); ++i) {
    const bool escaped = key[i] == '\\' && i + 2 < key.size() && (key[i + 1] == '\\' || key[i + 1] == '\'' || key[i + 1] == '"');
    if (escaped) ++i;
    id += key[i];
  }
  return id;
}

std::string python_key(std::string_view id) {
  const CompasKey key = compas_key(id);
  if (key.whole && std::to_string(key.number) == id) return std::string(id);
  std::string out = "'";
  for (const char c : id) {
    if (c == '\\' || c == '\'') out += '\\';
    out += c;
  }
  out += '\'';
  return out;
}

const Json* given(const Json* object, std::string_view key) {
  const Json* value = object == nullptr ? nullptr : object->find(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

const Json* given_one(const Json* object, std::initializer_list<std::string_view> keys, std::string_view& found) {
  for (const std::string_view key : keys)
    if (const Json* value = given(object, key)) {
      found = key;
      return value;
    }
  return nullptr;
}

CompasObject::CompasObject(const Json& value, const JsonPath& path) : data_(&value), outer_(path) {
  while (count_ < most_steps) {
    std::string_view word, inner;
    const Json* type = given_one(data_, {"dtype", "datatype"}, word);
    if (type != nullptr && type->string() != nullptr) dtype_ = *type->string();
    const Json* next = given_one(data_, {"data", "value"}, inner);
    if (next == nullptr || (type == nullptr && next->object() == nullptr)) return;
    steps_[count_] = this->path().at(inner);
    ++count_;
    data_ = next;
  }
}

}  // namespace trilith::io
