#pragma once
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "base/isa_programs.h"

/// What the tests over widths and instruction sets share.
namespace trilith::test {

/// One way to run the programs of isa_programs.h.
struct IsaRun {
  std::string name;
  const IsaPrograms* programs;
};
/// The test's own flags, then every instruction set of this CPU.
inline std::vector<IsaRun> all_isa_runs() {
  std::vector<IsaRun> runs{{"host", &entry::host::isa_programs}};
  for (const Isa isa : {Isa::baseline, Isa::v3, Isa::v4})
    if (has_isa(isa)) runs.push_back({std::string(name(isa)), &isa_programs_of(isa)});
  return runs;
}

template <class S>
std::vector<int> widths_of() {
  return sizeof(S) == 8 ? std::vector<int>{1, 2, 4, 8} : std::vector<int>{1, 4, 8, 16};
}

/// Same bits; any NaN is the same as any other.
template <class S>
bool same_number(S a, S b) {
  return std::memcmp(&a, &b, sizeof(S)) == 0 || (a != a && b != b);  // NOLINT(bugprone-suspicious-memory-comparison): bits are asked
}

/// From groups of `width` to one problem after the other: out[i * results + r].
template <class S>
std::vector<S> by_problem(const std::vector<S>& interleaved, int width, int results) {
  std::vector<S> out(interleaved.size());
  const auto w = static_cast<std::size_t>(width), count = static_cast<std::size_t>(results);
  for (std::size_t i = 0; i < out.size() / count; ++i)
    for (std::size_t r = 0; r < count; ++r) out[i * count + r] = interleaved[(i / w * count + r) * w + i % w];
  return out;
}

/// Numbers where arithmetic has corners: zeros, subnormals, the edges of the range, infinities, NaN, and some ordinary ones.
template <class S>
std::vector<S> special_numbers() {
  using Limits = std::numeric_limits<S>;
  std::vector<S> numbers{S(0), S(1), S(2), S(0.5), S(3), S(0.1), S(1.5), S(100.25), S(1) + Limits::epsilon(), S(1e-5), S(12345.678)};
  for (const S edge : {Limits::denorm_min(), Limits::min(), Limits::min() * S(0.75), Limits::max(), Limits::infinity()})
    numbers.push_back(edge);
  const std::size_t positive = numbers.size();
  for (std::size_t i = 0; i < positive; ++i) numbers.push_back(-numbers[i]);
  numbers.push_back(Limits::quiet_NaN());
  return numbers;
}

/// Every pair of special numbers, filled up to a multiple of 16.
template <class S>
void special_pairs(std::vector<S>& a, std::vector<S>& b) {
  const std::vector<S> numbers = special_numbers<S>();
  for (const S x : numbers)
    for (const S y : numbers) a.push_back(x), b.push_back(y);
  while (a.size() % 16 != 0) a.push_back(S(1)), b.push_back(S(1));
}

}  // namespace trilith::test
