#pragma once
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "certify/quadratic_program.h"
#include "solve/dense_system.h"
#include "solve/self_dual.h"

namespace trilith::solve {

struct ConicProgramSettings {
  double rank_tolerance = 1e-12;        ///< an equality row with less than this of its length outside the others depends on them
  double consistency_tolerance = 1e-9;  ///< misfit of a dependent or constant row that is a contradiction, relative to its bound and 1
  double constant_tolerance = 1e-13;    ///< a row whose part along the free directions is smaller than this of its length is constant
  double pivot_tolerance = conic_pivot_tolerance;
  double dust = 1e-6;       ///< right-hand sides below this share of the largest say nothing of the unit of length
  int scaling_passes = 10;  ///< of the equilibration
};

/// A proposal in the words of the given program.
struct ProgramPoint {
  std::vector<double> x;        ///< one per variable; a ray where the cost is unbounded
  std::vector<double> y, norm;  ///< certify::Multipliers; a ray where the rows contradict each other
};

/// A program in the form of the conic iteration: equalities eliminated by an orthogonal basis of their free directions (QP-4), every bound
/// a ray, every norm bound a chain of three-row cones (QP-5), rows, columns and cost equilibrated. `wanted`: bounds that take part, lower
/// and upper of each row in turn; equalities always do.
class ConicProgram {
 public:
  ConicProgram(const certify::QuadraticProgram& program, const std::vector<bool>& wanted, const ConicProgramSettings& settings);

  /// Where equalities or constant rows contradict each other: the ray that shows it; no solve is needed.
  const std::optional<ProgramPoint>& contradiction() const noexcept { return contradiction_; }
  int unknowns() const noexcept { return free_ + chained_; }
  ConicProblem problem() const noexcept;
  DenseSystem& system() noexcept { return *system_; }

  /// x / tau and z / tau in the words of the program; equality multipliers make the Lagrangian stationary.
  ProgramPoint solution(const SelfDual& iteration) const;
  /// z as a ray of contradiction; a direction of the unknowns as a ray of unbounded cost.
  ProgramPoint infeasibility_ray(const SelfDual& iteration) const;
  ProgramPoint unbounded_ray(std::span<const double> x) const;

 private:
  /// Where rows of a cone come from: a bound of a row (sign +1 upper, -1 lower), or entries of the norm bounds.
  struct Source {
    int row = -1;
    double sign = 0;
    int norm[2] = {-1, -1};  // places in Multipliers::norm of its second and third part
  };
  /// An equality: a row of A, or an entry of a norm bound of radius 0.
  struct Equality {
    int row = -1, norm = -1, variable = -1;
    double value = 0;
  };
  struct Basis;
  /// Cost and rows over free and chained unknowns, on their way to the system.
  struct Dense {
    std::vector<double> P, q, G, h;
  };

  void list_equalities();
  void eliminate();
  void add_bound(int row, double sign);
  void add_norms();
  std::size_t sort_cones();
  void build();
  void project_cost(Dense& dense) const;
  void stack_rows(Dense& dense) const;
  void equilibrate(std::size_t rays, Dense& dense);
  void lay_out_lanes(std::size_t rays, std::span<const double> h);
  void contradict(int row, double sign);
  std::vector<double> coefficients(const Equality& equality) const;
  std::vector<double> along_free(std::span<const double> a) const;
  double at_offset(std::span<const double> a) const;
  void write_multipliers(const SelfDual& iteration, double scale, ProgramPoint& point) const;
  void balance_equalities(std::span<const double> gradient, ProgramPoint& point) const;
  std::vector<double> to_variables(std::span<const double> x, double scale, bool with_offset) const;

  certify::QuadraticProgram program_;
  std::vector<bool> wanted_;
  ConicProgramSettings settings_;
  std::vector<Equality> equalities_;
  std::shared_ptr<const Basis> basis_;
  int free_ = 0, chained_ = 0;
  std::optional<ProgramPoint> contradiction_;

  // cones in order: G row by row over free and chained unknowns, right-hand sides, where they come from
  struct Cone {
    Source source;
    int parts = 1;
    std::vector<double> g[3];
    double h[3] = {0, 0, 0};
  };
  std::vector<Cone> cones_;
  std::vector<DensePoint> points_;
  std::vector<double> row_scale_, column_scale_;
  double cost_scale_ = 1, length_ = 1;
  std::vector<rows::PatchGroup> groups_;
  std::vector<rows::PatchSlot> slots_;
  std::vector<double> mu_, load_, offset_;
  std::unique_ptr<DenseSystem> system_;
};

}  // namespace trilith::solve
