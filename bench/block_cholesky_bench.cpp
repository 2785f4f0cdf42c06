// Block Cholesky on the graph and matrix of running-bond walls, with CHOLMOD on the same matrix in the same run.
// Arguments: parts of case names to run (none: all but the largest). Exit code 1 where the solutions disagree.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/isa.h"
#include "linalg/block_cholesky.h"
#include "linalg/fixed.h"
#ifdef TRILITH_HAVE_CHOLMOD
#include <dlfcn.h>
#include <suitesparse/cholmod.h>
#endif
#ifdef TRILITH_HAVE_METIS
#include <metis.h>
#endif

namespace trilith::linalg {
namespace {

// ---------------------------------------------------------------------------------------------------------------- walls

struct Joint {
  int a, b;  ///< free blocks; -1 is the ground
  Vec3d corner[4];
  Vec3d normal;
};

struct Wall {
  std::string name;
  std::vector<Vec3d> centre;  ///< of the free blocks, in block lengths
  std::vector<Joint> joints;
  bool rotated = false;
};

struct Course {
  std::vector<double> edge;  ///< x of the block sides
  int first = 0;             ///< index of its first block
};

/// Courses of `nx` whole blocks and, every second one, of nx - 1 whole and two half blocks; length 1, height and depth 1/2.
Wall running_bond(int nx, int ny) {
  Wall wall;
  std::vector<Course> course(ny);
  for (int y = 0; y < ny; ++y) {
    course[y].first = int(wall.centre.size());
    for (int i = 0; i <= nx; ++i) course[y].edge.push_back(i);
    if (y % 2 == 1) {
      for (double& x : course[y].edge) x -= 0.5;
      course[y].edge.front() = 0;
      course[y].edge.push_back(nx);
    }
    for (std::size_t i = 0; i + 1 < course[y].edge.size(); ++i)
      wall.centre.push_back({(course[y].edge[i] + course[y].edge[i + 1]) / 2, 0, y * 0.5 + 0.25});
  }
  const auto bed = [&](int a, int b, double x0, double x1, double z) {
    wall.joints.push_back({a, b, {{x0, -.25, z}, {x1, -.25, z}, {x1, .25, z}, {x0, .25, z}}, {0, 0, 1}});
  };
  for (int y = 0; y < ny; ++y) {
    const Course& here = course[y];
    for (std::size_t i = 0; i + 1 < here.edge.size(); ++i) {
      const int block = here.first + int(i);
      const double x0 = here.edge[i], x1 = here.edge[i + 1], z = y * 0.5;
      if (i > 0) wall.joints.push_back({block - 1, block, {{x0, -.25, z}, {x0, .25, z}, {x0, .25, z + .5}, {x0, -.25, z + .5}}, {1, 0, 0}});
      if (y == 0) bed(-1, block, x0, x1, z);
      for (std::size_t k = 0; y > 0 && k + 1 < course[y - 1].edge.size(); ++k) {
        const double left = std::max(x0, course[y - 1].edge[k]), right = std::min(x1, course[y - 1].edge[k + 1]);
        if (right - left > 1e-9) bed(course[y - 1].first + int(k), block, left, right, z);
      }
    }
  }
  return wall;
}

/// Turns the wall by a rotation without zeros, so that its blocks have none either.
void rotate(Wall& wall) {
  const double q[4] = {0.8, 0.2, 0.4, 0.4};  // unit quaternion
  const auto turn = [&](Vec3d v) {
    const Vec3d u{q[1], q[2], q[3]};
    const Vec3d t = 2.0 * cross(u, v);
    return v + q[0] * t + cross(u, t);
  };
  for (Vec3d& c : wall.centre) c = turn(c);
  for (Joint& joint : wall.joints) {
    joint.normal = turn(joint.normal);
    for (Vec3d& p : joint.corner) p = turn(p);
  }
  wall.rotated = true;
}

/// A H^-1 A' of a wall: one diagonal block per free block, one off-diagonal block per pair (rows `high`, columns `low`), column-major.
struct BlockMatrix {
  BlockPattern pattern;
  std::vector<std::pair<int, int>> pairs;  ///< low < high
  std::vector<double> diagonal, off_diagonal;
};

/// Wrench map of a unit force along `d` at `p` on a body with centre `c`.
void wrench(Vec3d d, Vec3d p, Vec3d c, double (&w)[6]) {
  const Vec3d m = cross(p - c, d);
  const double value[6] = {d.x, d.y, d.z, m.x, m.y, m.z};
  std::copy(value, value + 6, w);
}

void add_outer(const double (&a)[6], const double (&b)[6], double weight, double* block) {
  for (int c = 0; c < 6; ++c)
    for (int r = 0; r < 6; ++r) block[6 * c + r] += weight * a[r] * b[c];
}

void add_joint(const Wall& wall, const Joint& joint, std::mt19937_64& random, double* diagonal, double* pair) {
  const Vec3d side = std::abs(joint.normal.z) < 0.9 ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0};
  const Vec3d t1 = unit(cross(joint.normal, side)), t2 = cross(joint.normal, t1);
  for (const Vec3d& p : joint.corner) {
    const double size = 0.5 + double(random() >> 11) * 0x1p-53;
    const std::pair<Vec3d, double> directions[] = {{joint.normal, size}, {t1, 0.7 * size}, {t2, 0.6 * size}};
    for (const auto& [d, weight] : directions) {
      double high[6], low[6];
      wrench(d, p, wall.centre[joint.b], high);
      add_outer(high, high, weight, diagonal + 36 * joint.b);
      if (joint.a < 0) continue;
      wrench(d, p, wall.centre[joint.a], low);
      add_outer(low, low, weight, diagonal + 36 * joint.a);
      add_outer(high, low, -weight, pair);
    }
  }
}

BlockMatrix make_matrix(const Wall& wall) {
  BlockMatrix m;
  const int n = int(wall.centre.size());
  for (const Joint& joint : wall.joints)
    if (joint.a >= 0) m.pairs.push_back({joint.a, joint.b});
  m.pattern = make_block_pattern(n, m.pairs);
  m.diagonal.assign(std::size_t(36) * n, 0);
  m.off_diagonal.assign(36 * m.pairs.size(), 0);
  std::mt19937_64 random(1);
  double* pair = m.off_diagonal.data();
  for (const Joint& joint : wall.joints) {
    add_joint(wall, joint, random, m.diagonal.data(), pair);
    if (joint.a >= 0) pair += 36;
  }
  return m;
}

std::vector<double> make_right_hand_side(const BlockMatrix& m) {
  std::vector<double> b(m.diagonal.size() / 6);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = i % 6 == 2 ? 1 : 0.1 * double(i % 5);
  return b;
}

// ------------------------------------------------------------------------------------------------------------- measuring

/// Times of one program on one case [s].
struct Times {
  std::vector<double> order, numbers, solve;  ///< order + symbolic; memory + copy + factor; one solve
  double total(std::size_t i) const { return order[i] + numbers[i]; }
};

double median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + long(v.size() / 2), v.end());
  return v[v.size() / 2];
}
double smallest(const std::vector<double>& v) { return *std::min_element(v.begin(), v.end()); }

double report_times(const std::string& label, const Times& t, double entries, double flops) {
  std::vector<double> total(t.order.size());
  for (std::size_t i = 0; i < total.size(); ++i) total[i] = t.total(i);
  std::printf("  %-26s order+symbolic %9.6f  factor %9.6f  total min %9.6f median %9.6f  solve %9.6f  L %.3g  flops %.3g\n", label.c_str(),
              smallest(t.order), smallest(t.numbers), smallest(total), median(total), smallest(t.solve), entries, flops);
  return smallest(total);
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = std::max(difference, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return difference / size;
}

// ------------------------------------------------------------------------------------------------------------------ ours

struct Ours {
  Times times;
  std::vector<double> x;
  double entries = 0, flops = 0;
  FactorReport report;
};

void fill(const BlockMatrix& m, const BlockSymbolic& symbolic, BlockCholesky& cholesky) {
  cholesky.set_zero();
  for (int i = 0; i < m.pattern.blocks(); ++i)
    std::memcpy(cholesky.diagonal(symbolic.position(i)).data(), &m.diagonal[std::size_t(36) * i], 36 * sizeof(double));
  for (std::size_t e = 0; e < m.pairs.size(); ++e) {
    const auto [low, high] = m.pairs[e];
    double* to = cholesky.off_diagonal(symbolic.pair(low, high)).data();
    const double* from = &m.off_diagonal[36 * e];
    if (symbolic.position(high) > symbolic.position(low)) {
      std::memcpy(to, from, 36 * sizeof(double));
    } else {
      for (int c = 0; c < 6; ++c)
        for (int r = 0; r < 6; ++r) to[6 * c + r] = from[6 * r + c];
    }
  }
}

void run_ours(const BlockMatrix& m, const std::vector<double>& b, Ordering ordering, Ours& ours) {
  const std::vector<int> size(std::size_t(m.pattern.blocks()), 6);
  const double start = thread_cpu_seconds();
  const auto symbolic = make_block_symbolic(m.pattern, size, ordering);
  const double planned = thread_cpu_seconds();
  BlockCholesky cholesky(symbolic);
  fill(m, *symbolic, cholesky);
  ours.report = cholesky.factor({});
  const double factored = thread_cpu_seconds();

  std::vector<double> x(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) x[std::size_t(symbolic->row_of(symbolic->position(int(i / 6)))) + i % 6] = b[i];
  const double before = thread_cpu_seconds();
  cholesky.solve(x, 1);
  ours.times.solve.push_back(thread_cpu_seconds() - before);
  ours.times.order.push_back(planned - start);
  ours.times.numbers.push_back(factored - planned);
  ours.x.resize(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) ours.x[i] = x[std::size_t(symbolic->row_of(symbolic->position(int(i / 6)))) + i % 6];
  ours.entries = symbolic->factor_entries();
  ours.flops = symbolic->factor_flops();
}

#ifdef TRILITH_HAVE_METIS
/// The same matrix with its blocks renumbered by nested dissection.
BlockMatrix renumbered_by_metis(const BlockMatrix& m, std::vector<int>& position, double& seconds) {
  idx_t n = m.pattern.blocks();
  std::vector<idx_t> start(m.pattern.start.begin(), m.pattern.start.end()),
      neighbour(m.pattern.neighbour.begin(), m.pattern.neighbour.end());
  std::vector<idx_t> block_at(n), place(n);
  const double before = thread_cpu_seconds();
  METIS_NodeND(&n, start.data(), neighbour.data(), nullptr, nullptr, block_at.data(), place.data());
  seconds = thread_cpu_seconds() - before;
  position.assign(place.begin(), place.end());

  BlockMatrix r = m;
  for (auto& [low, high] : r.pairs) low = position[low], high = position[high];
  r.pattern = make_block_pattern(int(n), r.pairs);
  for (int i = 0; i < n; ++i) std::copy_n(&m.diagonal[std::size_t(36) * i], 36, &r.diagonal[std::size_t(36) * position[i]]);
  return r;
}
#endif

// --------------------------------------------------------------------------------------------------------------- CHOLMOD

#ifdef TRILITH_HAVE_CHOLMOD
struct Peer {
  std::string label;
  int ordering;  ///< CHOLMOD_AMD, CHOLMOD_METIS, or -1 for its own choice
  int kind;      ///< CHOLMOD_SIMPLICIAL, CHOLMOD_SUPERNODAL
  bool keep_zeros = true;
  Times times = {};
  std::vector<double> x = {};
  double entries = 0, flops = 0;
};

void print_blas() {
  using Name = char* (*)();
  using Threads = void (*)(int);
  const auto core = reinterpret_cast<Name>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  const auto threads = reinterpret_cast<Threads>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (threads != nullptr) threads(1);
  if (core != nullptr)
    std::printf("CHOLMOD %d.%d with OpenBLAS kernels: %s, one thread\n", CHOLMOD_MAIN_VERSION, CHOLMOD_SUB_VERSION, core());
  else
    std::printf("CHOLMOD %d.%d, BLAS is not OpenBLAS: no fair peer\n", CHOLMOD_MAIN_VERSION, CHOLMOD_SUB_VERSION);
}

/// Lower triangle by scalar columns; whole 6 x 6 blocks, zeros too unless they are to be dropped.
cholmod_sparse* make_cholmod_matrix(const BlockMatrix& m, bool keep_zeros, cholmod_common& common) {
  const std::size_t rows = m.diagonal.size() / 6, capacity = m.diagonal.size() + m.off_diagonal.size();
  cholmod_triplet* t = cholmod_allocate_triplet(rows, rows, capacity, -1, CHOLMOD_REAL, &common);
  const auto put = [&](int row, int column, double value) {
    if (row < column) return;
    if (value == 0 && !keep_zeros) return;
    static_cast<int*>(t->i)[t->nnz] = row;
    static_cast<int*>(t->j)[t->nnz] = column;
    static_cast<double*>(t->x)[t->nnz++] = value;
  };
  for (int i = 0; i < m.pattern.blocks(); ++i)
    for (int k = 0; k < 36; ++k) put(6 * i + k % 6, 6 * i + k / 6, m.diagonal[std::size_t(36) * i + k]);
  for (std::size_t e = 0; e < m.pairs.size(); ++e)
    for (int k = 0; k < 36; ++k) {
      const int high = 6 * m.pairs[e].second + k % 6, low = 6 * m.pairs[e].first + k / 6;
      put(std::max(high, low), std::min(high, low), m.off_diagonal[36 * e + k]);
    }
  cholmod_sparse* a = cholmod_triplet_to_sparse(t, 0, &common);
  cholmod_free_triplet(&t, &common);
  return a;
}

void run_peer(const BlockMatrix& m, const std::vector<double>& b, Peer& peer) {
  cholmod_common common;
  cholmod_start(&common);
  common.supernodal = peer.kind;
  if (peer.ordering >= 0) {
    common.nmethods = 1;
    common.method[0].ordering = peer.ordering;
  }
  cholmod_sparse* a = make_cholmod_matrix(m, peer.keep_zeros, common);
  const double start = thread_cpu_seconds();
  cholmod_factor* factor = cholmod_analyze(a, &common);
  const double planned = thread_cpu_seconds();
  cholmod_factorize(a, factor, &common);
  const double factored = thread_cpu_seconds();

  cholmod_dense* rhs = cholmod_allocate_dense(b.size(), 1, b.size(), CHOLMOD_REAL, &common);
  std::copy(b.begin(), b.end(), static_cast<double*>(rhs->x));
  const double before = thread_cpu_seconds();
  cholmod_dense* x = cholmod_solve(CHOLMOD_A, factor, rhs, &common);
  peer.times.solve.push_back(thread_cpu_seconds() - before);
  peer.times.order.push_back(planned - start);
  peer.times.numbers.push_back(factored - planned);
  peer.x.assign(static_cast<double*>(x->x), static_cast<double*>(x->x) + b.size());
  peer.entries = common.lnz;
  peer.flops = common.fl;
  cholmod_free_dense(&x, &common);
  cholmod_free_dense(&rhs, &common);
  cholmod_free_factor(&factor, &common);
  cholmod_free_sparse(&a, &common);
  cholmod_finish(&common);
}

/// All orderings and both kinds; the simplicial kind only where it can win, below some thousand blocks.
std::vector<Peer> make_peers(const Wall& wall) {
  std::vector<Peer> peers = {{"CHOLMOD default", -1, CHOLMOD_AUTO},
                             {"CHOLMOD AMD supernodal", CHOLMOD_AMD, CHOLMOD_SUPERNODAL},
                             {"CHOLMOD METIS supernodal", CHOLMOD_METIS, CHOLMOD_SUPERNODAL}};
  if (wall.centre.size() < 3000) peers.push_back({"CHOLMOD AMD simplicial", CHOLMOD_AMD, CHOLMOD_SIMPLICIAL});
  if (!wall.rotated) peers.push_back({"CHOLMOD zeros dropped", CHOLMOD_AMD, CHOLMOD_SUPERNODAL, false});
  return peers;
}
#endif

// ----------------------------------------------------------------------------------------------------------------- cases

/// Runs everything on one wall in turn, so that a busy machine slows all alike. Returns false where solutions disagree.
bool run_case(const Wall& wall, double tolerance) {
  const BlockMatrix m = make_matrix(wall);
  const std::vector<double> b = make_right_hand_side(m);
  std::printf("%s: %zu blocks, %zu interfaces, %d pairs\n", wall.name.c_str(), wall.centre.size(), wall.joints.size(),
              int(m.pattern.neighbour.size() / 2));
  const int repetitions = wall.centre.size() > 20000 ? 3 : std::clamp(int(20000 / wall.centre.size()), 7, 400);
  bool agree = true;
  Ours ours;
#ifdef TRILITH_HAVE_CHOLMOD
  std::vector<Peer> peers = make_peers(wall);
#endif
#ifdef TRILITH_HAVE_METIS
  Ours dissected;
  std::vector<int> position;
#endif
  for (int i = 0; i < repetitions; ++i) {
    run_ours(m, b, Ordering::amd, ours);
#ifdef TRILITH_HAVE_METIS
    double seconds = 0;
    run_ours(renumbered_by_metis(m, position, seconds), b, Ordering::natural, dissected);
    dissected.times.order.back() += seconds;
#endif
#ifdef TRILITH_HAVE_CHOLMOD
    for (Peer& peer : peers) run_peer(m, b, peer);
#endif
  }

  const double mine = report_times("trilith amd", ours.times, ours.entries, ours.flops);
#ifdef TRILITH_HAVE_METIS
  report_times("trilith, order by metis", dissected.times, dissected.entries, dissected.flops);
#endif
  std::printf("  dropped pivots %d, smallest pivot ratio %.2g\n", ours.report.dropped_pivots, ours.report.smallest_pivot_ratio);
#ifdef TRILITH_HAVE_CHOLMOD
  double best = 1e300;
  for (const Peer& peer : peers) {
    const double time = report_times(peer.label, peer.times, peer.entries, peer.flops);
    if (peer.keep_zeros) best = std::min(best, time);
    const double difference = largest_difference(ours.x, peer.x);
    if (!(difference <= tolerance)) {
      std::printf("  DISAGREES with %s by %.3g (relative)\n", peer.label.c_str(), difference);
      agree = false;
    }
  }
  std::printf("  ratio to the best CHOLMOD on the same matrix: %.3f\n", mine / best);
#else
  (void)mine;
  (void)tolerance;
#endif
  return agree;
}

int run(int count, char** arguments) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // a long run shows what it has
  std::printf("instruction set %s; seconds of CPU time, minimum over repetitions unless said otherwise\n",
              std::string(name(active_isa())).c_str());
#ifdef TRILITH_HAVE_CHOLMOD
  print_blas();
#else
  std::printf("CHOLMOD is absent: no peer\n");
#endif
#ifndef TRILITH_HAVE_METIS
  std::printf("metis is absent: no nested dissection\n");
#endif
  const struct {
    const char* name;
    int nx, ny;
    bool on_request;
  } sizes[] = {{"wall-22", 5, 4, false},       {"wall-37", 7, 5, false},        {"wall-59", 8, 7, false},
               {"wall-1020", 25, 40, false},   {"wall-10050", 100, 100, false}, {"long-10005", 1000, 10, true},
               {"wall-40100", 200, 200, true}, {"wall-102560", 320, 320, true}};
  bool agree = true;
  for (const bool turned : {false, true})
    for (const auto& size : sizes) {
      const std::string label = std::string(size.name) + (turned ? "-rotated" : "");
      const auto names_it = [&](const char* part) { return label.find(part) != std::string::npos; };
      const bool wanted = count < 2 ? !size.on_request : std::any_of(arguments + 1, arguments + count, names_it);
      if (!wanted) continue;
      Wall wall = running_bond(size.nx, size.ny);
      wall.name = label;
      if (turned) rotate(wall);
      agree = run_case(wall, 1e-6) && agree;
    }
  return agree ? 0 : 1;
}

}  // namespace
}  // namespace trilith::linalg

int main(int count, char** arguments) { return trilith::linalg::run(count, arguments); }
