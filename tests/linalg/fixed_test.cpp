#include "linalg/fixed.h"

#include <gtest/gtest.h>

#include "support/random.h"

namespace trilith {
namespace {

/// A naive matrix of any size for comparison: entries by (row, column), sums from the first index up.
struct Naive {
  int rows, columns;
  double at[6][6];
};
template <int N, class M>
Naive naive(const M& a) {
  Naive r{N, N, {}};
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) r.at[i][j] = a.m[N * i + j];
  return r;
}
Naive product(const Naive& a, const Naive& b) {
  Naive r{a.rows, b.columns, {}};
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < b.columns; ++j) {
      r.at[i][j] = a.at[i][0] * b.at[0][j];
      for (int k = 1; k < a.columns; ++k) r.at[i][j] += a.at[i][k] * b.at[k][j];
    }
  }
  return r;
}
template <int N, class M>
void expect_equal(const M& a, const Naive& b) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) EXPECT_EQ(a.m[N * i + j], b.at[i][j]) << i << " " << j;
}

class FixedTest : public testing::Test {
 protected:
  Mat3d matrix3() {
    Mat3d a;
    for (double& v : a.m) v = random_.gauss();
    return a;
  }
  Mat6d matrix6() {
    Mat6d a;
    for (double& v : a.m) v = random_.gauss();
    return a;
  }
  Vec6d vector6() {
    Vec6d a;
    for (double& v : a.v) v = random_.gauss();
    return a;
  }
  test::Random random_{2};
};

TEST_F(FixedTest, ProductsAreThoseOfTheDefinition) {
  for (int repeat = 0; repeat < 100; ++repeat) {
    const Mat3d a = matrix3(), b = matrix3();
    expect_equal<3>(a * b, product(naive<3>(a), naive<3>(b)));
    const Mat6d c = matrix6(), d = matrix6();
    expect_equal<6>(c * d, product(naive<6>(c), naive<6>(d)));
  }
}

TEST_F(FixedTest, MatrixTimesVectorTakesRowsTimesTheVector) {
  const Mat3d a = matrix3();
  const Vec3d x = random_.gauss_vector(), y = a * x, z = transpose_times(a, x), w = transpose(a) * x;
  EXPECT_EQ(y.x, a.m[0] * x.x + a.m[1] * x.y + a.m[2] * x.z);
  EXPECT_EQ(y.y, a.m[3] * x.x + a.m[4] * x.y + a.m[5] * x.z);
  EXPECT_EQ(y.z, a.m[6] * x.x + a.m[7] * x.y + a.m[8] * x.z);
  EXPECT_EQ(z.x, w.x);
  EXPECT_EQ(z.y, w.y);
  EXPECT_EQ(z.z, w.z);
  const Mat6d b = matrix6();
  const Vec6d u = vector6(), v = b * u;
  for (int i = 0; i < 6; ++i) {
    double sum = b.m[6 * i] * u.v[0];
    for (int k = 1; k < 6; ++k) sum += b.m[6 * i + k] * u.v[k];
    EXPECT_EQ(v.v[i], sum);
  }
}

TEST_F(FixedTest, SumsScalesAndTransposesWorkEntryByEntry) {
  const Mat3d a = matrix3(), b = matrix3();
  const Mat6d c = matrix6(), d = matrix6();
  const Vec6d u = vector6(), v = vector6();
  for (int i = 0; i < 9; ++i) {
    EXPECT_EQ((a + b).m[i], a.m[i] + b.m[i]);
    EXPECT_EQ((a - b).m[i], a.m[i] - b.m[i]);
    EXPECT_EQ((3.0 * a).m[i], 3 * a.m[i]);
    EXPECT_EQ(transpose(a).m[3 * (i % 3) + i / 3], a.m[i]);
  }
  for (int i = 0; i < 36; ++i) {
    EXPECT_EQ((c + d).m[i], c.m[i] + d.m[i]);
    EXPECT_EQ((c - d).m[i], c.m[i] - d.m[i]);
    EXPECT_EQ((3.0 * c).m[i], 3 * c.m[i]);
    EXPECT_EQ(transpose(c).m[6 * (i % 6) + i / 6], c.m[i]);
  }
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ((u + v).v[i], u.v[i] + v.v[i]);
    EXPECT_EQ((u - v).v[i], u.v[i] - v.v[i]);
    EXPECT_EQ((3.0 * u).v[i], 3 * u.v[i]);
  }
  EXPECT_NEAR(dot(u, v), u.v[0] * v.v[0] + u.v[1] * v.v[1] + u.v[2] * v.v[2] + u.v[3] * v.v[3] + u.v[4] * v.v[4] + u.v[5] * v.v[5], 1e-14);
}

TEST_F(FixedTest, CrossProductIsTheSkewMatrixAndObeysTheRightHand) {
  const Vec3d z = cross(Vec3d{1, 0, 0}, Vec3d{0, 1, 0});
  EXPECT_EQ(z.z, 1);
  const Vec3d a = random_.gauss_vector(), b = random_.gauss_vector();
  const Vec3d c = cross(a, b), d = skew(a) * b;
  EXPECT_DOUBLE_EQ(c.x, d.x);
  EXPECT_DOUBLE_EQ(c.y, d.y);
  EXPECT_DOUBLE_EQ(c.z, d.z);
  EXPECT_NEAR(dot(c, a), 0, 1e-14);
}

TEST_F(FixedTest, UnitHasLengthOneAndLeavesZeroAlone) {
  EXPECT_NEAR(norm(unit(Vec3d{3, -4, 12})), 1, 1e-15);
  EXPECT_NEAR(unit(Vec3d{3, -4, 12}).z, 12.0 / 13, 1e-15);
  EXPECT_EQ(norm(unit(Vec3d{0, 0, 0})), 0);
}

TEST_F(FixedTest, RowsColumnsAndOuterProductsPlaceTheirNumbers) {
  const Vec3d a{1, 2, 3}, b{4, 5, 6}, c{7, 8, 9};
  const Mat3d by_column = from_columns(a, b, c), by_row = from_rows(a, b, c);
  EXPECT_EQ(column(by_column, 1).z, 6);
  EXPECT_EQ(row(by_column, 1).x, 2);
  EXPECT_EQ(row(by_row, 2).y, 8);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(transpose(by_column).m[i], by_row.m[i]);
  EXPECT_EQ(outer(a, b).m[3 * 2 + 1], 3 * 5);
  EXPECT_EQ(trace(by_row), 1 + 5 + 9);
  EXPECT_EQ(determinant(from_rows(Vec3d{2, 0, 0}, Vec3d{5, 3, 0}, Vec3d{1, 1, 4})), 24);
  EXPECT_EQ(determinant(by_row), 0);
  EXPECT_EQ((diagonal3(a) * b).z, 18);
}

TEST_F(FixedTest, BlocksGoWhereTheyCameFrom) {
  const Mat3d part[4] = {matrix3(), matrix3(), matrix3(), matrix3()};
  const Mat6d whole = from_blocks(part[0], part[1], part[2], part[3]);
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 9; ++k) EXPECT_EQ(block3(whole, i / 2, i % 2).m[k], part[i].m[k]);
  EXPECT_EQ(whole.m[6 * 1 + 5], part[1].m[3 * 1 + 2]);
  const Vec6d v = join(Vec3d{1, 2, 3}, Vec3d{4, 5, 6});
  EXPECT_EQ(first3(v).z, 3);
  EXPECT_EQ(last3(v).x, 4);
  EXPECT_EQ((identity6<double>() * v).v[4], 5);
  EXPECT_EQ((identity3<double>() * Vec3d{1, 2, 3}).y, 2);
}

TEST_F(FixedTest, LanesHaveTheBitsOfScalarCode) {
  Mat3<Double8> a, b;
  Mat3d sa[8], sb[8];
  for (int lane = 0; lane < 8; ++lane) {
    sa[lane] = matrix3(), sb[lane] = matrix3();
    for (int i = 0; i < 9; ++i) a.m[i].set(lane, sa[lane].m[i]), b.m[i].set(lane, sb[lane].m[i]);
  }
  const Mat3<Double8> c = a * b;
  const Vec3<Double8> u = unit(row(c, 0)), w = cross(u, column(a, 1));
  for (int lane = 0; lane < 8; ++lane) {
    const Mat3d sc = sa[lane] * sb[lane];
    const Vec3d su = unit(row(sc, 0)), sw = cross(su, column(sa[lane], 1));
    for (int i = 0; i < 9; ++i) EXPECT_EQ(c.m[i][lane], sc.m[i]);
    EXPECT_EQ(w.x[lane], sw.x);
    EXPECT_EQ(w.y[lane], sw.y);
    EXPECT_EQ(w.z[lane], sw.z);
  }
}

}  // namespace
}  // namespace trilith
