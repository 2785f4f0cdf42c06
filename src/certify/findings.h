#pragma once
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "certify/problem.h"
#include "certify/verify.h"

/// What the four verifiers say in common: the list of broken conditions, names of places, sentences. No arithmetic of a proof.
namespace trilith::certify {

/// Broken conditions in the order they are met; all are counted, the first `most` are written down.
class Findings {
 public:
  explicit Findings(int most) : most_(most) {}
  /// Counts one more. True where it is to be written down, so that no text is made for the rest.
  bool next() { return ++count_ <= most_; }
  void write(std::string what, std::string where) { broken_.push_back({std::move(what), std::move(where)}); }
  bool none() const { return count_ == 0; }
  std::vector<Broken> take() { return std::move(broken_); }

 private:
  int most_ = 0;
  long count_ = 0;
  std::vector<Broken> broken_;
};

/// The parts one after the other.
std::string text(std::initializer_list<std::string_view> parts);
/// "block b12"
std::string body_place(const StaticProblem& problem, std::size_t body);
/// "interface 4 (b12 - b13)", and ", vertex 2" where `vertex` >= 0. Counting starts at 0.
std::string patch_place(const StaticProblem& problem, std::size_t patch, int vertex = -1);
/// Three significant digits: "1.2e-12", "0", "inf".
std::string brief(double value);

/// Number of polygon vertices of all patches.
std::size_t vertex_count(const StaticProblem& problem);

/// Finite numbers, indices in range, patches between two different bodies with mu >= 0 and a normal, density >= 0. What fails is written
/// into `found`; the arithmetic of the verifiers needs all of it.
void check_problem(const StaticProblem& problem, Findings& found);
/// One finite force per polygon vertex.
void check_forces(const StaticProblem& problem, std::span<const Vec3d> forces, Findings& found);
/// One finite velocity per body, zero for supports.
void check_velocities(const StaticProblem& problem, std::span<const Velocity> velocities, Findings& found);

/// What a body of the force balance came to; double, for reports.
struct Imbalance {
  double force_N = 0;      ///< largest force-like imbalance: |force|, or |moment| over the mean block size
  double relative = 0;     ///< the same over Scale::mean_weight
  bool is_moment = false;  ///< the moment is the larger one
  bool of_loads = false;   ///< Scale::of_loads
};

/// What imbalances are measured by: "mean block weight", or, where the loads set the scale, "scale of the loads". (RBE-5)
std::string_view scale_name(bool of_loads);
/// Writes down that `body` is not in balance.
void write_imbalance(const StaticProblem& problem, std::size_t body, const Imbalance& imbalance, double tolerance, Findings& found);
/// Writes down that `body` is in balance beside the mean block, not beside its own weight.
void write_own_imbalance(const StaticProblem& problem, std::size_t body, double tolerance, Findings& found);
/// The result of a force state: worst body, sentence, verdict. `worst` belongs to `worst_body`.
Verification conclude_force_state(const StaticProblem& problem, std::size_t worst_body, const Imbalance& worst, Findings& found);

/// "gravity does no work: power ", with the loads and the joints' pull where there are any; `certain`: "certain work".
std::string lack_of_work(const StaticProblem& problem, bool certain);

/// What a collapse came to; double, for reports.
struct CollapseSum {
  double power_W = 0;
  double violation = 0;     ///< largest d of (RBE-9), m/s
  double force_factor = 0;  ///< X
  std::size_t worst_patch = 0;
};
Verification conclude_collapse(const StaticProblem& problem, const CollapseSum& sum, Findings& found);

}  // namespace trilith::certify
