#include "io/png_heights.h"

#include <gtest/gtest.h>
#include <png.h>

#include <span>
#include <string>

namespace trilith::io {
namespace {

struct Kind {
  const char* name;
  int colours, bits;
  std::vector<std::uint8_t> row;     ///< of three pixels, as the file holds them
  std::vector<std::uint8_t> values;  ///< that are wanted of it
};

const Kind kinds[] = {
    {"grey 1", PNG_COLOR_TYPE_GRAY, 1, {0b10100000}, {255, 0, 255}},
    {"grey 2", PNG_COLOR_TYPE_GRAY, 2, {0b00011000}, {0, 85, 170}},
    {"grey 4", PNG_COLOR_TYPE_GRAY, 4, {0x0f, 0x30}, {0, 255, 51}},
    {"grey 8", PNG_COLOR_TYPE_GRAY, 8, {1, 2, 250}, {1, 2, 250}},
    {"grey 16", PNG_COLOR_TYPE_GRAY, 16, {1, 255, 2, 0, 255, 255}, {1, 2, 255}},
    {"grey and alpha", PNG_COLOR_TYPE_GRAY_ALPHA, 8, {7, 0, 8, 1, 9, 255}, {7, 8, 9}},
    {"palette", PNG_COLOR_TYPE_PALETTE, 2, {0b10010000}, {90, 60, 30}},
    {"colours", PNG_COLOR_TYPE_RGB, 8, {1, 9, 9, 2, 9, 9, 3, 9, 9}, {1, 2, 3}},
    {"colours 16", PNG_COLOR_TYPE_RGB, 16, {1, 255, 9, 9, 9, 9, 2, 0, 9, 9, 9, 9, 3, 1, 9, 9, 9, 9}, {1, 2, 3}},
    {"colours and alpha", PNG_COLOR_TYPE_RGB_ALPHA, 8, {1, 9, 9, 0, 2, 9, 9, 0, 3, 9, 9, 0}, {1, 2, 3}},
};

/// Writes a file into a text, by libpng.
class PngWriter {
 public:
  PngWriter(std::uint32_t width, std::uint32_t height, const Kind& kind, bool interlaced)
      : png_(png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr)), info_(png_create_info_struct(png_)) {
    png_set_write_fn(png_, &text_, append, nullptr);
    png_set_user_limits(png_, 0x7fffffff, 0x7fffffff);
    png_set_IHDR(png_, info_, width, height, kind.bits, kind.colours, interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    const png_color palette[] = {{30, 1, 1}, {60, 2, 2}, {90, 3, 3}};
    if (kind.colours == PNG_COLOR_TYPE_PALETTE) png_set_PLTE(png_, info_, palette, 3);
    png_write_info(png_, info_);
  }
  ~PngWriter() { png_destroy_write_struct(&png_, &info_); }
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;

  /// All pixels, and the end.
  std::string finish(std::span<std::uint8_t*> rows) {
    png_write_image(png_, rows.data());
    png_write_end(png_, info_);
    return text_;
  }
  /// A chunk of pixels that holds nothing of use.
  std::string finish_wrongly() {
    png_write_chunk(png_, reinterpret_cast<png_const_bytep>("IDAT"), reinterpret_cast<png_const_bytep>("\x78\xda\x63\x60"), 4);
    return text_;
  }

 private:
  static void append(png_structp png, png_bytep bytes, std::size_t count) {
    static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(bytes), count);
  }
  std::string text_;
  png_structp png_;
  png_infop info_;
};

std::string two_rows_of(Kind kind, bool interlaced) {
  std::uint8_t* rows[] = {kind.row.data(), kind.row.data()};
  return PngWriter(3, 2, kind, interlaced).finish(rows);
}

const Kind& grey() { return kinds[3]; }

std::string huge(std::uint32_t width, std::uint32_t height) { return PngWriter(width, height, grey(), false).finish_wrongly(); }

std::string refusal(const std::string& bytes, std::int64_t most_pixels) {
  const Result<GreyImage> image = read_grey_png(bytes, most_pixels);
  return image ? "was read" : image.errors().front().what;
}

TEST(PngHeightsTest, EveryKindOfImageBecomesBytes) {
  for (const Kind& kind : kinds)
    for (const bool interlaced : {false, true}) {
      const Result<GreyImage> image = read_grey_png(two_rows_of(kind, interlaced), 6);
      ASSERT_TRUE(image.ok()) << kind.name << ": " << image.errors().front().what;
      std::vector<std::uint8_t> wanted = kind.values;
      wanted.insert(wanted.end(), kind.values.begin(), kind.values.end());
      EXPECT_EQ(image.value().values, wanted) << kind.name << ", interlaced " << interlaced;
      EXPECT_EQ(image.value().rows, 2U);
      EXPECT_EQ(image.value().had_16_bits, kind.bits == 16) << kind.name;
      EXPECT_EQ(image.value().had_colours, (kind.colours & PNG_COLOR_MASK_COLOR) != 0) << kind.name;
    }
}

TEST(PngHeightsTest, SizesAreCheckedBeforeMemoryIsTaken) {
  constexpr std::int64_t most = 10'000'000;
  EXPECT_NE(refusal(two_rows_of(grey(), false), 5).find("too many pixels"), std::string::npos);
  EXPECT_NE(refusal(huge(100'000, 100'000), most).find("too many pixels"), std::string::npos);
  EXPECT_NE(refusal(huge(4000, 2500), most).find("too short for its pixels"), std::string::npos);
  for (const auto& [width, height] : {std::pair{0x7fffffffU, 0x7fffffffU}, {0x7fffffffU, 1U}, {1U, 0x7fffffffU}, {65536U, 65536U}})
    EXPECT_NE(refusal(huge(width, height), most).find("is a PNG image that cannot be read: "), std::string::npos) << width << " " << height;
}

TEST(PngHeightsTest, CutAndWrongFilesAreRefused) {
  const std::string good = two_rows_of(kinds[6], true);
  const std::size_t pixels_end = good.size() - 16;  // the end's chunk, and the check sum of the pixels
  for (std::size_t size = 0; size < pixels_end - 4; ++size)
    EXPECT_NE(refusal(good.substr(0, size), 6), "was read") << size << " of " << good.size() << " bytes";
  for (std::size_t i = 0; i < pixels_end; ++i) {
    std::string wrong = good;
    wrong[i] = static_cast<char>(~wrong[i]);
    EXPECT_NE(refusal(wrong, 6), "was read") << "byte " << i;
  }
}

}  // namespace
}  // namespace trilith::io
