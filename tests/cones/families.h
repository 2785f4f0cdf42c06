#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "cones/box.h"
#include "cones/disc.h"
#include "cones/ellipse.h"
#include "cones/elliptic.h"
#include "cones/nonnegative.h"
#include "cones/pyramid.h"
#include "cones/zero.h"
#include "support/random.h"

/// One family per set for tests/cones/set_checker.h: how to make one for any scalar out of plain parameters, and what membership means,
/// written down again from the definitions and in no way through a projection.
namespace trilith::test {

/// Parameters of one set.
using Parameters = std::array<double, 5>;
template <int D>
using Point = cones::Block<double, D>;

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// |t| of the entries from 1 on, each times or over its coefficient.
template <int D>
double tangent_length(const Point<D>& p, const Parameters& mu, int power) {
  double sum = 0;
  for (int i = 1; i < D; ++i) {
    const double m = mu[static_cast<std::size_t>(i - 1)];
    sum += power > 0 ? p[i] * m * p[i] * m : p[i] / m * (p[i] / m);
  }
  return std::sqrt(sum);
}

struct ZeroFamily {
  static constexpr int dim = 1;
  static constexpr bool has_interior = false;
  template <class T>
  using Set = cones::Zero<T>;
  static Parameters draw(Random&) { return {}; }
  template <class T>
  static Set<T> make(const std::array<T, 5>&) {
    return {};
  }
  static double outside(const Parameters&, const Point<1>& p) { return std::abs(p[0]); }
  static double polar_outside(const Parameters&, const Point<1>&) { return 0; }
  static double support(const Parameters&, const Point<1>&) { return 0; }
};

struct NonnegativeFamily {
  static constexpr int dim = 1;
  static constexpr bool has_interior = true;
  template <class T>
  using Set = cones::Nonnegative<T>;
  static Parameters draw(Random&) { return {}; }
  template <class T>
  static Set<T> make(const std::array<T, 5>&) {
    return {};
  }
  static double outside(const Parameters&, const Point<1>& p) { return std::max(0.0, -p[0]); }
  static double polar_outside(const Parameters&, const Point<1>& y) { return std::max(0.0, y[0]); }
  static double support(const Parameters&, const Point<1>&) { return 0; }
};

/// Parameters: lower, upper; one in three is infinite, some are equal.
struct BoxFamily {
  static constexpr int dim = 1;
  static constexpr bool has_interior = true;
  template <class T>
  using Set = cones::Box<T>;
  static Parameters draw(Random& random) {
    const double a = random.gauss(), b = random.index(8) == 0 ? a : random.gauss();
    return {random.index(3) == 0 ? -infinity : std::min(a, b), random.index(3) == 0 ? infinity : std::max(a, b)};
  }
  template <class T>
  static Set<T> make(const std::array<T, 5>& p) {
    return {p[0], p[1]};
  }
  static double outside(const Parameters& b, const Point<1>& p) { return std::max({0.0, b[0] - p[0], p[0] - b[1]}); }
  static double polar_outside(const Parameters& b, const Point<1>& y) {
    return std::max({0.0, std::isinf(b[1]) ? y[0] : 0.0, std::isinf(b[0]) ? -y[0] : 0.0});
  }
  static double support(const Parameters& b, const Point<1>& y) {
    if (polar_outside(b, y) > 0 || y[0] == 0) return 0;
    return y[0] > 0 ? y[0] * b[1] : y[0] * b[0];
  }
};

/// A coefficient between 1e-3 and 1e3, one in 16 is 0.
inline double draw_mu(Random& random) { return random.index(16) == 0 ? 0.0 : random.scale(1e-3, 1e3); }

/// Distance-like misfit of |(t_j / mu_j)| <= n; a coefficient of 0 wants its tangent at 0.
template <int D>
double cone_outside(const Parameters& mu, const Point<D>& p) {
  Parameters scaled = mu;
  Point<D> q = p;
  double least = infinity, locked = 0;
  for (int i = 1; i < D; ++i) {
    const auto j = static_cast<std::size_t>(i - 1);
    if (mu[j] == 0) {
      locked = std::max(locked, std::abs(p[i]));
      q[i] = 0;
      scaled[j] = 1;
    } else {
      least = std::min(least, mu[j]);
    }
  }
  const double slack = tangent_length(q, scaled, -1) - p[0];
  return std::max({0.0, slack / std::sqrt(1 + 1 / (least * least)), locked, -p[0]});
}

template <int D>
double cone_polar_outside(const Parameters& mu, const Point<D>& y) {
  const double most = *std::max_element(mu.begin(), mu.begin() + D - 1);
  return std::max(0.0, (tangent_length(y, mu, 1) + y[0]) / std::sqrt(1 + most * most));
}

template <int D>
struct FrictionFamily {
  static constexpr int dim = D;
  static constexpr bool has_interior = true;
  template <class T>
  using Set = cones::FrictionCone<T, D>;
  static Parameters draw(Random& random) {
    Parameters p;
    p.fill(draw_mu(random));
    return p;
  }
  template <class T>
  static Set<T> make(const std::array<T, 5>& p) {
    return {p[0]};
  }
  static double outside(const Parameters& mu, const Point<D>& p) { return cone_outside<D>(mu, p); }
  static double polar_outside(const Parameters& mu, const Point<D>& y) { return cone_polar_outside<D>(mu, y); }
  static double support(const Parameters&, const Point<D>&) { return 0; }
};

template <int D>
struct EllipticFamily {
  static constexpr int dim = D;
  static constexpr bool has_interior = true;
  template <class T>
  using Set = cones::Elliptic<T, D>;
  static Parameters draw(Random& random) {
    Parameters p;
    for (double& mu : p) mu = draw_mu(random);
    if (random.index(8) == 0) p.fill(p[0]);
    return p;
  }
  template <class T>
  static Set<T> make(const std::array<T, 5>& p) {
    Set<T> set;
    for (int j = 0; j + 1 < D; ++j) set.mu[j] = p[static_cast<std::size_t>(j)];
    return set;
  }
  static double outside(const Parameters& mu, const Point<D>& p) { return cone_outside<D>(mu, p); }
  static double polar_outside(const Parameters& mu, const Point<D>& y) { return cone_polar_outside<D>(mu, y); }
  static double support(const Parameters&, const Point<D>&) { return 0; }
};

/// Parameter: effective mu. The number of faces is set before use.
struct PyramidFamily {
  static constexpr int dim = 3;
  static constexpr bool has_interior = true;
  static inline int K = 4;
  template <class T>
  using Set = cones::Pyramid<T>;
  static const cones::PyramidFaces& faces() {
    static std::map<int, cones::PyramidFaces> tables;
    const auto found = tables.find(K);
    return found != tables.end() ? found->second : tables.emplace(K, cones::make_pyramid_faces(K).value()).first->second;
  }
  static Parameters draw(Random& random) { return {draw_mu(random)}; }
  template <class T>
  static Set<T> make(const std::array<T, 5>& p) {
    return cones::make_pyramid<T>(faces(), p[0]);
  }
  static double outside(const Parameters& mu, const Point<3>& p) {
    double worst = std::max(0.0, -p[0]);
    for (int k = 0; k < K; ++k) {
      const double angle = 2 * M_PI * k / K;
      worst = std::max(worst, (std::cos(angle) * p[1] + std::sin(angle) * p[2] - mu[0] * p[0]) / std::sqrt(1 + mu[0] * mu[0]));
    }
    return worst;
  }
  /// Against the rays of the cone, which span it.
  static double polar_outside(const Parameters& mu, const Point<3>& y) {
    double worst = 0;
    const double reach = mu[0] / std::cos(M_PI / K);
    for (int k = 0; k < K; ++k) {
      const double angle = 2 * M_PI * (k + 0.5) / K;
      worst = std::max(worst, (y[0] + reach * (std::cos(angle) * y[1] + std::sin(angle) * y[2])) / std::sqrt(1 + reach * reach));
    }
    return worst;
  }
  static double support(const Parameters&, const Point<3>&) { return 0; }
};

/// Parameter: radius, one in 16 is 0.
template <int D>
struct DiscFamily {
  static constexpr int dim = D;
  static constexpr bool has_interior = true;
  template <class T>
  using Set = cones::Disc<T, D>;
  static Parameters draw(Random& random) { return {random.index(16) == 0 ? 0.0 : random.scale(1e-2, 1e2)}; }
  template <class T>
  static Set<T> make(const std::array<T, 5>& p) {
    return {p[0]};
  }
  static double outside(const Parameters& radius, const Point<D>& p) { return std::max(0.0, cones::norm(p) - radius[0]); }
  static double polar_outside(const Parameters&, const Point<D>&) { return 0; }
  static double support(const Parameters& radius, const Point<D>& y) { return radius[0] * cones::norm(y); }
};

/// Parameters: radius, one in 16 is 0, then the axes.
struct EllipseFamily {
  static constexpr int dim = 2;
  static constexpr bool has_interior = true;
  template <class T>
  using Set = cones::Ellipse<T, 2>;
  static Parameters draw(Random& random) {
    return {random.index(16) == 0 ? 0.0 : random.scale(1e-2, 1e2), random.scale(0.2, 5), random.scale(0.2, 5)};
  }
  template <class T>
  static Set<T> make(const std::array<T, 5>& p) {
    return {p[0], {{p[1], p[2]}}};
  }
  static double outside(const Parameters& p, const Point<2>& v) {
    return std::max(0.0, (std::hypot(v[0] / p[1], v[1] / p[2]) - p[0]) * std::min(p[1], p[2]));
  }
  static double polar_outside(const Parameters&, const Point<2>&) { return 0; }
  static double support(const Parameters& p, const Point<2>& y) { return p[0] * std::hypot(p[1] * y[0], p[2] * y[1]); }
};

}  // namespace trilith::test
