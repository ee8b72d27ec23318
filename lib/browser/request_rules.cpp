// The tables of kinds, methods and header fields, with reasons.
#include <algorithm>
#include <array>
#include <base/digest.hpp>
#include <base/media_type.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <browser/devtools.hpp>
#include <browser/request_rules.hpp>

namespace freshet::browser {
namespace {

/// Kinds of requests that are asked. All others (Image, Media, Font, TextTrack, Ping, Manifest,
/// Prefetch, CSPViolationReport, WebSocket) give no text; an EventSource never ends.
constexpr std::array<std::string_view, 7> needed_kinds = {
    "Document",   "Script",
    "Stylesheet",  // loaders of script parts wait for theirs, and give up without
    "XHR",        "Fetch",  "Preflight",
    "Other",  // the scripts of workers
};

/// Methods that read, or by which much is read (GraphQL); not those that only write.
constexpr std::array<std::string_view, 4> reading_methods = {"GET", "HEAD", "POST", "OPTIONS"};

/// Request fields that are ours to write: framing, our name (said honestly), the cache's.
constexpr std::array<std::string_view, 12> own_request_fields = {
    "user-agent",        "host",          "connection",    "content-length",
    "accept-encoding",   "range",         "if-none-match", "if-modified-since",
    "transfer-encoding", "cache-control", "pragma",        "upgrade-insecure-requests"};

/// Answer fields that were true on the wire only, or that would have the browser report or connect.
constexpr std::array<std::string_view, 13> wire_answer_fields = {"content-encoding",
                                                                 "content-length",
                                                                 "transfer-encoding",
                                                                 "connection",
                                                                 "keep-alive",
                                                                 "trailer",
                                                                 "upgrade",
                                                                 "alt-svc",
                                                                 "report-to",
                                                                 "reporting-endpoints",
                                                                 "nel",
                                                                 "link",
                                                                 "content-disposition"};

template <class Names>
bool contains(const Names& names, std::string_view name) {
  return std::ranges::any_of(
      names, [&](std::string_view each) { return base::equals_ignoring_ascii_case(each, name); });
}

bool is_field_text(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos;
}

/// Whether it is asked for a reader who may come to it: prefetched or prerendered.
bool is_ahead(const http::headers& fields) {
  for (const std::string_view name : {"Sec-Purpose", "Purpose", "X-Moz"}) {
    const auto purpose = base::to_lower_ascii(http::find_header(fields, name));
    if (purpose.find("prefetch") != std::string::npos ||
        purpose.find("prerender") != std::string::npos) {
      return true;
    }
  }
  return false;
}

/// A stream of events, by whatever means a script asks for it.
bool never_ends(std::string_view accepted) {
  return base::to_lower_ascii(accepted).find("text/event-stream") != std::string::npos;
}

}  // namespace

paused_request read_paused(const base::json::value& parameters) {
  paused_request out;
  const base::json::value& request = base::member(parameters, "request");
  out.id = base::text_of(base::member(parameters, "requestId"));
  out.kind = base::text_of(base::member(parameters, "resourceType"));
  out.frame = base::text_of(base::member(parameters, "frameId"));
  out.url = base::text_of(base::member(request, "url"));
  out.method = base::text_of(base::member(request, "method"));
  for (const auto& each : base::object_of(base::member(request, "headers"))) {
    out.headers.push_back({std::string(each.key()), base::text_of(each.value())});
  }
  if (!base::flag_of(base::member(request, "hasPostData")).value_or(false)) return out;
  for (const auto& entry : base::array_of(base::member(request, "postDataEntries"))) {
    const auto bytes = base::base64_decode(base::view_of(base::member(entry, "bytes")));
    if (!bytes) out.body_is_known = false;
    if (bytes) out.body += *bytes;
  }
  if (out.body.empty()) out.body = base::text_of(base::member(request, "postData"));
  if (out.body.empty()) out.body_is_known = false;
  return out;
}

refusal judge(const paused_request& paused, const main_frame& main) {
  const auto url = base::parse_url(paused.url);
  if (!url || !url->is_http()) return refusal::scheme;
  if (!contains(needed_kinds, paused.kind)) return refusal::needless;
  const bool in_frame = paused.kind == "Document" && paused.frame != main.id;
  if (in_frame && url->origin() != main.origin) return refusal::needless;
  // The icon of the page comes as "Other".
  const auto accepted = http::find_header(paused.headers, "Accept");
  if (paused.kind == "Other" && accepted.starts_with("image/")) return refusal::needless;
  if (is_ahead(paused.headers) || never_ends(accepted)) return refusal::needless;
  if (!contains(reading_methods, paused.method) || !paused.body_is_known) return refusal::writing;
  return refusal::none;
}

http::request to_http(const paused_request& paused, const http::request& page) {
  http::request out;
  out.method = paused.method;
  out.url = paused.url;
  out.body = paused.body;
  out.redirect_limit = 0;
  out.obey_robots = page.obey_robots;
  out.owner = page.owner;
  out.cacheable = paused.method == "GET";
  for (const http::header& each : paused.headers) {
    if (!contains(own_request_fields, each.name)) out.headers.push_back(each);
  }
  return out;
}

std::string fulfilment(std::string_view id, const http::response& response) {
  std::string fields;
  for (const http::header& each : response.headers) {
    if (contains(wire_answer_fields, each.name) || !is_field_text(each.name) ||
        !is_field_text(each.value) || each.name.empty()) {
      continue;
    }
    if (!fields.empty()) fields += '\0';
    fields += each.name + ": " + each.value;
  }
  std::string out = "{\"requestId\":" + json_string(id);
  out += ",\"responseCode\":" + std::to_string(response.status);
  if (!fields.empty()) out += ",\"binaryResponseHeaders\":\"" + base::base64(fields) + '"';
  out += ",\"body\":\"" + base::base64(response.body) + "\"}";
  return out;
}

std::string failing(std::string_view id, std::string_view reason) {
  return json_object({{"requestId", json_string(id)}, {"errorReason", json_string(reason)}});
}

bool is_page(const http::response& answer) {
  if (answer.status < 200 || answer.status > 299) return false;
  const std::string type = base::media_type_of(http::find_header(answer.headers, "Content-Type"));
  if (type == "text/html" || type == "application/xhtml+xml") return true;
  return type.empty() && base::trim(std::string_view(answer.body).substr(0, 512)).starts_with('<');
}

}  // namespace freshet::browser
