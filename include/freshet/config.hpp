// The configuration of an engine: one flat table of keys, filled from a TOML file, from pairs and
// from an environment, later wins. Every key is known; an unknown one is an error that names the
// nearest. It reads no environment and no file by itself.
#pragma once

#include <cstdint>
#include <freshet/result.hpp>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace freshet {

/// A configuration. A value; not for use from several threads while one writes.
class config {
 public:
  /// Reads TOML text. `name` is said in errors. Error: invalid_configuration.
  [[nodiscard]] result<void> load_toml(std::string_view text, std::string_view name);
  /// Sets `key` ("network.allow_private"); a list is separated by commas.
  [[nodiscard]] result<void> set(std::string_view key, std::string_view value);
  /// Takes every FRESHET__A__B__C=value of an environment block ("NAME=value" strings). Error:
  /// invalid_configuration, also where FRESHET_A_B_C spells a setting, which is not read.
  [[nodiscard]] result<void> load_environment(std::span<const std::string_view> environment);

  /// The value of a key, its default if unset, or "" if it has none.
  [[nodiscard]] std::string text(std::string_view key) const;
  /// The elements of a list; empty if unset and without a default.
  [[nodiscard]] std::vector<std::string> list(std::string_view key) const;
  /// A whole number; null if it is unset and has no default, or is none.
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view key) const;
  /// A number; null if it is unset and has no default, or is none.
  [[nodiscard]] std::optional<double> number(std::string_view key) const;
  /// Whether it is `true`; null if it is unset and has no default, or neither true nor false.
  [[nodiscard]] std::optional<bool> flag(std::string_view key) const;
  /// Whether the key was set by the operator.
  [[nodiscard]] bool has(std::string_view key) const;
  /// The names N for which some key `prefix.N.…` is set: names_under("plans").
  [[nodiscard]] std::vector<std::string> names_under(std::string_view prefix) const;

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

/// One known key, for help texts and the documentation. Static storage.
struct config_key {
  std::string_view name;      ///< `sources.<name>.base_url`: `<name>` stands for any name
  std::string_view type;      ///< "string", "list", "integer", "number" or "boolean"
  std::string_view fallback;  ///< the default, as text
  std::string_view doc;       ///< what it does, in one sentence
};

/// Every known key. Thread-safe.
[[nodiscard]] std::span<const config_key> config_keys() noexcept;

}  // namespace freshet
