// The reaction of a support that may move along one direction. Equations: (LIM-8)
#include "statics/settlement.h"

#include <algorithm>
#include <utility>

#include "linalg/direction.h"
#include "linalg/fixed.h"
#include "statics/judge.h"

namespace trilith::statics {
namespace {

/// The support as a free block of the mean weight of the others: what it weighs does not count, and so it is scaled as they are.
model::Assembly with_freed(const model::Assembly& assembly, std::uint32_t support) {
  model::Assembly freed = assembly;
  double mass = 0;
  std::size_t count = 0;
  for (const model::Block& block : assembly.blocks) {
    if (block.fixed) continue;
    mass += block.mass;
    ++count;
  }
  model::Block& block = freed.blocks[support];
  block.fixed = false;
  if (count > 0 && mass > 0 && block.volume > 0) {
    block.mass = mass / static_cast<double>(count);
    block.density = block.mass / block.volume;
  }
  std::erase_if(freed.loads, [support](const model::Load& load) { return load.block == support; });
  return freed;
}

/// A smooth guide along `way`: a fixed body that holds the support from both sides against every motion but that along it.
void add_guide(const Vec3d& way, std::uint32_t support, model::Assembly& freed) {
  const Vec3d start = abs(way.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
  const Vec3d across = unit(start - dot(start, way) * way), third = cross(way, across);
  const model::Block& block = freed.blocks[support];
  const double arm = 0.5 * block.size;
  const Vec3d middle = block.com;
  model::Block guide;
  guide.id = "guide";
  guide.fixed = true;
  guide.com = middle;
  guide.size = block.size;
  guide.mesh = freed.blocks[support].mesh;  // the verifier wants one; what it looks like does not matter
  const auto body = static_cast<std::uint32_t>(freed.blocks.size());
  const auto hold = [&](const Vec3d& normal, std::vector<Vec3d> points) {
    model::Interface face;
    face.a = body;
    face.b = support;
    face.polygon = std::move(points);
    face.normal = normal;
    face.t1 = way;
    face.t2 = cross(normal, way);
    freed.interfaces.push_back(std::move(face));
  };
  for (const double side : {1.0, -1.0}) {
    hold(side * across, {middle + arm * way, middle - arm * way, middle + arm * third});
    hold(side * third, {middle + arm * way, middle - arm * way});
  }
  freed.blocks.push_back(std::move(guide));
}

class SupportRange {
 public:
  SupportRange(const model::Assembly& assembly, std::uint32_t support, const Vec3d& way, const MarginSettings& settings)
      : assembly_(assembly),
        support_(support),
        way_(way),
        settings_(settings),
        freed_(with_freed(assembly, support)),
        guided_(freed_),
        view_(freed_) {
    add_guide(way, support, guided_);
  }

  Settlement run() {
    result_.block = support_;
    result_.direction = way_;
    Margins margins(guided_, settings_);
    whole_ = check(assembly_, ladder_settings(settings_));
    if (!ask(margins) && whole_.verdict == Verdict::falls) {
      result_ = {};
      result_.block = support_;
      result_.direction = way_;
      result_.decided = true;
      result_.stands = false;
    }
    return std::move(result_);
  }

 private:
  /// Both ends; false: something was not proved.
  bool ask(Margins& margins) {
    const bool above = add_end(margins, -1, result_.high, result_.none_above);
    const bool below = above && result_.stands && add_end(margins, 1, result_.low, result_.none_below);
    return result_.decided = above && (below || !result_.stands);
  }

  /// The push that holds the support in the state of the assembly as it is; 0 where none is known.
  double standing_push() const {
    if (whole_.verdict != Verdict::stands) return 0;
    return -(dot(support_reactions(assembly_, whole_)[support_], way_) + freed_.blocks[support_].mass * dot(freed_.gravity, way_));
  }

  /// `sense` 1: a growing push along the way takes the reaction down to its low end; -1: up to the high one.
  bool add_end(Margins& margins, double sense, std::optional<double>& met, std::optional<double>& bound) {
    const model::Load unit_push{support_, sense * way_, freed_.blocks[support_].com, true};
    LimitLoad limit = margins.patient_limit_load({&unit_push, 1}, sense * standing_push());
    if (!limit.decided) {
      result_.reason = limit.reason;
      return false;
    }
    result_.stands = limit.feasible;
    if (!limit.feasible || limit.unbounded) return true;
    const std::optional<double> beyond = clean(sense, limit);
    if (!beyond) {
      result_.reason = "the motion with the support exactly along its way was not proved";
      return false;
    }
    // balance of the support along its way: reaction + own weight + push = 0
    const double own = freed_.blocks[support_].mass * dot(freed_.gravity, way_);
    met = -sense * limit.state - own;
    bound = -sense * *beyond - own;
    if (sense > 0) {
      result_.follows = true;
      result_.collapse = describe_collapse(freed_, limit.velocities);
      result_.velocities = std::move(limit.velocities);
    }
    return true;
  }

  /// Moves the support exactly along its way and proves the motion again, without the guide; the push from which on it holds.
  std::optional<double> clean(double sense, LimitLoad& limit) const {
    std::vector<certify::Velocity>& velocities = limit.velocities;
    velocities.resize(freed_.blocks.size());
    certify::Velocity& own = velocities[support_];
    own = {dot(own.linear, way_) * way_, {0, 0, 0}};
    const double scale = std::max(abs(limit.collapse_at), settings_.factor.least_factor * total_weight());
    for (const double step : {0.0, 0.1, 1.0}) {
      const double at = limit.collapse_at + step * settings_.factor.enough * scale;
      if (accepts(velocities, sense * at)) return at;
    }
    return std::nullopt;
  }

  bool accepts(std::span<const certify::Velocity> velocities, double push) const {
    const auto given = view_.problem().loads;
    std::vector<certify::Load> loads(given.begin(), given.end());
    loads.push_back({support_, push * way_, {}, true});
    certify::StaticProblem problem = view_.collapse_problem();
    problem.loads = loads;
    return judge_collapse(problem, velocities, settings_.verify).accepted;
  }

  double total_weight() const {
    double mass = 0;
    for (const model::Block& block : freed_.blocks) mass += block.fixed ? 0 : block.mass;
    return mass * norm(freed_.gravity);
  }

  const model::Assembly& assembly_;
  std::uint32_t support_;
  Vec3d way_;
  const MarginSettings& settings_;
  model::Assembly freed_, guided_;
  ProofView view_;
  CheckResult whole_;  // of the assembly as it is, by the whole ladder
  Settlement result_;
};

}  // namespace

Settlement find_settlement(const model::Assembly& assembly, std::uint32_t block, const Vec3d& direction, const MarginSettings& settings) {
  return SupportRange(assembly, block, unit(moderate(direction)), settings).run();
}

}  // namespace trilith::statics
