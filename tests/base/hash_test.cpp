#include "base/hash.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string_view>
#include <vector>

namespace trilith {
namespace {

std::uint64_t hash_of_text(std::string_view text) {
  Hash64 hash;
  hash.add_bytes(std::as_bytes(std::span(text)));
  return hash.value();
}

// published test vectors of FNV-1a, 64 bits
TEST(HashTest, IsFnv1a) {
  EXPECT_EQ(hash_of_text(""), 0xcbf29ce484222325u);
  EXPECT_EQ(hash_of_text("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(hash_of_text("foobar"), 0x85944171f73967e8u);
}

TEST(HashTest, SeesOneBitOrderAndTheSignOfZero) {
  const std::vector<double> numbers{1, 2, 3};
  const std::uint64_t hash = hash_of(numbers);
  EXPECT_NE(hash, hash_of(std::vector<double>{1, 2, std::nextafter(3.0, 4.0)}));
  EXPECT_NE(hash, hash_of(std::vector<double>{2, 1, 3}));
  EXPECT_NE(hash_of(std::vector<double>{0.0}), hash_of(std::vector<double>{-0.0}));
}

TEST(HashTest, EveryNanCountsAsTheSame) {
  const std::uint64_t hash = hash_of(std::vector<double>{std::nan("")});
  EXPECT_EQ(hash, hash_of(std::vector<double>{-std::nan("7")}));
  EXPECT_NE(hash, hash_of(std::vector<double>{HUGE_VAL}));
}

TEST(HashTest, PiecesHashLikeTheWhole) {
  const std::vector<double> numbers{0.1, -7, 1e300};
  Hash64 hash;
  hash.add(0.1);
  hash.add(std::span(numbers).subspan(1));
  EXPECT_EQ(hash.value(), hash_of(numbers));
}

TEST(HashTest, HexHasSixteenDigits) {
  EXPECT_EQ(hex(0xcbf29ce484222325u), "0xcbf29ce484222325");
  EXPECT_EQ(hex(10), "0x000000000000000a");
}

}  // namespace
}  // namespace trilith
