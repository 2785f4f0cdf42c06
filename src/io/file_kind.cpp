#include "io/file_kind.h"

#include <algorithm>

#include "io/stl.h"

namespace trilith::io {
namespace {

struct Signature {
  std::string_view start, name;
};

using namespace std::string_view_literals;

constexpr Signature signatures[] = {
    {"\x89PNG"sv, "a PNG image"},
    {"\xff\xd8\xff"sv, "a JPEG image"},
    {"GIF8"sv, "a GIF image"},
    {"%PDF"sv, "a PDF document"},
    {"PK\x03\x04"sv, "a ZIP archive"},
    {"\x1f\x8b"sv, "a gzip archive"},
    {"\x7f"
     "ELF"sv,
     "a program"},
    {"3D Geometry File Format"sv, "a Rhino 3DM file"},
    {"Kaydara FBX"sv, "an FBX scene"},
    {"ISO-10303-21"sv, "a STEP file"},
    {"OFF\n"sv, "an OFF mesh"},
    {"#!"sv, "a script"},
    {"\xff\xfe"sv, "UTF-16 text; save it as UTF-8"},
    {"\xfe\xff"sv, "UTF-16 text; save it as UTF-8"},
};

// case does not matter in HTML
bool starts_like(std::string_view text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  return std::equal(lower.begin(), lower.end(), text.begin(), [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b + 32 : b); });
}

/// An ascii STL: "solid", and a facet or its end not far behind.
bool looks_like_stl(std::string_view text) {
  constexpr std::size_t looked_at = 4096;
  if (!starts_like(text, "solid")) return false;
  const std::string_view start = text.substr(0, looked_at);
  for (const std::string_view word : {"facet", "FACET", "endsolid", "ENDSOLID"})
    if (start.find(word) != std::string_view::npos) return true;
  return false;
}

}  // namespace

Sniffed sniff(std::string_view text) {
  if (text.starts_with("glTF")) return {FileKind::glb, {}};
  if (text.starts_with("ply\n") || text.starts_with("ply\r")) return {FileKind::ply, {}};
  if (is_binary_stl(text)) return {FileKind::stl, {}};
  for (const auto& [start, name] : signatures)
    if (text.starts_with(start)) return {FileKind::other, name};
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {FileKind::empty, {}};
  text.remove_prefix(first);
  if (looks_like_stl(text)) return {FileKind::stl, {}};
  if (text[0] == '{' || text[0] == '[') return {FileKind::json, {}};
  if (starts_like(text, "<!doctype html") || starts_like(text, "<html")) return {FileKind::other, "an HTML page"};
  if (text[0] == '<') return {FileKind::other, "an XML file"};
  constexpr std::size_t looked_at = 4096;
  if (text.substr(0, looked_at).find('\0') != std::string_view::npos) return {FileKind::other, binary_name};
  return {FileKind::text, {}};
}

}  // namespace trilith::io
