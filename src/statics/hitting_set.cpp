#include "statics/hitting_set.h"

#include <algorithm>

namespace trilith::statics {
namespace {

class Deepening {
 public:
  Deepening(const std::vector<BlockSet>& sets, std::size_t blocks, int most_branches)
      : sets_(sets), chosen_(blocks), left_(most_branches) {}

  /// True: a set of at most `size` was found. Not meaningful once out of branches.
  bool search(std::size_t size) {
    if (--left_ < 0) return false;
    const BlockSet* open = nullptr;
    std::size_t least = 0;
    BlockSet apart = chosen_;
    std::size_t needed = 0;  // sets that are not met and share no block: each needs one of its own
    for (const BlockSet& set : sets_) {
      if (set.meets(chosen_)) continue;
      const std::size_t count = set.count();
      if (open == nullptr || count < least) {
        open = &set;
        least = count;
      }
      if (set.meets(apart)) continue;
      apart.add(set);
      ++needed;
    }
    if (open == nullptr) return true;
    if (needed > size) return false;
    for (const std::uint32_t block : open->list()) {
      chosen_.add(block);
      if (search(size - 1)) return true;
      chosen_.remove(block);
      if (left_ < 0) return false;
    }
    return false;
  }

  bool out_of_branches() const { return left_ < 0; }
  const BlockSet& chosen() const { return chosen_; }

 private:
  const std::vector<BlockSet>& sets_;
  BlockSet chosen_;
  int left_;
};

/// Takes the block that meets most of the sets that are left, again and again.
BlockSet choose_greedily(const std::vector<BlockSet>& sets, std::size_t blocks) {
  BlockSet chosen(blocks);
  for (;;) {
    std::vector<int> meets(blocks, 0);
    for (const BlockSet& set : sets)
      if (!set.meets(chosen))
        for (const std::uint32_t block : set.list()) ++meets[block];
    const auto best = std::max_element(meets.begin(), meets.end());
    if (best == meets.end() || *best == 0) return chosen;
    chosen.add(static_cast<std::uint32_t>(best - meets.begin()));
  }
}

}  // namespace

HittingSet find_hitting_set(const std::vector<BlockSet>& sets, std::size_t blocks, int most_branches) {
  const BlockSet greedy = choose_greedily(sets, blocks);
  for (std::size_t size = 0; size <= greedy.count(); ++size) {
    Deepening deepening(sets, blocks, most_branches);
    if (deepening.search(size)) return {deepening.chosen(), true};
    if (deepening.out_of_branches()) break;
  }
  return {greedy, false};
}

}  // namespace trilith::statics
