#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>

#include "base/text.h"

namespace trilith::cli {
namespace {

constexpr Option common_options[] = {
    {"--json", "FILE", "write the result as one JSON object; - for stdout"},
    {"--quiet", "", "no summary and no progress; warnings and errors stay"},
    {"--threads", "N", "threads to use (default: all; the answer does not depend on it)"},
    {"--force", "", "overwrite output files that exist"},
};

/// "-o,--output" is kept under its last spelling.
std::string key_of(std::string_view name) {
  const auto comma = name.rfind(',');
  return std::string(comma == std::string_view::npos ? name : name.substr(comma + 1));
}

void add_option(CLI::App& app, const Option& option, std::map<std::string, std::vector<std::string>>& values) {
  const std::string key = key_of(option.name);
  if (option.value.empty()) {
    app.add_flag_callback(std::string(option.name), [&values, key] { values[key] = {"true"}; }, std::string(option.help));
    return;
  }
  auto take = [&values, key](const std::vector<std::string>& words) {
    values[key] = words;
    return true;
  };
  CLI::Option* added = app.add_option(std::string(option.name), CLI::callback_t(take), std::string(option.help));
  added->type_name(std::string(option.value))->type_size(1);
  added->multi_option_policy(option.repeated ? CLI::MultiOptionPolicy::TakeAll : CLI::MultiOptionPolicy::Throw);
}

}  // namespace

std::variant<Arguments, Exit> parse_arguments(const Syntax& syntax, std::span<char*> words) {
  Arguments arguments;
  CLI::App app(std::string(syntax.summary), "trilith " + std::string(syntax.command));
  app.footer("Example:\n  " + std::string(syntax.example));
  arguments.positionals_.resize(syntax.positionals.size());
  for (std::size_t i = 0; i < syntax.positionals.size(); ++i)
    app.add_option(std::string(syntax.positionals[i].name), arguments.positionals_[i], std::string(syntax.positionals[i].help))->required();
  for (const Option& option : syntax.options) add_option(app, option, arguments.values_);
  for (const Option& option : common_options) add_option(app, option, arguments.values_);
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    std::fputs(app.help().c_str(), stdout);
    return Exit::yes;
  } catch (const CLI::ParseError& e) {
    std::fprintf(stderr, "trilith %s: %s (see trilith %s --help)\n", std::string(syntax.command).c_str(), e.what(),
                 std::string(syntax.command).c_str());
    return Exit::usage;
  }
  arguments.inputs_ = arguments.positionals_;
  for (const Option& option : syntax.options)
    if (option.input)
      for (const std::string& word : arguments.texts(key_of(option.name))) arguments.inputs_.push_back(word);
  for (std::size_t i = 0, count = arguments.inputs_.size(); i < count; ++i)
    if (const auto mark = arguments.inputs_[i].rfind('#'); mark != std::string::npos)
      arguments.inputs_.push_back(arguments.inputs_[i].substr(0, mark));
  return arguments;
}

std::optional<std::string> Arguments::text(std::string_view name) const {
  const auto it = values_.find(std::string(name));
  if (it == values_.end() || it->second.empty()) return std::nullopt;
  return it->second.back();
}

std::vector<std::string> Arguments::texts(std::string_view name) const {
  const auto it = values_.find(std::string(name));
  return it == values_.end() ? std::vector<std::string>{} : it->second;
}

void Arguments::refuse(std::string_view name, std::string_view why) {
  std::fprintf(stderr, "trilith: %s: %s\n", std::string(name).c_str(), std::string(why).c_str());
  failed_ = true;
}

std::optional<double> Arguments::number(std::string_view name) {
  const auto word = text(name);
  if (!word) return std::nullopt;
  const auto value = parse_double(*word);
  if (!value || !std::isfinite(*value)) {
    refuse(name, "expected a finite number, got '" + escape(*word) + "'");
    return std::nullopt;
  }
  return value;
}

std::optional<int> Arguments::integer(std::string_view name, int least, int most) {
  const auto value = number(name);
  if (!value) return std::nullopt;
  if (*value < least || *value > most || *value != std::floor(*value)) {
    refuse(name, "expected a whole number from " + std::to_string(least) + " to " + std::to_string(most) + ", got '" + *text(name) + "'");
    return std::nullopt;
  }
  return static_cast<int>(*value);
}

std::optional<Vec3d> parse_vector(std::string_view word) {
  double component[3] = {};
  std::size_t count = 0;
  for (std::size_t at = 0; at <= word.size(); ++count) {
    const std::size_t comma = std::min(word.find(',', at), word.size());
    const auto value = parse_double(word.substr(at, comma - at));
    if (!value || !std::isfinite(*value) || count >= 3) return std::nullopt;
    component[count] = *value;
    at = comma + 1;
  }
  if (count != 3) return std::nullopt;
  return Vec3d{component[0], component[1], component[2]};
}

std::optional<Vec3d> Arguments::vector(std::string_view name) {
  const auto word = text(name);
  if (!word) return std::nullopt;
  const auto value = parse_vector(*word);
  if (!value) refuse(name, "expected three numbers x,y,z, got '" + escape(*word) + "'");
  return value;
}

std::optional<std::string> Arguments::choice(std::string_view name, std::span<const std::string_view> allowed) {
  auto word = text(name);
  if (!word) return std::nullopt;
  std::string list;
  for (const std::string_view a : allowed) {
    if (a == *word) return word;
    list += (list.empty() ? "" : ", ") + std::string(a);
  }
  refuse(name, "'" + escape(*word) + "' is not available; one of: " + list);
  return std::nullopt;
}

}  // namespace trilith::cli
