#include "contact_peer.h"

#include <algorithm>
#include <cstdio>

#include "base/clock.h"

#ifdef TRILITH_HAVE_MUJOCO
#include <mujoco/mujoco.h>

namespace trilith::bench {
namespace {

constexpr int contacts_of_box = 24, rows_of_contact = 4;  // of pyramids of condim 3

mjtNum seconds() { return thread_cpu_seconds(); }

}  // namespace

ContactPeer::ContactPeer(const std::string& path, int boxes) {
  char error[1000] = "";
  mjModel* m = mj_loadXML(path.c_str(), nullptr, error, sizeof error);
  if (m == nullptr) {
    std::printf("MuJoCo cannot read %s: %s\n", path.c_str(), error);
    return;
  }
  if (boxes > 0) m->nconmax = std::max(m->nconmax, contacts_of_box * boxes);
  if (boxes > 0) m->njmax = std::max(m->njmax, rows_of_contact * m->nconmax);
  model_ = m;
  data_ = mj_makeData(m);
}

ContactPeer::~ContactPeer() {
  if (data_ != nullptr) mj_deleteData(static_cast<mjData*>(data_));
  if (model_ != nullptr) mj_deleteModel(static_cast<mjModel*>(model_));
}

bool ContactPeer::warned() const {
  const auto* d = static_cast<const mjData*>(data_);
  return std::any_of(d->warning, d->warning + mjNWARNING, [](const mjWarningStat& w) { return w.number > 0; });
}

ContactStart ContactPeer::settle(const ContactCase& c) {
  const auto* m = static_cast<const mjModel*>(model_);
  auto* d = static_cast<mjData*>(data_);
  const int key = c.keyframe.empty() ? -1 : mj_name2id(m, mjOBJ_KEY, c.keyframe.c_str());
  mj_resetDataKeyframe(m, d, key);
  for (int step = 0; step < c.settle; ++step) mj_step(m, d);
  if (warned()) std::printf("%s: MuJoCo warned while it settled\n", c.name.c_str());
  return {{d->qpos, d->qpos + m->nq}, {d->qvel, d->qvel + m->nv}, {d->act, d->act + m->na}, {d->qacc_warmstart, d->qacc_warmstart + m->nv}};
}

bool ContactPeer::run(const ContactCase& c, const ContactStart& start, ContactCounts* counts, ContactTimes* times) {
  const auto* m = static_cast<const mjModel*>(model_);
  auto* d = static_cast<mjData*>(data_);
  mj_resetData(m, d);
  std::ranges::copy(start.q, d->qpos), std::ranges::copy(start.v, d->qvel), std::ranges::copy(start.act, d->act);
  std::ranges::copy(start.warm_start, d->qacc_warmstart);
  mjcb_time = times != nullptr ? seconds : nullptr;
  for (int step = 0; step < c.steps; ++step) {
    for (int i = 0; i < m->nu; ++i) d->ctrl[i] = control(c, step, i);
    mj_step(m, d);
    if (counts == nullptr) continue;
    counts->contacts += d->ncon / double(c.steps), counts->rows += d->nefc / double(c.steps);
    counts->iterations += d->solver_iter / double(c.steps);
  }
  mjcb_time = nullptr;
  if (times != nullptr) {
    const auto mean = [&](int timer) { return d->timer[timer].duration / c.steps - clock_cost(); };
    times->collision = mean(mjTIMER_POS_COLLISION), times->rows = mean(mjTIMER_POS_MAKE), times->solve = mean(mjTIMER_CONSTRAINT);
  }
  return !warned();
}

}  // namespace trilith::bench

#else

namespace trilith::bench {

ContactPeer::ContactPeer(const std::string&, int) { std::printf("MuJoCo is absent (libmujoco-dev): no peer\n"); }
ContactPeer::~ContactPeer() = default;
ContactStart ContactPeer::settle(const ContactCase&) { return {}; }
bool ContactPeer::run(const ContactCase&, const ContactStart&, ContactCounts*, ContactTimes*) { return false; }

}  // namespace trilith::bench
#endif
