// Householder QR with column pivoting (QP-4).
#include "linalg/pivoted_qr.h"

#include <algorithm>
#include <utility>

#include "base/lanes.h"

namespace trilith::linalg {

PivotedQr::PivotedQr(std::vector<double> a, int rows, int columns, double tolerance)
    : a_(std::move(a)), order_(static_cast<std::size_t>(columns)), rows_(rows), columns_(columns) {
  for (int k = 0; k < columns; ++k) order_[static_cast<std::size_t>(k)] = k;
  head_.reserve(order_.size());
  scale_.reserve(order_.size());
  double largest = 0;
  for (int k = 0; k < columns; ++k) largest = std::max(largest, tail_norm(k, 0));
  for (int k = 0; k < std::min(rows, columns); ++k) {
    int best = k;
    for (int l = k; l < columns; ++l)
      if (tail_norm(l, k) > tail_norm(best, k)) best = l;
    if (!(tail_norm(best, k) > tolerance * largest)) break;
    swap_columns(k, best);
    eliminate(k);
    ++rank_;
  }
}

double PivotedQr::tail_norm(int k, int from) const noexcept {
  double sum = 0;
  for (int i = from; i < rows_; ++i) sum += at(i, k) * at(i, k);
  return sqrt(sum);
}

void PivotedQr::swap_columns(int k, int l) noexcept {
  if (k == l) return;
  std::swap(order_[static_cast<std::size_t>(k)], order_[static_cast<std::size_t>(l)]);
  for (int i = 0; i < rows_; ++i) std::swap(at(i, k), at(i, l));
}

/// Makes column k zero below its diagonal and applies the reflection to the columns behind it.
void PivotedQr::eliminate(int k) noexcept {
  const double length = tail_norm(k, k), alpha = at(k, k) > 0 ? -length : length;
  const double head = at(k, k) - alpha;
  double squared = head * head;
  for (int i = k + 1; i < rows_; ++i) squared += at(i, k) * at(i, k);
  head_.push_back(head);
  scale_.push_back(squared > 0 ? 2 / squared : 0);
  at(k, k) = alpha;
  for (int l = k + 1; l < columns_; ++l)
    reflect(k, std::span(a_).subspan(static_cast<std::size_t>(l) * static_cast<std::size_t>(rows_), static_cast<std::size_t>(rows_)));
}

void PivotedQr::reflect(int k, std::span<double> x) const noexcept {
  const auto first = static_cast<std::size_t>(k);
  double sum = head_[first] * x[first];
  for (int i = k + 1; i < rows_; ++i) sum += at(i, k) * x[static_cast<std::size_t>(i)];
  sum *= scale_[first];
  x[first] -= sum * head_[first];
  for (int i = k + 1; i < rows_; ++i) x[static_cast<std::size_t>(i)] -= sum * at(i, k);
}

void PivotedQr::multiply_q(std::span<double> x) const noexcept {
  for (int k = rank_; k-- > 0;) reflect(k, x);
}

void PivotedQr::multiply_q_transposed(std::span<double> x) const noexcept {
  for (int k = 0; k < rank_; ++k) reflect(k, x);
}

void PivotedQr::solve_r(std::span<double> x) const noexcept {
  for (int i = rank_; i-- > 0;) {
    double sum = x[static_cast<std::size_t>(i)];
    for (int k = i + 1; k < rank_; ++k) sum -= at(i, k) * x[static_cast<std::size_t>(k)];
    x[static_cast<std::size_t>(i)] = sum / at(i, i);
  }
}

void PivotedQr::solve_r_transposed(std::span<double> x) const noexcept {
  for (int i = 0; i < rank_; ++i) {
    double sum = x[static_cast<std::size_t>(i)];
    for (int k = 0; k < i; ++k) sum -= at(k, i) * x[static_cast<std::size_t>(k)];
    x[static_cast<std::size_t>(i)] = sum / at(i, i);
  }
}

}  // namespace trilith::linalg
