#include "io/mesh_object.h"

#include <unordered_set>

#include "geom/mesh_bodies.h"
#include "io/text_position.h"

namespace trilith::io {

std::string file_stem(std::string_view source) {
  if (const std::size_t slash = source.find_last_of('/'); slash != std::string_view::npos) source.remove_prefix(slash + 1);
  if (const std::size_t dot = source.find_last_of('.'); dot != std::string_view::npos && dot > 0) source = source.substr(0, dot);
  return std::string(source);
}

void settle_names(MeshFile& file, std::string_view fallback, std::string_view source) {
  std::unordered_set<std::string> taken;
  std::size_t renamed = 0;
  std::string first;
  for (MeshObject& object : file.objects) {
    if (!name_fault(object.name).empty()) object.name = fallback;
    std::string name = object.name;
    for (std::size_t k = 2; !taken.insert(name).second; ++k) name = object.name + "." + std::to_string(k);
    if (name == object.name) continue;
    if (renamed++ == 0) first = in_quotes(object.name) + " became " + in_quotes(name);
    object.name = std::move(name);
  }
  if (renamed > 0) file.warnings.push_back({std::to_string(renamed) + " names appear more than once: " + first, std::string(source)});
}

void append_bodies(geom::Mesh mesh, const std::string& name, const std::string& where, MeshFile& out) {
  std::vector<geom::Mesh> bodies = geom::split_bodies(std::move(mesh), geom::MeshSettings{});
  if (bodies.size() > 1)
    out.warnings.push_back({in_quotes(name) + " holds " + std::to_string(bodies.size()) + " closed shells: each is a block, " +
                                in_quotes(name + ".1") + " to " + in_quotes(name + "." + std::to_string(bodies.size())),
                            where});
  for (std::size_t i = 0; i < bodies.size(); ++i)
    out.objects.push_back({bodies.size() > 1 ? name + "." + std::to_string(i + 1) : name, std::move(bodies[i]), where});
}

}  // namespace trilith::io
