// Lists of ranges with q values. A malformed element counts as absent: negotiation never fails a
// request that could be answered.
#include <server/http/framing.hpp>
#include <server/http/negotiation.hpp>

namespace freshet::server {
namespace {

/// The part before the first ';', and whether the parameters say q=0.
struct weighted_range {
  std::string_view value;
  bool refused = false;
};

weighted_range read_weighted(std::string_view element) {
  const std::size_t semicolon = element.find(';');
  weighted_range out{trim_blank(element.substr(0, semicolon)), false};
  while (semicolon != std::string_view::npos && !element.empty()) {
    const std::size_t at = element.find(';');
    if (at == std::string_view::npos) break;
    element.remove_prefix(at + 1);
    const std::string_view parameter = trim_blank(element.substr(0, element.find(';')));
    if (parameter.size() < 3 || !equal_ascii_nocase(parameter.substr(0, 2), "q=")) continue;
    const std::string_view q = parameter.substr(2);
    // "0", "0.", "0.0", "0.00" and "0.000" are the zeroes.
    out.refused = q[0] == '0' && q.find_first_not_of("0.") == std::string_view::npos;
  }
  return out;
}

}  // namespace

bool accepts_json(std::string_view accept) noexcept {
  if (accept.empty()) return true;
  // The most specific range decides: application/json over application/* over */*.
  int best = -1;
  bool accepted = false;
  for_each_element(accept, [&](std::string_view element) {
    const weighted_range range = read_weighted(element);
    const int precision = equal_ascii_nocase(range.value, "application/json") ? 2
                          : equal_ascii_nocase(range.value, "application/*")  ? 1
                          : range.value == "*/*"                              ? 0
                                                                              : -1;
    if (precision > best) {
      best = precision;
      accepted = !range.refused;
    }
  });
  return accepted;
}

stream_form wanted_stream(std::string_view accept) noexcept {
  stream_form wanted = stream_form::none;
  bool json = false;
  for_each_element(accept, [&](std::string_view element) {
    const weighted_range range = read_weighted(element);
    if (range.refused) return;
    json = json || equal_ascii_nocase(range.value, "application/json");
    if (wanted != stream_form::none) return;
    if (equal_ascii_nocase(range.value, "text/event-stream")) wanted = stream_form::events;
    if (equal_ascii_nocase(range.value, "application/x-ndjson")) wanted = stream_form::lines;
  });
  return json ? stream_form::none : wanted;
}

bool prefers_html(std::string_view accept) noexcept {
  bool html = false, json = false;
  for_each_element(accept, [&](std::string_view element) {
    const weighted_range range = read_weighted(element);
    if (range.refused) return;
    html = html || equal_ascii_nocase(range.value, "text/html");
    json = json || equal_ascii_nocase(range.value, "application/json");
  });
  return html && !json;
}

bool accepts_gzip(std::string_view accept_encoding) noexcept {
  bool named = false;
  bool accepted = false;
  for_each_element(accept_encoding, [&](std::string_view element) {
    const weighted_range coding = read_weighted(element);
    if (equal_ascii_nocase(coding.value, "gzip") || equal_ascii_nocase(coding.value, "x-gzip")) {
      named = true;
      accepted = !coding.refused;
    } else if (coding.value == "*" && !named) {
      accepted = !coding.refused;
    }
  });
  return accepted;
}

bool is_json(std::string_view content_type) noexcept {
  if (content_type == "application/json") return true;
  const std::size_t semicolon = content_type.find(';');
  if (!equal_ascii_nocase(trim_blank(content_type.substr(0, semicolon)), "application/json")) {
    return false;
  }
  while (content_type.find(';') != std::string_view::npos) {
    content_type.remove_prefix(content_type.find(';') + 1);
    const std::string_view parameter = trim_blank(content_type.substr(0, content_type.find(';')));
    const std::size_t equals = parameter.find('=');
    if (equals == std::string_view::npos) continue;
    if (!equal_ascii_nocase(parameter.substr(0, equals), "charset")) continue;
    const std::string_view charset = parameter.substr(equals + 1);
    if (!equal_ascii_nocase(charset, "utf-8") && !equal_ascii_nocase(charset, "\"utf-8\"")) {
      return false;
    }
  }
  return true;
}

bool matches_etag(std::string_view if_none_match, std::string_view etag) noexcept {
  bool matched = false;
  for_each_element(if_none_match, [&](std::string_view element) {
    if (element.starts_with("W/")) element.remove_prefix(2);
    matched = matched || element == "*" || element == etag;
  });
  return matched;
}

}  // namespace freshet::server
