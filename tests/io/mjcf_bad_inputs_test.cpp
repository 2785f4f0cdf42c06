#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <map>

#include "mjcf_support.h"
#include "model/make_model.h"
#include "support/shared_data.h"
#include "temporary_folder.h"

// Damaged and hostile files: each is refused in a line that names the place, or read with the right value, and fast.

namespace trilith::io {
namespace {

namespace fs = std::filesystem;

/// What becomes of a file of the catalogue; a part of the first error, or "" where it is read and made into a model.
const std::map<std::string, std::string> catalogue = {{"00_good", ""},
                                                      {"01_unclosed", "tag <body> opened in line 1 is not closed"},
                                                      {"02_empty", "empty file"},
                                                      {"03_not_xml", "is no XML"},
                                                      {"04_binary", "is a binary file"},
                                                      {"05_utf16", ""},
                                                      {"06_bom", ""},
                                                      {"07_nul_inside", "zero byte (offset 42)"},
                                                      {"08_unknown_elem", "did you mean \"body\"?"},
                                                      {"09_unknown_attr", "colour is unknown here"},
                                                      {"10_nan_pos", "is not finite"},
                                                      {"11_inf_pos", "is not finite"},
                                                      {"12_1e308_pos", "beyond the largest size of 1e9"},
                                                      {"13_1e400_pos", "beyond the largest double"},
                                                      {"14_comma_decimal", "the decimal sign is a point"},
                                                      {"15_few_numbers", "needs 3 numbers, got 2"},
                                                      {"16_many_numbers", "needs 3 numbers, got 5"},
                                                      {"17_zero_size", "needs 3 positive sizes"},
                                                      {"18_neg_size", "number 1 is negative"},
                                                      {"19_zero_mass", "mass"},
                                                      {"20_neg_mass", "must not be negative"},
                                                      {"21_neg_inertia", "inertia"},
                                                      {"22_triangle_ineq", "A + B >= C"},
                                                      {"23_nonpsd_full", "eigenvalues"},
                                                      {"24_zero_axis", "has no direction"},
                                                      {"25_zero_quat", "without a direction"},
                                                      {"26_range_inverted", "range"},
                                                      {"27_dup_names", "there are two of"},
                                                      {"28_missing_ref", "there is no body \"nope\""},
                                                      {"29_self_weld", "itself"},
                                                      {"30_include_self", "includes itself"},
                                                      {"31_include_cycle_a", "includes itself"},
                                                      {"31_include_cycle_b", "includes itself"},
                                                      {"32_include_traversal", "lies outside of the model's folder"},
                                                      {"33_mesh_traversal", "lies outside of the model's folder"},
                                                      {"34_missing_mesh", "is not there"},
                                                      {"35_billion_laughs", "DOCTYPE"},
                                                      {"36_xxe", "DOCTYPE"},
                                                      {"37_deep_body_20k", "deeper than the limit of 256"},
                                                      {"37b_deep_body_500", "deeper than the limit of 256"},
                                                      {"38_many_bodies_20k", ""},
                                                      {"40_unicode_name", ""},
                                                      {"41_html_in_name", ""},
                                                      {"42_huge_timestep", "timestep"},
                                                      {"43_zero_timestep", "timestep"},
                                                      {"44_nan_gravity", "is not finite"},
                                                      {"45_neg_friction", "must not be negative"},
                                                      {"46_mm_scale", ""},
                                                      {"47_mass_ratio_1e12", ""},
                                                      {"48_cylinder_neg_fromto", "both ends in one place"},
                                                      {"49_solref_neg", ""}};

Result<model::Model> load_and_make(const std::string& path) {
  Result<model::ModelInput> input = load_mjcf(path);
  if (!input) return input.errors();
  return model::make_model(std::move(input).value());
}

TEST(MjcfBadInputsTest, EveryFileOfTheCatalogueHasItsAnswer) {
  const auto shared = test::shared_data();
  if (!shared) GTEST_SKIP() << "no shared data";
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(*shared / "cases/bad_inputs")) {
    if (entry.path().extension() != ".xml") continue;
    const std::string name = entry.path().stem().string();
    ASSERT_EQ(catalogue.count(name), 1U) << name;
    const std::string& wanted = catalogue.at(name);
    const auto start = std::chrono::steady_clock::now();
    const Result<model::Model> model = load_and_make(entry.path().string());
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(model.ok(), wanted.empty()) << name << ": " << first_error(model);
    if (!wanted.empty()) {
      EXPECT_NE(first_error(model).find(wanted), std::string::npos) << name << ": " << first_error(model);
    }
    EXPECT_LT(seconds.count(), 2) << name;
    ++count;
  }
  EXPECT_EQ(count, catalogue.size());
}

TEST(MjcfBadInputsTest, NamesAreKeysOfPaths) {
  const auto named = [](const std::string& name) { return world("<body name=\"" + name + "\"/>"); };
  expect_refused(named("a/b"), "holds \"/\"", "m.xml:1:26:/mujoco/worldbody/body/@name");
  expect_refused(named("a\nb"), "holds a control character");
  expect_refused(named("a&#9;b"), "holds a control character");
  expect_refused(named(std::string(1025, 'n')), "is longer than 1024 bytes");
  EXPECT_EQ(read_good(named(std::string(1024, 'n'))).bodies[1].name.size(), 1024U);
  EXPECT_EQ(read_good(named("\xd7\x9e\xe4\xb8\x96 \xc3\xa9")).bodies[1].name, "\xd7\x9e\xe4\xb8\x96 \xc3\xa9");
  EXPECT_EQ(read_good(named("=cmd|x &lt;b>")).bodies[1].name, "=cmd|x <b>");
  EXPECT_EQ(read_good(named("")).bodies[1].name, "");
}

TEST(MjcfBadInputsTest, NumbersAreCheckedOneByOne) {
  const auto sized = [](const std::string& size) { return world("<geom type='box' size='" + size + "'/>"); };
  expect_refused(sized("1 2 nan"), "\"nan\", which is not finite", "m.xml:1:37");
  expect_refused(sized("1 2 -inf"), "is not finite");
  expect_refused(sized("1 2 1e10"), "beyond the largest size of 1e9");
  expect_refused(sized("1 2 0x10"), "is no number");
  expect_refused(sized("1 2 3 4"), "needs 1 to 3 numbers, got 4");
  expect_refused(sized(""), "needs 1 to 3 numbers, got 0");
  expect_refused(sized("1,2,3"), "\"1,2,3\", which is no number (the decimal sign is a point)");
  expect_refused(world("<geom size='1' condim='3.5'/>"), "needs a whole number, got \"3.5\"");
  expect_refused(world("<geom size='1' group='9999999999'/>"), "is out of range");
  expect_refused(world("<geom size='1' shellinertia='yes'/>"), "is \"yes\"; allowed are false or true");
  const model::ModelInput good = read_good(sized("\t+1e-1\n .5  2."));
  expect_vector(good.geoms[0].size, {0.1, 0.5, 2});
}

TEST(MjcfBadInputsTest, ManyBodiesAndCopiesHaveAStatedLimit) {
  const auto start = std::chrono::steady_clock::now();
  const std::string copies = "<replicate count='1000'>";
  expect_refused(world(copies + copies + copies + "<geom size='1'/></replicate></replicate></replicate>"), "limit of 200000");
  expect_refused(world(copies + copies + "</replicate></replicate>"), "limit of 200000");
  expect_refused(world("<replicate count='2147483647'><geom size='1'/></replicate>"), "limit of 200000");
  EXPECT_EQ(read_good(world(copies + "<geom size='1'/></replicate>")).geoms.size(), 1000U);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_LT(seconds.count(), 2);
}

TEST(MjcfBadInputsTest, WhatCannotBeOpenedIsAnErrorOfTheSystem) {
  const TemporaryFolder folder;
  const auto missing = load_mjcf(folder.file("none.xml"));
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.errors()[0].kind, Error::Kind::io);
}

}  // namespace
}  // namespace trilith::io
