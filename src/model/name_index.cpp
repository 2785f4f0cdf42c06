#include "model/name_index.h"

#include "base/text.h"

namespace trilith::model {

std::string label(std::string_view kind, std::string_view name) {
  const bool vowel = !kind.empty() && std::string_view("aeiou").find(kind.front()) != std::string_view::npos;
  return name.empty() ? (vowel ? "an " : "a ") + std::string(kind) + " without a name" : std::string(kind) + " \"" + escape(name) + "\"";
}

void NameIndex::add(std::string_view name, std::string_view where, Findings& findings) {
  const auto index = static_cast<std::int32_t>(names_.size());
  names_.push_back(name);
  places_.push_back(where);
  if (name.empty()) return;
  const auto [first, is_new] = index_.emplace(name, index);
  if (!is_new)
    findings.refuse("there are two of " + label(kind_, name) + ": the first is at " + std::string(places_[first->second]),
                    std::string(where));
}

bool NameIndex::resolve(Reference& reference, const std::string& user, const std::string& where, Findings& findings) const {
  if (reference.name.empty()) {
    if (reference.index >= 0 && reference.index < static_cast<std::int32_t>(names_.size())) return true;
    if (reference.index >= 0)
      findings.refuse(user + ": there is no " + std::string(kind_) + " number " + std::to_string(reference.index), where);
    reference.index = -1;
    return false;
  }
  const auto found = index_.find(reference.name);
  if (found != index_.end()) {
    reference.index = found->second;
    return true;
  }
  reference.index = -1;
  const std::string_view near = nearest_name(reference.name, names_);
  const std::string hint = near.empty() ? "" : ": did you mean \"" + escape(near) + "\"?";
  findings.refuse(user + ": there is no " + label(kind_, reference.name) + hint, where);
  return false;
}

}  // namespace trilith::model
