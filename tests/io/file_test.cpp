#include "io/file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include "io/expect_error.h"
#include "io/temporary_folder.h"

namespace trilith::io {
namespace {

TEST(FileTest, WhatIsWrittenIsReadBack) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.txt");
  const std::string text = std::string("one\0two\r\n", 9) + std::string(300000, 'x');
  const Result<WrittenFile> written = write_file_atomically(path, text, false);
  ASSERT_TRUE(written.ok()) << first_error(written);
  EXPECT_EQ(written.value().bytes, text.size());
  EXPECT_EQ(read_file(path).value(), text);
  EXPECT_EQ(folder.count(), 1U);
}

TEST(FileTest, AnExistingFileNeedsForceAndKeepsItsRights) {
  const TemporaryFolder folder;
  const std::string path = folder.put("a.txt", "old");
  ::chmod(path.c_str(), 0640);
  expect_error(write_file_atomically(path, "new", false), path, "exists; --force to overwrite", Error::Kind::io);
  EXPECT_EQ(read_file(path).value(), "old");
  ASSERT_TRUE(write_file_atomically(path, "new", true).ok());
  EXPECT_EQ(read_file(path).value(), "new");
  struct stat status{};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640U);
  EXPECT_EQ(folder.count(), 1U);
}

TEST(FileTest, AnInputIsNeverOverwritten) {
  const TemporaryFolder folder;
  const std::string path = folder.put("in.json", "{}");
  const std::vector<std::string> inputs = {folder.file("absent"), folder.file("./in.json")};
  expect_error(write_file_atomically(path, "new", true, inputs), path, "is also an input", Error::Kind::io);
  EXPECT_EQ(read_file(path).value(), "{}");
}

TEST(FileTest, ALinkIsFollowedAndStays) {
  const TemporaryFolder folder;
  const std::string target = folder.put("sub/target.txt", "old"), link = folder.file("link.txt");
  std::filesystem::create_symlink(target, link);
  ASSERT_TRUE(write_file_atomically(link, "new", true).ok());
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(read_file(target).value(), "new");
}

TEST(FileTest, TheSystemsWordsComeThrough) {
  const TemporaryFolder folder;
  expect_error(read_file(folder.file("absent")), folder.file("absent"), "No such file or directory", Error::Kind::io);
  expect_error(read_file(folder.file("")), folder.file(""), "is a directory", Error::Kind::io);
  expect_error(write_file_atomically(folder.file(""), "x", true), folder.file(""), "is a directory", Error::Kind::io);
  const std::string nowhere = folder.file("no/such/folder.txt");
  expect_error(write_file_atomically(nowhere, "x", true), nowhere, "No such file or directory", Error::Kind::io);
  expect_error(write_file_atomically("/proc/trilith", "x", true), "/proc/trilith", "", Error::Kind::io);
  EXPECT_EQ(folder.count(), 0U);
}

TEST(FileTest, AFullDeviceIsTold) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  expect_error(write_file_atomically("/dev/full", "x", true), "/dev/full", "No space left on device", Error::Kind::io);
  EXPECT_TRUE(write_file_atomically("/dev/null", "x", false).ok());
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(FileTest, AnInterruptedWriteLeavesTheOldFileAndNoOther) {
  const TemporaryFolder folder;
  const std::string path = folder.put("a.txt", "old");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{4096, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Result<WrittenFile> written = write_file_atomically(path, std::string(100000, 'x'), true);
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  expect_error(written, path, "File too large", Error::Kind::io);
  EXPECT_EQ(read_file(path).value(), "old");
  EXPECT_EQ(folder.count(), 1U);
}

TEST(FileTest, FilesBeyondTheLimitAreNotRead) {
  const TemporaryFolder folder;
  const std::string path = folder.put("huge.bin", "");
  std::filesystem::resize_file(path, file_size_limit + 1);  // sparse
  expect_error(read_file(path), path, "larger than the limit of 1024 MiB", Error::Kind::io);
}

}  // namespace
}  // namespace trilith::io
