#include "io/stl.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "io/bytes.h"
#include "io/line_scanner.h"
#include "io/text_position.h"

namespace trilith::io {
namespace {

constexpr std::size_t header_size = 84, triangle_size = 50;

bool is_finite(double x) { return x - x == 0; }

/// True where `word` is `lower` in any case.
bool is_word(std::string_view word, std::string_view lower) {
  return std::equal(word.begin(), word.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
}

void add_triangle(geom::Mesh& mesh) {
  const auto last = static_cast<std::uint32_t>(mesh.vertices.size());
  const std::uint32_t corners[3] = {last - 3, last - 2, last - 1};
  mesh.add_face(corners);
}

class AsciiStl {
 public:
  AsciiStl(std::string_view text, std::string_view source) : scan_(text), source_(source) {}

  Result<MeshFile> read() {
    while (errors_.size() < max_errors && scan_.next_line()) line();
    if (errors_.empty()) finish();
    if (!errors_.empty()) return std::move(errors_);
    return std::move(file_);
  }

 private:
  void line();
  void facet_line(std::string_view word);
  void vertex();
  void end_facet();
  void end_solid();
  void finish();
  void fail(std::string what) { errors_.push_back({std::move(what), place_in(source_, scan_.position()), Error::Kind::refused}); }

  LineScanner scan_;
  std::string source_;
  MeshFile file_;
  std::vector<Error> errors_;
  geom::Mesh mesh_;
  std::string name_, where_;
  bool in_solid_ = false, in_facet_ = false;
  int corners_ = 0;
};

void AsciiStl::line() {
  const std::string_view word = scan_.word();
  if (word.empty()) return;
  if (in_facet_) return facet_line(word);
  if (is_word(word, "solid")) {
    if (in_solid_) end_solid();
    name_ = scan_.rest();
    where_ = source_ + ":" + std::to_string(scan_.line());
    in_solid_ = true;
  } else if (is_word(word, "endsolid")) {
    end_solid();
  } else if (is_word(word, "facet") && in_solid_) {
    in_facet_ = true;
    corners_ = 0;
  } else {
    fail("unexpected word " + in_quotes(word) + " in an ascii STL");
  }
}

void AsciiStl::facet_line(std::string_view word) {
  if (is_word(word, "vertex"))
    vertex();
  else if (is_word(word, "endfacet"))
    end_facet();
  else if (!is_word(word, "outer") && !is_word(word, "endloop"))
    fail("unexpected word " + in_quotes(word) + " in a facet");
}

void AsciiStl::vertex() {
  double xyz[3] = {0, 0, 0};
  for (double& x : xyz) {
    const std::string_view word = scan_.word();
    if (word.empty()) return fail("a vertex needs 3 coordinates");
    const std::optional<double> value = parse_double(word);
    if (!value) return fail("vertex coordinate " + in_quotes(word) + " " + std::string(number_fault(word)));
    x = *value;
  }
  mesh_.vertices.push_back({xyz[0], xyz[1], xyz[2]});
  ++corners_;
}

void AsciiStl::end_facet() {
  in_facet_ = false;
  if (corners_ != 3) return fail("a facet needs 3 vertices, has " + std::to_string(corners_));
  add_triangle(mesh_);
}

void AsciiStl::end_solid() {
  in_solid_ = false;
  if (name_fault(name_).empty() && !is_utf8(name_)) name_ = file_stem(source_);
  if (!name_fault(name_).empty()) name_ = file_stem(source_);
  if (mesh_.face_count() == 0)
    file_.warnings.push_back({"solid " + in_quotes(name_) + " has no facets; left out", where_});
  else
    append_bodies(std::move(mesh_), name_, where_, file_);
  mesh_ = {};
}

void AsciiStl::finish() {
  if (in_facet_) return fail("ends within a facet: the file was cut off");
  if (in_solid_) {
    file_.warnings.push_back({"ends without \"endsolid\"", source_});
    end_solid();
  }
  if (file_.objects.empty()) return fail("no facets: not an STL mesh");
  settle_names(file_, file_stem(source_), source_);
}

Result<MeshFile> read_binary(std::string_view bytes, std::string_view source) {
  const auto refuse = [&](std::string what) { return Error{std::move(what), std::string(source), Error::Kind::refused}; };
  if (bytes.size() < header_size)
    return refuse("is no STL: " + std::to_string(bytes.size()) + " bytes, the header alone has " + std::to_string(header_size));
  const std::uint64_t count = read_bytes<std::uint32_t>(bytes, 80);
  const std::uint64_t room = (bytes.size() - header_size) / triangle_size, left = (bytes.size() - header_size) % triangle_size;
  if (count > room)
    return refuse("says that it holds " + std::to_string(count) + " triangles and has room for " + std::to_string(room) +
                  ": the file was cut off, or is no STL");
  if (count < room) return refuse("says that it holds " + std::to_string(count) + " triangles and has room for " + std::to_string(room));
  if (count == 0) return refuse("no triangles");
  geom::Mesh mesh;
  mesh.vertices.reserve(3 * count);
  mesh.face_vertex.reserve(3 * count);
  mesh.face_start.reserve(count + 1);
  for (std::uint64_t t = 0; t < count; ++t) {
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t at = header_size + t * triangle_size + 12 * (c + 1);
      const Vec3d p{read_bytes<float>(bytes, at), read_bytes<float>(bytes, at + 4), read_bytes<float>(bytes, at + 8)};
      if (!is_finite(p.x) || !is_finite(p.y) || !is_finite(p.z))
        return Error{"triangle " + std::to_string(t + 1) + " has a coordinate that is not finite",
                     std::string(source) + ":/triangles/" + std::to_string(t), Error::Kind::refused};
      mesh.vertices.push_back(p);
    }
    add_triangle(mesh);
  }
  MeshFile file;
  if (left > 0) file.warnings.push_back({std::to_string(left) + " bytes behind the last triangle left out", std::string(source)});
  append_bodies(std::move(mesh), file_stem(source), std::string(source), file);
  settle_names(file, "mesh", source);
  return file;
}

}  // namespace

bool is_binary_stl(std::string_view bytes) {
  return bytes.size() > header_size && header_size + triangle_size * std::uint64_t(read_bytes<std::uint32_t>(bytes, 80)) == bytes.size();
}

Result<MeshFile> parse_stl(std::string_view bytes, std::string_view source) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  const bool named = first != std::string_view::npos && is_word(bytes.substr(first, 5), "solid");
  // "solid" begins many binary headers too: a zero byte settles it
  const bool text = named && bytes.find('\0') == std::string_view::npos;
  if (text && !is_binary_stl(bytes)) return AsciiStl(bytes, source).read();
  return read_binary(bytes, source);
}

}  // namespace trilith::io
