// Mastodon's streaming: statuses as they arrive at an instance, edits and deletions. Only authors
// who opted in to being searched are taken. The stream has no positions: what is written while it
// is not open is missed.
#include <base/url.hpp>
#include <sources/mastodon/wire.hpp>
#include <sources/stream.hpp>

namespace freshet::sources::mastodon {
namespace {

using base::member;
using base::view_of;
using base::json::value;

/// The streaming address of an instance that names no other: wss://host/api/v1/streaming.
std::string streaming_url(const settings& settings) {
  const auto set = settings.get("stream_url");
  std::string url(set);
  if (url.empty()) {
    const std::string_view at = settings.base_url;
    url = base::join_path(at.empty() ? default_instance : at, "/api/v1/streaming");
    url.replace(0, 4, "ws");  // http, https
  }
  if (url.find("stream=") == std::string::npos)
    url += (url.find('?') == std::string::npos ? "?" : "&") + std::string("stream=public");
  return url;
}

}  // namespace

result<http::request> plan_stream(const settings& settings, std::string_view) {
  http::request out;
  out.url = streaming_url(settings);
  const auto token = token_for(configured_instance(settings), settings);
  if (!token.empty()) out.headers = {{"Authorization", "Bearer " + std::string(token)}};
  return out;
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
