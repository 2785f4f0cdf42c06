#include "io/obj.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <unordered_map>

#include "base/text.h"
#include "io/line_scanner.h"
#include "io/text_position.h"

namespace trilith::io {
namespace {

// words that carry no shape of a block
constexpr std::array<std::string_view, 15> silent_words = {
    "vt", "vn", "vp", "s", "mg", "usemtl", "mtllib", "usemap", "maplib", "bevel", "lod", "c_interp", "d_interp", "shadow_obj", "trace_obj"};
// words that carry shape which no block is made of
constexpr std::array<std::string_view, 20> shape_words = {"l",   "p",      "curv", "curv2", "surf", "parm", "trim", "hole", "scrv", "sp",
                                                          "end", "cstype", "deg",  "bmat",  "step", "con",  "call", "csh",  "bzp",  "bsp"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Start of an object or a group: what follows it belongs to it, up to the next of its kind.
struct Boundary {
  std::string name;
  std::size_t line = 0;
  std::size_t first_face = 0;
};

/// Lines of one kind that were left out: told once.
struct LeftOut {
  std::string what;
  std::size_t line = 0, count = 0;
};

std::string utf8_from_latin1(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xc0 | (byte >> 6));
      out += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return out;
}

class ObjReader {
 public:
  ObjReader(std::string_view text, std::string_view source) : scan_(text), source_(source) {}

  Result<MeshFile> read() {
    while (errors_.size() < max_errors && scan_.next_line()) line();
    if (errors_.empty()) split();
    if (!errors_.empty()) return std::move(errors_);
    for (const LeftOut& left : left_out_) warn(left);
    return std::move(file_);
  }

 private:
  void line();
  void vertex();
  void face();
  bool corner(std::string_view word, std::uint32_t& index);
  void boundary(std::vector<Boundary>& list, std::string_view kind);
  void split();
  void build(const Boundary& from, std::size_t end_face);
  geom::Mesh mesh_of(std::size_t first_face, std::size_t end_face);

  void fail(std::string what, TextPosition at) { errors_.push_back({std::move(what), place_in(source_, at), Error::Kind::refused}); }
  void fail_line(std::string what, std::size_t line) {
    if (errors_.size() < max_errors) errors_.push_back({std::move(what), place(line), Error::Kind::refused});
  }
  std::string place(std::size_t line) const { return source_ + ":" + std::to_string(line); }
  void leave_out(std::string what) {
    for (LeftOut& left : left_out_)
      if (left.what == what) {
        ++left.count;
        return;
      }
    if (left_out_.size() < max_errors) left_out_.push_back({std::move(what), scan_.line(), 1});
  }
  void warn(const LeftOut& left) {
    file_.warnings.push_back({left.what + " (" + std::to_string(left.count) + (left.count == 1 ? " line)" : " lines)"), place(left.line)});
  }

  LineScanner scan_;
  std::string source_;
  std::vector<Vec3d> vertices_;
  std::vector<std::uint32_t> corners_;        // vertex indices from 0 of all faces
  std::vector<std::uint32_t> face_start_{0};  // into corners_
  std::vector<std::uint32_t> face_line_;
  std::vector<Boundary> objects_, groups_;
  std::vector<std::uint32_t> owner_, local_;  // per vertex: face + 1 that last claimed it, its index in that mesh
  std::vector<std::uint32_t> used_;
  std::unordered_map<std::string, std::size_t> line_of_;
  std::vector<LeftOut> left_out_;
  MeshFile file_;
  std::vector<Error> errors_;
};

void ObjReader::line() {
  const std::string_view word = scan_.word();
  if (word.empty()) return;
  if (word == "v")
    vertex();
  else if (word == "f")
    face();
  else if (word == "o")
    boundary(objects_, "object");
  else if (word == "g")
    boundary(groups_, "group");
  else if (contains(shape_words, word))
    leave_out("only faces make a block: " + in_quotes(word) + " left out");
  else if (!contains(silent_words, word))
    leave_out("unknown word " + in_quotes(word) + " left out");
}

// x y z; a weight and colours behind them are told and left out
void ObjReader::vertex() {
  double xyz[3] = {0, 0, 0};
  int count = 0;
  const TextPosition start = scan_.position();
  for (std::string_view word = scan_.word(); !word.empty(); word = scan_.word(), ++count) {
    const std::optional<double> value = parse_double(word);
    if (!value) {
      fail("vertex coordinate " + in_quotes(word) + " " + std::string(number_fault(word)), scan_.position());
      vertices_.push_back({});
      return;
    }
    if (count < 3) xyz[count] = *value;
  }
  if (count < 3) fail("a vertex needs 3 coordinates, got " + std::to_string(count), start);
  if (count > 3) leave_out("numbers behind x y z of vertices (weight, colour) left out");
  vertices_.push_back({xyz[0], xyz[1], xyz[2]});
}

void ObjReader::face() {
  const TextPosition start = scan_.position();
  const std::size_t before = corners_.size();
  for (std::string_view word = scan_.word(); !word.empty(); word = scan_.word()) {
    std::uint32_t index = 0;
    if (!corner(word, index)) return;
    corners_.push_back(index);
  }
  const std::size_t count = corners_.size() - before;
  if (count < 3) return fail("a face needs at least 3 corners, got " + std::to_string(count), start);
  face_start_.push_back(static_cast<std::uint32_t>(corners_.size()));
  face_line_.push_back(static_cast<std::uint32_t>(start.line));
}

// v, v/vt, v//vn or v/vt/vn; the range of positive indices is checked when all vertices are known
bool ObjReader::corner(std::string_view word, std::uint32_t& index) {
  const TextPosition at = scan_.position();
  const char* const end = word.data() + word.size();
  std::int64_t value = 0;
  const auto [stop, code] = std::from_chars(word.data() + (word.front() == '+' ? 1 : 0), end, value);
  const std::string_view rest(stop, static_cast<std::size_t>(end - stop));
  const bool tail_good = rest.empty() || (rest.front() == '/' && rest.find_first_not_of("0123456789+-/") == std::string_view::npos &&
                                          std::count(rest.begin(), rest.end(), '/') <= 2);
  if (code == std::errc::invalid_argument || !tail_good) {
    fail("face corner " + in_quotes(word) + " is no vertex index", at);
    return false;
  }
  const auto count = static_cast<std::int64_t>(vertices_.size());
  if (code == std::errc::result_out_of_range || value > INT32_MAX || value < -count) {
    const std::string_view digits = word.substr(0, word.find('/'));
    fail("vertex index " + std::string(digits) + " is out of range, " + std::to_string(count) + " vertices so far", at);
    return false;
  }
  if (value == 0) {
    fail("vertex index 0: indices count from 1", at);
    return false;
  }
  index = static_cast<std::uint32_t>(value > 0 ? value - 1 : count + value);
  return true;
}

void ObjReader::boundary(std::vector<Boundary>& list, std::string_view kind) {
  const TextPosition at = scan_.position();
  std::string name(scan_.rest());
  if (name.empty() && kind == "group") name = "default";
  if (name.empty()) return fail("object without a name", at);
  if (const std::string_view fault = name_fault(name); !fault.empty())
    return fail(std::string(kind) + " name " + in_quotes(name) + " " + std::string(fault), at);
  if (!is_utf8(name)) {
    name = utf8_from_latin1(name);
    leave_out("a name is not UTF-8 and was read as Latin-1: " + in_quotes(name));
  }
  list.push_back({std::move(name), at.line, face_line_.size()});
}

// objects win over groups; faces before the first boundary are named after the file
void ObjReader::split() {
  if (face_line_.empty()) {
    errors_.push_back({vertices_.empty() ? "no vertices and no faces: not an OBJ mesh" : "no faces", source_, Error::Kind::refused});
    return;
  }
  std::vector<Boundary>& parts = objects_.empty() ? groups_ : objects_;
  if (!objects_.empty() && !groups_.empty())
    left_out_.push_back({"groups left out: the file has objects, and each is one block", groups_.front().line, groups_.size()});
  if (parts.empty() || parts.front().first_face > 0) {
    if (!parts.empty())
      left_out_.push_back({"faces before the first object or group named " + in_quotes(file_stem(source_)), face_line_[0], 1});
    parts.insert(parts.begin(), {file_stem(source_), face_line_[0], 0});
  }
  owner_.assign(vertices_.size(), 0);
  local_.resize(vertices_.size());
  file_.objects.reserve(parts.size());
  for (std::size_t i = 0; i < parts.size() && errors_.size() < max_errors; ++i)
    build(parts[i], i + 1 < parts.size() ? parts[i + 1].first_face : face_line_.size());
}

void ObjReader::build(const Boundary& from, std::size_t end_face) {
  if (from.first_face == end_face) {
    file_.warnings.push_back({"object " + in_quotes(from.name) + " has no faces; left out", place(from.line)});
    return;
  }
  const auto [earlier, fresh] = line_of_.emplace(from.name, from.line);
  if (!fresh)
    return fail_line("object " + in_quotes(from.name) + " appears twice, first in line " + std::to_string(earlier->second), from.line);
  for (std::size_t f = from.first_face; f < end_face; ++f)
    for (std::size_t c = face_start_[f]; c < face_start_[f + 1]; ++c)
      if (corners_[c] >= vertices_.size())
        return fail_line("vertex index " + std::to_string(std::uint64_t(corners_[c]) + 1) + " is out of range, the file has " +
                             std::to_string(vertices_.size()) + " vertices",
                         face_line_[f]);
  file_.objects.push_back({from.name, mesh_of(from.first_face, end_face), place(from.line)});
}

// only the vertices in use, in the order of the file
geom::Mesh ObjReader::mesh_of(std::size_t first_face, std::size_t end_face) {
  const std::size_t first = face_start_[first_face], last = face_start_[end_face];
  const auto owner = static_cast<std::uint32_t>(first_face + 1);
  used_.clear();
  for (std::size_t c = first; c < last; ++c) {
    if (owner_[corners_[c]] == owner) continue;
    owner_[corners_[c]] = owner;
    used_.push_back(corners_[c]);
  }
  std::sort(used_.begin(), used_.end());
  geom::Mesh mesh;
  mesh.vertices.reserve(used_.size());
  for (const std::uint32_t v : used_) {
    local_[v] = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.push_back(vertices_[v]);
  }
  mesh.face_vertex.reserve(last - first);
  mesh.face_start.reserve(end_face - first_face + 1);
  for (std::size_t c = first; c < last; ++c) mesh.face_vertex.push_back(local_[corners_[c]]);
  for (std::size_t f = first_face; f < end_face; ++f) mesh.face_start.push_back(static_cast<std::uint32_t>(face_start_[f + 1] - first));
  return mesh;
}

}  // namespace

Result<MeshFile> parse_obj(std::string_view text, std::string_view source) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return Error{"empty file", std::string(source), Error::Kind::refused};
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
    return Error{"not a text file: it holds a zero byte", place_in(source, position_of(text, nul)), Error::Kind::refused};
  return ObjReader(text, source).read();
}

}  // namespace trilith::io
