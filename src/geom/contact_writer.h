#pragma once
#include <span>

#include "base/math.h"
#include "geom/shape.h"
#include "linalg/fixed.h"

namespace trilith::geom {

/// Takes the contacts of one pair in the order in which they are found. Positions come from A's origin in the axes of W.
class ContactWriter {
 public:
  ContactWriter(std::span<ContactPoint> out, const Vec3d& origin, double margin, double slack, bool swapped)
      : out_(out), origin_(origin), margin_(margin), slack_(slack), sign_(swapped ? -1 : 1) {}

  /// No contact lies further than this; rounding cannot bring one across.
  double reach() const { return margin_ + slack_; }
  /// Differences of lengths below this are rounding, m.
  double slack() const { return slack_; }
  /// Keeps the contact if it lies within the margin. A distance within rounding of the margin is the margin: shapes that just touch
  /// have the distance 0 in every frame. (COL-1)
  bool add(const Vec3d& position, const Vec3d& normal, double distance, const Vec3d& tangent = {}) {
    if (!(distance <= reach())) return false;
    if (count_ == static_cast<int>(out_.size())) {
      full_ = true;
      return false;
    }
    const double settled = abs(distance - margin_) <= slack_ ? margin_ : distance;
    out_[static_cast<std::size_t>(count_++)] = {origin_ + position, sign_ * normal, settled, tangent};
    return true;
  }
  /// Takes what another writer for the same pair has made, unless a contact is there already within `near` [m].
  void add_distinct(const ContactPoint& contact, double near) {
    for (int k = 0; k < count_; ++k) {
      const Vec3d d = out_[static_cast<std::size_t>(k)].position - contact.position;
      if (dot(d, d) <= near * near) return;
    }
    full_ = full_ || count_ == static_cast<int>(out_.size());
    if (!full_) out_[static_cast<std::size_t>(count_++)] = contact;
  }
  /// A writer for the same pair into other room.
  ContactWriter beside(std::span<ContactPoint> room) const { return {room, origin_, margin_, slack_, sign_ < 0}; }
  int count() const { return count_; }
  bool full() const { return full_; }

 private:
  std::span<ContactPoint> out_;
  Vec3d origin_;
  double margin_, slack_, sign_;
  int count_ = 0;
  bool full_ = false;
};

}  // namespace trilith::geom
