#pragma once
#include <vector>

namespace trilith::control {

/// Linear dynamics and a quadratic cost (CTL-9): x[k+1] = A x[k] + B u[k] for k = 0..N-1, states 0..N, cost
/// 1/2 sum ((x - r)'Q (x - r) + u'R u) + 1/2 (x_N - r)'QN (x_N - r). Dense, row-major. Q and QN positive semidefinite, R positive definite.
struct LinearProblem {
  int states = 0, inputs = 0;  ///< numbers in x and in u
  int inputs_in_time = 0;      ///< N
  std::vector<double> A, B, Q, R, QN;
  std::vector<double> reference;  ///< r, one per state
};

}  // namespace trilith::control
