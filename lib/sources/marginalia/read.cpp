// Marginalia's results as web results. Its shared key is often over its quota, which is an error to
// wait for and no empty success.
#include <base/json.hpp>
#include <base/unicode.hpp>
#include <sources/item_text.hpp>
#include <sources/marginalia/wire.hpp>
#include <sources/read_answer.hpp>
#include <sources/search_result.hpp>

namespace freshet::sources::marginalia {

namespace {

using base::member;
using base::json::value;

constexpr std::string_view source_name = "marginalia";
constexpr std::chrono::seconds busy_pause{60};  // the quota is counted by the minute

std::optional<error> refusal_of(const http::response& answer) {
  if (answer.status == 401 || (answer.status == 403 && !is_html(answer))) {
    return answer_error(errc::source_auth_required,
                        "Marginalia does not accept the key; check sources.marginalia.api_key",
                        answer);
  }
  auto failed = check_status(answer);
  if (failed && (answer.status == 429 || answer.status == 503) && !failed->retry_after) {
    failed->retry_after = busy_pause;
  }
  return failed;
}

/// Null if it has no address that a browser opens.
std::optional<web_result> result_of(const value& from) {
  auto out = result_at(source_name, base::view_of(member(from, "url")));
  if (!out) return std::nullopt;
  out->title = base::collapse_spaces(clean_text(member(from, "title")));
  out->text = base::collapse_spaces(clean_text(member(from, "description")));
  return out;
}

/// Whether a further page may hold something. Newer versions of the API count their pages; with an
/// older one only an empty page is the end, since a page leaves out what a site has too much of.
bool goes_on(const value& body, int page) {
  const auto pages = base::integer_of(member(body, "pages"));
  return page < max_pages && (!pages || page < *pages);
}

}  // namespace

result<step> read_search(const exchange& exchange) {
  const auto at = read_result_position(exchange.position, max_pages, "Marginalia");
  if (!at) return at.error();
  if (auto refused = refusal_of(exchange.answer)) return std::move(*refused);
  const auto body = read_json(exchange.answer);
  if (!body) return body.error();
  const auto& results = member(*body, "results");
  if (!is_object_list(results)) return no_list_of("results", exchange.answer);
  listing out;
  std::int64_t rank = at->given;
  for (const auto& one : base::array_of(results))
    add_ranked(result_of(one), source_name, rank, out);
  if (!base::array_of(results).empty() && goes_on(*body, at->page)) {
    out.next = result_position{at->page + 1, rank}.text();
  }
  return step(std::move(out));
}

}  // namespace freshet::sources::marginalia
