// Questions, answers and comments of the API as items. The wrapper around them is looked at first:
// every error is HTTP 400, and when to come back stands in the body. A thread is gathered over
// several answers; what is known of it travels in the state of the next step.
#include <algorithm>
#include <base/json.hpp>
#include <base/number.hpp>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <boost/json/serialize.hpp>
#include <html/document.hpp>
#include <sources/comment_tree.hpp>
#include <sources/entry_list.hpp>
#include <sources/item_text.hpp>
#include <sources/read_answer.hpp>
#include <sources/rich_text.hpp>
#include <sources/stackexchange/wire.hpp>

namespace freshet::sources::stackexchange {

namespace {

using base::member;
using base::json::value;

constexpr std::string_view source_name = "stackexchange";
constexpr std::chrono::seconds quota_pause{3600};  // it fills again once a day; when is not said

/// What the API's error numbers mean, where that is more than source_error.
constexpr struct {
  std::int64_t number;
  errc code;
} error_numbers[] = {
    {401, errc::source_auth_required}, {402, errc::source_auth_required},
    {403, errc::source_auth_required}, {405, errc::source_auth_required},
    {406, errc::source_auth_required}, {502, errc::source_unavailable},
    {503, errc::source_unavailable},
};

/// "... more requests available in 85130 seconds"
std::chrono::seconds throttled_for(std::string_view message) {
  constexpr std::string_view before = "available in ";
  const auto at = message.find(before);
  if (at == std::string_view::npos) return std::chrono::seconds{0};
  message.remove_prefix(at + before.size());
  const auto number = base::take_number<std::int64_t>(message).value_or(0);
  return std::chrono::seconds{
      std::clamp<std::int64_t>(number, 0, std::int64_t{max_retry_after.count()})};
}

std::chrono::seconds wait_of(const value& body) {
  auto wait = throttled_for(base::view_of(member(body, "error_message")));
  if (const auto backoff = base::number_of(member(body, "backoff")); backoff && *backoff > 0) {
    const auto most = static_cast<double>(max_retry_after.count());
    const auto asked = static_cast<std::int64_t>(std::min(*backoff, most) + 0.999);
    wait = std::max(wait, std::chrono::seconds{asked});
  }
  if (const auto left = base::integer_of(member(body, "quota_remaining")); left && *left <= 0) {
    wait = std::max(wait, quota_pause);
  }
  return wait;
}

/// Whether a wrapper may say that nothing is left of the quota.
bool says_quota_is_used(std::string_view body) {
  constexpr std::string_view key = "\"quota_remaining\"";
  const auto at = body.rfind(key);
  if (at == std::string_view::npos) return false;
  const auto value = body.find_first_not_of(" :\t\r\n\"", at + key.size());
  return value != std::string_view::npos && (body[value] == '0' || body[value] == '-');
}

/// The error that a wrapper holds.
error wrapped_error(std::int64_t number, const value& body, const http::response& answer) {
  const auto message = base::view_of(member(body, "error_message"));
  const bool no_site = message.find("No site found") != std::string_view::npos;
  if (no_site) return answer_error(errc::not_found, "Stack Exchange has no such site", answer);
  auto code = errc::source_error;
  for (const auto& one : error_numbers) {
    if (one.number == number) code = one.code;
  }
  auto failure = answer_error(code, "Stack Exchange answered with an error", answer);
  if (code == errc::source_unavailable && !failure.retry_after) {
    const auto wait = wait_of(body);
    if (wait.count() > 0) failure.retry_after = wait;
  }
  return failure;
}

/// The wrapper of a good answer, or what a bad one means.
result<json_body> read_wrapper(const http::response& answer) {
  auto body = read_json_of_any_status(answer);
  if (body) {
    if (const auto number = base::integer_of(member(*body, "error_id"))) {
      return wrapped_error(*number, *body, answer);
    }
  }
  if (auto failure = check_status(answer)) return std::move(*failure);
  if (body && !is_object_list(member(*body, "items"))) return no_list_of("items", answer);
  return body;
}

std::string id_of(const std::string& host, std::string_view number) {
  return std::string(source_name) + ":" + host + "/" + std::string(number);
}

std::string page_of(const std::string& host, std::string_view path) {
  return page_url("https://" + host + std::string(path));
}

/// Texts outside of bodies come with entities, though they are no HTML.
std::string decoded(const value& text) {
  return clean_text(html::decode_entities(base::repair_utf8(base::view_of(text))));
}

std::optional<time_point> time_of(const value& from) {
  const auto seconds = base::number_of(member(from, "creation_date"));
  return seconds ? base::from_unix_seconds(*seconds) : std::nullopt;
}

std::optional<time_point> edit_of(const value& from) {
  const auto seconds = base::number_of(member(from, "last_edit_date"));
  return seconds ? edit_time(time_of(from), base::from_unix_seconds(*seconds)) : std::nullopt;
}

author author_of(const value& owner, const std::string& host) {
  author out;
  out.display_name = clean_name(
      html::decode_entities(base::repair_utf8(base::view_of(member(owner, "display_name")))));
  const auto number = base::text_of(member(owner, "user_id"));
  if (!is_number(number)) return out;
  out.id = id_of(host, "u" + number);
  out.handle = number;
  out.url = page_of(host, "/users/" + number);
  out.avatar_url = file_url(base::view_of(member(owner, "profile_image")));
  return out;
}

void set_body(const value& value, const std::string& host, item_common& common) {
  read_rich_text(base::view_of(member(value, "body")), "https://" + host + "/", common);
}

std::optional<forum_post> post_of(const value& value, const std::string& host) {
  const auto number = base::text_of(member(value, "question_id"));
  if (!is_number(number)) return std::nullopt;
  forum_post out;
  out.id = id_of(host, number);
  out.source = source_name;
  const auto link = base::parse_url(base::view_of(member(value, "link")));
  const bool trusted = link && link->host == host;
  out.url = page_of(host, trusted ? link->path : "/questions/" + number);
  out.title = decoded(member(value, "title"));
  set_body(value, host, out);
  out.created_at = time_of(value);
  out.edited_at = edit_of(value);
  out.author = author_of(member(value, "owner"), host);
  out.metrics.score = base::integer_of(member(value, "score"));
  out.metrics.comments = base::integer_of(member(value, "answer_count"));
  out.metrics.views = base::integer_of(member(value, "view_count"));
  out.community = site_parameter(host);
  for (const auto& tag : base::array_of(member(value, "tags"))) add_once(out.tags, clean_text(tag));
  return out;
}

/// An answer, or a comment on `above` (or on the question, if that is ""). Null if it has no
/// number.
std::optional<thread_entry> entry_of(const value& value, const question_address& question,
                                     const std::string& above, bool answer) {
  const auto number = base::text_of(member(value, answer ? "answer_id" : "comment_id"));
  if (!is_number(number)) return std::nullopt;
  thread_entry out;
  out.key = answer ? number : "c" + number;
  out.parent_key = above;
  auto& what = out.what;
  what.id = id_of(question.host, out.key);
  what.source = source_name;
  what.url = page_of(question.host, (answer ? "/a/" : "/posts/comments/") + number);
  set_body(value, question.host, what);
  what.created_at = time_of(value);
  what.edited_at = edit_of(value);
  what.author = author_of(member(value, "owner"), question.host);
  what.metrics.score = base::integer_of(member(value, "score"));
  what.post_id = id_of(question.host, question.number);
  if (!above.empty()) {
    what.parent_id = id_of(question.host, above);
    what.depth = 1;
  }
  return out;
}

/// What is known of a thread's page between its steps.
struct question_progress {
  std::string stage;  ///< "answers", "comments" or "question": what is being waited for
  int page = 1;       ///< of the answers' comments
  base::json::array on_question, answers, on_answers;
  bool more_answers = false;
  bool cut = false;

  [[nodiscard]] std::string text() const {
    return base::json::serialize(base::json::value{{"stage", stage},
                                                   {"page", page},
                                                   {"on_question", on_question},
                                                   {"answers", answers},
                                                   {"on_answers", on_answers},
                                                   {"more_answers", more_answers},
                                                   {"cut", cut}});
  }
};

question_progress read_progress(std::string_view state, int answers_page, base::meter* counted) {
  question_progress out;
  if (state.empty()) {
    out.stage = answers_page == 1 ? "on_question" : "answers";
    return out;
  }
  const auto parsed = json_body::parse(state, counted);
  if (!parsed) return out;
  out.stage = base::text_of(member(*parsed, "stage"));
  out.page = static_cast<int>(base::integer_of(member(*parsed, "page")).value_or(1));
  out.on_question = base::array_of(member(*parsed, "on_question"));
  out.answers = base::array_of(member(*parsed, "answers"));
  out.on_answers = base::array_of(member(*parsed, "on_answers"));
  out.more_answers = base::flag_of(member(*parsed, "more_answers")).value_or(false);
  out.cut = base::flag_of(member(*parsed, "cut")).value_or(false);
  return out;
}

std::string numbers_of(const base::json::array& answers) {
  std::string out;
  for (const auto& one : answers) {
    const auto number = base::text_of(member(one, "answer_id"));
    if (!is_number(number)) continue;
    if (!out.empty()) out += ';';
    out += number;
  }
  return out;
}

void append(base::json::array& out, const base::json::array& more) {
  for (const auto& one : more) out.push_back(one);
}

/// The page of the thread, when all of it is there.
listing finished(const question_progress& progress, const question_address& question,
                 int answers_page) {
  entry_list<thread_entry> entries;
  for (const auto& one : progress.on_question) {
    if (auto entry = entry_of(one, question, "", false)) entries.push_back(std::move(*entry));
  }
  for (const auto& one : progress.answers) {
    if (auto entry = entry_of(one, question, "", true)) entries.push_back(std::move(*entry));
  }
  for (const auto& one : progress.on_answers) {
    const auto above = base::text_of(member(one, "post_id"));
    if (!is_number(above)) continue;
    if (auto entry = entry_of(one, question, above, false)) entries.push_back(std::move(*entry));
  }
  listing out;
  for (auto& one : in_pre_order(std::move(entries))) out.items.emplace_back(std::move(one));
  if (progress.more_answers && answers_page < max_pages)
    out.next = std::to_string(answers_page + 1);
  if (progress.cut) {
    out.partial = true;
    out.warnings.push_back("stackexchange: " + question.host + "/" + question.number +
                           " has more comments than are asked for; some are left out");
  }
  return out;
}

}  // namespace

std::chrono::milliseconds wait_in_body(const http::response& answer) {
  // This runs where all answers pass through: most say nothing, and are not parsed for it.
  const auto says = [&](std::string_view key) {
    return answer.body.find(key) != std::string::npos;
  };
  if (!says("\"backoff\"") && !says("\"error_message\"") && !says_quota_is_used(answer.body)) {
    return std::chrono::milliseconds{0};
  }
  const auto body = parse_body(answer);
  return body ? wait_of(*body) : std::chrono::seconds{0};
}

result<step> read_search(const exchange& exchange) {
  const auto where = scope_of(exchange.call, exchange.settings);
  if (!where) return error(errc::not_found, "Stack Exchange has no such community");
  const auto at = read_position(exchange.position, exchange.call.limit);
  if (!at) return at.error();
  const auto body = read_wrapper(exchange.answer);
  if (!body) return body.error();
  listing out;
  const auto& items = base::array_of(member(*body, "items"));
  for (const auto& one : items) {
    if (auto post = post_of(one, where->host)) out.items.emplace_back(std::move(*post));
  }
  const int last = exchange.settings.get("key").empty() ? max_keyless_pages : max_pages;
  const bool more = base::flag_of(member(*body, "has_more")).value_or(false) && !items.empty();
  if (more && at->page < last) out.next = sized_page{at->page + 1, at->size}.text();
  if (more && at->page >= last) {
    out.partial = true;
    out.warnings.push_back("stackexchange: a search ends at page " + std::to_string(last));
  }
  return step(std::move(out));
}

result<step> read_comments(const exchange& exchange) {
  const auto& call = exchange.call;
  const auto& settings = exchange.settings;
  const auto of = question_of(call, settings);
  const auto answers_page = read_thread_position(exchange.position);
  if (!answers_page) return answers_page.error();
  const auto body = read_wrapper(exchange.answer);
  if (!body) return body.error();
  const auto& items = base::array_of(member(*body, "items"));
  const bool more = base::flag_of(member(*body, "has_more")).value_or(false) && !items.empty();
  auto so_far = read_progress(exchange.state, *answers_page, exchange.meter);

  if (so_far.stage == "on_question") {
    so_far.on_question = items;
    so_far.cut = more;
    so_far.stage = "answers";
    return step(follow{answers_request(of, 1, call, settings), so_far.text()});
  }
  if (so_far.stage == "answers") {
    so_far.answers = items;
    so_far.more_answers = more;
    const auto numbers = numbers_of(items);
    if (!numbers.empty()) {
      so_far.stage = "comments";
      return step(follow{answer_comments_request(of, numbers, 1, call, settings), so_far.text()});
    }
    // A question that does not exist has no answers and no comments either.
    if (so_far.on_question.empty() && *answers_page == 1) {
      so_far.stage = "question";
      return step(follow{question_request(of, settings), so_far.text()});
    }
  } else if (so_far.stage == "comments") {
    append(so_far.on_answers, items);
    if (more && so_far.page < max_comment_pages) {
      ++so_far.page;
      auto request =
          answer_comments_request(of, numbers_of(so_far.answers), so_far.page, call, settings);
      return step(follow{std::move(request), so_far.text()});
    }
    so_far.cut = so_far.cut || more;
  } else if (items.empty()) {
    return answer_error(errc::not_found, "the site knows no such question", exchange.answer);
  }
  return step(finished(so_far, of, *answers_page));
}

result<step> read_one(const exchange& exchange) {
  const auto of = question_of(exchange.call, exchange.settings);
  const auto body = read_wrapper(exchange.answer);
  if (!body) return body.error();
  for (const auto& one : base::array_of(member(*body, "items"))) {
    if (auto post = post_of(one, of.host)) return sources::page_of(std::move(*post));
  }
  return answer_error(errc::not_found, "the site knows no such question", exchange.answer);
}

result<step> read_community(const exchange& exchange) { return read_search(exchange); }

}  // namespace freshet::sources::stackexchange
