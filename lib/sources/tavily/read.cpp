// Tavily's results as web results. Its quotas have statuses of their own (432, 433).
#include <base/json.hpp>
#include <base/unicode.hpp>
#include <sources/item_text.hpp>
#include <sources/read_answer.hpp>
#include <sources/search_result.hpp>
#include <sources/tavily/wire.hpp>

namespace freshet::sources::tavily {

namespace {

using base::member;
using base::json::value;

constexpr std::string_view source_name = "tavily";

/// What its errors say, {"detail": {"error": "..."}}.
error tavily_error(errc code, std::string detail, const http::response& answer) {
  auto out = answer_error(code, std::move(detail), answer);
  if (const auto body = parse_body(answer)) {
    const auto said = clean_text(member(*body, "detail", "error"));
    if (!said.empty()) out.source_text = base::prefix(said, max_source_text);
  }
  return out;
}

/// The refusals that only this API gives; then those of the web.
std::optional<error> refusal_of(const http::response& answer) {
  constexpr int plan_spent = 432, money_spent = 433;
  if (answer.status == plan_spent || answer.status == money_spent) {
    auto out =
        tavily_error(errc::source_unavailable, "the plan's credits at Tavily are used up", answer);
    if (!out.retry_after) out.retry_after = quota_pause;
    return out;
  }
  if (answer.status == 401 || (answer.status == 403 && !is_html(answer))) {
    return tavily_error(errc::source_auth_required,
                        "Tavily does not accept the key; check sources.tavily.api_key", answer);
  }
  return check_status(answer);
}

/// Null if it has no address that a browser opens.
std::optional<web_result> result_of(const value& value, time_point now) {
  auto out = result_at(source_name, base::view_of(member(value, "url")));
  if (!out) return std::nullopt;
  out->title = base::collapse_spaces(clean_text(member(value, "title")));
  out->text = clean_text(member(value, "content"));
  out->created_at = read_result_date(base::view_of(member(value, "published_date")), now);
  return out;
}

}  // namespace

result<step> read_search(const exchange& exchange) {
  if (auto refused = refusal_of(exchange.answer)) return std::move(*refused);
  const auto body = read_json(exchange.answer);
  if (!body) return body.error();
  const auto& results = member(*body, "results");
  if (!is_object_list(results)) return no_list_of("results", exchange.answer);
  const auto now = moment_of(exchange.answer, exchange.call);
  listing out;
  std::int64_t rank = 0;
  for (const auto& one : base::array_of(results))
    add_ranked(result_of(one, now), source_name, rank, out);
  return step(std::move(out));
}

}  // namespace freshet::sources::tavily
