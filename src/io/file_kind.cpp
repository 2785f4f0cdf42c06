#include "io/file_kind.h"

#include <algorithm>

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
    {"glTF"sv, "a GLB scene"},
    {"3D Geometry File Format"sv, "a Rhino 3DM file"},
    {"Kaydara FBX"sv, "an FBX scene"},
    {"ISO-10303-21"sv, "a STEP file"},
    {"solid "sv, "an STL mesh"},
    {"ply\n"sv, "a PLY mesh"},
    {"ply\r"sv, "a PLY mesh"},
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

}  // namespace

Sniffed sniff(std::string_view text) {
  for (const auto& [start, name] : signatures)
    if (text.starts_with(start)) return {FileKind::other, name};
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {FileKind::empty, {}};
  text.remove_prefix(first);
  if (text[0] == '{' || text[0] == '[') return {FileKind::json, {}};
  if (starts_like(text, "<!doctype html") || starts_like(text, "<html")) return {FileKind::other, "an HTML page"};
  if (text[0] == '<') return {FileKind::other, "an XML file"};
  constexpr std::size_t looked_at = 4096;
  if (text.substr(0, looked_at).find('\0') != std::string_view::npos) return {FileKind::other, "a binary file"};
  return {FileKind::text, {}};
}

}  // namespace trilith::io
