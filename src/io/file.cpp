#include "io/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

namespace trilith::io {
namespace {

Error failure(std::string what, const std::string& path) { return {std::move(what), path, Error::Kind::io}; }

std::string reason(int code) { return std::generic_category().message(code); }

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  int get() const { return value_; }
  bool is_open() const { return value_ >= 0; }
  /// Error number, 0 where it went well.
  int close() {
    const int code = value_ >= 0 && ::close(value_) != 0 ? errno : 0;
    value_ = -1;
    return code;
  }

 private:
  int value_;
};

// until the end, so that pipes work too; an error number, 0 where it went well
int read_all(int file, std::string& text, std::size_t expected) {
  constexpr std::size_t step = std::size_t(1) << 16;
  std::size_t used = 0;
  text.resize(expected + 1);  // one more, so that the end is met without growing
  for (;;) {
    const ssize_t got = ::read(file, text.data() + used, text.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
    if (used > file_size_limit) return EFBIG;
    if (used == text.size()) text.resize(used + used / 2 + step);
  }
  text.resize(used);
  return 0;
}

int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(file, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return 0;
}

// a device or a pipe cannot be replaced by a renamed file
Result<WrittenFile> write_straight(const std::string& path, std::string_view text) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.is_open()) return failure(reason(errno), path);
  int code = write_all(file.get(), text);
  if (code == 0) code = file.close();
  if (code != 0) return failure(reason(code), path);
  return WrittenFile{text.size()};
}

// a new file beside `target`: its name and descriptor, or -1 with errno
int open_temporary(const std::string& target, std::string& name) {
  constexpr int attempts = 100;
  int file = -1;
  for (int attempt = 0; attempt < attempts && file < 0; ++attempt) {
    name = target + "." + std::to_string(::getpid()) + "." + std::to_string(attempt) + ".tmp";
    file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST) break;
  }
  return file;
}

// without `force` the kernel refuses to replace a file that came meanwhile, where the file system can
int move_over(const std::string& from, const std::string& to, bool force) {
  if (force) return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

int write_and_rename(const std::string& target, std::string_view text, bool force, const struct stat* old) {
  std::string name;
  Descriptor file(open_temporary(target, name));
  if (!file.is_open()) return errno;
  if (old != nullptr) (void)::fchmod(file.get(), old->st_mode & 07777);
  int code = write_all(file.get(), text);
  if (code == 0 && ::fsync(file.get()) != 0 && errno != EINVAL) code = errno;
  const int close_code = file.close();
  if (code == 0) code = close_code;
  if (code == 0) code = move_over(name, target, force);
  if (code != 0) (void)::unlink(name.c_str());
  return code;
}

bool same_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

// follows symbolic links, so that the file they lead to is replaced and not the link
std::string real_target(const std::string& path) {
  char* resolved = ::realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return path;
  std::string out(resolved);
  std::free(resolved);
  return out;
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return failure(reason(errno), path);
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) return failure(reason(errno), path);
  if (S_ISDIR(status.st_mode)) return failure("is a directory, not a file", path);
  const auto size = static_cast<std::uint64_t>(status.st_size > 0 ? status.st_size : 0);
  std::string text;
  const int code = size > file_size_limit ? EFBIG : read_all(file.get(), text, static_cast<std::size_t>(size));
  if (code == EFBIG) return failure("larger than the limit of " + std::to_string(file_size_limit >> 20) + " MiB", path);
  if (code != 0) return failure(reason(code), path);
  return text;
}

std::vector<Error> why_not_writable(const std::string& path, bool force, std::span<const std::string> inputs) {
  struct stat old{};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  if (!exists && errno == ENOENT) return {};
  if (!exists) return {failure(reason(errno), path)};
  if (S_ISDIR(old.st_mode)) return {failure("is a directory, not a file", path)};
  for (const std::string& input : inputs) {
    struct stat other{};
    if (::stat(input.c_str(), &other) == 0 && same_file(old, other)) return {failure("is also an input; it is not overwritten", path)};
  }
  if (S_ISREG(old.st_mode) && !force) return {failure("exists; --force to overwrite", path)};
  return {};
}

Result<WrittenFile> write_file_atomically(const std::string& path, std::string_view text, bool force, std::span<const std::string> inputs) {
  if (std::vector<Error> refused = why_not_writable(path, force, inputs); !refused.empty()) return refused;
  struct stat old{};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) return write_straight(path, text);
  const int code = write_and_rename(real_target(path), text, force, exists ? &old : nullptr);
  if (code == EEXIST) return failure("exists; --force to overwrite", path);
  if (code != 0) return failure(reason(code), path);
  return WrittenFile{text.size()};
}

}  // namespace trilith::io
