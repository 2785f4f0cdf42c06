// Projection of many contacts and many bounds (CONE-4). Compiled per instruction set.
#include "cones/cones_kernel.h"

#include "cones/box.h"
#include "cones/friction_cone.h"

namespace trilith::cones {
namespace {

/// Eight contacts from `at` on.
TRI_INLINE void project_eight(std::size_t at, const double* mu, double* n, double* t1, double* t2) {
  const Contact3<Double8> f = {Double8::load(n + at), Double8::load(t1 + at), Double8::load(t2 + at)};
  const Contact3<Double8> p = project(f, Double8::load(mu + at));
  p.n.store(n + at);
  p.t1.store(t1 + at);
  p.t2.store(t2 + at);
}

void project_contacts(std::size_t count, const double* mu, double* n, double* t1, double* t2) noexcept {
  std::size_t at = 0;
  for (; at + 8 <= count; at += 8) project_eight(at, mu, n, t1, t2);
  for (; at < count; ++at) {
    const Contact3<double> p = project(Contact3<double>{n[at], t1[at], t2[at]}, mu[at]);
    n[at] = p.n;
    t1[at] = p.t1;
    t2[at] = p.t2;
  }
}

void project_boxes(std::size_t count, const double* lower, const double* upper, double* value) noexcept {
  std::size_t at = 0;
  for (; at + 8 <= count; at += 8) {
    const Box<Double8> box = {Double8::load(lower + at), Double8::load(upper + at)};
    box.project({{Double8::load(value + at)}})[0].store(value + at);
  }
  for (; at < count; ++at) value[at] = Box<double>{lower[at], upper[at]}.project({{value[at]}})[0];
}

}  // namespace

namespace entry::TRILITH_ISA_NAMESPACE {
extern const ConesKernel cones_kernel = {project_contacts, project_boxes};
}  // namespace entry::TRILITH_ISA_NAMESPACE

}  // namespace trilith::cones
