// A wiki's search results as web results. The API answers its errors with status 200; they are
// told apart here by their code.
#include <algorithm>
#include <base/json.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/instance.hpp>
#include <sources/item_text.hpp>
#include <sources/mediawiki/wire.hpp>
#include <sources/read_answer.hpp>
#include <sources/search_result.hpp>

namespace freshet::sources::mediawiki {

namespace {

using base::member;
using base::json::value;

constexpr std::string_view source_name = "mediawiki";
constexpr std::chrono::seconds busy_pause{5};  // the wait that MediaWiki itself advises

/// What the API's error codes mean; any other is a source_error.
constexpr struct {
  std::string_view code;
  errc means;
} error_codes[] = {
    {"maxlag", errc::source_unavailable},
    {"ratelimited", errc::source_unavailable},
    {"readonly", errc::source_unavailable},
    {"cirrussearch-too-busy-error", errc::source_unavailable},
    {"cirrussearch-backend-error", errc::source_unavailable},
    {"searchbackend-error", errc::source_unavailable},
    {"readapidenied", errc::source_auth_required},
    {"permissiondenied", errc::source_auth_required},
    {"mustbeloggedin", errc::source_auth_required},
    {"assertuserfailed", errc::source_auth_required},
    {"blocked", errc::source_blocked},
    {"autoblocked", errc::source_blocked},
    {"globalblocking-ipblocked", errc::source_blocked},
    {"missingtitle", errc::not_found},
};

std::optional<error> api_error(const value& body, const http::response& answer) {
  const auto& list = base::array_of(member(body, "errors"));
  const auto& said = list.empty() ? member(body, "error") : list[0];
  if (!said.is_object()) return std::nullopt;
  const auto code = base::view_of(member(said, "code"));
  auto means = errc::source_error;
  for (const auto& one : error_codes) {
    if (one.code == code) means = one.means;
  }
  auto out = answer_error(means, "the wiki answered with an error", answer);
  out.source_text =
      base::prefix(clean_text(member(said, list.empty() ? "info" : "text")), max_source_text);
  if (out.source_text.empty()) out.source_text = base::prefix(code, max_source_text);
  if (means == errc::source_unavailable && !out.retry_after) out.retry_after = busy_pause;
  return out;
}

/// What siteinfo says of the wiki, or what can be told without it.
struct wiki {
  std::string folder;        ///< of api.php and index.php
  std::string server;        ///< https://en.wikipedia.org
  std::string article_path;  ///< "/wiki/$1"; "" if unknown
  std::string host;          ///< host[:port] that was asked
  std::string name, lang;
};

wiki wiki_of(const value& body, const call& call, const settings& settings) {
  wiki out;
  out.folder = script_folder(call, settings);
  const auto asked = base::parse_url(out.folder);
  if (asked) {
    out.host = host_with_port(*asked);
    out.server = asked->origin();
  }
  const auto& general = member(body, "query", "general");
  const auto server = std::string(base::view_of(member(general, "server")));
  if (server.starts_with("//") && asked) {
    if (server.size() <= max_address_bytes) out.server = asked->scheme + ":" + server;
  } else if (!page_url(server).empty()) {
    out.server = server;
  }
  const auto path = base::view_of(member(general, "articlepath"));
  const bool is_usable = path.size() <= max_address_bytes;
  if (is_usable && path.find("$1") != std::string_view::npos) out.article_path = path;
  out.name = clean_name(member(general, "sitename"));
  out.lang = language_tag(base::view_of(member(general, "lang")));
  constexpr std::string_view wikipedia = ".wikipedia.org";
  if (asked && asked->host.ends_with(wikipedia)) {
    if (out.article_path.empty()) out.article_path = "/wiki/$1";
    if (out.name.empty()) out.name = "Wikipedia";
    if (out.lang.empty()) {
      out.lang = language_tag(std::string_view(asked->host).substr(0, asked->host.find('.')));
    }
  }
  return out;
}

/// A title as wikis write it into an address.
std::string path_of(std::string_view title) {
  std::string spaced(title);
  std::ranges::replace(spaced, ' ', '_');
  constexpr std::string_view plain = ";@$!*(),/~:";  // as wfUrlencode() leaves them
  std::string out;
  for (const char c : spaced) {
    const std::string_view one(&c, 1);
    out += plain.find(c) != std::string_view::npos ? std::string(one) : base::percent_encode(one);
  }
  return out;
}

std::string address_of(const wiki& wiki, std::string_view title) {
  const auto path = path_of(title);
  if (wiki.article_path.empty()) return page_url(wiki.folder + "/index.php?title=" + path);
  auto out = wiki.article_path;
  out.replace(out.find("$1"), 2, path);
  return page_url(out.starts_with('/') ? wiki.server + out : out);
}

std::string id_of(const wiki& wiki, const value& value, const std::string& url) {
  const auto page = base::integer_of(member(value, "pageid"));
  const auto native = page && *page > 0 ? std::to_string(*page) : digest_id(url);
  return std::string(source_name) + ":" + wiki.host + "/" + native;
}

web_result result_of(const wiki& wiki, const value& value, std::int64_t rank) {
  web_result out;
  out.title = clean_text(member(value, "title"));
  out.url = address_of(wiki, out.title);
  out.id = id_of(wiki, value, out.url);
  out.source = source_name;
  out.text = clean_html(base::view_of(member(value, "snippet")));
  out.lang = wiki.lang;
  out.rank = rank;
  if (const auto url = base::parse_url(out.url)) {
    auto spaced = out.title;
    std::ranges::replace(spaced, ' ', '_');
    out.display_url = wiki.article_path.empty() ? url->host + "/" + spaced : url->host + url->path;
    auto readable = base::percent_decode(out.display_url);
    if (base::is_utf8(readable)) out.display_url = std::move(readable);
  }
  out.site_name = wiki.name.empty() ? wiki.host : wiki.name;
  out.engines.push_back({std::string(source_name), rank});
  return out;
}

}  // namespace

result<step> read_search(const exchange& exchange) {
  const auto at = read_position(exchange.position);
  if (!at) return at.error();
  const auto body = read_json_of_any_status(exchange.answer);
  if (body) {
    if (auto failure = api_error(*body, exchange.answer)) return std::move(*failure);
  }
  if (auto failure = check_status(exchange.answer)) return std::move(*failure);
  if (!body) return body.error();
  const auto& found = member(*body, "query", "search");
  if (!is_object_list(found)) {
    return answer_error(errc::source_error, "the answer holds no search results", exchange.answer);
  }
  const auto where = wiki_of(*body, exchange.call, exchange.settings);
  listing out;
  std::int64_t rank = *at;
  for (const auto& one : base::array_of(found)) {
    ++rank;
    if (base::view_of(member(one, "title")).empty()) continue;
    out.items.emplace_back(result_of(where, one, rank));
  }
  const auto next = base::integer_of(member(*body, "continue", "sroffset"));
  if (next && *next > *at && *next < max_offset) out.next = std::to_string(*next);
  return step(std::move(out));
}

result<step> read_suggest(const exchange& exchange) {
  if (const auto body = read_json_of_any_status(exchange.answer)) {
    if (auto failure = api_error(*body, exchange.answer)) return std::move(*failure);
  }
  auto page = read_suggestions(source_name, exchange.answer);
  if (!page) return page.error();
  return step(std::move(*page));
}

}  // namespace freshet::sources::mediawiki
