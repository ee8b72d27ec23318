// The configuration: known keys, their types, and the three places they come from. Values are kept
// as text lists; what a text means (a CIDR, a URL) is checked by who uses it.
// With exceptions: without them its parser is noexcept and ends the program where no memory is
// left.
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>
#include <algorithm>
#include <base/number.hpp>
#include <base/unicode.hpp>
#include <charconv>
#include <freshet/config.hpp>
#include <sources/source.hpp>

#include "engine/settings/config_keys.hpp"

namespace freshet {
namespace {

error bad_setting(std::string detail) {
  return error(errc::invalid_configuration, std::move(detail));
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto comma = text.find(',');
    const auto part = base::trim(text.substr(0, comma));
    if (!part.empty()) parts.emplace_back(part);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return parts;
}

std::optional<bool> parse_flag(std::string_view text) {
  const auto lower = base::to_lower_ascii(text);
  if (lower == "true" || lower == "1" || lower == "yes" || lower == "on") return true;
  if (lower == "false" || lower == "0" || lower == "no" || lower == "off") return false;
  return std::nullopt;
}

bool has_type(std::string_view type, std::string_view text) {
  if (type == "integer") return base::parse_number<std::int64_t>(text).has_value();
  if (type == "number") return base::parse_number<double>(text).has_value();
  if (type == "boolean") return parse_flag(text).has_value();
  return true;
}

/// The text of a TOML scalar; null for a table or an array.
std::optional<std::string> scalar_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* flag = node.as_boolean()) return std::string(flag->get() ? "true" : "false");
  if (const auto* real = node.as_floating_point()) {
    char buffer[32];
    const auto [end, ec] = std::to_chars(buffer, buffer + sizeof buffer, real->get());
    return std::string(buffer, ec == std::errc{} ? end : buffer);
  }
  return std::nullopt;
}

struct open_table {
  const toml::table* table;
  std::string prefix;
};

}  // namespace

result<void> config::load_toml(std::string_view text, std::string_view name) {
  toml::table parsed;
  try {
    // Without the name, which its reader would copy where it may not throw.
    parsed = toml::parse(text);
  } catch (const toml::parse_error& wrong) {
    const auto& where = wrong.source().begin;
    return bad_setting(std::string(name) + ":" + std::to_string(where.line) + ": " +
                       std::string(wrong.description()));
  }
  std::vector<open_table> open{{&parsed, ""}};
  while (!open.empty()) {
    const auto [table, prefix] = open.back();
    open.pop_back();
    for (const auto& [key, node] : *table) {
      const auto path = prefix + std::string(key.str());
      if (const auto* inner = node.as_table()) {
        open.push_back({inner, path + "."});
        continue;
      }
      std::string value;
      if (const auto* array = node.as_array()) {
        for (const auto& element : *array) {
          const auto one = scalar_text(element);
          if (!one) return bad_setting(std::string(name) + ": " + path + " must list plain values");
          if (one->find(',') != std::string::npos) {
            return bad_setting(std::string(name) + ": " + path + ": a value holds a comma");
          }
          value += (value.empty() ? "" : ",") + *one;
        }
      } else if (const auto one = scalar_text(node)) {
        value = *one;
      } else {
        return bad_setting(std::string(name) + ": " + path + " must be a plain value or a list");
      }
      if (auto done = set(path, value); !done) {
        return bad_setting(std::string(name) + ": " + done.error().detail());
      }
    }
  }
  return {};
}

result<void> config::set(std::string_view key, std::string_view value) {
  const auto* known = detail::find_config_key(key);
  if (known == nullptr) {
    std::string detail = "unknown setting '" + std::string(key) + "'";
    const auto near = detail::nearest_config_key(key);
    if (!near.empty()) detail += "; did you mean '" + near + "'?";
    return bad_setting(std::move(detail));
  }
  if (known->type == "list") {
    values_[std::string(key)] = split_list(value);
    return {};
  }
  if (!has_type(known->type, value)) {
    return bad_setting(std::string(key) + ": '" + std::string(value) + "' is no " +
                       std::string(known->type));
  }
  values_[std::string(key)] = {std::string(value)};
  return {};
}

namespace {

/// A variable that is none of ours is somebody else's, as those that Kubernetes makes of a service
/// named freshet; but one with the words of a setting was meant to be read.
result<void> check_other_name(std::string_view name) {
  constexpr std::string_view mark = "FRESHET_";
  if (!name.starts_with(mark)) return {};
  std::string words = base::to_lower_ascii(name.substr(mark.size()));
  const auto both_join = [](char a, char b) { return a == '_' && b == '_'; };
  words.erase(std::unique(words.begin(), words.end(), both_join), words.end());
  const std::string right = detail::environment_name_of(words);
  if (right.empty()) return {};
  return bad_setting(std::string(name) + " sets nothing; write " + right);
}

}  // namespace

result<void> config::load_environment(std::span<const std::string_view> environment) {
  constexpr std::string_view mark = "FRESHET__";
  for (const auto entry : environment) {
    const auto equals = entry.find('=');
    if (equals == std::string_view::npos) continue;
    if (!entry.starts_with(mark)) {
      if (auto read = check_other_name(entry.substr(0, equals)); !read) return read;
      continue;
    }
    std::string key;
    const auto name = entry.substr(mark.size(), equals - mark.size());
    for (std::size_t i = 0; i < name.size(); ++i) {
      if (name[i] == '_' && i + 1 < name.size() && name[i + 1] == '_') {
        key += '.';
        ++i;
      } else {
        key += name[i];
      }
    }
    // Names of environment variables are upper case by custom and hold no hyphen or slash:
    // PLATFORMS__WEB_SERP__SOURCES means platforms.web-serp.sources.
    key = detail::match_environment_key(base::to_lower_ascii(key));
    if (auto done = set(key, entry.substr(equals + 1)); !done) {
      return bad_setting(std::string(entry.substr(0, equals)) + ": " + done.error().detail());
    }
  }
  return {};
}

std::string config::text(std::string_view key) const {
  const auto found = values_.find(key);
  if (found != values_.end()) {
    std::string joined;
    for (const auto& part : found->second) joined += (joined.empty() ? "" : ",") + part;
    return joined;
  }
  const auto* known = detail::find_config_key(key);
  return known == nullptr ? std::string() : std::string(known->fallback);
}

std::vector<std::string> config::list(std::string_view key) const {
  const auto found = values_.find(key);
  return found != values_.end() ? found->second : split_list(text(key));
}

std::optional<std::int64_t> config::integer(std::string_view key) const {
  return base::parse_number<std::int64_t>(text(key));
}

std::optional<double> config::number(std::string_view key) const {
  return base::parse_number<double>(text(key));
}

std::optional<bool> config::flag(std::string_view key) const { return parse_flag(text(key)); }

bool config::has(std::string_view key) const { return values_.contains(key); }

std::vector<std::string> config::names_under(std::string_view prefix) const {
  std::vector<std::string> names;
  const auto start = std::string(prefix) + ".";
  for (const auto& [key, value] : values_) {
    if (!key.starts_with(start)) continue;
    auto name = key.substr(start.size());
    name.resize(std::min(name.find('.'), name.size()));
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

}  // namespace freshet
