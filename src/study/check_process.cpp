#include "study/check_process.h"

#include <cstring>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "io/file.h"
#include "study/child_process.h"

namespace trilith::study {
namespace {

constexpr std::size_t errors_kept = 65536;  // bytes of standard error
constexpr int exit_codes[] = {0, 1, 2, 2};  // of the verdicts below
constexpr Verdict verdicts[] = {Verdict::stands, Verdict::falls, Verdict::marginal, Verdict::undecided};

/// Takes the output as the answer; false where it is none, or says another thing than the exit code.
bool read_answer(const ChildReport& child, CheckProcessResult& result) {
  auto json = io::parse_json(child.output, "answer");
  if (!json.ok()) return false;
  const io::Json *schema = json.value().find("schema"), *verdict = json.value().find("verdict");
  if (schema == nullptr || schema->string() == nullptr || *schema->string() != "trilith.check/1") return false;
  if (verdict == nullptr || verdict->string() == nullptr) return false;
  for (std::size_t i = 0; i < std::size(verdicts); ++i) {
    if (*verdict->string() != name(verdicts[i]) || exit_codes[i] != child.exit_code) continue;
    result.verdict = verdicts[i];
    result.json = std::move(json).value();
    return true;
  }
  return false;
}

/// First line of what it wrote to standard error.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

void read_end(const CheckProcess& process, const ChildReport& child, CheckProcessResult& result) {
  if (!child.started) {
    result.end = ProcessEnd::not_started;
    result.reason = escape(process.program) + " could not be started: " + child.reason;
  } else if (child.overflowed) {
    result.end = ProcessEnd::bad_output;
    result.reason = "it wrote more than an answer can hold and was killed";
  } else if (child.interrupted) {
    result.end = ProcessEnd::interrupted;
    result.reason = "interrupted, the process was killed";
  } else if (child.killed) {
    result.end = ProcessEnd::time_limit;
    result.reason = "it did not come back within " + format_quantity(process.limit_s, "s") + " and was killed";
  } else if (child.signal != 0) {
    result.end = ProcessEnd::crashed;
    result.signal = child.signal;
    result.reason = std::string("it was ended by signal ") + std::to_string(child.signal) + " (" + strsignal(child.signal) + ")";
  } else {
    result.exit_code = child.exit_code;
    const bool says_verdict = child.exit_code >= 0 && child.exit_code <= 2;
    const bool answered = says_verdict && read_answer(child, result);
    result.end = answered ? ProcessEnd::answered : says_verdict ? ProcessEnd::bad_output : ProcessEnd::refused;
    if (says_verdict && !answered) result.reason = "what it wrote is not an answer of trilith check";
    if (!says_verdict) result.reason = "exit code " + std::to_string(child.exit_code) + ": " + first_line(child.errors);
  }
}

}  // namespace

CheckProcessResult run_check_process(const CheckProcess& process) {
  const double start = wall_seconds();
  std::vector<std::string> words{process.program, "check", process.assembly};
  words.insert(words.end(), process.options.begin(), process.options.end());
  for (const char* word : {"--json", "-", "--time-limit"}) words.emplace_back(word);
  words.push_back(format_double(process.limit_s));
  const ChildReport child = run_child(words, process.limit_s + process.kill_after_s, io::file_size_limit, errors_kept);
  CheckProcessResult result;
  result.errors = child.errors;
  read_end(process, child, result);
  result.seconds = wall_seconds() - start;
  return result;
}

std::string_view name(ProcessEnd end) noexcept {
  switch (end) {
    case ProcessEnd::answered:
      return "answered";
    case ProcessEnd::refused:
      return "refused";
    case ProcessEnd::time_limit:
      return "time_limit";
    case ProcessEnd::interrupted:
      return "interrupted";
    case ProcessEnd::crashed:
      return "crashed";
    case ProcessEnd::bad_output:
      return "bad_output";
    case ProcessEnd::not_started:
      return "not_started";
  }
  return "not_started";
}

}  // namespace trilith::study
