// Keys without a value are left out, as there; `markdown` is null where a page failed, so that the
// clients see a document, and its error.
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <server/dropin/firecrawl_answers.hpp>
#include <server/dropin/shapes.hpp>

namespace freshet::server::dropin {
namespace {

namespace json = boost::json;

const json::value* member(const json::object& object, std::string_view name) {
  const json::value* const value = object.if_contains(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

const json::object& object_at(const json::object& parent, std::string_view name) {
  static const json::object none;
  const json::value* const value = member(parent, name);
  return value != nullptr && value->is_object() ? value->get_object() : none;
}

void copy(const json::object& source, std::string_view ours, json::object& target,
          std::string_view theirs) {
  if (const json::value* const value = member(source, ours)) target[theirs] = *value;
}

/// Everybody who wrote it, in one text.
std::string names_of(const json::object& item) {
  std::string out;
  const json::value* const people = member(item, "authors");
  if (people == nullptr || !people->is_array()) return out;
  for (const json::value& one : people->get_array()) {
    if (!one.is_object()) continue;
    if (!out.empty()) out += ", ";
    out += text_of(one.get_object(), "display_name");
  }
  return out;
}

void append(std::string& all, std::string_view one) {
  if (!all.empty()) all += "; ";
  all += one;
}

/// What the call itself warned of.
std::string warnings_of(const json::object& meta) {
  std::string out;
  const json::value* const said = member(meta, "warnings");
  if (said == nullptr || !said->is_array()) return out;
  for (const json::value& one : said->get_array()) {
    if (one.is_string()) append(out, one.get_string());
  }
  return out;
}

json::object metadata_of(const json::object& item, const json::object& meta,
                         std::string_view asked_url) {
  json::object out;
  copy(item, "title", out, "title");
  copy(item, "description", out, "description");
  copy(item, "lang", out, "language");
  if (auto names = names_of(item); !names.empty()) out["author"] = std::move(names);
  copy(item, "created_at", out, "publishedTime");
  copy(item, "image_url", out, "ogImage");
  copy(item, "site_name", out, "ogSiteName");
  out["sourceURL"] = asked_url;
  copy(item, "final_url", out, "url");
  copy(item, "status_code", out, "statusCode");
  copy(item, "content_type", out, "contentType");
  out["proxyUsed"] = "basic";
  out["scrapeId"] = text_of(meta, "request_id");
  const json::value* const sources = member(meta, "sources");
  if (sources != nullptr && sources->is_array() && !sources->get_array().empty() &&
      sources->get_array()[0].is_object()) {
    const json::object& source = sources->get_array()[0].get_object();
    const bool kept = text_of(source, "cache") != "miss" && member(source, "cache") != nullptr;
    out["cacheState"] = kept ? "hit" : "miss";
    if (kept) copy(source, "fetched_at", out, "cachedAt");
  }
  copy(object_at(meta, "credits"), "used", out, "creditsUsed");
  return out;
}

response answer_of(json::object&& body) {
  response out;
  out.body = json::serialize(body);
  return out;
}

json::object result_of(const json::object& item, bool news, std::size_t position) {
  json::object out;
  out["url"] = text_of(item, "url");
  copy(item, "title", out, "title");
  copy(item, "text", out, news ? "snippet" : "description");
  if (news) {
    copy(item, "created_at", out, "date");
    if (const auto picture = picture_of(item); !picture.empty()) out["imageUrl"] = picture;
  }
  out["position"] = position;
  return out;
}

/// The result with its page, or with why there is none.
void add_page(json::object& result, const response& page, const page_wish& asked_with) {
  const std::string url(text_of(result, "url"));
  if (page.ok()) {
    json::object document = document_of(object_of(page.body), asked_with.parts, url);
    for (auto& [name, value] : document) result[name] = std::move(value);
    return;
  }
  result["markdown"] = nullptr;
  json::object metadata{{"sourceURL", url}, {"url", url}};
  copy(result, "title", metadata, "title");
  metadata["error"] = reason_of(route::firecrawl_search, page);
  result["metadata"] = std::move(metadata);
}

void read_first(search_state& state, const std::vector<response>& first) {
  if (!state.results.empty()) return;
  for (const response& one : first) {
    state.results.push_back(one.ok() ? read_results(one, state.wanted) : search_findings());
  }
}

}  // namespace

json::object document_of(const json::object& envelope, const document_parts& parts,
                         std::string_view asked_url) {
  const json::object& item = object_at(envelope, "data");
  const json::object& meta = object_at(envelope, "meta");
  json::object out;
  if (parts.markdown) copy(item, "markdown", out, "markdown");
  if (parts.links) copy(item, "links", out, "links");
  if (parts.images) out["images"] = pictures_on_page(item);
  out["metadata"] = metadata_of(item, meta, asked_url);
  if (const std::string warning = warnings_of(meta); !warning.empty()) out["warning"] = warning;
  return out;
}

response scrape_answer(const response& answered, const document_parts& parts,
                       std::string_view asked_url, const answer_facts& facts) {
  json::object document = document_of(object_of(answered.body), parts, asked_url);
  std::string warning(text_of(document, "warning"));
  if (!facts.warnings.empty()) append(warning, joined(facts.warnings));
  if (!warning.empty()) document["warning"] = warning;
  document["metadata"].as_object()["creditsUsed"] = facts.credits;
  return answer_of({{"success", true}, {"data", std::move(document)}});
}

std::vector<inner_call> pages_of(search_state& state, const std::vector<response>& first) {
  read_first(state, first);
  std::vector<inner_call> out;
  for (const search_findings& one : state.results) {
    for (const json::object& item : one.items) {
      out.push_back({"scrape/markdown", state.pages->parameters});
      out.back().parameters["url"] = text_of(item, "url");
    }
  }
  return out;
}

response search_answer(search_state& state, const std::vector<response>& first,
                       const std::vector<response>& pages, std::int64_t credits) {
  bool any = false;
  for (const response& one : first) any = any || one.ok();
  if (!any) return shape_of(route::firecrawl_search, first.front());
  read_first(state, first);
  json::object data;
  std::string warning = joined(state.warnings);
  std::size_t page = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const std::string_view name = state.names[i];
    if (!first[i].ok()) {
      append(warning, std::string(name) + ": " + reason_of(route::firecrawl_search, first[i]));
    }
    json::array list;
    for (const json::object& item : state.results[i].items) {
      json::object result = result_of(item, name == "news", list.size() + 1);
      if (page < pages.size()) add_page(result, pages[page++], *state.pages);
      list.push_back(std::move(result));
    }
    data[name] = std::move(list);
    for (const std::string& one : state.results[i].warnings) append(warning, one);
  }
  json::object body{{"success", true}, {"data", std::move(data)}};
  if (!warning.empty()) body["warning"] = warning;
  body["creditsUsed"] = credits;
  body["id"] = state.request_id;
  return answer_of(std::move(body));
}

}  // namespace freshet::server::dropin
