// The WHATWG URL parser (section 4.4), its states as functions over the rest of the input. Bytes
// that are not UTF-8 are percent-encoded as they are; in a host they are refused.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/host.hpp>
#include <base/percent.hpp>
#include <base/plain_url.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>

namespace freshet::base {
namespace {

constexpr std::size_t max_url_length = 1 << 20;  // bytes; Chromium's is 2 MiB

struct special_scheme {
  std::string_view name;
  std::string_view port;
};
constexpr special_scheme special_schemes[] = {{"http", "80"}, {"https", "443"}, {"ws", "80"},
                                              {"wss", "443"}, {"ftp", "21"},    {"file", ""}};

const special_scheme* find_special(std::string_view scheme) noexcept {
  for (const special_scheme& one : special_schemes) {
    if (one.name == scheme) return &one;
  }
  return nullptr;
}

/// "C:" or "C|" and then the end or a divider.
bool starts_with_drive(std::string_view text) noexcept {
  if (text.size() < 2 || !is_letter(text[0]) || (text[1] != ':' && text[1] != '|')) return false;
  return text.size() == 2 || std::string_view("/\\?#").find(text[2]) != std::string_view::npos;
}
bool is_drive(std::string_view segment) noexcept {
  return segment.size() == 2 && starts_with_drive(segment);
}
bool is_normalized_drive(std::string_view segment) noexcept {
  return is_drive(segment) && segment[1] == ':';
}

/// How many dots a segment says, "%2e" included: 0 if it says anything else, and over 2.
int dots_in(std::string_view segment) noexcept {
  int dots = 0;
  while (!segment.empty()) {
    const bool encoded = segment.size() >= 3 && segment[0] == '%' && segment[1] == '2' &&
                         (segment[2] == 'e' || segment[2] == 'E');
    if (!encoded && segment[0] != '.') return 0;
    segment.remove_prefix(encoded ? 3 : 1);
    if (++dots > 2) return 0;
  }
  return dots;
}

/// Where the first of "/", "?", "#" and, if it counts, a backslash stands.
std::size_t find_divider(std::string_view text, bool backslash_counts) noexcept {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '/' || c == '?' || c == '#' || (c == '\\' && backslash_counts)) return at;
  }
  return std::string_view::npos;
}

/// What the standard strips before it parses: tabs and newlines anywhere.
bool is_stripped(char c) noexcept { return c == '\t' || c == '\n' || c == '\r'; }

/// And controls and spaces at the ends.
std::string_view without_edges(std::string_view text) noexcept {
  const auto is_edge = [](char c) { return static_cast<unsigned char>(c) <= 0x20; };
  while (!text.empty() && is_edge(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_edge(text.back())) text.remove_suffix(1);
  return text;
}

class url_parser {
 public:
  url_parser(std::string_view input, const url* against) : rest_(input), against_(against) {}

  std::optional<url> run() {
    const bool parsed = read_scheme() ? after_scheme() : without_scheme();
    if (!parsed) return std::nullopt;
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }
  [[nodiscard]] bool at(char c) const noexcept { return !rest_.empty() && rest_.front() == c; }
  [[nodiscard]] bool at_slash() const noexcept { return at('/') || (special_ && at('\\')); }
  void skip(std::size_t count) noexcept { rest_.remove_prefix(count); }
  [[nodiscard]] bool is_file() const noexcept { return out_.scheme == "file"; }

  void set_scheme(std::string scheme) {
    out_.scheme = std::move(scheme);
    special_ = find_special(out_.scheme) != nullptr;
  }

  bool read_scheme() {
    if (at_end() || !is_letter(rest_.front())) return false;
    const auto in_scheme = [](char c) {
      return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.';
    };
    const auto end = std::ranges::find_if_not(rest_, in_scheme);
    if (end == rest_.end() || *end != ':') return false;
    const auto size = static_cast<std::size_t>(end - rest_.begin());
    set_scheme(to_lower_ascii(rest_.substr(0, size)));
    skip(size + 1);
    return true;
  }

  bool after_scheme() {
    if (is_file()) return file();
    if (special_) {
      const bool same_scheme = against_ != nullptr && against_->scheme == out_.scheme;
      return same_scheme && !rest_.starts_with("//") ? relative() : special_authority();
    }
    if (rest_.starts_with("//")) {
      skip(2);
      return authority();
    }
    if (at('/')) return path_start();
    return opaque_path();
  }

  bool without_scheme() {
    if (against_ == nullptr) return false;
    if (against_->opaque) {
      if (!at('#')) return false;
      out_ = *against_;
      return fragment();
    }
    set_scheme(against_->scheme);
    return is_file() ? file() : relative();
  }

  bool special_authority() {
    while (at('/') || at('\\')) skip(1);
    return authority();
  }

  void copy_authority() {
    out_.username = against_->username;
    out_.password = against_->password;
    out_.host = against_->host;
    out_.port = against_->port;
    out_.has_authority = against_->has_authority;
  }

  bool relative() {
    if (at_slash()) {
      skip(1);
      if (special_ && at_slash()) return special_authority();
      if (at('/')) {
        skip(1);
        return authority();
      }
      copy_authority();
      return path();
    }
    copy_authority();
    return relative_path();
  }

  /// What follows when scheme and authority are those of the base.
  bool relative_path() {
    out_.path = against_->path;
    if (at('?')) return query();
    out_.query = against_->query;
    out_.has_query = against_->has_query;
    if (at('#')) return fragment();
    if (at_end()) return true;
    out_.query.clear();
    out_.has_query = false;
    shorten_path();
    return path();
  }

  bool authority() {
    out_.has_authority = true;
    const std::size_t end = find_divider(rest_, special_);
    std::string_view text = rest_.substr(0, end);
    skip(text.size());
    const std::size_t at_sign = text.rfind('@');
    if (at_sign != std::string_view::npos) {
      const std::string_view credentials = text.substr(0, at_sign);
      const std::size_t colon = credentials.find(':');
      append_encoded(out_.username, credentials.substr(0, colon), percent_set::userinfo);
      if (colon != std::string_view::npos) {
        append_encoded(out_.password, credentials.substr(colon + 1), percent_set::userinfo);
      }
      text.remove_prefix(at_sign + 1);
      if (text.empty()) return false;
    }
    return host_and_port(text) && path_start();
  }

  bool host_and_port(std::string_view text) {
    std::size_t colon = std::string_view::npos;
    bool in_brackets = false;
    for (std::size_t i = 0; i < text.size() && colon == std::string_view::npos; ++i) {
      if (text[i] == '[') in_brackets = true;
      if (text[i] == ']') in_brackets = false;
      if (text[i] == ':' && !in_brackets) colon = i;
    }
    const std::string_view host = text.substr(0, colon);
    if (host.empty() && (special_ || colon != std::string_view::npos)) return false;
    auto parsed = parse_host(host, special_);
    if (!parsed) return false;
    out_.host = std::move(*parsed);
    return colon == std::string_view::npos || port(text.substr(colon + 1));
  }

  bool port(std::string_view digits) {
    constexpr unsigned max_port = 65535;
    if (digits.empty()) return true;
    unsigned value = 0;
    for (const char c : digits) {
      if (!is_digit(c)) return false;
      value = value * 10 + static_cast<unsigned>(c - '0');
      if (value > max_port) return false;
    }
    out_.port = std::to_string(value);
    const special_scheme* special = find_special(out_.scheme);
    if (special != nullptr && special->port == out_.port) out_.port.clear();
    return true;
  }

  bool file() {
    const bool from_file = against_ != nullptr && against_->scheme == "file";
    out_.has_authority = true;
    if (at_slash()) {
      skip(1);
      if (at_slash()) {
        skip(1);
        return file_host();
      }
      if (from_file) {
        out_.host = against_->host;
        const std::string_view first = first_segment(against_->path);
        if (!starts_with_drive(rest_) && is_normalized_drive(first)) {
          out_.path.append("/").append(first);
        }
      }
      return path();
    }
    if (!from_file) return path();
    out_.host = against_->host;
    if (!starts_with_drive(rest_)) return relative_path();
    return path();
  }

  static std::string_view first_segment(std::string_view path) noexcept {
    if (path.empty()) return {};
    path.remove_prefix(1);
    return path.substr(0, path.find('/'));
  }

  bool file_host() {
    const std::string_view text = rest_.substr(0, find_divider(rest_, true));
    if (is_drive(text)) return path();  // "file://C:/": no host, a drive
    skip(text.size());
    if (!text.empty()) {
      auto host = parse_host(text, true);
      if (!host) return false;
      if (*host != "localhost") out_.host = std::move(*host);
    }
    return path_start();
  }

  bool path_start() {
    if (special_) {
      if (at_slash()) skip(1);
      return path();
    }
    if (at('?')) return query();
    if (at('#')) return fragment();
    if (at_end()) return true;
    if (at('/')) skip(1);
    return path();
  }

  void shorten_path() {
    if (is_file() && is_normalized_drive(first_segment(out_.path)) && out_.path.size() == 3) return;
    const std::size_t slash = out_.path.rfind('/');
    if (slash != std::string::npos) out_.path.erase(slash);
  }

  /// Appends the segments of the rest, each with a slash in front.
  bool path() {
    for (bool more = true; more;) {
      const std::size_t end = find_divider(rest_, special_);
      const std::string_view segment = rest_.substr(0, end);
      skip(segment.size());
      more = at_slash();
      if (more) skip(1);
      append_segment(segment, more);
    }
    if (at('?')) return query();
    return at('#') ? fragment() : true;
  }

  void append_segment(std::string_view segment, bool slash_follows) {
    const int dots = dots_in(segment);
    if (dots == 2) shorten_path();
    if (dots > 0) {
      if (!slash_follows) out_.path += '/';
      return;
    }
    const bool drive = is_file() && out_.path.empty() && is_drive(segment);
    out_.path += '/';
    append_encoded(out_.path, segment, percent_set::path);
    if (drive) out_.path.back() = ':';
  }

  bool opaque_path() {
    out_.opaque = true;
    const std::string_view text = rest_.substr(0, rest_.find_first_of("?#"));
    append_encoded(out_.path, text, percent_set::control);
    skip(text.size());
    // Only the last space is encoded: enough to keep what follows from being stripped.
    if (!at_end() && out_.path.ends_with(' ')) out_.path.replace(out_.path.size() - 1, 1, "%20");
    if (at('?')) return query();
    return at('#') ? fragment() : true;
  }

  /// At "?".
  bool query() {
    skip(1);
    const std::string_view text = rest_.substr(0, rest_.find('#'));
    out_.has_query = true;
    out_.query.clear();
    append_encoded(out_.query, text, special_ ? percent_set::special_query : percent_set::query);
    skip(text.size());
    return at('#') ? fragment() : true;
  }

  /// At "#".
  bool fragment() {
    skip(1);
    out_.has_fragment = true;
    out_.fragment.clear();
    append_encoded(out_.fragment, rest_, percent_set::fragment);
    return true;
  }

  std::string_view rest_;
  const url* against_;
  url out_;
  bool special_ = false;
};

std::optional<url> parse(std::string_view text, const url* against) {
  if (text.size() > max_url_length) return std::nullopt;
  text = without_edges(text);
  if (std::ranges::none_of(text, is_stripped)) return url_parser(text, against).run();
  std::string input(text);
  std::erase_if(input, is_stripped);
  return url_parser(input, against).run();
}

url with_parts(const plain_url& from) {
  url out;
  out.scheme = from.scheme;
  out.host = from.host;
  out.path = from.path;
  out.query = from.query;
  out.fragment = from.fragment;
  out.has_authority = true;
  out.has_query = from.has_query;
  out.has_fragment = from.has_fragment;
  return out;
}

}  // namespace

std::optional<url> parse_url(std::string_view text) {
  if (const auto plain = read_plain_url(text)) return with_parts(*plain);
  return parse(text, nullptr);
}

std::optional<url> resolve_url(const url& against, std::string_view reference) {
  return parse(reference, &against);
}

std::string resolve_url(std::string_view against, std::string_view reference) {
  const auto base = parse_url(against);
  if (!base) return {};
  const auto resolved = resolve_url(*base, reference);
  return resolved ? resolved->text() : std::string();
}

}  // namespace freshet::base
