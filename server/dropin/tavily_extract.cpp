// Tavily's /extract and /crawl: pages that were had stand in `results`, the others in
// `failed_results` or, of a crawl, which has none, in `warnings`. What is wrong with the caller,
// and not with a page, is the answer to the whole call.
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <server/dropin/shapes.hpp>
#include <server/dropin/tavily_extract.hpp>

namespace freshet::server::dropin {
namespace {

namespace json = boost::json;

constexpr route extract = route::tavily_extract, crawl = route::tavily_crawl;
constexpr std::size_t most_pages = 20;
constexpr std::int64_t most_time_s = 60;  // as there
constexpr std::chrono::seconds usual_time{30};
/// Of a crawl. Its clients wait for 150 seconds, and a page begins before the time is over.
constexpr std::int64_t usual_crawl = 50, most_crawl = 100, most_crawl_s = 150;
constexpr std::chrono::seconds usual_crawl_time{120};
constexpr std::int64_t one_page_ms = 20'000;
/// There a chunk is of 500 characters at most; so many tokens are about as long.
constexpr std::int64_t usual_chunks = 3, most_chunks = 5, chunk_tokens = 125;

struct extract_state {
  route way = extract;
  std::vector<std::string> urls;  ///< of a crawl the first one, until its site is mapped
  std::size_t limit = 0;          ///< of a crawl
  bool as_text = false, with_images = false, with_usage = false;
  json::object passages;  ///< `highlights` of each page; empty: whole pages
  std::vector<remark> warnings;
  std::string request_id;
};

std::vector<std::string> read_addresses(const field_reader& from) {
  std::vector<std::string> out;
  const json::value* const given = from.find("urls");
  bool all_are_texts = given != nullptr && (given->is_string() || given->is_array());
  if (given != nullptr && given->is_string()) out.emplace_back(given->get_string());
  if (given != nullptr && given->is_array()) {
    for (const json::value& one : given->get_array()) {
      all_are_texts = all_are_texts && one.is_string();
      if (one.is_string()) out.emplace_back(one.get_string());
    }
  }
  const bool has_empty = std::ranges::any_of(out, [](const auto& one) { return one.empty(); });
  if (!all_are_texts || has_empty || out.empty() || out.size() > most_pages) {
    from.refuse("urls", "give the address of a page, or a list of 1 to 20");
  }
  return out;
}

bool is_text_wanted(const field_reader& from) {
  const std::string format = from.text("format");
  if (!format.empty() && format != "markdown" && format != "text") {
    from.refuse("format", "give markdown or text");
  }
  return format == "text";
}

json::object read_passages(const field_reader& fields) {
  const auto chunks = fields.whole("chunks_per_source", 1, most_chunks);
  const std::string query = fields.text("query");
  if (query.empty()) return {};  // as there, chunks_per_source means nothing without it
  return {{"query", query}, {"max_tokens", chunks.value_or(usual_chunks) * chunk_tokens}};
}

std::vector<inner_call> calls_for(const extract_state& state) {
  std::vector<inner_call> out;
  for (const std::string& url : state.urls) {
    inner_call one{"scrape/markdown",
                   {{"url", with_scheme(url)}, {"render", "auto"}, {"timeout_ms", one_page_ms}}};
    if (!state.passages.empty()) one.parameters["highlights"] = state.passages;
    out.push_back(std::move(one));
  }
  return out;
}

/// Whether it is the caller's key, money or rate that fails, which no other page would mend.
bool is_about_caller(errc code) {
  switch (code) {
    case errc::missing_api_key:
    case errc::invalid_api_key:
    case errc::revoked_api_key:
    case errc::insufficient_credits:
    case errc::key_budget_exceeded:
    case errc::forbidden_scope:
    case errc::rate_limited:
      return true;
    default:
      return false;
  }
}

/// The sentences that answer a query, the best one first, as they are joined there.
std::string joined_passages(const json::object& document) {
  std::string out;
  const json::value* const list = document.if_contains("highlights");
  if (list == nullptr || !list->is_array()) return out;
  for (const json::value& one : list->get_array()) {
    if (!one.is_object()) continue;
    if (!out.empty()) out += " [...] ";
    out += text_of(one.get_object(), "text");
  }
  return out;
}

json::object extracted(const extract_state& state, std::string_view url, const response& page,
                       json::array& warnings) {
  const json::object envelope = object_of(page.body);
  const json::value* const data = envelope.if_contains("data");
  const json::object document =
      data != nullptr && data->is_object() ? data->get_object() : json::object();
  json::object out{{"url", url}, {"title", text_of(document, "title")}};
  std::string content;
  if (!state.passages.empty()) {
    content = joined_passages(document);
    if (content.empty()) {
      warnings.emplace_back("query: no sentence of " + std::string(url) +
                            " answers it; raw_content is the whole page");
    }
  }
  if (content.empty()) content = text_of(document, state.as_text ? "text" : "markdown");
  out["raw_content"] = content;
  out["images"] = state.with_images ? pictures_on_page(document) : json::array();
  return out;
}

/// The page that a crawl begins with, and what the map of its site lists.
void add_mapped(extract_state& state, const response& map) {
  const json::object envelope = object_of(map.body);
  const json::value* const data = envelope.if_contains("data");
  if (data == nullptr || !data->is_array()) return;
  const std::string start = with_scheme(state.urls.front());
  for (const json::value& one : data->get_array()) {
    if (state.urls.size() >= state.limit) return;
    if (!one.is_object()) continue;
    const std::string_view url = text_of(one.get_object(), "url");
    if (url != start) state.urls.emplace_back(url);
  }
}

response answer_of_extract(const extract_state& state, const std::vector<response>& pages,
                           std::int64_t credits, std::chrono::milliseconds elapsed) {
  json::array results, failures, warnings = lines_of(state.warnings);
  const response* refused = nullptr;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if (pages[i].ok()) {
      results.push_back(extracted(state, state.urls[i], pages[i], warnings));
      continue;
    }
    const std::string reason = reason_of(state.way, pages[i]);
    if (state.way == crawl) {
      warnings.emplace_back(state.urls[i] + ": " + reason);
    } else {
      failures.push_back(json::object{{"url", state.urls[i]}, {"error", reason}});
    }
    if (refused == nullptr && is_about_caller(pages[i].code)) refused = &pages[i];
  }
  if (results.empty() && refused != nullptr) return shape_of(state.way, *refused);
  json::object body{{"results", std::move(results)},
                    {"response_time", in_hundredths(elapsed)},
                    {"request_id", state.request_id}};
  if (state.way == crawl) {
    body["base_url"] = state.urls.front();
  } else {
    body["failed_results"] = std::move(failures);
  }
  if (state.with_usage) body["usage"] = json::object{{"credits", credits}};
  if (!warnings.empty()) body["warnings"] = std::move(warnings);
  response out;
  out.body = json::serialize(body);
  return out;
}

void read_common(const field_reader& fields, extract_state& state, const std::string& request_id) {
  state.as_text = is_text_wanted(fields);
  state.with_images = fields.flag("include_images", false);
  state.with_usage = fields.flag("include_usage", false);
  if (state.way == extract) state.passages = read_passages(fields);
  state.request_id = request_id;
}

}  // namespace

composition compose_tavily_extract(const json::object& body, field_remarks& said,
                                   const std::string& request_id) {
  const field_reader from(extract, body, said);
  const auto state = std::make_shared<extract_state>();
  state->urls = read_addresses(from);
  read_common(from, *state, request_id);
  composition out;
  out.allowed = from.seconds("timeout", 1, most_time_s).value_or(usual_time);
  state->warnings = said.warnings;
  // So that a key without rights, or a query that cannot be read, is told once and not by page.
  inner_call rehearsal{"scrape/markdown", {{"url", "https://example.com/"}, {"dry_run", true}}};
  if (!state->passages.empty()) rehearsal.parameters["highlights"] = state->passages;
  out.dry_runs.push_back(std::move(rehearsal));
  out.pages = [state](const std::vector<response>&) { return calls_for(*state); };
  out.finish = [state](std::vector<response>, std::vector<response> pages, std::int64_t credits,
                       std::chrono::milliseconds elapsed) {
    return answer_of_extract(*state, pages, credits, elapsed);
  };
  return out;
}

composition compose_tavily_crawl(const json::object& body, field_remarks& said,
                                 const std::string& request_id) {
  const field_reader from(crawl, body, said);
  const auto state = std::make_shared<extract_state>();
  state->way = crawl;
  state->urls.push_back(from.text("url"));
  if (state->urls.front().empty()) from.refuse("url", "give the address of a page of the site");
  const std::int64_t limit = from.whole("limit", 1, most_crawl).value_or(usual_crawl);
  state->limit = static_cast<std::size_t>(limit);
  read_common(from, *state, request_id);
  composition out;
  out.allowed = from.seconds("timeout", 1, most_crawl_s).value_or(usual_crawl_time);
  state->warnings = said.warnings;
  out.first.push_back(
      {"scrape/map", {{"url", with_scheme(state->urls.front())}, {"limit", limit}}});
  out.pages = [state](const std::vector<response>& first) {
    if (!first.front().ok()) return std::vector<inner_call>();
    add_mapped(*state, first.front());
    return calls_for(*state);
  };
  out.finish = [state](std::vector<response> first, std::vector<response> pages,
                       std::int64_t credits, std::chrono::milliseconds elapsed) {
    if (!first.front().ok()) return shape_of(crawl, first.front());
    return answer_of_extract(*state, pages, credits, elapsed);
  };
  return out;
}

}  // namespace freshet::server::dropin
