#include "model/principal_frame.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "linalg/symmetric_eigen.h"
#include "spatial/quaternion.h"

namespace trilith::model {
namespace {

TEST(PrincipalFrameTest, MomentsAreTheEigenvaluesLargestFirst) {
  std::mt19937_64 rng(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int i = 0; i < 500; ++i) {
    const double a = unit(rng), b = unit(rng), c = unit(rng);
    const Mat3d tensor{{4 + unit(rng), a, b, a, 4 + unit(rng), c, b, c, 4 + unit(rng)}};
    const PrincipalFrame frame = principal_frame(tensor);
    const Vec3d want = linalg::symmetric_eigen(tensor).values;
    EXPECT_NEAR(frame.moments.x, want.z, 1e-10);
    EXPECT_NEAR(frame.moments.y, want.y, 1e-10);
    EXPECT_NEAR(frame.moments.z, want.x, 1e-10);
    EXPECT_NEAR(determinant(frame.axes), 1, 1e-14);
    const Mat3d back = tensor_of(frame) - tensor;
    for (const double x : back.m) EXPECT_NEAR(x, 0, 5e-6);
  }
}

TEST(PrincipalFrameTest, DiagonalTensorsAreSortedByQuarterTurns) {
  const PrincipalFrame frame = principal_frame(diagonal3(Vec3d{1, 3, 2}));
  EXPECT_EQ(frame.moments.x, 3);
  EXPECT_EQ(frame.moments.y, 2);
  EXPECT_EQ(frame.moments.z, 1);
  const Mat3d back = tensor_of(frame) - diagonal3(Vec3d{1, 3, 2});
  for (const double x : back.m) EXPECT_NEAR(x, 0, 1e-15);
}

}  // namespace
}  // namespace trilith::model
