#include "io/xml.h"

#include <algorithm>
#include <pugixml.hpp>
#include <ranges>
#include <unordered_map>

#include "base/text.h"
#include "io/file_kind.h"

namespace trilith::io {
namespace {

void append_utf8(std::uint32_t code, std::string& out) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3f));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  }
}

/// The text behind a byte order mark of UTF-16; false where it is damaged.
bool from_utf16(std::string_view bytes, std::string& out) {
  const std::size_t high = bytes[0] == '\xfe' ? 0 : 1;
  const auto unit = [&](std::size_t at) {
    return std::uint32_t(static_cast<unsigned char>(bytes[at + high])) << 8 | static_cast<unsigned char>(bytes[at + 1 - high]);
  };
  if (bytes.size() % 2 != 0) return false;
  for (std::size_t i = 2; i < bytes.size(); i += 2) {
    std::uint32_t code = unit(i);
    if (code >= 0xdc00 && code <= 0xdfff) return false;
    if (code >= 0xd800 && code <= 0xdbff) {
      i += 2;
      const std::uint32_t low = i < bytes.size() ? unit(i) : 0;
      if (low < 0xdc00 || low > 0xdfff) return false;
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    append_utf8(code, out);
  }
  return true;
}

std::string from_latin1(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) append_utf8(static_cast<unsigned char>(c), out);
  return out;
}

/// A text that is surely no XML, by name; empty where it may be.
std::string not_xml(std::string_view text) {
  const Sniffed sniffed = sniff(text);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  switch (sniffed.kind) {
    case FileKind::empty:
      return "empty file";
    case FileKind::json:
      return "is JSON, not XML";
    case FileKind::stl:
    case FileKind::ply:
    case FileKind::glb:
      return "is a mesh, not XML";
    case FileKind::other:
      if (sniffed.name == "an XML file") return "";
      return "is " + std::string(sniffed.name) + ", not XML";
    case FileKind::text:
      break;
  }
  return "is no XML: it begins with " + in_quotes(text.substr(first, 20)) + " instead of \"<\"";
}

struct OpenTag {
  std::string_view name;
  std::size_t offset;
};

/// Past a comment, CDATA section or instruction that begins at `at`; 0 where none does.
std::size_t skip_special(std::string_view text, std::size_t at) {
  constexpr std::pair<std::string_view, std::string_view> kinds[] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}};
  for (const auto& [start, end] : kinds) {
    if (!text.substr(at).starts_with(start)) continue;
    const std::size_t found = text.find(end, at + start.size());
    return found == std::string_view::npos ? text.size() : found + end.size();
  }
  return 0;
}

/// The tags that are open in front of `end`, innermost last: only for the message of a text that is not well-formed.
std::vector<OpenTag> open_tags(std::string_view text, std::size_t end) {
  std::vector<OpenTag> open;
  text = text.substr(0, end);
  for (std::size_t at = text.find('<'); at < text.size(); at = text.find('<', at)) {
    if (const std::size_t behind = skip_special(text, at); behind != 0) {
      at = behind;
      continue;
    }
    std::size_t close = at + 1;
    for (char quote = 0; close < text.size() && (quote != 0 || text[close] != '>'); ++close) {
      if (quote != 0 ? text[close] == quote : text[close] == '"' || text[close] == '\'') quote = quote != 0 ? '\0' : text[close];
    }
    if (close >= text.size()) break;
    const std::string_view name = text.substr(at + 1, text.find_first_of(" \t\r\n/>", at + 2) - at - 1);
    if (text[at + 1] == '/') {
      if (!open.empty()) open.pop_back();
    } else if (text[close - 1] != '/') {
      open.push_back({name, at});
    }
    at = close;
  }
  return open;
}

std::string_view fault_of(pugi::xml_parse_status status) {
  switch (status) {
    case pugi::status_bad_pi:
      return "an instruction <? is not closed with ?>";
    case pugi::status_bad_comment:
      return "a comment <!-- is not closed with -->";
    case pugi::status_bad_cdata:
      return "a CDATA section is not closed with ]]>";
    case pugi::status_bad_doctype:
      return "DOCTYPE is not accepted";
    case pugi::status_bad_attribute:
      return "an attribute is not of the form name=\"value\"";
    case pugi::status_bad_start_element:
      return "a start tag is damaged";
    case pugi::status_bad_end_element:
      return "an end tag is damaged";
    case pugi::status_bad_pcdata:
      return "text is damaged";
    case pugi::status_out_of_memory:
      return "not enough memory";
    default:
      return "is not well-formed XML";
  }
}

/// True for the text between "&" and ";" that XML itself knows, or the number of a character that may stand in a text.
bool is_known_reference(std::string_view body) {
  for (const std::string_view known : {"amp", "lt", "gt", "quot", "apos"})
    if (body == known) return true;
  if (body.size() < 2 || body.size() > 9 || body[0] != '#') return false;
  const bool hexadecimal = body[1] == 'x';
  std::uint32_t code = 0;
  body.remove_prefix(hexadecimal ? 2 : 1);
  for (const char c : body) {
    const bool letter = hexadecimal && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'));
    if (!letter && (c < '0' || c > '9')) return false;
    code = code * (hexadecimal ? 16 : 10) + static_cast<std::uint32_t>(letter ? (c & 7) + 9 : c - '0');
  }
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return !body.empty() && code > 0 && code <= 0x10ffff && !surrogate;
}

}  // namespace

/// Fills a document; the only user of pugixml's types. Stays outside of the unnamed namespace: it is a friend.
class XmlBuilder {
 public:
  explicit XmlBuilder(XmlDocument& document) : out_(document) {}

  /// False with `error` set.
  bool build(std::string_view original);

  Error error;

 private:
  bool refuse(std::string what, std::size_t offset) {
    error = {std::move(what), place_in(out_.source_, out_.position(static_cast<std::uint32_t>(offset))), Error::Kind::refused};
    return false;
  }
  std::uint32_t offset_of(const char* p) const { return static_cast<std::uint32_t>(p - out_.text_.data()); }

  void find_lines();
  bool tell_malformed(const pugi::xml_parse_result& result);
  bool check_top(const pugi::xml_document& tree);
  bool count(const pugi::xml_node& root);
  void fill(const pugi::xml_node& root);
  bool append(const pugi::xml_node& node, XmlElement* parent);
  bool check_attributes(const XmlElement& element);
  bool check_references(const XmlAttribute& attribute);

  XmlDocument& out_;
  std::string_view original_;
};

void XmlBuilder::find_lines() {
  out_.line_start_ = {0};
  const std::string& text = out_.text_;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool lone_return = text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n');
    if (text[i] == '\n' || lone_return) out_.line_start_.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

bool XmlBuilder::build(std::string_view original) {
  original_ = original;
  out_.text_ = original;
  out_.text_ += ' ';  // the parser needs the last byte for itself
  find_lines();
  if (const std::size_t nul = original.find('\0'); nul != std::string_view::npos)
    return refuse("holds a zero byte (offset " + std::to_string(nul) + ")", nul);
  pugi::xml_document tree;
  constexpr unsigned flags = pugi::parse_cdata | pugi::parse_escapes | pugi::parse_doctype | pugi::parse_fragment;
  const pugi::xml_parse_result result = tree.load_buffer_inplace(out_.text_.data(), out_.text_.size(), flags, pugi::encoding_utf8);
  if (!result) return tell_malformed(result);
  if (!check_top(tree)) return false;
  const pugi::xml_node root = tree.document_element();
  if (!count(root)) return false;
  fill(root);
  return error.what.empty();
}

bool XmlBuilder::tell_malformed(const pugi::xml_parse_result& result) {
  const auto at = std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)), original_.size());
  if (result.status == pugi::status_end_element_mismatch) {
    // the offset lies within the end tag, or at the end of the text
    const std::size_t tag = at < original_.size() ? original_.rfind("</", at) : std::string_view::npos;
    const std::size_t end = tag == std::string_view::npos ? original_.size() : tag;
    const std::vector<OpenTag> open = open_tags(original_, end);
    const std::string found =
        end == original_.size() ? "the end of the file" : in_quotes(original_.substr(end, original_.find('>', end) + 1 - end));
    if (open.empty()) return refuse("found " + found + ", but no tag is open", end);
    const TextPosition opened = out_.position(static_cast<std::uint32_t>(open.back().offset));
    return refuse("tag <" + escape(open.back().name.substr(0, 60)) + "> opened in line " + std::to_string(opened.line) +
                      " is not closed: found " + found,
                  end);
  }
  return refuse(std::string(fault_of(result.status)), at);
}

bool XmlBuilder::check_top(const pugi::xml_document& tree) {
  const pugi::xml_node root = tree.document_element();
  if (!root) return refuse("holds no element", 0);
  for (const pugi::xml_node& node : tree.children()) {
    // the parser keeps no place of these: they are looked for in the text
    if (node.type() == pugi::node_doctype)
      return refuse("DOCTYPE is not accepted: no entity is defined or fetched; remove it",
                    std::min(original_.find("<!DOCTYPE"), original_.size()));
    if (node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata) {
      const std::string_view stray = node.value();
      const std::size_t first = std::min(stray.find_first_not_of(" \t\r\n"), stray.size());
      return refuse("text " + in_quotes(stray.substr(first)) + " stands outside of the root element", offset_of(stray.data()) + first);
    }
    if (node.type() == pugi::node_element && node != root)
      return refuse("a second top-level element " + in_quotes(node.name()) + ": a document has one", offset_of(node.name()) - 1);
  }
  return true;
}

// depth and numbers of elements and attributes, without recursion
bool XmlBuilder::count(const pugi::xml_node& root) {
  std::size_t elements = 0, attributes = 0;
  int depth = 1;
  for (pugi::xml_node node = root; node;) {
    if (node.type() == pugi::node_element) {
      ++elements;
      for (pugi::xml_attribute a = node.first_attribute(); a; a = a.next_attribute()) ++attributes;
      if (depth > xml_depth_limit)
        return refuse("elements nest deeper than the limit of " + std::to_string(xml_depth_limit), offset_of(node.name()) - 1);
    }
    if (const pugi::xml_node child = node.first_child()) {
      node = child;
      ++depth;
      continue;
    }
    while (node != root && !node.next_sibling()) {
      node = node.parent();
      --depth;
    }
    if (node == root) break;
    node = node.next_sibling();
  }
  out_.elements_.reserve(elements);
  out_.attributes_.reserve(attributes);
  return true;
}

void XmlBuilder::fill(const pugi::xml_node& root) {
  struct Level {
    pugi::xml_node next;
    XmlElement* parent;
    XmlElement* last = nullptr;
    std::vector<std::pair<std::string_view, std::uint32_t>> seen;  // names of its children so far
  };
  if (!append(root, nullptr)) return;
  out_.root_ = &out_.elements_.front();
  std::vector<Level> levels;
  levels.push_back({root.first_child(), out_.root_, nullptr, {}});
  while (!levels.empty()) {
    Level& level = levels.back();
    const pugi::xml_node node = level.next;
    if (!node) {
      levels.pop_back();
      continue;
    }
    level.next = node.next_sibling();
    if (node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata) level.parent->has_text = true;
    if (node.type() != pugi::node_element) continue;
    if (!append(node, level.parent)) return;
    XmlElement& element = out_.elements_.back();
    const auto same = std::find_if(level.seen.begin(), level.seen.end(), [&](const auto& s) { return s.first == element.name; });
    constexpr std::size_t most = 64;  // beyond, ordinals are not worth the search
    if (same != level.seen.end()) {
      element.ordinal = ++same->second;
    } else if (level.seen.size() < most) {
      level.seen.emplace_back(element.name, 1);
    }
    (level.last == nullptr ? level.parent->first_child : level.last->next) = &element;
    level.last = &element;
    levels.push_back({node.first_child(), &element, nullptr, {}});
  }
}

bool XmlBuilder::append(const pugi::xml_node& node, XmlElement* parent) {
  const std::size_t first = out_.attributes_.size();
  for (pugi::xml_attribute a = node.first_attribute(); a; a = a.next_attribute())
    out_.attributes_.push_back({a.name(), a.value(), offset_of(a.name())});
  XmlElement element;
  element.name = node.name();
  element.attributes = {out_.attributes_.data() + first, out_.attributes_.size() - first};
  element.document = &out_;
  element.parent = parent;
  element.offset = offset_of(node.name()) - 1;
  out_.elements_.push_back(element);
  return check_attributes(element);
}

bool XmlBuilder::check_attributes(const XmlElement& element) {
  std::vector<std::pair<std::string_view, std::uint32_t>> names;
  names.reserve(element.attributes.size());
  for (const XmlAttribute& attribute : element.attributes) {
    names.emplace_back(attribute.name, attribute.offset);
    if (!check_references(attribute)) return false;
  }
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
  if (twice == names.end()) return true;
  return refuse("attribute " + in_quotes(twice->first) + " of <" + escape(element.name.substr(0, 60)) + "> stands twice", twice[1].second);
}

// in the text as it was: what the parser does not know it leaves as it is
bool XmlBuilder::check_references(const XmlAttribute& attribute) {
  const std::size_t open = original_.find_first_of("\"'", attribute.offset);
  if (open == std::string_view::npos) return true;
  const std::size_t close = original_.find(original_[open], open + 1);
  const std::string_view raw = original_.substr(open + 1, close - open - 1);
  for (std::size_t at = raw.find('&'); at != std::string_view::npos; at = raw.find('&', at + 1)) {
    const std::size_t end = raw.find(';', at);
    const std::string_view body = end == std::string_view::npos ? std::string_view{} : raw.substr(at + 1, end - at - 1);
    if (is_known_reference(body)) continue;
    return refuse(in_quotes(raw.substr(at, 20)) + " in attribute " + in_quotes(attribute.name) +
                      " is no character or entity of XML itself (write \"&amp;\" for \"&\")",
                  open + 1 + at);
  }
  return true;
}

const XmlAttribute* XmlElement::find(std::string_view attribute) const {
  for (const XmlAttribute& a : attributes)
    if (a.name == attribute) return &a;
  return nullptr;
}

std::string_view XmlElement::value(std::string_view attribute) const {
  const XmlAttribute* found = find(attribute);
  return found == nullptr ? std::string_view{} : found->value;
}

TextPosition XmlDocument::position(std::uint32_t offset) const {
  const auto line = std::upper_bound(line_start_.begin(), line_start_.end(), offset) - 1;
  return {static_cast<std::size_t>(line - line_start_.begin()) + 1, offset - *line + 1};
}

Result<std::unique_ptr<XmlDocument>> XmlDocument::parse(std::string_view text, std::string source) {
  const auto refuse = [&](std::string what) { return Error{std::move(what), source, Error::Kind::refused}; };
  std::string converted;
  auto document = std::unique_ptr<XmlDocument>(new XmlDocument);  // NOLINT(modernize-make-unique): the constructor is private
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    if (!from_utf16(text, converted)) return refuse("is damaged UTF-16");
    text = converted;
  } else if (text.starts_with("\xef\xbb\xbf")) {
    text.remove_prefix(3);
  }
  if (const std::string fault = not_xml(text); !fault.empty()) return refuse(fault);
  if (!is_utf8(text)) {
    converted = from_latin1(text);
    text = converted;
    document->warnings_.push_back({"is not UTF-8 and was read as Latin-1", source});
  }
  document->source_ = std::move(source);
  XmlBuilder builder(*document);
  if (!builder.build(text)) return std::move(builder.error);
  return document;
}

std::string place_of(const XmlElement& element) {
  std::vector<const XmlElement*> chain;
  for (const XmlElement* e = &element; e != nullptr; e = e->parent) chain.push_back(e);
  std::string place = place_in(element.document->source(), element.document->position(element.offset)) + ":";
  for (const XmlElement* e : chain | std::views::reverse) {
    place += '/';
    place += escape(e->name.substr(0, 60));
    if (e->ordinal > 1) place += "[" + std::to_string(e->ordinal) + "]";
  }
  return place;
}

std::string place_of(const XmlElement& element, const XmlAttribute& attribute) {
  std::string place = place_of(element);
  const std::string own = place_in(element.document->source(), element.document->position(element.offset));
  const std::string exact = place_in(element.document->source(), element.document->position(attribute.offset));
  return exact + place.substr(own.size()) + "/@" + escape(attribute.name.substr(0, 60));
}

}  // namespace trilith::io
