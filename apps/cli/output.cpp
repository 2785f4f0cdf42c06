#include "cli/output.h"

#include <algorithm>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/text.h"
#include "io/file.h"

namespace trilith::cli {
namespace {

void print_line(std::string_view kind, std::string_view where, std::string_view what) {
  const std::string place = where.empty() ? std::string() : escape(where) + ": ";
  std::fprintf(stderr, "trilith: %s%s%s\n", place.c_str(), std::string(kind).c_str(), escape(what).c_str());
}

/// A path that no result is written to, whatever is there.
std::vector<Error> why_no_output(const std::string& path) {
  // results are JSON: over a mesh they can only be a mistake, whatever --force says
  const std::string_view mesh_endings[] = {".obj", ".stl", ".ply", ".glb", ".gltf"};
  if (path.empty()) return {{"needs the name of a file, got an empty one", "output", Error::Kind::usage}};
  if (path == "-") return {{"needs the name of a file, not -", path, Error::Kind::usage}};
  if (std::ranges::any_of(mesh_endings, [&](std::string_view end) { return path.ends_with(end); }))
    return {{"looks like a mesh: a result is not written over it", path, Error::Kind::usage}};
  return {};
}

}  // namespace

Exit report_errors(std::span<const Error> errors) {
  Exit exit = Exit::bad_input;
  for (const Error& error : errors) {
    print_line("", error.where, error.what);
    if (error.kind == Error::Kind::io) exit = Exit::io_failed;
    if (error.kind == Error::Kind::usage) exit = Exit::usage;
  }
  return exit;
}

void report_warnings(std::span<const Warning> warnings) {
  for (std::size_t i = 0; i < warnings.size() && i < most_warnings; ++i) print_line("warning: ", warnings[i].where, warnings[i].what);
  if (warnings.size() > most_warnings)
    std::fprintf(stderr, "trilith: %zu further warnings; --json lists them all\n", warnings.size() - most_warnings);
}

bool write_stdout(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) std::fprintf(stderr, "trilith: cannot write to standard output: %s\n", std::strerror(errno));
  return written;
}

bool json_on_stdout(const Arguments& arguments) { return arguments.text("--json").value_or("") == "-"; }

Exit check_outputs(const Arguments& arguments, std::initializer_list<std::string_view> options) {
  std::vector<Error> errors;
  for (const std::string_view option : options) {
    const auto path = arguments.text(option);
    if (!path || (option == "--json" && *path == "-")) continue;
    std::vector<Error> refused = why_no_output(*path);
    if (refused.empty()) refused = io::why_not_writable(*path, arguments.has("--force"), arguments.inputs());
    errors.insert(errors.end(), refused.begin(), refused.end());
  }
  return errors.empty() ? Exit::yes : report_errors(errors);
}

Exit write_output_file(const Arguments& arguments, const std::string& path, std::string_view text) {
  if (const std::vector<Error> refused = why_no_output(path); !refused.empty()) return report_errors(refused);
  const auto written = io::write_file_atomically(path, text, arguments.has("--force"), arguments.inputs());
  return written.ok() ? Exit::yes : report_errors(written.errors());
}

Exit write_result(const Arguments& arguments, const io::Json& json, std::string_view text, Exit answer) {
  bool written = true;
  if (json_on_stdout(arguments)) {
    written = write_stdout(io::write_json(json, 1) + "\n");
  } else {
    if (const auto path = arguments.text("--json"))
      written = write_output_file(arguments, *path, io::write_json(json, 1) + "\n") == Exit::yes;
    if (!arguments.has("--quiet")) written = write_stdout(text) && written;
  }
  return written ? answer : Exit::io_failed;
}

}  // namespace trilith::cli
