// Reading groups and rules, and matching patterns of "*" and "$" without backtracking.
#include <algorithm>
#include <base/percent.hpp>
#include <base/unicode.hpp>
#include <http/robots.hpp>
#include <optional>

namespace freshet::http {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_token_char(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
}

/// One spelling for what RFC 9309, 2.2.2 compares as equal: %7e and ~, é and %C3%A9.
std::string normal_path(std::string_view text) {
  using base::percent_set;
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (const auto escaped = base::escape_at(text, at)) {
      base::append_encoded(out, *escaped, percent_set::all_but_unreserved);
      at += 2;
    } else {
      const bool is_space = text[at] == ' ';
      base::append_encoded(out, text[at],
                           is_space ? percent_set::all_but_unreserved : percent_set::control);
    }
  }
  return out;
}

/// Finds pieces in time linear in both (Knuth, Morris and Pratt), whatever they repeat.
class piece_finder {
 public:
  std::size_t find(std::string_view in, std::string_view piece, std::size_t from) {
    if (piece.empty()) return from;
    // The longest beginning of the piece that also ends at each of its places.
    borders_.assign(piece.size(), 0);
    for (std::size_t i = 1, kept = 0; i < piece.size(); ++i) {
      kept = grow(piece, kept, piece[i]);
      borders_[i] = kept;
    }
    std::size_t matched = 0;
    for (std::size_t i = from; i < in.size(); ++i) {
      matched = grow(piece, matched, in[i]);
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

/// "Key: value # comment"; null for anything else.
std::optional<line> read_line(std::string_view text) {
  text = base::trim(text.substr(0, text.find('#')));
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  return line{base::trim(text.substr(0, colon)), base::trim(text.substr(colon + 1))};
}

}  // namespace

std::string_view product_token(std::string_view user_agent) noexcept {
  std::size_t end = 0;
  while (end < user_agent.size() && is_token_char(user_agent[end])) ++end;
  return user_agent.substr(0, end);
}

robots_rules robots_rules::parse(std::string_view text) {
  robots_rules out;
  text = text.substr(0, max_robots_bytes);
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  const auto is = [](std::string_view key, std::string_view name) {
    return base::equals_ignoring_ascii_case(key, name);
  };
  bool naming = false;  // agents in a row share the rules that follow
  while (!text.empty()) {
    const auto end = text.find_first_of("\r\n");
    const std::optional<line> each = read_line(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!each) continue;
    if (is(each->key, "user-agent")) {
      if (!naming) {
        out.groups_.emplace_back();
        out.bytes_ += sizeof(group);
      }
      naming = true;
      const std::string_view token = each->value == "*" ? "*" : product_token(each->value);
      if (token.empty()) continue;
      out.groups_.back().agents.push_back(base::to_lower_ascii(token));
      out.bytes_ += sizeof(std::string) + token.size();
    } else if (is(each->key, "allow") || is(each->key, "disallow")) {
      naming = false;
      // A rule before any group speaks to nobody, and an empty one says nothing.
      if (out.groups_.empty() || each->value.empty()) continue;
      out.groups_.back().rules.push_back({is(each->key, "allow"), normal_path(each->value)});
      out.bytes_ += sizeof(rule) + out.groups_.back().rules.back().pattern.size();
    }
  }
  return out;
}

robots_rules::verdict robots_rules::check(std::string_view token, std::string_view path) const {
  if (path == "/robots.txt") return {};
  const std::string wanted = base::to_lower_ascii(token);
  verdict out;
  const auto names = [&](const group& each, std::string_view agent) {
    out.steps += 1 + each.agents.size();
    return std::find(each.agents.begin(), each.agents.end(), agent) != each.agents.end();
  };
  const bool named =
      !wanted.empty() && std::any_of(groups_.begin(), groups_.end(),
                                     [&](const group& each) { return names(each, wanted); });
  const std::string normal = normal_path(path.empty() ? "/" : path);
  piece_finder finder;
  const rule* best = nullptr;
  for (const group& each : groups_) {
    if (!names(each, named ? std::string_view(wanted) : "*")) continue;
    for (const rule& candidate : each.rules) {
      ++out.steps;
      if (best != nullptr &&
          (candidate.pattern.size() < best->pattern.size() ||
           (candidate.pattern.size() == best->pattern.size() && !candidate.allow))) {
        continue;
      }
      out.steps += steps_of(candidate.pattern, normal);
      if (out.steps > max_robots_steps) {
        out.allowed = false;
        out.too_costly = true;
        return out;
      }
      if (matches(candidate.pattern, normal, finder)) best = &candidate;
    }
  }
  if (best == nullptr) return out;
  out.allowed = best->allow;
  out.rule = (best->allow ? "Allow: " : "Disallow: ") + best->pattern;
  return out;
}

}  // namespace freshet::http
