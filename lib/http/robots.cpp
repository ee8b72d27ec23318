// Reading groups and rules, and matching patterns of "*" and "$" without backtracking.
#include <algorithm>
#include <base/percent.hpp>
#include <base/unicode.hpp>
#include <http/robots.hpp>
#include <optional>
#include <span>
#include <utility>

namespace freshet::http {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
/// Nobody's product token is so long.
constexpr std::size_t max_agent = 256;

bool is_token_char(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
}

/// What an address has as it is beside letters, by RFC 3986; other bytes are percent-encoded in it.
constexpr std::string_view kept_signs = "%:/?#[]@!$&'()*+,;=";

/// One spelling for what RFC 9309, 2.2.2 compares as equal: %7e and ~, é and %C3%A9, { and %7B.
std::string normal_path(std::string_view text) {
  using base::percent_set;
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (const auto escaped = base::escape_at(text, at)) {
      base::append_encoded(out, *escaped, percent_set::all_but_unreserved);
      at += 2;
    } else if (kept_signs.find(text[at]) != std::string_view::npos) {
      out += text[at];
    } else {
      base::append_encoded(out, text[at], percent_set::all_but_unreserved);
    }
  }
  return out;
}

/// Finds pieces in time linear in both (Knuth, Morris and Pratt), whatever they repeat.
class piece_finder {
 public:
  std::size_t find(std::string_view rules, std::string_view piece, std::size_t begin) {
    if (piece.empty()) return begin;
    // The longest beginning of the piece that also ends at each of its places.
    borders_.assign(piece.size(), 0);
    for (std::size_t i = 1, kept = 0; i < piece.size(); ++i) {
      kept = grow(piece, kept, piece[i]);
      borders_[i] = kept;
    }
    std::size_t matched = 0;
    for (std::size_t i = begin; i < rules.size(); ++i) {
      matched = grow(piece, matched, rules[i]);
      if (matched == piece.size()) return i + 1 - matched;
    }
    return std::string_view::npos;
  }

 private:
  [[nodiscard]] std::size_t grow(std::string_view piece, std::size_t matched, char next) const {
    while (matched > 0 && piece[matched] != next) matched = borders_[matched - 1];
    return piece[matched] == next ? matched + 1 : matched;
  }

  std::vector<std::size_t> borders_;
};

/// Each piece between stars is taken at its first place behind the one before: if any placement
/// matches, this one does.
bool matches(std::string_view pattern, std::string_view path, piece_finder& finder) {
  const bool anchored = pattern.ends_with('$');
  if (anchored) pattern.remove_suffix(1);
  std::size_t at = 0;
  bool first = true;
  while (true) {
    const auto star = pattern.find('*');
    const std::string_view piece = pattern.substr(0, star);
    const bool last = star == std::string_view::npos;
    if (first) {
      if (!path.starts_with(piece)) return false;
      at = piece.size();
      if (last) return !anchored || at == path.size();
    } else if (last && anchored) {
      return path.size() - at >= piece.size() && path.ends_with(piece);
    } else {
      const auto found = finder.find(path, piece, at);
      if (found == std::string_view::npos) return false;
      at = found + piece.size();
      if (last) return true;
    }
    first = false;
    pattern.remove_prefix(star + 1);
  }
}

/// What matches() may look at: no more than its first piece where that is not there.
std::size_t steps_of(std::string_view pattern, std::string_view path) {
  const auto star = pattern.find('*');
  if (star == std::string_view::npos || !path.starts_with(pattern.substr(0, star))) return 1;
  return pattern.size() + path.size();
}

struct line {
  std::string_view key, value;
};

/// "Key: value # comment", also without the colon where it is two words; null for anything else.
std::optional<line> read_line(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  text = base::trim(text.substr(0, text.find('#')));
  const auto colon = text.find(':');
  const auto end = colon == std::string_view::npos ? text.find_first_of(blanks) : colon;
  if (end == std::string_view::npos) return std::nullopt;
  const auto value = base::trim(text.substr(end + 1));
  if (colon == std::string_view::npos && value.find_first_of(blanks) != std::string_view::npos)
    return std::nullopt;
  return line{base::trim(text.substr(0, end)), value};
}

/// The keys, with the misspellings that sites have and the largest crawler obeys.
constexpr std::string_view agent_keys[] = {"user-agent", "useragent", "user agent"};
constexpr std::string_view allow_keys[] = {"allow"};
constexpr std::string_view disallow_keys[] = {"disallow", "dissallow", "dissalow",
                                              "disalow",  "diasllow",  "disallaw"};

bool is_one_of(std::string_view key, std::span<const std::string_view> keys) {
  return std::ranges::any_of(keys,
                             [&](auto one) { return base::equals_ignoring_ascii_case(key, one); });
}

}  // namespace

std::string_view product_token(std::string_view user_agent) noexcept {
  std::size_t end = 0;
  while (end < user_agent.size() && is_token_char(user_agent[end])) ++end;
  return user_agent.substr(0, end);
}

robots_rules robots_rules::parse(std::string_view text) {
  reader of(std::string(text.substr(0, max_robots_bytes)));
  while (of.read_some(max_robots_bytes)) {
  }
  return of.take();
}

robots_rules::reader::reader(std::string text) : text_(std::move(text)) {
  if (text_.size() > max_robots_bytes) text_.resize(max_robots_bytes);
  if (text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
}

bool robots_rules::reader::read_some(std::size_t bytes) {
  const std::size_t until = at_ + std::min(bytes, text_.size() - at_);
  while (at_ < until) {
    const auto end = std::find_if(text_.begin() + static_cast<std::ptrdiff_t>(at_), text_.end(),
                                  [](char c) { return c == '\n' || c == '\r'; });
    const auto size = static_cast<std::size_t>(end - text_.begin()) - at_;
    const std::optional<line> each = read_line(std::string_view(text_).substr(at_, size));
    at_ += size + (end == text_.end() ? 0 : 1);
    if (!each) continue;
    if (is_one_of(each->key, agent_keys)) {
      read_agent(each->value);
    } else if (is_one_of(each->key, allow_keys)) {
      read_rule(true, each->value);
    } else if (is_one_of(each->key, disallow_keys)) {
      read_rule(false, each->value);
    }
  }
  return at_ < text_.size();
}

void robots_rules::reader::read_agent(std::string_view value) {
  if (!naming_) {
    out_.groups_.push_back({out_.agents_.size(), out_.rules_.size()});
    out_.bytes_ += sizeof(group);
  }
  naming_ = true;
  const bool is_all = value == "*" || value.starts_with("* ");
  const std::string_view token = is_all ? "*" : product_token(value.substr(0, max_agent));
  if (token.empty() || token.size() == max_agent) return;
  out_.agents_.push_back(base::to_lower_ascii(token));
  out_.bytes_ += sizeof(std::string) + token.size();
}

void robots_rules::reader::read_rule(bool allow, std::string_view value) {
  naming_ = false;
  // A rule before any group speaks to nobody, and an empty one says nothing.
  if (out_.groups_.size() == 0 || value.empty()) return;
  if (value.size() > max_robots_pattern && allow) return;
  std::string pattern = normal_path(value.substr(0, max_robots_pattern));
  out_.bytes_ += sizeof(rule) + pattern.size();
  out_.rules_.push_back({allow, std::move(pattern)});
}

std::size_t robots_rules::agents_end(std::size_t of_group) const noexcept {
  return of_group + 1 == groups_.size() ? agents_.size() : groups_[of_group + 1].first_agent;
}

std::size_t robots_rules::rules_end(std::size_t of_group) const noexcept {
  return of_group + 1 == groups_.size() ? rules_.size() : groups_[of_group + 1].first_rule;
}

robots_rules::verdict robots_rules::check(std::string_view token, std::string_view path) const {
  judgement of(*this, token, path);
  while (of.go_on(max_robots_steps)) {
  }
  return of.take();
}

robots_rules::judgement::judgement(const robots_rules& rules, std::string_view token,
                                   std::string_view path)
    : rules_(rules),
      wanted_(token.empty() ? "*" : base::to_lower_ascii(token)),
      path_(normal_path(path.empty() ? "/" : path)),
      is_searching_(!token.empty()),
      is_decided_(path == "/robots.txt") {}

bool robots_rules::judgement::go_on(std::size_t steps) {
  const std::size_t until = out_.steps + steps;
  while (!is_decided_ && out_.steps < until) {
    if (is_in_group_) {
      look_at_rule();
    } else if (group_ == rules_.groups_.size()) {
      // Nobody names the crawler: what is said to all counts.
      if (!std::exchange(is_searching_, false)) decide();
      if (!is_decided_) wanted_ = "*", group_ = agent_ = 0;
    } else {
      is_in_group_ = look_at_agent();
      if (is_in_group_) rule_ = rules_.groups_[group_].first_rule;
    }
    if (out_.steps > max_robots_steps && !is_decided_) {
      out_.allowed = false;
      out_.too_costly = is_decided_ = true;
    }
  }
  return !is_decided_;
}

/// Whether the group at hand is one for the crawler, as far as this agent says so.
bool robots_rules::judgement::look_at_agent() {
  ++out_.steps;
  if (agent_ == rules_.agents_end(group_)) {
    ++group_;
    return false;
  }
  const bool is_named = rules_.agents_[agent_++] == wanted_;
  if (is_named) is_searching_ = false;
  return is_named;
}

void robots_rules::judgement::look_at_rule() {
  ++out_.steps;
  if (rule_ == rules_.rules_end(group_)) {
    is_in_group_ = false;
    agent_ = rules_.agents_end(group_++);
    return;
  }
  const rule& candidate = rules_.rules_[rule_++];
  if (best_ != nullptr && (candidate.pattern.size() < best_->pattern.size() ||
                           (candidate.pattern.size() == best_->pattern.size() && !candidate.allow)))
    return;
  out_.steps += steps_of(candidate.pattern, path_);
  if (out_.steps > max_robots_steps) return;
  piece_finder finder;
  if (matches(candidate.pattern, path_, finder)) best_ = &candidate;
}

void robots_rules::judgement::decide() {
  is_decided_ = true;
  if (best_ == nullptr) return;
  out_.allowed = best_->allow;
  out_.rule = (best_->allow ? "Allow: " : "Disallow: ") + best_->pattern;
}

}  // namespace freshet::http
