#include "io/mjcf_reader.h"

#include <algorithm>

#include "base/sha256.h"
#include "base/text.h"
#include "io/file.h"
#include "io/mjcf_include.h"
#include "io/mjcf_schema.h"

namespace trilith::io {
namespace {

using Section = void (*)(MjcfReader&, const XmlElement&);

struct SectionRule {
  std::string_view tag;
  Section read;
};

void read_top_default(MjcfReader& reader, const XmlElement& section) { read_default(reader, section, nullptr); }

// later sections need what earlier ones say, wherever they stand in the file
constexpr SectionRule sections[] = {{"compiler", read_compiler}, {"option", read_option},       {"default", read_top_default},
                                    {"asset", read_assets},      {"worldbody", read_worldbody}, {"contact", read_contact},
                                    {"equality", read_equality}, {"tendon", read_tendons},      {"actuator", read_actuators},
                                    {"sensor", read_sensors},    {"keyframe", read_keyframes}};

/// The elements of all world sections in the first: those of one body stay together in the lists of the model.
void join_worlds(XmlElement& root) {
  XmlElement* first = nullptr;
  XmlElement** end = nullptr;
  for (XmlElement* e = root.first_child; e != nullptr; e = e->next) {
    if (e->name != "worldbody") continue;
    if (first == nullptr) {
      first = e;
      end = &e->first_child;
    } else {
      *end = e->first_child;
      e->first_child = nullptr;
    }
    while (*end != nullptr) end = &(*end)->next;
  }
}

Result<model::ModelInput> read_mjcf(std::string_view text, const std::string& source, RootedFiles* files) {
  Result<std::unique_ptr<XmlDocument>> document = XmlDocument::parse(text, source);
  if (!document) return document.errors();
  model::Findings findings;
  XmlFields fields(findings);
  for (const Warning& warning : document.value()->warnings()) fields.take(warning);
  XmlTree tree;
  tree.documents.push_back(std::move(document).value());
  expand_includes(tree, files, fields);
  if (findings.ok()) check_mjcf_schema(tree.root(), fields);
  if (!findings.ok()) return std::move(findings.errors());
  model::ModelInput input;
  input.source = source;
  input.format = "mjcf";
  input.name = tree.root().value("model");
  join_worlds(tree.root());
  MjcfReader reader(fields, files, input);
  for (const SectionRule& rule : sections)
    for (const XmlElement* e = tree.root().first_child; e != nullptr; e = e->next)
      if (e->name == rule.tag) rule.read(reader, *e);
  if (!findings.ok()) return std::move(findings.errors());
  fields.tell_counts();
  input.warnings = std::move(findings.warnings());
  input.sha256 = files == nullptr ? sha256_hex(text) : files->digest(sha256_hex(text));
  return input;
}

}  // namespace

Result<model::ModelInput> load_mjcf(const std::string& path, const MjcfOptions& options) {
  const Result<std::string> text = read_file(path);
  if (!text) return text.errors();
  RootedFiles files(path, options.allowed_folders);
  return read_mjcf(text.value(), path, &files);
}

Result<model::ModelInput> parse_mjcf(std::string_view text, const std::string& source) { return read_mjcf(text, source, nullptr); }

MjcfReader::MjcfReader(XmlFields& fields_in, RootedFiles* files_in, model::ModelInput& out_in)
    : fields(fields_in), files(files_in), out(out_in) {
  MjcfClass& main = classes.emplace_back();
  main.name = "main";
  // a pair says everything itself: what its two shapes say does not count
  main.pair.condim = 3;
  main.pair.friction = {1, 1, 0.005, 0.0001, 0.0001};
  main.pair.solref = model::Softness{}.solref;
  main.pair.solimp = model::Softness{}.solimp;
  main.pair.margin = main.pair.gap = 0;
  class_by_name_.emplace("main", &classes.front());
  model::Body& world = out.bodies.emplace_back();
  world.name = "world";
  world.where = out.source;
}

const MjcfClass* MjcfReader::named_class(const XmlElement& e, std::string_view attribute) {
  const XmlAttribute* found = e.find(attribute);
  if (found == nullptr) return nullptr;
  if (const auto known = class_by_name_.find(std::string(found->value)); known != class_by_name_.end()) return known->second;
  std::vector<std::string_view> names;
  for (const MjcfClass& known : classes) names.push_back(known.name);
  const std::string_view near = nearest_name(found->value, names);
  fields.fail("names the unknown class " + in_quotes(found->value) + (near.empty() ? "" : " (did you mean " + in_quotes(near) + "?)"), e,
              attribute);
  return nullptr;
}

const MjcfClass& MjcfReader::class_of(const XmlElement& e, const MjcfClass& surrounding) {
  const MjcfClass* own = named_class(e, "class");
  return own == nullptr ? surrounding : *own;
}

void MjcfReader::note_replica(model::ElementKind kind, const std::string& name, const std::string& suffix) {
  if (!name.empty() && !suffix.empty()) replicas_[{kind, name}].push_back(suffix);
}

const Suffixes* MjcfReader::replicas(model::ElementKind kind, const std::string& name) const {
  if (replicas_.empty() || name.empty()) return nullptr;
  if (kind == model::ElementKind::body_frame) kind = model::ElementKind::body;
  const auto found = replicas_.find({kind, name});
  return found == replicas_.end() ? nullptr : &found->second;
}

}  // namespace trilith::io
