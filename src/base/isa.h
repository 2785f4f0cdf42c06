#pragma once
#include <cstdint>
#include <string_view>

namespace trilith {

/// Instruction sets that kernels are compiled for. Bits never depend on the choice; only time does.
enum class Isa : std::uint8_t { baseline, v3, v4 };

/// The best set of this CPU, or what the environment variable TRILITH_ISA (baseline, v3, v4) asks for where the CPU has it.
/// Read once; the answer never changes within a process.
Isa active_isa() noexcept;

/// What TRILITH_ISA asks for where that is no known set or none of this CPU, so that `active_isa` ignores it; empty otherwise. For a
/// warning of the program.
std::string_view ignored_isa_request() noexcept;

/// True where this CPU can run `isa`.
bool has_isa(Isa isa) noexcept;

std::string_view name(Isa isa) noexcept;

}  // namespace trilith

// Kernel sources (`*_kernel.cpp`) are compiled once per instruction set with TRILITH_ISA_NAMESPACE set to baseline, v3 or v4. Everything
// that a kernel inlines lives in that inline namespace, so that the linker can never mix code of two instruction sets.
#ifndef TRILITH_ISA_NAMESPACE
#define TRILITH_ISA_NAMESPACE host
#endif
#define TRI_ISA_BEGIN inline namespace TRILITH_ISA_NAMESPACE {
#define TRI_ISA_END }
