#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/json_fields.h"

namespace trilith::io {

/// The two chunks of a GLB file.
struct GlbChunks {
  std::string_view json, binary;
};

/// Checks magic, version and the lengths of the chunks against the file. Errors without a place. Source: glTF 2.0, section 4.4.
Result<GlbChunks> split_glb(std::string_view bytes);

/// Buffers, views and accessors of a glTF scene. Every range is checked against its buffer before it is read; every problem goes into
/// `fields` with its JSON pointer.
class GltfBuffers {
 public:
  /// `binary`: the second chunk of a GLB, empty in a .gltf. All three must outlive this.
  GltfBuffers(const Json& root, std::string_view binary, JsonFields& fields) : root_(root), binary_(binary), fields_(fields) {}

  /// Reads the list of buffers: the binary chunk, or data URIs.
  void open();
  /// A whole number below `count`.
  std::optional<std::size_t> index(const Json& value, std::size_t count, const JsonPath& path);
  /// The points of the accessor that `reference` names: VEC3 of any component type, sparse or not. Empty where there was an error.
  std::vector<Vec3d> positions(const Json& reference, const JsonPath& path);
  /// The corner indices of an accessor, each below `count`.
  std::vector<std::uint32_t> indices(const Json& reference, std::size_t count, const JsonPath& path);

 private:
  /// Where the elements of an accessor lie.
  struct Layout {
    std::size_t stride = 0;
    int type = 0;           ///< component type, as glTF numbers it
    std::size_t width = 0;  ///< components of one element
    bool normalized = false;
  };

  const Json::Array* list(std::string_view key) const;
  const Json* accessor(const Json& reference, const JsonPath& path, std::size_t& number);
  std::vector<double> read(const Json& reference, std::string_view type, const JsonPath& path);
  bool elements(const Json& item, const JsonPath& path, std::uint64_t count, Layout layout, std::vector<double>& out);
  bool sparse(const Json& item, const JsonPath& path, std::uint64_t count, const Layout& layout, std::vector<double>& out);
  std::optional<std::string_view> view(const Json& holder, const JsonPath& path, std::size_t& stride);
  std::optional<std::uint64_t> whole(const Json& object, std::string_view key, std::uint64_t standard, const JsonPath& path);
  bool decode(const std::string& uri, const JsonPath& path);

  const Json& root_;
  std::string_view binary_;
  JsonFields& fields_;
  std::vector<std::string> decoded_;
  std::vector<std::string_view> buffers_;
};

}  // namespace trilith::io
