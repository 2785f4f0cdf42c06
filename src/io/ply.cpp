#include "io/ply.h"

#include <array>
#include <optional>

#include "base/text.h"
#include "io/bytes.h"
#include "io/line_scanner.h"
#include "io/text_position.h"

namespace trilith::io {
namespace {

enum class Scalar : std::uint8_t { i8, u8, i16, u16, i32, u32, f32, f64 };

struct ScalarName {
  std::string_view name, alias;
  Scalar type;
  std::size_t size;
};
constexpr std::array<ScalarName, 8> scalars = {{{"char", "int8", Scalar::i8, 1},
                                                {"uchar", "uint8", Scalar::u8, 1},
                                                {"short", "int16", Scalar::i16, 2},
                                                {"ushort", "uint16", Scalar::u16, 2},
                                                {"int", "int32", Scalar::i32, 4},
                                                {"uint", "uint32", Scalar::u32, 4},
                                                {"float", "float32", Scalar::f32, 4},
                                                {"double", "float64", Scalar::f64, 8}}};

std::optional<Scalar> scalar_of(std::string_view word) {
  for (const ScalarName& scalar : scalars)
    if (word == scalar.name || word == scalar.alias) return scalar.type;
  return std::nullopt;
}
std::size_t size_of(Scalar type) { return scalars[static_cast<std::size_t>(type)].size; }

double read_scalar(std::string_view bytes, std::size_t at, Scalar type, std::endian order) {
  switch (type) {
    case Scalar::i8:
      return read_bytes<std::int8_t>(bytes, at, order);
    case Scalar::u8:
      return read_bytes<std::uint8_t>(bytes, at, order);
    case Scalar::i16:
      return read_bytes<std::int16_t>(bytes, at, order);
    case Scalar::u16:
      return read_bytes<std::uint16_t>(bytes, at, order);
    case Scalar::i32:
      return read_bytes<std::int32_t>(bytes, at, order);
    case Scalar::u32:
      return read_bytes<std::uint32_t>(bytes, at, order);
    case Scalar::f32:
      return read_bytes<float>(bytes, at, order);
    case Scalar::f64:
      return read_bytes<double>(bytes, at, order);
  }
  return 0;
}

struct Property {
  std::string name;
  Scalar type = Scalar::f32;
  std::optional<Scalar> count_type;  // of a list
};

struct Element {
  std::string name;
  std::uint64_t count = 0;
  std::vector<Property> properties;
  std::size_t line = 0;

  /// Least number of bytes of one element in the file.
  std::size_t least_size(bool ascii) const {
    std::size_t size = 0;
    for (const Property& property : properties) size += ascii ? 2 : size_of(property.count_type.value_or(property.type));
    return size;
  }
};

bool is_finite(double x) { return x - x == 0; }

class PlyReader {
 public:
  PlyReader(std::string_view bytes, std::string_view source) : bytes_(bytes), source_(source) {}

  Result<MeshFile> read() {
    if (header() && counts_fit()) body();
    if (error_) return std::move(*error_);
    append_bodies(std::move(mesh_), file_stem(source_), source_, file_);
    settle_names(file_, "mesh", source_);
    return std::move(file_);
  }

 private:
  bool fail(std::string what, std::string where = {}) {
    if (!error_) error_ = Error{std::move(what), where.empty() ? source_ : std::move(where), Error::Kind::refused};
    return false;
  }
  bool header();
  bool header_line(LineScanner& scan);
  bool format(LineScanner& scan);
  bool element(LineScanner& scan);
  bool property(LineScanner& scan);
  bool counts_fit();
  void body();
  bool read_element(const Element& element);
  bool read_row(const Element& element, std::uint64_t row);
  bool next(Scalar type, double& value);
  bool list(const Property& property, const std::string& where, bool wanted);
  bool add_face(const std::string& where);
  std::string line_place(const LineScanner& scan) const { return source_ + ":" + std::to_string(scan.line()); }

  std::string_view bytes_;
  std::string source_;
  MeshFile file_;
  std::optional<Error> error_;
  std::vector<Element> elements_;
  bool ascii_ = false, has_format_ = false;
  std::endian order_ = std::endian::little;
  std::size_t at_ = 0;  // first byte behind what was read
  geom::Mesh mesh_;
  std::vector<double> values_;          // of the last list
  std::vector<std::uint32_t> corners_;  // scratch
};

bool PlyReader::header() {
  // the header is text and ends with a line of its own
  constexpr std::string_view last = "end_header";
  const std::size_t end = bytes_.find(last);
  if (end == std::string_view::npos) return fail("PLY header without \"end_header\": the file was cut off");
  at_ = end + last.size();
  if (at_ < bytes_.size() && bytes_[at_] == '\r') ++at_;
  if (at_ < bytes_.size() && bytes_[at_] == '\n') ++at_;
  LineScanner scan(bytes_.substr(0, end));
  while (scan.next_line())
    if (!header_line(scan)) return false;
  return has_format_ || fail("PLY header without \"format\"");
}

bool PlyReader::header_line(LineScanner& scan) {
  const std::string_view word = scan.word();
  if (word == "format") return format(scan);
  if (word == "element") return element(scan);
  if (word == "property") return property(scan);
  if (word.empty() || word == "ply" || word == "comment" || word == "obj_info") return true;
  return fail("unknown word " + in_quotes(word) + " in a PLY header", line_place(scan));
}

bool PlyReader::format(LineScanner& scan) {
  const std::string_view kind = scan.word(), version = scan.word();
  ascii_ = kind == "ascii";
  order_ = kind == "binary_big_endian" ? std::endian::big : std::endian::little;
  has_format_ = true;
  if (!ascii_ && kind != "binary_little_endian" && kind != "binary_big_endian")
    return fail("PLY format " + in_quotes(kind) + " is not ascii, binary_little_endian or binary_big_endian", line_place(scan));
  return version == "1.0" || fail("PLY version " + in_quotes(version) + "; 1.0 is read", line_place(scan));
}

bool PlyReader::element(LineScanner& scan) {
  Element& out = elements_.emplace_back();
  out.name = scan.word();
  out.line = scan.line();
  const std::string_view word = scan.word();
  const std::optional<std::int64_t> count = parse_int(word);
  if (out.name.empty() || !count || *count < 0) return fail("element needs a name and a count, got " + in_quotes(word), line_place(scan));
  out.count = static_cast<std::uint64_t>(*count);
  return true;
}

bool PlyReader::property(LineScanner& scan) {
  if (elements_.empty()) return fail("property before any element", line_place(scan));
  Property out;
  std::string_view word = scan.word();
  const auto unknown = [&] { return fail("unknown property type " + in_quotes(word), line_place(scan)); };
  if (word == "list") {
    word = scan.word();
    out.count_type = scalar_of(word);
    if (!out.count_type || *out.count_type == Scalar::f32 || *out.count_type == Scalar::f64) return unknown();
    word = scan.word();
  }
  const std::optional<Scalar> type = scalar_of(word);
  if (!type) return unknown();
  out.type = *type;
  out.name = scan.word();
  elements_.back().properties.push_back(std::move(out));
  return true;
}

// what the header promises must have room in the file, before memory is taken for it
bool PlyReader::counts_fit() {
  std::uint64_t room = bytes_.size() - at_;
  for (const Element& element : elements_) {
    const std::size_t least = element.least_size(ascii_);
    const std::string where = source_ + ":" + std::to_string(element.line);
    if (element.count > 0 && least == 0) return fail("element " + in_quotes(element.name) + " has no properties", where);
    // the last number of a text needs no blank behind it
    if (element.count > 0 && element.count > (room + 1) / least)
      return fail("says that it holds " + std::to_string(element.count) + " of element " + in_quotes(element.name) +
                      " and has no room for them: the file was cut off, or the count is wrong",
                  where);
    room -= std::min(room, element.count * least);
  }
  return true;
}

void PlyReader::body() {
  bool vertices = false;
  for (const Element& element : elements_) {
    if (element.name == "face" && !vertices) {
      fail("element \"face\" without vertices before it");
      return;
    }
    vertices = vertices || element.name == "vertex";
    if (!read_element(element)) return;
  }
  if (mesh_.face_count() == 0) fail("no faces");
}

bool PlyReader::read_element(const Element& element) {
  const bool known = element.name == "vertex" || element.name == "face";
  if (!known && element.count > 0)
    file_.warnings.push_back({"element " + in_quotes(element.name) + " (" + std::to_string(element.count) + ") left out",
                              source_ + ":" + std::to_string(element.line)});
  for (std::uint64_t row = 0; row < element.count; ++row)
    if (!read_row(element, row)) return false;
  return true;
}

bool PlyReader::read_row(const Element& element, std::uint64_t row) {
  const std::string where = source_ + ":/" + element.name + "/" + std::to_string(row);
  const bool is_vertex = element.name == "vertex", is_face = element.name == "face";
  double xyz[3] = {0, 0, 0};
  int found = 0;
  for (const Property& property : element.properties) {
    const bool corners = is_face && (property.name == "vertex_indices" || property.name == "vertex_index");
    if (property.count_type) {
      if (!list(property, where, corners) || (corners && !add_face(where))) return false;
      continue;
    }
    double value = 0;
    if (!next(property.type, value)) return fail("ends within " + in_quotes(element.name) + ", or a word is no number", where);
    const std::size_t axis = std::string_view("xyz").find(property.name);
    if (!is_vertex || property.name.size() != 1 || axis == std::string_view::npos) continue;
    if (!is_finite(value)) return fail("vertex coordinate is not finite", where + "/" + property.name);
    xyz[axis] = value;
    ++found;
  }
  if (!is_vertex) return true;
  if (found != 3) return fail("vertices need x, y and z", source_ + ":" + std::to_string(element.line));
  mesh_.vertices.push_back({xyz[0], xyz[1], xyz[2]});
  return true;
}

// one number, binary or the next word
bool PlyReader::next(Scalar type, double& value) {
  if (!ascii_) {
    if (bytes_.size() - at_ < size_of(type)) return false;
    value = read_scalar(bytes_, at_, type, order_);
    at_ += size_of(type);
    return true;
  }
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t start = bytes_.find_first_not_of(blanks, at_);
  if (start == std::string_view::npos) return false;
  at_ = std::min(bytes_.find_first_of(blanks, start), bytes_.size());
  const std::optional<double> number = parse_double(bytes_.substr(start, at_ - start));
  value = number.value_or(0);
  return number.has_value();
}

bool PlyReader::list(const Property& property, const std::string& where, bool wanted) {
  double length = 0;
  values_.clear();
  if (!next(*property.count_type, length) || !(length >= 0)) return fail("the length of a list is missing or negative", where);
  if (length > static_cast<double>(bytes_.size() - at_)) return fail("a list is longer than the file", where);
  for (double i = 0; i < length; ++i) {
    double value = 0;
    if (!next(property.type, value)) return fail("ends within a list, or a word is no number", where);
    if (wanted) values_.push_back(value);
  }
  return true;
}

bool PlyReader::add_face(const std::string& where) {
  if (values_.size() < 3) return fail("a face needs at least 3 corners, has " + std::to_string(values_.size()), where);
  corners_.clear();
  for (const double value : values_) {
    if (!(value >= 0 && value < static_cast<double>(mesh_.vertices.size())) ||
        value != static_cast<double>(static_cast<std::uint32_t>(value)))
      return fail("vertex index " + format_double(value) + " is not one of 0 to " + std::to_string(mesh_.vertices.size()) + " - 1", where);
    corners_.push_back(static_cast<std::uint32_t>(value));
  }
  mesh_.add_face(corners_);
  return true;
}

}  // namespace

Result<MeshFile> parse_ply(std::string_view bytes, std::string_view source) { return PlyReader(bytes, source).read(); }

}  // namespace trilith::io
