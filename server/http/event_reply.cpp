// The fields that proxies and browsers need to pass events on as they come.
#include <server/http/event_reply.hpp>

namespace freshet::server {

reply event_reply(const std::shared_ptr<body_stream>& stream, const std::string& request_id) {
  reply out;
  out.request_id = request_id;
  out.content_type = "text/event-stream";
  out.cache_control = "no-cache, no-transform";
  out.stream = stream;
  out.heartbeat = ": still here\n\n";
  out.more_fields.emplace_back("X-Accel-Buffering", "no");  // for proxies that would collect
  return out;
}

std::string event_text(std::string_view name, std::string_view data) {
  std::string text;
  constexpr std::size_t around = 32;
  text.reserve(name.size() + data.size() + around);
  text.append("event: ").append(name).append("\ndata: ").append(data).append("\n\n");
  return text;
}

}  // namespace freshet::server
