#pragma once
#include <gtest/gtest.h>

#include "expect_error.h"
#include "io/mjcf.h"

namespace trilith::io {

/// Reads an MJCF text that must be good.
inline model::ModelInput read_good(const std::string& text) {
  Result<model::ModelInput> input = parse_mjcf(text, "m.xml");
  EXPECT_TRUE(input.ok()) << first_error(input);
  return input ? std::move(input).value() : model::ModelInput{};
}

/// `inside` of <mujoco>.
inline std::string file(const std::string& inside) { return "<mujoco>" + inside + "</mujoco>"; }
/// A world that holds `inside`.
inline std::string world(const std::string& inside) { return file("<worldbody>" + inside + "</worldbody>"); }
/// A free body that holds `inside`.
inline std::string body(const std::string& inside) { return world("<body name='b'><freejoint/>" + inside + "</body>"); }

/// The text is refused, and the first error says `what` at a place that holds `where`.
inline void expect_refused(const std::string& text, const std::string& what, const std::string& where = "m.xml:1:") {
  const Result<model::ModelInput> input = parse_mjcf(text, "m.xml");
  ASSERT_FALSE(input.ok()) << "accepted; wanted: " << what;
  const Error& error = input.errors().front();
  EXPECT_NE(error.what.find(what), std::string::npos) << error.what;
  EXPECT_NE(error.where.find(where), std::string::npos) << error.where;
  EXPECT_EQ(error.what.find('\n'), std::string::npos) << "one line";
  EXPECT_EQ(error.kind, Error::Kind::refused);
}

/// How many warnings say `what`.
inline std::size_t count_told(const model::ModelInput& input, const std::string& what) {
  std::size_t count = 0;
  for (const Warning& warning : input.warnings) count += warning.what.find(what) != std::string::npos;
  return count;
}

inline void expect_vector(const Vec3d& got, const Vec3d& wanted, double tolerance = 1e-14) {
  EXPECT_NEAR(got.x, wanted.x, tolerance);
  EXPECT_NEAR(got.y, wanted.y, tolerance);
  EXPECT_NEAR(got.z, wanted.z, tolerance);
}

}  // namespace trilith::io
