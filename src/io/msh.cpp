#include "io/msh.h"

#include <cmath>
#include <string>
#include <utility>

#include "io/bytes.h"

namespace trilith::io {
namespace {

struct Counts {
  std::int32_t vertices = 0, normals = 0, texture_points = 0, triangles = 0;
};
constexpr std::size_t header = sizeof(Counts);

/// Bytes of a file with these counts; 0 where one of them is negative, or where there are too few for a body.
std::uint64_t size_of(const Counts& n) {
  if (n.vertices < 4 || n.normals < 0 || n.texture_points < 0 || n.triangles < 1) return 0;
  return header + 4 * (3 * std::uint64_t(n.vertices) + 3 * std::uint64_t(n.normals) + 2 * std::uint64_t(n.texture_points) +
                       3 * std::uint64_t(n.triangles));
}

}  // namespace

Result<MeshFile> parse_msh(std::string_view bytes, std::string_view source) {
  const std::string where(source);
  if (bytes.size() < header) return Error{"is too short for an MSH mesh", where};
  const Counts n{read_bytes<std::int32_t>(bytes, 0), read_bytes<std::int32_t>(bytes, 4), read_bytes<std::int32_t>(bytes, 8),
                 read_bytes<std::int32_t>(bytes, 12)};
  if (size_of(n) != bytes.size())
    return Error{"is no MSH mesh: it says " + std::to_string(n.vertices) + " vertices and " + std::to_string(n.triangles) +
                     " triangles, which does not fit its " + std::to_string(bytes.size()) + " bytes",
                 where};
  geom::Mesh mesh;
  std::size_t at = header;
  const auto next_float = [&] { return double(read_bytes<float>(bytes, std::exchange(at, at + 4))); };
  for (std::int32_t i = 0; i < n.vertices; ++i) {
    const double x = next_float(), y = next_float(), z = next_float();
    if (!std::isfinite(x) || !std::isfinite(y) || !std::isfinite(z))
      return Error{"vertex " + std::to_string(i) + " is not finite", where + ":/vertices/" + std::to_string(i)};
    mesh.vertices.push_back({x, y, z});
  }
  at += 4 * (3 * std::size_t(n.normals) + 2 * std::size_t(n.texture_points));
  for (std::int32_t f = 0; f < n.triangles; ++f) {
    std::uint32_t corner[3];
    for (std::uint32_t& c : corner) {
      c = read_bytes<std::uint32_t>(bytes, std::exchange(at, at + 4));
      if (c >= std::uint32_t(n.vertices))
        return Error{
            "triangle " + std::to_string(f) + " names vertex " + std::to_string(c) + ", and there are " + std::to_string(n.vertices),
            where + ":/triangles/" + std::to_string(f)};
    }
    mesh.add_face(corner);
  }
  MeshFile file;
  file.objects.push_back({file_stem(source), std::move(mesh), where});
  return file;
}

}  // namespace trilith::io
