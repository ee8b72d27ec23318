// Tavily's parameters one by one, and its results. They have no place for warnings: a key
// `warnings` comes beside them, where there are any.
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <server/dropin/shapes.hpp>
#include <server/dropin/tavily.hpp>
#include <server/http/reply.hpp>

namespace freshet::server::dropin {
namespace {

namespace json = boost::json;

constexpr std::int64_t default_results = 5, most_results = 20, most_days = 3650, pictures = 5;
constexpr std::int64_t allowed_ms = 60'000;  // as long as its clients wait
constexpr std::int64_t page_ms = 20'000;
/// Search engines give no scores that compare. The rank stands in: the first result has the best
/// one, each further one a bit less, in hundredths.
constexpr std::int64_t best_score = 99, score_step = 2;

enum class raw_content : std::uint8_t { none, markdown, text };

/// A search between its calls.
struct tavily_state {
  std::string query;
  wish wanted;
  raw_content raw = raw_content::none;
  bool with_usage = false, with_images = false, with_descriptions = false;
  std::vector<remark> warnings;
  std::string request_id;
  std::optional<search_findings> results;
};

raw_content read_raw_content(const field_reader& from) {
  const json::value* const given = from.find("include_raw_content");
  if (given == nullptr || *given == json::value(false)) return raw_content::none;
  if (*given == json::value(true) || *given == "markdown") return raw_content::markdown;
  if (*given == "text") return raw_content::text;
  from.refuse("include_raw_content", "give true, false, \"markdown\" or \"text\"");
  return raw_content::none;
}

bool is_news(const field_reader& from) {
  const std::string topic = from.text("topic");
  if (topic.empty() || topic == "general") return false;
  if (topic != "news") {
    from.refuse("topic", "'" + topic + "' is not searched here; give general or news");
  }
  return true;
}

std::string since_of_range(const field_reader& from) {
  const std::string range = from.text("time_range");
  if (range.empty()) return {};
  if (range == "day" || range == "d") return "1d";
  if (range == "week" || range == "w") return "7d";
  if (range == "month" || range == "m") return "31d";
  if (range == "year" || range == "y") return "366d";
  from.refuse("time_range", "give day, week, month or year");
  return {};
}

std::optional<std::chrono::sys_days> day_of(const field_reader& fields, std::string_view name) {
  const std::string given = fields.text(name);
  if (given.empty()) return std::nullopt;
  const auto day = read_date(given);
  if (!day) fields.refuse(name, "give a day as YYYY-MM-DD");
  return day;
}

/// The window; the narrowest of those that are given is start_date, then time_range, then days.
window read_window(const field_reader& fields, bool news, instant now) {
  const auto start = day_of(fields, "start_date");
  const auto end = day_of(fields, "end_date");
  const std::string range = since_of_range(fields);
  const auto back = fields.whole("days", 1, most_days);
  if (!news) {
    for (const std::string_view name : {"time_range", "start_date", "end_date"}) {
      if (fields.text(name).empty()) continue;
      fields.refuse(name,
                    "web results carry no dates to rely on; give topic news, or leave it out");
    }
    return {};
  }
  if (end && *end + std::chrono::days(1) <= now) {
    fields.refuse("end_date", "it lies in the past, but news come newest first; leave it out");
  }
  if (start && !range.empty()) fields.refuse("time_range", "give it or start_date, not both");
  if (start) return since_day(fields, "start_date", *start, now);
  if (!range.empty()) return {range, {}};
  return {back ? std::to_string(*back) + "d" : std::string(), {}};
}

void read_country(const field_reader& fields, json::object& object) {
  std::string given = fields.text("country");
  if (given.empty()) return;
  if (given.size() > 2) {
    std::ranges::transform(given, given.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    const std::string_view code = country_code(given);
    if (code.empty()) {
      return fields.refuse("country",
                           "no country of that name; give it in English, or two letters");
    }
    given = code;
  }
  object["country"] = given;
}

void read_language(const field_reader& fields, json::object& object) {
  const std::string language = fields.text("language");
  const bool only = fields.flag("filter_by_language", false);
  if (only && language.empty()) fields.refuse("filter_by_language", "give language, too");
  if (language.empty()) return;
  if (only) {
    object["lang"] = language;
  } else {
    fields.warn("language", "without filter_by_language it has no effect here");
  }
}

std::vector<inner_call> pages_of(tavily_state& state, const std::vector<response>& first) {
  std::vector<inner_call> out;
  if (!first.front().ok()) return out;
  state.results = read_results(first.front(), state.wanted);
  for (const json::object& item : state.results->items) {
    out.push_back({"scrape/markdown",
                   {{"url", text_of(item, "url")}, {"render", "auto"}, {"timeout_ms", page_ms}}});
  }
  return out;
}

json::object result_of(const json::object& item, std::int64_t number) {
  json::object out{
      {"url", text_of(item, "url")},
      {"title", text_of(item, "title")},
      {"content", text_of(item, "text")},
      {"score",
       static_cast<double>(std::max<std::int64_t>(1, best_score - score_step * number)) / 100},
      {"raw_content", nullptr}};
  if (const auto at_time = read_time(text_of(item, "created_at"))) {
    out["published_date"] = http_date(*at_time);
  }
  return out;
}

/// The page's content, or a warning why there is none.
void add_page(json::object& result, const response& page, raw_content wanted,
              json::array& warnings) {
  if (!page.ok()) {
    warnings.emplace_back("raw_content of " + std::string(text_of(result, "url")) + ": " +
                          reason_of(route::tavily_search, page));
    return;
  }
  const json::object envelope = object_of(page.body);
  const json::value* const data = envelope.if_contains("data");
  if (data == nullptr || !data->is_object()) return;
  result["raw_content"] =
      text_of(data->get_object(), wanted == raw_content::text ? "text" : "markdown");
}

/// Pictures that match the query, or a warning why there are none.
json::array images_of(const tavily_state& state, const response& found, json::array& warnings) {
  json::array out;
  if (!found.ok()) {
    warnings.emplace_back("include_images: " + reason_of(route::tavily_search, found));
    return out;
  }
  wish all;
  all.limit = pictures;
  for (const json::object& item : read_results(found, all).items) {
    const std::string_view url = picture_of(item);
    if (url.empty()) continue;
    if (state.with_descriptions) {
      out.push_back(json::object{{"url", url}, {"description", text_of(item, "title")}});
    } else {
      out.emplace_back(url);
    }
  }
  return out;
}

response answer(tavily_state& state, const std::vector<response>& first,
                const std::vector<response>& pages, std::int64_t credits,
                std::chrono::milliseconds elapsed) {
  if (!first.front().ok()) return shape_of(route::tavily_search, first.front());
  if (!state.results) state.results = read_results(first.front(), state.wanted);
  json::array warnings = lines_of(state.warnings);
  for (const std::string& one : state.results->warnings) warnings.emplace_back(one);
  json::array results;
  for (const json::object& item : state.results->items) {
    const std::size_t at = results.size();
    json::object result = result_of(item, static_cast<std::int64_t>(at));
    if (at < pages.size()) add_page(result, pages[at], state.raw, warnings);
    results.push_back(std::move(result));
  }
  json::array images;
  if (state.with_images) images = images_of(state, first.back(), warnings);
  json::object body{{"query", state.query},
                    {"follow_up_questions", nullptr},
                    {"answer", nullptr},
                    {"images", std::move(images)},
                    {"results", std::move(results)},
                    {"response_time", in_hundredths(elapsed)},
                    {"request_id", state.request_id}};
  if (state.with_usage) body["usage"] = json::object{{"credits", credits}};
  if (!warnings.empty()) body["warnings"] = std::move(warnings);
  response out;
  out.body = json::serialize(body);
  return out;
}

}  // namespace

composition compose_tavily_search(const json::object& body, field_remarks& said, instant now,
                                  const std::string& request_id) {
  const field_reader from(route::tavily_search, body, said);
  auto state = std::make_shared<tavily_state>();
  const words query = read_words(from, "query", false);
  state->query = from.text("query");
  state->wanted.limit = from.whole("max_results", 1, most_results).value_or(default_results);
  state->wanted.within = read_domains(from, "include_domains");
  state->wanted.without = read_domains(from, "exclude_domains");
  state->wanted.without.insert(state->wanted.without.end(), query.without.begin(),
                               query.without.end());
  state->raw = read_raw_content(from);
  state->with_usage = from.flag("include_usage", false);
  state->with_descriptions = from.flag("include_image_descriptions", false);
  state->with_images = from.flag("include_images", false);
  state->request_id = request_id;
  const bool news = is_news(from);
  const window within = read_window(from, news, now);
  state->wanted.not_before = within.not_before;

  inner_call search{news ? "news/search" : "web-serp/search",
                    {{"q", query.q}, {"limit", limit_of(state->wanted)}}};
  if (!within.open()) search.parameters["since"] = within.since;
  if (!news) keep_to_domains(search.parameters, state->wanted);
  read_country(from, search.parameters);
  read_language(from, search.parameters);
  state->warnings = said.warnings;

  composition out;
  out.first.push_back(std::move(search));
  if (state->with_images) {
    out.first.push_back({"web-serp/images/search", {{"q", query.q}, {"limit", pictures}}});
  }
  out.allowed = std::chrono::milliseconds(allowed_ms);
  if (state->raw != raw_content::none) {
    out.pages = [state](const std::vector<response>& first) { return pages_of(*state, first); };
  }
  out.finish = [state](std::vector<response> first, std::vector<response> pages,
                       std::int64_t credits, std::chrono::milliseconds elapsed) {
    return answer(*state, first, pages, credits, elapsed);
  };
  return out;
}

}  // namespace freshet::server::dropin
