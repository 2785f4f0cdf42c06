#pragma once
#include <cmath>
#include <vector>

#include "multibody/tree.h"

/// Newton and Euler body by body, as a textbook writes them: world positions, velocities and accelerations of every centre of mass, and
/// the power of what is needed to move it on each joint's unit motion. Works on double and on Dual (derivatives by forward
/// differentiation); shares no code with src/multibody but the input structs.
namespace trilith::test {

/// A number with its derivative in one direction.
struct Dual {
  double x = 0, d = 0;
  Dual() = default;
  Dual(double value) : x(value) {}  // NOLINT(google-explicit-constructor): constants mix freely
  Dual(double value, double slope) : x(value), d(slope) {}
  friend Dual operator+(Dual a, Dual b) { return {a.x + b.x, a.d + b.d}; }
  friend Dual operator-(Dual a, Dual b) { return {a.x - b.x, a.d - b.d}; }
  friend Dual operator*(Dual a, Dual b) { return {a.x * b.x, a.x * b.d + a.d * b.x}; }
  friend Dual operator/(Dual a, Dual b) { return {a.x / b.x, (a.d - a.x / b.x * b.d) / b.x}; }
};
inline double plain_sin(double a) { return std::sin(a); }
inline double plain_cos(double a) { return std::cos(a); }
inline Dual plain_sin(Dual a) { return {std::sin(a.x), a.d * std::cos(a.x)}; }
inline Dual plain_cos(Dual a) { return {std::cos(a.x), -a.d * std::sin(a.x)}; }

template <class D>
struct V3 {
  D x{}, y{}, z{};
  friend V3 operator+(const V3& a, const V3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend V3 operator-(const V3& a, const V3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend V3 operator*(const D& s, const V3& a) { return {s * a.x, s * a.y, s * a.z}; }
};
template <class D>
D inner(const V3<D>& a, const V3<D>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class D>
V3<D> times(const V3<D>& a, const V3<D>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// Three columns.
template <class D>
struct M3 {
  V3<D> c[3];
  V3<D> operator*(const V3<D>& x) const { return x.x * c[0] + x.y * c[1] + x.z * c[2]; }
  M3 operator*(const M3& b) const { return {{*this * b.c[0], *this * b.c[1], *this * b.c[2]}}; }
};
template <class D>
V3<D> lift(const Vec3d& a) {
  return {D(a.x), D(a.y), D(a.z)};
}
template <class D>
M3<D> lift(const Mat3d& a) {
  return {{{D(a.m[0]), D(a.m[3]), D(a.m[6])}, {D(a.m[1]), D(a.m[4]), D(a.m[7])}, {D(a.m[2]), D(a.m[5]), D(a.m[8])}}};
}

/// What a link does, all in world axes at the world's origin of coordinates.
template <class D>
struct PlainLink {
  M3<D> R;                  ///< R_WL
  V3<D> p, v, w, a, alpha;  ///< origin: position, velocity; angular velocity; acceleration of the origin; angular acceleration
  V3<D> axis[3];            ///< of its degrees of freedom
  bool turns = false;       ///< they turn (else they shift)
};

template <class D>
M3<D> matrix_of(const D* q) {
  const D w = q[0], x = q[1], y = q[2], z = q[3], two(2), one(1);
  return {{{one - two * (y * y + z * z), two * (x * y + w * z), two * (x * z - w * y)},
           {two * (x * y - w * z), one - two * (x * x + z * z), two * (y * z + w * x)},
           {two * (x * z + w * y), two * (y * z - w * x), one - two * (x * x + y * y)}}};
}

/// Positions, velocities and accelerations of all links.
template <class D>
std::vector<PlainLink<D>> plain_motion(const multibody::TreeInput& input, const std::vector<D>& q, const std::vector<D>& v,
                                       const std::vector<D>& a) {
  using multibody::LinkKind;
  std::vector<PlainLink<D>> links;
  std::size_t iq = 0, iv = 0;
  for (const multibody::LinkInput& given : input.links) {
    PlainLink<D> up;
    up.R = lift<D>(identity3<double>());
    if (given.parent >= 0) up = links[static_cast<std::size_t>(given.parent)];
    PlainLink<D> link = up;
    // the joint frame rides on the parent
    const V3<D> arm = up.R * lift<D>(given.X_PJ.p);
    link.R = up.R * lift<D>(given.X_PJ.R);
    link.p = up.p + arm;
    link.v = up.v + times(up.w, arm);
    link.a = up.a + times(up.alpha, arm) + times(up.w, times(up.w, arm));
    link.turns = given.kind == LinkKind::hinge || given.kind == LinkKind::ball;
    const std::size_t count = given.kind == LinkKind::translation || given.kind == LinkKind::ball ? 3 : 1;
    const bool single = count == 1;
    const D shift = q[iq] - D(given.reference);
    if (given.kind == LinkKind::hinge) {
      const D s = plain_sin(shift), c = plain_cos(shift);
      link.R = {{c * link.R.c[0] + s * link.R.c[1], c * link.R.c[1] - s * link.R.c[0], link.R.c[2]}};
    }
    if (given.kind == LinkKind::ball) link.R = link.R * matrix_of(&q[iq]);
    V3<D> offset, speed, change;
    for (std::size_t k = 0; k < count; ++k) {
      link.axis[k] = link.R.c[single ? 2 : k];
      speed = speed + v[iv + k] * link.axis[k];
      change = change + a[iv + k] * link.axis[k];
      if (!link.turns) offset = offset + (single ? shift : q[iq + k]) * link.axis[k];
    }
    if (link.turns) {
      // the axes of a ball turn with the link, but speed x speed is zero: the parent's turn is all that counts
      link.w = up.w + speed;
      link.alpha = up.alpha + change + times(up.w, speed);
    } else {
      link.p = link.p + offset;
      link.v = link.v + times(up.w, offset) + speed;
      link.a = link.a + times(up.alpha, offset) + times(up.w, times(up.w, offset)) + D(2) * times(up.w, speed) + change;
    }
    links.push_back(link);
    iq += given.kind == LinkKind::ball ? 4 : count;
    iv += count;
  }
  return links;
}

/// Power of force f at point p and moment m on the unit motion of degree of freedom k of link i.
template <class D>
D unit_power(const PlainLink<D>& joint, std::size_t k, const V3<D>& p, const V3<D>& f, const V3<D>& m) {
  if (!joint.turns) return inner(joint.axis[k], f);
  return inner(times(joint.axis[k], p - joint.p), f) + inner(joint.axis[k], m);
}

/// tau of inverse dynamics; `applied` as multibody::Motion has it, may be empty.
template <class D>
std::vector<D> plain_inverse_dynamics(const multibody::TreeInput& input, const std::vector<D>& q, const std::vector<D>& v,
                                      const std::vector<D>& a, const std::vector<double>& applied, const Vec3d& gravity) {
  using multibody::LinkKind;
  const std::vector<PlainLink<D>> links = plain_motion(input, q, v, a);
  std::vector<D> tau(v.size());
  std::vector<std::size_t> first;
  std::size_t next = 0;
  for (const multibody::LinkInput& given : input.links) {
    first.push_back(next);
    next += given.kind == LinkKind::translation || given.kind == LinkKind::ball ? 3 : 1;
  }
  const auto add = [&](std::int32_t from, const V3<D>& p, const V3<D>& f, const V3<D>& m) {
    for (std::int32_t i = from; i >= 0; i = input.links[static_cast<std::size_t>(i)].parent) {
      const auto at = static_cast<std::size_t>(i);
      const std::size_t end = at + 1 < first.size() ? first[at + 1] : next;
      for (std::size_t k = first[at]; k < end; ++k) tau[k] = tau[k] + unit_power(links[at], k - first[at], p, f, m);
    }
  };
  for (std::size_t i = 0; i < links.size(); ++i) {
    const PlainLink<D>& link = links[i];
    const Inertiad& inertia = input.links[i].inertia;
    const V3<D> r = link.R * lift<D>(inertia.com);
    const V3<D> a_com = link.a + times(link.alpha, r) + times(link.w, times(link.w, r));
    const M3<D> I = lift<D>(inertia.about_com);
    const auto about = [&](const V3<D>& x) {  // R I R' x
      const V3<D> inside{inner(link.R.c[0], x), inner(link.R.c[1], x), inner(link.R.c[2], x)};
      return link.R * (I * inside);
    };
    const V3<D> moment = about(link.alpha) + times(link.w, about(link.w));
    add(static_cast<std::int32_t>(i), link.p + r, D(inertia.mass) * (a_com - lift<D>(gravity)), moment);
  }
  for (std::size_t k = 0; k < tau.size(); ++k) {
    std::size_t i = first.size() - 1;
    while (first[i] > k) --i;
    tau[k] = tau[k] + D(input.links[i].armature) * a[k];
  }
  if (applied.empty()) return tau;
  for (std::size_t b = 0; b < input.bodies.size(); ++b) {
    if (input.bodies[b].link < 0) continue;
    const PlainLink<D>& link = links[static_cast<std::size_t>(input.bodies[b].link)];
    const double* w = &applied[6 * b];
    add(input.bodies[b].link, link.p + link.R * lift<D>(input.bodies[b].X_LB.p), V3<D>{D(-w[0]), D(-w[1]), D(-w[2])},
        V3<D>{D(-w[3]), D(-w[4]), D(-w[5])});
  }
  return tau;
}

/// q moved in the direction of degree of freedom `k` with unit slope: for a ball the quaternion times (1, e_k / 2).
inline std::vector<Dual> seeded(const multibody::Tree& tree, const std::vector<double>& q, std::int32_t k) {
  std::vector<Dual> out(q.begin(), q.end());
  const multibody::LinkIndex& link = tree.link(tree.dof_link(k));
  const auto at = static_cast<std::size_t>(link.q);
  const std::int32_t e = k - link.v;
  if (link.kind != multibody::LinkKind::ball) {
    out[at + static_cast<std::size_t>(e)].d = 1;
    return out;
  }
  const Quaterniond turn{q[at], q[at + 1], q[at + 2], q[at + 3]};
  const Quaterniond slope = turn * Quaterniond{0, e == 0 ? 0.5 : 0, e == 1 ? 0.5 : 0, e == 2 ? 0.5 : 0};
  out[at].d = slope.w, out[at + 1].d = slope.x, out[at + 2].d = slope.y, out[at + 3].d = slope.z;
  return out;
}

}  // namespace trilith::test
