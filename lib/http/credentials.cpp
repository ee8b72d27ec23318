// Recognising secrets by the name they go under. Values are never looked at: a secret under an
// innocent name is not recognised.
#include <algorithm>
#include <base/unicode.hpp>
#include <http/credentials.hpp>
#include <iterator>

namespace freshet::http {
namespace {

constexpr std::string_view header_names[] = {
    "authorization", "proxy-authorization", "cookie", "set-cookie", "x-auth", "api-key",
};
// Parts of names that make a header a credential.
constexpr std::string_view header_parts[] = {"token", "api-key", "apikey", "secret", "password"};

// Without "-" and "_", lower case.
constexpr std::string_view parameter_names[] = {
    "key",          "apikey",      "accesstoken", "refreshtoken", "token",      "clientsecret",
    "clientkey",    "password",    "apppassword", "accessjwt",    "refreshjwt", "idtoken",
    "sessiontoken", "bearertoken", "secret",      "jwt",          "auth",
};

// In JSON the short names above mean other things as often ("key" of a page, "token" of a text).
constexpr std::string_view json_names[] = {
    "apikey",      "accesstoken", "refreshtoken", "clientsecret", "password",
    "apppassword", "accessjwt",   "refreshjwt",   "idtoken",      "bearertoken",
};

std::string plain_name(std::string_view name) {
  std::string out = base::to_lower_ascii(name);
  std::erase_if(out, [](char c) { return c == '-' || c == '_'; });
  return out;
}

template <std::size_t N>
bool is_one_of(const std::string_view (&names)[N], std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

/// The end of a JSON string whose first character (behind the quote) is at `index`: its closing
/// quote.
std::size_t string_end(std::string_view text, std::size_t index) noexcept {
  while (index < text.size() && text[index] != '"') index += text[index] == '\\' ? 2 : 1;
  return std::min(index, text.size());
}

std::size_t skip_spaces(std::string_view text, std::size_t index) noexcept {
  const auto found = text.find_first_not_of(" \t\r\n", index);
  return found == std::string_view::npos ? text.size() : found;
}

std::string redact_json(std::string_view text) {
  std::string out;
  std::size_t copied = 0;
  std::size_t at = 0;
  while ((at = text.find('"', at)) != std::string_view::npos) {
    const std::size_t end = string_end(text, at + 1);
    const std::string_view name = text.substr(at + 1, end - at - 1);
    std::size_t next = skip_spaces(text, std::min(end + 1, text.size()));
    at = std::min(end + 1, text.size());
    if (next >= text.size() || text[next] != ':') continue;
    next = skip_spaces(text, next + 1);
    if (next >= text.size() || text[next] != '"' || !is_one_of(json_names, plain_name(name))) {
      continue;
    }
    out.append(text.substr(copied, next + 1 - copied)).append(redacted);
    copied = string_end(text, next + 1);
    at = std::min(copied + 1, text.size());
  }
  return out.append(text.substr(copied));
}

/// Whether pairs have this name.
bool has_name(std::string_view pairs, std::string_view name) {
  while (true) {
    const auto end = pairs.find('&');
    const auto pair = pairs.substr(0, end);
    if (pair.substr(0, pair.find('=')) == name) return true;
    if (end == std::string_view::npos) return false;
    pairs.remove_prefix(end + 1);
  }
}

/// "a=1&key=2" with the values of credential names replaced.
std::string redact_pairs(std::string_view text) {
  // Beside its user's name "feed" is the token of his feeds; elsewhere it is the form of a feed.
  const bool has_feed_token = has_name(text, "user") && has_name(text, "feed");
  std::string out;
  while (true) {
    const auto end = text.find('&');
    const std::string_view pair = text.substr(0, end);
    const auto equals = pair.find('=');
    const auto name = pair.substr(0, std::min(equals, pair.size()));
    const bool is_secret = is_credential_name(name) || (has_feed_token && name == "feed");
    if (equals != std::string_view::npos && is_secret) {
      out.append(pair.substr(0, equals + 1)).append(redacted);
    } else {
      out.append(pair);
    }
    if (end == std::string_view::npos) return out;
    out += '&';
    text.remove_prefix(end + 1);
  }
}

}  // namespace

bool is_credential_header(std::string_view name) {
  const std::string lower = base::to_lower_ascii(name);
  if (is_one_of(header_names, lower)) return true;
  return std::ranges::any_of(
      header_parts, [&](std::string_view part) { return lower.find(part) != std::string::npos; });
}

bool is_credential_name(std::string_view name) {
  return is_one_of(parameter_names, plain_name(name));
}

std::string redact_url(std::string_view url) {
  std::string out(url);
  const auto authority = out.find("://");
  if (authority != std::string::npos) {
    const auto end = out.find_first_of("/?#", authority + 3);
    const auto at = out.rfind('@', end);
    const auto colon = out.find(':', authority + 3);
    if (at != std::string::npos && at > authority && colon < at) {
      out.replace(colon + 1, at - colon - 1, redacted);
    }
  }
  const auto query = out.find('?');
  if (query == std::string::npos) return out;
  const auto fragment = std::min(out.find('#', query), out.size());
  const std::string tail = out.substr(fragment);
  return out.substr(0, query + 1) +
         redact_pairs(std::string_view(out).substr(query + 1, fragment - query - 1)) + tail;
}

std::string public_url(std::string_view url) {
  std::string out(url.substr(0, url.find_first_of("?#")));
  const auto authority = out.find("://");
  if (authority == std::string::npos) return out;
  const auto begin = authority + 3;
  const auto at = out.rfind('@', out.find('/', begin));
  if (at != std::string::npos && at >= begin) out.erase(begin, at + 1 - begin);
  return out;
}

std::string redact_body(std::string_view body) {
  const std::string_view text = base::trim(body);
  if (text.empty()) return std::string(body);
  if (text.front() == '{' || text.front() == '[') return redact_json(body);
  const bool is_form = text.find_first_of(" <\r\n") == std::string_view::npos &&
                       text.find('=') != std::string_view::npos;
  return is_form ? redact_pairs(body) : std::string(body);
}

}  // namespace freshet::http
