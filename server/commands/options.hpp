// The command line's options: a table a command, one parser. An option it does not know is an error
// that names the nearest; nothing is abbreviated or guessed.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::server {

/// One row of a command's table. Static storage.
struct option_spec {
  std::string_view name;   ///< "--listen"
  std::string_view value;  ///< what it takes, for the help: "HOST:PORT"; "" for a flag
  std::string_view help;
  bool repeats = false;
};

/// What was given.
class parsed_options {
 public:
  [[nodiscard]] bool has(std::string_view name) const { return values_.contains(name); }
  /// The value of an option, or `fallback` if it was not given.
  [[nodiscard]] std::string text(std::string_view name, std::string_view fallback = {}) const;
  [[nodiscard]] std::vector<std::string> all(std::string_view name) const;
  [[nodiscard]] const std::vector<std::string>& operands() const noexcept { return operands_; }

 private:
  friend struct option_parser;
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
  std::vector<std::string> operands_;
};

/// The options or what is wrong with them, for the user to read.
struct parse_outcome {
  parsed_options options;
  std::optional<std::string> wrong;
};

/// "--name VALUE", "--name=VALUE", "--flag"; "-h" is "--help"; "-" is an operand; after "--" all
/// are operands. --help is always known.
[[nodiscard]] parse_outcome parse_options(std::span<const option_spec> known,
                                          std::span<const std::string_view> arguments);

/// The table as the help's lines, of at most so many columns.
[[nodiscard]] std::string describe_options(std::span<const option_spec> known, std::size_t columns);

}  // namespace freshet::server
