#pragma once
#include <span>
#include <vector>

#include "multibody/tree_view.h"
#include "spatial/inertia.h"

namespace trilith::multibody {

/// A frame fixed to a link (or to the world: link -1, X_LB = X_WB).
struct BodyFrame {
  std::int32_t link = -1;
  Posed X_LB = identity_pose<double>();
};

/// What `make_tree` needs of a link. SI units.
struct LinkInput {
  std::int32_t parent = -1;  ///< an earlier link, or -1
  LinkKind kind = LinkKind::hinge;
  Posed X_PJ = identity_pose<double>();  ///< joint frame in the parent link's frame; its z axis is the axis of a hinge or slide
  double reference = 0;                  ///< rad or m; hinge and slide only
  Inertiad inertia{};                    ///< in the link's frame; mass 0 for a link that only carries the next joint
  double armature = 0;                   ///< added to the diagonal of the mass matrix for each degree of freedom, kg m^2 or kg
};

/// Links depth first (a link's parent is the link before it or one of that link's ancestors, or the world), and named frames on them.
struct TreeInput {
  std::vector<LinkInput> links;
  std::vector<BodyFrame> bodies;
};

/// Links joined by joint primitives, as the algorithms of this module need them. Immutable; share it between threads.
///
/// A free body is a `translation` link without mass followed by a `ball` link: qpos (position, quaternion w first), qvel (velocity of
/// the frame's origin in world axes, angular velocity in the body's axes). Degrees of freedom come in the order of links.
class Tree {
 public:
  std::int32_t links() const noexcept { return static_cast<std::int32_t>(link_.size()); }
  std::int32_t dofs() const noexcept { return static_cast<std::int32_t>(dof_link_.size()); }
  std::int32_t coordinates() const noexcept { return coordinates_; }
  std::int32_t trees() const noexcept { return trees_; }
  std::int32_t bodies() const noexcept { return static_cast<std::int32_t>(body_.size()); }
  /// Entries of a lower triangle that holds row by row each degree of freedom and its ancestors: the pattern of the mass matrix.
  std::int64_t entries() const noexcept { return static_cast<std::int64_t>(column_.size()); }

  const LinkIndex& link(std::int32_t i) const noexcept { return link_[static_cast<std::size_t>(i)]; }
  const BodyFrame& body(std::int32_t b) const noexcept { return body_[static_cast<std::size_t>(b)]; }
  std::int32_t dof_link(std::int32_t k) const noexcept { return dof_link_[static_cast<std::size_t>(k)]; }
  /// The degree of freedom above `k` on the way to the world; -1 where there is none.
  std::int32_t dof_parent(std::int32_t k) const noexcept;
  /// Place of the first entry of row `k` in arrays of `entries()` numbers.
  std::int64_t row_start(std::int32_t k) const noexcept { return row_[static_cast<std::size_t>(k)]; }
  /// Columns of row `k`: its ancestors ascending, then k.
  std::span<const std::int32_t> row(std::int32_t k) const noexcept;
  /// The degrees of freedom that move `link`, ascending; none for the world (-1).
  std::span<const std::int32_t> dofs_of(std::int32_t link) const noexcept;
  double total_mass() const noexcept { return total_mass_; }  ///< kg, of all links

  /// For the kernels: valid as long as the tree.
  template <class S>
  TreeView<S> view() const noexcept;

 private:
  friend Tree make_tree(const TreeInput& input);
  std::vector<LinkIndex> link_;
  std::vector<BodyFrame> body_;
  std::vector<std::int32_t> dof_link_, column_;
  std::vector<std::int64_t> row_;
  std::int32_t coordinates_ = 0, trees_ = 0, chain_ = 0;
  double total_mass_ = 0;
  template <class S>
  struct Numbers {
    std::vector<LinkConstants<S>> link;
    std::vector<BodyPoint<S>> body;
    std::vector<S> armature;
  };
  template <class S>
  void fill(const TreeInput& input, Numbers<S>& numbers) const;
  Numbers<double> wide_;
  Numbers<float> narrow_;
};

/// Fails a check where parents are not depth first or a mass is negative.
Tree make_tree(const TreeInput& input);

/// The link that moves freely: adds a translation and a ball link at `X_PJ` to `input` and returns the ball's index.
std::int32_t add_free_link(TreeInput& input, const Inertiad& inertia, double armature = 0);

}  // namespace trilith::multibody
