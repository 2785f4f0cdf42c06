#include "base/isa.h"

#include <cstdlib>
#include <initializer_list>

namespace trilith {
namespace {

Isa best_isa() noexcept {
  if (has_isa(Isa::v4)) return Isa::v4;
  return has_isa(Isa::v3) ? Isa::v3 : Isa::baseline;
}

/// What the environment asks for; empty: nothing.
std::string_view requested() noexcept {
  const char* wanted = std::getenv("TRILITH_ISA");
  return wanted == nullptr ? std::string_view() : std::string_view(wanted);
}

Isa choose_isa() noexcept {
  for (const Isa isa : {Isa::baseline, Isa::v3, Isa::v4})
    if (name(isa) == requested() && has_isa(isa)) return isa;
  return best_isa();
}

}  // namespace

bool has_isa(Isa isa) noexcept {
  __builtin_cpu_init();
  switch (isa) {
    case Isa::baseline:
      return true;
    case Isa::v3:
      return __builtin_cpu_supports("x86-64-v3") != 0;
    case Isa::v4:
      return __builtin_cpu_supports("x86-64-v4") != 0;
  }
  return false;
}

Isa active_isa() noexcept {
  static const Isa chosen = choose_isa();
  return chosen;
}

std::string_view ignored_isa_request() noexcept {
  const std::string_view wanted = requested();
  return wanted == name(active_isa()) ? std::string_view() : wanted;
}

std::string_view name(Isa isa) noexcept {
  switch (isa) {
    case Isa::baseline:
      return "baseline";
    case Isa::v3:
      return "v3";
    case Isa::v4:
      return "v4";
  }
  return "unknown";
}

}  // namespace trilith
