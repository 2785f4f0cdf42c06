// Proofs of quadratic and conic programs (QP-1)..(QP-3), in double; every sum carries a bound of its rounding error.
#include "certify/quadratic_program.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "certify/bounds.h"
#include "certify/findings.h"

namespace trilith::certify {
namespace {

using Sum = BoundedSum;

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

std::string place(std::string_view kind, std::size_t index) { return text({kind, "[", std::to_string(index), "]"}); }

/// What the program's own numbers say of the size of x (the nearest bound) and of its costs: below them nothing is relative to anything.
struct NaturalSize {
  double x = std::numeric_limits<double>::infinity(), gradient = 0;
  double cost() const { return gradient * x; }
};

double row_length(const QuadraticProgram& program, std::size_t i) {
  const auto n = static_cast<std::size_t>(program.variables);
  double squared = 0;
  for (std::size_t j = 0; j < n; ++j) squared += program.A[i * n + j] * program.A[i * n + j];
  return sqrt(squared);
}

NaturalSize natural_size(const QuadraticProgram& program) {
  NaturalSize size;
  for (std::size_t i = 0; i < static_cast<std::size_t>(program.rows); ++i) {
    const double length = row_length(program, i);
    for (const double bound : {program.lower[i], program.upper[i]})
      if (std::isfinite(bound) && bound != 0 && length > 0) size.x = std::min(size.x, abs(bound) / length);
  }
  for (const NormBound& bound : program.norms)
    if (bound.radius > 0) size.x = std::min(size.x, bound.radius);
  double curvature = 0;
  for (const double v : program.P) curvature = std::max(curvature, abs(v));
  for (const double v : program.q) size.gradient = std::max(size.gradient, abs(v));
  if (!std::isfinite(size.x)) size.x = curvature > 0 && size.gradient > 0 ? size.gradient / curvature : 1;
  size.gradient = std::max(size.gradient, curvature * size.x);
  return size;
}

class ProgramJudge {
 public:
  ProgramJudge(const QuadraticProgram& program, const ProgramSettings& settings)
      : program_(program), settings_(settings), found_(settings.most_broken), size_(natural_size(program)) {}

  void refuse(std::string what, std::string where) {
    if (found_.next()) found_.write(std::move(what), std::move(where));
  }

  /// A relative misfit that must be at most the tolerance.
  void require_small(double misfit, double scale, std::string_view what, std::string where) {
    const double relative = misfit <= 0 ? 0 : misfit / std::max(scale, std::numeric_limits<double>::min());
    worst_ = std::max(worst_, relative);
    if (!(relative <= settings_.tolerance)) refuse(text({what, " by ", brief(relative), " (relative)"}), std::move(where));
  }

  std::size_t variables() const { return static_cast<std::size_t>(program_.variables); }
  std::size_t rows() const { return static_cast<std::size_t>(program_.rows); }

  Sum row(std::size_t i, std::span<const double> x) const {
    Sum sum;
    for (std::size_t j = 0; j < variables(); ++j) sum.add(program_.A[i * variables() + j] * x[j]);
    return sum;
  }

  Sum quadratic_row(std::size_t i, std::span<const double> x) const {
    Sum sum;
    if (program_.P.empty()) return sum;
    for (std::size_t j = 0; j < variables(); ++j) sum.add(program_.P[i * variables() + j] * x[j]);
    return sum;
  }

  /// A'y + (norm, scattered), one sum per variable.
  std::vector<Sum> transposed(const Multipliers& multipliers) const {
    std::vector<Sum> sums(variables());
    for (std::size_t i = 0; i < rows(); ++i)
      for (std::size_t j = 0; j < variables(); ++j) sums[j].add(program_.A[i * variables() + j] * multipliers.y[i]);
    std::size_t k = 0;
    for (const NormBound& bound : program_.norms)
      for (const int j : bound.entries) sums[static_cast<std::size_t>(j)].add(multipliers.norm[k++]);
    return sums;
  }

  /// Sum of bounds times multipliers and of radii times norms: the support function of the feasible set. Signs that need an absent bound
  /// are refused.
  Sum support(const Multipliers& multipliers) {
    Sum sum;
    for (std::size_t i = 0; i < rows(); ++i) {
      const double y = multipliers.y[i];
      if (y == 0) continue;
      const double bound = y > 0 ? program_.upper[i] : program_.lower[i];
      if (!std::isfinite(bound)) {
        refuse(text({"multiplier ", brief(y), " pushes against a bound that is not there"}), place("y", i));
        continue;
      }
      sum.add(bound * y);
    }
    std::size_t k = 0;
    for (const NormBound& bound : program_.norms) {
      double squared = 0;
      for (std::size_t e = 0; e < bound.entries.size(); ++e, ++k) squared += multipliers.norm[k] * multipliers.norm[k];
      sum.add(bound.radius * sqrt(squared) * (1 + gamma(static_cast<double>(bound.entries.size()) + 3)));
    }
    return sum;
  }

  double bound_size(std::size_t i) const {
    const double low = abs(program_.lower[i]), high = abs(program_.upper[i]);
    return std::max(std::isfinite(low) ? low : 0.0, std::isfinite(high) ? high : 0.0);
  }

  void check_rows(std::span<const double> x) {
    for (std::size_t i = 0; i < rows(); ++i) {
      const Sum value = row(i, x);
      if (!std::isfinite(value.absolute)) {
        refuse("row overflows", place("A", i));
        continue;
      }
      const double above = value.value - program_.upper[i], below = program_.lower[i] - value.value;
      const double over = std::max(above, below) + value.error();
      if (over > value.error())
        require_small(over, std::max({value.absolute, bound_size(i), row_length(program_, i) * size_.x}), "row is outside its bounds",
                      place("A", i));
    }
    std::size_t k = 0;
    for (const NormBound& bound : program_.norms) {
      double squared = 0;
      for (const int j : bound.entries) squared += x[static_cast<std::size_t>(j)] * x[static_cast<std::size_t>(j)];
      const double length = sqrt(squared), error = gamma(static_cast<double>(bound.entries.size()) + 3) * length;
      if (length > bound.radius) require_small(length - bound.radius + error, bound.radius, "norm is above its bound", place("soc", k));
      ++k;
    }
  }

  ProgramVerification conclude(std::string statement) {
    ProgramVerification result;
    result.accepted = found_.none();
    result.residual = worst_;
    result.broken = found_.take();
    result.statement = result.accepted ? std::move(statement) : "not proved";
    return result;
  }

  const QuadraticProgram& program_;
  const ProgramSettings& settings_;
  Findings found_;
  NaturalSize size_;
  double worst_ = 0;
};

}  // namespace

bool is_convex(const QuadraticProgram& program, const ProgramSettings& settings) {
  const auto n = static_cast<std::size_t>(program.variables);
  if (program.P.empty()) return true;
  std::vector<double> root(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (!(program.P[i * n + i] >= 0)) return false;
    root[i] = sqrt(program.P[i * n + i]);
  }
  // a variable without curvature of its own has no product with another
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if ((root[i] == 0 || root[j] == 0) && program.P[i * n + j] != 0) return false;

  // Cholesky of the matrix with unit diagonal, shifted: a pivot that is not positive shows a negative eigenvalue
  std::vector<double> L(n * n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      double sum = root[i] > 0 && root[j] > 0 ? program.P[i * n + j] / (root[i] * root[j]) : 0;
      if (i == j) sum = 1 + settings.convexity_tolerance;
      for (std::size_t k = 0; k < j; ++k) sum -= L[i * n + k] * L[j * n + k];
      if (i == j && !(sum > 0)) return false;
      L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
    }
  }
  return true;
}

ProgramVerification verify_kkt_point(const QuadraticProgram& program, std::span<const double> x, const Multipliers& multipliers,
                                     const ProgramSettings& settings) {
  ProgramJudge judge(program, settings);
  if (!all_finite(x) || !all_finite(multipliers.y) || !all_finite(multipliers.norm)) {
    judge.refuse("not finite", "x, y");
    return judge.conclude({});
  }
  if (!is_convex(program, settings)) judge.refuse("the cost is not convex", "P");
  judge.check_rows(x);
  std::vector<Sum> stationarity = judge.transposed(multipliers);
  Sum gap = judge.support(multipliers);
  double largest = 0;
  for (std::size_t j = 0; j < judge.variables(); ++j) {
    const Sum curvature = judge.quadratic_row(j, x);
    gap.add(curvature.value * x[j]);
    gap.add(program.q[j] * x[j]);
    gap.absolute += curvature.absolute * abs(x[j]);
    Sum& sum = stationarity[j];
    sum.add(program.q[j]);
    sum.value += curvature.value;
    sum.absolute += curvature.absolute;
    sum.terms += curvature.terms;
    largest = std::max(largest, sum.absolute);
  }
  for (std::size_t j = 0; j < judge.variables(); ++j)
    judge.require_small(stationarity[j].most(), std::max(largest, judge.size_.gradient),
                        "the gradient of the Lagrangian does not vanish, off", place("x", j));
  judge.require_small(gap.most(), std::max(gap.absolute, judge.size_.cost()), "the duality gap does not close, off", "objective");
  return judge.conclude(text({"feasible, stationary and without a gap to ", brief(judge.worst_), " (relative)"}));
}

ProgramVerification verify_infeasibility_ray(const QuadraticProgram& program, const Multipliers& multipliers,
                                             const ProgramSettings& settings) {
  ProgramJudge judge(program, settings);
  if (!all_finite(multipliers.y) || !all_finite(multipliers.norm)) {
    judge.refuse("not finite", "y");
    return judge.conclude({});
  }
  const Sum support = judge.support(multipliers);
  const double power = -support.value - support.error();
  double residual = 0, scale = 0;
  for (const Sum& sum : judge.transposed(multipliers)) residual += sum.most();
  for (std::size_t i = 0; i < judge.rows(); ++i)
    for (const double bound : {program.lower[i], program.upper[i]})
      if (std::isfinite(bound)) scale = std::max(scale, abs(bound));
  for (const NormBound& bound : program.norms) scale = std::max(scale, bound.radius);
  judge.worst_ = power > 0 ? residual / power : std::numeric_limits<double>::infinity();
  if (!(power > 0)) judge.refuse(text({"the bounds do not contradict each other: power ", brief(power)}), "y");
  const double size = residual == 0 ? std::numeric_limits<double>::infinity() : power / residual;
  if (power > 0 && !(size >= settings.least_size * scale))
    judge.refuse(text({"only points smaller than ", brief(size), " are excluded"}), "y");
  return judge.conclude(size < std::numeric_limits<double>::infinity()
                            ? text({"no x with entries below ", brief(size), " satisfies the rows"})
                            : std::string("no x satisfies the rows"));
}

ProgramVerification verify_unbounded_ray(const QuadraticProgram& program, std::span<const double> d, const ProgramSettings& settings) {
  ProgramJudge judge(program, settings);
  if (!all_finite(d)) {
    judge.refuse("not finite", "d");
    return judge.conclude({});
  }
  Sum slope;
  double size = 0;
  for (std::size_t j = 0; j < judge.variables(); ++j) {
    slope.add(program.q[j] * d[j]);
    size = std::max(size, abs(d[j]));
  }
  const double fall = -slope.value - slope.error();
  if (!(fall > 0)) judge.refuse("the cost does not fall along it", "d");
  // a misfit of the ray is measured against the fall of the cost along it
  const double unit = std::max(fall, 1e-300);
  const auto require_none = [&](double misfit, std::string_view what, std::string where) {
    judge.worst_ = std::max(judge.worst_, misfit / unit);
    if (!(misfit <= settings.tolerance * unit))
      judge.refuse(text({what, ": ", brief(misfit / unit), " of the fall of the cost"}), std::move(where));
  };
  for (std::size_t j = 0; j < judge.variables(); ++j)
    require_none(judge.quadratic_row(j, d).most(), "the cost is curved along it", place("P", j));
  for (std::size_t i = 0; i < judge.rows(); ++i) {
    const Sum value = judge.row(i, d);
    if (std::isfinite(program.upper[i])) require_none(value.value + value.error(), "runs into an upper bound", place("A", i));
    if (std::isfinite(program.lower[i])) require_none(value.error() - value.value, "runs into a lower bound", place("A", i));
  }
  for (const NormBound& bound : program.norms)
    for (const int j : bound.entries)
      require_none(abs(d[static_cast<std::size_t>(j)]), "runs into a norm bound", place("x", static_cast<std::size_t>(j)));
  return judge.conclude("along this ray the cost falls for ever");
}

}  // namespace trilith::certify
