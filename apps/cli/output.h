#pragma once
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "cli/arguments.h"
#include "io/json.h"
#include "trilith/result.h"

namespace trilith::cli {

/// Prints errors to stderr, one line each, and gives the exit code of the gravest: usage, input or output.
Exit report_errors(std::span<const Error> errors);

/// Prints warnings to stderr, one line each; beyond `most_warnings` only their number (the JSON result has all of them).
void report_warnings(std::span<const Warning> warnings);
inline constexpr std::size_t most_warnings = 20;

/// Writes `text` to stdout; false (and a line on stderr) where stdout is closed or full.
bool write_stdout(std::string_view text);

/// Writes the JSON result where --json asks for it, and the text for people where stdout is free and --quiet was not given.
/// Gives `answer`, or Exit::io_failed where writing failed.
Exit write_result(const Arguments& arguments, const io::Json& json, std::string_view text, Exit answer);

/// Before the work: tells which of the files that these options name could not be written as things are. Exit::yes where all could.
Exit check_outputs(const Arguments& arguments, std::initializer_list<std::string_view> options);

/// Writes a file for the user (certificate, assembly): atomically, --force to overwrite, never over an input. Exit::yes or Exit::io_failed.
Exit write_output_file(const Arguments& arguments, const std::string& path, std::string_view text);

/// True where an option asks for standard output as the place of the JSON result.
bool json_on_stdout(const Arguments& arguments);

}  // namespace trilith::cli
