#include "io/json.h"

#include "base/check.h"

namespace trilith::io {

Json::Json(const Json&) = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(const Json&) = default;
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;

const Json* Json::find(std::string_view key) const {
  const Object* members = object();
  if (members == nullptr) return nullptr;
  for (const Member& member : *members)
    if (member.first == key) return &member.second;
  return nullptr;
}

void Json::set(std::string key, Json value) {
  if (is_null()) value_ = Object{};
  Object* members = object();
  TRI_CHECK(members != nullptr);
  members->emplace_back(std::move(key), std::move(value));
}

}  // namespace trilith::io
