#include <gtest/gtest.h>

#include <cmath>

#include "base/hash.h"
#include "base/isa_support.h"

// The constants hold for g++ and clang++, -O0 and -O3, every width and instruction set. When one changes, results of the whole engine
// change: say so in the commit.
namespace trilith {
namespace {

constexpr std::uint64_t double_hash = 0x1d70ca00f32e0b2b;
constexpr std::uint64_t float_hash = 0x15e06dbe2c0f1a70;

template <class S>
std::uint64_t hash_of_program(void (*program)(int, S*), int width) {
  std::vector<S> out(std::size_t{test::program_problems} * test::program_results);
  program(width, out.data());
  Hash64 hash;
  hash.add(std::span<const S>(test::by_problem(out, width, test::program_results)));
  return hash.value();
}

TEST(DeterminismTest, DoubleProgramHasOneHashInEveryWidthAndInstructionSet) {
  for (const test::IsaRun& run : test::all_isa_runs())
    for (const int width : test::widths_of<double>())
      EXPECT_EQ(hex(hash_of_program(run.programs->determinism_double, width)), hex(double_hash)) << run.name << " width " << width;
}

TEST(DeterminismTest, FloatProgramHasOneHashInEveryWidthAndInstructionSet) {
  for (const test::IsaRun& run : test::all_isa_runs())
    for (const int width : test::widths_of<float>())
      EXPECT_EQ(hex(hash_of_program(run.programs->determinism_float, width)), hex(float_hash)) << run.name << " width " << width;
}

// a hash over garbage would be as constant as one over results
TEST(DeterminismTest, ProgramsComputeFiniteNumbersOfPlausibleSize) {
  std::vector<double> wide(std::size_t{test::program_problems} * test::program_results);
  std::vector<float> narrow(wide.size());
  test::entry::host::isa_programs.determinism_double(1, wide.data());
  test::entry::host::isa_programs.determinism_float(1, narrow.data());
  for (std::size_t i = 0; i < wide.size(); ++i) {
    ASSERT_TRUE(wide[i] - wide[i] == 0) << i;
    const bool large_angle = i % test::program_results == 5 || i % test::program_results == 6;  // 1e8 rad has no digits left in float
    if (large_angle) continue;
    ASSERT_NEAR(narrow[i], wide[i], 1e-3 * (1 + std::abs(wide[i]))) << i << " result " << i % test::program_results;
  }
}

}  // namespace
}  // namespace trilith
