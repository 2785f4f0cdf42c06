#include "base/lanes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/isa_support.h"

namespace trilith {
namespace {

using test::same_number;

template <class S>
void run_ops(const test::IsaPrograms& p, int width, const std::vector<S>& a, const std::vector<S>& b, std::vector<S>& out) {
  const auto count = static_cast<std::int64_t>(a.size());
  out.assign(a.size() * test::lane_op_count, S(-7));
  if constexpr (sizeof(S) == 8) {
    p.lane_ops_double(width, a.data(), b.data(), count, out.data());
  } else {
    p.lane_ops_float(width, a.data(), b.data(), count, out.data());
  }
  out = test::by_problem(out, width, test::lane_op_count);
}

template <class S>
class LanesTest : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(LanesTest, Scalars);

TYPED_TEST(LanesTest, EveryOperationHasTheBitsOfScalarCodeInEveryWidthAndInstructionSet) {
  std::vector<TypeParam> a, b, expected, out;
  test::special_pairs(a, b);
  run_ops(test::entry::host::isa_programs, 1, a, b, expected);
  for (const test::IsaRun& run : test::all_isa_runs()) {
    for (const int width : test::widths_of<TypeParam>()) {
      run_ops(*run.programs, width, a, b, out);
      for (std::size_t i = 0; i < out.size(); ++i)
        ASSERT_TRUE(same_number(out[i], expected[i])) << run.name << " width " << width << " operation " << i % test::lane_op_count
                                                      << " of " << a[i / test::lane_op_count] << ", " << b[i / test::lane_op_count];
    }
  }
}

// the reference above is scalar code of the same header: here it meets the language's own operations
TYPED_TEST(LanesTest, ScalarFormsDoWhatTheLanguageDoes) {
  std::vector<TypeParam> a, b, out;
  test::special_pairs(a, b);
  run_ops(test::entry::host::isa_programs, 1, a, b, out);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const TypeParam x = a[i], y = b[i];
    const TypeParam* r = &out[i * test::lane_op_count];
    const TypeParam expected[18] = {x + y,
                                    x - y,
                                    x * y,
                                    x / y,
                                    -x,
                                    std::sqrt(x),
                                    std::fabs(x),
                                    std::copysign(x, y),
                                    x < y ? x : y,
                                    x > y ? x : y,
                                    TypeParam(x < y),
                                    TypeParam(x <= y),
                                    TypeParam(x > y),
                                    TypeParam(x >= y),
                                    TypeParam(x == y),
                                    TypeParam(x != y),
                                    x < y && !(x == 0) ? x : y,
                                    x < y || y >= 1 ? TypeParam(1) / TypeParam(3) : y};
    for (int k = 0; k < 18; ++k) ASSERT_TRUE(same_number(r[k], expected[k])) << "operation " << k << " of " << x << ", " << y;
  }
}

TYPED_TEST(LanesTest, BroadcastKeepsTheSignOfZero) {
  const Lanes<TypeParam, 4> v(TypeParam(-0.0));
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(std::signbit(v[i]));
}

TYPED_TEST(LanesTest, MinAndMaxReturnTheSecondWhereTheyCannotTell) {
  const TypeParam nan = std::numeric_limits<TypeParam>::quiet_NaN();
  EXPECT_EQ(trilith::min(nan, TypeParam(2)), TypeParam(2));
  EXPECT_TRUE(std::isnan(trilith::min(TypeParam(2), nan)));
  EXPECT_EQ(trilith::max(nan, TypeParam(2)), TypeParam(2));
  EXPECT_TRUE(std::signbit(trilith::min(TypeParam(0), TypeParam(-0.0))));
  EXPECT_FALSE(std::signbit(trilith::max(TypeParam(-0.0), TypeParam(0))));
}

TYPED_TEST(LanesTest, LanesAreReadAndSetOneByOne) {
  TypeParam number[16], back[16];
  for (int i = 0; i < 16; ++i) number[i] = TypeParam(i) - TypeParam(3.5);
  Lanes<TypeParam, 16> v = Lanes<TypeParam, 16>::load(number);
  for (int i = 0; i < 16; ++i) EXPECT_EQ(v[i], number[i]);
  v.set(2, TypeParam(77)), v.set(13, TypeParam(-77));
  v.store(back);
  number[2] = 77, number[13] = -77;
  for (int i = 0; i < 16; ++i) EXPECT_EQ(back[i], number[i]);
}

TYPED_TEST(LanesTest, AnyAndAllSeeEveryLane) {
  using L = Lanes<TypeParam, 16>;
  EXPECT_FALSE(any(L(1) > L(2)));
  EXPECT_TRUE(all(L(2) > L(1)));
  for (int i = 0; i < 16; ++i) {
    L v(0);
    v.set(i, TypeParam(1));
    EXPECT_TRUE(any(v > L(0))) << i;
    EXPECT_FALSE(all(v > L(0))) << i;
    EXPECT_FALSE(all(v == L(0))) << i;
    EXPECT_TRUE((v > L(0))[i]);
    EXPECT_FALSE((v > L(0))[(i + 1) % 16]);
  }
}

TYPED_TEST(LanesTest, ReductionsRunInOneFixedOrder) {
  TypeParam number[8];
  for (int i = 0; i < 8; ++i) number[i] = TypeParam(1) / TypeParam(3 + i * i);
  const Lanes<TypeParam, 8> v = Lanes<TypeParam, 8>::load(number);
  const TypeParam p0 = number[0] + number[4], p1 = number[1] + number[5], p2 = number[2] + number[6], p3 = number[3] + number[7];
  EXPECT_EQ(sum_lanes(v), (p0 + p2) + (p1 + p3));
  EXPECT_EQ(max_lanes(v), number[0]);
  EXPECT_EQ(min_lanes(v), number[7]);
}

TYPED_TEST(LanesTest, ArraysOfLanesReadAndWriteScalarStorage) {
  using L = Lanes<TypeParam, 4>;
  std::vector<TypeParam> storage(13, TypeParam(0));
  const LaneArray<L> array{storage.data() + 1};  // no alignment is asked for
  array[0] = L(1);
  array.from(1)[1] = L(array[0]) + L(4);
  EXPECT_EQ(storage, (std::vector<TypeParam>{0, 1, 1, 1, 1, 0, 0, 0, 0, 5, 5, 5, 5}));
  EXPECT_EQ((LaneArray<const L>{storage.data() + 9}[0][3]), TypeParam(5));
}

}  // namespace
}  // namespace trilith
