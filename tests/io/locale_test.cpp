#include <gtest/gtest.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>

#include "io/json.h"
#include "io/mjcf.h"
#include "io/obj.h"
#include "io/temporary_folder.h"

// A program that runs in a locale with a decimal comma reads and writes the same files.
namespace trilith::io {
namespace {

/// A locale with a decimal comma while it lives, made for the test.
class DecimalComma {
 public:
  DecimalComma() : before_(std::setlocale(LC_ALL, nullptr)) {
    const std::string source =
        folder_.put("comma.src", "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \"\"\ngrouping -1\nEND LC_NUMERIC\n");
    const std::string command = "localedef -c -i " + source + " -f ANSI_X3.4-1968 " + folder_.file("comma") + " >/dev/null 2>&1";
    if (std::system(command.c_str()) < 0) return;  // its exit code counts warnings
    ::setenv("LOCPATH", folder_.file("").c_str(), 1);
    char text[16] = "";
    if (std::setlocale(LC_ALL, "comma") != nullptr) std::snprintf(text, sizeof text, "%.1f", 0.5);
    chosen_ = std::string(text) == "0,5";
  }
  ~DecimalComma() {
    std::setlocale(LC_ALL, before_.c_str());
    ::unsetenv("LOCPATH");
  }
  bool chosen() const { return chosen_; }

 private:
  TemporaryFolder folder_;
  std::string before_;
  bool chosen_ = false;
};

TEST(LocaleTest, ADecimalCommaChangesNothing) {
  const DecimalComma comma;
  if (!comma.chosen()) GTEST_SKIP() << "no locale with a decimal comma";
  const Result<Json> json = parse_json("[0.5, 1.25e-3, 1e22]", "t.json");
  ASSERT_TRUE(json.ok());
  EXPECT_EQ(write_json(json.value(), 0), "[0.5,0.00125,1e+22]");
  const Result<MeshFile> obj = parse_obj("v 0.5 0 0\nv 1 0 0\nv 0 1.5 0\nf 1 2 3\n", "t.obj");
  ASSERT_TRUE(obj.ok());
  EXPECT_EQ(obj.value().objects[0].mesh.vertices[0].x, 0.5);
  EXPECT_FALSE(parse_obj("v 0,5 0 0\nv 1 0 0\nv 0 1,5 0\nf 1 2 3\n", "t.obj").ok());
  const auto mjcf = parse_mjcf("<mujoco><worldbody><body pos='0.5 -1e-3 2'/></worldbody></mujoco>", "t.xml");
  ASSERT_TRUE(mjcf.ok());
  EXPECT_EQ(mjcf.value().bodies[1].pose.p.x, 0.5);
  EXPECT_EQ(mjcf.value().bodies[1].pose.p.y, -1e-3);
  EXPECT_FALSE(parse_mjcf("<mujoco><worldbody><body pos='0,5 0 0'/></worldbody></mujoco>", "t.xml").ok());
}

}  // namespace
}  // namespace trilith::io
