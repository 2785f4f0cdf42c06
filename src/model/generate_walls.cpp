#include <algorithm>

#include "base/check.h"
#include "model/generate_parts.h"

namespace trilith::model {
namespace {

/// Running bond on a grid of half blocks: places along x count half blocks from the left end.
class Courses {
 public:
  Courses(AssemblyInput& input, const Vec3d& block, bool half_first) : input_(input), block_(block), half_first_(half_first) {}

  double x(int half) const { return 0.5 * half * block_.x; }
  double low(int row) const { return row * block_.z; }
  const Vec3d& block() const { return block_; }

  /// The stones of one course between two places, cut where the bond has its joints.
  void lay(int row, int from, int to) { lay_between(row, from, to, 0, 0); }

  /// The same with the left or the right end of the part leaning towards +x by so much over the course.
  void lay_between(int row, int from, int to, double lean_left, double lean_right) {
    if (row != row_) row_ = row, column_ = 0;
    for (int left = from; left < to;) {
      const int right = std::min(to, next_joint(row, left));
      const double z0 = low(row), z1 = low(row + 1);
      const Vec3d quad[4] = {at(x(left), z0), at(x(right), z0), at(x(right) + (right == to ? lean_right : 0), z1),
                             at(x(left) + (left == from ? lean_left : 0), z1)};
      add_block(input_, numbered(numbered("r", row) + "c", column_++), make_prism(quad, 0, block_.y));
      left = right;
    }
  }

 private:
  int next_joint(int row, int place) const {
    const bool odd = (row % 2 == 1) != half_first_;
    return place + ((place % 2 == 1) == odd ? 2 : 1);
  }

  AssemblyInput& input_;
  Vec3d block_;
  bool half_first_;
  int row_ = -1, column_ = 0;
};

/// The stones of a flat arch in a course, from place `left` to its mirror image, its outer joints leaning outwards by `lean`. Joints divide
/// the soffit and the back alike; both ends lie exactly on the stones beside.
void add_flat_arch(AssemblyInput& input, const OpeningOptions& options, const Courses& courses, int row, int left, double lean) {
  const auto place = [&](int joint, double spread) {
    const double from = courses.x(left) - spread, to = courses.x(2 * options.columns - left) + spread;
    return joint == options.voussoirs ? to : from + (to - from) * joint / options.voussoirs;
  };
  const double low = courses.low(row), high = courses.low(row + 1);
  for (int i = 0; i < options.voussoirs; ++i) {
    const Vec3d quad[4] = {at(place(i, 0), low), at(place(i + 1, 0), low), at(place(i + 1, lean), high), at(place(i, lean), high)};
    add_block(input, numbered("v", i + 1), make_prism(quad, 0, options.depth));
  }
}

}  // namespace

std::vector<Error> faults(const WallOptions& o) {
  FaultList list;
  list.courses(o.columns, o.rows, o.length, o.height, o.depth);
  list.length("--ground", o.ground_height);
  list.blocks("--rows", double(o.columns) * o.rows);
  return list.take();
}

AssemblyInput generate_wall(const WallOptions& options) {
  TRI_CHECK(faults(options).empty());
  AssemblyInput input = named("wall");
  const double wide = options.columns * options.length;
  add_block(input, "ground", make_box({0, 0, -options.ground_height}, {wide, options.depth, 0}), true);
  for (int row = 0; row < options.rows; ++row) {
    // an odd course starts and ends with half a block
    const double low = row * options.height, high = (row + 1) * options.height;
    const int count = row % 2 == 0 ? options.columns : options.columns + 1;
    for (int column = 0; column < count; ++column) {
      const double shift = row % 2 == 0 ? 0 : -0.5;
      const double left = std::max(0.0, (column + shift) * options.length), right = std::min(wide, (column + 1 + shift) * options.length);
      add_block(input, numbered(numbered("r", row) + "c", column), make_box({left, 0, low}, {right, options.depth, high}));
    }
  }
  return input;
}

std::vector<Error> faults(const PublishedWallOptions& o) {
  FaultList list;
  list.count("--number", o.number, 1, 3);
  return list.take();
}

AssemblyInput generate_published_wall(const PublishedWallOptions& options) {
  TRI_CHECK(faults(options).empty());
  AssemblyInput input = named("published-wall");
  input.friction = 0.65;
  const Vec3d block{0.4, 1, 0.175};
  const bool third = options.number == 3;
  const int rows = third ? 11 : options.number == 2 ? 10 : 6, wide = third ? 8 : 10;
  Courses courses(input, block, !third);
  add_block(input, "ground", make_box({0, 0, -block.z}, {courses.x(wide), block.y, 0}), true);
  for (int row = 0; row < rows; ++row) {
    // the third wall has an opening of one block in its courses 4 to 8
    const bool opening = third && row >= 3 && row <= 7;
    courses.lay(row, 0, opening ? 3 : wide);
    if (opening) courses.lay(row, 5, wide);
  }
  return input;
}

std::vector<Error> faults(const OpeningOptions& o) {
  FaultList list;
  list.count("--columns", o.columns, 2);
  list.count("--rows", o.rows, 2);
  list.count("--opening-columns", o.opening_columns);
  list.count("--opening-rows", o.opening_rows);
  list.count("--sill", o.sill_rows, 0);
  list.length("--length", o.length);
  list.length("--height", o.height);
  list.length("--depth", o.depth);
  list.count("--voussoirs", o.voussoirs);
  list.degrees("--skew", o.skew, 0, 80);
  list.need(o.opening_columns < o.columns, "--opening-columns", "the opening must be narrower than the wall");
  list.need(double(o.sill_rows) + o.opening_rows < o.rows, "--opening-rows", "the opening must end below the top course");
  if (o.top == OpeningOptions::Top::arch)
    list.need(o.height * tangent(o.skew) < 0.45 * o.length, "--skew", "the joints of the flat arch must lean by less than .45 of a block");
  list.blocks("--rows", double(o.columns) * o.rows);
  return list.take();
}

AssemblyInput generate_opening(const OpeningOptions& options) {
  TRI_CHECK(faults(options).empty());
  AssemblyInput input = named("opening");
  Courses courses(input, {options.length, options.depth, options.height}, false);
  const int wide = 2 * options.columns, left = options.columns - options.opening_columns, right = wide - left;
  add_block(input, "ground", make_box({0, 0, -options.height}, {courses.x(wide), options.depth, 0}), true);

  const int top = options.sill_rows + options.opening_rows;
  const double lean = options.height * tangent(options.skew);
  for (int row = 0; row < options.rows; ++row) {
    if (row >= options.sill_rows && row < top) {
      courses.lay(row, 0, left);
      courses.lay(row, right, wide);
    } else if (row == top && options.top == OpeningOptions::Top::lintel) {
      courses.lay(row, 0, left - 1);
      add_block(input, "lintel",
                make_box({courses.x(left - 1), 0, courses.low(row)}, {courses.x(right + 1), options.depth, courses.low(row + 1)}));
      courses.lay(row, right + 1, wide);
    } else if (row == top && options.top == OpeningOptions::Top::arch) {
      courses.lay_between(row, 0, left, 0, -lean);
      add_flat_arch(input, options, courses, row, left, lean);
      courses.lay_between(row, right, wide, lean, 0);
    } else {
      courses.lay(row, 0, wide);
    }
  }
  return input;
}

}  // namespace trilith::model
