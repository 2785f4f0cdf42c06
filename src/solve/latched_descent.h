#pragma once
#include "solve/soft_descent.h"

namespace trilith::solve {

/// Friction that is bounded by the force of another row, as it stands: blocks of radius = coefficient times the latch of their owner, and
/// latches that are to equal the force of their normal row. (NEWTON-7) Views.
struct FrictionLatches {
  std::span<const std::int32_t> normal;  ///< row of each latch: value >= 0 under `respond`
  std::span<const double> R;             ///< of these rows
  std::span<const std::int32_t> owner;   ///< latch of each radius
  std::span<const double> coefficient;   ///< of each radius, >= 0
  std::span<double> radius;              ///< what the disc and ellipse groups of the program read; written
};

struct LatchSettings {
  DescentSettings descent;
  double gap_tolerance = 1e-8;  ///< of the largest latch gap, relative to the largest normal force
  int round_limit = 200;        ///< solves with latches held
};

struct LatchReport {
  DescentReport descent;  ///< counts of all rounds together; the rest is that of the last. gap_bound: with the latches held
  int rounds = 0;
  double latch_gap = 0;  ///< N or N m: largest |normal force - latch| at the end
};

/// Contacts whose normal force follows from their normal row alone: a fixed point of descents with latches held. (NEWTON-7) No convex
/// objective has it as its minimum; what certifies it is the latch gap together with the gradient. Never allocates after construction.
class LatchedDescent {
 public:
  LatchedDescent(int most_unknowns, std::size_t most_rows, std::size_t most_latches, const LatchSettings& settings = {});

  /// `x`: start on entry; latches start with the forces of their rows there.
  [[nodiscard]] LatchReport solve(const SoftProgram& program, const FrictionLatches& latches, WeightedSystem& system,
                                  const Deadline& deadline, std::span<double> x) noexcept;

  std::span<const double> force() const noexcept { return descent_.force(); }
  std::span<const double> value() const noexcept { return descent_.value(); }

 private:
  void start(const SoftProgram& program, const FrictionLatches& latches, const WeightedSystem& system, std::span<const double> x) noexcept;
  void write_radii(const FrictionLatches& latches) const noexcept;
  double measure_gap(const FrictionLatches& latches, double& largest) noexcept;
  void move_latches(std::size_t count) noexcept;

  LatchSettings settings_;
  SoftDescent descent_;
  std::vector<double> value_;                          // per row, of the start
  std::vector<double> latch_, gap_, last_gap_, step_;  // per latch; step_: the share of the gap that the last move took
};

}  // namespace trilith::solve
