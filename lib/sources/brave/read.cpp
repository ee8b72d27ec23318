// Brave's web results, in the order in which its page would mix them. Its errors come as JSON, a
// wrong token with the status of a wrong request.
#include <algorithm>
#include <base/json.hpp>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <sources/brave/wire.hpp>
#include <sources/item_text.hpp>
#include <sources/read_answer.hpp>
#include <sources/search_result.hpp>

namespace freshet::sources::brave {

namespace {

using base::member;
using base::json::value;

constexpr std::string_view source_name = "brave";

/// The error inside a body; null if there is none.
const value& error_of(const value& body) {
  const auto& list = base::array_of(member(body, "errors"));
  return list.empty() ? member(body, "error") : list[0];
}

/// Whether a refusal is about the token: one that is wrong, or missing.
bool is_about_token(const value& said) {
  if (base::view_of(member(said, "code")).starts_with("SUBSCRIPTION_TOKEN")) return true;
  for (const auto& one : base::array_of(member(said, "meta", "errors"))) {
    for (const auto& part : base::array_of(member(one, "loc"))) {
      if (base::equals_ignoring_ascii_case(base::view_of(part), "x-subscription-token"))
        return true;
    }
  }
  return false;
}

/// Whether the plan's month is used up, rather than its second.
bool is_quota_spent(const value& said) {
  const auto limit = base::integer_of(member(said, "meta", "quota_limit"));
  const auto current = base::integer_of(member(said, "meta", "quota_current"));
  return base::view_of(member(said, "code")) == "QUOTA_LIMITED" ||
         (limit && current && *limit > 0 && *current >= *limit);
}

std::optional<error> api_error(const value& body, const http::response& answer) {
  const auto& said = error_of(body);
  if (!said.is_object()) return std::nullopt;
  const auto status = base::integer_of(member(said, "status")).value_or(answer.status);
  auto code = errc::source_error;
  std::string detail = "Brave refused the request";
  if (is_about_token(said) || status == 401 || status == 403) {
    code = errc::source_auth_required;
    detail = "Brave does not accept the token; check sources.brave.api_key and its plan";
  } else if (status == 402 || status == 429) {
    code = errc::source_unavailable;
    detail = is_quota_spent(said) ? "the plan's requests of this month are used up at Brave"
                                  : "Brave's rate limit is reached";
  } else if (status >= 500) {
    code = errc::source_unavailable;
    detail = "Brave is out of order";
  }
  auto out = answer_error(code, std::move(detail), answer);
  if (code == errc::source_unavailable && is_quota_spent(said)) {
    out.retry_after = std::max(out.retry_after.value_or(quota_pause), quota_pause);
  }
  if (out.source_text.empty()) {
    out.source_text = base::prefix(clean_text(member(said, "detail")), max_source_text);
  }
  return out;
}

/// The list of results; null where there are none. Pictures and videos have answers of their own,
/// with a bare list.
const value& results_in(const value& body) {
  const auto& of_web = member(body, "web", "results");
  return of_web.is_array() ? of_web : member(body, "results");
}

/// The results in the order of the whole page, which is told beside them.
std::vector<const value*> in_order(const value& body) {
  const auto& results = base::array_of(results_in(body));
  std::vector<const value*> out;
  std::vector<bool> taken(results.size());
  for (const auto& one : base::array_of(member(body, "mixed", "main"))) {
    const auto index = base::integer_of(member(one, "index"));
    if (base::view_of(member(one, "type")) != "web" || !index || *index < 0) continue;
    const auto at = static_cast<std::size_t>(*index);
    if (at >= results.size() || taken[at]) continue;
    taken[at] = true;
    out.push_back(&results[at]);
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!taken[i]) out.push_back(&results[i]);
  }
  return out;
}

/// Other pages of the site that stand below the result; parts of the page itself are none.
void add_links(const value& links, web_result& result) {
  const auto add = [&result](const value& list) {
    for (const auto& one : base::array_of(list)) {
      auto url = page_url(base::view_of(member(one, "url")));
      if (url != result.url) add_once(result.links, std::move(url));
    }
  };
  add(member(links, "deep_results", "buttons"));
  add(member(links, "cluster"));
}

/// Null if it has no address that a browser opens.
std::optional<web_result> result_of(const value& value, time_point now) {
  auto out = result_at(source_name, base::view_of(member(value, "url")));
  if (!out) return std::nullopt;
  out->title = base::collapse_spaces(clean_html(base::view_of(member(value, "title"))));
  out->text = base::collapse_spaces(clean_html(base::view_of(member(value, "description"))));
  out->lang = language_tag(base::view_of(member(value, "language")));
  out->created_at = base::parse_time(base::view_of(member(value, "page_age")));
  if (!out->created_at) {
    out->created_at = read_result_date(base::view_of(member(value, "age")), now);
  }
  const auto host = clean_text(member(value, "meta_url", "hostname"));
  if (!host.empty()) {
    out->display_url =
        base::collapse_spaces(host + " " + clean_text(member(value, "meta_url", "path")));
  }
  if (auto name = clean_name(member(value, "profile", "name")); !name.empty()) {
    out->site_name = std::move(name);
  }
  const auto preview = file_url(base::view_of(member(value, "thumbnail", "src")));
  const auto image = file_url(base::view_of(member(value, "thumbnail", "original")));
  // Of a picture and of a video.
  const auto& whole = member(value, "properties");
  const auto& playing = member(value, "video");
  if (auto picture = file_url(base::view_of(member(whole, "url"))); !picture.empty()) {
    out->media.push_back({"image",
                          std::move(picture),
                          preview,
                          "",
                          base::integer_of(member(whole, "width")),
                          base::integer_of(member(whole, "height")),
                          {}});
  } else if (playing.is_object()) {
    out->author.display_name = clean_name(member(playing, "creator"));
    out->media.push_back({"video",
                          out->url,
                          image.empty() ? preview : image,
                          "",
                          {},
                          {},
                          read_clock_duration(base::view_of(member(playing, "duration")))});
  } else if (!image.empty() || !preview.empty()) {
    out->media.push_back({"image", image.empty() ? preview : image, preview, "", {}, {}, {}});
  }
  add_links(value, *out);
  return out;
}

/// The body of a good answer, or what a bad one means.
result<json_body> read_body(const http::response& answer) {
  auto body = read_json_of_any_status(answer);
  if (body) {
    if (auto failure = api_error(*body, answer)) return std::move(*failure);
  }
  if (auto failure = check_status(answer)) return std::move(*failure);
  if (body && !member(*body, "query").is_object() && !member(*body, "web").is_object()) {
    return answer_error(errc::source_error, "the answer holds no search results", answer);
  }
  return body;
}

}  // namespace

result<step> read_search(const exchange& exchange) {
  const auto at = read_result_position(exchange.position, max_pages, "Brave");
  if (!at) return at.error();
  const auto body = read_body(exchange.answer);
  if (!body) return body.error();
  const auto now = moment_of(exchange.answer, exchange.call);
  listing out;
  std::int64_t rank = at->given;
  const auto& results = results_in(*body);
  if (!results.is_null() && !is_object_list(results)) return no_list_of("results", exchange.answer);
  const auto found = in_order(*body);
  for (const auto* one : found)
    add_ranked_as(exchange.call.op, result_of(*one, now), source_name, rank, out);
  if (exchange.call.op == catalog::operation::web_serp_images_search) return step(std::move(out));
  const auto more = base::flag_of(member(*body, "query", "more_results_available"))
                        .value_or(found.size() >= page_size);
  if (more && !found.empty() && at->page < max_pages) {
    out.next = result_position{at->page + 1, rank}.text();
  }
  return step(std::move(out));
}

result<step> read_suggest(const exchange& exchange) {
  const auto body = read_body(exchange.answer);
  if (!body) return body.error();
  if (!is_object_list(member(*body, "results"))) return no_list_of("results", exchange.answer);
  listing out;
  for (const auto& one : base::array_of(member(*body, "results")))
    add_suggestion(source_name, clean_text(member(one, "query")), out);
  return step(std::move(out));
}

}  // namespace freshet::sources::brave
