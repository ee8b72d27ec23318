// Firecrawl's requests: its parameters one by one.
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <freshet/engine.hpp>
#include <limits>
#include <server/dropin/firecrawl.hpp>
#include <server/dropin/firecrawl_answers.hpp>
#include <server/dropin/shapes.hpp>

namespace freshet::server::dropin {
namespace {

namespace json = boost::json;

constexpr std::int64_t least_timeout_ms = 1'000, most_timeout_ms = 120'000;  // the catalogue's
constexpr std::size_t most_selectors = 32;                                   // the catalogue's
constexpr std::int64_t default_page_ms = 30'000, default_search_ms = 60'000;
constexpr std::int64_t most_cache_age_s = 31'536'000;
constexpr std::int64_t default_limit = 5, most_limit = 100;
constexpr std::int64_t no_bound = std::numeric_limits<std::int64_t>::max();

/// The name of a format, a source or a parser: a string, or the `type` of an object.
std::string_view type_of(const json::value& one) {
  if (one.is_string()) return one.get_string();
  return one.is_object() ? text_of(one.get_object(), "type") : std::string_view();
}

const json::array& list_of(const field_reader& fields, std::string_view name) {
  static const json::array none;
  const json::value* const value = fields.find(name);
  return value == nullptr ? none : value->get_array();
}

void refuse_format(const field_reader& fields, std::string_view format) {
  fields.refuse("formats", "'" + std::string(format) +
                               "' is not made here; ask for markdown, links or images");
}

document_parts read_formats(const field_reader& from) {
  if (from.find("formats") == nullptr) return {};
  document_parts out{false, false, false};
  std::vector<std::string> pages_as_sent;
  for (const json::value& one : list_of(from, "formats")) {
    const std::string_view format = type_of(one);
    if (format == "markdown") {
      out.markdown = true;
    } else if (format == "links") {
      out.links = true;
    } else if (format == "images") {
      out.images = true;
    } else if (format == "html" || format == "rawHtml") {
      pages_as_sent.emplace_back(format);
    } else {
      refuse_format(from, format);
    }
  }
  // Many ask for it beside what they read.
  for (const std::string& one : pages_as_sent) {
    if (out.none()) {
      refuse_format(from, one);
    } else {
      from.warn("formats", "'" + one + "' is not kept here, and left out");
    }
  }
  return out;
}

/// PDFs are always read, and in one way.
void check_parsers(const field_reader& from) {
  const json::value* const given = from.find("parsers");
  if (given == nullptr) return;
  constexpr std::string_view help =
      "PDFs are always read here, whole and without OCR; leave it out";
  if (given->get_array().empty()) return from.refuse("parsers", help);
  for (const json::value& one : given->get_array()) {
    bool plain = type_of(one) == "pdf";
    if (one.is_object()) {
      for (const auto& [name, value] : one.get_object()) {
        const bool same = name == "type" || value.is_null() || value == json::value(false) ||
                          (name == "mode" && (value == "auto" || value == "fast"));
        plain = plain && same;
      }
    }
    if (!plain) return from.refuse("parsers", help);
  }
}

std::string render_of(const field_reader& from) {
  const std::int64_t wait_ms = from.whole("waitFor", 0, no_bound).value_or(0);
  const bool fast = from.flag("fastMode", false);
  if (wait_ms > 0 && fast) {
    from.refuse("waitFor", "fastMode runs no browser that could wait; leave one of them out");
  }
  if (fast) return "never";
  return wait_ms > 0 ? "always" : "auto";
}

void put_texts(json::object& object, std::string_view name, const std::vector<std::string>& all) {
  if (all.empty()) return;
  json::array& list = (object[name] = json::array()).get_array();
  for (const std::string& one : all) list.emplace_back(one);
}

/// Before anything is fetched: a page is refused for a selector only when it has come. How many
/// there may be is the catalogue's to say.
std::vector<std::string> read_selectors(const field_reader& fields, std::string_view name) {
  std::vector<std::string> out = fields.texts(name);
  if (out.size() > most_selectors) return out;
  for (const std::string& one : out) {
    markdown_options probe;
    probe.include.push_back(one);
    const auto tried = to_markdown("<p>a</p>", probe);
    if (!tried) fields.refuse(name, "'" + one + "' is not a CSS selector");
  }
  return out;
}

/// What scrape and scrapeOptions share, as parameters of scrape/markdown.
json::object page_parameters(const field_reader& from) {
  json::object out;
  if (!from.flag("onlyMainContent", true)) out["mode"] = "page";
  put_texts(out, "include", read_selectors(from, "includeTags"));
  put_texts(out, "exclude", read_selectors(from, "excludeTags"));
  if (const auto age_ms = from.whole("maxAge", 0, no_bound)) {
    out["max_age_s"] = std::min(*age_ms / 1000, most_cache_age_s);
  }
  const std::int64_t timeout_ms = from.whole("timeout", 1, no_bound).value_or(default_page_ms);
  out["timeout_ms"] = std::clamp(timeout_ms, least_timeout_ms, most_timeout_ms);
  out["render"] = render_of(from);
  check_parsers(from);
  return out;
}

struct chosen_sources {
  bool web = false, news = false;
};

chosen_sources read_sources(const field_reader& from) {
  chosen_sources out;
  for (const json::value& one : list_of(from, "sources")) {
    const std::string_view source = type_of(one);
    out.web = out.web || source == "web";
    out.news = out.news || source == "news";
    if (source != "web" && source != "news") {
      from.refuse("sources",
                  "'" + std::string(source) + "' is not searched here; ask for web or news");
    }
  }
  if (!out.web && !out.news) out.web = true;
  return out;
}

/// The options for the pages; null where none are asked for.
std::optional<page_wish> read_scrape_options(const field_reader& fields, field_remarks& said) {
  const json::value* const given = fields.find("scrapeOptions");
  if (given == nullptr) return std::nullopt;
  const field_reader options(route::firecrawl_scrape, given->get_object(), said, "scrapeOptions.",
                             "url");
  page_wish out{page_parameters(options), read_formats(options)};
  if (out.parts.none()) return std::nullopt;
  return out;
}

/// So that options which no page can have are refused before a search is paid for.
inner_call rehearsal_of(const page_wish& pages) {
  inner_call out{"scrape/markdown", pages.parameters};
  out.parameters["url"] = "https://example.com/";
  out.parameters["dry_run"] = true;
  return out;
}

}  // namespace

composition compose_scrape(const json::object& body, field_remarks& said,
                           const std::string& request_id) {
  const field_reader from(route::firecrawl_scrape, body, said);
  composition out;
  const std::string url = from.text("url");
  if (url.empty()) from.refuse("url", "give the address of a page");
  const document_parts parts = read_formats(from);
  inner_call call{"scrape/markdown", page_parameters(from)};
  call.parameters["url"] = with_scheme(url);
  out.first.push_back(std::move(call));
  out.finish = [parts, url, request_id, warnings = said.warnings](
                   std::vector<response> first, std::vector<response>, std::int64_t credits,
                   std::chrono::milliseconds) {
    if (!first.front().ok()) return shape_of(route::firecrawl_scrape, first.front());
    return scrape_answer(first.front(), parts, url, {request_id, credits, warnings});
  };
  return out;
}

composition compose_firecrawl_search(const json::object& body, field_remarks& said, instant now,
                                     const std::string& request_id) {
  const field_reader from(route::firecrawl_search, body, said);
  const words query = read_words(from, "query", true);
  const chosen_sources sources = read_sources(from);
  const window within = read_tbs(from, "tbs", now);
  if (!within.open() && sources.web) {
    from.refuse("tbs", "web results carry no dates to rely on; ask for sources news alone");
  }
  auto state = std::make_shared<search_state>();
  state->wanted.limit = from.whole("limit", 1, most_limit).value_or(default_limit);
  state->wanted.within = read_domains(from, "includeDomains");
  state->wanted.without = read_domains(from, "excludeDomains");
  state->wanted.without.insert(state->wanted.without.end(), query.without.begin(),
                               query.without.end());
  state->wanted.not_before = within.not_before;
  state->pages = read_scrape_options(from, said);
  state->warnings = said.warnings;
  state->request_id = request_id;

  composition out;
  json::object parameters{{"q", query.q}, {"limit", limit_of(state->wanted)}};
  if (const std::string country = from.text("country"); !country.empty()) {
    parameters["country"] = country;
  }
  if (sources.web) {
    out.first.push_back({"web-serp/search", parameters});
    keep_to_domains(out.first.back().parameters, state->wanted);
  }
  if (!within.open()) parameters["since"] = within.since;
  if (sources.news) out.first.push_back({"news/search", parameters});
  state->names =
      sources.web ? std::vector<std::string_view>{"web"} : std::vector<std::string_view>{};
  if (sources.news) state->names.emplace_back("news");
  const std::int64_t allowed_ms = from.whole("timeout", 1, no_bound).value_or(default_search_ms);
  out.allowed = std::chrono::milliseconds(std::min(allowed_ms, most_timeout_ms));
  if (state->pages) {
    const json::object& with = state->pages->parameters;
    if (with.contains("include") || with.contains("exclude") || with.at("render") == "always") {
      out.dry_runs.push_back(rehearsal_of(*state->pages));
    }
    out.pages = [state](const std::vector<response>& first) { return pages_of(*state, first); };
  }
  out.finish = [state](std::vector<response> first, std::vector<response> pages,
                       std::int64_t credits, std::chrono::milliseconds) {
    return search_answer(*state, first, pages, credits);
  };
  return out;
}

}  // namespace freshet::server::dropin
