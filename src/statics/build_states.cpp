// States of a building and what one fall says about others. Equations: (ORD-1) (ORD-2)
#include "statics/build_states.h"

#include <algorithm>
#include <numeric>

#include "linalg/fixed.h"
#include "statics/proof_view.h"

namespace trilith::statics {
namespace {

void sort_unique(std::vector<std::uint32_t>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

/// Blocks that a proved collapse moves: those of its pieces, or what nothing joins to a support.
BlockSet moving_blocks(const model::Assembly& whole, const PartAssembly& made, const CheckResult& result) {
  BlockSet moving(whole.blocks.size());
  for (const auto& group : result.unsupported)
    for (const std::uint32_t i : group) moving.add(made.blocks[i]);
  if (!moving.empty()) return moving;
  for (const MovingGroup& group : result.collapse.groups)
    for (const std::uint32_t i : group.blocks) moving.add(made.blocks[i]);
  return moving;
}

}  // namespace

BuildStates::BuildStates(const model::Assembly& assembly, const CheckSettings& settings)
    : assembly_(assembly),
      settings_(settings),
      free_(assembly.blocks.size()),
      neighbours_(assembly.blocks.size()),
      faces_(assembly.blocks.size()),
      cuts_of_(assembly.blocks.size()),
      forces_(assembly.interfaces.size()) {
  for (std::uint32_t i = 0; i < assembly.blocks.size(); ++i)
    if (!assembly.blocks[i].fixed) free_.add(i);
  for (std::uint32_t i = 0; i < assembly.interfaces.size(); ++i)
    for (const std::uint32_t block : {assembly.interfaces[i].a, assembly.interfaces[i].b}) faces_[block].push_back(i);
  for (const auto* list : {&assembly.interfaces, &assembly.doubtful})
    for (const model::Interface& face : *list) {
      neighbours_[face.a].push_back(face.b);
      neighbours_[face.b].push_back(face.a);
    }
  for (auto& list : neighbours_) sort_unique(list);
}

/// Free blocks that touch `blocks`.
BlockSet BuildStates::touching(const BlockSet& blocks) const {
  BlockSet around(assembly_.blocks.size());
  for (const std::uint32_t i : blocks.list())
    for (const std::uint32_t other : neighbours_[i]) around.add(other);
  around.keep(free_);
  around.remove(blocks);
  return around;
}

std::vector<BlockSet> BuildStates::pieces_of(const BlockSet& blocks) const {
  std::vector<BlockSet> pieces;
  BlockSet left = blocks;
  for (const std::uint32_t start : blocks.list()) {
    if (!left.has(start)) continue;
    BlockSet& piece = pieces.emplace_back(assembly_.blocks.size());
    std::vector<std::uint32_t> stack{start};
    left.remove(start);
    while (!stack.empty()) {
      const std::uint32_t block = stack.back();
      stack.pop_back();
      piece.add(block);
      for (const std::uint32_t other : neighbours_[block]) {
        if (!left.has(other)) continue;
        left.remove(other);
        stack.push_back(other);
      }
    }
  }
  return pieces;
}

// (ORD-1): no force passes through what is held
std::vector<BuildStates::Part> BuildStates::parts_of(const BuildState& state) const {
  BlockSet loose = state.placed;
  loose.remove(state.held);
  std::vector<Part> parts;
  for (BlockSet& piece : pieces_of(loose)) {
    BlockSet holding = touching(piece);
    holding.keep(state.held);
    holding.keep(state.placed);
    parts.emplace_back(std::move(piece), std::move(holding));
  }
  return parts;
}

std::uint32_t BuildStates::find_cut(const BuildState& state) const {
  for (const std::uint32_t block : state.placed.list())
    for (const std::uint32_t k : cuts_of_[block]) {
      const Cut& cut = cuts_[k];
      if (cut.moving.lies_in(state.placed) && !cut.moving.meets(state.held) && !cut.resisting.meets(state.placed)) return k;
    }
  return no_cut;
}

BuildStates::Answer BuildStates::ask(const BuildState& state) {
  if (const std::uint32_t cut = find_cut(state); cut != no_cut) return {Verdict::falls, cut};
  Answer worst{Verdict::stands, no_cut};
  for (const Part& part : parts_of(state)) {
    const auto at = known_.find(part);
    const Answer answer = at != known_.end() ? at->second : check_part(part);
    if (answer.verdict == Verdict::falls) return answer;
    if (answer.verdict != Verdict::stands) worst = answer;
  }
  return worst;
}

/// The blocks of `part` free, what holds them, the supports that they touch and the blocks of `also` as supports, and the interfaces at the
/// free ones.
PartAssembly BuildStates::make_part(const Part& part, const BlockSet& also) const {
  PartAssembly made;
  made.blocks = also.list();
  made.assembly.source = assembly_.source;
  made.assembly.gravity = assembly_.gravity;
  const auto& [moving, holding] = part;
  const auto inside = [&](std::uint32_t i) { return assembly_.blocks[i].fixed || moving.has(i) || holding.has(i); };
  for (const std::uint32_t i : moving.list()) {
    made.blocks.push_back(i);
    for (const std::uint32_t other : neighbours_[i])
      if (inside(other)) made.blocks.push_back(other);
    for (const std::uint32_t face : faces_[i])
      if (inside(assembly_.interfaces[face].a) && inside(assembly_.interfaces[face].b)) made.interfaces.push_back(face);
  }
  sort_unique(made.blocks);
  sort_unique(made.interfaces);
  const auto place = [&](std::uint32_t i) {
    return static_cast<std::uint32_t>(std::lower_bound(made.blocks.begin(), made.blocks.end(), i) - made.blocks.begin());
  };
  const auto renumbered = [&](model::Interface face) {
    face.a = place(face.a);
    face.b = place(face.b);
    return face;
  };
  for (const std::uint32_t i : made.blocks) {
    made.assembly.blocks.push_back(assembly_.blocks[i]);
    made.assembly.blocks.back().fixed = !moving.has(i);
  }
  for (const std::uint32_t i : made.interfaces) made.assembly.interfaces.push_back(renumbered(assembly_.interfaces[i]));
  for (model::Load load : assembly_.loads) {
    if (!moving.has(load.block)) continue;
    load.block = place(load.block);
    made.assembly.loads.push_back(load);
  }
  for (const model::Interface& face : assembly_.doubtful)
    if (inside(face.a) && inside(face.b) && (moving.has(face.a) || moving.has(face.b))) made.assembly.doubtful.push_back(renumbered(face));
  made.assembly.doubtful_pairs = static_cast<int>(made.assembly.doubtful.size());
  return made;
}

PartAssembly BuildStates::make_state(const BuildState& state) const {
  BlockSet loose = state.placed;
  loose.remove(state.held);
  BlockSet still = state.held;
  still.keep(state.placed);
  BlockSet also = still;
  for (std::uint32_t i = 0; i < assembly_.blocks.size(); ++i)
    if (assembly_.blocks[i].fixed) also.add(i);
  PartAssembly made = make_part({loose, still}, also);
  made.assembly.friction = assembly_.friction;
  made.assembly.density = assembly_.density;
  made.assembly.unit = assembly_.unit;
  made.assembly.interfaces_given = assembly_.interfaces_given;
  return made;
}

/// One check, from the last proved forces on; new ones take their place.
CheckResult BuildStates::run(const PartAssembly& part) {
  ++checks_;
  CheckSettings settings = settings_;
  for (std::size_t i = 0; i < part.interfaces.size(); ++i) {
    const auto& last = forces_[part.interfaces[i]];
    if (last.empty()) settings.start.resize(settings.start.size() + part.assembly.interfaces[i].polygon.size());
    settings.start.insert(settings.start.end(), last.begin(), last.end());
  }
  CheckResult result = check(part.assembly, settings);
  for (std::size_t i = 0; i < result.forces.size(); ++i) forces_[part.interfaces[i]] = result.forces[i];
  return result;
}

BuildStates::Answer BuildStates::check_part(const Part& part) {
  const PartAssembly made = make_part(part, BlockSet(assembly_.blocks.size()));
  const CheckResult result = run(made);
  Answer answer{result.verdict, no_cut};
  if (result.verdict == Verdict::falls) answer.cut = learn(part, made, result);
  if (!out_of_time() || result.verdict == Verdict::stands || result.verdict == Verdict::falls) known_.emplace(part, answer);
  return answer;
}

/// The smallest piece that falls by itself while all else stands firm makes the best cut; the fall that was proved makes one in any case.
std::uint32_t BuildStates::learn(const Part& part, const PartAssembly& made, const CheckResult& result) {
  BlockSet moving = moving_blocks(assembly_, made, result);
  moving.keep(part.first);
  std::uint32_t first = no_cut;
  if (!moving.empty() && !(moving == part.first)) {
    for (const BlockSet& piece : pieces_of(moving)) {
      Part alone{piece, touching(piece)};
      BlockSet around = part.first;
      around.add(part.second);
      alone.second.keep(around);
      const Answer answer = known_.contains(alone) ? known_.at(alone) : check_part(alone);
      if (answer.verdict == Verdict::falls && first == no_cut) first = answer.cut;
    }
  }
  return first != no_cut ? first : add_cut(part, made, result);
}

// (ORD-2)
std::uint32_t BuildStates::add_cut(const Part& part, const PartAssembly& made, const CheckResult& result) {
  cuts_.push_back({part.first, resisting(part, made, result)});
  const auto index = static_cast<std::uint32_t>(cuts_.size() - 1);
  cuts_of_[part.first.list().front()].push_back(index);
  return index;
}

/// Blocks outside of a falling part that would get into its way: all that touch it, but for those from which the motion opens as the judge
/// himself confirms.
BlockSet BuildStates::resisting(const Part& part, const PartAssembly& made, const CheckResult& result) const {
  BlockSet outside = touching(part.first);
  outside.remove(part.second);
  std::vector<certify::Velocity> velocity(assembly_.blocks.size());
  for (std::size_t i = 0; i < made.blocks.size(); ++i) velocity[made.blocks[i]] = result.velocities[i];
  const auto motion_at = [&](std::uint32_t i, const Vec3d& p) {
    return velocity[i].linear + cross(velocity[i].angular, p - assembly_.blocks[i].com);
  };
  BlockSet in_the_way(assembly_.blocks.size());
  for (const model::Interface& face : assembly_.doubtful)
    for (const std::uint32_t block : {face.a, face.b})
      if (outside.has(block)) in_the_way.add(block);
  for (const std::uint32_t block : outside.list())
    for (const std::uint32_t index : faces_[block]) {
      const model::Interface& face = assembly_.interfaces[index];
      if (!part.first.has(face.a) && !part.first.has(face.b)) continue;
      for (const Vec3d& p : face.polygon) {
        const Vec3d u = motion_at(face.b, p) - motion_at(face.a, p);
        const double opening = dot(u, face.normal);
        if (!(opening >= face.mu * norm(u - opening * face.normal))) in_the_way.add(block);
      }
    }
  BlockSet clear = outside;
  clear.remove(in_the_way);
  if (clear.empty()) return outside;
  Part enlarged{part.first, part.second};
  enlarged.second.add(clear);
  const PartAssembly all = make_part(enlarged, BlockSet(assembly_.blocks.size()));
  std::vector<certify::Velocity> moved;
  for (const std::uint32_t i : all.blocks) moved.push_back(velocity[i]);
  const ProofView view(all.assembly);
  return certify::verify_collapse(view.problem(), moved, settings_.verify).accepted ? in_the_way : outside;
}

}  // namespace trilith::statics
