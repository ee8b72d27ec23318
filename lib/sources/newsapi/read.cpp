// NewsAPI's articles as articles. Its errors are told by their word, whatever the status; articles
// that their publishers took back ("[Removed]") are left out. A plan that does not reach back as
// far as `since` is asked again without a beginning.
#include <algorithm>
#include <base/json.hpp>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/item_text.hpp>
#include <sources/newsapi/wire.hpp>
#include <sources/read_answer.hpp>

namespace freshet::sources::newsapi {

namespace {

using base::member;
using base::json::value;

constexpr std::string_view source_name = "newsapi";
constexpr std::string_view removed = "[Removed]";
constexpr std::chrono::seconds refused_for{3600};  // a free key gets 50 more calls in 12 hours

/// What the words mean, where that is more than source_error.
constexpr struct {
  std::string_view word;
  errc code;
} error_words[] = {
    {"apiKeyInvalid", errc::source_auth_required},  {"apiKeyMissing", errc::source_auth_required},
    {"apiKeyDisabled", errc::source_auth_required}, {"corsNotAllowed", errc::source_auth_required},
    {"apiKeyExhausted", errc::source_unavailable},  {"rateLimited", errc::source_unavailable},
};

/// The body of a good answer, or what a bad one means.
result<json_body> read_body(const http::response& answer) {
  if (is_html(answer)) return read_json(answer);
  auto body = parse_body(answer);
  const auto word = body ? base::view_of(member(*body, "code")) : std::string_view{};
  for (const auto& one : error_words) {
    if (one.word != word) continue;
    auto failure = answer_error(one.code, "NewsAPI refuses the key", answer);
    if (one.code == errc::source_unavailable && !failure.retry_after) {
      failure.retry_after = refused_for;
    }
    return failure;
  }
  if (answer.status == 426) {
    return answer_error(errc::source_error, "the key's plan does not allow this", answer);
  }
  if (auto failure = check_status(answer)) return std::move(*failure);
  if (body && base::view_of(member(*body, "status")) == "error") {
    return answer_error(errc::source_error, "NewsAPI answered with an error", answer);
  }
  return body;
}

/// The word of an answer that only says that a plan is too small.
std::string plan_limit(const http::response& answer) {
  if (answer.status != 426) return "";
  const auto body = parse_body(answer);
  return body ? base::text_of(member(*body, "code")) : "";
}

std::string summary_of(const value& from) {
  const auto text = clean_html(base::view_of(member(from, "description")));
  if (!text.empty()) return text;
  // "First 200 characters… [+3120 chars]"
  auto content = clean_html(base::view_of(member(from, "content")));
  const auto mark = content.rfind(" [+");
  if (mark != std::string::npos && content.ends_with(" chars]")) content.resize(mark);
  return content;
}

std::optional<article> article_of(const value& from) {
  article out;
  out.title = base::collapse_spaces(clean_html(base::view_of(member(from, "title"))));
  out.url = page_url(base::view_of(member(from, "url")));
  if (out.url.empty() || out.title == removed) return std::nullopt;
  out.id = std::string(source_name) + ":" + digest_id(out.url);
  out.source = source_name;
  out.text = summary_of(from);
  out.created_at = base::parse_time(base::view_of(member(from, "publishedAt")));
  set_authors(out, clean_text(member(from, "author")));
  const auto picture = file_url(base::view_of(member(from, "urlToImage")));
  if (!picture.empty()) out.media.push_back({"image", picture, "", "", {}, {}, {}});
  out.site.name = clean_name(member(from, "source", "name"));
  out.site.domain = base::host_of(out.url);
  const auto tail = " - " + out.site.name;
  if (!out.site.name.empty() && out.title.size() > tail.size() && out.title.ends_with(tail)) {
    out.title = clean_text(std::string_view(out.title).substr(0, out.title.size() - tail.size()));
  }
  if (out.site.name.empty()) out.site.name = out.site.domain;
  return out;
}

/// The articles of an answer, and the position behind them.
result<listing> articles_of(const exchange& exchange, const article_position& position) {
  const auto body = read_body(exchange.answer);
  if (!body) return body.error();
  if (!is_object_list(member(*body, "articles"))) return no_list_of("articles", exchange.answer);
  listing out;
  const auto& articles = base::array_of(member(*body, "articles"));
  for (const auto& one : articles) {
    if (auto found = article_of(one)) out.items.emplace_back(std::move(*found));
  }
  const auto total = base::integer_of(member(*body, "totalResults")).value_or(0);
  if (!articles.empty() && std::int64_t{position.page} * position.size < total &&
      position.page < max_pages) {
    out.next = article_position{position.page + 1, position.size, position.any_age}.text();
  }
  return out;
}

listing ended_by_plan() {
  listing out;
  out.partial = true;
  out.warnings.push_back("newsapi: the key's plan ends a search at 100 results");
  return out;
}

}  // namespace

std::chrono::milliseconds refusal_wait(const http::response& answer) {
  return answer.status == 429 ? refused_for : std::chrono::seconds{0};
}

result<step> read_search(const exchange& exchange) {
  const auto& answer = exchange.answer;
  auto at = read_position(exchange.position, exchange.call.limit);
  if (!at) return at.error();
  if (!exchange.state.empty()) at->any_age = true;
  const auto limit = plan_limit(answer);
  if (limit == "parameterInvalid" && exchange.call.since && !at->any_age) {
    at->any_age = true;
    return step(follow{search_request(exchange.call, exchange.settings, *at), "any"});
  }
  if (limit == "maximumResultsReached" && at->page > 1) {
    return step(ended_by_plan());
  }
  auto out = articles_of(exchange, *at);
  if (!out) return out.error();
  if (at->any_age) {
    out->partial = true;
    out->warnings.push_back("newsapi: the key's plan does not reach back as far as since");
  }
  return step(std::move(*out));
}

result<step> read_headlines(const exchange& exchange) {
  const auto at = read_position(exchange.position, exchange.call.limit);
  if (!at) return at.error();
  if (plan_limit(exchange.answer) == "maximumResultsReached" && at->page > 1)
    return step(ended_by_plan());
  auto out = articles_of(exchange, *at);
  if (!out) return out.error();
  // They come by weight.
  std::ranges::stable_sort(out->items, [](const item& a, const item& b) {
    return is_newer(std::get<article>(a), std::get<article>(b));
  });
  return step(std::move(*out));
}

}  // namespace freshet::sources::newsapi
