// The Robots Exclusion Protocol, RFC 9309: what one robots.txt says of one path to one crawler.
// It fetches nothing and never fails: a line that is not understood is skipped.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::http {

/// What is read of a robots.txt; the rest is ignored (RFC 9309, 2.5).
inline constexpr std::size_t max_robots_bytes = 500u << 10;

/// Steps that one judgement may take: one for each agent and rule, and for each byte that a rule
/// with stars looks at. A real file takes some thousands; what takes more was made to, and is not
/// fetched.
inline constexpr std::size_t max_robots_steps = 1u << 19;

/// The product token of a user agent: "Freshet" of "Freshet/1.0 (+mailto:...)".
[[nodiscard]] std::string_view product_token(std::string_view user_agent) noexcept;

class robots_rules {
 public:
  /// Owns a copy of what it needs.
  [[nodiscard]] static robots_rules parse(std::string_view text);

  struct verdict {
    bool allowed = true;
    std::string rule;         ///< the line that decided: "Disallow: /private"; "" if none did
    bool too_costly = false;  ///< it was given up, and is not allowed
    std::size_t steps = 0;    ///< that it took
  };
  /// `path`: path and query of the URL, percent-encoded. The longest matching rule wins, an Allow
  /// over a Disallow of the same length; /robots.txt itself is always allowed.
  [[nodiscard]] verdict check(std::string_view token, std::string_view path) const;

  /// The memory that it takes.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  struct rule {
    bool allow = false;
    std::string pattern;
  };
  struct group {
    std::vector<std::string> agents;  ///< lower case, "*" for all
    std::vector<rule> rules;
  };
  std::vector<group> groups_;
  std::size_t bytes_ = 0;
};

}  // namespace freshet::http
