#include "base/sha256.h"

#include <gtest/gtest.h>

#include <string>

namespace trilith {
namespace {

// examples of FIPS 180-4 and NIST's long message
TEST(Sha256Test, HasThePublishedDigests) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// every length around the block size, fed whole and in uneven pieces
TEST(Sha256Test, PiecesHaveTheDigestOfTheWhole) {
  for (std::size_t length = 0; length < 200; ++length) {
    std::string text;
    for (std::size_t i = 0; i < length; ++i) text += static_cast<char>(i * 37);
    Sha256 pieces, whole;
    for (std::size_t at = 0, step = 1; at < length; at += step, step = step % 71 + 7)
      pieces.update(std::string_view(text).substr(at, step));
    whole.update(text);
    ASSERT_EQ(pieces.finish(), whole.finish()) << length;
  }
}

// 55, 56 and 64 bytes: the length field fits, does not fit, starts a block of its own
TEST(Sha256Test, PadsAtTheEdgesOfABlock) {
  EXPECT_EQ(sha256_hex(std::string(55, 'a')), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(sha256_hex(std::string(56, 'a')), "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(sha256_hex(std::string(64, 'a')), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

}  // namespace
}  // namespace trilith
