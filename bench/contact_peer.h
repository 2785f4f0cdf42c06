#pragma once
#include <memory>

#include "contact_cases.h"

namespace trilith::bench {

/// Debian's MuJoCo (2.2.2) on one model with the model's own options. Where it is absent `ok()` is false.
class ContactPeer {
 public:
  /// `path` of the MJCF file; `boxes` sizes its room for contacts where the file leaves it to a guess.
  ContactPeer(const std::string& path, int boxes);
  ~ContactPeer();
  ContactPeer(const ContactPeer&) = delete;
  ContactPeer& operator=(const ContactPeer&) = delete;

  bool ok() const { return data_ != nullptr; }
  /// The start of a case: settled from the keyframe or the pose of the file.
  ContactStart settle(const ContactCase& c);
  /// Runs the steps of a case from its start; false where MuJoCo gave a warning. `counts` and `times` (by its own timers) may be null.
  bool run(const ContactCase& c, const ContactStart& start, ContactCounts* counts, ContactTimes* times);

 private:
  bool warned() const;

  void* model_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace trilith::bench
