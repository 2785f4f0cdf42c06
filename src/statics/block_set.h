#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace trilith::statics {

/// A set of blocks of one assembly, by index. All sets that meet in one operation are made for the same number of blocks.
class BlockSet {
 public:
  BlockSet() = default;
  explicit BlockSet(std::size_t blocks) : words_((blocks + 63) / 64, 0) {}

  bool has(std::uint32_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  void add(std::uint32_t i) { words_[i / 64] |= std::uint64_t(1) << (i % 64); }
  void remove(std::uint32_t i) { words_[i / 64] &= ~(std::uint64_t(1) << (i % 64)); }
  void add(const BlockSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
  }
  void remove(const BlockSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= ~other.words_[w];
  }
  void keep(const BlockSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= other.words_[w];
  }

  bool empty() const {
    for (const std::uint64_t word : words_)
      if (word != 0) return false;
    return true;
  }
  std::size_t count() const {
    std::size_t sum = 0;
    for (const std::uint64_t word : words_) sum += static_cast<std::size_t>(__builtin_popcountll(word));
    return sum;
  }
  bool meets(const BlockSet& other) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      if ((words_[w] & other.words_[w]) != 0) return true;
    return false;
  }
  bool lies_in(const BlockSet& other) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      if ((words_[w] & ~other.words_[w]) != 0) return false;
    return true;
  }
  /// Members, ascending.
  std::vector<std::uint32_t> list() const {
    std::vector<std::uint32_t> members;
    for (std::uint32_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t rest = words_[w]; rest != 0; rest &= rest - 1)
        members.push_back(64 * w + static_cast<std::uint32_t>(__builtin_ctzll(rest)));
    return members;
  }

  bool operator==(const BlockSet&) const = default;
  /// Of no order that means anything; the same in every run.
  bool operator<(const BlockSet& other) const { return words_ < other.words_; }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace trilith::statics
