#pragma once
#include <string>
#include <vector>

namespace trilith::bench {

/// What both programs start from.
struct ContactStart {
  std::vector<double> q, v, act, warm_start;
};

/// A model in contact, and how long it is looked at.
struct ContactCase {
  std::string name;
  std::string file = {};      ///< of models/; empty: a generated pile
  int boxes = 0;              ///< of the generated pile
  int settle = 0;             ///< steps without control before the start
  double swing = 0;           ///< amplitude of the controls
  int steps = 0;              ///< that are timed
  double bar = 0;             ///< largest share of the peer's time; 0: none
  bool peer = true;           ///< the peer has room for it
  std::string keyframe = {};  ///< start of the settling; empty: the pose of the file
};

/// The same small swing of all controls for both programs.
double control(const ContactCase& c, int step, int i);

/// An MJCF model: boxes of 0.2 x 0.1 x 0.08 m in ten crossed layers on a floor, 2 mm apart.
std::string pile_text(int boxes);

/// Mean times of a step, s, by the clock of the thread whose own cost is taken off.
struct ContactTimes {
  double collision = 0, rows = 0;
  double solve = 0;   ///< of the peer; ours is what is left of the step
  double smooth = 0;  ///< ours: all up to the acceleration without constraints; the peer's is what is left
};
/// What one reading of the thread's clock costs, s.
double clock_cost();

/// Means of a step.
struct ContactCounts {
  double contacts = 0, rows = 0, iterations = 0;
};

}  // namespace trilith::bench
