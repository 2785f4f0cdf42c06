// (CRA-9) to (CRA-12)
#include "statics/planar_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/clause_search.h"

namespace trilith::statics {
namespace {

using certify::PlanarContact;
using certify::PlanarProblem;
using certify::RefutationStep;
using solve::ClauseSearch;

constexpr double unbounded = std::numeric_limits<double>::infinity();

class PlanarSearch {
 public:
  PlanarSearch(const PlanarProblem& problem, const PlanarSearchSettings& settings)
      : problem_(problem),
        settings_(settings),
        contacts_(static_cast<int>(problem.contacts.size())),
        forces_(make_forces(problem, settings.simplex)),
        motion_(make_motion(problem, settings.simplex)),
        clauses_(contacts_ + 2 * problem.joints),
        bounds_(static_cast<std::size_t>(contacts_ + 2 * problem.joints), 2) {
    for (std::size_t i = 0; i < problem.load.size(); ++i)
      if (i % 3 != 2) weight_ += std::abs(problem.load[i]);
    add_structure();
  }

  PlanarOutcome run(const Deadline& deadline);

 private:
  enum class Answer { fits, excluded, failed };

  static void add_wrench(const PlanarContact& c, const double (&direction)[2], std::size_t column, std::size_t columns,
                         std::vector<double>& matrix);
  static solve::BoundedSimplex make_forces(const PlanarProblem& problem, const solve::SimplexSettings& settings);
  static solve::BoundedSimplex make_motion(const PlanarProblem& problem, const solve::SimplexSettings& settings);

  int along(int joint) const { return contacts_ + 2 * joint; }
  int against(int joint) const { return along(joint) + 1; }
  int joint_of(int contact) const { return problem_.contacts[static_cast<std::size_t>(contact)].joint; }

  void add_structure();
  void take_over_choices();
  void set_contact(int contact);
  Answer ask_forces(RefutationStep& lemma);
  Answer ask_motion(RefutationStep& lemma);
  bool write_force_lemma(RefutationStep& lemma) const;
  bool write_motion_lemma(RefutationStep& lemma) const;
  double least_power(int contact, double n, double t, std::vector<char>& named) const;
  double imbalance(std::span<const double> g) const;
  int next_choice() const;
  bool learn(std::size_t conflict, PlanarOutcome& outcome);
  void write_pair(PlanarOutcome& outcome);
  bool stop(PlanarOutcome& outcome, SolveStatus status, std::string reason) const;
  bool step(const Deadline& deadline, PlanarOutcome& outcome);

  const PlanarProblem& problem_;
  const PlanarSearchSettings& settings_;
  int contacts_;
  solve::BoundedSimplex forces_;  // columns: n, t of every contact; rows: three per body, then the two sides of every cone
  solve::BoundedSimplex motion_;  // columns: three per body; rows: n, t of every contact
  ClauseSearch clauses_;
  std::vector<int> bounds_;  // the choice that the bounds of both programs know of; 2: none yet
  double weight_ = 0;
};

/// Wrench of a unit force in `direction` on both bodies into a column of A.
void PlanarSearch::add_wrench(const PlanarContact& c, const double (&direction)[2], std::size_t column, std::size_t columns,
                              std::vector<double>& matrix) {
  const auto add = [&](int body, const double(&arm)[2], double sign) {
    if (body < 0) return;
    const std::size_t row = 3 * static_cast<std::size_t>(body);
    matrix[row * columns + column] += sign * direction[0];
    matrix[(row + 1) * columns + column] += sign * direction[1];
    matrix[(row + 2) * columns + column] += sign * (arm[0] * direction[1] - arm[1] * direction[0]);
  };
  add(c.body_b, c.arm_b, 1);
  add(c.body_a, c.arm_a, -1);
}

solve::BoundedSimplex PlanarSearch::make_forces(const PlanarProblem& problem, const solve::SimplexSettings& settings) {
  const std::size_t contacts = problem.contacts.size(), columns = 2 * contacts, balance = 3 * static_cast<std::size_t>(problem.bodies);
  std::vector<double> matrix((balance + 2 * contacts) * columns, 0.0);
  for (std::size_t i = 0; i < contacts; ++i) {
    const PlanarContact& c = problem.contacts[i];
    add_wrench(c, c.normal, 2 * i, columns, matrix);
    add_wrench(c, c.tangent, 2 * i + 1, columns, matrix);
    for (std::size_t side = 0; side < 2; ++side) {
      double* row = matrix.data() + (balance + 2 * i + side) * columns + 2 * i;
      row[0] = -c.mu;
      row[1] = side == 0 ? 1 : -1;
    }
  }
  solve::BoundedSimplex simplex(static_cast<int>(columns), static_cast<int>(balance + 2 * contacts), std::move(matrix), settings);
  const int first = static_cast<int>(columns);
  for (std::size_t i = 0; i < balance; ++i) simplex.set_bounds(first + static_cast<int>(i), problem.load[i], problem.load[i]);
  for (std::size_t i = 0; i < 2 * contacts; ++i) simplex.set_bounds(first + static_cast<int>(balance + i), -unbounded, 0);
  return simplex;
}

solve::BoundedSimplex PlanarSearch::make_motion(const PlanarProblem& problem, const solve::SimplexSettings& settings) {
  const std::size_t contacts = problem.contacts.size(), columns = 3 * static_cast<std::size_t>(problem.bodies);
  std::vector<double> wrenches(columns * 2 * contacts, 0.0), matrix(wrenches.size());
  for (std::size_t i = 0; i < contacts; ++i) {
    add_wrench(problem.contacts[i], problem.contacts[i].normal, 2 * i, 2 * contacts, wrenches);
    add_wrench(problem.contacts[i], problem.contacts[i].tangent, 2 * i + 1, 2 * contacts, wrenches);
  }
  for (std::size_t i = 0; i < 2 * contacts; ++i)
    for (std::size_t j = 0; j < columns; ++j) matrix[i * columns + j] = wrenches[j * 2 * contacts + i];
  return {static_cast<int>(columns), static_cast<int>(2 * contacts), std::move(matrix), settings};
}

/// Friction of a joint has one direction and needs a pressed contact.
void PlanarSearch::add_structure() {
  std::vector<std::vector<int>> pressed(static_cast<std::size_t>(problem_.joints));
  for (int i = 0; i < contacts_; ++i) pressed[static_cast<std::size_t>(joint_of(i))].push_back(i + 1);
  for (int j = 0; j < problem_.joints; ++j) {
    clauses_.add(std::vector<int>{-(along(j) + 1), -(against(j) + 1)});
    for (const int direction : {along(j), against(j)}) {
      std::vector<int> clause = pressed[static_cast<std::size_t>(j)];
      clause.push_back(-(direction + 1));
      clauses_.add(clause);
    }
  }
}

/// Bounds of one contact from the choices: what is open limits neither program.
void PlanarSearch::set_contact(int i) {
  const int pressed = clauses_.value(i), forward = clauses_.value(along(joint_of(i))), backward = clauses_.value(against(joint_of(i)));
  forces_.set_bounds(2 * i, 0, pressed < 0 ? 0 : unbounded);
  forces_.set_bounds(2 * i + 1, backward < 0 ? 0 : -unbounded, forward < 0 ? 0 : unbounded);
  const int row = 3 * problem_.bodies + 2 * i;
  motion_.set_bounds(row, -1, pressed > 0 ? -1 : problem_.bound);
  motion_.set_bounds(row + 1, backward > 0 ? problem_.least_slip : -problem_.bound, forward > 0 ? -problem_.least_slip : problem_.bound);
}

void PlanarSearch::take_over_choices() {
  std::vector<char> stale(static_cast<std::size_t>(problem_.joints), 0);
  for (int v = 0; v < static_cast<int>(bounds_.size()); ++v) {
    const std::size_t k = static_cast<std::size_t>(v);
    if (bounds_[k] == clauses_.value(v)) continue;
    bounds_[k] = clauses_.value(v);
    stale[static_cast<std::size_t>(v < contacts_ ? joint_of(v) : (v - contacts_) / 2)] = 1;
  }
  for (int i = 0; i < contacts_; ++i)
    if (stale[static_cast<std::size_t>(joint_of(i))]) set_contact(i);
}

/// Names whatever a unit normal force at a contact needs to take power from the ray beyond the gate. (CRA-9)
bool PlanarSearch::write_force_lemma(RefutationStep& lemma) const {
  const std::size_t rows = 3 * static_cast<std::size_t>(problem_.bodies);
  lemma = {RefutationStep::Kind::force, {}, {}};
  double power = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    lemma.ray.push_back(-forces_.ray()[i]);
    power -= problem_.load[i] * lemma.ray[i];
  }
  if (!(power > 0)) return false;
  const double gate = settings_.lemma_share * power / (settings_.judge.least_factor * weight_);
  std::vector<char> named(bounds_.size(), 0);
  for (int i = 0; i < contacts_; ++i) {
    const PlanarContact& c = problem_.contacts[static_cast<std::size_t>(i)];
    double u[2] = {0, 0};
    const auto add = [&](int body, const double(&arm)[2], double sign) {
      if (body < 0) return;
      const double* v = lemma.ray.data() + 3 * body;
      u[0] += sign * (v[0] - v[2] * arm[1]);
      u[1] += sign * (v[1] + v[2] * arm[0]);
    };
    add(c.body_b, c.arm_b, 1);
    add(c.body_a, c.arm_a, -1);
    const double opening = u[0] * c.normal[0] + u[1] * c.normal[1], slip = u[0] * c.tangent[0] + u[1] * c.tangent[1];
    if (opening - c.mu * std::abs(slip) >= -gate) continue;
    // friction alone: that of the joint where it is excluded, else the contact answers for it
    const int friction = slip < 0 ? along(c.joint) : against(c.joint);
    const int choice = opening < -gate || clauses_.value(friction) >= 0 ? i : friction;
    if (clauses_.value(choice) >= 0) return false;
    named[static_cast<std::size_t>(choice)] = 1;
  }
  for (int v = 0; v < static_cast<int>(named.size()); ++v)
    if (named[static_cast<std::size_t>(v)]) lemma.literals.push_back(v + 1);
  return true;
}

/// Least n d_n + t d_t of a contact under the choices that matter for it, which are named. (CRA-10)
double PlanarSearch::least_power(int i, double n, double t, std::vector<char>& named) const {
  const double bound = problem_.bound, slip = problem_.least_slip;
  const auto uses = [&](int variable) {
    if (clauses_.value(variable) <= 0) return false;
    named[static_cast<std::size_t>(variable)] = 1;
    return true;
  };
  double power = n > 0 || (n < 0 && uses(i)) ? -n : n * bound;
  if (t > 0) power += t * (uses(against(joint_of(i))) ? slip : -bound);
  if (t < 0) power += t * (uses(along(joint_of(i))) ? -slip : bound);
  return power;
}

double PlanarSearch::imbalance(std::span<const double> g) const {
  std::vector<double> column(3 * static_cast<std::size_t>(problem_.bodies), 0.0);
  for (int i = 0; i < contacts_; ++i) {
    const PlanarContact& c = problem_.contacts[static_cast<std::size_t>(i)];
    double force[2];
    for (int k = 0; k < 2; ++k)
      force[k] = g[2 * static_cast<std::size_t>(i)] * c.normal[k] + g[2 * static_cast<std::size_t>(i) + 1] * c.tangent[k];
    add_wrench(c, force, 0, 1, column);
  }
  double sum = 0;
  for (const double v : column) sum += std::abs(v);
  return sum;
}

bool PlanarSearch::write_motion_lemma(RefutationStep& lemma) const {
  lemma = {RefutationStep::Kind::motion, {}, {motion_.ray().begin(), motion_.ray().end()}};
  double largest = 0, power = 0;
  for (const double g : lemma.ray) largest = std::max(largest, std::abs(g));
  for (double& g : lemma.ray)
    if (std::abs(g) <= settings_.ray_dust * largest) g = 0;
  std::vector<char> named(bounds_.size(), 0);
  for (int i = 0; i < contacts_; ++i)
    power += least_power(i, lemma.ray[2 * static_cast<std::size_t>(i)], lemma.ray[2 * static_cast<std::size_t>(i) + 1], named);
  for (int v = 0; v < static_cast<int>(named.size()); ++v)
    if (named[static_cast<std::size_t>(v)]) lemma.literals.push_back(-(v + 1));
  return power > 0 && settings_.lemma_share * power >= settings_.judge.least_factor * problem_.bound * imbalance(lemma.ray);
}

PlanarSearch::Answer PlanarSearch::ask_forces(RefutationStep& lemma) {
  for (const bool again : {false, true}) {
    if (again) forces_.rebuild();
    const SolveStatus status = forces_.check();
    if (status == SolveStatus::solved) return Answer::fits;
    if (status == SolveStatus::primal_infeasible && write_force_lemma(lemma)) return Answer::excluded;
  }
  return Answer::failed;
}

PlanarSearch::Answer PlanarSearch::ask_motion(RefutationStep& lemma) {
  for (const bool again : {false, true}) {
    if (again) motion_.rebuild();
    const SolveStatus status = motion_.check();
    if (status == SolveStatus::solved) return Answer::fits;
    if (status == SolveStatus::primal_infeasible && write_motion_lemma(lemma)) return Answer::excluded;
  }
  return Answer::failed;
}

/// An open choice that the forces make use of and the motion does not follow: the one met in most conflicts. -1: the two fit.
int PlanarSearch::next_choice() const {
  int best = -1;
  const auto offer = [&](int variable) {
    if (best < 0 || clauses_.activity(variable) > clauses_.activity(best)) best = variable;
  };
  const int row = 3 * problem_.bodies;
  for (int i = 0; i < contacts_; ++i) {
    const double dust = settings_.force_dust, n = forces_.value(2 * i), t = forces_.value(2 * i + 1);
    const double sunk = motion_.value(row + 2 * i), slip = motion_.value(row + 2 * i + 1);
    if (n > dust && clauses_.value(i) == 0 && sunk != -1) offer(i);
    const int j = joint_of(i);
    if (t > dust && clauses_.value(along(j)) == 0 && !(slip <= -problem_.least_slip)) offer(along(j));
    if (t < -dust && clauses_.value(against(j)) == 0 && !(slip >= problem_.least_slip)) offer(against(j));
  }
  return best;
}

bool PlanarSearch::learn(std::size_t conflict, PlanarOutcome& outcome) {
  const bool more = clauses_.resolve(conflict);
  outcome.steps.push_back({RefutationStep::Kind::learned, {clauses_.learned().begin(), clauses_.learned().end()}, {}});
  return more;
}

void PlanarSearch::write_pair(PlanarOutcome& outcome) {
  for (int i = 0; i < 2 * contacts_; ++i) outcome.forces.push_back(forces_.value(i));
  for (int i = 0; i < contacts_; ++i) {
    double& n = outcome.forces[2 * static_cast<std::size_t>(i)];
    double& t = outcome.forces[2 * static_cast<std::size_t>(i) + 1];
    if (n <= settings_.force_dust) n = t = 0;
    if (std::abs(t) <= settings_.force_dust) t = 0;
  }
  for (int i = 0; i < 3 * problem_.bodies; ++i) outcome.displacements.push_back(motion_.value(i));
}

bool PlanarSearch::stop(PlanarOutcome& outcome, SolveStatus status, std::string reason) const {
  outcome.status = status;
  outcome.reason = std::move(reason);
  return false;
}

/// One lemma, one learned clause or one decision. False where the search has ended.
bool PlanarSearch::step(const Deadline& deadline, PlanarOutcome& outcome) {
  if (deadline.passed()) return stop(outcome, SolveStatus::time_limit, "the time limit came before the search was complete");
  if (outcome.lemmas >= settings_.conflict_limit) return stop(outcome, SolveStatus::iteration_limit, "the search was cut short");
  const std::size_t conflict = clauses_.propagate();
  if (conflict != ClauseSearch::none)
    return learn(conflict, outcome) || stop(outcome, SolveStatus::primal_infeasible, "every choice is excluded");
  take_over_choices();
  RefutationStep lemma;
  Answer answer = ask_motion(lemma);
  if (answer == Answer::fits) answer = ask_forces(lemma);
  if (answer == Answer::failed) return stop(outcome, SolveStatus::numerical_failure, "rounding kept a linear program from an answer");
  if (answer == Answer::excluded) {
    ++outcome.lemmas;
    const std::size_t clause = clauses_.add(lemma.literals);
    outcome.steps.push_back(std::move(lemma));
    return learn(clause, outcome) || stop(outcome, SolveStatus::primal_infeasible, "every choice is excluded");
  }
  const int choice = next_choice();
  if (choice < 0) {
    write_pair(outcome);
    return stop(outcome, SolveStatus::solved, "forces and a motion that go together");
  }
  ++outcome.decisions;
  clauses_.decide(choice + 1);
  return true;
}

PlanarOutcome PlanarSearch::run(const Deadline& deadline) {
  PlanarOutcome outcome;
  while (step(deadline, outcome)) {
  }
  outcome.pivots = forces_.pivots() + motion_.pivots();
  return outcome;
}

}  // namespace

PlanarOutcome search_plane(const certify::PlanarProblem& problem, const PlanarSearchSettings& settings, const Deadline& deadline) {
  return PlanarSearch(problem, settings).run(deadline);
}

}  // namespace trilith::statics
