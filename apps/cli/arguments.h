#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/exit_code.h"
#include "trilith/vec.h"

namespace trilith::cli {

/// One option of a command. `value` names its argument in the help; empty: a flag.
struct Option {
  std::string_view name;   ///< "--friction", or "-o,--output"
  std::string_view value;  ///< "MU"
  std::string_view help;
  bool repeated = false;  ///< may be given several times
  bool input = false;     ///< names a file that is read: no result is written over it
};

struct Positional {
  std::string_view name;
  std::string_view help;
};

/// What a command accepts; the help text is made from it.
struct Syntax {
  std::string_view command;
  std::string_view summary;
  std::span<const Positional> positionals;
  std::span<const Option> options;  ///< besides those that every command has
  std::string_view example;
};

/// The parsed command line. Typed getters report a bad value on stderr and remember it: ask `failed()` after reading everything.
class Arguments {
 public:
  const std::string& positional(std::size_t i) const { return positionals_[i]; }
  std::span<const std::string> positionals() const { return positionals_; }
  std::span<const std::string> inputs() const { return inputs_; }  ///< names of files that are read; of FILE#NAME also FILE
  bool has(std::string_view name) const { return values_.contains(std::string(name)); }
  std::optional<std::string> text(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  std::optional<double> number(std::string_view name);
  std::optional<int> integer(std::string_view name, int least, int most);
  std::optional<Vec3d> vector(std::string_view name);  ///< "x,y,z"
  std::optional<std::string> choice(std::string_view name, std::span<const std::string_view> allowed);
  bool failed() const { return failed_; }
  /// Reports what is wrong with an option's value.
  void refuse(std::string_view name, std::string_view why);

 private:
  friend std::variant<Arguments, Exit> parse_arguments(const Syntax&, std::span<char*>);
  std::vector<std::string> positionals_, inputs_;
  std::map<std::string, std::vector<std::string>> values_;
  bool failed_ = false;
};

/// Three finite numbers between commas.
std::optional<Vec3d> parse_vector(std::string_view word);

/// Parses the words after the command's name. --help prints and gives Exit::yes; a wrong command line prints why and gives Exit::usage.
std::variant<Arguments, Exit> parse_arguments(const Syntax& syntax, std::span<char*> words);

}  // namespace trilith::cli
