// The entries of the feed as articles. Their addresses are redirects of Google's that nothing in
// them resolves, so they stay; the site comes from <source>. A form for consent and a page about
// unusual traffic are refusals.
#include <algorithm>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/googlenews/wire.hpp>
#include <sources/item_text.hpp>
#include <sources/read_answer.hpp>
#include <sources/syndication/feed.hpp>

namespace freshet::sources::googlenews {

namespace {

constexpr std::string_view source_name = "googlenews";

std::optional<error> refusal_of(const http::response& answer) {
  if (auto failure = check_status(answer)) return failure;
  const auto where = base::parse_url(answer.final_url);
  if (where && where->host.starts_with("consent.")) {
    return answer_error(errc::source_blocked, "Google asks for consent before it shows its news",
                        answer);
  }
  if (is_html(answer)) {
    return answer_error(errc::source_blocked, "Google answered with a web page instead of a feed",
                        answer);
  }
  return std::nullopt;
}

/// The address without what only counts clicks.
std::string address_of(std::string_view text) {
  auto url = base::parse_url(page_url(text));
  if (!url) return "";
  if (url->path.find("/articles/") != std::string::npos) {
    url->query.clear();
    url->has_query = false;
  }
  return url->text();
}

std::optional<article> article_of(const syndication::feed_entry& entry, const std::string& lang) {
  article out;
  out.url = address_of(entry.address);
  if (out.url.empty()) return std::nullopt;
  const auto& key = entry.guid.empty() ? out.url : entry.guid;
  out.id = std::string(source_name) + ":" + digest_id(key);
  out.source = source_name;
  out.site.name = clean_name(clean_html(entry.origin_name));
  out.site.domain = base::host_of(entry.origin_address);
  out.title = base::collapse_spaces(clean_html(entry.title.text));
  const auto tail = " - " + out.site.name;
  if (!out.site.name.empty() && out.title.size() > tail.size() && out.title.ends_with(tail)) {
    out.title = clean_text(std::string_view(out.title).substr(0, out.title.size() - tail.size()));
  }
  out.created_at = syndication::time_of(entry);
  out.lang = lang;
  return out;
}

}  // namespace

result<step> read_search(const exchange& exchange) {
  const auto& answer = exchange.answer;
  if (auto refused = refusal_of(answer)) return std::move(*refused);
  exchange.spend(answer.body.size());
  const auto in = syndication::read_feed(answer, exchange.meter);
  if (!in) return in.error();
  std::vector<article> all;
  const auto lang = language_tag(in->lang);
  for (const auto& entry : in->entries) {
    if (auto found = article_of(entry, lang)) all.push_back(std::move(*found));
  }
  std::ranges::stable_sort(all, is_newer);
  listing out;
  if (!in->problem.empty()) {
    out.partial = true;
    out.warnings.push_back("googlenews: the feed is broken at " + in->problem +
                           "; the entries before it were read");
  }
  for (auto& one : all) out.items.emplace_back(std::move(one));
  return step(std::move(out));
}

result<step> read_headlines(const exchange& exchange) { return read_search(exchange); }

}  // namespace freshet::sources::googlenews
