#include "io/qp_json.h"

#include <gtest/gtest.h>

#include <cmath>

namespace trilith::io {
namespace {

Result<QpFile> read(std::string_view text) {
  auto json = parse_json(text, "qp.json");
  if (!json) return json.errors();
  return read_qp(json.value(), "qp.json");
}

void expect_refused(std::string_view text, std::string_view where) {
  const auto file = read(text);
  ASSERT_FALSE(file.ok()) << text;
  EXPECT_EQ(file.errors()[0].where, where) << file.errors()[0].what;
}

TEST(QpJsonTest, AllFieldsAreRead) {
  const auto file =
      read(R"({"P": [[2, 1], [1, 3]], "q": [1, -1], "A": [[1, 0]], "l": [null], "u": [4], "soc": [{"t": 2, "rows": [0, 1]}]})");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file.value().variables, 2);
  EXPECT_EQ(file.value().rows, 1);
  EXPECT_EQ(file.value().P, (std::vector<double>{2, 1, 1, 3}));
  EXPECT_TRUE(std::isinf(file.value().lower[0]));
  EXPECT_EQ(file.value().upper[0], 4);
  EXPECT_EQ(file.value().norms[0].entries, (std::vector<int>{0, 1}));
}

TEST(QpJsonTest, NoBoundMayBeSpeltInEveryWay) {
  for (const char* none : {"null", "1e20", "1e30", "\"inf\"", "\"Infinity\"", "\"+inf\"", "\"1e30\"", "\"INFINITY\""}) {
    const auto file = read(std::string(R"({"q": [1], "A": [[1]], "u": [)") + none + "]}");
    ASSERT_TRUE(file.ok()) << none;
    EXPECT_TRUE(std::isinf(file.value().upper[0]) && file.value().upper[0] > 0) << none;
    EXPECT_TRUE(std::isinf(file.value().lower[0]) && file.value().lower[0] < 0) << none;
  }
}

TEST(QpJsonTest, RoundedMirrorEntriesAreTheirMeanAndOthersAreRefused) {
  const auto file = read(R"({"q": [1, 1], "P": [[2, 1.0000000000001], [1, 2]]})");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file.value().P[1], file.value().P[2]);
  expect_refused(R"({"q": [1, 1], "P": [[2, 1.00000001], [1, 2]]})", "qp.json:/P/1");
}

TEST(QpJsonTest, WhatCannotBeIsRefusedByItsPath) {
  expect_refused("{}", "qp.json:/");
  expect_refused(R"({"q": [1, "x"]})", "qp.json:/q/1");
  expect_refused(R"({"q": [1], "P_diag": [1, 2]})", "qp.json:/P_diag");
  expect_refused(R"({"q": [1, 1], "P": [[1, 2], [0, 1]]})", "qp.json:/P/1");
  expect_refused(R"({"q": [1], "P_diag": [-1]})", "qp.json:/P_diag/0");
  expect_refused(R"({"q": [1], "A": [[1, 2]]})", "qp.json:/A/0");
  expect_refused(R"({"q": [1], "A": [[1]], "l": [2], "u": [1]})", "qp.json:/l/0");
  expect_refused(R"({"q": [1], "A": [[1]], "l": [1, 2]})", "qp.json:/l");
  expect_refused(R"({"q": [1], "A": [[1]], "l": ["inf"]})", "qp.json:/l/0");
  expect_refused(R"({"q": [1], "soc": [{"t": -1, "rows": [0]}]})", "qp.json:/soc/0/t");
  expect_refused(R"({"q": [1], "soc": [{"t": 1, "rows": [1]}]})", "qp.json:/soc/0/rows/0");
  expect_refused(R"({"q": [1, 2], "soc": [{"t": 1, "rows": [0, 0]}]})", "qp.json:/soc/0/rows/1");
  expect_refused(R"({"q": [1], "P": [[1]], "P_diag": [1]})", "qp.json:/P");
}

}  // namespace
}  // namespace trilith::io
