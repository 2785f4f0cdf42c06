// What a row group adds to an energy, and its dual steps (CONE-7, CONE-8, CONE-14, CONE-16).
#include "rows/mechanism.h"

#include <algorithm>
#include <string>

#include "base/check.h"
#include "rows/response.h"

namespace trilith::rows {
namespace {

/// Keeps the larger one; a NaN counts as infinity.
void raise(double candidate, double& largest) noexcept {
  if (!(candidate <= largest)) largest = candidate == candidate ? candidate : std::numeric_limits<double>::infinity();
}

/// Copies the derivatives of one block to their places.
template <int D>
void store(const cones::Block<double, D>& gradient, const cones::SymmetricBlock<double, D>& hessian, std::int32_t local,
           const GroupDerivatives& out) noexcept {
  store_block<D>(gradient, out.gradient, local);
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) out.hessian[static_cast<std::size_t>((local + i) * D + j)] = hessian.m[i][j];
}

double evaluate_response(const RowGroup& group, const MechanismParameters& parameters, const GroupDuals& duals,
                         std::span<const double> value, const GroupDerivatives& out) noexcept {
  double energy = 0;
  for_each_block(group, [&](const auto& set, std::int32_t row) {
    const auto r = response(set, group, parameters, duals, value, row);
    store(-1.0 * r.force, r.hessian, row - group.first, out);
    energy += r.value;
  });
  return energy;
}

double evaluate_barrier(const RowGroup& group, const MechanismParameters& parameters, std::span<const double> value,
                        const GroupDerivatives& out) noexcept {
  const cones::BarrierShape<double> shape = {parameters.barrier_weight, parameters.barrier_delta};
  double energy = 0;
  for_each_block(group, [&](const auto& set, std::int32_t row) {
    const auto e = set.barrier(load_block<dim_of<decltype(set)>>(value, row), shape);
    store(e.gradient, e.hessian, row - group.first, out);
    energy += e.value;
  });
  return energy;
}

double evaluate_admm(const RowGroup& group, double rho, const GroupDuals& duals, std::span<const double> value,
                     const GroupDerivatives& out) noexcept {
  double energy = 0;
  std::fill(out.hessian.begin(), out.hessian.end(), 0.0);
  const auto block = static_cast<std::size_t>(group.block);
  for (std::size_t i = 0; i < static_cast<std::size_t>(group.count); ++i) {
    const double gap = value[static_cast<std::size_t>(group.first) + i] - duals.copy[i];
    energy += gap * (duals.multiplier[i] + 0.5 * rho * gap);
    out.gradient[i] = duals.multiplier[i] + rho * gap;
    out.hessian[i * block + i % block] = rho;
  }
  return energy;
}

DualStep update_admm(const RowGroup& group, const MechanismParameters& parameters, std::span<const double> value,
                     const GroupDuals& duals) noexcept {
  const double rho = parameters.rho;
  const bool hard = parameters.softness > std::numeric_limits<double>::max();
  DualStep step;
  for_each_block(group, [&](const auto& set, std::int32_t row) {
    constexpr int D = dim_of<decltype(set)>;
    const std::int32_t local = row - group.first;
    const auto w = load_block<D>(value, row), y = load_block<D>(duals.multiplier, local), z = load_block<D>(duals.copy, local);
    const auto target = w + (1 / rho) * y;
    const auto next = hard ? set.project(target) : project_soft(set, target, rho, parameters.softness);
    for (int i = 0; i < D; ++i) {
      raise(abs(w[i] - next[i]), step.primal);
      raise(rho * abs(next[i] - z[i]), step.dual);
    }
    store_block<D>(next, duals.copy, local);
    store_block<D>(y + rho * (w - next), duals.multiplier, local);
  });
  return step;
}

DualStep update_multipliers(const RowGroup& group, const MechanismParameters& parameters, std::span<const double> value,
                            const GroupDuals& duals) noexcept {
  DualStep step;
  for_each_block(group, [&](const auto& set, std::int32_t row) {
    constexpr int D = dim_of<decltype(set)>;
    const std::int32_t local = row - group.first;
    const auto force = response(set, group, parameters, duals, value, row).force;
    for (int i = 0; i < D; ++i) raise(abs(force[i] - duals.multiplier[static_cast<std::size_t>(local + i)]) / parameters.rho, step.primal);
    store_block<D>(force, duals.multiplier, local);
  });
  return step;
}

bool positive(double a) { return a > 0 && a <= std::numeric_limits<double>::max(); }

}  // namespace

std::vector<Error> find_faults(const RowGroup& group, const MechanismParameters& parameters) {
  std::vector<Error> found;
  const auto need = [&](bool holds, const char* what, const char* part) {
    if (!holds) found.push_back({what, "group '" + std::string(group.name) + "'/" + part});
  };
  const bool scalar_tangents = group.set == SetKind::friction_cone || group.set == SetKind::elliptic;
  switch (group.mechanism) {
    case Mechanism::telemetry:
      break;
    case Mechanism::respond:
      need(parameters.R.size() == static_cast<std::size_t>(group.count), "needs one weight R per row", "R");
      need(std::all_of(parameters.R.begin(), parameters.R.end(), positive), "weights R must be > 0 and finite", "R");
      break;
    case Mechanism::barrier:
      need(positive(parameters.barrier_weight), "the barrier weight must be > 0 and finite", "barrier_weight");
      need(positive(parameters.barrier_delta), "the barrier's delta must be > 0 and finite", "barrier_delta");
      need(!scalar_tangents || std::all_of(group.mu.begin(), group.mu.end(), positive), "a barrier needs every mu > 0", "mu");
      break;
    case Mechanism::admm:
      need(positive(parameters.rho), "rho must be > 0 and finite", "rho");
      need(parameters.softness >= 0, "softness must be >= 0", "softness");
      break;
    case Mechanism::augmented_lagrangian:
      need(positive(parameters.rho), "rho must be > 0 and finite", "rho");
      break;
  }
  return found;
}

double evaluate(const RowGroup& group, const MechanismParameters& parameters, const GroupDuals& duals, std::span<const double> value,
                const GroupDerivatives& out) noexcept {
  TRI_CHECK(static_cast<std::size_t>(group.end()) <= value.size());
  TRI_CHECK(out.gradient.size() == static_cast<std::size_t>(group.count));
  TRI_CHECK(out.hessian.size() == static_cast<std::size_t>(group.count * group.block));
  switch (group.mechanism) {
    case Mechanism::telemetry:
      break;
    case Mechanism::respond:
    case Mechanism::augmented_lagrangian:
      return evaluate_response(group, parameters, duals, value, out);
    case Mechanism::barrier:
      return evaluate_barrier(group, parameters, value, out);
    case Mechanism::admm:
      return evaluate_admm(group, parameters.rho, duals, value, out);
  }
  std::fill(out.gradient.begin(), out.gradient.end(), 0.0);
  std::fill(out.hessian.begin(), out.hessian.end(), 0.0);
  return 0;
}

void reset_duals(const RowGroup& group, std::span<const double> value, const GroupDuals& duals) noexcept {
  std::fill(duals.multiplier.begin(), duals.multiplier.end(), 0.0);
  if (group.mechanism != Mechanism::admm) return;
  for_each_block(group, [&](const auto& set, std::int32_t row) {
    constexpr int D = dim_of<decltype(set)>;
    store_block<D>(set.project(load_block<D>(value, row)), duals.copy, row - group.first);
  });
}

DualStep update_duals(const RowGroup& group, const MechanismParameters& parameters, std::span<const double> value,
                      const GroupDuals& duals) noexcept {
  TRI_CHECK(static_cast<std::size_t>(group.end()) <= value.size());
  if (group.mechanism == Mechanism::admm) return update_admm(group, parameters, value, duals);
  if (group.mechanism == Mechanism::augmented_lagrangian) return update_multipliers(group, parameters, value, duals);
  return {};
}

}  // namespace trilith::rows
