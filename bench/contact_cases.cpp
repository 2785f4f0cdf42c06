#include "contact_cases.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/clock.h"

namespace trilith::bench {

double control(const ContactCase& c, int step, int i) { return c.swing * std::sin(0.01 * step + i); }

double clock_cost() {
  static const double cost = [] {
    constexpr int calls = 1000;
    double least = 1;
    for (int repetition = 0; repetition < 20; ++repetition) {
      const double begin = thread_cpu_seconds();
      for (int i = 1; i < calls; ++i) (void)thread_cpu_seconds();
      least = std::min(least, (thread_cpu_seconds() - begin) / calls);
    }
    return least;
  }();
  return cost;
}

std::string pile_text(int boxes) {
  constexpr int layers = 10;
  const int each = boxes / layers;
  const int across = static_cast<int>(std::lround(std::sqrt(each / 2.0)));  // of the long sides; twice as many of the short ones
  std::string text = R"(<mujoco model="pile"><option timestep=".002"/>
<default><geom density="2000" friction=".7 .005 .0001" condim="3"/></default>
<worldbody><geom name="floor" type="plane" size="9 9 .1"/>
)";
  for (int i = 0; i < boxes; ++i) {
    const int layer = i / each, place = i % each, row = place / across;
    const double along = 0.205 * (place % across), aside = 0.105 * row, z = 0.042 + 0.082 * layer;
    const bool crossed = layer % 2 == 1;
    char line[200];
    std::snprintf(line, sizeof line, R"(<body pos="%.4f %.4f %.4f"%s><freejoint/><geom type="box" size=".1 .05 .04"/></body>)",
                  crossed ? aside : along, crossed ? along : aside, z, crossed ? " euler=\"0 0 90\"" : "");
    text += line;
    text += '\n';
  }
  return text + "</worldbody></mujoco>\n";
}

}  // namespace trilith::bench
