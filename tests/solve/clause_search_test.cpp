#include "solve/clause_search.h"

#include <algorithm>
#include <cstdlib>

#include "gtest/gtest.h"
#include "support/random.h"

namespace trilith::solve {
namespace {

using Clauses = std::vector<std::vector<int>>;

bool holds(const Clauses& clauses, unsigned assignment) {
  return std::all_of(clauses.begin(), clauses.end(), [&](const auto& clause) {
    return std::any_of(clause.begin(), clause.end(),
                       [&](int literal) { return ((assignment >> (std::abs(literal) - 1)) & 1u) == (literal > 0 ? 1u : 0u); });
  });
}

bool has_assignment(const Clauses& clauses, int variables) {
  for (unsigned a = 0; a < (1u << variables); ++a)
    if (holds(clauses, a)) return true;
  return false;
}

/// Decides open variables in order until all are set or nothing is left.
bool search(const Clauses& clauses, int variables, unsigned& assignment, Clauses& learned) {
  ClauseSearch solver(variables);
  for (const auto& clause : clauses) solver.add(clause);
  for (;;) {
    const std::size_t conflict = solver.propagate();
    if (conflict != ClauseSearch::none) {
      const bool more = solver.resolve(conflict);
      learned.emplace_back(solver.learned().begin(), solver.learned().end());
      if (!more) return false;
      continue;
    }
    int open = 0;
    while (open < variables && solver.value(open) != 0) ++open;
    if (open == variables) break;
    solver.decide(open + 1);
  }
  assignment = 0;
  for (int v = 0; v < variables; ++v) assignment |= solver.value(v) > 0 ? 1u << v : 0;
  return true;
}

TEST(ClauseSearchTest, AgreesWithTryingEveryAssignment) {
  test::Random random(9);
  int yes = 0, no = 0;
  for (int problem = 0; problem < 300; ++problem) {
    const int variables = 4 + problem % 9, count = static_cast<int>(4.3 * variables);
    Clauses clauses;
    for (int i = 0; i < count; ++i) {
      std::vector<int> clause;
      while (clause.size() < 3) {
        const int literal = (1 + static_cast<int>(random.uniform(0, variables - .001))) * (random.uniform(0, 1) < .5 ? -1 : 1);
        if (std::find(clause.begin(), clause.end(), literal) == clause.end() &&
            std::find(clause.begin(), clause.end(), -literal) == clause.end())
          clause.push_back(literal);
      }
      clauses.push_back(clause);
    }
    unsigned assignment = 0;
    Clauses learned;
    const bool found = search(clauses, variables, assignment, learned);
    EXPECT_EQ(found, has_assignment(clauses, variables));
    EXPECT_TRUE(!found || holds(clauses, assignment));
    // what was learned follows: no assignment satisfies the clauses and not it
    for (const auto& clause : learned)
      for (unsigned a = 0; a < (1u << variables); ++a) EXPECT_TRUE(!holds(clauses, a) || holds({clause}, a));
    ++(found ? yes : no);
  }
  EXPECT_GT(yes, 30);
  EXPECT_GT(no, 30);
}

}  // namespace
}  // namespace trilith::solve
