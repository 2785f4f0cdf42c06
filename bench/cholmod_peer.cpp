#include "cholmod_peer.h"

#include <algorithm>
#include <cstdio>

#include "base/clock.h"
#include "solve/body_graph.h"
#ifdef TRILITH_HAVE_CHOLMOD
#include <dlfcn.h>
#include <suitesparse/cholmod.h>
#endif

namespace trilith::bench {

double CholmodPeer::best() const {
  double best = 1e300;
  for (const CholmodWay& way : ways_)
    for (const double seconds : way.total) best = std::min(best, seconds);
  return best < 1e300 ? best : 0;
}

#ifdef TRILITH_HAVE_CHOLMOD

namespace {

constexpr int small_case = 500;  // blocks: the simplicial kind is far behind beyond

/// Pairs of free bodies that touch: for each body the later ones.
std::vector<std::vector<int>> later_neighbours(const rows::PatchRows& rows) {
  std::vector<std::vector<int>> later(static_cast<std::size_t>(rows.blocks()));
  for (const rows::PatchGroup& group : rows.groups())
    for (int lane = 0; lane < rows::patch_lanes; ++lane) {
      const int a = group.block_a[lane], b = group.block_b[lane];
      if (a >= 0 && b >= 0) later[static_cast<std::size_t>(std::min(a, b))].push_back(std::max(a, b));
    }
  for (std::vector<int>& list : later) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return later;
}

/// Lower triangle by scalar columns, whole 6 x 6 blocks.
cholmod_sparse* make_matrix(const constraints::ContactRows& contacts, cholmod_common& common) {
  solve::BodyGraph system(contacts.rows);
  system.set_weights({});
  const int bodies = contacts.rows.blocks();
  const std::vector<std::vector<int>> later = later_neighbours(contacts.rows);
  auto blocks = static_cast<std::size_t>(bodies);
  for (const std::vector<int>& list : later) blocks += list.size();
  const auto size = static_cast<std::size_t>(6 * bodies);
  cholmod_triplet* t = cholmod_allocate_triplet(size, size, 36 * blocks, -1, CHOLMOD_REAL, &common);
  double block[36];
  const auto put = [&](int row, int column) {
    system.write_block(row, column, block);
    for (int k = 0; k < 36; ++k) {
      const int r = 6 * row + k % 6, c = 6 * column + k / 6;
      if (r < c) continue;
      static_cast<int*>(t->i)[t->nnz] = r;
      static_cast<int*>(t->j)[t->nnz] = c;
      static_cast<double*>(t->x)[t->nnz++] = block[k];
    }
  };
  for (int body = 0; body < bodies; ++body) {
    put(body, body);
    for (const int other : later[static_cast<std::size_t>(body)]) put(other, body);
  }
  cholmod_sparse* a = cholmod_triplet_to_sparse(t, 0, &common);
  cholmod_free_triplet(&t, &common);
  return a;
}

}  // namespace

struct CholmodPeer::State {
  cholmod_common common;
  cholmod_sparse* matrix = nullptr;
};

bool announce_cholmod() {
  const auto core = reinterpret_cast<char* (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  const auto threads = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (threads != nullptr) threads(1);
  std::printf("CHOLMOD %d.%d, %s%s\n", CHOLMOD_MAIN_VERSION, CHOLMOD_SUB_VERSION,
              core != nullptr ? "one thread, OpenBLAS kernels " : "BLAS is not OpenBLAS: no fair peer", core != nullptr ? core() : "");
  return true;
}

CholmodPeer::CholmodPeer(const constraints::ContactRows& contacts) : state_(new State) {
  cholmod_start(&state_->common);
  state_->matrix = make_matrix(contacts, state_->common);
  ways_ = {{"default", -1, CHOLMOD_AUTO},
           {"AMD supernodal", CHOLMOD_AMD, CHOLMOD_SUPERNODAL},
           {"METIS supernodal", CHOLMOD_METIS, CHOLMOD_SUPERNODAL}};
  if (contacts.rows.blocks() < small_case) ways_.push_back({"AMD simplicial", CHOLMOD_AMD, CHOLMOD_SIMPLICIAL});
}

CholmodPeer::~CholmodPeer() {
  cholmod_free_sparse(&state_->matrix, &state_->common);
  cholmod_finish(&state_->common);
  delete state_;
}

void CholmodPeer::run() {
  cholmod_common& common = state_->common;
  for (CholmodWay& way : ways_) {
    common.supernodal = way.kind;
    common.nmethods = way.ordering >= 0 ? 1 : 0;
    if (way.ordering >= 0) common.method[0].ordering = way.ordering;
    const double start = thread_cpu_seconds();
    cholmod_factor* factor = cholmod_analyze(state_->matrix, &common);
    cholmod_factorize(state_->matrix, factor, &common);
    way.total.push_back(thread_cpu_seconds() - start);
    cholmod_free_factor(&factor, &common);
  }
}

#else

bool announce_cholmod() {
  std::printf("CHOLMOD is absent: no peer\n");
  return false;
}

struct CholmodPeer::State {};
CholmodPeer::CholmodPeer(const constraints::ContactRows&) {}
CholmodPeer::~CholmodPeer() = default;
void CholmodPeer::run() {}

#endif

}  // namespace trilith::bench
