#include "multibody/linearise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/isa.h"
#include "multibody/dynamics.h"
#include "multibody/kinematics.h"
#include "multibody/mass_matrix.h"
#include "multibody/tree_kernel.h"
#include "random_tree.h"
#include "support/allocation.h"

namespace trilith::multibody {
namespace {

constexpr Vec3d gravity{0.3, -0.2, -9.81};

/// Everything this module computes for the states of a group, by name of nothing: one vector after the other.
template <class S>
struct States {
  std::vector<S> q, v, tau, a, applied;
};

template <class S>
std::vector<S> narrow(const std::vector<double>& x) {
  return {x.begin(), x.end()};
}
template <class S>
States<S> random_states(test::Random& random, const Tree& tree) {
  return {narrow<S>(test::random_q(random, tree)), narrow<S>(test::random_numbers(random, tree.dofs())),
          narrow<S>(test::random_numbers(random, tree.dofs(), 10)), narrow<S>(test::random_numbers(random, tree.dofs())),
          narrow<S>(test::random_numbers(random, 6 * std::int64_t{tree.bodies()}, 5))};
}

/// Interleaves one array of every state.
template <class S>
std::vector<S> interleave(const std::vector<States<S>>& states, std::vector<S> States<S>::* member) {
  const std::size_t count = (states[0].*member).size();
  std::vector<S> out(count * states.size());
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < states.size(); ++k) out[i * states.size() + k] = (states[k].*member)[i];
  return out;
}

/// The results of every function, interleaved by the lanes of `w`.
template <class S>
std::vector<S> run_all(const Tree& tree, Workspace<S>& w, const States<S>& s) {
  const auto lanes = static_cast<std::size_t>(w.lanes()), n = static_cast<std::size_t>(tree.dofs());
  std::vector<S> results;
  const auto keep = [&](const std::vector<S>& x) { results.insert(results.end(), x.begin(), x.end()); };
  const auto room = [&](std::size_t count) { return std::vector<S>(count * lanes, S(0)); };
  update_kinematics<S>(tree, s.q, w);
  update_velocities<S>(tree, s.v, w);
  const BodyFrame& frame = tree.body(tree.links() / 2);
  std::vector<S> pose = room(12), J = room(6 * n), rate = room(6 * n), com = room(3 * n), tau = room(n), a = room(n), M = room(n * n);
  write_frame_pose<S>(tree, w, frame, pose);
  write_jacobian<S>(tree, w, frame, JacobianPoint::frame, JacobianShape::dense, J);
  write_jacobian_rate<S>(tree, w, frame, JacobianPoint::world, JacobianShape::dense, rate);
  update_mass_matrix(tree, w);
  write_mass_matrix<S>(tree, w, M);
  write_com_jacobian<S>(tree, w, com);
  keep(pose), keep(J), keep(rate), keep(com), keep(M);
  const Motion<S> motion{s.v, s.a, s.applied, gravity};
  std::vector<S> by_q = room(n * n), by_v = room(n * n), by_tau = room(n * n);
  inverse_dynamics_derivatives<S>(tree, motion, w, tau, by_q, by_v);
  keep(tau), keep(by_q), keep(by_v);
  forward_dynamics<S>(tree, motion, s.tau, w, a);
  keep(a);
  EXPECT_EQ(forward_dynamics_derivatives<S>(tree, motion, s.tau, w, {a, by_q, by_v, by_tau}), 0);
  keep(a), keep(by_q), keep(by_v), keep(by_tau);
  std::vector<S> position = room(3), jacobian = room(3 * n), next = s.q, blocks_q = room(3 * n), blocks_v = room(3 * n), back = room(n);
  // chains of hinges without applied wrenches have kernels of their own
  for (const std::span<const S> applied : {std::span<const S>(s.applied), std::span<const S>()}) {
    const Knots<S> knots{s.q, s.v, s.tau, applied, gravity, frame};
    for (const LineariseForm form : {LineariseForm::inverse, LineariseForm::forward}) {
      EXPECT_EQ(linearise<S>(tree, knots, form, w, {a, by_q, by_v, M, position, jacobian}), 0);
      keep(a), keep(by_q), keep(by_v), keep(M), keep(position), keep(jacobian);
    }
    EXPECT_EQ(accelerate<S>(tree, knots, w, a, position), 0);
    keep(a), keep(position);
  }
  integrate<S>(tree, s.q, s.v, 0.3, w.lanes(), next);
  difference<S>(tree, s.q, next, w.lanes(), back);
  write_integrate_jacobians<S>(tree, s.v, 0.3, w.lanes(), blocks_q, blocks_v);
  keep(next), keep(back), keep(blocks_q), keep(blocks_v);
  return results;
}

template <class S>
void expect_lanes_have_the_bits_of_one(const Tree& tree, test::Random& random) {
  constexpr auto group = static_cast<std::size_t>(Workspace<S>::group);
  std::vector<States<S>> states;
  for (std::size_t k = 0; k < group; ++k) states.push_back(random_states<S>(random, tree));
  Workspace<S> wide(tree, Workspace<S>::group), one(tree);
  const States<S> all{interleave(states, &States<S>::q), interleave(states, &States<S>::v), interleave(states, &States<S>::tau),
                      interleave(states, &States<S>::a), interleave(states, &States<S>::applied)};
  const std::vector<S> together = run_all(tree, wide, all);
  for (std::size_t k = 0; k < group; ++k) {
    const std::vector<S> alone = run_all(tree, one, states[k]);
    ASSERT_EQ(together.size(), alone.size() * group);
    for (std::size_t i = 0; i < alone.size(); ++i) ASSERT_EQ(together[i * group + k], alone[i]) << i << " of " << alone.size();
  }
}

std::vector<Tree> some_trees() {
  test::Random random(21);
  std::vector<Tree> trees;
  trees.push_back(make_tree(test::random_tree(random, {.links = 7, .chain = true})));
  trees.push_back(make_tree(test::random_tree(random, {.links = 6, .chain = true})));
  trees.push_back(make_tree(test::random_tree(random, {.links = 12, .free_base = true, .massless_share = 0.2})));
  trees.push_back(make_tree(test::random_tree(random, {.links = 15, .root_share = 0.2})));
  return trees;
}

TEST(LineariseTest, LanesHaveTheBitsOfEachStateAlone) {
  test::Random random(22);
  for (const Tree& tree : some_trees()) {
    expect_lanes_have_the_bits_of_one<double>(tree, random);
    expect_lanes_have_the_bits_of_one<float>(tree, random);
  }
}

TEST(LineariseTest, FusedAndSeparateFunctionsAgree) {
  test::Random random(23);
  std::vector<Tree> trees = some_trees(), again_without = some_trees();
  const std::size_t with_applied = trees.size();
  std::ranges::move(again_without, std::back_inserter(trees));
  for (std::size_t t = 0; t < trees.size(); ++t) {
    const Tree& tree = trees[t];
    States<double> s = random_states<double>(random, tree);
    if (t >= with_applied) s.applied.clear();
    const auto n = static_cast<std::size_t>(tree.dofs());
    const BodyFrame& frame = tree.body(tree.links() - 1);
    Workspace<double> w(tree);
    std::vector<double> a(n), by_q(n * n), by_v(n * n), M(n * n), position(3), jacobian(3 * n);
    const Knots<double> knots{s.q, s.v, s.tau, s.applied, gravity, frame};
    update_kinematics<double>(tree, s.q, w);
    update_velocities<double>(tree, s.v, w);
    std::vector<double> a2(n), q2(n * n), v2(n * n), M2(n * n), tau2(n), J2(6 * n);
    const Motion<double> motion{s.v, {}, s.applied, gravity};
    ASSERT_EQ(forward_dynamics_derivatives<double>(tree, motion, s.tau, w, {a2, q2, v2, M2}), 0);
    write_jacobian<double>(tree, w, frame, JacobianPoint::frame, JacobianShape::dense, J2);
    ASSERT_EQ(linearise<double>(tree, knots, LineariseForm::forward, w, {a, by_q, by_v, M, position, jacobian}), 0);
    EXPECT_LT(test::distance(a, a2), 1e-10 * test::largest(a));
    EXPECT_LT(test::distance(by_q, q2), 1e-10 * test::largest(q2));
    EXPECT_LT(test::distance(by_v, v2), 1e-10 * test::largest(v2));
    EXPECT_LT(test::distance(M, M2), 1e-10 * test::largest(M2));
    J2.resize(3 * n);
    EXPECT_EQ(jacobian, J2);
    EXPECT_LT(norm(Vec3d{position[0], position[1], position[2]} - frame_pose(tree, w, frame).p), 1e-14 * 10);
    // inverse form: at the accelerations that tau gives
    ASSERT_EQ(linearise<double>(tree, knots, LineariseForm::inverse, w, {a, by_q, by_v, M, position, jacobian}), 0);
    inverse_dynamics_derivatives<double>(tree, {s.v, a, s.applied, gravity}, w, tau2, q2, v2);
    EXPECT_LT(test::distance(tau2, s.tau), 1e-9 * (1 + test::largest(a)));
    EXPECT_LT(test::distance(by_q, q2), 1e-10 * (1 + test::largest(q2)));
    EXPECT_LT(test::distance(by_v, v2), 1e-10 * (1 + test::largest(v2)));
    update_mass_matrix(tree, w);
    write_mass_matrix<double>(tree, w, M2);
    EXPECT_EQ(M, M2);
    const std::vector<double> again = a;
    ASSERT_EQ(accelerate<double>(tree, knots, w, a, position), 0);
    EXPECT_EQ(a, again);
  }
}

TEST(LineariseTest, FarFromTheOriginNothingChangesButPlaces) {
  test::Random random(24);
  TreeInput near = test::random_tree(random, {.links = 9, .free_base = true}), arm = test::random_tree(random, {.links = 7, .chain = true});
  for (TreeInput* input : {&near, &arm}) {
    const Tree tree = make_tree(*input);
    const States<double> s = random_states<double>(random, tree);
    States<double> far = s;
    TreeInput moved = *input;
    if (input == &near)
      far.q[0] += 1e6, far.q[1] -= 1e6, far.q[2] += 2e6;
    else
      moved.links[0].X_PJ.p = moved.links[0].X_PJ.p + Vec3d{1e6, -1e6, 2e6};
    const Tree there = make_tree(moved);
    const auto n = static_cast<std::size_t>(tree.dofs());
    Workspace<double> w(tree);
    std::vector<double> a(n), by_q(n * n), by_v(n * n), M(n * n), a2(n), q2(n * n), v2(n * n), M2(n * n);
    ASSERT_EQ(linearise<double>(tree, {s.q, s.v, s.tau, s.applied, gravity, {}}, LineariseForm::forward, w, {a, by_q, by_v, M, {}, {}}), 0);
    ASSERT_EQ(
        linearise<double>(there, {far.q, far.v, far.tau, far.applied, gravity, {}}, LineariseForm::forward, w, {a2, q2, v2, M2, {}, {}}),
        0);
    EXPECT_EQ(a, a2);
    EXPECT_EQ(by_q, q2);
    EXPECT_EQ(by_v, v2);
    EXPECT_EQ(M, M2);
  }
}

TEST(LineariseTest, SomethingWithoutMassThatMovesIsReported) {
  TreeInput input;
  input.links.push_back({.kind = LinkKind::hinge});
  const Tree tree = make_tree(input);
  Workspace<double> w(tree);
  const std::vector<double> zero(1, 0.0);
  std::vector<double> a(1);
  EXPECT_EQ(accelerate<double>(tree, {zero, zero, zero, {}, gravity, {}}, w, a, {}), 1);
}

TEST(LineariseTest, NothingAllocates) {
  test::Random random(25);
  const Tree tree = some_trees()[2];
  const States<double> s = random_states<double>(random, tree);
  const auto n = static_cast<std::size_t>(tree.dofs());
  Workspace<double> w(tree);
  std::vector<double> a(n), by_q(n * n), by_v(n * n), M(n * n), q = s.q;
  const test::AllocationCount heap;
  update_kinematics<double>(tree, s.q, w);
  update_velocities<double>(tree, s.v, w);
  forward_dynamics<double>(tree, {s.v, {}, s.applied, gravity}, s.tau, w, a);
  int bad = forward_dynamics_derivatives<double>(tree, {s.v, {}, s.applied, gravity}, s.tau, w, {a, by_q, by_v, M});
  bad += linearise<double>(tree, {s.q, s.v, s.tau, s.applied, gravity, {}}, LineariseForm::forward, w, {a, by_q, by_v, M, {}, {}});
  integrate<double>(tree, s.q, s.v, 0.1, 1, q);
  EXPECT_EQ(heap.delta(), 0);
  EXPECT_EQ(bad, 0);
}

TEST(LineariseTest, EveryInstructionSetHasTheBitsOfTheConstant) {
  // uniform numbers of test::Random and box inertias: no libm enters
  test::Random random(26);
  TreeInput input;
  const int base = add_free_link(input, box_inertia(3.0, Vec3d{0.3, 0.2, 0.5}));
  const Mat3d turn{{0, 0, 1, 1, 0, 0, 0, 1, 0}};
  for (int i = 0; i < 6; ++i) {
    const LinkKind kind = i == 3 ? LinkKind::ball : i == 4 ? LinkKind::slide : LinkKind::hinge;
    input.links.push_back({.parent = base + i,
                           .kind = kind,
                           .X_PJ = {turn, {0.1, 0.2, 0.3}},
                           .inertia = box_inertia(1.0, Vec3d{0.1, 0.2, 0.3}),
                           .armature = 0.01});
  }
  input.bodies.push_back({base + 6, {turn, {0.05, 0, 0.1}}});
  const Tree tree = make_tree(input);
  const auto n = static_cast<std::size_t>(tree.dofs());
  std::vector<double> q(static_cast<std::size_t>(tree.coordinates())), v(n), tau(n);
  for (double& x : q) x = random.uniform(0.1, 1);
  for (double& x : v) x = random.uniform(-1, 1);
  for (double& x : tau) x = random.uniform(-5, 5);
  const double g[3] = {0, 0, -9.81};
  for (const Isa isa : {Isa::baseline, Isa::v3, Isa::v4}) {
    if (!has_isa(isa)) continue;
    Workspace<double> w(tree);
    std::vector<double> a(n), by_q(n * n), by_v(n * n), M(n * n), position(3), jacobian(3 * n), next = q;
    const LineariseInput<double> in{
        q.data(), v.data(), tau.data(), nullptr, g, {base + 6, {0.05, 0, 0.1}, {1, 0, 0, 0, 1, 0, 0, 0, 1}}, LineariseForm::forward};
    const LineariseOutput<double> out{a.data(), by_q.data(), by_v.data(), M.data(), position.data(), jacobian.data()};
    EXPECT_EQ(linearise_kernels_of(isa).one_double.linearise(tree.view<double>(), w.view(), in, out), 0);
    tree_kernels_of(isa).one_double.integrate(tree.view<double>(), q.data(), v.data(), 0.25, next.data());
    Hash64 hash;
    for (const std::vector<double>* x : {&a, &by_q, &by_v, &M, &position, &jacobian, &next}) hash.add(std::span<const double>(*x));
    EXPECT_EQ(hex(hash.value()), "0xa0164d7382427e9e") << name(isa);
  }
}

/// Everything that `isa` says of a group of random states of a chain of hinges: all lanes at once where `lanes`, else one by one.
template <class S>
std::vector<S> chain_answers(const Tree& tree, const LineariseKernel<S>& kernel, const States<S>& s, LineariseForm form, int lanes) {
  constexpr auto group = static_cast<std::size_t>(Workspace<S>::group);
  const auto n = static_cast<std::size_t>(tree.dofs());
  const std::size_t width = lanes == 1 ? 1 : group, parts = group / width;
  const S g[3] = {S(0.3), S(-0.2), S(-9.81)};
  Workspace<S> w(tree, lanes);
  std::vector<S> answers(group * (2 * n + 3 * n * n + 3 + 3 * n)), one(answers.size() / parts);
  for (std::size_t k = 0; k < parts; ++k) {
    // one by one, state k of every array is every group-th number
    const auto state = [&](const std::vector<S>& x) {
      std::vector<S> mine;
      for (std::size_t i = k; i < x.size(); i += parts) mine.push_back(x[i]);
      return mine;
    };
    const std::vector<S> q = state(s.q), v = state(s.v), tau = state(s.tau);
    S* p = one.data();
    const auto take = [&](std::size_t count) { return std::exchange(p, p + count * width); };
    const LineariseInput<S> in{q.data(), v.data(), tau.data(), nullptr, g, {tree.dofs() - 1, {0.1, 0, 0.2}, {1, 0, 0, 0, 1, 0, 0, 0, 1}},
                               form};
    const LineariseOutput<S> out{take(n), take(n * n), take(n * n), take(n * n), take(3), take(3 * n)};
    EXPECT_EQ(kernel.linearise(tree.view<S>(), w.view(), in, out), 0);
    EXPECT_EQ(kernel.merit(tree.view<S>(), w.view(), in, take(n), nullptr), 0);
    for (std::size_t i = 0; i < one.size(); ++i) answers[i * parts + k] = one[i];
  }
  return answers;
}

template <class S>
void expect_one_set_of_bits(const Tree& tree, test::Random& random) {
  std::vector<States<S>> states;
  for (int k = 0; k < Workspace<S>::group; ++k) states.push_back(random_states<S>(random, tree));
  const States<S> s{interleave(states, &States<S>::q), interleave(states, &States<S>::v), interleave(states, &States<S>::tau), {}, {}};
  const auto kernel = [](Isa isa, bool group) {
    const LineariseKernels& all = linearise_kernels_of(isa);
    if constexpr (sizeof(S) == 8)
      return group ? all.group_double : all.one_double;
    else
      return group ? all.group_float : all.one_float;
  };
  for (const LineariseForm form : {LineariseForm::inverse, LineariseForm::forward}) {
    const std::vector<S> wanted = chain_answers<S>(tree, kernel(Isa::baseline, false), s, form, 1);
    for (const Isa isa : {Isa::baseline, Isa::v3, Isa::v4}) {
      if (!has_isa(isa)) continue;
      EXPECT_EQ(chain_answers<S>(tree, kernel(isa, false), s, form, 1), wanted) << name(isa);
      EXPECT_EQ(chain_answers<S>(tree, kernel(isa, true), s, form, Workspace<S>::group), wanted) << name(isa);
    }
  }
}

TEST(LineariseTest, EveryInstructionSetAndWidthHasTheSameBitsOnChains) {
  test::Random random(27);
  for (const int links : {6, 7}) {
    const Tree tree = make_tree(test::random_tree(random, {.links = links, .chain = true}));
    EXPECT_EQ(tree.view<double>().chain, links);
    expect_one_set_of_bits<double>(tree, random);
    expect_one_set_of_bits<float>(tree, random);
  }
  TreeInput bent = test::random_tree(random, {.links = 7, .chain = true});
  bent.links[3].kind = LinkKind::slide;
  EXPECT_EQ(make_tree(bent).view<double>().chain, 0);
}

}  // namespace
}  // namespace trilith::multibody
