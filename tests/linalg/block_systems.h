#pragma once
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "linalg/block_cholesky.h"
#include "support/random.h"

/// Systems for the tests of the block Cholesky, and the plain dense arithmetic they are compared with.
namespace trilith::test {

using Edges = std::vector<std::pair<int, int>>;

inline Edges chain(int blocks) {
  Edges edges;
  for (int i = 0; i + 1 < blocks; ++i) edges.push_back({i, i + 1});
  return edges;
}
inline Edges grid(int nx, int ny) {
  Edges edges;
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      if (x + 1 < nx) edges.push_back({y * nx + x, y * nx + x + 1});
      if (y + 1 < ny) edges.push_back({y * nx + x, y * nx + x + nx});
    }
  return edges;
}
inline Edges binary_tree(int blocks) {
  Edges edges;
  for (int i = 1; i < blocks; ++i) edges.push_back({i, (i - 1) / 2});
  return edges;
}
inline Edges complete(int blocks) {
  Edges edges;
  for (int i = 0; i < blocks; ++i)
    for (int j = 0; j < i; ++j) edges.push_back({i, j});
  return edges;
}
inline Edges random_edges(int blocks, int count, Random& random) {
  Edges edges;
  for (int i = 0; i < count; ++i) edges.push_back({int(random.index(blocks)), int(random.index(blocks))});
  return edges;
}

/// A symmetric matrix of blocks, stored dense and column-major, rows in the order of the blocks.
struct System {
  linalg::BlockPattern pattern;
  std::vector<int> size, row;  ///< scalar size and first row of every block
  std::vector<double> a;
  int rows() const { return row.back(); }
  double& at(int i, int j) { return a[std::size_t(j) * rows() + i]; }
  double at(int i, int j) const { return a[std::size_t(j) * rows() + i]; }
};

inline System make_system(int blocks, const Edges& edges, std::vector<int> size) {
  System s{linalg::make_block_pattern(blocks, edges), std::move(size), {0}, {}};
  for (const int n : s.size) s.row.push_back(s.row.back() + n);
  s.a.assign(std::size_t(s.rows()) * s.rows(), 0);
  return s;
}

/// A += v v' for a random v on blocks a and b, `count` times: what rows of contact do.
inline void add_rows(System& s, int a, int b, int count, Random& random) {
  std::vector<int> index;
  for (const int block : {a, b})
    for (int i = 0; i < s.size[block]; ++i) index.push_back(s.row[block] + i);
  if (a == b) index.resize(s.size[a]);
  for (int k = 0; k < count; ++k) {
    std::vector<double> v;
    for (std::size_t i = 0; i < index.size(); ++i) v.push_back(random.uniform(-1, 1));
    for (std::size_t i = 0; i < index.size(); ++i)
      for (std::size_t j = 0; j < index.size(); ++j) s.at(index[i], index[j]) += v[i] * v[j];
  }
}

/// Positive definite: random rows on every edge, and `ground` on every diagonal entry.
inline System random_system(int blocks, const Edges& edges, std::vector<int> size, Random& random, double ground = 0.5) {
  System s = make_system(blocks, edges, std::move(size));
  for (int i = 0; i < blocks; ++i)
    for (int k = s.pattern.start[i]; k < s.pattern.start[i + 1]; ++k)
      if (s.pattern.neighbour[k] > i) add_rows(s, i, s.pattern.neighbour[k], 3, random);
  for (int i = 0; i < s.rows(); ++i) s.at(i, i) += ground;
  return s;
}

inline std::vector<double> random_vector(int size, Random& random) {
  std::vector<double> v(size);
  for (double& x : v) x = random.uniform(-1, 1);
  return v;
}

/// Copies the blocks of the pattern into `cholesky`.
inline void fill(const System& s, linalg::BlockCholesky& cholesky) {
  const linalg::BlockSymbolic& symbolic = cholesky.symbolic();
  cholesky.set_zero();
  for (int i = 0; i < s.pattern.blocks(); ++i) {
    const auto block = cholesky.diagonal(symbolic.position(i));
    for (int c = 0; c < s.size[i]; ++c)
      for (int r = 0; r < s.size[i]; ++r) block[std::size_t(c) * s.size[i] + r] = s.at(s.row[i] + r, s.row[i] + c);
    for (int k = s.pattern.start[i]; k < s.pattern.start[i + 1]; ++k) {
      const int j = s.pattern.neighbour[k];
      if (symbolic.position(j) < symbolic.position(i)) continue;
      const auto pair = cholesky.off_diagonal(symbolic.pair(i, j));
      for (int c = 0; c < s.size[i]; ++c)
        for (int r = 0; r < s.size[j]; ++r) pair[std::size_t(c) * s.size[j] + r] = s.at(s.row[j] + r, s.row[i] + c);
    }
  }
}

/// Elimination row of every row of the system.
inline std::vector<int> elimination_rows(const System& s, const linalg::BlockSymbolic& symbolic) {
  std::vector<int> result;
  for (int i = 0; i < s.pattern.blocks(); ++i)
    for (int k = 0; k < s.size[i]; ++k) result.push_back(symbolic.row_of(symbolic.position(i)) + k);
  return result;
}

/// Solves for several right-hand sides, each in the order of the system.
inline std::vector<std::vector<double>> solve(const System& s, linalg::BlockCholesky& cholesky, const std::vector<std::vector<double>>& b) {
  const int sides = int(b.size());
  const std::vector<int> to = elimination_rows(s, cholesky.symbolic());
  std::vector<double> x(std::size_t(s.rows()) * sides);
  for (int q = 0; q < sides; ++q)
    for (int i = 0; i < s.rows(); ++i) x[std::size_t(to[i]) * sides + q] = b[q][i];
  cholesky.solve(x, sides);
  std::vector<std::vector<double>> result(sides, std::vector<double>(s.rows()));
  for (int q = 0; q < sides; ++q)
    for (int i = 0; i < s.rows(); ++i) result[q][i] = x[std::size_t(to[i]) * sides + q];
  return result;
}

inline linalg::BlockCholesky make_cholesky(const System& s, linalg::Ordering ordering = linalg::Ordering::amd) {
  linalg::BlockCholesky cholesky(linalg::make_block_symbolic(s.pattern, s.size, ordering));
  fill(s, cholesky);
  return cholesky;
}

/// Textbook dense Cholesky and substitution.
inline std::vector<double> dense_solve(const System& s, std::vector<double> x) {
  const int n = s.rows();
  std::vector<double> l = s.a;
  const auto at = [&](int i, int j) -> double& { return l[std::size_t(j) * n + i]; };
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < j; ++k)
      for (int i = j; i < n; ++i) at(i, j) -= at(i, k) * at(j, k);
    at(j, j) = std::sqrt(at(j, j));
    for (int i = j + 1; i < n; ++i) at(i, j) /= at(j, j);
  }
  for (int j = 0; j < n; ++j) {
    x[j] /= at(j, j);
    for (int i = j + 1; i < n; ++i) x[i] -= at(i, j) * x[j];
  }
  for (int j = n - 1; j >= 0; --j) {
    for (int i = j + 1; i < n; ++i) x[j] -= at(i, j) * x[i];
    x[j] /= at(j, j);
  }
  return x;
}

inline std::vector<double> multiply(const System& s, const std::vector<double>& x) {
  std::vector<double> y(s.rows(), 0.0);
  for (int j = 0; j < s.rows(); ++j)
    for (int i = 0; i < s.rows(); ++i) y[i] += s.at(i, j) * x[j];
  return y;
}

inline double largest(const std::vector<double>& v) {
  double r = 0;
  for (const double x : v) r = std::max(r, std::abs(x));
  return r;
}

/// Largest difference over the largest entry of b.
inline double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double r = 0;
  for (std::size_t i = 0; i < a.size(); ++i) r = std::max(r, std::abs(a[i] - b[i]));
  return r / std::max(largest(b), 1e-300);
}

}  // namespace trilith::test
