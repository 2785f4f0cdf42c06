#pragma once
#include <string_view>

namespace trilith {

/// Called with the failed condition and its place. The default prints one line to stderr and aborts; Python installs one that raises.
using CheckHandler = void (*)(std::string_view condition, std::string_view file, int line);

/// Installs `handler` and returns the previous one. A handler must not return normally (throw or end the process).
CheckHandler set_check_handler(CheckHandler handler) noexcept;

[[noreturn]] void check_failed(std::string_view condition, std::string_view file, int line);

}  // namespace trilith

/// Programmer error: always on, in release too. Never for bad input (that is a `Result`) nor for numerical outcomes (`SolveStatus`).
#define TRI_CHECK(condition) ((condition) ? void(0) : ::trilith::check_failed(#condition, __FILE__, __LINE__))
