// Mastodon's streaming: statuses as they arrive at an instance, edits and deletions. Only authors
// who opted in to being searched are taken. The stream has no positions: what is written while it
// is not open is missed.
#include <base/url.hpp>
#include <sources/json_request.hpp>
#include <sources/mastodon/wire.hpp>
#include <sources/read_answer.hpp>
#include <sources/stream.hpp>

namespace freshet::sources::mastodon {
namespace {

using base::member;
using base::view_of;
using base::json::value;

constexpr std::string_view streaming_path = "/api/v1/streaming";
/// A longer address is no instance's.
constexpr std::size_t max_address_size = 2048;

/// An address with the stream that we want of it.
std::string public_stream(std::string url) {
  if (url.find("stream=") == std::string::npos)
    url += (url.find('?') == std::string::npos ? "?" : "&") + std::string("stream=public");
  return url;
}

/// The streaming address of an instance that names no other: wss://host/api/v1/streaming.
std::string streaming_url(const settings& settings) {
  std::string url(settings.get("stream_url"));
  if (url.empty()) {
    url = base::join_path(settings.base_or(default_instance), streaming_path);
    url.replace(0, 4, "ws");  // http, https
  }
  return public_stream(std::move(url));
}

}  // namespace

result<http::request> plan_stream(const settings& settings, std::string_view) {
  http::request out;
  out.url = streaming_url(settings);
  const auto token = token_for(configured_instance(settings), settings);
  if (!token.empty()) out.headers = {{"Authorization", "Bearer " + std::string(token)}};
  return out;
}

std::optional<http::request> plan_stream_address(const settings& settings) {
  if (!settings.get("stream_url").empty()) return std::nullopt;
  return json_request(settings.base_or(default_instance), "/api/v2/instance", {});
}

std::string read_stream_address(const http::response& answer) {
  const auto body = read_json(answer);
  if (!body) return "";
  const auto named = view_of(member(*body, "configuration", "urls", "streaming"));
  const auto url = base::parse_url(named);
  if (!url || named.size() > max_address_size || url->host.empty()) return "";
  if (url->scheme != "ws" && url->scheme != "wss") return "";
  std::string out(named);
  if (url->path.find(streaming_path) == std::string::npos) {
    out = base::join_path(url->origin() + url->path, streaming_path);
  }
  return public_stream(std::move(out));
}

result<news> read_stream(const settings& settings, std::string_view message) {
  const auto parsed = base::parse_json(message);
  if (!parsed) return error(errc::source_error, "a message of the stream is no JSON");
  news out;
  const auto event = view_of(member(*parsed, "event"));
  const auto at = configured_instance(settings);
  if (event == "delete") {
    const auto id = base::text_of(member(*parsed, "payload"));
    if (is_native_id(id)) out.deleted.push_back("mastodon:" + at.host + "/" + id);
    return out;
  }
  if (event != "update" && event != "status.update") return out;
  const auto status = base::parse_json(view_of(member(*parsed, "payload")));
  if (!status) return error(errc::source_error, "a status of the stream is no JSON");
  if (member(*status, "reblog").is_object()) return out;  // its original came by itself
  auto made = read_status(*status, at);
  if (!made) return out;
  const bool public_here = view_of(member(*status, "visibility")) == "public";
  if (public_here && base::flag_of(member(*status, "account", "indexable")).value_or(false)) {
    out.items.emplace_back(std::move(*made));
  } else if (event == "status.update") {
    out.deleted.push_back(made->id);
  }
  return out;
}

}  // namespace freshet::sources::mastodon
