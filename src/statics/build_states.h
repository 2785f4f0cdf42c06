#pragma once
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "model/assembly.h"
#include "statics/block_set.h"
#include "statics/check.h"

namespace trilith::statics {

/// A state of the building: the free blocks in place, and those of them that a prop holds. A prop holds its block in every way, like a
/// support. The supports of the assembly are always there.
struct BuildState {
  BlockSet placed, held;
};

/// A proved fall that other states share: every state falls in which all of `moving` is placed, none of it is held and none of `resisting`
/// is placed. (ORD-2)
struct Cut {
  BlockSet moving, resisting;
};

/// Some blocks of an assembly as an assembly of their own.
struct PartAssembly {
  model::Assembly assembly;
  std::vector<std::uint32_t> blocks, interfaces;  ///< where they come from
};

/// Does a state of the building stand? Every answer rests on a proof of `check`. A state is taken apart where supports and props divide it;
/// parts are remembered, and every fall becomes a cut that answers for other states. (ORD-1, ORD-2)
class BuildStates {
 public:
  static constexpr std::uint32_t no_cut = 0xffffffffU;

  struct Answer {
    Verdict verdict = Verdict::undecided;  ///< stands only where every part is proved to stand; falls where one is proved to fall
    std::uint32_t cut = no_cut;            ///< falls: index into cuts()
  };

  /// The assembly must outlive this. `settings` are those of every check; their deadline ends all.
  BuildStates(const model::Assembly& assembly, const CheckSettings& settings);

  Answer ask(const BuildState& state);

  /// A state in which the supports and all of `placed` are, held blocks as supports, with its origin in the assembly.
  PartAssembly make_state(const BuildState& state) const;
  const model::Assembly& assembly() const { return assembly_; }
  const std::vector<Cut>& cuts() const { return cuts_; }
  const BlockSet& free_blocks() const { return free_; }
  /// Blocks that share an interface with `block`, doubtful ones included; ascending.
  const std::vector<std::uint32_t>& neighbours(std::uint32_t block) const { return neighbours_[block]; }
  /// `blocks` apart where no interface joins them; each piece, in the order of its first block.
  std::vector<BlockSet> pieces_of(const BlockSet& blocks) const;
  bool out_of_time() const { return settings_.deadline.passed(); }
  const CheckSettings& settings() const { return settings_; }
  int checks() const { return checks_; }

 private:
  /// Blocks that move together, and the placed blocks that hold them.
  using Part = std::pair<BlockSet, BlockSet>;

  std::uint32_t find_cut(const BuildState& state) const;
  std::vector<Part> parts_of(const BuildState& state) const;
  BlockSet touching(const BlockSet& blocks) const;
  Answer check_part(const Part& part);
  std::uint32_t learn(const Part& part, const PartAssembly& made, const CheckResult& result);
  std::uint32_t add_cut(const Part& part, const PartAssembly& made, const CheckResult& result);
  BlockSet resisting(const Part& part, const PartAssembly& made, const CheckResult& result) const;
  PartAssembly make_part(const Part& part, const BlockSet& also) const;
  CheckResult run(const PartAssembly& part);

  const model::Assembly& assembly_;
  CheckSettings settings_;
  BlockSet free_;
  std::vector<std::vector<std::uint32_t>> neighbours_, faces_;  // per block: blocks and interfaces that touch it
  std::vector<Cut> cuts_;
  std::vector<std::vector<std::uint32_t>> cuts_of_;  // cuts by the first block that they move
  std::map<Part, Answer> known_;
  std::vector<std::vector<Vec3d>> forces_;  // last proved force state, by interface of the assembly
  int checks_ = 0;
};

}  // namespace trilith::statics
