// Answers of TikTok's Research API: the token's, then those to queries. Every answer holds an
// error, which is "ok" where there is none; a search's id may expire in the middle of a walk, and
// the server fails at random now and then.
#include <base/unicode.hpp>
#include <sources/captions.hpp>
#include <sources/comment_tree.hpp>
#include <sources/entry_list.hpp>
#include <sources/item_text.hpp>
#include <sources/read_answer.hpp>
#include <sources/tiktok/wire.hpp>
#include <sources/token_use.hpp>

namespace freshet::sources::tiktok {
namespace {

using base::json::value;
using std::chrono::days;

constexpr std::chrono::seconds rate_window{60};

/// A state is a letter for what has been tried already, before the token's own state.
constexpr char plain = '-', repeated = 'r', begun_anew = 'a';

struct stage {
  char tried = plain;
  token_use token;
};

stage stage_of(std::string_view state) {
  if (state.empty()) return {};
  return {state.front(), token_use_of(state.substr(1))};
}

follow marked(follow next, char tried) {
  next.state.insert(next.state.begin(), tried);
  return next;
}

http::response with_ids(const http::response& answer) {
  http::response out = answer;
  if (!is_html(answer)) out.body = with_ids_as_text(answer.body);
  return out;
}

std::string_view code_in(const value& body) {
  return base::view_of(base::member(body, "error", "code"));
}

bool says_unknown(const value& body) {
  const auto message = base::to_lower_ascii(base::view_of(base::member(body, "error", "message")));
  return message.find("not found") != std::string::npos ||
         message.find("cannot find") != std::string::npos ||
         message.find("can't find") != std::string::npos ||
         message.find("cannot be found") != std::string::npos ||
         message.find("not exist") != std::string::npos;
}

error unavailable(std::string detail, const http::response& answer, std::chrono::seconds wait) {
  auto failed = answer_error(errc::source_unavailable, std::move(detail), answer);
  if (!failed.retry_after) failed.retry_after = wait;
  return failed;
}

/// The body, or what its error or the status means.
result<json_body> read_api(const http::response& answer, const call& call) {
  if (is_html(answer)) return read_json(answer);
  auto body = parse_body(answer);
  const auto code = body ? code_in(*body) : std::string_view{};
  if (code == "daily_quota_limit_exceeded") {
    const auto midnight = std::chrono::floor<days>(call.now) + days{1};
    return unavailable("the day's quota at TikTok is used up", answer,
                       std::chrono::ceil<std::chrono::seconds>(midnight - call.now));
  }
  if (code == "rate_limit_exceeded")
    return unavailable("TikTok's rate limit is reached", answer, rate_window);
  if (code == "access_token_invalid" || code.starts_with("scope_")) {
    return answer_error(errc::source_auth_required,
                        "TikTok refused the client; check that it is approved for the Research API",
                        answer);
  }
  if (code == "internal_error")
    return unavailable("TikTok failed on its side", answer, rate_window);
  if (answer.status < 400 && !code.empty() && code != "ok")
    return answer_error(errc::source_error, "TikTok answered with an error", answer);
  return read_json(answer);
}

/// The token in the token's answer. Its errors have a form of their own, and may come as 200.
result<std::string> token_in(const http::response& answer) {
  const bool may_refuse = answer.status < 300 || answer.status == 400 || answer.status == 401;
  if (!is_html(answer) && may_refuse) {
    const auto body = parse_body(answer);
    if (body && base::member(*body, "error").is_string() &&
        !base::view_of(base::member(*body, "error")).empty()) {
      return answer_error(errc::source_auth_required,
                          "TikTok refused the client; check sources.tiktok.client_key and "
                          "client_secret",
                          answer);
    }
  }
  const auto body = read_json(answer);
  if (!body) return body.error();
  const auto token = base::view_of(base::member(*body, "access_token"));
  if (!is_token(token)) return error(errc::source_error, "the source's answer holds no token");
  return std::string(token);
}

/// The next step of a call that is not at its own answer yet, or whose answer is to be asked for
/// once more; null if `answer` is to be read. `ask` is the request that the token is for.
result<std::optional<follow>> next_step(const stage& stage, const http::response& answer,
                                        const settings& settings, const http::request& ask) {
  if (!stage.token.has_answer) {
    const auto token = token_in(answer);
    if (!token) return token.error();
    return std::optional<follow>(marked(use_token(ask, *token, stage.token), stage.tried));
  }
  if (is_html(answer)) return std::optional<follow>();
  const auto body = parse_body(answer);
  const auto code = body ? code_in(*body) : std::string_view{};
  if (code == "access_token_invalid" || (answer.status == 401 && !code.starts_with("scope_"))) {
    if (auto again = renew_token(token_request(settings), stage.token))
      return std::optional<follow>(marked(std::move(*again), stage.tried));
  }
  if (stage.tried == plain && (answer.status == 500 || code == "internal_error"))
    return std::optional<follow>(marked(use_token(ask, stage.token.token, stage.token), repeated));
  return std::optional<follow>();
}

/// The videos in an answer to a query.
result<const base::json::array*> videos_in(const value& body) {
  const auto& data = base::member(body, "data");
  const auto& videos = base::member(data, "videos");
  if (!data.is_object() || (!is_object_list(videos) && !videos.is_null()))
    return error(errc::source_error, "the source's answer holds no videos");
  return &base::array_of(videos);
}

/// Whether the search behind a position is gone. Its window is then begun anew, and what has been
/// given is known by the walk.
bool has_expired(const http::response& answer) {
  if (answer.status != 400 || is_html(answer)) return false;
  const auto body = parse_body(answer);
  return body && code_in(*body) == "invalid_params";
}

/// The place behind this page; "" at the end.
void set_next(listing& page, const value& data, const query_position& position, const call& call) {
  const auto cursor = base::integer_of(base::member(data, "cursor")).value_or(0);
  const auto search_id = base::text_of(base::member(data, "search_id"));
  const bool more = base::flag_of(base::member(data, "has_more")).value_or(false);
  if (more && cursor > position.cursor && is_native_id(search_id)) {
    page.next = query_position{position.last_day, cursor, search_id}.text();
    return;
  }
  const auto first = first_day(call, position);
  if (call.since && first <= std::chrono::floor<days>(*call.since)) return;
  const auto looked_at = std::chrono::floor<days>(call.now) - first + days{1};
  const int windows = call.since ? most_windows : windows_by_default;
  if (looked_at < windows * window) {
    page.next = query_position{first - days{1}, 0, {}}.text();
    return;
  }
  page.partial = true;
  page.warnings.push_back("TikTok has been searched " + std::to_string(looked_at.count()) +
                          " days back; there may be older videos");
}

}  // namespace

result<step> read_videos(const exchange& exchange) {
  const auto& settings = exchange.settings;
  auto at = read_position(exchange.position, exchange.call);
  if (!at) return at.error();
  const auto now = stage_of(exchange.state);
  if (now.tried == begun_anew) *at = query_position{at->last_day, 0, {}};
  const auto answer = with_ids(exchange.answer);
  const auto next = next_step(now, answer, settings, videos_request(exchange.call, settings, *at));
  if (!next) return next.error();
  if (*next) return step(std::move(**next));
  if (at->cursor > 0 && has_expired(answer)) {
    const auto anew = videos_request(exchange.call, settings, {at->last_day, 0, {}});
    return step(marked(use_token(anew, now.token.token, now.token), begun_anew));
  }
  const auto read = read_api(answer, exchange.call);
  if (!read) return read.error();
  const auto videos = videos_in(*read);
  if (!videos) return videos.error();
  listing page;
  for (const auto& from : **videos) {
    auto item = read_video(from);
    if (!item || (item->duration_s && *item->duration_s > longest_short_s)) continue;
    page.items.emplace_back(std::move(*item));
  }
  set_next(page, base::member(*read, "data"), *at, exchange.call);
  return step(std::move(page));
}

result<step> read_lookup(const exchange& exchange) {
  const auto& answer = exchange.answer;
  const auto now = stage_of(exchange.state);
  const auto next =
      next_step(now, answer, exchange.settings, user_request(exchange.call, exchange.settings));
  if (!next) return next.error();
  if (*next) return step(std::move(**next));
  if (answer.status == 400 && !is_html(answer)) {
    const auto body = parse_body(answer);
    if (body && says_unknown(*body))
      return answer_error(errc::not_found, "TikTok knows no such creator", answer);
  }
  const auto body = read_api(answer, exchange.call);
  if (!body) return body.error();
  const auto& data = base::member(*body, "data");
  if (base::member(data, "display_name").is_null() &&
      base::member(data, "follower_count").is_null())
    return error(errc::source_error, "the source's answer holds no creator");
  return page_of(read_user(data, exchange.call.username));
}

/// What `made` makes of the one video that a call asks for, in the answer to `request`.
template <class Request, class Made>
result<step> read_video_by(const exchange& exchange, Request&& request, Made&& made) {
  const auto id = video_of(exchange.call);
  if (!id) return id.error();
  const auto answer = with_ids(exchange.answer);
  const auto next = next_step(stage_of(exchange.state), answer, exchange.settings,
                              request(*id, exchange.settings));
  if (!next) return next.error();
  if (*next) return step(std::move(**next));
  const auto body = read_api(answer, exchange.call);
  if (!body) return body.error();
  const auto videos = videos_in(*body);
  if (!videos) return videos.error();
  for (const auto& from : **videos) {
    auto found = read_video(from);
    if (found && found->id == "tiktok:" + *id) return made(std::move(*found), from);
  }
  return answer_error(errc::not_found, "TikTok knows no such video", answer);
}

result<step> read_one(const exchange& exchange) {
  return read_video_by(exchange, video_request,
                       [](video found, const base::json::value&) -> result<step> {
                         return page_of(std::move(found));
                       });
}

result<step> read_transcript(const exchange& exchange) {
  return read_video_by(exchange, speech_request,
                       [](const video& found, const base::json::value& from) -> result<step> {
                         auto made = transcript_for(found);
                         made.text = clean_text(base::member(from, "voice_to_text"));
                         // TikTok has listened, and does not say when what was said.
                         made.generated = true;
                         if (made.text.empty())
                           return error(errc::not_found, "TikTok has no words of this video");
                         return page_of(std::move(made));
                       });
}

result<step> read_comments(const exchange& exchange) {
  const auto id = video_of(exchange.call);
  if (!id) return id.error();
  const auto at = read_comments_position(exchange.position);
  if (!at) return at.error();
  const auto answer = with_ids(exchange.answer);
  const auto next = next_step(stage_of(exchange.state), answer, exchange.settings,
                              comments_request(exchange.call, *id, exchange.settings, *at));
  if (!next) return next.error();
  if (*next) return step(std::move(**next));
  const auto body = read_api(answer, exchange.call);
  if (!body) return body.error();
  const auto& data = base::member(*body, "data");
  const auto& comments = base::member(data, "comments");
  if (!data.is_object() || (!is_object_list(comments) && !comments.is_null()))
    return error(errc::source_error, "the source's answer holds no comments");
  entry_list<thread_entry> entries;
  for (const auto& from : base::array_of(comments)) {
    auto item = read_comment(from, *id);
    if (!item) continue;
    auto key = item->id;
    auto parent = item->parent_id;
    entries.push_back({std::move(*item), std::move(key), std::move(parent)});
  }
  listing page;
  for (auto& one : in_pre_order(std::move(entries))) page.items.emplace_back(std::move(one));
  const auto cursor = base::integer_of(base::member(data, "cursor")).value_or(0);
  const bool more = base::flag_of(base::member(data, "has_more")).value_or(false);
  if (more && cursor > *at && read_comments_position(std::to_string(cursor)))
    page.next = std::to_string(cursor);
  return step(std::move(page));
}

}  // namespace freshet::sources::tiktok
