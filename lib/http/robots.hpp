// The Robots Exclusion Protocol, RFC 9309: what one robots.txt says of one path to one crawler.
// It fetches nothing and never fails: a line that is not understood is skipped.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace freshet::http {

/// What is read of a robots.txt; the rest is ignored (RFC 9309, 2.5).
inline constexpr std::size_t max_robots_bytes = 500u << 10;

/// Of one rule: a longer Disallow counts as its beginning, and a longer Allow as none.
inline constexpr std::size_t max_robots_pattern = 8u << 10;

/// Steps that one judgement may take: one for each agent and rule, and for each byte that a rule
/// with stars looks at. A real file takes some thousands; what takes more was made to, and is not
/// fetched.
inline constexpr std::size_t max_robots_steps = 1u << 19;

/// The product token of a user agent: "Freshet" of "Freshet/1.0 (+mailto:...)".
[[nodiscard]] std::string_view product_token(std::string_view user_agent) noexcept;

/// A list that grows without moving what is in it: that of a large file would take too long.
template <class Value>
class piecewise_list {
 public:
  void push_back(Value value) {
    if (size_ % piece == 0) pieces_.emplace_back().reserve(piece);
    pieces_.back().push_back(std::move(value));
    ++size_;
  }
  [[nodiscard]] const Value& operator[](std::size_t i) const {
    return pieces_[i / piece][i % piece];
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  static constexpr std::size_t piece = 64;
  std::vector<std::vector<Value>> pieces_;
  std::size_t size_ = 0;
};

class robots_rules {
 public:
  class reader;
  class judgement;
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
  /// Those of the lists below up to where the next group begins.
  struct group {
    std::size_t first_agent = 0, first_rule = 0;
  };
  [[nodiscard]] std::size_t agents_end(std::size_t of_group) const noexcept;
  [[nodiscard]] std::size_t rules_end(std::size_t of_group) const noexcept;

  piecewise_list<group> groups_;
  piecewise_list<std::string> agents_;  ///< lower case, "*" for all
  piecewise_list<rule> rules_;
  std::size_t bytes_ = 0;
};

/// Judges one path some steps at a time, as the reader reads.
class robots_rules::judgement {
 public:
  /// The rules outlive it. Both texts are copied.
  judgement(const robots_rules& rules, std::string_view token, std::string_view path);
  /// Takes so many steps, and those of the rule that it is at then; false once it is decided.
  [[nodiscard]] bool go_on(std::size_t steps);
  /// What was decided. Once.
  [[nodiscard]] verdict take() { return std::move(out_); }
  /// Those that were taken so far.
  [[nodiscard]] std::size_t steps() const noexcept { return out_.steps; }

 private:
  [[nodiscard]] bool look_at_agent();
  void look_at_rule();
  void decide();

  const robots_rules& rules_;
  std::string wanted_, path_;
  std::size_t group_ = 0, agent_ = 0, rule_ = 0;
  bool is_searching_ = false;  ///< for a group that names the crawler
  bool is_in_group_ = false;   ///< whose rules are looked at
  bool is_decided_ = false;
  const rule* best_ = nullptr;
  verdict out_;
};

/// Reads a file some lines at a time, so that who has other things to do can do them meanwhile.
class robots_rules::reader {
 public:
  explicit reader(std::string text);
  /// Reads so many bytes and the rest of their last line; false once there is nothing left.
  [[nodiscard]] bool read_some(std::size_t bytes);
  /// What was read. Once.
  [[nodiscard]] robots_rules take() { return std::move(out_); }

 private:
  void read_agent(std::string_view value);
  void read_rule(bool allow, std::string_view value);

  std::string text_;
  std::size_t at_ = 0;
  bool naming_ = false;  ///< agents in a row share the rules that follow
  robots_rules out_;
};

}  // namespace freshet::http
