// Contacts, rows and the solve of one step (DYN-30).
#include "dynamics/constraint_stage.h"

#include <algorithm>

#include "dynamics/stages.h"
#include "multibody/mass_matrix.h"

namespace trilith::dynamics {
namespace {

constexpr std::size_t touches_per_shape = 32, touches_at_least = 64;
constexpr double stick_share = 0.99;  // of the friction bound: a contact below it sticks

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

std::size_t rows_of_joints(const model::Model& model) {
  std::size_t rows = 0;
  for (const model::Joint& joint : model.joints) {
    const std::size_t dofs = at(dofs_of(joint.kind));
    rows += (joint.friction_loss > 0 ? dofs : 0) + (joint.range ? 2 : 0);
  }
  for (const model::Tendon& tendon : model.tendons) rows += (tendon.friction_loss > 0 ? 1U : 0U) + (tendon.range ? 2U : 0U);
  return rows + 6 * model.equalities.size();
}

std::int32_t longest_chain(const multibody::Tree& tree) {
  std::size_t longest = 0;
  for (std::int32_t i = 0; i < tree.links(); ++i) longest = std::max(longest, tree.dofs_of(i).size());
  return static_cast<std::int32_t>(longest);
}

std::int32_t longest_tendon(const multibody::Tendons& tendons) {
  std::size_t longest = 0;
  for (std::int32_t i = 0; i < tendons.count(); ++i) longest = std::max(longest, tendons.pattern().columns(i).size());
  return static_cast<std::int32_t>(longest);
}

/// J M^-1 J' of every tendon, with the factor of M in `w`.
std::vector<double> weigh_tendons(const System& system, Workspace& w) {
  std::vector<double> weights, x(at(system.nv()));
  for (std::int32_t i = 0; i < system.tendons.count(); ++i) {
    std::fill(x.begin(), x.end(), 0.0);
    multibody::add_row_to(system.tendons.pattern(), w.tendon_jacobian, i, 1, x);
    multibody::solve_mass_matrix<double>(system.tree, w.tree, x);
    weights.push_back(multibody::row_dot(system.tendons.pattern(), w.tendon_jacobian, i, x));
  }
  return weights;
}

}  // namespace

ConstraintSetup::ConstraintSetup(const System& system, const ConstraintSettings& chosen, std::vector<Warning>& warnings)
    : settings(chosen), weights(make_inverse_weights(*system.model, system.tree)), touches(*system.model, chosen.least_condim, warnings) {
  const model::Model& model = *system.model;
  const State state = make_state(model);
  Workspace w(system);
  (void)update_position(system, state, w);
  tendon_weight = weigh_tendons(system, w);
  holds = constraints::make_equality_holds(model, w.X_WB, w.tendon_length);
  const std::size_t by_pairs = touches.most_pairs() * geom::most_pair_contacts;
  const std::size_t by_shapes = touches_per_shape * model.geoms.size() + touches_at_least;
  most_touches = settings.most_touches > 0 ? static_cast<std::size_t>(settings.most_touches) : std::min(by_pairs, by_shapes);
  widest_row = std::min(system.nv(), 2 * std::max(longest_chain(system.tree), longest_tendon(system.tendons)));
  capacity.rows = rows_of_joints(model) + constraints::rows_of_touch(touches.most_condim(), system.options.cone) * most_touches;
  capacity.entries = capacity.rows * at(std::max(widest_row, 1));
  scale = 1 / (weights.mean_inertia * std::max(1, system.nv()));
}

ConstraintStage::ConstraintStage(const System& system, std::shared_ptr<const ConstraintSetup> setup)
    : setup_(std::move(setup)),
      touch_scratch_(setup_->touches),
      rows_(setup_->capacity, setup_->widest_row),
      touch_rows_(system.nv()),
      equality_rows_(system.nv()),
      solve_(system, setup_->settings, setup_->capacity, setup_->widest_row, setup_->scale) {
  for (const model::Equality& equality : system.model->equalities) active_.push_back(equality.active ? 1 : 0);
  touches_.resize(setup_->most_touches);
}

constraints::SoftScene ConstraintStage::scene(const System& system, const State& state, const Workspace& w) const noexcept {
  const model::SimulationOptions& options = system.options;
  return {.model = *system.model,
          .tree = system.tree,
          .weights = setup_->weights,
          .tendons = system.tendons,
          .tendon_weight = setup_->tendon_weight,
          .motion = w.motion(system),
          .X_WB = w.X_WB,
          .q = state.q,
          .v = state.v,
          .tendon_length = w.tendon_length,
          .tendon_jacobian = w.tendon_jacobian,
          .laws = {options.reference_safety ? 2 * options.timestep : 0, setup_->settings.time_constant},
          .impratio = setup_->settings.impratio,
          .cone = options.cone};
}

void ConstraintStage::build_rows(const System& system, const constraints::SoftScene& scene) noexcept {
  const model::SimulationOptions& options = system.options;
  rows_.clear();
  touch_count_ = 0;
  touches_full_ = false;
  if (!options.constraints) return;
  if (options.equalities) equality_rows_.add(scene, setup_->holds, active_, rows_);
  if (options.friction_losses) add_loss_rows(scene, rows_);
  if (options.limits) add_limit_rows(scene, rows_);
  if (!options.contacts) return;
  touch_count_ = setup_->touches.find(scene.X_WB, touch_scratch_, touches_, touches_full_);
  touch_rows_.add(scene, std::span(touches_).first(touch_count_), rows_);
}

namespace {

/// The six components of a contact from its rows: as they are, or as edges of a pyramid.
template <class Row>
std::array<double, 6> components(const constraints::Touch& touch, bool pyramid, const Row& row) {
  std::array<double, 6> c{};
  const auto size = at(touch.condim);
  if (!pyramid) {
    for (std::size_t k = 0; k < size; ++k) c[k] = row(k);
    return c;
  }
  for (std::size_t k = 0; k + 1 < size; ++k) {
    c[0] += row(2 * k) + row(2 * k + 1);
    c[k + 1] = touch.friction[k] * (row(2 * k) - row(2 * k + 1));
  }
  return c;
}

}  // namespace

std::array<double, 6> ConstraintStage::touch_force(const constraints::Touch& touch) const noexcept {
  if (touch.first_row < 0) return {};
  const auto first = at(touch.first_row);
  return components(touch, rows_.row(first).kind == constraints::SoftRowKind::pyramid, [&](std::size_t k) { return force()[first + k]; });
}

/// Sliding speed of a touch whose friction is well inside its bound; 0 where it slides.
double ConstraintStage::creep(const constraints::Touch& touch) const noexcept {
  if (touch.first_row < 0 || touch.condim == 1) return 0;
  const std::array<double, 6> f = touch_force(touch);
  if (!(f[0] > 0) || trilith::sqrt(f[1] * f[1] + f[2] * f[2]) >= stick_share * touch.friction[0] * f[0]) return 0;
  const auto first = at(touch.first_row);
  double along[2];
  for (std::size_t k = 0; k < 2; ++k)
    along[k] = rows_.row(first).kind == constraints::SoftRowKind::pyramid
                   ? (rows_.row(first + 2 * k).velocity - rows_.row(first + 2 * k + 1).velocity) / (2 * touch.friction[k])
                   : rows_.row(first + 1 + k).velocity;
  return trilith::sqrt(along[0] * along[0] + along[1] * along[1]);
}

ConstraintSoftness ConstraintStage::measure() const noexcept {
  ConstraintSoftness softness;
  for (std::size_t i = 0; i < rows_.rows() && rows_.row(i).kind == constraints::SoftRowKind::equality; ++i)
    softness.equality_residual = std::max(softness.equality_residual, abs(rows_.row(i).position));
  if (rows_.rows() == 0) return softness;
  for (const constraints::Touch& touch : touches()) {
    softness.penetration = std::max(softness.penetration, -touch.distance);
    softness.creep = std::max(softness.creep, creep(touch));
  }
  return softness;
}

ConstraintReport ConstraintStage::update(const System& system, const State& state, Workspace& w) noexcept {
  build_rows(system, scene(system, state, w));
  ConstraintReport report;
  report.rows = rows_.rows(), report.rows_left_out = rows_.rows_left_out();
  report.touches = touch_count_, report.touches_full = touches_full_;
  const std::span<const double> warm_start =
      system.options.warm_start ? std::span<const double>(state.warm_start) : std::span<const double>();
  static_cast<ConstraintSolveReport&>(report) = solve_.solve(system, rows_, {touches(), warm_start}, w);
  return report;
}

}  // namespace trilith::dynamics
