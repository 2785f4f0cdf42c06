#include "io/mjcf_schema.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "mjcf_support.h"
#include "model/make_model.h"
#include "support/mjcf_sample.h"
#include "temporary_folder.h"

namespace trilith::io {
namespace {

using Words = std::vector<std::string_view>;

Words split(std::string_view list) {
  Words words;
  while (!list.empty()) {
    const std::size_t blank = std::min(list.find(' '), list.size());
    if (blank > 0) words.push_back(list.substr(0, blank));
    list.remove_prefix(std::min(blank + 1, list.size()));
  }
  return words;
}

const MjcfRule& rule_of(std::string_view id) {
  static const MjcfRule none{};
  for (const MjcfRule& rule : mjcf_rules())
    if (rule.id == id) return rule;
  return none;
}

/// Attributes that the reader reads, with those behind `@`.
void add_read(std::string_view attributes, std::set<std::string>& out) {
  for (const std::string_view word : split(attributes)) {
    if (word[0] == '@') {
      add_read(rule_of(word.substr(1)).attributes, out);
    } else if (const MjcfName name = split_mjcf_name(word); name.mark == ' ') {
      out.insert(std::string(name.name));
    }
  }
}

/// "rule@attribute" and "rule/child" of everything that is read.
std::set<std::string> everything_read() {
  std::set<std::string> all;
  std::vector<std::string_view> todo = {"mujoco"};
  std::set<std::string_view> done;
  while (!todo.empty()) {
    const std::string_view id = todo.back();
    todo.pop_back();
    if (!done.insert(id).second || id == "any") continue;
    const MjcfRule& rule = rule_of(id);
    std::set<std::string> attributes;
    add_read(rule.attributes, attributes);
    for (const std::string& attribute : attributes) all.insert(std::string(id) + "@" + attribute);
    for (const std::string_view word : split(rule.children)) {
      const MjcfName child = split_mjcf_name(word);
      if (child.mark != ' ') continue;
      all.insert(std::string(id) + "/" + std::string(child.name));
      todo.push_back(child.value.empty() ? child.name : child.value);
    }
  }
  return all;
}

/// What a file uses of it.
void note_used(const XmlElement& e, std::string_view id, std::set<std::string>& used) {
  for (const XmlAttribute& attribute : e.attributes) used.insert(std::string(id) + "@" + std::string(attribute.name));
  std::map<std::string_view, std::string_view> rules;
  for (const std::string_view word : split(rule_of(id).children)) {
    const MjcfName child = split_mjcf_name(word);
    rules[child.name] = child.value.empty() ? child.name : child.value;
  }
  for (const XmlElement* c = e.first_child; c != nullptr; c = c->next) {
    used.insert(std::string(id) + "/" + std::string(c->name));
    const auto rule = rules.find(c->name);
    if (rule != rules.end()) note_used(*c, rule->second, used);
  }
}

TEST(MjcfSchemaTest, EverySampleIsReadAndTheyUseEveryElementAndAttribute) {
  constexpr std::uint64_t samples = 50;
  std::set<std::string> used;
  for (std::uint64_t seed = 0; seed < samples; ++seed) {
    const TemporaryFolder folder;
    const test::MjcfSample sample = test::make_mjcf_sample(seed);
    for (const auto& [path, text] : sample.files) folder.put(path, text);
    Result<model::ModelInput> input = load_mjcf(folder.file(sample.main));
    ASSERT_TRUE(input.ok()) << "seed " << seed << ": " << first_error(input);
    const Result<model::Model> made = model::make_model(std::move(input).value());
    ASSERT_TRUE(made.ok()) << "seed " << seed << ": " << first_error(made);
    note_used(XmlDocument::parse(sample.files.at(sample.main), "m").value()->root(), "mujoco", used);
    // what only older files hold
    const test::MjcfSample old = test::make_mjcf_sample(seed, test::MjcfDialect::debian);
    note_used(XmlDocument::parse(old.files.at(old.main), "m").value()->root(), "mujoco", used);
  }
  for (const std::string& name : everything_read()) EXPECT_EQ(used.count(name), 1U) << "no sample uses " << name;
}

TEST(MjcfSchemaTest, TheSamplesOfDebianAreReadToo) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const TemporaryFolder folder;
    const test::MjcfSample sample = test::make_mjcf_sample(seed, test::MjcfDialect::debian);
    for (const auto& [path, text] : sample.files) folder.put(path, text);
    const Result<model::ModelInput> input = load_mjcf(folder.file(sample.main));
    ASSERT_TRUE(input.ok()) << "seed " << seed << ": " << first_error(input);
  }
}

TEST(MjcfSchemaTest, RefusesUnknownNamesWithTheNearest) {
  expect_refused(world("<boddy/>"), "unknown element in <worldbody> (did you mean \"body\"?)", "m.xml:1:20:/mujoco/worldbody/boddy");
  expect_refused(world("<geom sise='1'/>"), "sise is unknown here (did you mean \"size\"?)", "m.xml:1:26:/mujoco/worldbody/geom/@sise");
  expect_refused(file("<worldbody name='w'/>"), "name is unknown here; it takes none");
  expect_refused("<robot name='r'/>", "this is URDF");
  expect_refused("<mujocoinclude/>", "an MJCF file has <mujoco>");
}

TEST(MjcfSchemaTest, AllProblemsOfAFileAreTold) {
  std::string many;
  for (int i = 0; i < 30; ++i) many += "<geom colour='red'/>";
  const Result<model::ModelInput> input = parse_mjcf(world(many), "m.xml");
  ASSERT_FALSE(input.ok());
  EXPECT_EQ(input.errors().size(), max_errors);
}

TEST(MjcfSchemaTest, RefusesByNameWhatItCannotLeaveOut) {
  expect_refused(body("<composite type='cable' count='3'/>"), "<composite> is not supported");
  expect_refused(body("<flexcomp name='f'/>"), "<flexcomp> is not supported");
  expect_refused(body("<plugin plugin='x'/>"), "<plugin> is not supported");
  expect_refused(body("<attach prefix='p'/>"), "<attach> is not supported");
  expect_refused(body("<geom type='sdf' size='1'/>"), "\"sdf\", which is not supported");
  expect_refused(file("<deformable><flex name='f'/></deformable>"), "<flex> is not supported");
  for (const char* kind : {"muscle", "adhesion", "dcmotor", "pid", "orientation", "plugin"})
    expect_refused(file("<actuator><" + std::string(kind) + "/></actuator>"), "<" + std::string(kind) + "> is not supported");
  expect_refused(file("<equality><flex flex='f'/></equality>"), "<flex> is not supported");
  expect_refused(file("<asset><mesh name='m' builtin='cone' params='8 0'/></asset>"), "builtin is not supported");
}

TEST(MjcfSchemaTest, TellsEveryLeftOutPartOfThePhysicsByName) {
  const model::ModelInput input = read_good(
      "<mujoco><option actuatorgroupdisable='1'/><worldbody><body sleep='never'><freejoint/><geom size='1' fluidshape='ellipsoid'/>"
      "<geom size='1' fluidshape='none' surfacevel='1 0 0'/></body></worldbody><sensor><user dim='3'/></sensor></mujoco>");
  ASSERT_EQ(input.warnings.size(), 5U);
  EXPECT_NE(input.warnings[0].what.find("actuatorgroupdisable=\"1\" is not supported and was left out"), std::string::npos);
  EXPECT_EQ(input.warnings[1].where.substr(0, 10), "m.xml:1:54");
  EXPECT_EQ(count_told(input, "fluidshape=\"ellipsoid\""), 1U);
  EXPECT_EQ(count_told(input, "fluidshape=\"none\""), 0U);
  EXPECT_EQ(count_told(input, "surfacevel=\"1 0 0\""), 1U);
  EXPECT_EQ(count_told(input, "user: is not supported"), 1U);
}

TEST(MjcfSchemaTest, OfManyAlikeItTellsFiveAndTheNumberOfTheOthers) {
  std::string many;
  for (int i = 0; i < 12; ++i) many += "<geom size='1' adhesion='2'/>";
  const model::ModelInput input = read_good(body(many));
  EXPECT_EQ(count_told(input, "adhesion=\"2\" is not supported"), 5U);
  EXPECT_EQ(count_told(input, "7 more geom adhesion"), 1U);
}

TEST(MjcfSchemaTest, WhatHasNoPartInTheMotionIsOneLineAKind) {
  const model::ModelInput input = read_good(
      file("<visual><global fovy='3'/></visual><visual/><size njmax='5'/><custom/><extension/><worldbody><light/><light/><camera/>"
           "text</worldbody><asset><texture/><skin/></asset>"));
  EXPECT_EQ(input.warnings.size(), 9U);
  EXPECT_EQ(count_told(input, "<visual> has no part in the motion and was left out (2 times)"), 1U);
  EXPECT_EQ(count_told(input, "<light> has no part in the motion and was left out (2 times)"), 1U);
  EXPECT_EQ(count_told(input, "text between elements"), 1U);
}

}  // namespace
}  // namespace trilith::io
