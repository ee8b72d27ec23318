// An answer that comes as server-sent events: what its head says, whoever makes the events.
#pragma once

#include <memory>
#include <server/http/body_stream.hpp>
#include <server/http/reply.hpp>
#include <string>
#include <string_view>

namespace freshet::server {

/// A reply that carries `stream` as server-sent events; null: the body is still to be given.
[[nodiscard]] reply event_reply(const std::shared_ptr<body_stream>& stream,
                                const std::string& request_id);

/// One event, whose data have no line end.
[[nodiscard]] std::string event_text(std::string_view name, std::string_view data);

}  // namespace freshet::server
