#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "trilith/result.h"

namespace trilith::io {

/// An image of one value, 0 to 255, for each pixel; rows from the top down.
struct GreyImage {
  std::uint32_t rows = 0, columns = 0;
  std::vector<std::uint8_t> values;
  bool had_colours = false;  ///< the red channel was taken
  bool had_16_bits = false;  ///< the lower 8 were left out
};

bool is_png(std::string_view bytes) noexcept;

/// Reads a PNG of any kind as what height fields are made of: grey values of 8 bits, of 16 bits the upper eight, of colours the red ones.
/// More than `most_pixels`, and more than so few bytes can hold, are refused before memory is taken for them.
Result<GreyImage> read_grey_png(std::string_view bytes, std::int64_t most_pixels);

}  // namespace trilith::io
