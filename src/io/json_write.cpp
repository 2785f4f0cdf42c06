#include <cmath>

#include "base/text.h"
#include "io/json.h"

namespace trilith::io {
namespace {

// length of the UTF-8 character that `text` starts with, 0 where it starts with none
std::size_t character_length(std::string_view text) {
  for (std::size_t length = 2; length <= 4 && length <= text.size(); ++length)
    if (is_utf8(text.substr(0, length))) return length;
  return 0;
}

class Writer {
 public:
  explicit Writer(int indent) : indent_(indent) {}

  void value(const Json& json, int depth) {
    if (const double* number = json.number())
      this->number(*number);
    else if (const std::string* text = json.string())
      string(*text);
    else if (const bool* flag = json.boolean())
      out_ += *flag ? "true" : "false";
    else if (const Json::Array* items = json.array())
      array(*items, depth);
    else if (const Json::Object* members = json.object())
      object(*members, depth);
    else
      out_ += "null";
  }
  std::string take() { return std::move(out_); }

 private:
  void number(double value) {
    if (!std::isfinite(value)) {
      out_ += "null";
      return;
    }
    append_double(out_, value);
    if (value == 0 && std::signbit(value)) out_ += ".0";  // readers take "-0" for an integer and lose the sign
  }

  void string(std::string_view text);
  void array(const Json::Array& items, int depth);
  void object(const Json::Object& members, int depth);

  // one line where the caller asked for it, and for arrays that hold only scalars
  void separate(bool broken, int depth, bool first) {
    if (!first) out_ += broken || indent_ == 0 ? "," : ", ";
    if (!broken) return;
    out_ += '\n';
    out_.append(static_cast<std::size_t>(depth * indent_), ' ');
  }
  void close(bool broken, int depth, char bracket) {
    if (broken) separate(true, depth, true);
    out_ += bracket;
  }

  int indent_;
  std::string out_;
};

void Writer::string(std::string_view text) {
  static constexpr char hex[] = "0123456789abcdef";
  out_ += '"';
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x80) {
      const std::size_t length = character_length(text.substr(i));
      if (length == 0)
        out_ += "\\ufffd";  // a byte that is no UTF-8: JSON cannot carry it
      else
        out_ += text.substr(i, length);
      i += length == 0 ? 1 : length;
      continue;
    }
    if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += static_cast<char>(c);
    } else if (c == '\n') {
      out_ += "\\n";
    } else if (c == '\t') {
      out_ += "\\t";
    } else if (c == '\r') {
      out_ += "\\r";
    } else if (c < 0x20 || c == 0x7f) {
      out_ += "\\u00";
      out_ += hex[c >> 4];
      out_ += hex[c & 15];
    } else {
      out_ += static_cast<char>(c);
    }
    ++i;
  }
  out_ += '"';
}

void Writer::array(const Json::Array& items, int depth) {
  bool broken = false;
  for (const Json& item : items) broken = broken || item.array() != nullptr || item.object() != nullptr;
  broken = broken && indent_ > 0;
  out_ += '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    separate(broken, depth + 1, i == 0);
    value(items[i], depth + 1);
  }
  close(broken, depth, ']');
}

void Writer::object(const Json::Object& members, int depth) {
  const bool broken = indent_ > 0 && !members.empty();
  out_ += '{';
  for (std::size_t i = 0; i < members.size(); ++i) {
    separate(broken, depth + 1, i == 0);
    string(members[i].first);
    out_ += indent_ > 0 ? ": " : ":";
    value(members[i].second, depth + 1);
  }
  close(broken, depth, '}');
}

}  // namespace

std::string write_json(const Json& value, int indent) {
  Writer writer(indent);
  writer.value(value, 0);
  return writer.take();
}

}  // namespace trilith::io
