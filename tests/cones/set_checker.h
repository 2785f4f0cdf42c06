#pragma once
#include <gtest/gtest.h>

#include <cstring>

#include "cones/families.h"

/// One checker for every set and every scalar type: what cones/convex_set.h promises, tested against definitions (families.h), finite
/// differences and the scalar code.
namespace trilith::test {

/// The same set with its projections compiled once per type instead of into every use: keeps the tests quick to build.
template <class Inner>
struct Outlined {
  using Scalar = typename Inner::Scalar;
  static constexpr int dim = Inner::dim;
  using B = cones::Block<Scalar, dim>;
  Inner inner;
  __attribute__((noinline)) B project(const B& v) const { return inner.project(v); }
  __attribute__((noinline)) cones::Projection<Scalar, dim> projection(const B& v, const B& R) const { return inner.projection(v, R); }
  __attribute__((noinline)) Scalar polar_violation(const B& y) const { return inner.polar_violation(y); }
  __attribute__((noinline)) Scalar support(const B& y) const { return inner.support(y); }
  __attribute__((noinline)) cones::Energy<Scalar, dim> barrier(const B& v, const cones::BarrierShape<Scalar>& shape) const {
    return inner.barrier(v, shape);
  }
};

template <class Family>
class SetChecker {
 public:
  static constexpr int D = Family::dim;
  using P = Point<D>;
  template <class T>
  using SetOf = Outlined<typename Family::template Set<T>>;
  using Set = SetOf<double>;
  static_assert(cones::ConvexSet<Set> && cones::ConvexSet<typename Family::template Set<float>> &&
                cones::ConvexSet<typename Family::template Set<Double8>> && cones::ConvexSet<typename Family::template Set<Float16>>);

  explicit SetChecker(std::uint64_t seed, int cases = 4000) : random_(seed), cases_(cases) {}

  void check_all() {
    check_scalars();
    check_lanes<double, 8>();
    check_lanes<float, 16>();
  }

  void check_scalars() {
    check_projection();
    check_weighted_projection();
    check_nonexpansive();
    check_support_and_polar();
    check_enforce();
    check_respond();
    check_barrier();
    check_soft_projection();
    check_not_a_number();
    check_float();
  }

  void check_projection() {
    for (int i = 0; i < cases_; ++i) {
      const Parameters parameters = Family::draw(random_);
      const Set set = make<double>(parameters);
      const P v = draw_point(parameters);
      const P p = set.project(v);
      expect_optimal(parameters, v, p, cones::filled<double, D>(1.0), "project");
      const double size = cones::norm(v), once = cones::norm(set.project(p) - p);
      EXPECT_LE(once, 2e-14 * size) << "projected twice";
      EXPECT_NEAR(violation(set, v), cones::norm(v - p), 1e-15 * size);
      if (Family::outside(parameters, v) == 0) {
        EXPECT_LE(violation(set, v), 1e-14 * size);
      }
    }
  }

  void check_weighted_projection() {
    for (int i = 0; i < cases_; ++i) {
      const Parameters parameters = Family::draw(random_);
      const Set set = make<double>(parameters);
      const P v = draw_point(parameters), R = draw_weights(1e3);
      const auto projection = set.projection(v, R);
      expect_optimal(parameters, v, projection.point, R, "weighted");
      expect_slope_between(projection.slope, R);
    }
  }

  void check_nonexpansive() {
    for (int i = 0; i < cases_; ++i) {
      const Parameters parameters = Family::draw(random_);
      const Set set = make<double>(parameters);
      const P u = draw_point(parameters), v = random_.coin() ? draw_point(parameters) : u + 1e-6 * draw_gauss(cones::norm(u));
      EXPECT_LE(cones::norm(set.project(u) - set.project(v)), cones::norm(u - v) + 1e-13 * (cones::norm(u) + cones::norm(v)));
    }
  }

  void check_support_and_polar() {
    for (int i = 0; i < cases_; ++i) {
      const Parameters parameters = Family::draw(random_);
      const Set set = make<double>(parameters);
      const P y = draw_point(parameters), k = set.project(draw_point(parameters));
      const double outside = Family::polar_outside(parameters, y), distance = set.polar_violation(y), size = cones::norm(y);
      EXPECT_GE(distance, outside - 1e-13 * size);
      if (outside == 0) {
        EXPECT_LE(distance, 1e-13 * size);
        EXPECT_NEAR(set.support(y), Family::support(parameters, y), 1e-14 * (size + std::abs(set.support(y))));
        EXPECT_LE(cones::dot(y, k), set.support(y) + 1e-13 * size * cones::norm(k));
      } else {
        EXPECT_GT(distance, 0);
      }
    }
  }

  void check_enforce() {
    int skipped = 0;
    for (int i = 0; i < cases_ / 4; ++i) {
      const Parameters parameters = Family::draw(random_);
      const Set set = make<double>(parameters);
      const P v = draw_gauss(1);
      const double rho = random_.scale(0.1, 10);
      const auto energy = enforce(set, v, rho);
      EXPECT_NEAR(energy.value, 0.5 * rho * violation(set, v) * violation(set, v), 1e-14 * (rho * cones::dot(v, v) + energy.value));
      const auto f = [&](const P& at) { return enforce(set, at, rho); };
      skipped += !derivatives_match(f, v, cones::filled<double, D>(1e-5), rho, rho);
      expect_semidefinite(energy.hessian, rho);
    }
    EXPECT_LE(skipped, cases_ / 20) << "too many points near kinks to be a test";
  }

  void check_respond() {
    int skipped = 0;
    for (int i = 0; i < cases_ / 4; ++i) {
      const Parameters parameters = Family::draw(random_);
      const Set set = make<double>(parameters);
      const P R = draw_weights(10), a = draw_gauss(1);
      const P lambda = random_.coin() ? draw_gauss(1) : cones::filled<double, D>(0.0);
      P x, step;
      for (int j = 0; j < D; ++j) x[j] = R[j] * (lambda[j] - a[j]), step[j] = 1e-5 * R[j];

      const auto r = respond(set, x, R, lambda);
      expect_optimal(parameters, cones::shifted_force(x, R, lambda), r.force, R, "respond");
      EXPECT_NEAR(r.value, plain_response(r.force, x, R, lambda), 1e-13 * largest(R) * (1 + cones::dot(lambda, lambda) + cones::dot(a, a)));
      const auto f = [&](const P& at) {
        const auto q = respond(set, at, R, lambda);
        return cones::Energy<double, D>{q.value, -1.0 * q.force, q.hessian};
      };
      skipped += !derivatives_match(f, x, step, 1, 1 / least(R));
      expect_semidefinite(r.hessian, 1 / least(R));
    }
    EXPECT_LE(skipped, cases_ / 20) << "too many points near kinks to be a test";
  }

  void check_barrier() {
    for (int i = 0; i < cases_ / 4; ++i) {
      Parameters parameters = Family::draw(random_);
      for (double& p : parameters)
        if (p == 0) p = 1;  // a barrier needs an interior
      if (Family::has_interior && D == 1 && !(parameters[0] < parameters[1])) parameters[1] = parameters[0] + 1;
      const Set set = make<double>(parameters);
      const cones::BarrierShape<double> shape = {random_.scale(1e-3, 1), random_.scale(1e-2, 1)};
      const P v = draw_gauss(2);
      const auto f = [&](const P& at) { return set.barrier(at, shape); };
      const auto e = f(v);
      double stiffness = 0;
      for (int j = 0; j < D; ++j) stiffness = std::max(stiffness, e.hessian.m[j][j]);
      P step = cones::filled<double, D>(1e-5 * std::min(1.0, shape.delta));
      for (int j = 1; j < D; ++j) step[j] *= std::min(1.0, parameters[0]);
      EXPECT_TRUE(derivatives_match(f, v, step, stiffness, stiffness)) << "the barrier has two continuous derivatives";
      expect_semidefinite(e.hessian, stiffness);
    }
  }

  /// The soft set joins v (softness 0) and its projection (softness infinite) and satisfies its own optimality condition.
  void check_soft_projection() {
    for (int i = 0; i < 200; ++i) {
      const Parameters parameters = Family::draw(random_);
      const Set set = make<double>(parameters);
      const P v = draw_point(parameters);
      const double rho = random_.scale(0.1, 10), softness = random_.scale(1e-2, 1e2);
      const P z = project_soft(set, v, rho, softness);
      const P rest = rho * (z - v) + softness * (z - set.project(z));
      EXPECT_LE(cones::norm(rest), 1e-12 * (rho + softness) * (cones::norm(v) + cones::norm(z)));
      EXPECT_LE(cones::norm(project_soft(set, v, rho, 0.0) - v), 1e-15 * cones::norm(v));
    }
  }

  void check_not_a_number() {
    for (int at = 0; at < D; ++at)
      for (int i = 0; i < 50; ++i) {
        const Set set = make<double>(Family::draw(random_));
        P v = draw_gauss(1);
        v[at] = std::numeric_limits<double>::quiet_NaN();
        EXPECT_TRUE(has_nan(set.project(v)));
        EXPECT_TRUE(has_nan(set.projection(v, draw_weights(10)).point));
        EXPECT_TRUE(std::isnan(violation(set, v)));
        EXPECT_TRUE(std::isnan(enforce(set, v, 1.0).value));
        EXPECT_TRUE(std::isnan(respond(set, v, draw_weights(10), draw_gauss(1)).value));
        EXPECT_TRUE(std::isnan(set.polar_violation(v)));
        EXPECT_TRUE(std::isnan(set.support(v)));
      }
  }

  /// Every function, lane by lane, has the bits of the scalar code.
  template <class S, int N>
  void check_lanes() {
    using L = Lanes<S, N>;
    for (int i = 0; i < 200; ++i) {
      std::array<std::array<S, 5>, N> parameters;
      std::array<L, 5> lane_parameters;
      cones::Block<L, D> v, R, lambda;
      std::array<cones::Block<S, D>, N> v_of, R_of, lambda_of;
      for (int lane = 0; lane < N; ++lane) {
        const Parameters drawn = Family::draw(random_);
        const P point = draw_point(drawn), weights = draw_weights(10), shift = draw_gauss(1);
        for (std::size_t j = 0; j < 5; ++j)
          parameters[lane][j] = static_cast<S>(drawn[j]), lane_parameters[j].set(lane, parameters[lane][j]);
        for (int j = 0; j < D; ++j) {
          v_of[lane][j] = static_cast<S>(point[j]), R_of[lane][j] = static_cast<S>(weights[j]),
          lambda_of[lane][j] = static_cast<S>(shift[j]);
          v[j].set(lane, v_of[lane][j]), R[j].set(lane, R_of[lane][j]), lambda[j].set(lane, lambda_of[lane][j]);
        }
      }
      const auto wide = everything(make<L>(lane_parameters), v, R, lambda);
      for (int lane = 0; lane < N; ++lane) {
        const auto scalar = everything(make<S>(parameters[lane]), v_of[lane], R_of[lane], lambda_of[lane]);
        for (std::size_t j = 0; j < scalar.size(); ++j) {
          const S a = scalar[j], b = wide[j][lane];
          // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): bits are asked
          ASSERT_TRUE(std::memcmp(&a, &b, sizeof(S)) == 0 || (a != a && b != b)) << "output " << j << ": " << a << " and " << b;
        }
      }
    }
  }

  /// float follows double within its own rounding.
  void check_float() {
    for (int i = 0; i < 500; ++i) {
      Parameters parameters = Family::draw(random_);
      std::array<float, 5> narrow;
      for (std::size_t j = 0; j < 5; ++j) narrow[j] = static_cast<float>(parameters[j]), parameters[j] = static_cast<double>(narrow[j]);
      cones::Block<float, D> v;
      P wide = draw_gauss(1);
      for (int j = 0; j < D; ++j) v[j] = static_cast<float>(wide[j]), wide[j] = static_cast<double>(v[j]);
      const auto p = make<float>(narrow).project(v);
      const P q = make<double>(parameters).project(wide);
      for (int j = 0; j < D; ++j) EXPECT_NEAR(static_cast<double>(p[j]), q[j], 4e-6 * cones::norm(wide));
    }
  }

 private:
  template <class T>
  static SetOf<T> make(const std::array<T, 5>& parameters) {
    return {Family::template make<T>(parameters)};
  }

  P draw_gauss(double size) {
    P v;
    for (int i = 0; i < D; ++i) v[i] = size * random_.gauss();
    return v;
  }

  /// Points of all sizes: anywhere, on an axis, in the set, on its edge, and 0.
  P draw_point(const Parameters& parameters) {
    P v = draw_gauss(random_.scale(1e-3, 1e3));
    switch (random_.index(8)) {
      case 0:
        return make<double>(parameters).project(v);
      case 1:
        for (int i = 1; i < D; ++i) v[i] = 0;
        return v;
      case 2:
        if (D > 1) v[0] = 0;
        return v;
      case 3:
        return random_.index(4) == 0 ? cones::filled<double, D>(0.0) : v;
      default:
        return v;
    }
  }

  /// Weights within `ratio` of each other; tangents often share one.
  P draw_weights(double ratio) {
    P R;
    for (int i = 0; i < D; ++i) R[i] = random_.scale(1, ratio);
    if (random_.coin())
      for (int i = 2; i < D; ++i) R[i] = R[1];
    if (D > 1 && random_.index(8) == 0) R = cones::filled<double, D>(R[0]);
    return R;
  }

  static double largest(const P& R) { return *std::max_element(R.v, R.v + D); }
  static double least(const P& R) { return *std::min_element(R.v, R.v + D); }

  /// p is in K and R (v - p) is normal to K at p: proof that p is the projection.
  static void expect_optimal(const Parameters& parameters, const P& v, const P& p, const P& R, const char* what) {
    P pull;
    for (int i = 0; i < D; ++i) pull[i] = R[i] * (v[i] - p[i]);
    const double size = cones::norm(v), force = largest(R) * size;
    EXPECT_LE(Family::outside(parameters, p), 1e-13 * size) << what;
    EXPECT_LE(Family::polar_outside(parameters, pull), 1e-13 * force) << what;
    EXPECT_NEAR(cones::dot(pull, p), Family::support(parameters, pull), 1e-12 * force * size) << what;
  }

  /// f'x form of DESIGN: f'R a - 1/2 f'R f - 1/2 lambda'R lambda, as it is written.
  static double plain_response(const P& f, const P& x, const P& R, const P& lambda) {
    double value = 0;
    for (int i = 0; i < D; ++i) {
      const double a = lambda[i] - x[i] / R[i];
      value += f[i] * R[i] * a - 0.5 * f[i] * R[i] * f[i] - 0.5 * lambda[i] * R[i] * lambda[i];
    }
    return value;
  }

  /// Smallest pivot of a Cholesky factorization of m + shift.
  static double least_pivot(cones::SymmetricBlock<double, D> m, double shift) {
    double least = infinity;
    for (int i = 0; i < D; ++i) m.m[i][i] += shift;
    for (int k = 0; k < D; ++k) {
      least = std::min(least, m.m[k][k]);
      if (!(m.m[k][k] > 0)) return m.m[k][k];
      for (int i = k + 1; i < D; ++i)
        for (int j = k + 1; j < D; ++j) m.m[i][j] -= m.m[i][k] * m.m[k][j] / m.m[k][k];
    }
    return least;
  }

  static void expect_semidefinite(const cones::SymmetricBlock<double, D>& m, double size) {
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < i; ++j) EXPECT_EQ(m.m[i][j], m.m[j][i]);
    EXPECT_GT(least_pivot(m, 1e-12 * size + 1e-300), 0);
  }

  /// 0 <= slope <= R^-1, tested in the scaled matrix R^1/2 slope R^1/2.
  static void expect_slope_between(const cones::SymmetricBlock<double, D>& slope, const P& R) {
    cones::SymmetricBlock<double, D> scaled, rest;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) {
        scaled.m[i][j] = std::sqrt(R[i]) * slope.m[i][j] * std::sqrt(R[j]);
        rest.m[i][j] = (i == j ? 1 : 0) - scaled.m[i][j];
      }
    EXPECT_GT(least_pivot(scaled, 1e-11), 0);
    EXPECT_GT(least_pivot(rest, 1e-11), 0);
  }

  /// Gradient and Hessian against central differences; false (and nothing tested) where a kink lies within a step.
  template <class F>
  static bool derivatives_match(const F& f, const P& x, const P& step, double gradient_size, double hessian_size) {
    const auto at = f(x);
    for (int i = 0; i < D; ++i) {
      P up = x, down = x;
      up[i] += step[i];
      down[i] -= step[i];
      const auto above = f(up), below = f(down);
      double change = 0;
      for (int j = 0; j < D; ++j) change = std::max(change, std::abs(above.hessian.m[i][j] - below.hessian.m[i][j]));
      if (change > 1e-3 * hessian_size) return false;
      const double width = up[i] - down[i];
      const double noise = 1e-15 * (std::abs(above.value) + std::abs(below.value)) / width;
      EXPECT_NEAR((above.value - below.value) / width, at.gradient[i], 2e-7 * gradient_size * (1 + cones::norm(x)) + noise);
      for (int j = 0; j < D; ++j) EXPECT_NEAR((above.gradient[j] - below.gradient[j]) / width, at.hessian.m[i][j], 1e-3 * hessian_size);
    }
    return true;
  }

  static bool has_nan(const P& p) {
    return std::any_of(p.v, p.v + D, [](double a) { return std::isnan(a); });
  }

  /// Every number that a set can be asked for.
  template <class AnySet, class T>
  static std::vector<T> everything(const AnySet& set, const cones::Block<T, D>& v, const cones::Block<T, D>& R,
                                   const cones::Block<T, D>& lambda) {
    std::vector<T> out;
    const auto add = [&](const T& a) { out.push_back(a); };
    const auto add_block = [&](const cones::Block<T, D>& b) {
      for (int i = 0; i < D; ++i) add(b[i]);
    };
    const auto add_matrix = [&](const cones::SymmetricBlock<T, D>& m) {
      for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) add(m.m[i][j]);
    };
    add_block(set.project(v));
    const auto p = set.projection(v, R);
    add_block(p.point), add_matrix(p.slope);
    add(violation(set, v)), add(set.polar_violation(v)), add(set.support(v));
    const auto e = enforce(set, v, T(2));
    add(e.value), add_block(e.gradient), add_matrix(e.hessian);
    const auto r = respond(set, v, R, lambda);
    add(r.value), add_block(r.force), add_matrix(r.hessian);
    const auto b = set.barrier(v, {T(0.5), T(0.25)});
    add(b.value), add_block(b.gradient), add_matrix(b.hessian);
    return out;
  }

  Random random_;
  int cases_;
};

}  // namespace trilith::test
