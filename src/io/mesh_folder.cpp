#include "io/mesh_folder.h"

#include <algorithm>
#include <filesystem>

#include "base/sha256.h"
#include "io/mesh_files.h"
#include "io/read_mesh.h"
#include "io/text_position.h"

namespace trilith::io {
namespace {

/// What lies in a folder, sorted by name.
struct Listing {
  std::vector<std::string> meshes;
  std::size_t others = 0;
  std::string first_other;
  std::size_t folders = 0;
  std::string first_folder;
};

Result<Listing> list_folder(const std::string& path) {
  Listing out;
  std::error_code code;
  std::filesystem::directory_iterator entry(path, code);
  for (; !code && entry != std::filesystem::directory_iterator(); entry.increment(code)) {
    std::error_code ignored;
    const std::string name = entry->path().filename().string();
    if (name.starts_with('.')) continue;
    if (entry->is_directory(ignored)) {
      if (++out.folders == 1 || name < out.first_folder) out.first_folder = name;
      continue;
    }
    if (has_mesh_extension(name)) {
      out.meshes.push_back(name);
    } else if (++out.others == 1 || name < out.first_other) {
      out.first_other = name;
    }
  }
  if (code) return Error{code.message(), path, Error::Kind::io};
  std::sort(out.meshes.begin(), out.meshes.end());
  return out;
}

std::string id_of(const std::string& stem, const MeshFile& file, const MeshObject& object) {
  if (file.objects.size() == 1) return stem;
  return object.name.starts_with(stem + ".") ? object.name : stem + "/" + object.name;
}

void take_objects(const MeshFiles::File& file, const std::string& folder, model::AssemblyInput& input) {
  const std::string prefix = folder.ends_with('/') ? folder : folder + "/";
  for (const MeshObject& object : file.content.objects) {
    model::BlockInput& block = input.blocks.emplace_back();
    block.id = id_of(file_stem(file.path), file.content, object);
    block.mesh = object.mesh;
    block.where = prefix + object.where;
  }
  for (const Warning& warning : file.content.warnings) input.warnings.push_back({warning.what, prefix + warning.where});
}

}  // namespace

Result<model::AssemblyInput> load_mesh_folder(const std::string& path) {
  const Result<Listing> listing = list_folder(path);
  if (!listing) return listing.errors();
  if (listing.value().meshes.empty())
    return Error{"is a folder without meshes; read are " + std::string(mesh_formats), path, Error::Kind::refused};
  model::AssemblyInput input;
  input.source = path;
  MeshFiles meshes(path);
  std::vector<Error> errors;
  for (const std::string& name : listing.value().meshes) {
    const Result<const MeshFiles::File*> file = meshes.open(name, path);
    if (file) {
      take_objects(*file.value(), path, input);
    } else if (errors.size() < max_errors) {
      errors.insert(errors.end(), file.errors().begin(), file.errors().end());
    }
  }
  if (errors.size() > max_errors) errors.resize(max_errors);
  if (!errors.empty()) return errors;
  const bool metres = std::all_of(meshes.files().begin(), meshes.files().end(), [](const auto& file) { return file->content.in_metres; });
  if (metres) input.unit.emplace("m");
  if (listing.value().folders > 0)
    input.warnings.push_back({"folders inside are not read: " + std::to_string(listing.value().folders) + " (" +
                                  listing.value().first_folder + (listing.value().folders > 1 ? ", ...)" : ")"),
                              path});
  if (listing.value().others > 0)
    input.warnings.push_back({"files that are no meshes left out: " + std::to_string(listing.value().others) + " (" +
                                  in_quotes(listing.value().first_other) + (listing.value().others > 1 ? ", ...)" : ")"),
                              path});
  input.sha256 = sha256_hex(digest_list(meshes));
  return input;
}

}  // namespace trilith::io
