#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

namespace trilith::io {

/// Appends a number as the bytes that a binary file holds.
template <class T>
void put_bytes(std::string& out, T value, std::endian order = std::endian::little) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  for (std::size_t i = 0; i < sizeof(T); ++i) out += raw[order == std::endian::native ? i : sizeof(T) - 1 - i];
}

}  // namespace trilith::io
