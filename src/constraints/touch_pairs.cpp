// Which shapes may meet, and the parameters of their contacts (SOFT-4, SOFT-13).
#include "constraints/touch_pairs.h"

#include <algorithm>
#include <map>

#include "constraints/soft_law.h"

namespace trilith::constraints {
namespace {

constexpr double least_friction = 1e-5;  // (docs/defaults.md)
constexpr double least_solmix = 1e-15;
constexpr std::size_t most_classes = 64;    // whose pairs are all looked at
constexpr std::size_t shapes_of_class = 8;  // on different bodies, that stand for their class

/// The share of a's law: by solmix, halves where both are zero.
double share_of(const model::Geom& a, const model::Geom& b) noexcept {
  if (a.solmix < least_solmix && b.solmix < least_solmix) return 0.5;
  if (a.solmix < least_solmix) return 0;
  return b.solmix < least_solmix ? 1 : a.solmix / (a.solmix + b.solmix);
}

std::array<double, 5> five(const std::array<double, 3>& friction) noexcept {
  return {friction[0], friction[0], friction[1], friction[2], friction[2]};
}

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

const model::Geom& geom_of(const model::Model& model, std::int32_t i) noexcept { return model.geoms[at(i)]; }
const model::Body& body_of(const model::Model& model, std::int32_t i) noexcept { return model.bodies[at(i)]; }

void override_pair(const model::Model& model, TouchPair& pair) noexcept {
  const model::SimulationOptions& options = model.options;
  if (!options.override_contact) return;
  pair.margin = options.override_margin;
  pair.law = options.override_law;
  pair.friction = options.override_friction;
}

void keep_friction_positive(TouchPair& pair) noexcept {
  for (double& mu : pair.friction) mu = std::max(mu, least_friction);
}

}  // namespace

TouchPair mix_pair(const model::Model& model, std::int32_t a, std::int32_t b) noexcept {
  if (geom_of(model, b).kind < geom_of(model, a).kind) std::swap(a, b);
  const model::Geom &one = geom_of(model, a), &two = geom_of(model, b);
  TouchPair pair;
  pair.a = a;
  pair.b = b;
  pair.margin = one.margin + two.margin;
  pair.gap = one.gap + two.gap;
  if (one.priority != two.priority) {
    const model::Geom& first = one.priority > two.priority ? one : two;
    pair.condim = first.condim;
    pair.friction = five(first.friction);
    pair.law = first.law;
  } else {
    pair.condim = std::max(one.condim, two.condim);
    std::array<double, 3> friction{};
    for (std::size_t i = 0; i < 3; ++i) friction[i] = std::max(one.friction[i], two.friction[i]);
    pair.friction = five(friction);
    pair.law = mix(one.law, two.law, share_of(one, two));
  }
  override_pair(model, pair);
  keep_friction_positive(pair);
  return pair;
}

TouchPair given_pair(const model::Model& model, const model::ContactPair& given) {
  TouchPair pair = mix_pair(model, given.a.index, given.b.index);
  if (given.condim) pair.condim = *given.condim;
  if (given.friction) pair.friction = *given.friction;
  if (given.solref) pair.law.solref = *given.solref;
  if (given.solimp) pair.law.solimp = *given.solimp;
  if (given.friction_solref) pair.friction_solref = *given.friction_solref;
  if (given.margin) pair.margin = *given.margin;
  if (given.gap) pair.gap = *given.gap;
  override_pair(model, pair);
  keep_friction_positive(pair);
  return pair;
}

double reach_of(const model::Model& model, std::int32_t geom) noexcept {
  const model::Geom& g = geom_of(model, geom);
  return g.gap + (model.options.override_contact ? 0.5 * model.options.override_margin : g.margin);
}

TouchFilter::TouchFilter(const model::Model& model, std::span<const char> solid) {
  for (std::size_t g = 0; g < model.geoms.size(); ++g) {
    const model::Geom& geom = model.geoms[g];
    Part part;
    if (solid[g] != 0) part.contype = geom.contype, part.conaffinity = geom.conaffinity;
    part.body = geom.body;
    part.weld = body_of(model, geom.body).weld;
    if (model.options.filter_parent && part.weld != 0) {
      const std::int32_t carrier = body_of(model, body_of(model, part.weld).parent).weld;
      if (carrier != 0) part.carrier = carrier;
    }
    parts_.push_back(part);
  }
  for (const model::ContactExclude& e : model.excludes) excluded_.push_back(std::minmax(e.a.index, e.b.index));
  for (const model::ContactPair& pair : model.pairs) named_.push_back(std::minmax(pair.a.index, pair.b.index));
  std::sort(excluded_.begin(), excluded_.end());
  std::sort(named_.begin(), named_.end());
}

bool TouchFilter::meets_any(std::int32_t geom) const noexcept { return parts_[at(geom)].contype != 0 || parts_[at(geom)].conaffinity != 0; }

bool TouchFilter::meets(std::int32_t a, std::int32_t b) const noexcept {
  const Part &one = parts_[at(a)], &two = parts_[at(b)];
  if ((one.contype & two.conaffinity) == 0 && (two.contype & one.conaffinity) == 0) return false;
  if (one.weld == two.weld || one.carrier == two.weld || two.carrier == one.weld) return false;
  const auto holds = [](const Pairs& pairs, std::int32_t x, std::int32_t y) {
    return !pairs.empty() && std::binary_search(pairs.begin(), pairs.end(), std::pair<std::int32_t, std::int32_t>(std::minmax(x, y)));
  };
  return !holds(excluded_, one.body, two.body) && !holds(named_, a, b);
}

std::vector<std::int32_t> classify_shapes(const model::Model& model) {
  std::map<std::array<double, 17>, std::int32_t> numbers;
  std::vector<std::int32_t> classes;
  for (const model::Geom& g : model.geoms) {
    const std::array<double, 17> key{
        g.law.solref[0],    g.law.solref[1],   g.law.solimp[0],      g.law.solimp[1], g.law.solimp[2], g.law.solimp[3], g.law.solimp[4],
        g.friction[0],      g.friction[1],     g.friction[2],        g.solmix,        g.margin,        g.gap,           double(g.condim),
        double(g.priority), double(g.contype), double(g.conaffinity)};
    classes.push_back(numbers.try_emplace(key, static_cast<std::int32_t>(numbers.size())).first->second);
  }
  return classes;
}

namespace {

using Members = std::vector<std::vector<std::int32_t>>;  // the first shapes of each class, on different bodies

Members first_members(const TouchFilter& filter, std::span<const std::int32_t> classes) {
  Members members;
  for (std::size_t g = 0; g < classes.size(); ++g) {
    members.resize(std::max(members.size(), at(classes[g]) + 1));
    std::vector<std::int32_t>& list = members[at(classes[g])];
    const auto geom = static_cast<std::int32_t>(g);
    const auto same_body = [&](std::int32_t other) { return filter.weld(other) == filter.weld(geom); };
    if (list.size() < shapes_of_class && filter.meets_any(geom) && std::none_of(list.begin(), list.end(), same_body)) list.push_back(geom);
  }
  return members;
}

void add_sample(const model::Model& model, const TouchFilter& filter, const std::vector<std::int32_t>& of_a,
                const std::vector<std::int32_t>& of_b, std::vector<TouchPair>& samples) {
  for (const std::int32_t a : of_a)
    for (const std::int32_t b : of_b)
      if (filter.meets(a, b)) return samples.push_back(mix_pair(model, std::min(a, b), std::max(a, b)));
}

/// Classes with the largest priority, friction and condim and the shortest time constant.
std::array<std::size_t, 4> extreme_classes(const model::Model& model, const Members& members) {
  std::array<std::size_t, 4> extreme{};
  std::array<double, 4> most;
  most.fill(-1e300);
  for (std::size_t c = 0; c < members.size(); ++c) {
    if (members[c].empty()) continue;
    const model::Geom& g = geom_of(model, members[c].front());
    const std::array<double, 4> numbers{double(g.priority), g.friction[0], double(g.condim),
                                        g.law.solref[0] > 0 ? -g.law.solref[0] : -1e299};
    for (std::size_t k = 0; k < 4; ++k)
      if (numbers[k] > most[k]) most[k] = numbers[k], extreme[k] = c;
  }
  return extreme;
}

}  // namespace

std::vector<TouchPair> sample_pairs(const model::Model& model, const TouchFilter& filter, std::span<const std::int32_t> classes) {
  const Members members = first_members(filter, classes);
  std::vector<TouchPair> samples;
  const auto sample = [&](std::size_t c, std::size_t d) { add_sample(model, filter, members[c], members[d], samples); };
  if (members.size() <= most_classes) {
    for (std::size_t c = 0; c < members.size(); ++c)
      for (std::size_t d = c; d < members.size(); ++d) sample(c, d);
    return samples;
  }
  const std::array<std::size_t, 4> extreme = extreme_classes(model, members);
  for (std::size_t c = 0; c < members.size(); ++c) {
    sample(c, c);
    for (std::size_t k = 0; k < extreme.size(); ++k)
      if (std::find(extreme.begin(), extreme.begin() + static_cast<std::ptrdiff_t>(k), extreme[k]) ==
              extreme.begin() + static_cast<std::ptrdiff_t>(k) &&
          extreme[k] != c)
        sample(c, extreme[k]);
  }
  return samples;
}

}  // namespace trilith::constraints
