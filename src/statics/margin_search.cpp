// Limits of a parameter of the whole assembly, by verdicts that are proved on both sides. Equations: (LIM-6)
#include <algorithm>
#include <functional>

#include "base/math.h"
#include "base/text.h"
#include "linalg/fixed.h"
#include "statics/changed_assembly.h"
#include "statics/judge.h"
#include "statics/margin.h"

namespace trilith::statics {
namespace {

using Change = std::function<void(double, model::Assembly&)>;

/// Asks the interior point and the judge for changed copies of one assembly. The order of elimination is kept, and the last forces that
/// stood are the next start.
class VerdictSearch {
 public:
  VerdictSearch(const model::Assembly& assembly, const MarginSettings& settings, Change change)
      : assembly_(assembly), settings_(settings), change_(std::move(change)) {}

  /// `patient`: where the interior point is at a loss the whole ladder is asked.
  Verdict verdict_at(double value, bool patient) {
    model::Assembly changed = assembly_;
    change_(value, changed);
    const ProofView view(changed);
    const constraints::ContactRows contacts = constraints::make_contact_rows(changed);
    solve::BodyGraphSettings near_limits;
    near_limits.factor.pivot_tolerance = settings_.pivot_tolerance;
    std::optional<solve::BodyGraph> system;
    if (symbolic_)
      system.emplace(contacts.rows, symbolic_, near_limits);
    else
      system.emplace(contacts.rows, near_limits);
    symbolic_ = system->symbolic();
    std::vector<double> force = start_, velocity(6 * contacts.block_of_body.size(), 0.0);
    force.resize(contacts.rows.size(), 0.0);
    solve::InteriorPoint rung(contacts.rows, settings_.point);
    const solve::ForceProblem problem{contacts.rows, contacts.load, contacts.shift, contacts.total, contacts.capacity};
    const SolveStatus status = rung.propose(problem, *system, settings_.deadline, force, velocity).status;
    ++verdicts_;
    if (status == SolveStatus::solved && judge_forces(view.problem(), world_forces(contacts, changed, force), settings_.verify).accepted) {
      start_ = force;
      return Verdict::stands;
    }
    if (status == SolveStatus::primal_infeasible &&
        judge_collapse(view.collapse_problem(), block_velocities(contacts, velocity), settings_.verify).accepted)
      return Verdict::falls;
    return patient ? ask_ladder(changed) : Verdict::undecided;
  }

  int verdicts() const { return verdicts_; }
  bool out_of_time() const { return settings_.deadline.passed(); }

 private:
  Verdict ask_ladder(const model::Assembly& changed) const {
    const Verdict verdict = check(changed, ladder_settings(settings_)).verdict;
    return verdict == Verdict::stands || verdict == Verdict::falls ? verdict : Verdict::undecided;
  }

  const model::Assembly& assembly_;
  const MarginSettings& settings_;
  Change change_;
  std::shared_ptr<const linalg::BlockSymbolic> symbolic_;
  std::vector<double> start_;
  int verdicts_ = 0;
};

/// Halves the bracket of a value that stands and one that falls. Where nothing is proved in the middle, the quarters are asked, and while
/// the bracket is too wide for an answer the whole ladder. `least`: the bracket is measured in this, where both ends are smaller.
void bisect(VerdictSearch& search, const MarginSettings& settings, ParameterLimit& limit, double least = 0) {
  const auto width = [&limit, least] {
    const double scale = std::max({abs(limit.stands), abs(limit.falls), least});
    return scale > 0 ? abs(limit.stands - limit.falls) / scale : 0;
  };
  constexpr struct {
    double share;
    bool patient;
  } trials[] = {{0.5, false}, {0.25, false}, {0.75, false}, {0.5, true}, {0.25, true}, {0.75, true}};
  while (width() > settings.search_width && !search.out_of_time()) {
    bool moved = false;
    for (const auto& trial : trials) {
      if (trial.patient && width() <= settings.search_enough) break;
      // far apart: in the middle of the logarithms
      const bool far = limit.stands > 0 && limit.falls > 0 && width() > 0.75;
      const double middle = far ? sqrt(limit.stands) * sqrt(limit.falls) : limit.stands + trial.share * (limit.falls - limit.stands);
      const Verdict verdict = search.verdict_at(middle, trial.patient);
      moved = verdict == Verdict::stands || verdict == Verdict::falls;
      if (verdict == Verdict::stands) limit.stands = middle;
      if (verdict == Verdict::falls) limit.falls = middle;
      if (moved) break;
    }
    if (!moved) break;
  }
  limit.decided = width() <= settings.search_enough;
  if (!limit.decided)
    limit.reason = search.out_of_time()
                       ? "the time limit came first"
                       : "nothing could be proved between " + format_double(limit.falls) + " and " + format_double(limit.stands);
}

double largest_friction(const model::Assembly& assembly) {
  double mu = 0;
  for (const model::Interface& face : assembly.interfaces) mu = std::max(mu, face.mu);
  return mu;
}

ParameterLimit undecided_at(double value, ParameterLimit limit) {
  limit.reason = "neither that it stands nor that it falls could be proved at " + format_double(value);
  return limit;
}

}  // namespace

CheckSettings ladder_settings(const MarginSettings& settings) {
  CheckSettings ladder;
  ladder.limit_shift = 0;
  ladder.deadline = settings.deadline;
  ladder.verify = settings.verify;
  return ladder;
}

ParameterLimit find_friction_limit(const model::Assembly& assembly, const MarginSettings& settings) {
  const double mu = largest_friction(assembly);
  ParameterLimit limit;
  // frictionless joints have no ratio to keep: then all get the same
  VerdictSearch search(assembly, settings, [mu](double factor, model::Assembly& changed) {
    if (mu > 0) return scale_friction(factor, changed);
    for (model::Interface& face : changed.interfaces) face.mu = factor;
  });
  const double unit = mu > 0 ? mu : 1, most = settings.largest_friction / unit, least = settings.least_friction / unit;
  const double first = std::min(most, 1.0);
  const Verdict here = search.verdict_at(first, true);
  limit.verdicts = search.verdicts();
  if (here == Verdict::undecided) return undecided_at(first, limit);
  limit.stands = limit.falls = first;
  const bool down = here == Verdict::stands;
  const double end = down ? 0 : most;
  const Verdict there = search.verdict_at(end, true);
  if (there == here) {
    limit.decided = true;
    limit.exists = down;
    limit.stands = limit.falls = end;
    limit.verdicts = search.verdicts();
    return limit;
  }
  // doubling steps to the other side
  bool crossed = false;
  for (double step = 2; !crossed; step *= step) {
    const double next = down ? std::max(least, first / step) : std::min(most, first * step);
    const Verdict verdict = search.verdict_at(next, true);
    if (verdict == Verdict::stands) limit.stands = next;
    if (verdict == Verdict::falls) limit.falls = next;
    crossed = verdict != here && verdict != Verdict::undecided;
    if (crossed || (next > least && next < most)) continue;
    if (verdict != Verdict::stands) return undecided_at(next, limit);
    limit.decided = true;  // what it needs lies below what is searched for
    limit.falls = end;
    limit.verdicts = search.verdicts();
    return limit;
  }
  bisect(search, settings, limit);
  limit.verdicts = search.verdicts();
  return limit;
}

/// The factor on `live` that makes it as large as all weight and loads; 1 where there is neither.
double factor_of_weight(const model::Assembly& assembly, std::span<const model::Load> live) {
  double total = 0, size = 0;
  for (const model::Block& block : assembly.blocks) total += block.fixed ? 0 : block.mass * norm(assembly.gravity);
  for (const model::Load& load : assembly.loads) total += norm(load.force);
  for (const model::Load& load : live) size += norm(load.force);
  return total > 0 && size > 0 ? total / size : 1;
}

ParameterLimit find_load_limit(const model::Assembly& assembly, std::span<const model::Load> live, const MarginSettings& settings,
                               double from) {
  ParameterLimit limit;
  const double weight = factor_of_weight(assembly, live);
  VerdictSearch search(assembly, settings, [live](double factor, model::Assembly& changed) { add_loads(live, factor, changed); });
  const Verdict here = search.verdict_at(from, true);
  limit.stands = from;
  limit.verdicts = search.verdicts();
  if (here == Verdict::falls) limit.reason = "it falls where the search would begin, at " + format_double(from);
  if (here == Verdict::undecided) return undecided_at(from, limit);
  if (here != Verdict::stands) return limit;
  Verdict there = here;
  for (double step = weight; there == Verdict::stands && !limit.unbounded; step *= 2) {
    const double next = from + step;
    there = search.verdict_at(next, true);
    if (there == Verdict::undecided) return undecided_at(next, limit);
    (there == Verdict::stands ? limit.stands : limit.falls) = next;
    limit.unbounded = limit.decided = there == Verdict::stands && step >= settings.far * weight;
  }
  if (!limit.unbounded) bisect(search, settings, limit, settings.factor.least_factor * weight);
  limit.verdicts = search.verdicts();
  return limit;
}

ParameterLimit find_erosion_limit(const model::Assembly& assembly, const MarginSettings& settings) {
  ParameterLimit limit;
  VerdictSearch search(assembly, settings, [](double factor, model::Assembly& changed) { scale_joints(factor, changed); });
  const Verdict whole = search.verdict_at(1, true);
  limit.verdicts = search.verdicts();
  if (whole == Verdict::undecided) return undecided_at(1, limit);
  limit.exists = whole == Verdict::stands;
  limit.decided = !limit.exists;
  limit.stands = 1;
  if (!limit.exists) return limit;
  const Verdict points = search.verdict_at(settings.least_erosion, true);
  limit.falls = settings.least_erosion;
  if (points == Verdict::stands) {
    limit.decided = true;
    limit.stands = limit.falls = 0;
  } else if (points == Verdict::falls) {
    bisect(search, settings, limit);
  } else {
    limit = undecided_at(settings.least_erosion, limit);
  }
  limit.verdicts = search.verdicts();
  return limit;
}

ParameterLimit find_tilt_limit(const model::Assembly& assembly, const Vec3d& direction, const MarginSettings& settings) {
  constexpr double right_angle = 0x1.921fb54442d18p+0;
  ParameterLimit limit;
  VerdictSearch search(assembly, settings, [&assembly, &direction](double angle, model::Assembly& changed) {
    const auto turn = trilith::sincos(angle);
    changed.gravity = turn.cos * assembly.gravity + (turn.sin * norm(assembly.gravity)) * direction;
  });
  const Verdict level = search.verdict_at(0, true);
  limit.verdicts = search.verdicts();
  if (level == Verdict::undecided) return undecided_at(0, limit);
  limit.exists = level == Verdict::stands;
  limit.decided = !limit.exists;
  if (!limit.exists) return limit;
  limit.falls = right_angle;
  const Verdict lying = search.verdict_at(right_angle, true);
  if (lying == Verdict::falls) {
    bisect(search, settings, limit);
  } else if (lying == Verdict::stands) {
    limit.decided = true;
    limit.stands = right_angle;
  } else {
    limit = undecided_at(right_angle, limit);
  }
  limit.verdicts = search.verdicts();
  return limit;
}

}  // namespace trilith::statics
