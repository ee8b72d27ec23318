// DuckDuckGo's page as web results: adverts left out, addresses taken out of its redirects. A page
// without results that does not say that there are none is a refusal, never an empty success.
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <html/document.hpp>
#include <sources/duckduckgo/wire.hpp>
#include <sources/item_text.hpp>
#include <sources/page_elements.hpp>
#include <sources/read_answer.hpp>
#include <sources/search_result.hpp>

namespace freshet::sources::duckduckgo {

namespace {

using html::node_id;

constexpr std::string_view source_name = "duckduckgo";
constexpr int challenge_status = 202;
/// A block lasts for about an hour after the last request, says who has been blocked.
constexpr std::chrono::seconds block_pause{3600};

error blocked(const http::response& answer) {
  auto out = answer_error(errc::source_blocked,
                          "DuckDuckGo takes these requests for a program's and wants a challenge "
                          "solved; it lets an address in again after about an hour of silence",
                          answer);
  if (!out.retry_after) out.retry_after = block_pause;
  return out;
}

/// What a status says; null for a page to look into.
std::optional<error> refusal_of(const http::response& answer) {
  if (answer.status == challenge_status || answer.status == 403) return blocked(answer);
  if (answer.status >= 300 && answer.status < 400) {
    return answer_error(errc::source_error, "DuckDuckGo sent the search to another site", answer);
  }
  if (answer.status != 200) return check_status(answer);
  return std::nullopt;
}

/// Why a page holds no results; null if there are none to be found. Only what is no page of results
/// is searched for the words of a challenge: a result, or the query, may quote them.
std::optional<error> silence_of(const html::document& page, const http::response& answer,
                                bool is_first) {
  constexpr std::string_view goodbye = "If this error persists";
  const auto has = [&page](std::string_view selector) {
    return select_first(page, html::document::root(), selector) != html::none;
  };
  if (has("#challenge-form")) return blocked(answer);
  if (has(".no-results, .result--no-result") || (!is_first && has("#links"))) return std::nullopt;
  const auto signs = sniff(answer);
  if (signs.block_page || base::trim(answer.body).starts_with(goodbye)) return blocked(answer);
  if (auto failed = check_status(answer, signs)) return failed;
  return answer_error(errc::source_error,
                      "DuckDuckGo's answer holds no results, and does not say that there are none",
                      answer);
}

/// Null for an advert, and for what has no address.
std::optional<web_result> result_of(const html::document& page, node_id element, time_point now) {
  const auto link = select_first(page, element, "a.result__a");
  if (link == html::none) return std::nullopt;
  auto out = result_at(source_name, page.attribute_of(link, "href"));
  if (!out) return std::nullopt;
  out->title = line_of(page, link);
  out->text = line_of(page, select_first(page, element, ".result__snippet"));
  if (auto shown = line_of(page, select_first(page, element, ".result__url")); !shown.empty()) {
    out->display_url = std::move(shown);
  }
  for (const auto span : select_all(page, element, ".result__extras__url > span")) {
    if (const auto at = read_result_date(line_of(page, span), now)) out->created_at = at;
  }
  if (const auto at = take_leading_date(out->text, now); at && !out->created_at) {
    out->created_at = at;
  }
  return out;
}

form_position form_of(const html::document& page, node_id form) {
  form_position out;
  for (const auto input : select_all(page, form, "input[type=hidden][name]")) {
    const auto name = page.attribute_of(input, "name");
    if (name == "q" || name.empty() || out.fields.size() == max_fields) continue;
    out.fields.emplace_back(name, page.attribute_of(input, "value"));
  }
  return out;
}

/// Sets where `out` goes on after this page: the form that leads on, not back.
void find_next(const html::document& page, const form_position& position, std::int64_t given,
               listing& out) {
  for (const auto form : select_all(page, html::document::root(), ".nav-link form")) {
    auto next = form_of(page, form);
    if (next.offset() <= position.offset()) continue;
    next.given = given;
    auto text = next.text();
    if (given >= max_given) return;
    if (!read_position(text)) {
      out.partial = true;
      out.warnings.push_back(
          "duckduckgo: there are more results, behind a form that cannot be sent later");
      return;
    }
    out.next = std::move(text);
    return;
  }
}

}  // namespace

result<step> read_search(const exchange& exchange) {
  const auto at = read_position(exchange.position);
  if (!at) return at.error();
  if (auto refused = refusal_of(exchange.answer)) return std::move(*refused);
  const auto page = html::parse(base::repair_utf8(exchange.answer.body), exchange.meter);
  const auto root = html::document::root();
  const auto now = moment_of(exchange.answer, exchange.call);
  listing out;
  std::int64_t rank = at->given;
  auto elements = select_all(page, root, ".web-result:not(.result--ad)");
  if (elements.size() > max_results_of_page) elements.resize(max_results_of_page);
  for (const auto element : elements)
    add_ranked(result_of(page, element, now), source_name, rank, out);
  if (!out.items.empty()) {
    find_next(page, *at, rank, out);
  } else if (auto failed = silence_of(page, exchange.answer, exchange.position.empty())) {
    return std::move(*failed);
  }
  return step(std::move(out));
}

result<step> read_suggest(const exchange& exchange) {
  if (auto refused = refusal_of(exchange.answer)) return std::move(*refused);
  auto page = read_suggestions(source_name, exchange.answer);
  if (!page) return page.error();
  return step(std::move(*page));
}

}  // namespace freshet::sources::duckduckgo
