// Serper's organic results as web results of Google. What Google shows beside them (answers, news,
// questions) is none of them and is left out.
#include <base/json.hpp>
#include <base/unicode.hpp>
#include <sources/item_text.hpp>
#include <sources/read_answer.hpp>
#include <sources/search_result.hpp>
#include <sources/serper/wire.hpp>

namespace freshet::sources::serper {

namespace {

using base::member;
using base::json::value;

constexpr std::string_view source_name = "serper";
constexpr std::string_view engine_name = "google";

/// The refusals that only this API gives; then those of the web.
std::optional<error> refusal_of(const http::response& answer) {
  if (answer.status == 400) {
    const auto said = base::to_lower_ascii(source_text_of(answer));
    if (said.find("not enough credits") != std::string::npos) {
      auto out =
          answer_error(errc::source_unavailable, "the credits at Serper are used up", answer);
      out.retry_after = quota_pause;
      return out;
    }
  }
  if (answer.status == 401 || (answer.status == 403 && !is_html(answer))) {
    return answer_error(errc::source_auth_required,
                        "Serper does not accept the key; check sources.serper.api_key", answer);
  }
  return std::nullopt;
}

/// Null if it has no address that a browser opens.
std::optional<web_result> result_of(const value& value, time_point now) {
  auto out = result_at(source_name, base::view_of(member(value, "link")));
  if (!out) return std::nullopt;
  out->title = base::collapse_spaces(clean_text(member(value, "title")));
  out->text = base::collapse_spaces(clean_text(member(value, "snippet")));
  const auto dated = take_leading_date(out->text, now);
  out->created_at = read_result_date(base::view_of(member(value, "date")), now);
  if (!out->created_at) out->created_at = dated;
  for (const auto& one : base::array_of(member(value, "sitelinks"))) {
    add_once(out->links, page_url(base::view_of(member(one, "link"))));
  }
  if (auto image = file_url(base::view_of(member(value, "imageUrl"))); !image.empty()) {
    const auto thumbnail = file_url(base::view_of(member(value, "thumbnailUrl")));
    const auto duration = read_clock_duration(base::view_of(member(value, "duration")));
    out->media.push_back({duration ? "video" : "image", duration ? out->url : image,
                          thumbnail.empty() ? image : thumbnail, "",
                          base::integer_of(member(value, "imageWidth")),
                          base::integer_of(member(value, "imageHeight")), duration});
  }
  return out;
}

std::string_view list_key(catalog::operation op) {
  if (op == catalog::operation::web_serp_images_search) return "images";
  return op == catalog::operation::web_serp_videos_search ? "videos" : "organic";
}

}  // namespace

result<step> read_search(const exchange& exchange) {
  const auto at = read_result_position(exchange.position, max_pages, "Serper");
  if (!at) return at.error();
  if (auto refused = refusal_of(exchange.answer)) return std::move(*refused);
  auto body = read_json(exchange.answer);
  if (!body) return body.error();
  const auto& organic = member(*body, list_key(exchange.call.op));
  const bool is_there =
      organic.is_null() ? member(*body, "searchParameters").is_object() : is_object_list(organic);
  if (!is_there) {
    return answer_error(errc::source_error, "the answer holds no search results", exchange.answer);
  }
  const auto now = moment_of(exchange.answer, exchange.call);
  listing out;
  std::int64_t rank = at->given;
  for (const auto& one : base::array_of(organic))
    add_ranked_as(exchange.call.op, result_of(one, now), engine_name, rank, out);
  // Google's pages are often short in the middle of a walk: only an empty one is the end.
  if (!base::array_of(organic).empty() && at->page < max_pages) {
    out.next = result_position{at->page + 1, rank}.text();
  }
  return step(std::move(out));
}

result<step> read_suggest(const exchange& exchange) {
  if (auto refused = refusal_of(exchange.answer)) return std::move(*refused);
  const auto body = read_json(exchange.answer);
  if (!body) return body.error();
  if (!is_object_list(member(*body, "suggestions")))
    return no_list_of("suggestions", exchange.answer);
  listing out;
  for (const auto& one : base::array_of(member(*body, "suggestions")))
    add_suggestion(source_name, clean_text(member(one, "value")), out);
  return step(std::move(out));
}

}  // namespace freshet::sources::serper
