#include <malloc.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>

#include "base/clock.h"
#include "base/isa.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/watchdog.h"
#include "solve/registry.h"

namespace trilith::cli {
namespace {

struct Command {
  std::string_view name, summary;
  Exit (*run)(std::span<char*> words);
  bool watches_itself = false;  // writes what it has when it is interrupted
};

constexpr Command commands[] = {
    {"check", "does this assembly stand? a verdict with a proof", check, true},
    {"margin", "how far is it from falling? limit loads, tilt, friction, proved from both sides", margin, true},
    {"verify", "check a certificate again, independently, in exact arithmetic", verify},
    {"order", "in which order can it be built? every state with a proof", order, true},
    {"gate", "is this a good seat for one stone? quick tests, no proof", gate},
    {"qp", "solve a quadratic or conic program, with a proof", qp},
    {"spherize", "spheres that cover the shapes of a robot, for clearance in planning", spherize},
    {"inspect", "what is in this model? bodies, masses, joints, what was altered, terms of dynamics", inspect},
    {"simulate", "how does it move? run a model, record it", simulate, true},
    {"replay", "run a record again and compare it bit for bit", replay, true},
    {"plan", "how should it move? optimise one trajectory of a robot or a linear system", plan},
    {"generate", "write an assembly: walls, arches, vaults, stacks, ... (20 kinds)", generate},
};

void print_help() {
  std::printf("trilith %s: rigid bodies in contact, with proofs\n\nUsage: trilith COMMAND ...   (trilith COMMAND --help)\n\n",
              TRILITH_VERSION);
  for (const Command& command : commands)
    std::printf("  %-10s %s\n", std::string(command.name).c_str(), std::string(command.summary).c_str());
  std::printf(
      "\nExample:\n  trilith generate wall -o wall.json\n  trilith check wall.json --certificate proof.json\n"
      "  trilith verify wall.json proof.json\n\nExit codes: 0 stands or solved, 1 falls or infeasible, 2 marginal or undecided,\n"
      "  64 usage, 65 bad input, 70 our bug, 74 a file could not be read or written, 75 out of memory,\n  130 interrupted\n");
}

Exit unknown_command(std::string_view word) {
  std::string_view names[std::size(commands)];
  for (std::size_t i = 0; i < std::size(commands); ++i) names[i] = commands[i].name;
  const std::string nearest(nearest_name(word, names));
  std::fprintf(stderr, "trilith: no command '%s'%s%s (see trilith --help)\n", escape(word).c_str(),
               nearest.empty() ? "" : "; did you mean ", nearest.c_str());
  return Exit::usage;
}

/// An interrupt ends a command that does not come back by itself; files appear whole or not at all.
Exit run_interruptible(const Command& command, std::span<char*> words) {
  auto exit = std::make_shared<Exit>(Exit::bug);
  if (run_watched([&command, words, exit] { *exit = command.run(words); }, std::nullopt) == Watched::finished) return *exit;
  std::fprintf(stderr, "trilith: interrupted\n");
  std::fflush(nullptr);
  std::_Exit(Exit::interrupted);
}

void tell_ignored_isa() {
  const std::string_view wanted = ignored_isa_request();
  if (wanted.empty()) return;
  std::fprintf(stderr, "trilith: warning: TRILITH_ISA=%s is ignored: not baseline, v3 or v4, or not of this CPU; using %s\n",
               escape(wanted).c_str(), std::string(name(active_isa())).c_str());
}

Exit run(int argc, char** argv) {
  const std::string_view word = argc > 1 ? argv[1] : "";
  if (word.empty() || word == "--help" || word == "-h" || word == "help") {
    print_help();
    return word.empty() ? Exit::usage : Exit::yes;
  }
  if (word == "--version") {
    std::printf("trilith %s\n", TRILITH_VERSION);
    for (const solve::SolverEntry& entry : solve::list_solvers())
      if (!entry.availability.note.empty()) std::printf("  %s: %s\n", std::string(entry.name).c_str(), entry.availability.note.c_str());
    return Exit::yes;
  }
  for (const Command& command : commands)
    if (command.name == word) {
      tell_ignored_isa();
      const std::span<char*> words(argv + 2, static_cast<std::size_t>(argc - 2));
      return command.watches_itself ? command.run(words) : run_interruptible(command, words);
    }
  return unknown_command(word);
}

/// The memory of one run, large arrays too, comes from one heap that is grown in large steps and given back at the end: of 10,050 blocks
/// `check` took .6 of the time that it takes with glibc's defaults, which map and clear each large array anew.
void prepare_heap() {
  constexpr int growth = 32 << 20, never = 2'000'000'000;  // bytes
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TOP_PAD, growth);
  mallopt(M_TRIM_THRESHOLD, never);
  mallopt(M_MMAP_THRESHOLD, never);
}

}  // namespace
}  // namespace trilith::cli

int main(int argc, char** argv) {
  trilith::cli::prepare_heap();
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe and a full quota are write errors, told as such
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGINT, [](int) { trilith::request_interrupt(); });
  std::signal(SIGTERM, [](int) { trilith::request_interrupt(); });
  try {
    return trilith::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "trilith: out of memory\n");
    return trilith::cli::Exit::resumable;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "trilith: internal error: %s; please report this with the command line\n", e.what());
    return trilith::cli::Exit::bug;
  }
}
