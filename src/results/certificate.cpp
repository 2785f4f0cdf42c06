#include "results/certificate.h"

#include <charconv>

#include "results/json_vectors.h"

namespace trilith::results {
namespace {

using io::Json;

Certificate make_certificate(const model::Assembly& assembly, std::string kind, const certify::VerifySettings& gates,
                             const model::AssemblyOptions& flags) {
  Certificate c;
  c.kind = std::move(kind);
  c.input_sha256 = assembly.sha256;
  c.engine = TRILITH_VERSION;
  c.settings = CertificateSettings{assembly.friction,       assembly.density,        assembly.gravity,         assembly.unit,
                                   assembly.supports_added, gates.balance_tolerance, gates.least_force_factor, flags};
  c.interfaces.reserve(assembly.interfaces.size());
  for (const model::Interface& face : assembly.interfaces)
    c.interfaces.push_back({assembly.blocks[face.a].id, assembly.blocks[face.b].id, face.polygon, face.normal, face.mu});
  return c;
}

/// {id: [six numbers]}
Json motions_json(const std::vector<BlockVelocity>& motions) {
  Json::Object object;
  object.reserve(motions.size());
  for (const auto& [id, v] : motions)
    object.emplace_back(id, Json::Array{v.linear.x, v.linear.y, v.linear.z, v.angular.x, v.angular.y, v.angular.z});
  return object;
}

constexpr double largest_literal = 1e9;

constexpr std::pair<certify::RefutationStep::Kind, std::string_view> step_kinds[] = {{certify::RefutationStep::Kind::force, "force"},
                                                                                     {certify::RefutationStep::Kind::motion, "motion"},
                                                                                     {certify::RefutationStep::Kind::learned, "learned"}};

Json step_json(const certify::RefutationStep& step) {
  std::string_view kind;
  for (const auto& [known, name] : step_kinds)
    if (known == step.kind) kind = name;
  Json::Array literals, ray;
  for (const int literal : step.literals) literals.emplace_back(literal);
  for (const double v : step.ray) ray.emplace_back(v);
  return Json::Object{{"kind", kind}, {"literals", std::move(literals)}, {"ray", std::move(ray)}};
}

void add_coupled_json(const CoupledProof& proof, std::string_view kind, Json& json) {
  if (kind == "cra_refutation") {
    json.set("bound_gives", proof.bound_gives);
    json.set("least_slip_gives", proof.least_slip_gives);
    Json::Array steps;
    for (const certify::RefutationStep& step : proof.steps) steps.push_back(step_json(step));
    json.set("steps", std::move(steps));
    return;
  }
  json.set("give_m", proof.give_m);
  json.set("bound_m", proof.bound_m);
  Json::Array alpha;
  for (const std::vector<double>& list : proof.alpha_N_per_m) {
    Json::Array row;
    for (const double a : list) row.emplace_back(a);
    alpha.emplace_back(std::move(row));
  }
  json.set("alpha_N_per_m", std::move(alpha));
  json.set("displacements", motions_json(proof.displacements));
}

Json list_json(const std::vector<Vec3d>& list) {
  Json::Array array;
  array.reserve(list.size());
  for (const Vec3d& a : list) array.push_back(vector_json(a));
  return array;
}

Json texts_json(const std::vector<std::string>& texts) {
  Json::Array array;
  for (const std::string& text : texts) array.emplace_back(text);
  return array;
}

/// Only what was set.
Json flags_json(const model::AssemblyOptions& flags) {
  Json::Object set;
  if (flags.friction) set.emplace_back("friction", *flags.friction);
  if (flags.density) set.emplace_back("density", *flags.density);
  if (flags.gravity) set.emplace_back("gravity", vector_json(*flags.gravity));
  if (flags.unit) set.emplace_back("unit", *flags.unit);
  if (!flags.fixed.empty()) set.emplace_back("fixed", texts_json(flags.fixed));
  if (flags.contact_gap) set.emplace_back("contact_gap", *flags.contact_gap);
  if (flags.contact_area) set.emplace_back("contact_area", *flags.contact_area);
  return set;
}

Json settings_json(const CertificateSettings& s) {
  return Json::Object{{"friction", s.friction},
                      {"density", s.density},
                      {"gravity", vector_json(s.gravity)},
                      {"unit", s.unit},
                      {"fixed_added", texts_json(s.fixed_added)},
                      {"balance_tolerance", s.balance_tolerance},
                      {"least_force_factor", s.least_force_factor},
                      {"flags", flags_json(s.flags)}};
}

Json interface_json(const CertificateInterface& face) {
  return Json::Object{
      {"a", face.a}, {"b", face.b}, {"polygon", list_json(face.polygon)}, {"normal", vector_json(face.normal)}, {"mu", face.mu}};
}

/// Walks a JSON value and collects what is wrong, each with its path.
class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source) {}

  bool failed() const { return !errors_.empty(); }
  std::vector<Error> take_errors() { return std::move(errors_); }
  void refuse(std::string what, const std::string& path) {
    if (errors_.size() < max_errors) errors_.push_back({std::move(what), std::string(source_).append(":").append(path)});
  }

  const Json* need(const Json& object, std::string_view key, const std::string& path) {
    const Json* value = object.find(key);
    if (value == nullptr) refuse("is missing", join(path, key));
    return value;
  }
  std::string text(const Json& object, std::string_view key, const std::string& path) {
    const Json* value = need(object, key, path);
    if (value == nullptr) return {};
    if (const std::string* found = value->string()) return *found;
    refuse("must be text", join(path, key));
    return {};
  }
  std::string optional_text(const Json& object, std::string_view key, std::string otherwise) {
    return object.find(key) == nullptr ? std::move(otherwise) : text(object, key, "");
  }
  double number(const Json& value, const std::string& path) {
    if (const double* found = value.number()) return *found;
    refuse("must be a number", path);
    return 0;
  }
  double number(const Json& object, std::string_view key, const std::string& path) {
    const Json* value = need(object, key, path);
    return value == nullptr ? 0 : number(*value, join(path, key));
  }
  const Json::Array& list(const Json& value, const std::string& path) {
    static const Json::Array none;
    if (const Json::Array* found = value.array()) return *found;
    refuse("must be a list", path);
    return none;
  }
  const Json::Array& list(const Json& object, std::string_view key, const std::string& path) {
    static const Json::Array none;
    const Json* value = need(object, key, path);
    return value == nullptr ? none : list(*value, join(path, key));
  }
  /// Numbers of a list that must have exactly `count`.
  std::vector<double> numbers(const Json& value, std::size_t count, const std::string& path) {
    const Json::Array& items = list(value, path);
    std::vector<double> found(count, 0);
    if (value.array() == nullptr) return found;
    if (items.size() != count) refuse("must hold " + std::to_string(count) + " numbers, holds " + std::to_string(items.size()), path);
    for (std::size_t i = 0; i < std::min(count, items.size()); ++i) found[i] = number(items[i], join(path, i));
    return found;
  }
  Vec3d vector(const Json& value, const std::string& path) {
    const std::vector<double> c = numbers(value, 3, path);
    return {c[0], c[1], c[2]};
  }
  std::vector<Vec3d> vectors(const Json& value, const std::string& path) {
    std::vector<Vec3d> found;
    const Json::Array& items = list(value, path);
    found.reserve(items.size());
    for (std::size_t i = 0; i < items.size() && errors_.size() < max_errors; ++i) found.push_back(vector(items[i], join(path, i)));
    return found;
  }

  std::vector<std::string> texts(const Json& object, std::string_view key, const std::string& path) {
    std::vector<std::string> found;
    const Json::Array& items = list(object, key, path);
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (const std::string* text = items[i].string()) found.push_back(*text);
      if (items[i].string() == nullptr) refuse("must be text", join(join(path, key), i));
    }
    return found;
  }

  static std::string join(const std::string& path, std::string_view key) { return std::string(path).append("/").append(key); }
  static std::string join(const std::string& path, std::size_t index) { return join(path, std::to_string(index)); }

 private:
  std::string_view source_;
  std::vector<Error> errors_;
};

/// The schema's number must be one that this program knows.
void check_schema(const Json& json, Reader& reader) {
  const Json* schema = json.find("schema");
  if (schema == nullptr) return;
  const std::string* text = schema->string();
  const std::string_view family = certificate_schema.substr(0, certificate_schema.rfind('/') + 1);
  if (text == nullptr || !text->starts_with(family)) return reader.refuse("is not a certificate", "/schema");
  int version = 0;
  const char* end = text->data() + text->size();
  const auto parsed = std::from_chars(text->data() + family.size(), end, version);
  if (parsed.ec != std::errc{} || parsed.ptr != end || version < 1) return reader.refuse("is not a certificate", "/schema");
  if (version > 1) reader.refuse("was made by a newer version: this program reads " + std::string(certificate_schema), "/schema");
}

model::AssemblyOptions read_flags(const Json& json, Reader& reader) {
  const std::string path = "/settings/flags";
  model::AssemblyOptions flags;
  if (json.object() == nullptr) reader.refuse("must be an object", path);
  if (json.find("friction") != nullptr) flags.friction = reader.number(json, "friction", path);
  if (json.find("density") != nullptr) flags.density = reader.number(json, "density", path);
  if (const Json* gravity = json.find("gravity")) flags.gravity = reader.vector(*gravity, path + "/gravity");
  if (json.find("unit") != nullptr) flags.unit = reader.text(json, "unit", path);
  if (json.find("fixed") != nullptr) flags.fixed = reader.texts(json, "fixed", path);
  if (json.find("contact_gap") != nullptr) flags.contact_gap = reader.number(json, "contact_gap", path);
  if (json.find("contact_area") != nullptr) flags.contact_area = reader.number(json, "contact_area", path);
  return flags;
}

CertificateSettings read_settings(const Json& json, Reader& reader) {
  const std::string path = "/settings";
  CertificateSettings s;
  s.friction = reader.number(json, "friction", path);
  s.density = reader.number(json, "density", path);
  if (const Json* gravity = reader.need(json, "gravity", path)) s.gravity = reader.vector(*gravity, path + "/gravity");
  s.unit = reader.text(json, "unit", path);
  s.fixed_added = reader.texts(json, "fixed_added", path);
  s.balance_tolerance = reader.number(json, "balance_tolerance", path);
  s.least_force_factor = reader.number(json, "least_force_factor", path);
  if (const Json* flags = json.find("flags")) s.flags = read_flags(*flags, reader);
  return s;
}

CertificateInterface read_interface(const Json& json, const std::string& path, Reader& reader) {
  CertificateInterface face{reader.text(json, "a", path), reader.text(json, "b", path), {}, {}, reader.number(json, "mu", path)};
  if (const Json* polygon = reader.need(json, "polygon", path)) face.polygon = reader.vectors(*polygon, path + "/polygon");
  if (const Json* normal = reader.need(json, "normal", path)) face.normal = reader.vector(*normal, path + "/normal");
  return face;
}

void read_forces(const Json& json, Reader& reader, Certificate& c) {
  const Json::Array& lists = reader.list(json, "forces_N", "");
  if (json.find("forces_N") != nullptr && lists.size() != c.interfaces.size())
    reader.refuse("holds " + std::to_string(lists.size()) + " lists for " + std::to_string(c.interfaces.size()) + " interfaces",
                  "/forces_N");
  for (std::size_t i = 0; i < lists.size() && !reader.failed(); ++i) {
    const std::string path = Reader::join("/forces_N", i);
    c.forces_N.push_back(reader.vectors(lists[i], path));
    const std::size_t wanted = c.interfaces[i].polygon.size(), found = c.forces_N[i].size();
    if (!reader.failed() && found != wanted)
      reader.refuse("holds " + std::to_string(found) + " forces for " + std::to_string(wanted) + " polygon vertices", path);
  }
}

std::vector<BlockVelocity> read_motions(const Json& json, std::string_view key, Reader& reader) {
  std::vector<BlockVelocity> motions;
  const Json* found = reader.need(json, key, "");
  if (found == nullptr) return motions;
  const std::string path = Reader::join("", key);
  const Json::Object* members = found->object();
  if (members == nullptr) reader.refuse("must be an object", path);
  if (members == nullptr) return motions;
  for (const auto& [id, value] : *members) {
    if (reader.failed()) break;
    const std::vector<double> v = reader.numbers(value, 6, Reader::join(path, id));
    motions.push_back({id, {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}}});
  }
  return motions;
}

void read_pair(const Json& json, Reader& reader, Certificate& c) {
  CoupledProof& proof = c.coupled.emplace();
  proof.give_m = reader.number(json, "give_m", "");
  proof.bound_m = reader.number(json, "bound_m", "");
  proof.displacements = read_motions(json, "displacements", reader);
  const Json::Array& lists = reader.list(json, "alpha_N_per_m", "");
  if (!reader.failed() && lists.size() != c.interfaces.size()) reader.refuse("must hold one list per interface", "/alpha_N_per_m");
  for (std::size_t i = 0; i < lists.size() && !reader.failed(); ++i)
    proof.alpha_N_per_m.push_back(reader.numbers(lists[i], c.interfaces[i].polygon.size(), Reader::join("/alpha_N_per_m", i)));
}

void read_step(const Json& json, const std::string& path, Reader& reader, std::vector<certify::RefutationStep>& steps) {
  certify::RefutationStep& step = steps.emplace_back();
  const std::string kind = reader.text(json, "kind", path);
  bool known = false;
  for (const auto& [value, name] : step_kinds)
    if (name == kind) {
      step.kind = value;
      known = true;
    }
  if (!known) reader.refuse("must be force, motion or learned", Reader::join(path, "kind"));
  for (const Json& literal : reader.list(json, "literals", path)) {
    const double value = reader.number(literal, Reader::join(path, "literals"));
    const bool whole = value >= -largest_literal && value <= largest_literal && value == static_cast<int>(value);
    if (!whole) reader.refuse("must be whole numbers", Reader::join(path, "literals"));
    if (whole) step.literals.push_back(static_cast<int>(value));
  }
  for (const Json& v : reader.list(json, "ray", path)) step.ray.push_back(reader.number(v, Reader::join(path, "ray")));
}

void read_refutation(const Json& json, Reader& reader, Certificate& c) {
  CoupledProof& proof = c.coupled.emplace();
  proof.bound_gives = reader.number(json, "bound_gives", "");
  proof.least_slip_gives = reader.number(json, "least_slip_gives", "");
  const Json::Array& steps = reader.list(json, "steps", "");
  for (std::size_t i = 0; i < steps.size() && !reader.failed(); ++i) read_step(steps[i], Reader::join("/steps", i), reader, proof.steps);
}

}  // namespace

Certificate make_force_certificate(const model::Assembly& assembly, std::span<const Vec3d> forces, const certify::VerifySettings& settings,
                                   const model::AssemblyOptions& flags) {
  Certificate c = make_certificate(assembly, "force_state", settings, flags);
  std::size_t row = 0;
  for (const model::Interface& face : assembly.interfaces) {
    const auto part = forces.subspan(row, face.polygon.size());
    c.forces_N.emplace_back(part.begin(), part.end());
    row += part.size();
  }
  return c;
}

Certificate make_collapse_certificate(const model::Assembly& assembly, std::span<const certify::Velocity> velocities,
                                      const certify::VerifySettings& settings, const model::AssemblyOptions& flags) {
  Certificate c = make_certificate(assembly, "infeasibility_ray", settings, flags);
  for (std::size_t i = 0; i < assembly.blocks.size(); ++i)
    if (!assembly.blocks[i].fixed) c.velocities.push_back({assembly.blocks[i].id, velocities[i]});
  return c;
}

Certificate make_coupled_certificate(const model::Assembly& assembly, const statics::CheckResult& result,
                                     const certify::VerifySettings& settings, const model::AssemblyOptions& flags) {
  const statics::CoupledReport& report = *result.coupled;
  Certificate c;
  if (result.verdict == Verdict::falls && report.refutation.empty()) {
    c = make_collapse_certificate(assembly, result.velocities, settings, flags);
  } else if (result.verdict == Verdict::falls) {
    c = make_certificate(assembly, "cra_refutation", settings, flags);
    CoupledProof& proof = c.coupled.emplace();
    proof.bound_gives = report.bound_gives;
    proof.least_slip_gives = report.least_slip_gives;
    proof.steps = report.refutation;
  } else if (report.displacements.empty()) {
    c = make_force_certificate(assembly, result.forces_W, settings, flags);  // every block is a support
  } else {
    c = make_force_certificate(assembly, result.forces_W, settings, flags);
    c.kind = "cra_pair";
    CoupledProof& proof = c.coupled.emplace();
    proof.give_m = report.give_m;
    proof.bound_m = report.bound_m;
    for (std::size_t i = 0; i < assembly.blocks.size(); ++i)
      if (!assembly.blocks[i].fixed) proof.displacements.push_back({assembly.blocks[i].id, report.displacements[i]});
    auto next = report.alpha.begin();
    for (const model::Interface& face : assembly.interfaces) {
      proof.alpha_N_per_m.emplace_back(next, next + static_cast<std::ptrdiff_t>(face.polygon.size()));
      next += static_cast<std::ptrdiff_t>(face.polygon.size());
    }
  }
  c.claim = "cra";
  return c;
}

Json to_json(const Certificate& certificate) {
  Json json = Json::Object{{"schema", certificate_schema},
                           {"engine", certificate.engine},
                           {"kind", certificate.kind},
                           {"claim", certificate.claim},
                           {"input_sha256", certificate.input_sha256}};
  if (certificate.settings) json.set("settings", settings_json(*certificate.settings));
  Json::Array interfaces;
  interfaces.reserve(certificate.interfaces.size());
  for (const CertificateInterface& face : certificate.interfaces) interfaces.push_back(interface_json(face));
  json.set("interfaces", std::move(interfaces));
  if (certificate.kind == "force_state" || certificate.kind == "cra_pair") {
    Json::Array forces;
    forces.reserve(certificate.forces_N.size());
    for (const auto& list : certificate.forces_N) forces.push_back(list_json(list));
    json.set("forces_N", std::move(forces));
  }
  if (certificate.kind == "infeasibility_ray") json.set("velocities", motions_json(certificate.velocities));
  if (certificate.coupled) add_coupled_json(*certificate.coupled, certificate.kind, json);
  return json;
}

Result<Certificate> parse_certificate(const Json& json, std::string_view source) {
  Reader reader(source);
  if (json.object() == nullptr) {
    reader.refuse("a certificate is a JSON object", "/");
    return reader.take_errors();
  }
  check_schema(json, reader);
  if (reader.failed()) return reader.take_errors();

  Certificate c;
  c.kind = reader.text(json, "kind", "");
  const bool coupled = c.kind == "cra_pair" || c.kind == "cra_refutation";
  if (!reader.failed() && c.kind != "force_state" && c.kind != "infeasibility_ray" && !coupled)
    reader.refuse("must be force_state or infeasibility_ray, or cra_pair or cra_refutation", "/kind");
  c.claim = reader.optional_text(json, "claim", "rbe");
  c.input_sha256 = reader.text(json, "input_sha256", "");
  c.engine = reader.optional_text(json, "engine", "");
  if (const Json* settings = json.find("settings")) c.settings = read_settings(*settings, reader);
  const Json::Array& faces = reader.list(json, "interfaces", "");
  c.interfaces.reserve(faces.size());
  for (std::size_t i = 0; i < faces.size() && !reader.failed(); ++i)
    c.interfaces.push_back(read_interface(faces[i], Reader::join("/interfaces", i), reader));
  if (reader.failed()) return reader.take_errors();

  if (c.kind == "force_state" || c.kind == "cra_pair") read_forces(json, reader, c);
  if (c.kind == "infeasibility_ray") c.velocities = read_motions(json, "velocities", reader);
  if (c.kind == "cra_pair") read_pair(json, reader, c);
  if (c.kind == "cra_refutation") read_refutation(json, reader, c);
  if (reader.failed()) return reader.take_errors();
  return c;
}

}  // namespace trilith::results
