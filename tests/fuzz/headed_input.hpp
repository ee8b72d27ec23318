// An input of several parts, which people can read and write: lines "name: value" that say how the
// bytes are taken, an empty line, and the bytes. A percent sign in a value escapes a byte. Any
// bytes are such an input; what is no line of this form is left out.
#pragma once

#include <base/percent.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace freshet::fuzz {

class headed_input {
 public:
  explicit headed_input(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto end = bytes.find('\n');
      const auto line = bytes.substr(0, end);
      bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
      if (line.empty()) break;
      const auto colon = line.find(": ");
      if (colon == std::string_view::npos) continue;
      lines_.emplace_back(line.substr(0, colon), base::percent_decode(line.substr(colon + 2)));
    }
    body_ = bytes;
  }

  using line = std::pair<std::string_view, std::string>;
  [[nodiscard]] const std::vector<line>& lines() const { return lines_; }
  /// The value of the first line of that name; `otherwise` if there is none.
  [[nodiscard]] std::string text(std::string_view name, std::string_view otherwise = {}) const {
    for (const auto& [known, value] : lines_) {
      if (known == name) return value;
    }
    return std::string(otherwise);
  }
  /// What is behind the empty line, in the bytes given.
  [[nodiscard]] std::string_view body() const { return body_; }

 private:
  std::vector<line> lines_;
  std::string_view body_;
};

/// One of `count` by a name that nobody knows, so that any name leads somewhere.
[[nodiscard]] inline std::size_t any_of(std::string_view name, std::size_t count) {
  return std::hash<std::string_view>()(name) % count;
}

}  // namespace freshet::fuzz
