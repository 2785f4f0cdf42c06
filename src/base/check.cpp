#include "base/check.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace trilith {
namespace {

void print_and_abort(std::string_view condition, std::string_view file, int line) {
  std::fprintf(stderr, "trilith: internal check failed: %.*s (%.*s:%d)\n", static_cast<int>(condition.size()), condition.data(),
               static_cast<int>(file.size()), file.data(), line);
  std::abort();
}

std::atomic<CheckHandler> current_handler{print_and_abort};

}  // namespace

CheckHandler set_check_handler(CheckHandler handler) noexcept { return current_handler.exchange(handler ? handler : print_and_abort); }

void check_failed(std::string_view condition, std::string_view file, int line) {
  current_handler.load()(condition, file, line);
  std::abort();  // a handler must not return
}

}  // namespace trilith
