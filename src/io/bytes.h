#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace trilith::io {

/// The `T` that begins at byte `at`, which must be there, in the byte order of the file.
template <class T>
T read_bytes(std::string_view bytes, std::size_t at, std::endian order = std::endian::little) {
  char raw[sizeof(T)];
  for (std::size_t i = 0; i < sizeof(T); ++i) raw[i] = bytes[at + (order == std::endian::native ? i : sizeof(T) - 1 - i)];
  T value;
  std::memcpy(&value, raw, sizeof(T));
  return value;
}

}  // namespace trilith::io
