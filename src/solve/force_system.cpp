// Contact forces as unknowns, eliminated point by point (ADM-8).
#include "solve/force_system.h"

#include <algorithm>

#include "base/check.h"

namespace trilith::solve {
namespace {

constexpr std::size_t lane_step = rows::patch_lanes;

}  // namespace

std::vector<std::size_t> list_places(const rows::PatchRows& rows) {
  std::vector<std::size_t> place;
  place.reserve(static_cast<std::size_t>(rows.points()));
  for (std::size_t slot = 0; slot < rows.slots().size(); ++slot)
    for (std::size_t lane = 0; lane < lane_step; ++lane)
      if (rows.slots()[slot].used[lane] != 0) place.push_back(slot * rows::slot_rows + lane);
  return place;
}

ForceSystem::ForceSystem(const rows::PatchRows& rows, WeightedSystem& bodies, bool split, FrictionForm form, const ForceCost& cost)
    : bodies_(&bodies),
      parts_(split ? 4 : 3),
      split_(split),
      form_(form),
      cost_(cost),
      equilibrium_(6 * static_cast<std::size_t>(rows.blocks())),
      place_(list_places(rows)),
      inverse_(place_.size()),
      lanes_(rows.size(), 0.0),
      wrench_(equilibrium_) {
  TRI_CHECK(bodies.rows() == rows.size() && static_cast<std::size_t>(bodies.unknowns()) == equilibrium_);
  weight_.assign(this->rows(), 0.0);
}

std::size_t ForceSystem::rows() const noexcept { return equilibrium_ + static_cast<std::size_t>(split_ ? 5 : 3) * place_.size(); }

void ForceSystem::write_lanes(std::span<const double> x, std::span<double> lanes) const noexcept {
  const double* f = x.data();
  for (const std::size_t at : place_) {
    const double* t = f + parts_ - 2;
    lanes[at] = split_ ? f[0] - f[1] : f[0];
    lanes[at + lane_step] = t[0];
    lanes[at + 2 * lane_step] = t[1];
    f += parts_;
  }
}

void ForceSystem::write_unknowns(std::span<const double> lanes, std::span<double> x) const noexcept {
  double* f = x.data();
  for (const std::size_t at : place_) {
    double* t = f + parts_ - 2;
    const double n = lanes[at];
    f[0] = split_ ? std::max(n, 0.0) : n;
    if (split_) f[1] = std::max(-n, 0.0);
    t[0] = lanes[at + lane_step];
    t[1] = lanes[at + 2 * lane_step];
    f += parts_;
  }
}

void ForceSystem::set_weights(const RowWeights& weights) noexcept {
  TRI_CHECK(weights.shape == RowWeights::Shape::diagonal && weights.value.size() == weight_.size());
  std::copy(weights.value.begin(), weights.value.end(), weight_.begin());
  const double* cone = weight_.data() + first_cone_row();
  const double* bound = weight_.data() + first_bound_row();
  std::fill(lanes_.begin(), lanes_.end(), 0.0);
  for (std::size_t p = 0; p < place_.size(); ++p, cone += 3) {
    PointInverse& inverse = inverse_[p];
    inverse.t1 = 1 / (cost_.tangential + proximal_ + cone[1]);
    inverse.t2 = 1 / (cost_.tangential + proximal_ + cone[2]);
    double a = cost_.pressing + proximal_ + cone[0], along = 1 / a;
    if (split_) {
      // the cone row is f+ - f- or f+
      const double off = form_ == FrictionForm::net ? -cone[0] : 0.0;
      a += bound[2 * p];
      const double b = cost_.pulling + proximal_ - off + bound[2 * p + 1], determinant = a * b - off * off;
      inverse.pp = b / determinant;
      inverse.mm = a / determinant;
      inverse.pm = -off / determinant;
      along = inverse.pp - 2 * inverse.pm + inverse.mm;
    } else {
      inverse.pp = along;
      inverse.pm = inverse.mm = 0;
    }
    lanes_[place_[p]] = along;
    lanes_[place_[p] + lane_step] = inverse.t1;
    lanes_[place_[p] + 2 * lane_step] = inverse.t2;
  }
  if (equilibrium_ > 0) bodies_->set_proximal(1 / weight_[0]);
  bodies_->set_weights({RowWeights::Shape::diagonal, lanes_});
  std::fill(lanes_.begin(), lanes_.end(), 0.0);
}

void ForceSystem::divide(std::size_t point, double* x) const noexcept {
  const PointInverse& inverse = inverse_[point];
  double* t = x + parts_ - 2;
  const double p = x[0];
  if (split_) {
    const double m = x[1];
    x[0] = inverse.pp * p + inverse.pm * m;
    x[1] = inverse.pm * p + inverse.mm * m;
  } else {
    x[0] = inverse.pp * p;
  }
  t[0] *= inverse.t1;
  t[1] *= inverse.t2;
}

/// x = D^-1 b - D^-1 A' u, (A D^-1 A' + 1/rho) u = A D^-1 b.
void ForceSystem::solve(std::span<double> x, int right_hand_sides) noexcept {
  TRI_CHECK(right_hand_sides == 1 && x.size() == static_cast<std::size_t>(unknowns()));
  const auto step = static_cast<std::size_t>(parts_);
  for (std::size_t p = 0; p < place_.size(); ++p) divide(p, x.data() + step * p);
  write_lanes(x, lanes_);
  bodies_->apply_transposed(lanes_, wrench_);
  bodies_->solve(wrench_, 1);
  bodies_->apply(wrench_, lanes_);
  for (std::size_t p = 0; p < place_.size(); ++p) {
    const double n = lanes_[place_[p]];
    double pull[4] = {n, -n, 0, 0};
    double* t = pull + parts_ - 2;
    t[0] = lanes_[place_[p] + lane_step];
    t[1] = lanes_[place_[p] + 2 * lane_step];
    divide(p, pull);
    for (std::size_t i = 0; i < step; ++i) x[step * p + i] -= pull[i];
  }
}

void ForceSystem::apply(std::span<const double> x, std::span<double> row) const noexcept {
  write_lanes(x, lanes_);
  bodies_->apply_transposed(lanes_, row.first(equilibrium_));
  double* cone = row.data() + first_cone_row();
  double* bound = row.data() + first_bound_row();
  const double* f = x.data();
  for (std::size_t p = 0; p < place_.size(); ++p, f += parts_, cone += 3) {
    cone[0] = split_ && form_ == FrictionForm::net ? f[0] - f[1] : f[0];
    cone[1] = f[parts_ - 2];
    cone[2] = f[parts_ - 1];
    if (!split_) continue;
    bound[2 * p] = f[0];
    bound[2 * p + 1] = f[1];
  }
}

void ForceSystem::apply_transposed(std::span<const double> row, std::span<double> x) const noexcept {
  bodies_->apply(row.first(equilibrium_), lanes_);
  const double* cone = row.data() + first_cone_row();
  const double* bound = row.data() + first_bound_row();
  double* f = x.data();
  for (std::size_t p = 0; p < place_.size(); ++p, f += parts_, cone += 3) {
    const double n = lanes_[place_[p]];
    f[parts_ - 2] = lanes_[place_[p] + lane_step] + cone[1];
    f[parts_ - 1] = lanes_[place_[p] + 2 * lane_step] + cone[2];
    f[0] = n + cone[0];
    if (!split_) continue;
    f[0] += bound[2 * p];
    f[1] = bound[2 * p + 1] - n - (form_ == FrictionForm::net ? cone[0] : 0.0);
  }
}

void ForceSystem::apply_quadratic(std::span<const double> x, std::span<double> out) const noexcept {
  const double* f = x.data();
  double* g = out.data();
  for (std::size_t p = 0; p < place_.size(); ++p, f += parts_, g += parts_) {
    g[parts_ - 2] = cost_.tangential * f[parts_ - 2];
    g[parts_ - 1] = cost_.tangential * f[parts_ - 1];
    g[0] = cost_.pressing * f[0];
    if (split_) g[1] = cost_.pulling * f[1];
  }
}

void ForceSystem::apply_weights(std::span<double> row) const noexcept {
  for (std::size_t i = 0; i < row.size(); ++i) row[i] *= weight_[i];
}

}  // namespace trilith::solve
