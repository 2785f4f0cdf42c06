#include "solve/force_state.h"

#include <limits>

#include "base/check.h"
#include "base/lanes.h"
#include "solve/body_graph_kernel.h"
#include "solve/vectors.h"

namespace trilith::solve {

void write_reduced_mu(const rows::PatchRows& rows, const ConeMargin& margin, std::span<double> reduced) noexcept {
  TRI_CHECK(reduced.size() == rows.groups().size() * rows::patch_lanes);
  std::size_t i = 0;
  for (const rows::PatchGroup& group : rows.groups())
    for (const double mu : group.mu) reduced[i++] = mu > 0 ? max(0.0, mu - margin.relative * mu - margin.rounding / mu) : 0.0;
}

double project_forces(const rows::PatchRows& rows, std::span<const double> mu, double dust, std::span<double> force) noexcept {
  TRI_CHECK(mu.size() == rows.groups().size() * rows::patch_lanes && force.size() == rows.size());
  const PatchView view{rows.groups().data(), rows.slots().data(), static_cast<int>(rows.groups().size())};
  return body_graph_kernel_of(active_isa()).project(view, mu.data(), dust, force.data());
}

double worst_imbalance(std::span<const double> imbalance) noexcept {
  TRI_CHECK(imbalance.size() % 3 == 0);
  double worst = 0;
  for (std::size_t i = 0; i < imbalance.size(); i += 3) {
    const double squared = imbalance[i] * imbalance[i] + imbalance[i + 1] * imbalance[i + 1] + imbalance[i + 2] * imbalance[i + 2];
    if (!(squared <= std::numeric_limits<double>::max())) return std::numeric_limits<double>::quiet_NaN();
    worst = max(worst, squared);
  }
  return sqrt(worst);
}

double force_factor_of(const ForceProblem& problem, std::span<const double> y, double violation) noexcept {
  const double power = dot_of(problem.load, y);
  if (!(power > 0)) return 0;
  const double total = problem.total > 0 ? problem.total : problem.rows.blocks();
  return violation > 0 ? (power / violation - problem.capacity) / total : std::numeric_limits<double>::infinity();
}

void write_motion(std::span<const double> y, std::span<double> velocity) noexcept {
  const double scale = largest_of(y);
  for (std::size_t i = 0; i < y.size(); ++i) velocity[i] = -y[i] / scale;
}

}  // namespace trilith::solve
