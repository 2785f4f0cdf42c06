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

constexpr Option shared_options[] = {
    {"-o,--output", "FILE", "where to write the assembly; left out: stdout"},
    {"--friction", "MU", "friction coefficient written into the file (.84)"},
    {"--density", "RHO", "density written into the file, kg/m3 (2400)"},
};

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

/// The first word that names a kind and is no option's value; none: the line asks for help or is wrong.
const GenerateKind* kind_of(std::span<char*> words) {
  bool value = false;
  for (const char* text : words) {
    const std::string_view word = text;
    if (!value)
      if (const GenerateKind* kind = find_kind(word)) return kind;
    value = word == "-o" || word == "--output" || word == "--json";
  }
  return nullptr;
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

}  // namespace

Exit generate(std::span<char*> words) {
  const GenerateKind* kind = kind_of(words);
  if (!kind && !words.empty() && words[0][0] != '-') {
    tell_unknown(words[0]);
    return Exit::usage;
  }
  std::vector<Option> options(std::begin(shared_options), std::end(shared_options));
  if (kind) options.insert(options.begin(), kind->options.begin(), kind->options.end());
  const std::string kinds = list_of_kinds();
  const Positional positionals[] = {{"KIND", kind ? kind->summary : std::string_view(kinds)}};
  const std::string example = fmt::format("trilith generate {0} -o {0}.json", kind ? kind->name : "wall");
  auto parsed = parse_arguments({"generate", "Writes an assembly made from a few numbers.", positionals, options, example}, words);
  if (const Exit* exit = std::get_if<Exit>(&parsed)) return *exit;
  Arguments& arguments = std::get<Arguments>(parsed);
  if (!kind) {
    tell_unknown(arguments.positional(0));
    return Exit::usage;
  }

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
