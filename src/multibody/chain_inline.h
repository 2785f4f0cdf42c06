#pragma once
#include "multibody/linearise_inline.h"

/// Forward dynamics and its derivatives of one serial chain of N hinges: the arithmetic of linearise_inline.h with what such a chain makes
/// superfluous left out (kinds of joints, links without mass, branches of the tree), and with the factor of M woven into the pass that
/// makes its rows, so that its long chain of divisions waits for nothing. For use inside kernels. docs/theory/multibody.md.

namespace trilith::multibody {
TRI_ISA_BEGIN

/// Numbers of the joints that no later caller reads. Row k of M holds the entries (k, 0) to (k, k).
template <class T, int N>
struct Chain {
  SinCos<T> turn[N];
  Twist<T> carried[N];  ///< V_parent x S
  Twist<T> bias[N];     ///< A for zero accelerations
  Twist<T> driven[N];   ///< A_parent x S + V_parent x carried
  PointInertia<T> I[N];
  Wrench<T> F[N];      ///< as (TREE-8); sums over the links from here on
  AngularMap<T> B[N];  ///< likewise
  Wrench<T> G[N];      ///< I S
  Vec3<T> BS[N];       ///< B' S
  T row[N][N], ratio[N][N], inverse[N], x[N], a[N];
};

/// One `T` of numbers side by side.
template <class T>
TRI_INLINE T load(const Scalar<T>* p) {
  if constexpr (GroupOf<T>::lanes == 1)
    return *p;
  else
    return T::load(p);
}
template <class T>
TRI_INLINE void store(Scalar<T>* p, const T& value) {
  if constexpr (GroupOf<T>::lanes == 1)
    *p = value;
  else
    value.store(p);
}

/// Sines and cosines of all joints, before anything waits for them: several joints of one state side by side, or two joints of each lane
/// in turn. (A sine is a long chain of operations.)
template <class T, int N>
TRI_INLINE void turn_chain(const TreeView<Scalar<T>>& tree, const Scalar<T>* q, SinCos<T>* turn) {
  using S = Scalar<T>;
  constexpr int lanes = static_cast<int>(GroupOf<T>::lanes), joints = (N + 7) / 8 * 8, width = lanes == 1 ? 8 : 2 * lanes;
  alignas(64) S angle[joints * lanes] = {}, sine[joints * lanes], cosine[joints * lanes];
  for (int k = 0; k < N; ++k) store<T>(angle + k * lanes, get<T>(q, k) - T(tree.number[k].reference));
  for (int i = 0; i < joints * lanes; i += width) {
    const auto pair = sincos(Lanes<S, width>::load(angle + i));
    pair.sin.store(sine + i), pair.cos.store(cosine + i);
  }
  for (int k = 0; k < N; ++k) turn[k] = {load<T>(sine + k * lanes), load<T>(cosine + k * lanes)};
}

/// Inertia, force for zero accelerations and, with `maps`, the Coriolis map of link k at X = (R_WL, p_OL).
template <bool maps, class T, int N>
TRI_INLINE void place_chain_body(const LinkConstants<Scalar<T>>& numbers, int k, const Pose<T>& X, const Twist<T>& V, const Twist<T>& A,
                                 Chain<T, N>& c) {
  const PlacedMass<T> body = place_mass(numbers, X);
  const ForceAndMomentum<T> motion = force_of(body, A, V);
  c.I[k] = about_reference(body);
  c.F[k] = motion.force;
  if constexpr (maps) c.B[k] = coriolis_map(c.I[k], V, motion.momentum);
}

/// Root to leaf: as `place_links`.
template <bool maps, class T, int N>
TRI_INLINE void place_chain(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const LineariseInput<Scalar<T>>& in,
                            Chain<T, N>& c) {
  Pose<T> X;
  Twist<T> V = zero_twist<T>(), A{-spread3<T>(in.gravity), zero3<T>()};
#pragma GCC unroll 1
  for (int k = 0; k < N; ++k) {
    Pose<T> J = joint_frame<T>(tree.number[k], k == 0, X.R);
    turn_about_z(c.turn[k], J.R);
    if (k == 0) {
      put3<T>(w.origin, 0, J.p);
      J.p = zero3<T>();
    } else {
      J.p = X.p + J.p;
    }
    X = J;
    put9<T>(at<T>(w, LinkSlot::rotation, k), 0, X.R), put3<T>(at<T>(w, LinkSlot::position, k), 0, X.p);
    const Twist<T> S = motion_column(LinkKind::hinge, 0, X);
    put_twist<T>(at<T>(w, DofSlot::column, k), S);
    const T v = get<T>(in.v, k);
    const Twist<T> carried = cross(V, S);
    if constexpr (maps) c.carried[k] = carried;
    V = V + v * S, A = A + v * carried;
    put_twist<T>(at<T>(w, LinkSlot::velocity, k), V);
    if constexpr (maps) c.bias[k] = A;
    place_chain_body<maps>(tree.number[k], k, X, V, A, c);
  }
}

/// Takes the rows below off row k of M, which thereby becomes that of the factor, and the solution so far off x[k]: the order of
/// `factor_mass_matrix` and `solve_mass_matrix`. Returns how many pivots are not positive.
template <class T, int N>
TRI_INLINE int eliminate_chain_row(int k, Chain<T, N>& c) {
  T x = c.x[k];
  for (int r = N - 1; r > k; --r) x = x - c.ratio[r][k] * c.x[r];
  c.x[k] = x;
  for (int e = 0; e <= k; ++e) {
    T m = c.row[k][e];
    for (int r = N - 1; r > k; --r) m = m - c.ratio[r][k] * c.row[r][e];
    c.row[k][e] = m;
  }
  const T pivot = c.row[k][k];
  c.inverse[k] = T(1) / pivot;
  for (int e = 0; e < k; ++e) c.ratio[k][e] = c.row[k][e] * c.inverse[k];
  return count_lanes(!(pivot > T(0)));
}

/// Derivative by v in row and column k. (TREE-12): for a hinge `coupled` is twice `carried`.
template <class T, int N>
TRI_INLINE void write_chain_velocity(const WorkspaceView<Scalar<T>>& w, int k, const Twist<T>& S, Chain<T, N>& c, Scalar<T>* by_v) {
  c.BS[k] = transpose_times(c.B[k], S);
  const Wrench<T> F = c.I[k] * (T(2) * c.carried[k]) + c.B[k] * S.angular, G2 = T(2) * c.G[k];
  for (int j = 0; j < k; ++j) {
    const Twist<T> S_j = get_twist<T>(at<T>(w, DofSlot::column, j));
    put<T>(by_v, j * N + k, power(F, S_j));
    put<T>(by_v, k * N + j, power(G2, c.carried[j]) + dot(c.BS[k], S_j.angular));
  }
  put<T>(by_v, k * N + k, power(F, S));
}

/// Where the pass from leaf to root writes; null without `maps`.
template <class S>
struct ChainSink {
  S *by_v, *inertia;
};

/// One link of the pass from leaf to root: composites, row k of M, of its factor and of the solution.
template <bool maps, class T, int N>
TRI_INLINE int gather_chain_link(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const Scalar<T>* tau, int k,
                                 Chain<T, N>& c, ChainSink<Scalar<T>> to) {
  if (k + 1 < N) c.I[k] = c.I[k] + c.I[k + 1], c.F[k] = c.F[k] + c.F[k + 1];
  const Twist<T> S = get_twist<T>(at<T>(w, DofSlot::column, k));
  const Wrench<T> G = c.I[k] * S;
  for (int j = 0; j < k; ++j) c.row[k][j] = power(G, get_twist<T>(at<T>(w, DofSlot::column, j)));
  c.row[k][k] = power(G, S) + T(tree.armature[k]);
  c.x[k] = get<T>(tau, k) - power(c.F[k], S);
  if constexpr (maps) {
    c.G[k] = G;
    if (k + 1 < N) c.B[k] = c.B[k] + c.B[k + 1];
    for (int j = 0; j <= k; ++j) put<T>(to.inertia, k * N + j, c.row[k][j]), put<T>(to.inertia, j * N + k, c.row[k][j]);
    write_chain_velocity(w, k, S, c, to.by_v);
  }
  return eliminate_chain_row(k, c);
}

/// Leaf to root: as `gather_links`, with the factor and half the solution. Returns how many pivots are not positive.
template <bool maps, class T, int N>
TRI_INLINE int gather_chain(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const Scalar<T>* tau, Chain<T, N>& c,
                            ChainSink<Scalar<T>> to) {
  int bad = 0;
  if constexpr (maps) {
    // unrolled it is too long for the registers and the cache of decoded instructions
#pragma GCC unroll 1
    for (int k = N - 1; k >= 0; --k) bad += gather_chain_link<true>(tree, w, tau, k, c, to);
  } else {
#pragma GCC unroll 8
    for (int k = N - 1; k >= 0; --k) bad += gather_chain_link<false>(tree, w, tau, k, c, to);
  }
  return bad;
}

/// The other half of the solution: accelerations.
template <class T, int N>
TRI_INLINE void finish_chain(Chain<T, N>& c, Scalar<T>* a) {
#pragma GCC unroll 8
  for (int k = 0; k < N; ++k) {
    T value = c.x[k] * c.inverse[k];
    for (int e = 0; e < k; ++e) value = value - c.ratio[k][e] * c.a[e];
    c.a[k] = value;
    put<T>(a, k, value);
  }
}

/// Root to leaf: what the accelerations add to those of the links, `driven`, and to the forces that move each link with all beyond it: with
/// D = sum over j <= k of a_j S_j it is I D there, and a_j G_j of every joint beyond.
template <class T, int N>
TRI_INLINE void accelerate_chain(const WorkspaceView<Scalar<T>>& w, const Scalar<T>* gravity, Chain<T, N>& c) {
  Twist<T> D = zero_twist<T>(), V = zero_twist<T>(), A{-spread3<T>(gravity), zero3<T>()};
#pragma GCC unroll 8
  for (int k = 0; k < N; ++k) {
    const Twist<T> S = get_twist<T>(at<T>(w, DofSlot::column, k));
    c.driven[k] = cross(A, S) + cross(V, c.carried[k]);
    D = D + c.a[k] * S;
    A = c.bias[k] + D;
    V = get_twist<T>(at<T>(w, LinkSlot::velocity, k));
    put_twist<T>(at<T>(w, LinkSlot::acceleration, k), A);
    c.F[k] = c.F[k] + c.I[k] * D;
  }
}

/// Leaf to root: derivative by q. (TREE-12)
template <class T, int N>
TRI_INLINE void write_chain_position(const WorkspaceView<Scalar<T>>& w, const Chain<T, N>& c, Scalar<T>* by_q) {
  Wrench<T> beyond = zero_wrench<T>();
#pragma GCC unroll 8
  for (int k = N - 1; k >= 0; --k) {
    const Twist<T> S = get_twist<T>(at<T>(w, DofSlot::column, k));
    const Wrench<T> F = c.I[k] * c.driven[k] + c.B[k] * c.carried[k].angular;
    const Wrench<T> transported = F + cross(S, c.F[k] + beyond), G = c.G[k];
    const Vec3<T> BS = c.BS[k];
    for (int j = 0; j < k; ++j) {
      put<T>(by_q, j * N + k, power(transported, get_twist<T>(at<T>(w, DofSlot::column, j))));
      put<T>(by_q, k * N + j, power(G, c.driven[j]) + dot(BS, c.carried[j].angular));
    }
    put<T>(by_q, k * N + k, power(F, S));
    beyond = beyond + c.a[k] * G;
  }
}

/// Factor and inverse pivots to where `solve_columns` reads them.
template <class T, int N>
TRI_INLINE void keep_chain_factor(const WorkspaceView<Scalar<T>>& w, const Chain<T, N>& c) {
  for (int k = 0; k < N; ++k) {
    for (int e = 0; e < k; ++e) put<T>(w.factor, k * (k + 1) / 2 + e, c.ratio[k][e]);
    put<T>(w.inverse_pivot, k, c.inverse[k]);
  }
}

/// All of `linearise` in its inverse form but the end effector.
template <int N, class T>
TRI_INLINE int linearise_chain(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const LineariseInput<Scalar<T>>& in,
                               const LineariseOutput<Scalar<T>>& out) {
  Chain<T, N> c;
  turn_chain<T, N>(tree, in.q, c.turn);
  place_chain<true>(tree, w, in, c);
  const int bad = gather_chain<true>(tree, w, in.tau, c, {out.by_v, out.inertia});
  finish_chain(c, out.a);
  accelerate_chain(w, in.gravity, c);
  write_chain_position(w, c, out.by_q);
  if (in.form == LineariseForm::forward) keep_chain_factor(w, c);
  return bad;
}

/// Accelerations alone.
template <int N, class T>
TRI_INLINE int accelerate_chain(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const LineariseInput<Scalar<T>>& in,
                                Scalar<T>* a) {
  Chain<T, N> c;
  turn_chain<T, N>(tree, in.q, c.turn);
  place_chain<false>(tree, w, in, c);
  const int bad = gather_chain<false, T, N>(tree, w, in.tau, c, {});
  finish_chain(c, a);
  return bad;
}

TRI_ISA_END
}  // namespace trilith::multibody
