#pragma once
#include <span>
#include <vector>

namespace trilith::control {

/// What conjugate gradients came to.
struct PcgReport {
  int iterations = 0;
  bool converged = false;  ///< below the tolerance before the cap
  bool at_start = false;   ///< the start was below the floor: no step is needed
};
struct PcgLimits {
  int most_iterations = 100;
  double tolerance = 1e-4;  ///< of r'z, relative to its start
  double floor = 1e-6;      ///< of r'z, absolute
};

/// A quadratic program over stages, dense within each:
///
///     minimise sum_k 1/2 dx'Q dx + 1/2 du'R du + du'S dx + gx'dx + gu'du  subject to  dx[k+1] = A dx[k] + B du[k] + e[k],  dx[0] given,
///
/// for states k = 0..knots-1 and inputs k = 0..knots-2. Row-major. Storage is sized once; nothing below allocates.
class StageQp {
 public:
  StageQp(int states, int inputs, int knots);

  int states() const noexcept { return nx_; }
  int inputs() const noexcept { return nu_; }
  int knots() const noexcept { return knots_; }

  /// Of one knot; those with an input index exist for k < knots - 1.
  struct Stage {
    double *A, *B, *Q, *R, *S, *gx, *gu, *e;
  };
  Stage stage(int k) noexcept;
  /// S is read only where this is set.
  void use_cross(bool on) noexcept { cross_ = on; }

  /// Riccati recursion (CTL-7) with `proximal` added to every Q. Returns how many pivots of input blocks are not positive: then the
  /// factor must not be used.
  [[nodiscard]] int factor(double proximal) noexcept;
  /// The minimiser for the present gradients and e: `dx` (knots x states) holds dx[0] on entry. Needs `factor`.
  void solve(std::span<double> dx, std::span<double> du) noexcept;

  /// Multipliers p + P dx of a solution of `solve`, with the sign of `solve_multipliers` (the negative).
  void write_multipliers(std::span<const double> dx, std::span<double> multipliers) const noexcept;
  /// Largest entry of the multipliers p + P dx of a solution of `solve`.
  double largest_multiplier(std::span<const double> dx) noexcept;

  /// Feedback of the first knot, u[0] = -K dx[0] + ..., inputs x states; and its cost to go, states x states. Need `factor`.
  std::span<const double> first_gain() const noexcept {
    return {gain_.data(), static_cast<std::size_t>(nu_) * static_cast<std::size_t>(nx_)};
  }
  std::span<const double> first_cost_to_go() const noexcept {
    return {to_go_.data(), static_cast<std::size_t>(nx_) * static_cast<std::size_t>(nx_)};
  }

  /// Forms the system of multipliers (CTL-8) with `proximal` added to every Q, which must then be positive definite; S is not allowed.
  /// Returns how many pivots are not positive.
  [[nodiscard]] int form_multiplier_system(double proximal) noexcept;
  /// Solves it by conjugate gradients from the multipliers given (knots x states), which it leaves for the next start.
  PcgReport solve_multipliers(std::span<double> multipliers, const PcgLimits& limits, std::span<double> dx, std::span<double> du) noexcept;

 private:
  void factor_knot(int k, double proximal, int& bad) noexcept;
  void solve_factor(const double* factor, int n, double* x) const noexcept;
  void write_right_side(std::span<const double> start) noexcept;
  void apply_system(const double* x, double* out) const noexcept;
  void apply_preconditioner(const double* r, double* z) noexcept;
  void recover(std::span<const double> multipliers, std::span<double> dx, std::span<double> du) noexcept;

  int nx_, nu_, knots_;
  bool cross_ = false;
  std::size_t sx_, su_, xx_, xu_, uu_;
  std::vector<double> A_, B_, Q_, R_, S_, gx_, gu_, e_;
  std::vector<double> to_go_, gain_, input_factor_, p_, k_;                        // Riccati
  std::vector<double> q_factor_, r_factor_, diagonal_, factor_of_diagonal_, off_;  // multipliers
  std::vector<double> right_, residual_, z_, direction_, image_, w_;
  std::vector<double> scratch_, scratch2_, column_;
};

}  // namespace trilith::control
