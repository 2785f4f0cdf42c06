#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/text_position.h"
#include "trilith/result.h"

namespace trilith::io {

class XmlDocument;

/// name="value", references to characters resolved. Line ends within a value stay as they are.
struct XmlAttribute {
  std::string_view name, value;
  std::uint32_t offset = 0;  ///< of the name, bytes from the start of the text
};

/// An element of a document. Links may be set anew to splice documents (`include`): they are the reader's own.
struct XmlElement {
  std::string_view name;
  std::span<const XmlAttribute> attributes;
  const XmlDocument* document = nullptr;
  XmlElement* parent = nullptr;
  XmlElement* first_child = nullptr;
  XmlElement* next = nullptr;  ///< sibling
  std::uint32_t offset = 0;    ///< of its "<"
  std::uint32_t ordinal = 1;   ///< among its siblings of the same name
  bool has_text = false;       ///< text stands between its children

  /// nullptr where there is none.
  const XmlAttribute* find(std::string_view attribute) const;
  /// The value, empty where there is none.
  std::string_view value(std::string_view attribute) const;
};

/// Deepest nesting of elements, and with it the deepest recursion of a reader.
inline constexpr int xml_depth_limit = 256;

/// A parsed XML text; owns what its elements point to.
class XmlDocument {
 public:
  /// Parses UTF-8 (with or without byte order mark) or UTF-16 (with one); other bytes are read as Latin-1 with a warning. Refused, each at
  /// its line and column: what is not well-formed, where a tag is not closed with the line that opened it; a DOCTYPE (nothing is expanded
  /// or fetched); a reference to a character or entity that XML itself does not know; two attributes of one name; a zero byte; nesting
  /// beyond `xml_depth_limit`; text or a second element beside the root. What is no XML is named ("is a PNG image"). `source` names the
  /// text ("arm.xml"). Source: W3C, Extensible Markup Language 1.0.
  static Result<std::unique_ptr<XmlDocument>> parse(std::string_view text, std::string source);

  XmlElement& root() { return *root_; }
  const XmlElement& root() const { return *root_; }
  const std::string& source() const { return source_; }
  TextPosition position(std::uint32_t offset) const;
  const std::vector<Warning>& warnings() const { return warnings_; }

 private:
  friend class XmlBuilder;

  std::string source_;
  std::string text_;                       // values are views into it
  std::vector<std::uint32_t> line_start_;  // byte offset of every line
  std::vector<XmlElement> elements_;       // in the order of the text
  std::vector<XmlAttribute> attributes_;
  XmlElement* root_ = nullptr;
  std::vector<Warning> warnings_;
};

/// "arm.xml:12:7:/mujoco/worldbody/body[2]/geom", with an attribute ".../geom/@size".
std::string place_of(const XmlElement& element);
std::string place_of(const XmlElement& element, const XmlAttribute& attribute);

}  // namespace trilith::io
