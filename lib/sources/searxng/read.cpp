// An instance's merged results as web results, in its order. Engines that gave nothing become
// warnings; when every answer was a block, that is an error and no empty success.
#include <algorithm>
#include <base/json.hpp>
#include <base/number.hpp>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/item_text.hpp>
#include <sources/read_answer.hpp>
#include <sources/search_result.hpp>
#include <sources/searxng/wire.hpp>

namespace freshet::sources::searxng {

namespace {

using base::member;
using base::json::value;

constexpr std::string_view source_name = "searxng";
constexpr std::size_t max_reason = 80;    // code points of an engine's reason in a warning
constexpr std::size_t max_warnings = 20;  // an instance may run a hundred engines

/// Words in an engine's reason that say it was refused rather than broken.
constexpr std::string_view refusals[] = {"captcha",  "suspended", "access denied",
                                         "too many", "blocked",   "forbidden"};

/// A post of Bluesky as an address that a browser opens; other texts come back as they are.
std::string web_address(std::string_view text) {
  constexpr std::string_view scheme = "at://";
  constexpr std::string_view collection = "/app.bsky.feed.post/";
  const auto found = text.find(collection);
  if (!text.starts_with(scheme) || found == std::string_view::npos) return std::string(text);
  return "https://bsky.app/profile/" + std::string(text.substr(scheme.size(), found - 5)) +
         "/post/" + std::string(text.substr(found + collection.size()));
}

/// Each engine with its own rank, as far as it can be told: `positions` does not say whose each
/// is, except that the first is that of `engine`.
std::vector<engine_rank> engines_of(const value& from) {
  std::vector<std::string> names;
  const auto first = clean_text(member(from, "engine"));
  add_once(names, first);
  for (const auto& name : base::array_of(member(from, "engines")))
    add_once(names, clean_text(name));
  std::vector<std::int64_t> ranks;
  for (const auto& one : base::array_of(member(from, "positions"))) {
    if (const auto rank = base::integer_of(one); rank && *rank > 0) ranks.push_back(*rank);
  }
  std::vector<engine_rank> out;
  for (const auto& name : names) out.push_back({name, std::nullopt});
  if (out.empty() || ranks.empty()) return out;
  if (out.size() == 1) {
    out[0].rank = *std::ranges::min_element(ranks);
    return out;
  }
  if (!first.empty()) out[0].rank = ranks.front();
  const auto rest = ranks.begin() + (first.empty() ? 0 : 1);
  const bool certain = rest != ranks.end() &&
                       std::all_of(rest, ranks.end(), [&](auto rank) { return rank == *rest; });
  for (std::size_t i = first.empty() ? 0 : 1; certain && i < out.size(); ++i) out[i].rank = *rest;
  return out;
}

/// Seconds, or "1:02:03".
std::optional<double> duration_of(const value& from) {
  if (const auto seconds = base::number_of(from)) return *seconds >= 0 ? seconds : std::nullopt;
  return read_clock_duration(base::view_of(from));
}

/// Takes the size off "1920 x 1080".
void read_resolution(std::string_view text, media& media) {
  const auto cross = text.find_first_of("xX");
  if (cross == std::string_view::npos) return;
  const auto width = base::parse_number<std::int64_t>(base::trim(text.substr(0, cross)));
  const auto height = base::parse_number<std::int64_t>(base::trim(text.substr(cross + 1)));
  if (!width || !height || *width < 1 || *height < 1) return;
  media.width = width;
  media.height = height;
}

void add_media(const value& value, web_result& out) {
  const auto first_of = [&](std::initializer_list<std::string_view> keys) {
    for (const auto key : keys) {
      const auto text = base::view_of(member(value, key));
      if (text.empty()) continue;
      const auto resolved = base::resolve_url(out.url, text);
      if (!resolved.empty()) return file_url(resolved);
    }
    return std::string();
  };
  const auto image = first_of({"img_src"});
  const auto preview = first_of({"thumbnail_src", "thumbnail"});
  const auto frame = first_of({"iframe_src"});
  const auto sound = first_of({"audio_src"});
  if (!frame.empty()) {
    out.media.push_back(
        {"video", frame, preview, "", {}, {}, duration_of(member(value, "length"))});
  } else if (!sound.empty()) {
    out.media.push_back(
        {"audio", sound, preview, "", {}, {}, duration_of(member(value, "length"))});
  } else if (!image.empty()) {
    out.media.push_back({"image", image, preview, "", {}, {}, {}});
    read_resolution(base::view_of(member(value, "resolution")), out.media.back());
  } else if (!preview.empty()) {
    out.media.push_back({"image", preview, preview, "", {}, {}, {}});
  }
}

/// As the instance shows it, if that is for readers.
std::string display_of(const value& from) {
  const auto pretty = clean_text(member(from, "pretty_url"));
  return pretty.starts_with("at://") ? std::string() : pretty;
}

std::optional<time_point> time_of(const value& from) {
  for (const auto key : {"publishedDate", "pubdate"}) {
    if (const auto at = base::parse_time(base::view_of(member(from, key)))) return at;
  }
  return std::nullopt;
}

/// Null if it has no address that a browser opens.
std::optional<web_result> result_of(const value& value, time_point now) {
  auto found = result_at(source_name, web_address(base::view_of(member(value, "url"))));
  if (!found) return std::nullopt;
  auto& out = *found;
  out.title = base::collapse_spaces(clean_text(member(value, "title")));
  out.text = clean_text(member(value, "content"));
  const auto dated = take_leading_date(out.text, now);
  out.created_at = time_of(value);
  if (!out.created_at) out.created_at = dated;
  out.author.display_name = clean_name(member(value, "author"));
  if (auto shown = display_of(value); !shown.empty()) out.display_url = std::move(shown);
  out.engines = engines_of(value);
  for (const auto& tag : base::array_of(member(value, "tags"))) add_once(out.tags, clean_text(tag));
  add_media(value, out);
  return found;
}

/// What engines that gave nothing said; `refused` if all of them were refused.
std::vector<std::string> silent_engines(const value& body, bool& refused) {
  std::vector<std::string> out;
  refused = true;
  for (const auto& one : base::array_of(member(body, "unresponsive_engines"))) {
    const auto& pair = base::array_of(one);
    const auto name = pair.empty() ? clean_text(one) : clean_text(pair[0]);
    const auto reason = pair.size() < 2 ? std::string() : clean_text(pair[1]);
    const auto low = base::to_lower_ascii(reason);
    refused = refused && std::ranges::any_of(refusals, [&](auto word) {
                return low.find(word) != std::string::npos;
              });
    if (out.size() == max_warnings) continue;
    out.push_back("searxng: engine " + std::string(base::prefix(name, max_reason)) +
                  " gave nothing" +
                  (reason.empty() ? "" : ": " + std::string(base::prefix(reason, max_reason))));
  }
  refused = refused && !out.empty();
  return out;
}

/// The answers that only this software gives; null if it is none of them.
std::optional<error> refusal_of(const http::response& answer, const answer_signs& signs) {
  if (answer.status == 403 && !signs.block_page) {
    return answer_error(errc::source_blocked,
                        "the instance refuses format=json: its operator must list `json` under "
                        "search.formats",
                        answer);
  }
  if (answer.status == 200 && signs.html) {
    return answer_error(errc::source_blocked,
                        "the instance answered with a web page (a check for bots, or no JSON) "
                        "instead of results",
                        answer);
  }
  return std::nullopt;
}

}  // namespace

result<step> read_search(const exchange& exchange) {
  const auto& answer = exchange.answer;
  auto at = read_result_position(exchange.position, max_pages, "SearXNG");
  if (!at) return at.error();
  const auto signs = sniff(answer);
  if (auto refused = refusal_of(answer, signs)) return std::move(*refused);
  if (auto failed = check_status(answer, signs)) return std::move(*failed);
  auto body = parse_body(answer);
  if (!body) return body.error();
  if (!is_object_list(member(*body, "results"))) return no_list_of("results", answer);
  const auto& results = base::array_of(member(*body, "results"));
  const auto now = moment_of(answer, exchange.call);
  listing out;
  bool refused = false;
  out.warnings = silent_engines(*body, refused);
  if (results.empty() && refused && at->page == 1) {
    return answer_error(errc::source_blocked, "every engine of the instance refused to answer",
                        answer);
  }
  std::int64_t rank = at->given, left_out = 0;
  for (const auto& one : results) {
    auto found = result_of(one, now);
    if (!found) {
      ++left_out;
      continue;
    }
    found->rank = rank + 1;
    auto made = result_as(exchange.call.op, std::move(*found));
    if (!made) {
      ++left_out;
      continue;
    }
    ++rank;
    out.items.push_back(std::move(*made));
  }
  if (left_out > 0) {
    const bool pictures = exchange.call.op == catalog::operation::web_serp_images_search;
    out.warnings.push_back("searxng: " + std::to_string(left_out) + " results without a " +
                           (pictures ? "picture" : "web address") + " were left out");
  }
  if (!out.items.empty() && at->page < max_pages) {
    out.next = result_position{at->page + 1, rank}.text();
  }
  return step(std::move(out));
}

result<step> read_suggest(const exchange& exchange) {
  const auto signs = sniff(exchange.answer);
  if (auto refused = refusal_of(exchange.answer, signs)) return std::move(*refused);
  auto page = read_suggestions(source_name, exchange.answer);
  if (!page) return page.error();
  return step(std::move(*page));
}

}  // namespace freshet::sources::searxng
