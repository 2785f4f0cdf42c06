#pragma once
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/elements.h"
#include "model/findings.h"

namespace trilith::model {

/// `body "arm"`, or `a body without a name`.
std::string label(std::string_view kind, std::string_view name);

/// The names of the elements of one kind. Views into the elements: they must not move while it lives.
class NameIndex {
 public:
  NameIndex() = default;
  /// A second element of the same name is refused, with the places of both.
  template <class Elements>
  NameIndex(std::string_view kind, const Elements& elements, Findings& findings) : kind_(kind) {
    for (const auto& element : elements) add(element.name, element.where, findings);
  }

  /// Fills `reference.index` from its name; without a name keeps an index that is in range. `user`: who refers, with its place. False, and
  /// an error with the nearest name, where there is none; an empty reference is also false, without an error.
  bool resolve(Reference& reference, const std::string& user, const std::string& where, Findings& findings) const;

 private:
  void add(std::string_view name, std::string_view where, Findings& findings);

  std::string_view kind_;
  std::vector<std::string_view> names_, places_;
  std::unordered_map<std::string_view, std::int32_t> index_;
};

}  // namespace trilith::model
