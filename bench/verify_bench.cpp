// Time of the four judges on running-bond walls: double with error bounds, exact, exact place of the polygons. Checks its own answers.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "base/clock.h"
#include "certify/structures.h"
#include "certify/verify.h"

namespace {

namespace test = trilith::test;
using trilith::thread_cpu_seconds;
using trilith::Vec3d;

struct Times {
  double least = 0, median = 0;
};

template <class Work>
Times measure(int repetitions, const Work& work) {
  std::vector<double> seconds;
  for (int i = 0; i < repetitions; ++i) {
    const double start = thread_cpu_seconds();
    if (!work()) {
      std::printf("wrong answer\n");
      std::exit(1);
    }
    seconds.push_back(thread_cpu_seconds() - start);
  }
  std::sort(seconds.begin(), seconds.end());
  return {seconds.front(), seconds[seconds.size() / 2]};
}

void report(const char* wall, const char* judge, const Times& t) {
  std::printf("%-22s %-24s %9.2f %9.2f\n", wall, judge, 1e3 * t.least, 1e3 * t.median);
}

/// Shears every block of a column sideways off the ground: all contacts slide apart upwards, nothing resists.
void lift_all(test::Structure& s, const Vec3d& up) {
  for (std::size_t i = 0; i < s.bodies.size(); ++i) s.velocities[i].linear = s.bodies[i].fixed ? Vec3d{} : test::scaled(1, up);
  s.gravity = test::scaled(-1, s.gravity);
}

void bench(const char* name, test::Structure s, int repetitions) {
  const auto problem = s.problem();
  report(name, "double", measure(4 * repetitions, [&] { return verify_force_state(problem, s.forces, {}).accepted; }));
  report(name, "exact", measure(repetitions, [&] { return verify_force_state_exact(problem, s.forces, {}).accepted; }));
  report(name, "exact, places", measure(repetitions, [&] { return trilith::certify::find_misplaced_patches(problem, 1e-4, 10).empty(); }));
  test::Structure lifted = s;
  lift_all(lifted, test::scaled(-1, s.gravity));
  const auto weightless = lifted.problem();
  report(name, "double, collapse", measure(4 * repetitions, [&] { return verify_collapse(weightless, lifted.velocities, {}).accepted; }));
  report(name, "exact, collapse", measure(repetitions, [&] { return verify_collapse_exact(weightless, lifted.velocities, {}).accepted; }));
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_short = argc > 1 && std::string(argv[1]) == "--short";
  test::Random random(1);
  std::printf("%-22s %-24s %9s %9s\n", "wall", "judge", "min ms", "median ms");
  const auto turned = [&](const test::Structure& s) {
    return test::translated(test::rotated(s, test::random_rotation(random)), {1e3, 2e3, -3e3});
  };
  bench("1,010 blocks", test::wall(20, 50), is_short ? 1 : 5);
  if (is_short) return 0;
  const test::Structure large = test::wall(100, 100);
  std::printf("%zu free blocks, %zu interfaces, %zu forces\n", large.bodies.size() - 1, large.patches.size(), large.forces.size());
  bench("10,050 blocks", large, 5);
  bench("10,050 blocks, turned", turned(large), 5);
  return 0;
}
