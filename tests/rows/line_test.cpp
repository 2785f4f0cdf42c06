// Derivatives and energies of groups along a line: the kernels of scalar rows against the sets themselves (CONE-8, NEWTON-3).
#include "rows/line.h"

#include <gtest/gtest.h>

#include "base/isa.h"
#include "rows/scalar_rows_kernel.h"
#include "support/random.h"

namespace trilith::rows {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Scalar rows with their weights and bounds.
struct Rows {
  std::vector<double> R, lower, upper, value, direction;
  RowGroup group;
  MechanismParameters parameters;

  Rows(test::Random& random, SetKind set, std::int32_t count) {
    for (std::int32_t i = 0; i < count + 2; ++i) {  // two rows before the group
      value.push_back(random.gauss()), direction.push_back(random.gauss());
      if (i < 2) continue;
      R.push_back(random.scale(1e-3, 1e3));
      const bool free = random.index(3) == 0;
      lower.push_back(free ? -infinite : -random.scale(0.1, 10)), upper.push_back(free ? infinite : random.scale(0.1, 10));
    }
    group.name = "rows", group.unit = "m", group.set = set, group.mechanism = Mechanism::respond;
    group.first = 2, group.count = count;
    if (set == SetKind::box) group.lower = lower, group.upper = upper;
    parameters.R = R;
  }
};

TEST(LineTest, ManyScalarRowsHaveTheDerivativesOfEach) {
  test::Random random(1);
  for (const SetKind set : {SetKind::nonnegative, SetKind::box})
    for (std::int32_t count = 1; count < 40; ++count) {
      const Rows rows(random, set, count);
      const auto n = static_cast<std::size_t>(count);
      std::vector<double> gradient(n), hessian(n), want_gradient(n), want_hessian(n), moved = rows.value;
      write_gradient(rows.group, rows.parameters, {}, rows.value, gradient);
      write_hessian(rows.group, rows.parameters, {}, rows.value, hessian);
      const double energy = evaluate(rows.group, rows.parameters, {}, rows.value, {want_gradient, want_hessian});
      EXPECT_EQ(gradient, want_gradient);
      EXPECT_EQ(hessian, want_hessian);

      const double step = 0.3;
      for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += step * rows.direction[i];
      const double energy_there = evaluate(rows.group, rows.parameters, {}, moved, {want_gradient, want_hessian});
      double slope = 0, curvature = 0;
      for (std::size_t i = 0; i < n; ++i) {
        slope += want_gradient[i] * rows.direction[i + 2];
        curvature += want_hessian[i] * rows.direction[i + 2] * rows.direction[i + 2];
      }
      const LinePoint point = measure_along(rows.group, rows.parameters, {}, rows.value, rows.direction, step);
      EXPECT_NEAR(point.slope, slope, 1e-11 * (1 + std::abs(slope)));
      EXPECT_NEAR(point.curvature, curvature, 1e-11 * (1 + curvature));
      EXPECT_NEAR(measure_change(rows.group, rows.parameters, {}, rows.value, moved), energy_there - energy, 1e-11 * (1 + energy));
    }
}

TEST(LineTest, KernelsHaveTheSameBitsForEveryInstructionSet) {
  test::Random random(2);
  const Rows data(random, SetKind::box, 37);
  const ScalarRows rows{data.R.data(), data.lower.data(), data.upper.data(), 37};
  std::vector<std::vector<double>> found;
  for (const Isa isa : {Isa::baseline, Isa::v3, Isa::v4}) {
    if (!has_isa(isa)) continue;
    const ScalarRowsKernel& kernel = scalar_rows_kernel_of(isa);
    std::vector<double> out(2 * 37 + 4);
    out[0] = kernel.gradient(rows, data.value.data(), out.data() + 4);
    kernel.hessian(rows, data.value.data(), out.data() + 4 + 37);
    kernel.along(rows, data.value.data(), data.direction.data(), 0.7, out.data() + 1);
    out[3] = kernel.change(rows, data.value.data(), data.direction.data());
    found.push_back(out);
  }
  for (const auto& one : found) EXPECT_EQ(one, found[0]);
}

}  // namespace
}  // namespace trilith::rows
