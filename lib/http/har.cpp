// HAR 1.2 in both directions. Bodies that are not UTF-8 are base64; secrets are replaced before
// they are written.
#include <base/digest.hpp>
#include <base/json.hpp>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <http/credentials.hpp>
#include <http/har.hpp>

namespace freshet::http {
namespace {

using base::append_json_string;
using base::member;

void append_member(std::string& out, std::string_view key, std::string_view value) {
  append_json_string(out, key);
  out += ':';
  append_json_string(out, value);
}

void append_headers(std::string& out, const headers& all) {
  out += "\"headers\":[";
  bool first = true;
  for (const header& each : all) {
    out += first ? "{" : ",{";
    first = false;
    append_member(out, "name", each.name);
    out += ',';
    append_member(out, "value", is_credential_header(each.name) ? redacted : each.value);
    out += '}';
  }
  out += ']';
}

void append_query(std::string& out, std::string_view url) {
  out += "\"queryString\":[";
  const std::optional<base::url> parsed = base::parse_url(url);
  std::string_view query = parsed ? std::string_view(parsed->query) : std::string_view();
  bool first = true;
  while (!query.empty()) {
    const auto end = query.find('&');
    const std::string_view pair = query.substr(0, end);
    query.remove_prefix(end == std::string_view::npos ? query.size() : end + 1);
    const auto equals = pair.find('=');
    out += first ? "{" : ",{";
    first = false;
    append_member(out, "name", base::percent_decode(pair.substr(0, equals), true));
    out += ',';
    append_member(out, "value",
                  equals == std::string_view::npos
                      ? std::string()
                      : base::percent_decode(pair.substr(equals + 1), true));
    out += '}';
  }
  out += ']';
}

void append_request(std::string& out, const request& asked) {
  const std::string url = redact_url(asked.url);
  out += "\"request\":{";
  append_member(out, "method", asked.method);
  out += ',';
  append_member(out, "url", url);
  out += ",\"httpVersion\":\"HTTP/1.1\",\"cookies\":[],";
  append_headers(out, asked.headers);
  out += ',';
  append_query(out, url);
  if (!asked.body.empty()) {
    out += ",\"postData\":{";
    append_member(out, "mimeType", find_header(asked.headers, "Content-Type"));
    out += ",\"params\":[],";
    append_member(out, "text", redact_body(asked.body));
    out += '}';
  }
  out += ",\"headersSize\":-1,\"bodySize\":" + std::to_string(asked.body.size()) + '}';
}

void append_content(std::string& out, const response& got) {
  out += "\"content\":{\"size\":" + std::to_string(got.body.size()) + ',';
  append_member(out, "mimeType", find_header(got.headers, "Content-Type"));
  out += ',';
  // NUL is well-formed UTF-8, but many a JSON reader stumbles over it.
  if (base::is_utf8(got.body) && got.body.find('\0') == std::string::npos) {
    append_member(out, "text", redact_body(got.body));
  } else {
    append_member(out, "text", base::base64(got.body));
    out += ",\"encoding\":\"base64\"";
  }
  out += '}';
}

headers read_headers(const base::json::value& in) {
  headers out;
  for (const base::json::value& each : base::array_of(member(in, "headers"))) {
    out.push_back({base::text_of(member(each, "name")), base::text_of(member(each, "value"))});
  }
  return out;
}

std::string read_content(const base::json::value& content) {
  const std::string_view text = base::view_of(member(content, "text"));
  if (base::view_of(member(content, "encoding")) != "base64") return std::string(text);
  return base::base64_decode(text).value_or(std::string());
}

recorded_exchange read_entry(const base::json::value& entry) {
  const base::json::value& asked = member(entry, "request");
  const base::json::value& got = member(entry, "response");
  recorded_exchange out;
  out.method = base::text_of(member(asked, "method"));
  out.url = base::text_of(member(asked, "url"));
  out.body = base::text_of(member(asked, "postData", "text"));
  out.answer.status = static_cast<int>(base::integer_of(member(got, "status")).value_or(0));
  out.answer.headers = read_headers(got);
  out.answer.body = read_content(member(got, "content"));
  out.answer.final_url = out.url;
  const auto started = base::parse_time(base::view_of(member(entry, "startedDateTime")));
  out.answer.fetched_at = started.value_or(time_point());
  if (out.answer.status == 0) {
    const errc_info* known = find_errc(base::view_of(member(got, "_error")));
    out.failure = error(known == nullptr ? errc::source_unavailable : known->code,
                        "the recorded request failed");
  }
  return out;
}

}  // namespace

std::string har_entry(const request& asked, const result<response>& got, time_point started) {
  std::string out = "{";
  append_member(out, "startedDateTime", base::format_time(started));
  const std::string elapsed = std::to_string(got ? got->elapsed.count() : 0);
  out += ",\"time\":" + elapsed + ',';
  append_request(out, asked);
  const response empty;
  const response& answer = got ? *got : empty;
  out += ",\"response\":{\"status\":" + std::to_string(answer.status) +
         ",\"statusText\":\"\",\"httpVersion\":\"HTTP/1.1\",\"cookies\":[],";
  append_headers(out, answer.headers);
  out += ',';
  append_content(out, answer);
  out += ',';
  append_member(out, "redirectURL", redact_url(find_header(answer.headers, "Location")));
  out += ",\"headersSize\":-1,\"bodySize\":-1";
  if (!got) {
    out += ',';
    append_member(out, "_error", describe(got.error().code()).name);
  }
  out += "},\"cache\":{},\"timings\":{\"send\":0,\"wait\":" + elapsed + ",\"receive\":0}}";
  return out;
}

result<std::vector<recorded_exchange>> read_har(std::string_view text) {
  const result<base::json::value> parsed = base::parse_json(text);
  if (!parsed) {
    return error(errc::invalid_configuration,
                 "the recording is no JSON: " + parsed.error().detail());
  }
  const base::json::value& entries = member(*parsed, "log", "entries");
  if (!entries.is_array()) {
    return error(errc::invalid_configuration, "the recording is no HAR: it has no log.entries");
  }
  std::vector<recorded_exchange> out;
  for (const base::json::value& each : base::array_of(entries)) {
    out.push_back(read_entry(each));
    if (out.back().url.empty() || out.back().method.empty()) {
      return error(errc::invalid_configuration, "the recording has an entry without a request");
    }
  }
  return out;
}

}  // namespace freshet::http
