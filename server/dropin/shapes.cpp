// Problem documents in, the peers' errors out.
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <server/dropin/shapes.hpp>

namespace freshet::server::dropin {
namespace {

namespace json = boost::json;

constexpr std::string_view no_browser =
    "no browser runs here that could wait; leave it out, or call a server that has one";

/// Our parameters by the names of the peers' that they were made of.
constexpr struct {
  route of;
  std::string_view ours, theirs;
  std::string_view text{};  ///< in place of ours, which would speak of what they do not know
} names[] = {
    {route::firecrawl_scrape, "include", "includeTags"},
    {route::firecrawl_scrape, "exclude", "excludeTags"},
    {route::firecrawl_scrape, "max_age_s", "maxAge"},
    {route::firecrawl_scrape, "timeout_ms", "timeout"},
    {route::firecrawl_scrape, "render", "waitFor", no_browser},
    {route::firecrawl_search, "q", "query"},
    {route::firecrawl_search, "since", "tbs"},
    {route::firecrawl_search, "include", "scrapeOptions.includeTags"},
    {route::firecrawl_search, "exclude", "scrapeOptions.excludeTags"},
    {route::firecrawl_search, "max_age_s", "scrapeOptions.maxAge"},
    {route::firecrawl_search, "render", "scrapeOptions.waitFor", no_browser},
    {route::tavily_search, "q", "query"},
    {route::tavily_search, "since", "time_range"},
    {route::tavily_search, "limit", "max_results"},
    {route::tavily_search, "lang", "language"},
    {route::tavily_extract, "highlights/query", "query"},
    {route::tavily_extract, "url", "urls"},
    {route::tavily_extract, "timeout_ms", "timeout"},
    {route::tavily_map, "timeout_ms", "timeout"},
    {route::tavily_crawl, "timeout_ms", "timeout"},
};

/// "/include/0" as "includeTags[0]".
remark in_their_names(route route, std::string_view pointer, std::string_view text) {
  if (pointer.starts_with('/')) pointer.remove_prefix(1);
  std::string_view named = pointer.substr(0, pointer.find('/'));
  remark out{std::string(named), std::string(text)};
  for (const auto& row : names) {
    const std::string_view after = pointer.substr(std::min(row.ours.size(), pointer.size()));
    if (row.of != route || !pointer.starts_with(row.ours)) continue;
    if (!after.empty() && after.front() != '/') continue;
    named = row.ours;
    out.name = row.theirs;
    if (!row.text.empty()) out.text = row.text;
  }
  const std::string_view rest = pointer.substr(named.size());
  if (rest.size() > 1) out.name.append("[").append(rest.substr(1)).append("]");
  return out;
}

/// The wrong parameters of a problem document.
std::vector<remark> wrong_of(route route, const json::object& problem) {
  std::vector<remark> out;
  const json::value* const errors = problem.if_contains("errors");
  if (errors == nullptr || !errors->is_array()) return out;
  for (const json::value& one : errors->get_array()) {
    if (!one.is_object()) continue;
    const json::object& wrong = one.get_object();
    out.push_back(in_their_names(route, text_of(wrong, "pointer"), text_of(wrong, "detail")));
  }
  return out;
}

std::string message_of(const json::object& problem, const std::vector<remark>& wrong) {
  if (!wrong.empty()) return joined(wrong);
  const std::string_view title = text_of(problem, "title");
  std::string out(title.empty() ? std::string_view("The call failed") : title);
  const std::string_view detail = text_of(problem, "detail");
  if (!detail.empty()) out.append(": ").append(detail);
  return out;
}

/// Firecrawl's clients repeat a call at once after 502, three times, and know timeouts as 408.
int firecrawl_status(int ours) {
  if (ours == 502) return 500;
  return ours == 504 ? 408 : ours;
}

/// Its own codes where its clients or documentation name one for this, ours elsewhere.
std::string_view firecrawl_code(route way, errc code, std::string_view ours) {
  switch (code) {
    case errc::invalid_request:
    case errc::invalid_json:
      return "BAD_REQUEST";
    case errc::source_timeout:
      return way == route::firecrawl_scrape ? "SCRAPE_TIMEOUT" : ours;
    case errc::source_error:
    case errc::source_blocked:
    case errc::source_auth_required:
      return way == route::firecrawl_scrape ? "SCRAPE_ALL_ENGINES_FAILED" : ours;
    case errc::unsupported_content:
      return "SCRAPE_UNSUPPORTED_FILE_ERROR";
    default:
      return ours;
  }
}

/// Tavily says 432 where a plan or a key has used what it may; its clients know no 402.
int tavily_status(int ours) { return ours == 402 ? 432 : ours; }

json::array details_of(const std::vector<remark>& wrong) {
  json::array out;
  for (const remark& one : wrong) {
    out.push_back(json::object{
        {"code", "invalid_request"}, {"path", json::array{one.name}}, {"message", one.text}});
  }
  return out;
}

std::string firecrawl_body(std::string_view code, const std::string& message,
                           const std::vector<remark>& wrong) {
  json::object out{{"success", false}, {"code", code}, {"error", message}};
  if (!wrong.empty()) out["details"] = details_of(wrong);
  return json::serialize(out);
}

std::string tavily_body(std::string_view code, const std::string& message) {
  return json::serialize(json::object{{"detail", {{"error", message}, {"code", code}}}});
}

}  // namespace

json::object object_of(std::string_view body) {
  boost::system::error_code failed;
  json::value read = json::parse(body, failed);
  return !failed && read.is_object() ? std::move(read.get_object()) : json::object();
}

std::string_view text_of(const json::object& object, std::string_view name) {
  const json::value* const value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string())
                                                : std::string_view();
}

std::string with_scheme(const std::string& url) {
  return url.find("://") == url.npos ? "http://" + url : url;
}

json::array pictures_on_page(const json::object& document) {
  json::array out;
  const json::value* const media = document.if_contains("media");
  if (media == nullptr || !media->is_array()) return out;
  for (const json::value& one : media->get_array()) {
    if (one.is_object() && text_of(one.get_object(), "type") == "image") {
      out.emplace_back(text_of(one.get_object(), "url"));
    }
  }
  return out;
}

json::array lines_of(const std::vector<remark>& all) {
  json::array out;
  for (const remark& one : all) out.emplace_back(one.name + ": " + one.text);
  return out;
}

double in_hundredths(std::chrono::milliseconds elapsed) noexcept {
  return static_cast<double>(elapsed.count() / 10) / 100;
}

std::string joined(const std::vector<remark>& all) {
  std::string out;
  for (const remark& one : all) {
    if (!out.empty()) out += "; ";
    out.append(one.name).append(": ").append(one.text);
  }
  return out;
}

std::string reason_of(route route, const response& failed) {
  const json::object problem = object_of(failed.body);
  return message_of(problem, wrong_of(route, problem));
}

response shape_of(route way, const response& failed) {
  const json::object problem = object_of(failed.body);
  const std::vector<remark> wrong = wrong_of(way, problem);
  const std::string message = message_of(problem, wrong);
  const std::string_view ours = text_of(problem, "code");
  response out;
  out.code = failed.code;
  out.request_id = failed.request_id;
  out.retry_after = failed.retry_after;
  out.rate = failed.rate;
  out.credits_remaining = failed.credits_remaining;
  if (is_of_tavily(way)) {
    out.status = tavily_status(failed.status);
    out.body = tavily_body(ours, message);
  } else {
    out.status = firecrawl_status(failed.status);
    out.body = firecrawl_body(firecrawl_code(way, failed.code, ours), message, wrong);
  }
  return out;
}

response refusal(route way, const std::vector<remark>& refused) {
  response out;
  out.code = errc::invalid_request;
  out.status = 400;
  const std::string message = joined(refused);
  out.body = is_of_tavily(way) ? tavily_body("invalid_request", message)
                               : firecrawl_body("BAD_REQUEST", message, refused);
  return out;
}

}  // namespace freshet::server::dropin
