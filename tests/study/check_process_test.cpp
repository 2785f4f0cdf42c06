// The check in a process of its own: every way in which it may end.
#include "study/check_process.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <filesystem>

#include "io/assembly_json.h"
#include "io/temporary_folder.h"
#include "model/generate.h"

namespace trilith {
namespace {

using study::CheckProcess;
using study::ProcessEnd;

std::string write_assembly(const io::TemporaryFolder& folder, model::AssemblyInput input) {
  input.friction = 0.7;
  input.density = 2400;
  return folder.put("assembly.json", io::write_assembly_json(input));
}

/// A program that is not ours.
std::string write_script(const io::TemporaryFolder& folder, const std::string& body) {
  const std::string path = folder.put("program", "#!/bin/sh\n" + body + "\n");
  chmod(path.c_str(), 0700);
  return path;
}

/// No child of this process is left, dead or alive.
bool no_child_left() { return waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD; }

TEST(CheckProcessTest, VerdictAndAnswerComeThroughThePipe) {
  const io::TemporaryFolder folder;
  const std::string wall = write_assembly(folder, model::generate_wall({}));
  const auto result = study::run_check_process({TRILITH_PROGRAM, wall, {"--friction", "0.5"}});
  ASSERT_EQ(result.end, ProcessEnd::answered) << result.reason << result.errors;
  EXPECT_EQ(result.verdict, Verdict::stands);
  EXPECT_EQ(result.exit_code, 0);
  ASSERT_NE(result.json.find("settings"), nullptr);
  EXPECT_EQ(*result.json.find("settings")->find("friction")->number(), 0.5);
  EXPECT_EQ(folder.count(), 1U);
  EXPECT_TRUE(no_child_left());
}

TEST(CheckProcessTest, AFallIsAnAnswerToo) {
  const io::TemporaryFolder folder;
  const std::string slope = write_assembly(folder, model::generate_incline({.angle = 0.9}));
  const auto result = study::run_check_process({TRILITH_PROGRAM, slope, {}});
  EXPECT_EQ(result.end, ProcessEnd::answered);
  EXPECT_EQ(result.verdict, Verdict::falls);
  EXPECT_EQ(result.exit_code, 1);
}

TEST(CheckProcessTest, RefusedDataKeepsItsWords) {
  const io::TemporaryFolder folder;
  const auto result = study::run_check_process({TRILITH_PROGRAM, folder.put("bad.json", "{\"blocks\": 3}"), {}});
  EXPECT_EQ(result.end, ProcessEnd::refused);
  EXPECT_EQ(result.exit_code, 65);
  EXPECT_NE(result.errors.find("/blocks"), std::string::npos) << result.errors;
  EXPECT_EQ(result.verdict, Verdict::undecided);
}

TEST(CheckProcessTest, AProgramThatIsNotThereIsNotStarted) {
  const auto result = study::run_check_process({"/no/such/program", "x.json", {}});
  EXPECT_EQ(result.end, ProcessEnd::not_started);
  EXPECT_NE(result.reason.find("No such file"), std::string::npos) << result.reason;
}

TEST(CheckProcessTest, ACrashIsNamedByItsSignal) {
  const io::TemporaryFolder folder;
  const auto result = study::run_check_process({write_script(folder, "kill -SEGV $$"), "x.json", {}});
  EXPECT_EQ(result.end, ProcessEnd::crashed);
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_TRUE(no_child_left());
}

TEST(CheckProcessTest, OutputThatIsNoAnswerIsNoVerdict) {
  const io::TemporaryFolder folder;
  const std::string answer = "{\"schema\": \"trilith.check/1\", \"verdict\": \"stands\"}";
  const std::pair<std::string, ProcessEnd> cases[] = {{"echo hello", ProcessEnd::bad_output},
                                                      {"true", ProcessEnd::bad_output},
                                                      {"echo '{\"verdict\": \"stands\"}'", ProcessEnd::bad_output},
                                                      {"echo '" + answer + "'; exit 1", ProcessEnd::bad_output},
                                                      {"echo '" + answer + answer + "'", ProcessEnd::bad_output},
                                                      {"echo '" + answer + "'; exit 70", ProcessEnd::refused},
                                                      {"echo '" + answer + "'", ProcessEnd::answered}};
  for (const auto& [body, end] : cases) {
    const auto result = study::run_check_process({write_script(folder, body), "x.json", {}});
    EXPECT_EQ(result.end, end) << body;
    EXPECT_EQ(result.verdict, end == ProcessEnd::answered ? Verdict::stands : Verdict::undecided) << body;
  }
}

TEST(CheckProcessTest, WhatDoesNotStopIsKilledWithItsChildren) {
  const io::TemporaryFolder folder;
  const std::string alive = folder.file("alive");
  // both the program and its child ignore every polite word
  const std::string script = write_script(folder, "trap '' TERM INT; (sleep 1.5; touch " + alive + ") & sleep 30");
  CheckProcess process{script, "x.json", {}};
  process.limit_s = 0.2;
  process.kill_after_s = 0.1;
  const auto result = study::run_check_process(process);
  EXPECT_EQ(result.end, ProcessEnd::time_limit);
  EXPECT_LT(result.seconds, 1.2);
  EXPECT_TRUE(no_child_left());
  struct timespec wait{2, 0};
  nanosleep(&wait, nullptr);
  EXPECT_FALSE(std::filesystem::exists(alive));
}

TEST(CheckProcessTest, AHundredThousandBlocksWithOneSecondAreBackWithinTwo) {
  const io::TemporaryFolder folder;
  const std::string wall = write_assembly(folder, model::generate_wall({.columns = 316, .rows = 316}));
  CheckProcess process{TRILITH_PROGRAM, wall, {}};
  process.limit_s = 1;
  const auto result = study::run_check_process(process);
  EXPECT_LT(result.seconds, 2);
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_TRUE(result.end == ProcessEnd::answered || result.end == ProcessEnd::time_limit) << result.reason;
  EXPECT_EQ(folder.count(), 1U);
  EXPECT_TRUE(no_child_left());
}

}  // namespace
}  // namespace trilith
