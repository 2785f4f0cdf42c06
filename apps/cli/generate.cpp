#include <fmt/format.h>

#include <cstdio>

#include "base/text.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/generate_kinds.h"
#include "cli/output.h"
#include "io/assembly_json.h"

namespace trilith::cli {
namespace {

constexpr Option output_option{"-o,--output", "FILE", "where to write the assembly; left out: stdout"};

/// Other names under which people look for a kind.
constexpr std::pair<std::string_view, std::string_view> other_names[] = {
    {"vault", "barrel-vault"}, {"voronoi", "polygonal-wall"}, {"groin-vault", "cross-vault"}, {"flat-arch", "jack-arch"}};

const GenerateKind* find_kind(std::string_view name) {
  for (const auto& [other, kind] : other_names)
    if (name == other) name = kind;
  for (const GenerateKind& kind : generate_kinds())
    if (kind.name == name) return &kind;
  return nullptr;
}

/// The first word that names a kind and is no option's value; words.size(): the line asks for help or is wrong.
std::size_t find_kind_word(std::span<char*> words) {
  bool value = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (!value && find_kind(word) != nullptr) return i;
    value = word == "-o" || word == "--output" || word == "--json";
  }
  return words.size();
}

std::string list_of_kinds() {
  std::string text = "what to make; trilith generate KIND --help shows its options.\n";
  for (const GenerateKind& kind : generate_kinds()) text += fmt::format("  {:<15} {}\n", kind.name, kind.summary);
  return text;
}

void tell_unknown(std::string_view name) {
  std::vector<std::string_view> names;
  for (const GenerateKind& kind : generate_kinds()) names.push_back(kind.name);
  const std::string_view near = nearest_name(name, names);
  std::string list;
  for (const std::string_view known : names) {
    if (!list.empty()) list += ", ";
    list += known;
  }
  std::fprintf(stderr, "trilith: no kind '%s'%s; one of: %s\n", escape(name).c_str(),
               near.empty() ? "" : fmt::format(" (did you mean {}?)", near).c_str(), list.c_str());
}

/// Takes friction and density from the command line, else what the kind says, else the defaults of `check`.
void settle_material(Arguments& arguments, model::AssemblyInput& assembly) {
  assembly.friction = arguments.number("--friction").value_or(assembly.friction.value_or(0.84));
  assembly.density = arguments.number("--density").value_or(2400);
  if (*assembly.friction < 0) arguments.refuse("--friction", fmt::format("must be >= 0, got {}", *assembly.friction));
  if (*assembly.density <= 0) arguments.refuse("--density", fmt::format("must be above 0, got {}", *assembly.density));
}

/// Without a kind: the help, or what is wrong.
Exit refuse_without_kind(std::span<char*> words) {
  if (!words.empty() && words[0][0] != '-') {
    tell_unknown(words[0]);
    return Exit::usage;
  }
  const std::string kinds = list_of_kinds();
  const Positional positionals[] = {{"KIND", kinds}};
  const Option options[] = {output_option};
  auto parsed = parse_arguments(
      {"generate", "Writes an assembly made from a few numbers.", positionals, options, "trilith generate wall -o wall.json"}, words);
  if (const Exit* exit = std::get_if<Exit>(&parsed)) return *exit;
  tell_unknown(std::get<Arguments>(parsed).positional(0));
  return Exit::usage;
}

}  // namespace

Exit generate(std::span<char*> words) {
  const std::size_t at = find_kind_word(words);
  if (at == words.size()) return refuse_without_kind(words);
  const GenerateKind* kind = find_kind(words[at]);
  std::vector<char*> rest(words.begin(), words.end());
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at));
  const std::string friction = fmt::format("friction coefficient written into the file ({})", kind->friction);
  std::vector<Option> options(kind->options.begin(), kind->options.end());
  options.push_back(output_option);
  options.push_back({"--friction", "MU", friction});
  options.push_back({"--density", "RHO", "density written into the file, kg/m3 (2400)"});
  const std::string command = fmt::format("generate {}", kind->name), summary = fmt::format("Writes an assembly: {}.", kind->summary);
  const std::string example = fmt::format("trilith generate {0} -o {0}.json", kind->name);
  auto parsed = parse_arguments({command, summary, {}, options, example}, rest);
  if (const Exit* exit = std::get_if<Exit>(&parsed)) return *exit;
  Arguments& arguments = std::get<Arguments>(parsed);

  std::optional<model::AssemblyInput> assembly = kind->make(arguments);
  if (assembly) settle_material(arguments, *assembly);
  if (!assembly || arguments.failed()) return Exit::usage;

  const std::string text = io::write_assembly_json(*assembly);
  const auto output = arguments.text("--output");
  if (!output && !json_on_stdout(arguments)) return write_stdout(text) ? Exit::yes : Exit::io_failed;
  if (output) {
    const Exit written = write_output_file(arguments, *output, text);
    if (written != Exit::yes) return written;
  }
  const io::Json result = io::Json::Object{{"schema", "trilith.generate/1"},
                                           {"engine", TRILITH_VERSION},
                                           {"kind", kind->name},
                                           {"output", output ? io::Json(*output) : io::Json()},
                                           {"blocks", assembly->blocks.size()}};
  return write_result(arguments, result,
                      fmt::format("{}: {} with {} blocks\n", output.value_or("(not written)"), kind->name, assembly->blocks.size()),
                      Exit::yes);
}

}  // namespace trilith::cli
