#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/xml.h"
#include "linalg/fixed.h"
#include "model/findings.h"

namespace trilith::io {

/// Largest size of a number in a model file: beyond, it is a slip (1e308, a wrong unit).
inline constexpr double xml_number_limit = 1e9;

/// Typed access to the attributes of XML elements. Every problem is collected with its line, column and path; an attribute that is absent
/// or refused leaves the output as it is, and the call says false. Numbers are decimal with a point in every locale, finite and at most
/// `xml_number_limit` in size.
class XmlFields {
 public:
  explicit XmlFields(model::Findings& findings) : findings_(findings) {}

  /// `what` behind the name of the element: "geom \"foot\": what".
  void fail(const std::string& what, const XmlElement& element);
  void fail(const std::string& what, const XmlElement& element, std::string_view attribute);
  void warn(const std::string& what, const XmlElement& element);
  /// As `warn`, but of one `kind` only the first five are told, the others with their number at the end (`tell_counts`).
  void warn_some(const std::string& kind, const std::string& what, const XmlElement& element);
  /// Alterations of one kind: told at the first place only, with their count at the end (`tell_counts`).
  void count(const std::string& what, const XmlElement& element);
  void tell_counts();
  /// Errors and warnings found elsewhere.
  void take(const std::vector<Error>& errors) {
    for (const Error& error : errors)
      if (!full()) findings_.errors().push_back(error);
  }
  void take(const Warning& warning) { findings_.warnings().push_back(warning); }
  bool ok() const { return findings_.ok(); }
  /// True when no more errors are collected: reading may stop.
  bool full() { return findings_.errors().size() >= max_errors; }

  bool read(const XmlElement& element, std::string_view attribute, double& out);
  bool read(const XmlElement& element, std::string_view attribute, Vec3d& out);
  /// As many numbers as `out` has.
  bool read(const XmlElement& element, std::string_view attribute, std::span<double> out);
  bool read(const XmlElement& element, std::string_view attribute, std::int32_t& out);
  bool read(const XmlElement& element, std::string_view attribute, bool& out);
  /// 1 to out.size() numbers; how many there were.
  std::size_t read_up_to(const XmlElement& element, std::string_view attribute, std::span<double> out);
  /// Any number of numbers.
  bool read_list(const XmlElement& element, std::string_view attribute, std::vector<double>& out);
  bool read_text(const XmlElement& element, std::string_view attribute, std::string& out);
  /// A text that can name something: at most `name_limit` bytes, without control characters and "/" (names are keys in paths).
  bool read_name(const XmlElement& element, std::string_view attribute, std::string& out);
  /// Index of the word among `words`.
  std::optional<std::size_t> read_word(const XmlElement& element, std::string_view attribute, std::span<const std::string_view> words);
  /// False with an error where it is absent.
  bool require(const XmlElement& element, std::string_view attribute);

 private:
  struct Count {
    std::string where;
    std::size_t count = 0;
    std::size_t order = 0;
  };
  bool number(std::string_view word, const XmlElement& element, const XmlAttribute& attribute, double& out);
  std::optional<std::size_t> numbers(const XmlElement& element, const XmlAttribute& attribute, std::span<double> out);
  void fail_at(const std::string& what, const XmlElement& element, const XmlAttribute& attribute);

  model::Findings& findings_;
  std::map<std::string, Count, std::less<>> counts_;
  std::map<std::string, model::Tally, std::less<>> some_;
};

/// "geom \"foot\"", or "geom" where it has no name.
std::string label_of(const XmlElement& element);

/// "a, b or c".
std::string list_words(std::span<const std::string_view> words);

}  // namespace trilith::io
