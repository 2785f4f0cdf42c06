#include "io/png_heights.h"

#include <png.h>

#include <csetjmp>
#include <cstring>
#include <string>

namespace trilith::io {
namespace {

/// What the callbacks of libpng see.
struct Reading {
  std::string_view rest;
  char what[100] = "";
};

void give_bytes(png_structp png, png_bytep out, std::size_t count) {
  auto& reading = *static_cast<Reading*>(png_get_io_ptr(png));
  if (count > reading.rest.size()) png_error(png, "it ends early");
  std::memcpy(out, reading.rest.data(), count);
  reading.rest.remove_prefix(count);
}
void note_error(png_structp png, png_const_charp what) {
  auto& reading = *static_cast<Reading*>(png_get_error_ptr(png));
  std::strncpy(reading.what, what, sizeof reading.what - 1);
  png_longjmp(png, 1);
}
void ignore_warning(png_structp, png_const_charp) {}

/// Every kind of image becomes 8 bits of red, or of grey, and perhaps more channels behind.
void ask_for_bytes(png_structp png, png_infop info, GreyImage& image) {
  const auto kind = png_get_color_type(png, info);
  image.had_colours = (kind & PNG_COLOR_MASK_COLOR) != 0;
  image.had_16_bits = png_get_bit_depth(png, info) == 16;
  if (image.had_16_bits) png_set_strip_16(png);
  if (kind == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
  if (kind == PNG_COLOR_TYPE_GRAY) png_set_expand_gray_1_2_4_to_8(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
}

/// Refuses more pixels than are wanted, and more than the bytes that follow can hold, before memory is taken for them.
void check_size(png_structp png, png_infop info, std::int64_t most_pixels) {
  constexpr std::int64_t largest_ratio = 1032;  // of deflate: 258 bytes from two bits
  const std::int64_t pixels = std::int64_t{png_get_image_height(png, info)} * std::int64_t{png_get_image_width(png, info)};
  if (pixels > most_pixels) png_error(png, "it has too many pixels");
  const std::int64_t bits = pixels * png_get_channels(png, info) * png_get_bit_depth(png, info);
  const auto& reading = *static_cast<const Reading*>(png_get_io_ptr(png));
  if (bits / 8 > largest_ratio * static_cast<std::int64_t>(reading.rest.size())) png_error(png, "it is too short for its pixels");
}

/// Fills `image` and `rows`. False where libpng refuses; nothing with a destructor lives in here, for errors jump out of it.
bool decode(png_structp png, png_infop info, std::int64_t most_pixels, GreyImage& image, std::vector<png_byte>& pixels,
            std::vector<png_bytep>& rows) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_read_info(png, info);
  check_size(png, info, most_pixels);
  image.rows = png_get_image_height(png, info), image.columns = png_get_image_width(png, info);
  ask_for_bytes(png, info, image);
  const std::size_t width = png_get_rowbytes(png, info);
  pixels.resize(width * image.rows);
  rows.resize(image.rows);
  for (std::size_t r = 0; r < image.rows; ++r) rows[r] = pixels.data() + r * width;
  png_read_image(png, rows.data());
  return true;
}

}  // namespace

bool is_png(std::string_view bytes) noexcept { return bytes.starts_with("\x89PNG\r\n\x1a\n"); }

Result<GreyImage> read_grey_png(std::string_view bytes, std::int64_t most_pixels) {
  Reading reading{bytes};
  GreyImage image;
  std::vector<png_byte> pixels;
  std::vector<png_bytep> rows;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reading, note_error, ignore_warning);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  bool good = false;
  if (info != nullptr) {
    png_set_read_fn(png, &reading, give_bytes);
    good = decode(png, info, most_pixels, image, pixels, rows);
  }
  const std::size_t channels = good ? png_get_channels(png, info) : 1;
  png_destroy_read_struct(&png, &info, nullptr);
  if (!good) return Error{std::string("is a PNG image that cannot be read: ") + reading.what, ""};
  image.values.resize(std::size_t{image.rows} * image.columns);
  for (std::size_t i = 0; i < image.values.size(); ++i) image.values[i] = pixels[i * channels];
  return image;
}

}  // namespace trilith::io
