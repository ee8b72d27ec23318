// GDELT's article lists as articles. Its errors are sentences in plain text, with status 200 as
// often as not; they are recognised before anything is parsed, and an answer without articles is
// told apart from one that is none.
#include <algorithm>
#include <base/json.hpp>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/gdelt/wire.hpp>
#include <sources/item_text.hpp>
#include <sources/read_answer.hpp>

namespace freshet::sources::gdelt {

namespace {

using base::member;
using base::json::value;

constexpr std::string_view source_name = "gdelt";

/// What GDELT's sentences say, lower case.
constexpr std::string_view too_fast = "limit requests";
constexpr std::string_view bad_keyword[] = {"too short", "too long", "too common"};

std::string_view body_of(const http::response& answer) {
  std::string_view body = answer.body;
  if (body.starts_with("\xEF\xBB\xBF")) body.remove_prefix(3);
  return base::trim(body);
}

error refusal(const http::response& answer) {
  auto out = answer_error(errc::source_unavailable,
                          "GDELT is saturated, or was asked more than once in 5 seconds", answer);
  if (!out.retry_after) out.retry_after = overload_pause;
  return out;
}

/// The error that a body in plain text is; null if it is JSON or empty.
std::optional<error> sentence(const http::response& answer) {
  const auto body = body_of(answer);
  if (body.empty() || body.front() == '{' || body.front() == '[' || body.front() == '<') {
    return std::nullopt;
  }
  const auto low = base::to_lower_ascii(body.substr(0, max_source_text));
  if (low.find(too_fast) != std::string::npos) {
    return refusal(answer);
  }
  if (answer.status >= 300) return std::nullopt;
  const bool keyword = std::ranges::any_of(
      bad_keyword, [&](auto words) { return low.find(words) != std::string::npos; });
  return answer_error(errc::source_error,
                      keyword ? "GDELT does not search for words this short, long or common"
                              : "GDELT answered with a sentence instead of a list",
                      answer);
}

/// JSON whose strings hold escapes that JSON does not have, or raw control characters, as GDELT
/// sends it now and then, made well-formed.
std::string repaired(std::string_view text) {
  constexpr std::string_view escapes = "\"\\/bfnrtu";
  std::string out;
  out.reserve(text.size());
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') inside = !inside;
    if (inside && c == '\\') {
      const bool known = i + 1 < text.size() && escapes.find(text[i + 1]) != std::string_view::npos;
      if (!known) continue;
      out += c;
      out += text[++i];
      continue;
    }
    const bool control = static_cast<unsigned char>(c) < 0x20;
    out += inside && control ? ' ' : c;
  }
  return out;
}

result<json_body> read_body(const http::response& answer) {
  if (body_of(answer).starts_with('<')) return read_json(answer);
  if (auto failure = check_status(answer)) return std::move(*failure);
  auto body = parse_body(answer);
  if (body) return body;
  auto again = json_body::parse(base::repair_utf8(repaired(body_of(answer))), answer.counted);
  return again ? std::move(again) : std::move(body);
}

std::optional<article> article_of(const value& from) {
  article out;
  out.url = page_url(base::view_of(member(from, "url")));
  if (out.url.empty()) return std::nullopt;
  out.id = std::string(source_name) + ":" + digest_id(out.url);
  out.source = source_name;
  out.title = untokenised(clean_text(member(from, "title")));
  out.created_at = base::parse_time(base::view_of(member(from, "seendate")));
  out.lang = language_code(base::view_of(member(from, "language")));
  out.site.domain = clean_name(member(from, "domain"));
  if (out.site.domain.empty()) out.site.domain = base::host_of(out.url);
  out.site.name = out.site.domain;
  out.site.country = country_code(base::view_of(member(from, "sourcecountry")));
  const auto image = file_url(base::view_of(member(from, "socialimage")));
  if (!image.empty()) out.media.push_back({"image", image, "", "", {}, {}, {}});
  return out;
}

/// Where the articles behind this answer are; "" at the end.
std::string after(const window_position& window, std::size_t records,
                  const std::vector<article>& all, std::vector<std::string>& warnings) {
  if (records < max_records) return "";
  std::optional<time_point> oldest;
  for (const auto& one : all) {
    if (one.created_at && (!oldest || *one.created_at < *oldest)) oldest = one.created_at;
  }
  if (!oldest) return "";
  const auto until = std::chrono::floor<std::chrono::seconds>(*oldest);
  if (until < window.until) return window_position{until, 0}.text();
  warnings.push_back("gdelt: one moment has more articles than an answer holds; some are left out");
  return window_position{window.until - std::chrono::seconds{1}, 0}.text();
}

}  // namespace

result<step> read_search(const exchange& exchange) {
  const auto& answer = exchange.answer;
  const auto at = read_position(exchange.position, exchange.call);
  if (!at) return at.error();
  if (auto failure = sentence(answer)) return std::move(*failure);
  if (answer.status == 429) return refusal(answer);
  listing out;
  if (body_of(answer).empty() && answer.status == 200) return step(std::move(out));
  auto body = read_body(answer);
  if (!body) return body.error();
  const auto& list = member(*body, "articles");
  // No match is an empty object; one with other members is some other message.
  const bool nothing = list.is_null() && base::object_of(*body).empty();
  if (!body->root().is_object() || (!is_object_list(list) && !nothing))
    return no_list_of("articles", answer);
  std::vector<article> all;
  for (const auto& one : base::array_of(list)) {
    if (auto found = article_of(one)) all.push_back(std::move(*found));
  }
  std::ranges::stable_sort(all, is_newer);
  const auto size = static_cast<std::size_t>(std::max(exchange.call.limit, 1));
  const auto begin = std::min(at->skip, all.size());
  const auto end = std::min(all.size(), begin + size);
  if (end < all.size()) {
    out.next = window_position{at->until, end}.text();
  } else {
    out.next = after(*at, base::array_of(list).size(), all, out.warnings);
  }
  for (auto i = begin; i < end; ++i) out.items.emplace_back(std::move(all[i]));
  return step(std::move(out));
}

}  // namespace freshet::sources::gdelt
