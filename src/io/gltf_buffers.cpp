#include "io/gltf_buffers.h"

#include <algorithm>

#include "base/text.h"
#include "io/bytes.h"
#include "io/mesh_object.h"
#include "io/text_position.h"

namespace trilith::io {
namespace {

// component types as glTF numbers them
constexpr int signed_byte = 5120, unsigned_byte = 5121, signed_short = 5122, unsigned_short = 5123, unsigned_int = 5125, real = 5126;

std::size_t size_of(int type) {
  if (type == signed_byte || type == unsigned_byte) return 1;
  if (type == signed_short || type == unsigned_short) return 2;
  return type == unsigned_int || type == real ? 4 : 0;
}

double component(std::string_view bytes, std::size_t at, int type, bool normalized) {
  double value = 0, largest = 1;
  if (type == signed_byte) value = read_bytes<std::int8_t>(bytes, at), largest = 127;
  if (type == unsigned_byte) value = read_bytes<std::uint8_t>(bytes, at), largest = 255;
  if (type == signed_short) value = read_bytes<std::int16_t>(bytes, at), largest = 32767;
  if (type == unsigned_short) value = read_bytes<std::uint16_t>(bytes, at), largest = 65535;
  if (type == unsigned_int) value = read_bytes<std::uint32_t>(bytes, at), largest = 4294967295.0;
  if (type == real) return read_bytes<float>(bytes, at);
  return normalized ? std::max(value / largest, -1.0) : value;
}

/// Six bits of one base64 letter; -1 for another letter.
int base64_value(char c) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t at = letters.find(c);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

}  // namespace

Result<GlbChunks> split_glb(std::string_view bytes) {
  constexpr std::size_t header = 12, chunk_header = 8;
  constexpr std::uint32_t json_type = 0x4e4f534a, binary_type = 0x004e4942;
  const auto refuse = [](std::string what) { return Error{std::move(what), "", Error::Kind::refused}; };
  if (bytes.size() < header + chunk_header || !bytes.starts_with("glTF")) return refuse("is no GLB, or was cut off");
  const std::uint32_t version = read_bytes<std::uint32_t>(bytes, 4), length = read_bytes<std::uint32_t>(bytes, 8);
  if (version != 2) return refuse("GLB version " + std::to_string(version) + "; 2 is read");
  if (length > bytes.size())
    return refuse("GLB says that it holds " + std::to_string(length) + " bytes and has " + std::to_string(bytes.size()) +
                  ": the file was cut off");
  bytes = bytes.substr(0, length);
  GlbChunks out;
  for (std::size_t at = header, chunk = 0; at + chunk_header <= bytes.size(); ++chunk) {
    const std::uint32_t size = read_bytes<std::uint32_t>(bytes, at), type = read_bytes<std::uint32_t>(bytes, at + 4);
    at += chunk_header;
    if (size > bytes.size() - at) return refuse("GLB chunk " + std::to_string(chunk) + " is longer than the file");
    if (chunk == 0 && type != json_type) return refuse("GLB does not begin with its JSON");
    if (chunk == 0) out.json = bytes.substr(at, size);
    if (chunk == 1 && type == binary_type) out.binary = bytes.substr(at, size);
    at += size;
  }
  return out;
}

const Json::Array* GltfBuffers::list(std::string_view key) const {
  const Json* value = root_.find(key);
  return value == nullptr ? nullptr : value->array();
}

void GltfBuffers::open() {
  const JsonPath top, all = top.at("buffers");
  const Json::Array* items = list("buffers");
  const std::size_t count = items == nullptr ? 0 : items->size();
  decoded_.reserve(count);
  for (std::size_t i = 0; i < count && !fields_.full(); ++i) {
    const JsonPath path = all.at(i);
    const auto length = whole((*items)[i], "byteLength", 0, path);
    const Json* uri = (*items)[i].find("uri");
    if (uri == nullptr) {
      if (i != 0 || binary_.data() == nullptr) fields_.fail("buffer without data", path);
      buffers_.push_back(binary_);
    } else if (const auto text = fields_.string(*uri, path.at("uri"))) {
      if (!decode(*text, path.at("uri"))) return;
      buffers_.push_back(decoded_.back());
    } else {
      return;
    }
    if (length && *length > buffers_.back().size())
      fields_.fail("buffer says that it holds " + std::to_string(*length) + " bytes and has " + std::to_string(buffers_.back().size()),
                   path.at("byteLength"));
  }
}

// "data:application/octet-stream;base64,...."
bool GltfBuffers::decode(const std::string& uri, const JsonPath& path) {
  const std::size_t comma = uri.find(',');
  if (!uri.starts_with("data:") || comma == std::string::npos || !std::string_view(uri).substr(0, comma).ends_with(";base64")) {
    fields_.fail("buffer " + in_quotes(uri) + " lies outside the file; save the scene as one .glb", path);
    return false;
  }
  std::string& out = decoded_.emplace_back();
  std::uint32_t bits = 0;
  int held = 0;
  for (std::size_t i = comma + 1; i < uri.size() && uri[i] != '='; ++i) {
    const int value = base64_value(uri[i]);
    if (value < 0) {
      fields_.fail("buffer is not base64", path);
      return false;
    }
    bits = (bits << 6) | static_cast<std::uint32_t>(value);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out += static_cast<char>((bits >> held) & 0xff);
  }
  return true;
}

std::optional<std::size_t> GltfBuffers::index(const Json& value, std::size_t count, const JsonPath& path) {
  const std::optional<double> number = fields_.number(value, path);
  if (!number) return std::nullopt;
  if (*number >= 0 && *number < static_cast<double>(count) && *number == static_cast<double>(static_cast<std::size_t>(*number)))
    return static_cast<std::size_t>(*number);
  fields_.fail("index " + format_double(*number) + " is out of range, there are " + std::to_string(count), path);
  return std::nullopt;
}

std::optional<std::uint64_t> GltfBuffers::whole(const Json& object, std::string_view key, std::uint64_t standard, const JsonPath& path) {
  constexpr double most = 9007199254740992.0;
  const Json* value = object.find(key);
  if (value == nullptr) return standard;
  const std::optional<double> number = fields_.number(*value, path.at(key));
  if (!number) return std::nullopt;
  if (*number >= 0 && *number <= most && *number == static_cast<double>(static_cast<std::uint64_t>(*number)))
    return static_cast<std::uint64_t>(*number);
  fields_.fail(in_quotes(key) + " must be a whole number, got " + format_double(*number), path.at(key));
  return std::nullopt;
}

// the bytes that `holder` (an accessor, or a part of a sparse one) names, from its offset on
std::optional<std::string_view> GltfBuffers::view(const Json& holder, const JsonPath& path, std::size_t& stride) {
  const JsonPath top, views = top.at("bufferViews");
  const Json* reference = holder.find("bufferView");
  const Json::Array* items = list("bufferViews");
  if (reference == nullptr) {
    fields_.fail("needs a bufferView", path);
    return std::nullopt;
  }
  const auto which = index(*reference, items == nullptr ? 0 : items->size(), path.at("bufferView"));
  if (!which) return std::nullopt;
  const Json& item = (*items)[*which];
  const JsonPath here = views.at(*which);
  const Json* buffer_number = item.find("buffer");
  const auto buffer = buffer_number == nullptr ? std::nullopt : index(*buffer_number, buffers_.size(), here.at("buffer"));
  const auto from = whole(item, "byteOffset", 0, here), length = whole(item, "byteLength", 0, here),
             step = whole(item, "byteStride", 0, here), offset = whole(holder, "byteOffset", 0, path);
  if (!buffer || !from || !length || !step || !offset) {
    if (buffer_number == nullptr) fields_.fail("bufferView without a buffer", here);
    return std::nullopt;
  }
  const std::string_view bytes = buffers_[*buffer];
  if (*from > bytes.size() || *length > bytes.size() - *from || *offset > *length) {
    fields_.fail("bytes " + std::to_string(*from) + " to " + std::to_string(*from + *length) + " lie outside a buffer of " +
                     std::to_string(bytes.size()),
                 here);
    return std::nullopt;
  }
  stride = static_cast<std::size_t>(*step);
  return bytes.substr(*from, *length).substr(*offset);
}

bool GltfBuffers::elements(const Json& item, const JsonPath& path, std::uint64_t count, Layout layout, std::vector<double>& out) {
  const auto bytes = view(item, path, layout.stride);
  if (!bytes) return false;
  const std::size_t size = layout.width * size_of(layout.type);
  if (layout.stride == 0) layout.stride = size;
  if (count > 0 && (layout.stride < size || size > bytes->size() || (count - 1) > (bytes->size() - size) / layout.stride)) {
    fields_.fail(std::to_string(count) + " elements do not fit into the " + std::to_string(bytes->size()) + " bytes of the view", path);
    return false;
  }
  out.resize(count * layout.width);
  for (std::uint64_t i = 0; i < count; ++i)
    for (std::size_t c = 0; c < layout.width; ++c)
      out[i * layout.width + c] = component(*bytes, i * layout.stride + c * size_of(layout.type), layout.type, layout.normalized);
  return true;
}

// single elements that replace those of the accessor
bool GltfBuffers::sparse(const Json& item, const JsonPath& path, std::uint64_t count, const Layout& layout, std::vector<double>& out) {
  const Json *places = item.find("indices"), *values = item.find("values");
  const JsonPath place_path = path.at("indices"), value_path = path.at("values");
  const auto changed = whole(item, "count", 0, path);
  if (places == nullptr || values == nullptr) fields_.fail("a sparse accessor needs indices and values", path);
  if (places == nullptr || values == nullptr || !changed) return false;
  const auto type = whole(*places, "componentType", 0, place_path);
  if (!type || size_of(static_cast<int>(*type)) == 0) return false;
  std::vector<double> at, numbers;
  if (!elements(*places, place_path, *changed, {0, static_cast<int>(*type), 1, false}, at)) return false;
  if (!elements(*values, value_path, *changed, layout, numbers)) return false;
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (!(at[i] >= 0 && at[i] < static_cast<double>(count))) {
      fields_.fail("sparse index " + format_double(at[i]) + " is out of range", place_path);
      return false;
    }
    std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(i * layout.width), layout.width,
                out.begin() + static_cast<std::ptrdiff_t>(at[i]) * static_cast<std::ptrdiff_t>(layout.width));
  }
  return true;
}

const Json* GltfBuffers::accessor(const Json& reference, const JsonPath& path, std::size_t& number) {
  const Json::Array* items = list("accessors");
  const auto which = index(reference, items == nullptr ? 0 : items->size(), path);
  if (!which) return nullptr;
  number = *which;
  return &(*items)[*which];
}

std::vector<double> GltfBuffers::read(const Json& reference, std::string_view type, const JsonPath& path) {
  const JsonPath top, all = top.at("accessors");
  std::size_t number = 0;
  const Json* item = accessor(reference, path, number);
  if (item == nullptr) return {};
  const JsonPath here = all.at(number);
  const Json *kind = item->find("type"), *changes = item->find("sparse"), *scaled = item->find("normalized");
  const auto count = whole(*item, "count", 0, here), component_type = whole(*item, "componentType", 0, here);
  if (!count || !component_type) return {};
  if (kind == nullptr || kind->string() == nullptr || *kind->string() != type || size_of(static_cast<int>(*component_type)) == 0) {
    fields_.fail("needs an accessor of type " + std::string(type) + " with a known componentType", here);
    return {};
  }
  const Layout layout{0, static_cast<int>(*component_type), type == "VEC3" ? std::size_t(3) : std::size_t(1),
                      scaled != nullptr && scaled->boolean() != nullptr && *scaled->boolean()};
  std::vector<double> out;
  if (item->find("bufferView") != nullptr) {
    if (!elements(*item, here, *count, layout, out)) return {};
  } else {
    // zeros, which cost the file nothing
    if (*count > corner_limit) {
      fields_.fail(std::to_string(*count) + " elements without data are more than " + std::to_string(corner_limit), here);
      return {};
    }
    out.assign(*count * layout.width, 0);
  }
  const JsonPath below = here.at("sparse");
  if (changes != nullptr && !sparse(*changes, below, *count, layout, out)) {
    if (fields_.errors.empty()) fields_.fail("sparse accessor cannot be read", below);
    return {};
  }
  return out;
}

std::vector<Vec3d> GltfBuffers::positions(const Json& reference, const JsonPath& path) {
  const std::vector<double> numbers = read(reference, "VEC3", path);
  std::vector<Vec3d> out;
  out.reserve(numbers.size() / 3);
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3) out.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
  return out;
}

std::vector<std::uint32_t> GltfBuffers::indices(const Json& reference, std::size_t count, const JsonPath& path) {
  const std::vector<double> numbers = read(reference, "SCALAR", path);
  std::vector<std::uint32_t> out;
  out.reserve(numbers.size());
  for (const double i : numbers) {
    if (!(i >= 0 && i < static_cast<double>(count)) || i != static_cast<double>(static_cast<std::uint32_t>(i))) {
      fields_.fail("vertex index " + format_double(i) + " is out of range, there are " + std::to_string(count), path);
      return {};
    }
    out.push_back(static_cast<std::uint32_t>(i));
  }
  return out;
}

}  // namespace trilith::io
