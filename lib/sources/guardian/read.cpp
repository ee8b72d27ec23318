// The Guardian's results as articles. Its own errors come in the envelope of its answers, those of
// the gateway in front of it are a bare message.
#include <base/json.hpp>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/guardian/wire.hpp>
#include <sources/item_text.hpp>
#include <sources/read_answer.hpp>

namespace freshet::sources::guardian {

namespace {

using base::member;
using base::json::value;

constexpr std::string_view source_name = "guardian";
constexpr std::chrono::seconds day_is_used_up{3600}, too_fast{60};

/// What the API says of a page behind the last one: there is none, because there is less to find
/// than when the page before was read.
constexpr std::string_view behind_the_end = "beyond the number of available pages";

/// The body of a good answer, or what a bad one means.
result<json_body> read_body(const http::response& answer) {
  if (is_html(answer)) return read_json(answer);
  auto body = parse_body(answer);
  if (answer.status == 403 && body) {
    return answer_error(errc::source_auth_required, "the Guardian refuses the api_key", answer);
  }
  if (answer.status == 429) {
    auto failure = answer_error(errc::source_unavailable, "the key's calls are used up", answer);
    if (!failure.retry_after) {
      failure.retry_after = std::chrono::ceil<std::chrono::seconds>(refusal_wait(answer));
    }
    return failure;
  }
  const auto said = body ? base::view_of(member(*body, "response", "message")) : std::string_view{};
  if (base::view_of(body ? member(*body, "response", "status") : value{}) == "error" ||
      (answer.status == 400 && !said.empty())) {
    auto failure = answer_error(errc::source_error, "the Guardian answered with an error", answer);
    failure.source_text = std::string(base::prefix(said, max_source_text));
    return failure;
  }
  if (auto failure = check_status(answer)) return std::move(*failure);
  return body;
}

std::optional<article> article_of(const value& from) {
  const auto native = clean_text(member(from, "id"));
  article out;
  out.url = page_url(base::view_of(member(from, "webUrl")));
  if (native.empty() || out.url.empty()) return std::nullopt;
  const auto& fields = member(from, "fields");
  out.id = std::string(source_name) + ":" + native;
  out.source = source_name;
  out.title = base::collapse_spaces(clean_html(base::view_of(member(from, "webTitle"))));
  out.text = clean_html(base::view_of(member(fields, "trailText")));
  out.lang = "en";
  out.created_at = base::parse_time(base::view_of(member(from, "webPublicationDate")));
  set_authors(out, clean_html(base::view_of(member(fields, "byline"))));
  const auto picture = file_url(base::view_of(member(fields, "thumbnail")));
  if (!picture.empty()) out.media.push_back({"image", picture, picture, "", {}, {}, {}});
  add_once(out.tags, clean_text(member(from, "sectionName")));
  for (const auto& tag : base::array_of(member(from, "tags"))) {
    add_once(out.tags, clean_text(member(tag, "webTitle")));
  }
  out.site = {"The Guardian", "theguardian.com", "GB"};
  return out;
}

}  // namespace

std::chrono::milliseconds refusal_wait(const http::response& answer) {
  if (answer.status != 429) return std::chrono::milliseconds{0};
  const auto left = http::find_header(answer.headers, "x-ratelimit-remaining-day");
  return base::trim(left) == "0" ? day_is_used_up : too_fast;
}

result<step> read_search(const exchange& exchange) {
  const auto at = read_position(exchange.position, exchange.call.limit);
  if (!at) return at.error();
  const auto body = read_body(exchange.answer);
  listing out;
  if (!body) {
    const bool past = body.error().source_text.find(behind_the_end) != std::string::npos;
    if (past && at->page > 1) return step(std::move(out));
    return body.error();
  }
  const auto& response = member(*body, "response");
  if (!is_object_list(member(response, "results"))) return no_list_of("results", exchange.answer);
  const auto& results = base::array_of(member(response, "results"));
  for (const auto& one : results) {
    if (auto found = article_of(one)) out.items.emplace_back(std::move(*found));
  }
  const auto pages = base::integer_of(member(response, "pages")).value_or(0);
  if (!results.empty() && at->page < pages && at->page < max_pages) {
    out.next = sized_page{at->page + 1, at->size}.text();
  }
  return step(std::move(out));
}

result<step> read_headlines(const exchange& exchange) { return read_search(exchange); }

}  // namespace freshet::sources::guardian
