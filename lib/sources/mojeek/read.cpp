// Mojeek's page as web results. Only its list of results is read: adverts stand elsewhere. A page
// that is no page of results is a refusal, never an empty success.
#include <base/number.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <html/document.hpp>
#include <sources/item_text.hpp>
#include <sources/mojeek/wire.hpp>
#include <sources/page_elements.hpp>
#include <sources/read_answer.hpp>
#include <sources/search_result.hpp>

namespace freshet::sources::mojeek {

namespace {

using html::node_id;

constexpr std::string_view source_name = "mojeek";
/// A refusal does not say for how long; asking on makes it longer.
constexpr std::chrono::seconds block_pause{3600};

error blocked(const http::response& answer) {
  auto out = answer_error(errc::source_blocked,
                          "Mojeek takes these requests for a program's and refuses them", answer);
  if (!out.retry_after) out.retry_after = block_pause;
  return out;
}

/// Why a page holds no results; null if there are none to be found. Only what is no page of results
/// is searched for the words of a challenge: a result, or the query, may quote them.
std::optional<error> silence_of(const html::document& page, const http::response& answer) {
  const auto list =
      select_first(page, html::document::root(), ".results, .serp-results, .results-standard");
  if (list != html::none) return std::nullopt;
  const auto signs = sniff(answer);
  if (signs.block_page) return blocked(answer);
  if (auto failed = check_status(answer, signs)) return failed;
  return answer_error(errc::source_error, "Mojeek's answer is not a page of results", answer);
}

/// Null for what has no address.
std::optional<web_result> result_of(const html::document& page, node_id element, time_point now) {
  const auto link = select_first(page, element, "a.title");
  if (link == html::none) return std::nullopt;
  auto out = result_at(source_name, page.attribute_of(link, "href"));
  if (!out) return std::nullopt;
  out->title = line_of(page, link);
  out->text = line_of(page, select_first(page, element, "p.s"));
  out->created_at = take_leading_date(out->text, now);
  auto shown = line_of(page, select_first(page, element, "p.i .url"));
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (shown.starts_with(scheme)) shown.erase(0, scheme.size());
  }
  if (shown.ends_with('/')) shown.pop_back();
  if (!shown.empty()) out->display_url = std::move(shown);
  return out;
}

/// The nearest later start that the page links to; 0 if there is none.
std::int64_t next_start(const html::document& page, std::int64_t start) {
  std::int64_t out = 0;
  for (const auto link : select_all(page, html::document::root(), ".pagination a[href]")) {
    const auto href = page.attribute_of(link, "href");
    const auto mark = href.find('?');
    if (mark == std::string_view::npos) continue;
    const auto said = base::query_parameter(href.substr(mark + 1), "s").value_or("");
    const auto found = base::parse_number<std::int64_t>(said).value_or(0);
    if (found > start && (out == 0 || found < out)) out = found;
  }
  return out;
}

}  // namespace

result<step> read_search(const exchange& exchange) {
  const auto& answer = exchange.answer;
  const auto at = read_position(exchange.position);
  if (!at) return at.error();
  if (answer.status == 403) return blocked(answer);
  if (answer.status != 200) {
    if (auto failed = check_status(answer)) return std::move(*failed);
  }
  const auto page = html::parse(base::repair_utf8(answer.body), exchange.meter);
  const auto root = html::document::root();
  const auto now = moment_of(answer, exchange.call);
  listing out;
  std::int64_t rank = at->given;
  auto elements = select_all(page, root, "ul.results-standard > li");
  if (elements.size() > max_results_of_page) elements.resize(max_results_of_page);
  for (const auto element : elements)
    add_ranked(result_of(page, element, now), source_name, rank, out);
  if (out.items.empty()) {
    if (auto failed = silence_of(page, answer)) return std::move(*failed);
  }
  const auto next = next_start(page, at->start);
  if (!out.items.empty() && next != 0 && next <= max_given && rank <= max_given) {
    out.next = start_position{next, rank}.text();
  }
  return step(std::move(out));
}

}  // namespace freshet::sources::mojeek
