#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace trilith {

/// Bad input from outside, told to the person who can mend it.
struct Error {
  enum class Kind : std::uint8_t {
    refused,  ///< the data is wrong (program exit 65)
    io,       ///< a file could not be read or written (program exit 74)
    usage,    ///< options that cannot go together (program exit 64)
  };
  std::string what;   ///< "friction must be >= 0, got -0.3"
  std::string where;  ///< "wall.json:/interfaces/12/friction": a path in their data, never ours
  Kind kind = Kind::refused;
};

/// Input that was altered or ignored. One named line each; never silent.
struct Warning {
  std::string what;
  std::string where;
};

/// Largest number of errors that one setup call collects before it stops reading.
inline constexpr std::size_t max_errors = 20;

/// A value, or every reason why there is none (at most `max_errors`).
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}                          // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::vector<Error>{std::move(error)}) {}  // NOLINT(google-explicit-constructor)
  Result(std::vector<Error> errors) : state_(std::move(errors)) {}       // NOLINT(google-explicit-constructor)

  bool ok() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  const std::vector<Error>& errors() const { return std::get<1>(state_); }

 private:
  std::variant<T, std::vector<Error>> state_;
};

}  // namespace trilith
