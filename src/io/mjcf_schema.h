#pragma once
#include <span>
#include <string_view>

#include "io/xml_fields.h"

namespace trilith::io {

/// What may stand in an element of an MJCF file. Names are separated by blanks; a mark in front of a name says what becomes of it:
/// none: read; `~`: no meaning for the motion, left out in silence or with one line a kind; `?`: would change the motion and is left out
/// with a line each (`?name=value`: no line where it has that value); `!`: refused.
struct MjcfRule {
  std::string_view id;          ///< "joint", "equality.joint"
  std::string_view attributes;  ///< an id behind `@` stands for the attributes of that rule
  std::string_view children;    ///< `tag`, or `tag=id` where the rule has another name; `*`: anything
};

/// All rules, each id once. Source: MuJoCo's XML reference (3.x, and what 2.x files hold beside).
std::span<const MjcfRule> mjcf_rules();

/// Checks elements and attributes of a whole file, includes resolved: what is unknown is refused with the nearest name, what is left out is
/// told.
void check_mjcf_schema(const XmlElement& root, XmlFields& fields);

/// One name of a list of a rule, taken apart.
struct MjcfName {
  char mark = ' ';
  std::string_view name, value;  ///< `value` behind "="
};
MjcfName split_mjcf_name(std::string_view word);

}  // namespace trilith::io
