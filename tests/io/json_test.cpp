#include "io/json.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "io/expect_error.h"
#include "support/random.h"

namespace trilith::io {
namespace {

Json read(std::string_view text) {
  Result<Json> result = parse_json(text, "t.json");
  EXPECT_TRUE(result.ok()) << first_error(result);
  return result.ok() ? std::move(result).value() : Json();
}

std::string again(std::string_view text) { return write_json(read(text), 0); }

TEST(JsonTest, KeepsValuesAndTheOrderOfMembers) {
  EXPECT_EQ(again(R"( {"b": [1, -2.5, true, false, null], "a": {"x": "y"}, "": []} )"),
            R"({"b":[1,-2.5,true,false,null],"a":{"x":"y"},"":[]})");
  EXPECT_EQ(again("0.1"), "0.1");
  EXPECT_EQ(again("\xef\xbb\xbf[18446744073709551615, 1e2]"), "[18446744073709551616,100]");
}

TEST(JsonTest, FindsMembersOfObjectsOnly) {
  const Json json = read(R"({"a": 1, "b": null})");
  ASSERT_NE(json.find("a"), nullptr);
  EXPECT_EQ(*json.find("a")->number(), 1);
  EXPECT_TRUE(json.find("b")->is_null());
  EXPECT_EQ(json.find("c"), nullptr);
  EXPECT_EQ(json.find("a")->find("a"), nullptr);
}

TEST(JsonTest, DuplicateKeysAreRefusedWithBothPlaces) {
  expect_error(parse_json("{\"a\": 1,\n  \"b\": {\"x\": 1, \"x\": 2}}", "t.json"), "t.json:2:17",
               "key \"x\" appears twice in one object, first in line 2");
  expect_error(parse_json("{\"a\": 1,\n\"a\": 2}", "t.json"), "t.json:2:1", "first in line 1");
  expect_error(parse_json(R"({"a\"": 1, "a\"": 2})", "t.json"), "t.json:1:12", "appears twice");
  EXPECT_TRUE(parse_json(R"({"a": {"a": {"a": 1}}, "b": {"a": 1}})", "t.json").ok());
}

TEST(JsonTest, DuplicateKeysAreFoundInLargeObjects) {
  std::string text = "{";
  for (int i = 0; i < 5000; ++i) text += "\"k" + std::to_string(i) + "\":" + std::to_string(i) + ",\n";
  EXPECT_TRUE(parse_json(text + "\"last\":0}", "t.json").ok());
  expect_error(parse_json(text + "\"k17\":0}", "t.json"), "t.json:5001:1", "first in line 18");
}

TEST(JsonTest, NestingStopsAtTheLimit) {
  const auto nested = [](int depth) { return std::string(std::size_t(depth), '[') + std::string(std::size_t(depth), ']'); };
  EXPECT_TRUE(parse_json(nested(json_depth_limit), "t.json").ok());
  expect_error(parse_json(nested(json_depth_limit + 1), "t.json"), "t.json:1:257", "nested deeper than 256");
  expect_error(parse_json(std::string(200000, '['), "t.json"), "t.json:1:257", "nested deeper than 256");
}

TEST(JsonTest, NumbersThatAreNoneAreRefused) {
  expect_error(parse_json("[1,\n NaN]", "t.json"), "t.json:2:2", "\"NaN\" is no JSON number");
  expect_error(parse_json("[nan]", "t.json"), "t.json:1:3", "\"nan\" is no JSON number");
  expect_error(parse_json("[-Infinity]", "t.json"), "t.json:1:3", "\"Infinity\" is no JSON number");
  expect_error(parse_json("{\"a\": 1e400}", "t.json"), "t.json:1:11", "\"1e400\" is beyond the largest double");
  expect_error(parse_json("[0,5, 01]", "t.json"), "t.json:1:8", "not JSON");
  expect_error(parse_json("[+1]", "t.json"), "t.json:1:2", "not JSON");
  EXPECT_EQ(*read("1e-400").number(), 0);
}

TEST(JsonTest, WhatIsNoJsonIsRefusedWithItsPlace) {
  expect_error(parse_json("", "t.json"), "t.json", "empty file");
  expect_error(parse_json(" \n", "t.json"), "t.json", "empty file");
  expect_error(parse_json("[1, 2,]", "t.json"), "t.json:1:7", "a comma before the closing bracket");
  expect_error(parse_json("{\"a\": 1, }", "t.json"), "t.json:1:10", "a comma before the closing bracket");
  expect_error(parse_json("[1, // one\n 2]", "t.json"), "t.json:1:5", "JSON has no comments");
  expect_error(parse_json("{} {}", "t.json"), "t.json:1:4", "text after the end");
  expect_error(parse_json("[1, 2", "t.json"), "t.json:1:6", "the text ends before the value does");
  expect_error(parse_json("{\"a\": \"x", "t.json"), "t.json:1:9", "the text ends before the value does");
  expect_error(parse_json("hello", "t.json"), "t.json:1:1", "not JSON");
  expect_error(parse_json("[\"\x80\"]", "t.json"), "t.json:1:3", "not JSON");
  expect_error(parse_json("[\"a\nb\"]", "t.json"), "t.json:1:4", "not JSON");
  expect_error(parse_json("{'a': 1}", "t.json"), "t.json:1:2", "not JSON");
}

TEST(JsonWriteTest, NumbersReadBackToTheSameBits) {
  test::Random random(7);
  for (int i = 0; i < 20000; ++i) {
    const double value = std::bit_cast<double>(random.index(~std::uint64_t(0)));
    if (!std::isfinite(value)) continue;
    const Json back = read(write_json(value, 0));
    ASSERT_EQ(std::bit_cast<std::uint64_t>(*back.number()), std::bit_cast<std::uint64_t>(value)) << write_json(value, 0);
  }
  for (const double value : {0.0, -0.0, 5e-324, -1.7976931348623157e308, 1.0 / 3})
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*read(write_json(value, 0)).number()), std::bit_cast<std::uint64_t>(value));
}

TEST(JsonWriteTest, NotANumberIsNull) {
  EXPECT_EQ(write_json(Json::Array{std::nan(""), std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), 1}, 0),
            "[null,null,null,1]");
}

TEST(JsonWriteTest, TextsAreEscapedAndReadBack) {
  using std::string_view_literals::operator""sv;
  const std::string text("\"\\/\b\f\n\r\t\x01\x1f\x7f\0 \xc3\xa4 \xf0\x9f\x98\x80"sv);
  const std::string out = write_json(text, 0);
  EXPECT_EQ(*read(out).string(), text);
  for (const char c : out) EXPECT_GE(static_cast<unsigned char>(c), 0x20);
  EXPECT_EQ(write_json("a\xff\xc3", 0), "\"a\\ufffd\\ufffd\"");
  EXPECT_EQ(write_json("\x01\n", 0), "\"\\u0001\\n\"");
}

TEST(JsonWriteTest, IndentBreaksObjectsAndArraysOfArrays) {
  const Json json = read(R"({"a":[1,2],"b":[[1,2],[3]],"c":{},"d":[]})");
  EXPECT_EQ(write_json(json, 2), "{\n  \"a\": [1, 2],\n  \"b\": [\n    [1, 2],\n    [3]\n  ],\n  \"c\": {},\n  \"d\": []\n}");
  EXPECT_EQ(write_json(json, 0), R"({"a":[1,2],"b":[[1,2],[3]],"c":{},"d":[]})");
}

TEST(JsonWriteTest, SetAppendsMembersInOrder) {
  Json json;
  json.set("b", 1);
  json.set("a", Json::Array{});
  EXPECT_EQ(write_json(json, 0), R"({"b":1,"a":[]})");
}

}  // namespace
}  // namespace trilith::io
