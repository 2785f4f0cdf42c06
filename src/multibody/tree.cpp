#include "multibody/tree.h"

#include "base/check.h"

namespace trilith::multibody {
namespace {

std::int32_t coordinates_of(LinkKind kind) {
  if (kind == LinkKind::translation) return 3;
  return kind == LinkKind::ball ? 4 : 1;
}
std::int32_t dofs_of_kind(LinkKind kind) { return kind == LinkKind::translation || kind == LinkKind::ball ? 3 : 1; }

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

template <class S>
LinkConstants<S> constants_of(const LinkInput& link) {
  LinkConstants<S> c{};
  for (int i = 0; i < 9; ++i) c.rotation[i] = static_cast<S>(link.X_PJ.R.m[i]);
  const Vec3d& p = link.X_PJ.p;
  c.position[0] = static_cast<S>(p.x), c.position[1] = static_cast<S>(p.y), c.position[2] = static_cast<S>(p.z);
  c.reference = static_cast<S>(link.reference);
  c.mass = static_cast<S>(link.inertia.mass);
  const Vec3d& com = link.inertia.com;
  c.com[0] = static_cast<S>(com.x), c.com[1] = static_cast<S>(com.y), c.com[2] = static_cast<S>(com.z);
  const double* m = link.inertia.about_com.m;
  const double upper[6] = {m[0], m[1], m[2], m[4], m[5], m[8]};
  for (int i = 0; i < 6; ++i) c.inertia[i] = static_cast<S>(upper[i]);
  return c;
}

bool has_inertia(const Inertiad& inertia) {
  bool any = inertia.mass != 0;
  for (const double m : inertia.about_com.m) any = any || m != 0;
  return any;
}

/// Links without children end at the next one; parents end where their last descendant does.
void find_subtrees(std::vector<LinkIndex>& links) {
  for (std::size_t i = links.size(); i-- > 0;) {
    LinkIndex& link = links[i];
    link.end = std::max(link.end, static_cast<std::int32_t>(i) + 1);
    if (link.parent >= 0) links[at(link.parent)].end = std::max(links[at(link.parent)].end, link.end);
  }
}

/// True where `parent` is the link before `i`, one of that link's ancestors, or the world.
bool is_depth_first(const std::vector<LinkIndex>& links, std::int32_t i, std::int32_t parent) {
  if (parent < 0) return parent == -1;
  std::int32_t above = i - 1;
  while (above > parent) above = links[at(above)].parent;
  return above == parent;
}

/// True for one serial chain of hinges with mass: kernels have a short cut for it.
bool is_hinge_chain(const std::vector<LinkIndex>& links) {
  for (std::size_t i = 0; i < links.size(); ++i) {
    const LinkIndex& link = links[i];
    if (link.kind != LinkKind::hinge || link.massive == 0 || link.parent != static_cast<std::int32_t>(i) - 1) return false;
  }
  return true;
}

}  // namespace

std::int32_t Tree::dof_parent(std::int32_t k) const noexcept {
  const std::span<const std::int32_t> columns = row(k);
  return columns.size() < 2 ? -1 : columns[columns.size() - 2];
}

std::span<const std::int32_t> Tree::row(std::int32_t k) const noexcept {
  const std::int64_t begin = row_[at(k)], end = row_[at(k) + 1];
  return {column_.data() + begin, static_cast<std::size_t>(end - begin)};
}

std::span<const std::int32_t> Tree::dofs_of(std::int32_t link) const noexcept {
  if (link < 0) return {};
  const LinkIndex& l = link_[at(link)];
  return row(l.v + l.nv - 1);
}

template <class S>
void Tree::fill(const TreeInput& input, Numbers<S>& numbers) const {
  for (const LinkInput& link : input.links) numbers.link.push_back(constants_of<S>(link));
  for (const BodyFrame& body : input.bodies) {
    const Vec3d& p = body.X_LB.p;
    numbers.body.push_back({body.link, {static_cast<S>(p.x), static_cast<S>(p.y), static_cast<S>(p.z)}});
  }
  for (const std::int32_t link : dof_link_) numbers.armature.push_back(static_cast<S>(input.links[at(link)].armature));
}

template <class S>
TreeView<S> Tree::view() const noexcept {
  const Numbers<S>& numbers = [this]() -> const Numbers<S>& {
    if constexpr (std::is_same_v<S, double>)
      return wide_;
    else
      return narrow_;
  }();
  return {links(),
          dofs(),
          coordinates_,
          trees_,
          bodies(),
          entries(),
          link_.data(),
          numbers.link.data(),
          numbers.body.data(),
          numbers.armature.data(),
          dof_link_.data(),
          row_.data(),
          column_.data(),
          static_cast<S>(total_mass_),
          chain_};
}
template TreeView<double> Tree::view<double>() const noexcept;
template TreeView<float> Tree::view<float>() const noexcept;

Tree make_tree(const TreeInput& input) {
  Tree tree;
  std::int32_t q = 0, v = 0;
  tree.row_.push_back(0);
  for (const LinkInput& given : input.links) {
    const std::int32_t i = tree.links();
    TRI_CHECK(is_depth_first(tree.link_, i, given.parent));
    TRI_CHECK(given.inertia.mass >= 0 && given.armature >= 0);
    const std::int32_t group = given.parent < 0 ? tree.trees_++ : tree.link(given.parent).tree;
    const LinkIndex link{
        given.kind, given.parent, q, v, coordinates_of(given.kind), dofs_of_kind(given.kind), 0, group, has_inertia(given.inertia) ? 1 : 0};
    const std::span<const std::int32_t> above = tree.dofs_of(given.parent);
    std::vector<std::int32_t> columns(above.begin(), above.end());
    for (std::int32_t k = 0; k < link.nv; ++k) {
      columns.push_back(v + k);
      tree.column_.insert(tree.column_.end(), columns.begin(), columns.end());
      tree.row_.push_back(tree.entries());
      tree.dof_link_.push_back(i);
    }
    tree.link_.push_back(link);
    tree.total_mass_ += given.inertia.mass;
    q += link.nq, v += link.nv;
  }
  tree.coordinates_ = q;
  tree.body_ = input.bodies;
  for (const BodyFrame& body : tree.body_) TRI_CHECK(body.link >= -1 && body.link < tree.links());
  find_subtrees(tree.link_);
  if (is_hinge_chain(tree.link_)) tree.chain_ = v;
  tree.fill(input, tree.wide_);
  tree.fill(input, tree.narrow_);
  return tree;
}

std::int32_t add_free_link(TreeInput& input, const Inertiad& inertia, double armature) {
  LinkInput base{.parent = -1, .kind = LinkKind::translation, .armature = armature};
  input.links.push_back(base);
  base.parent = static_cast<std::int32_t>(input.links.size()) - 1;
  base.kind = LinkKind::ball;
  base.inertia = inertia;
  input.links.push_back(base);
  return static_cast<std::int32_t>(input.links.size()) - 1;
}

}  // namespace trilith::multibody
