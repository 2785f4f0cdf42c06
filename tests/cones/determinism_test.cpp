// One hash for projections and responses: the same for every lane width, instruction set, compiler and optimisation level.
#include <gtest/gtest.h>

#include <vector>

#include "base/hash.h"
#include "cones/batch.h"
#include "cones/box.h"
#include "cones/cones_kernel.h"
#include "cones/disc.h"
#include "cones/elliptic.h"
#include "cones/pyramid.h"
#include "support/random.h"

namespace trilith::test {
namespace {

using cones::Block;

constexpr std::size_t problems = 1024, inputs = 9, outputs = 60;

/// Component-major: entry k of problem i at k * problems + i. Made of sums and products only, never of libm.
template <class S>
struct Table {
  std::vector<S> in = std::vector<S>(inputs * problems), out = std::vector<S>(outputs * problems);
  Table() {
    Random random(70);
    for (std::size_t k = 0; k < inputs; ++k)
      for (std::size_t i = 0; i < problems; ++i) {
        const double sum = random.uniform(-1, 1) + random.uniform(-1, 1) + random.uniform(-1, 1);
        in[k * problems + i] = static_cast<S>(k < 3 || k == 8 ? sum : random.uniform(0.25, 2.5));  // rows and shift; coefficients, weights
      }
  }
  std::uint64_t hash() const {
    Hash64 h;
    h.add(std::span<const S>(out));
    return h.value();
  }
};

template <class S>
TRI_INLINE S load(const S* p, S*) {
  return *p;
}
template <class S, int N>
TRI_INLINE Lanes<S, N> load(const S* p, Lanes<S, N>*) {
  return Lanes<S, N>::load(p);
}
template <class S>
TRI_INLINE void store(S a, S* p) {
  *p = a;
}
template <class S, int N>
TRI_INLINE void store(Lanes<S, N> a, S* p) {
  a.store(p);
}

template <class T>
struct Writer {
  using S = typename ScalarOf<T>::type;
  S* at;
  TRI_INLINE void add(T value) { store(value, at), at += problems; }
  template <int D>
  TRI_INLINE void add(const cones::Response<T, D>& r) {
    add(r.value);
    for (int i = 0; i < D; ++i) add(r.force[i]);
    for (int i = 0; i < D; ++i)
      for (int j = i; j < D; ++j) add(r.hessian.m[i][j]);
  }
};

/// Responses of every set for the problems [i, i + width of T).
template <class T>
TRI_INLINE void respond_all(const cones::PyramidFaces& faces, typename ScalarOf<T>::type* in, typename ScalarOf<T>::type* out) {
  T a[inputs];
  for (std::size_t k = 0; k < inputs; ++k) a[k] = load(in + k * problems, static_cast<T*>(nullptr));
  const Block<T, 3> x = {{a[0], a[1], a[2]}}, R = {{a[5], a[6], a[7]}}, even = {{a[5], a[6], a[6]}}, shift = {{a[8], T(0), a[8]}};
  Writer<T> w = {out};
  w.add(respond(cones::FrictionCone<T>{a[3]}, x, even, shift));
  w.add(respond(cones::Elliptic<T, 3>{{{a[3], a[4]}}}, x, R, shift));
  w.add(respond_contact(cones::Elliptic<T, 3>{{{a[3], a[4]}}}, x, a[5], a[6], shift));
  w.add(respond(cones::make_pyramid<T>(faces, a[3]), x, even, shift));
  w.add(respond(cones::Disc<T, 2>{a[3]}, {{a[1], a[2]}}, {{a[6], a[7]}}, {{a[8], a[8]}}));
  w.add(respond(cones::Box<T>{T(0) - a[3], a[4]}, {{a[0]}}, {{a[5]}}, {{a[8]}}));
  w.add(cones::FrictionCone<T>{a[3]}.barrier(x, {a[6], a[7]}).value);
  for (const T v : cones::FrictionCone<T>{a[3]}.project(x).v) w.add(v);
}

template <class T, int Width>
TRI_INLINE void respond_table(const cones::PyramidFaces& faces, Table<typename ScalarOf<T>::type>& table) {
  for (std::size_t i = 0; i < problems; i += Width) respond_all<T>(faces, table.in.data() + i, table.out.data() + i);
}

#define TRI_TEST_RUNS(name, ...)                                                                                     \
  __VA_ARGS__ void name##_scalar(const cones::PyramidFaces& f, Table<double>& t) { respond_table<double, 1>(f, t); } \
  __VA_ARGS__ void name##_lanes(const cones::PyramidFaces& f, Table<double>& t) { respond_table<Double8, 8>(f, t); } \
  __VA_ARGS__ void name##_scalar(const cones::PyramidFaces& f, Table<float>& t) { respond_table<float, 1>(f, t); }   \
  __VA_ARGS__ void name##_lanes(const cones::PyramidFaces& f, Table<float>& t) { respond_table<Float16, 16>(f, t); }
TRI_TEST_RUNS(baseline)
TRI_TEST_RUNS(v3, __attribute__((target("arch=x86-64-v3"))))
TRI_TEST_RUNS(v4, __attribute__((target("arch=x86-64-v4"))))
#undef TRI_TEST_RUNS

constexpr std::uint64_t expected_double = 0xb7c82e622eb5cbf5, expected_float = 0xe2890b748fc877eb, expected_batch = 0x94e3144e2d10bdd4;

template <class S>
using Run = void (*)(const cones::PyramidFaces&, Table<S>&);

template <class S>
std::uint64_t hash_of_run(Run<S> run) {
  static const cones::PyramidFaces faces = cones::make_pyramid_faces(8).value();
  Table<S> table;
  run(faces, table);
  return table.hash();
}

TEST(ConesDeterminismTest, ResponsesHaveOneHash) {
  EXPECT_EQ(hex(hash_of_run<double>(baseline_scalar)), hex(expected_double));
  EXPECT_EQ(hex(hash_of_run<double>(baseline_lanes)), hex(expected_double));
  EXPECT_EQ(hex(hash_of_run<float>(baseline_scalar)), hex(expected_float));
  EXPECT_EQ(hex(hash_of_run<float>(baseline_lanes)), hex(expected_float));
}

TEST(ConesDeterminismTest, ResponsesHaveOneHashOnV3) {
  if (!has_isa(Isa::v3)) GTEST_SKIP() << "this CPU has no x86-64-v3";
  EXPECT_EQ(hex(hash_of_run<double>(v3_scalar)), hex(expected_double));
  EXPECT_EQ(hex(hash_of_run<double>(v3_lanes)), hex(expected_double));
  EXPECT_EQ(hex(hash_of_run<float>(v3_scalar)), hex(expected_float));
  EXPECT_EQ(hex(hash_of_run<float>(v3_lanes)), hex(expected_float));
}

TEST(ConesDeterminismTest, ResponsesHaveOneHashOnV4) {
  if (!has_isa(Isa::v4)) GTEST_SKIP() << "this CPU has no x86-64-v4";
  EXPECT_EQ(hex(hash_of_run<double>(v4_scalar)), hex(expected_double));
  EXPECT_EQ(hex(hash_of_run<double>(v4_lanes)), hex(expected_double));
  EXPECT_EQ(hex(hash_of_run<float>(v4_scalar)), hex(expected_float));
  EXPECT_EQ(hex(hash_of_run<float>(v4_lanes)), hex(expected_float));
}

TEST(ConesDeterminismTest, KernelsHaveOneHash) {
  for (const Isa isa : {Isa::baseline, Isa::v3, Isa::v4}) {
    if (!has_isa(isa)) continue;
    Table<double> t;
    double* column = t.in.data();
    const cones::ConesKernel& kernel = cones::cones_kernel_of(isa);
    // an odd length, so that the scalar tail runs too
    kernel.project_contacts(problems - 3, column + 3 * problems, column, column + problems, column + 2 * problems);
    kernel.project_boxes(problems - 3, column + 4 * problems, column + 5 * problems, column + 8 * problems);
    EXPECT_EQ(hex(hash_of(t.in)), hex(expected_batch)) << name(isa);
  }
}

}  // namespace
}  // namespace trilith::test
