#include "io/rooted_files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/sha256.h"
#include "expect_error.h"
#include "temporary_folder.h"

namespace trilith::io {
namespace {

namespace fs = std::filesystem;

TEST(RootedFilesTest, ReadsWhatLiesInTheFolderOfTheMainFile) {
  const TemporaryFolder folder;
  folder.put("a/part.txt", "part");
  RootedFiles files(folder.put("main.txt", "main"), {});
  const auto file = files.read("a/../a/part.txt", "mesh", "main.txt:1");
  ASSERT_TRUE(file.ok()) << first_error(file);
  EXPECT_EQ(file.value().text, "part");
  EXPECT_EQ(file.value().sha256, sha256_hex("part"));
  expect_error(files.read("none.txt", "mesh", "main.txt:1"), "main.txt:1", "mesh file \"none.txt\" is not there");
  expect_error(files.read("a", "mesh", "main.txt:1"), "main.txt:1", "is a directory", Error::Kind::io);
  expect_error(files.read("a\n", "mesh", "main.txt:1"), "main.txt:1", "control character");
}

TEST(RootedFilesTest, OpensNothingOutside) {
  const TemporaryFolder folder;
  folder.put("out/secret.txt", "secret");
  folder.put("in/own.txt", "own");
  const std::string main = folder.put("in/main.txt", "main");
  fs::create_symlink(folder.file("out"), folder.file("in/link"));
  fs::create_directory(folder.file("in2"));  // a neighbour whose name begins alike
  folder.put("in2/x.txt", "x");
  RootedFiles files(main, {});
  for (const std::string& path : {std::string("../out/secret.txt"), std::string("link/secret.txt"), folder.file("out/secret.txt"),
                                  std::string("../in2/x.txt"), std::string("/etc/hostname")}) {
    if (!fs::exists(path) && path[0] == '/') continue;
    expect_error(files.read(path, "mesh", "w"), "w", "lies outside of the model's folder");
  }
  EXPECT_TRUE(files.read(folder.file("in/own.txt"), "mesh", "w").ok());
  EXPECT_TRUE(RootedFiles(main, {folder.file("out")}).read("../out/secret.txt", "mesh", "w").ok());
}

TEST(RootedFilesTest, TheDigestIsThatOfSha256sum) {
  const TemporaryFolder folder;
  folder.put("b.txt", "b");
  RootedFiles files(folder.put("main.txt", "main"), {});
  EXPECT_EQ(files.digest("00"), "00");
  for (int twice = 0; twice < 2; ++twice) EXPECT_TRUE(files.read("b.txt", "mesh", "w").ok());
  EXPECT_EQ(files.digest(sha256_hex("main")), sha256_hex(sha256_hex("main") + "  main.txt\n" + sha256_hex("b") + "  b.txt\n"));
}

TEST(RootedFilesTest, PathsAreJoined) {
  EXPECT_EQ(folder_of("a/b/c"), "a/b");
  EXPECT_EQ(folder_of("c"), "");
  EXPECT_EQ(folder_of("/c"), "/");
  EXPECT_EQ(join_path("a", "b"), "a/b");
  EXPECT_EQ(join_path("a/", "b"), "a/b");
  EXPECT_EQ(join_path("", "b"), "b");
  EXPECT_EQ(join_path("a", "/b"), "/b");
}

}  // namespace
}  // namespace trilith::io
