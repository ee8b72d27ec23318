// The table of wrappers, and the reading of each.
#include <algorithm>
#include <base/digest.hpp>
#include <base/plain_url.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <optional>
#include <sources/redirect_wrapper.hpp>
#include <span>

namespace freshet::sources {
namespace {

constexpr int max_wrappers = 4;  // one engine's redirect inside another's, and so on

/// How the address stands in the wrapper.
enum class form {
  plain,          ///< percent-encoded in the parameter
  base64url,      ///< "a1", then base64url
  path_parameter  ///< percent-encoded in the path, between "/NAME=" and the next "/"
};

struct wrapper {
  std::string_view site;  ///< the host, or what it ends with behind a dot; see is_at()
  std::string_view path;  ///< as it begins, lower case
  std::string_view name;
  form written;
};

// "google." stands for its hosts in every country.
constexpr wrapper wrappers[] = {
    {"duckduckgo.com", "/l/", "uddg", form::plain},
    {"bing.com", "/ck/a", "u", form::base64url},
    {"bing.com", "/news/apiclick.aspx", "url", form::plain},
    {"bing.com", "/alink/link", "url", form::plain},
    {"google.", "/url", "url", form::plain},
    {"google.", "/url", "q", form::plain},
    {"search.yahoo.com", "/_ylt=", "RU", form::path_parameter},
};

constexpr wrapper advert_counters[] = {
    {"duckduckgo.com", "/y.js", "", form::plain},   {"bing.com", "/aclick", "", form::plain},
    {"bing.com", "/aclk", "", form::plain},         {"google.", "/aclk", "", form::plain},
    {"googleadservices.com", "/", "", form::plain}, {"doubleclick.net", "/", "", form::plain},
};

/// Whether `host` is `site` or below it; "google." is followed by a country or "com".
bool is_at(std::string_view host, std::string_view site) {
  if (site.ends_with('.')) {
    constexpr std::size_t longest_ending = 6;  // "com.au"
    if (host.starts_with("www.") || host.starts_with("news."))
      host.remove_prefix(host.find('.') + 1);
    return host.starts_with(site) && host.size() <= site.size() + longest_ending;
  }
  if (!host.ends_with(site)) return false;
  return host.size() == site.size() || host[host.size() - site.size() - 1] == '.';
}

bool is_of(const base::url& url, const wrapper& one) {
  return is_at(url.host, one.site) && base::to_lower_ascii(url.path).starts_with(one.path);
}

std::optional<std::string> inner_text(const base::url& url, const wrapper& one) {
  if (one.written == form::path_parameter) {
    const auto mark = "/" + std::string(one.name) + "=";
    const auto begin = url.path.find(mark);
    if (begin == std::string::npos) return std::nullopt;
    const auto start = begin + mark.size();
    const auto end = url.path.find('/', start);
    return base::percent_decode(std::string_view(url.path).substr(start, end - start));
  }
  auto value = base::query_parameter(url.query, one.name);
  if (!value || one.written == form::plain) return value;
  constexpr std::string_view mark = "a1";
  if (!value->starts_with(mark)) return std::nullopt;
  return base::base64url_decode(std::string_view(*value).substr(mark.size()));
}

/// False where the host alone says that an address is none of these.
bool may_be_of(std::string_view text, std::span<const wrapper> any) {
  const auto plain = base::read_plain_url(text);
  return !plain ||
         std::ranges::any_of(any, [&](const wrapper& one) { return is_at(plain->host, one.site); });
}

/// Null if `text` is no wrapper, or holds no web address.
std::optional<std::string> inner_address(std::string_view text) {
  if (!may_be_of(text, wrappers)) return std::nullopt;
  const auto url = base::parse_url(text);
  if (!url || !url->is_http()) return std::nullopt;
  for (const auto& one : wrappers) {
    if (!is_of(*url, one)) continue;
    const auto inside = inner_text(*url, one);
    if (!inside || !base::is_utf8(*inside)) continue;
    const auto target = base::parse_url(*inside);
    if (target && target->is_http() && !target->host.empty()) return *inside;
  }
  return std::nullopt;
}

}  // namespace

std::string unwrapped_address(std::string_view text) {
  std::string out(base::trim(text));
  if (out.starts_with("//")) out.insert(0, "https:");
  for (int i = 0; i < max_wrappers; ++i) {
    auto inside = inner_address(out);
    if (!inside) break;
    out = std::move(*inside);
  }
  return out;
}

bool is_advert_address(std::string_view text) {
  const auto address = unwrapped_address(text);
  if (!may_be_of(address, advert_counters)) return false;
  const auto url = base::parse_url(address);
  if (!url || !url->is_http()) return false;
  return std::ranges::any_of(advert_counters, [&](const wrapper& one) { return is_of(*url, one); });
}

}  // namespace freshet::sources
