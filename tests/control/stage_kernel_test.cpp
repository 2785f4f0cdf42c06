#include "control/stage_kernel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "base/isa.h"
#include "control/stage_inline.h"
#include "support/random.h"

namespace trilith::control {
namespace {

constexpr int dofs = 7, inputs = 5, room = 8;
const double infinity = std::numeric_limits<double>::infinity();

/// A cost with every term, at a point within its limits but for one velocity. The end effector is linear in q.
struct Sample {
  Sample() {
    test::Random random(5);
    for (auto* list : {&q, &v, &posture, &nominal}) list->assign(room, 0);
    u.assign(room, 0), input.assign(room, 0), jacobian.assign(3 * room, 0);
    for (auto* list : {&q_low, &v_low, &u_low}) list->assign(room, -infinity);
    for (auto* list : {&q_high, &v_high, &u_high}) list->assign(room, infinity);
    for (std::size_t i = 0; i < dofs; ++i) {
      q[i] = random.uniform(-1, 1), v[i] = random.uniform(-1, 1), posture[i] = random.uniform(0.1, 2), nominal[i] = random.uniform(-1, 1);
      q_low[i] = -1.5, q_high[i] = 1.2, v_low[i] = -1.3, v_high[i] = 1.4;
      for (std::size_t r = 0; r < 3; ++r) jacobian[r * room + i] = random.uniform(-1, 1);
    }
    q_low[2] = -infinity, q_high[2] = infinity, q_high[4] = infinity;
    for (std::size_t i = 0; i < inputs; ++i) u[i] = random.uniform(-5, 5), input[i] = random.uniform(0.1, 1), u_low[i] = -9, u_high[i] = 8;
    cost = {dofs,
            inputs,
            3,
            {0.1, -0.2, 0.3},
            0.7,
            posture.data(),
            nominal.data(),
            input.data(),
            {0.4, q_low.data(), q_high.data()},
            {0.2, v_low.data(), v_high.data()},
            {0.3, u_low.data(), u_high.data()}};
  }
  std::vector<double> position() const {
    std::vector<double> p(3, 0.05);
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t i = 0; i < dofs; ++i) p[r] += jacobian[r * room + i] * q[i];
    return p;
  }
  double value() const {
    const std::vector<double> p = position();
    double sum = 0;
    stage_kernel_of(active_isa()).cost1(cost, {q.data(), v.data(), u.data(), p.data()}, &sum);
    return sum;
  }
  std::vector<double> q, v, u, posture, nominal, input, jacobian, q_low, q_high, v_low, v_high, u_low, u_high;
  KnotCost cost;
};

struct Terms {
  std::vector<double> gq = std::vector<double>(room), gv = gq, gu = gq, dq = gq, dv = gq, du = gq;
  StageTerms view() { return {gq.data(), gv.data(), gu.data(), dq.data(), dv.data(), du.data()}; }
};
Terms derivatives(Isa isa, const Sample& s) {
  Terms t;
  const std::vector<double> p = s.position();
  stage_kernel_of(isa).derivatives(s.cost, {s.q.data(), s.v.data(), s.u.data(), p.data()}, s.jacobian.data(), t.view());
  return t;
}

double central(const std::function<double(double)>& f, double h = 1e-5) { return (f(h) - f(-h)) / (2 * h); }

TEST(StageKernelTest, GradientsAreDerivativesOfTheCost) {
  Sample s;
  const Terms t = derivatives(active_isa(), s);
  const auto check = [&s](std::vector<double>& x, const std::vector<double>& gradient, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const double slope = central([&](double h) {
        const double kept = x[i];
        x[i] += h;
        const double value = s.value();
        x[i] = kept;
        return value;
      });
      EXPECT_NEAR(gradient[i], slope, 1e-7 * (1 + std::fabs(slope))) << i;
    }
  };
  check(s.q, t.gq, dofs), check(s.v, t.gv, dofs), check(s.u, t.gu, inputs);
}

TEST(StageKernelTest, DiagonalsAreDerivativesOfTheGradients) {
  Sample s;
  s.cost.end_effector = 0;  // its block is left to who has the Jacobian
  const Terms t = derivatives(active_isa(), s);
  for (std::size_t i = 0; i < dofs; ++i) {
    const auto moved = [&](std::vector<double>& x, std::vector<double> Terms::* g) {
      return central([&](double h) {
        const double kept = x[i];
        x[i] += h;
        const double value = (derivatives(active_isa(), s).*g)[i];
        x[i] = kept;
        return value;
      });
    };
    EXPECT_NEAR(t.dq[i], moved(s.q, &Terms::gq), 1e-6 * (1 + t.dq[i])) << i;
    EXPECT_NEAR(t.dv[i], moved(s.v, &Terms::gv), 1e-6 * (1 + t.dv[i])) << i;
    if (i < inputs) {
      EXPECT_NEAR(t.du[i], moved(s.u, &Terms::gu), 1e-6 * (1 + t.du[i])) << i;
    }
  }
}

TEST(StageKernelTest, BarrierIsClampedOutsideAndAbsentWithoutBounds) {
  Sample s;
  s.cost = {dofs, 0, 0, {}, 0, nullptr, nullptr, s.input.data(), {2, s.q_low.data(), s.q_high.data()}, {}, {}};
  for (double& x : s.q) x = 0;
  s.q_low.assign(room, -infinity), s.q_high.assign(room, infinity);
  EXPECT_EQ(s.value(), 0);
  s.q_low[3] = -1;
  EXPECT_NEAR(s.value(), -2 * std::log(1.0), 1e-15);
  s.q[3] = -0.5;
  EXPECT_NEAR(s.value(), -2 * std::log(0.5), 1e-15);
  s.q[3] = -7;  // outside: the distance counts as 1e-10, the slope's as at least 1e-6 with its sign
  EXPECT_NEAR(s.value(), -2 * std::log(1e-10), 1e-12);
  EXPECT_NEAR(derivatives(active_isa(), s).gq[3], 2.0 / 6, 1e-15);
  s.q[3] = -1 + 1e-9;
  EXPECT_NEAR(derivatives(active_isa(), s).gq[3], -2e6, 1);
  EXPECT_NEAR(derivatives(active_isa(), s).dq[3], 2e12, 1e6);
}

TEST(StageKernelTest, LanesHaveTheBitsOfOneState) {
  Sample s;
  const std::vector<double> p = s.position();
  const auto spread = [](const std::vector<double>& x) {
    std::vector<double> lanes(8 * x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t l = 0; l < 8; ++l) lanes[8 * i + l] = x[i] * (1 - 0.01 * static_cast<double>(l));
    return lanes;
  };
  const std::vector<double> q = spread(s.q), v = spread(s.v), u = spread(s.u), position = spread(p);
  for (const Isa isa : {Isa::baseline, Isa::v3, Isa::v4}) {
    if (!has_isa(isa)) continue;
    std::vector<double> merit(8, 0.25);
    stage_kernel_of(isa).cost8(s.cost, {q.data(), v.data(), u.data(), position.data()}, merit.data());
    stage_kernel_of(isa).gap8(dofs, 10, q.data(), v.data(), merit.data());
    for (std::size_t l = 0; l < 8; ++l) {
      const auto lane = [l](const std::vector<double>& x) {
        std::vector<double> one(x.size() / 8);
        for (std::size_t i = 0; i < one.size(); ++i) one[i] = x[8 * i + l];
        return one;
      };
      const std::vector<double> a = lane(q), b = lane(v), c = lane(u), d = lane(position);
      double one = 0.25;
      stage_kernel_of(Isa::baseline).cost1(s.cost, {a.data(), b.data(), c.data(), d.data()}, &one);
      stage_kernel_of(Isa::baseline).gap1(dofs, 10, a.data(), b.data(), &one);
      EXPECT_EQ(merit[l], one) << l;
    }
  }
}

}  // namespace
}  // namespace trilith::control
