#pragma once
#include <string>

#include "constraints/contact_rows.h"
#include "model/assembly.h"

/// OSQP on the equilibrium as its users write it: least norm of the contact forces under A f = b, f_n >= 0 and eight inscribed pyramid
/// faces per vertex; three unknowns per vertex, normalised as ours.
namespace trilith::bench {

/// False where the bench was built without OSQP. Prints its version.
bool announce_osqp();

struct OsqpAnswer {
  std::string status;  ///< its own word; "absent" where it was not built in
  double cpu_s = 0;    ///< set up and solve; 0 where absent
  int iterations = 0;
  double imbalance = 0;   ///< worst |A f - b| of its point, mean block weights
  bool finished = false;  ///< solved or infeasible, not cut off
};

/// `tolerance`: eps_abs and eps_rel, and of its proof that there is none; cut off after `limit_s` of wall time.
OsqpAnswer run_osqp(const constraints::ContactRows& contacts, double tolerance, double limit_s);

}  // namespace trilith::bench
