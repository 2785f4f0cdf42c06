#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "trilith/result.h"

namespace trilith::model {

/// Errors and warnings of one setup, in the order in which they were found. At most `max_errors` errors are kept.
class Findings {
 public:
  void refuse(std::string what, std::string where) {
    if (errors_.size() < max_errors) errors_.push_back({std::move(what), std::move(where)});
  }
  void warn(std::string what, std::string where) { warnings_.push_back({std::move(what), std::move(where)}); }
  bool ok() const { return errors_.empty(); }
  std::vector<Error>& errors() { return errors_; }
  std::vector<Warning>& warnings() { return warnings_; }

 private:
  std::vector<Error> errors_;
  std::vector<Warning> warnings_;
};

/// Alterations of one kind: the first few one by one, the rest counted in one line.
class Tally {
 public:
  Tally(Findings& findings, std::size_t most, std::string rest) : Tally(findings.warnings(), most, std::move(rest)) {}
  Tally(std::vector<Warning>& warnings, std::size_t most, std::string rest) : warnings_(warnings), most_(most), rest_(std::move(rest)) {}

  void add(std::string what, std::string where) {
    if (++count_ <= most_) return warnings_.push_back({std::move(what), std::move(where)});
    if (count_ == most_ + 1) beyond_ = std::move(where);
  }
  /// Writes "12 more <rest>" where some were only counted; at the place of the first of them where none is given.
  void finish(const std::string& where) {
    if (count_ > most_) warnings_.push_back({std::to_string(count_ - most_) + " more " + rest_, where});
  }
  void finish() { finish(beyond_); }

 private:
  std::vector<Warning>& warnings_;
  std::size_t most_, count_ = 0;
  std::string rest_, beyond_;
};

}  // namespace trilith::model
