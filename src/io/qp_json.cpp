#include "io/qp_json.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/lanes.h"
#include "base/text.h"
#include "io/json_fields.h"

namespace trilith::io {
namespace {

constexpr std::array<std::string_view, 12> file_keys = {"schema", "note", "comment", "name", "P",   "P_diag",
                                                        "q",      "A",    "l",       "u",    "soc", "expected"};
constexpr std::array<std::string_view, 2> soc_keys = {"t", "rows"};

class QpReader {
 public:
  explicit QpReader(std::string_view source) : fields_(source) {}

  Result<QpFile> read(const Json& root) {
    const JsonPath top;
    const Json::Object* object = fields_.object(root, top);
    if (object == nullptr) return std::move(fields_.errors);
    fields_.warn_unknown(*object, top, "the file", file_keys);
    if (const Json* schema = given(root, "schema"); schema != nullptr && schema->string() != nullptr)
      if (const Schema read = parse_schema(*schema->string()); read.name != "trilith.qp" || read.version > 1)
        fields_.fail("schema " + *schema->string() + " is not trilith.qp/1: made by another or a newer program", top.at("schema"));
    find_variables(root);
    if (out_.variables > 0) {
      read_cost(root);
      read_rows(root);
      read_norms(root);
    }
    if (!fields_.errors.empty()) return std::move(fields_.errors);
    out_.warnings = std::move(fields_.warnings);
    return std::move(out_);
  }

 private:
  std::size_t n() const { return static_cast<std::size_t>(out_.variables); }

  static const Json* given(const Json& root, std::string_view key) {
    const Json* value = root.find(key);
    return value != nullptr && !value->is_null() ? value : nullptr;
  }

  /// From q, else from P, P_diag or A.
  void find_variables(const Json& root) {
    const JsonPath top;
    for (const std::string_view key : {"q", "P_diag", "P"})
      if (const Json* value = given(root, key); value != nullptr && value->array() != nullptr && out_.variables == 0)
        out_.variables = static_cast<int>(std::min<std::size_t>(value->array()->size(), 1000000));
    if (const Json* A = given(root, "A"); out_.variables == 0 && A != nullptr && A->array() != nullptr && !A->array()->empty())
      if (const Json::Array* row = A->array()->front().array())
        out_.variables = static_cast<int>(std::min<std::size_t>(row->size(), 1000000));
    if (out_.variables == 0) fields_.fail("no variables: give q, P, P_diag or A", top);
    if (out_.variables > most_qp_variables) {
      fields_.fail("at most " + std::to_string(most_qp_variables) + " variables are taken, got " + std::to_string(out_.variables), top);
      out_.variables = 0;
    }
  }

  /// `count` finite numbers into `out`.
  void numbers(const Json& value, const JsonPath& path, std::size_t count, std::vector<double>& out) {
    const Json::Array* list = fields_.array(value, path);
    if (list == nullptr) return;
    if (list->size() != count)
      return fields_.fail("needs " + std::to_string(count) + " numbers, got " + std::to_string(list->size()), path);
    for (std::size_t i = 0; i < count && !fields_.full(); ++i)
      if (const auto number = fields_.number((*list)[i], path.at(i))) out.push_back(*number);
  }

  void matrix(const Json& value, const JsonPath& path, std::vector<double>& out, std::size_t& rows) {
    const Json::Array* list = fields_.array(value, path);
    if (list == nullptr) return;
    rows = list->size();
    for (std::size_t i = 0; i < rows && !fields_.full(); ++i) {
      const JsonPath row = path.at(i);
      numbers((*list)[i], row, n(), out);
    }
  }

  void read_cost(const Json& root) {
    const JsonPath top;
    if (const Json* q = given(root, "q"))
      numbers(*q, top.at("q"), n(), out_.q);
    else
      out_.q.assign(n(), 0.0);
    const Json *P = given(root, "P"), *diagonal = given(root, "P_diag");
    if (P != nullptr && diagonal != nullptr) return fields_.fail("give P or P_diag, not both", top.at("P"));
    if (diagonal != nullptr) read_diagonal(*diagonal, top.at("P_diag"));
    if (P == nullptr) return;
    std::size_t rows = 0;
    matrix(*P, top.at("P"), out_.P, rows);
    if (out_.P.size() != n() * n()) {
      if (fields_.errors.empty()) fields_.fail("needs " + std::to_string(n()) + " rows, got " + std::to_string(rows), top.at("P"));
      return;
    }
    check_symmetry(top.at("P"));
  }

  void read_diagonal(const Json& value, const JsonPath& path) {
    std::vector<double> diagonal;
    numbers(value, path, n(), diagonal);
    if (diagonal.size() != n()) return;
    out_.P.assign(n() * n(), 0.0);
    for (std::size_t i = 0; i < n(); ++i) {
      out_.P[i * n() + i] = diagonal[i];
      if (diagonal[i] < 0) fields_.fail("must be >= 0: the cost is not convex, got " + format_double(diagonal[i]), path.at(i));
    }
  }

  void check_symmetry(const JsonPath& path) {
    double largest = 0;
    for (const double v : out_.P) largest = std::max(largest, abs(v));
    for (std::size_t i = 0; i < n(); ++i) {
      if (out_.P[i * n() + i] < 0) fields_.fail("diagonal entry " + std::to_string(i) + " is negative: the cost is not convex", path.at(i));
      for (std::size_t j = 0; j < i; ++j) {
        double &a = out_.P[i * n() + j], &b = out_.P[j * n() + i];
        if (abs(a - b) > symmetry_tolerance * largest)
          return fields_.fail(
              "is not symmetric: entry " + std::to_string(j) + " is " + format_double(a) + ", its mirror " + format_double(b), path.at(i));
        a = b = 0.5 * (a + b);
      }
    }
  }

  void read_rows(const Json& root) {
    const JsonPath top;
    std::size_t rows = 0;
    const Json* A = given(root, "A");
    if (A != nullptr) matrix(*A, top.at("A"), out_.A, rows);
    if (rows > static_cast<std::size_t>(most_qp_rows))
      return fields_.fail("at most " + std::to_string(most_qp_rows) + " rows are taken, got " + std::to_string(rows), top.at("A"));
    out_.rows = static_cast<int>(rows);
    const double infinity = std::numeric_limits<double>::infinity();
    bounds(root, "l", rows, -infinity, out_.lower);
    bounds(root, "u", rows, infinity, out_.upper);
    for (std::size_t i = 0; i < rows && out_.lower.size() == rows && out_.upper.size() == rows; ++i)
      if (out_.lower[i] > out_.upper[i])
        fields_.fail("lower bound " + format_double(out_.lower[i]) + " is above the upper bound " + format_double(out_.upper[i]),
                     top.at("l").at(i));
  }

  void bounds(const Json& root, std::string_view key, std::size_t rows, double none, std::vector<double>& out) {
    const JsonPath top, path = top.at(key);
    const Json* value = given(root, key);
    if (value == nullptr) {
      out.assign(rows, none);
      return;
    }
    const Json::Array* list = fields_.array(*value, path);
    if (list == nullptr) return;
    if (list->size() != rows)
      return fields_.fail("needs one entry per row of A, " + std::to_string(rows) + ", got " + std::to_string(list->size()), path);
    for (std::size_t i = 0; i < rows && !fields_.full(); ++i) out.push_back(bound((*list)[i], path.at(i), none));
  }

  /// null, "inf" in any spelling and |bound| >= 1e20 are no bound.
  double bound(const Json& value, const JsonPath& path, double none) {
    if (value.is_null()) return none;
    if (const std::string* word = value.string()) {
      std::string lower;
      for (const char c : *word) lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
      if (!lower.empty() && (lower[0] == '+' || lower[0] == '-')) lower.erase(0, 1);
      if (lower == "inf" || lower == "infinity") return word->front() == '-' ? open_side(-1, path, none) : open_side(1, path, none);
      // a large number as a word, as some writers put it
      if (const auto number = parse_double(*word); number && abs(*number) >= absent_bound)
        return open_side(*number > 0 ? 1 : -1, path, none);
    }
    const auto number = fields_.number(value, path);
    if (!number) return none;
    if (abs(*number) < absent_bound) return *number;
    return open_side(*number > 0 ? 1 : -1, path, none);
  }

  /// A lower bound of +inf or an upper one of -inf cannot be met.
  double open_side(int sign, const JsonPath& path, double none) {
    if ((none > 0) != (sign > 0)) fields_.fail("an infinite bound on this side can never hold", path);
    return none;
  }

  void read_norms(const Json& root) {
    const JsonPath top, path = top.at("soc");
    const Json* soc = given(root, "soc");
    if (soc == nullptr) return;
    const Json::Array* list = fields_.array(*soc, path);
    if (list == nullptr) return;
    for (std::size_t k = 0; k < list->size() && !fields_.full(); ++k) read_norm((*list)[k], path.at(k));
  }

  void read_norm(const Json& item, const JsonPath& path) {
    const Json::Object* object = fields_.object(item, path);
    if (object == nullptr) return;
    fields_.warn_unknown(*object, path, "a norm bound", soc_keys);
    const Json *t = given(item, "t"), *rows = given(item, "rows");
    if (t == nullptr || rows == nullptr) return fields_.fail("needs t and rows", path);
    QpNormBound bound;
    if (const auto radius = fields_.number(*t, path.at("t"))) bound.radius = *radius;
    if (!(bound.radius >= 0)) fields_.fail("must be >= 0, got " + format_double(bound.radius), path.at("t"));
    const JsonPath entries = path.at("rows");
    const Json::Array* list = fields_.array(*rows, entries);
    if (list == nullptr) return;
    for (std::size_t e = 0; e < list->size() && !fields_.full(); ++e) {
      const auto number = fields_.number((*list)[e], entries.at(e));
      if (!number) continue;
      if (!(*number >= 0 && *number < out_.variables && *number == static_cast<double>(static_cast<int>(*number))))
        fields_.fail("there is no variable " + format_double(*number) + "; they count from 0 to " + std::to_string(out_.variables - 1),
                     entries.at(e));
      else if (std::find(bound.entries.begin(), bound.entries.end(), static_cast<int>(*number)) != bound.entries.end())
        fields_.fail("variable " + format_double(*number) + " is listed twice", entries.at(e));
      else
        bound.entries.push_back(static_cast<int>(*number));
    }
    if (bound.radius < absent_bound) out_.norms.push_back(std::move(bound));
  }

  JsonFields fields_;
  QpFile out_;
};

}  // namespace

Result<QpFile> read_qp(const Json& root, std::string_view source) { return QpReader(source).read(root); }

}  // namespace trilith::io
