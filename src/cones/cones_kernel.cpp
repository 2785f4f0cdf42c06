// Projection of many contacts and many bounds (CONE-4). Compiled per instruction set.
#include "cones/cones_kernel.h"

#include "cones/box.h"
#include "cones/friction_cone.h"

namespace trilith::cones {
namespace {

/// One register: g++ 12 moves wider lanes inside of aggregates through the stack, 2.3 times slower on v3.
constexpr int width = detail::register_bytes / static_cast<int>(sizeof(double));
using Wide = Lanes<double, width>;

void project_contacts(std::size_t count, const double* mu, double* n, double* t1, double* t2) noexcept {
  std::size_t at = 0;
  for (; at + width <= count; at += width) {
    const Contact3<Wide> p = project(Contact3<Wide>{Wide::load(n + at), Wide::load(t1 + at), Wide::load(t2 + at)}, Wide::load(mu + at));
    p.n.store(n + at);
    p.t1.store(t1 + at);
    p.t2.store(t2 + at);
  }
  for (; at < count; ++at) {
    const Contact3<double> p = project(Contact3<double>{n[at], t1[at], t2[at]}, mu[at]);
    n[at] = p.n;
    t1[at] = p.t1;
    t2[at] = p.t2;
  }
}

void project_boxes(std::size_t count, const double* lower, const double* upper, double* value) noexcept {
  std::size_t at = 0;
  for (; at + width <= count; at += width) {
    const Box<Wide> box = {Wide::load(lower + at), Wide::load(upper + at)};
    box.project({{Wide::load(value + at)}})[0].store(value + at);
  }
  for (; at < count; ++at) value[at] = Box<double>{lower[at], upper[at]}.project({{value[at]}})[0];
}

}  // namespace

namespace entry::TRILITH_ISA_NAMESPACE {
extern const ConesKernel cones_kernel = {project_contacts, project_boxes};
}  // namespace entry::TRILITH_ISA_NAMESPACE

}  // namespace trilith::cones
