#include <gtest/gtest.h>

#include <cmath>

#include "mjcf_support.h"
#include "model/make_model.h"
#include "support/mjcf_sample.h"
#include "support/random.h"

namespace trilith::io {
namespace {

// words that break parsers of XML, numbers, names and references
constexpr std::string_view hostile[] = {"nan",         "1e400",    "-",     "<",           ">",    "\"",     "'",
                                        "/>",          "&#0;",     "&amp;", "<!--",        "]]>",  "<body>", "</body>",
                                        "<replicate>", "class=\"", "main",  "99999999999", "\xff", "0 0 0 0"};

std::string mutate(std::string text, test::Random& random) {
  for (std::uint64_t k = 0; k < 1 + random.index(3); ++k) {
    const std::size_t at = random.index(text.size() + 1);
    switch (random.index(4)) {
      case 0:
        text.insert(at, hostile[random.index(std::size(hostile))]);
        break;
      case 1:
        text.erase(at, random.index(8));
        break;
      case 2:
        if (at < text.size()) text[at] = static_cast<char>(random.index(256));
        break;
      default:
        text.insert(at, text.substr(random.index(text.size() + 1), random.index(60)));
    }
  }
  return text;
}

/// The text without what names files, so that most of it stays good.
std::string without_files(std::string text) {
  for (const std::string_view start : {"<include ", "<hfield name=\"ground\""})
    for (std::size_t at = text.find(start); at != std::string::npos; at = text.find(start)) text.erase(at, text.find('\n', at) + 1 - at);
  constexpr std::string_view file = "file=\"tetrahedron.obj\"";
  if (const std::size_t at = text.find(file); at != std::string::npos)
    text.replace(at, file.size(), "name=\"tetrahedron\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\"");
  return text;
}

// Damaged files end in a value whose numbers are finite, or in errors that say where. Never a crash.
TEST(MjcfMutationTest, DamagedSamplesAreReadOrRefused) {
  test::Random random(5);
  std::size_t good = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const std::string whole = without_files(test::make_mjcf_sample(seed).files.at("model.xml"));
    for (int k = 0; k < 60; ++k) {
      Result<model::ModelInput> input = parse_mjcf(mutate(whole, random), "m.xml");
      if (!input) {
        ++refused;
        ASSERT_FALSE(input.errors().empty());
        ASSERT_LE(input.errors().size(), max_errors);
        for (const Error& error : input.errors()) EXPECT_EQ(error.where.substr(0, 5), "m.xml") << error.what;
        continue;
      }
      ++good;
      for (const model::Body& body : input.value().bodies)
        for (const double r : body.pose.R.m) ASSERT_TRUE(std::isfinite(r));
      const Result<model::Model> made = model::make_model(std::move(input).value());
      EXPECT_TRUE(!made.ok() || std::isfinite(made.value().mass));
    }
  }
  EXPECT_GT(good, 6U);
  EXPECT_GT(refused, 200U);
}

}  // namespace
}  // namespace trilith::io
