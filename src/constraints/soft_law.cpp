// Spring, damper and impedance of soft constraints (SOFT-1 to SOFT-4).
#include "constraints/soft_law.h"

#include <algorithm>

#include "base/math.h"

namespace trilith::constraints {
namespace {

double clamp_impedance(double d) noexcept { return std::clamp(d, least_impedance, largest_impedance); }

/// x^p for 0 <= x <= 1, p >= 1.
double power_of(double x, double p) noexcept {
  if (x <= 0) return 0;
  return p == 2 ? x * x : exp(p * log(x));
}

/// 0 at the margin, 1 at the width: two power curves that meet at `middle`. (SOFT-2)
double rise(const SoftLaw& law, double y) noexcept {
  if (law.power == 1) return y;
  if (y <= law.middle) return power_of(y, law.power) / power_of(law.middle, law.power - 1);
  return 1 - power_of(1 - y, law.power) / power_of(1 - law.middle, law.power - 1);
}

}  // namespace

SoftLaw make_soft_law(const model::Softness& softness, const LawRule& rule) noexcept {
  SoftLaw law;
  law.near = clamp_impedance(softness.solimp[0]);
  law.far = clamp_impedance(softness.solimp[1]);
  law.width = std::max(0.0, softness.solimp[2]);
  law.middle = clamp_impedance(softness.solimp[3]);
  law.power = std::max(1.0, softness.solimp[4]);
  double first = softness.solref[0], second = softness.solref[1];
  if ((first > 0) != (second > 0)) first = model::Softness{}.solref[0], second = model::Softness{}.solref[1];
  if (first > 0) {
    const double time_constant = std::max(rule.time_constant > 0 ? rule.time_constant : first, rule.shortest_time_constant);
    const double rate = law.far * time_constant;
    law.stiffness = 1 / (rate * rate * second * second);
    law.damping = 2 / rate;
  } else {
    law.stiffness = -first / (law.far * law.far);
    law.damping = -second / law.far;
  }
  return law;
}

SoftLaw without_spring(const SoftLaw& law) noexcept {
  SoftLaw slack = law;
  slack.stiffness = 0;
  return slack;
}

double impedance(const SoftLaw& law, double distance) noexcept {
  if (law.near == law.far || law.width <= least_regularization) return 0.5 * (law.near + law.far);
  const double y = distance / law.width;
  if (y >= 1) return law.far;
  if (y <= 0) return law.near;
  return law.near + rise(law, y) * (law.far - law.near);
}

double regularization(double impedance, double inverse_weight) noexcept {
  return std::max(least_regularization, (1 - impedance) / impedance * inverse_weight);
}

model::Softness mix(const model::Softness& a, const model::Softness& b, double share_of_a) noexcept {
  model::Softness mixed;
  const bool springs = a.solref[0] > 0 && b.solref[0] > 0;
  for (std::size_t i = 0; i < 2; ++i)
    mixed.solref[i] = springs ? share_of_a * a.solref[i] + (1 - share_of_a) * b.solref[i] : std::min(a.solref[i], b.solref[i]);
  for (std::size_t i = 0; i < 5; ++i) mixed.solimp[i] = share_of_a * a.solimp[i] + (1 - share_of_a) * b.solimp[i];
  return mixed;
}

}  // namespace trilith::constraints
