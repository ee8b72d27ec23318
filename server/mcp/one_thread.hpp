// Brings requests to /mcp from every I/O thread to one thread of their own, where their messages
// are read and answered: the endpoint knows one thread, and no connection waits for another's
// batch. Accounts take turns there, whoever has come first.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <server/backend.hpp>

namespace freshet::server::mcp {

/// `receive`, called on the context's thread alone. What leaves the context first must be ready for
/// its handlers to be dropped.
[[nodiscard]] std::function<deferred_reply(http_request, const request_facts&)> on_one_thread(
    boost::asio::io_context& io,
    std::function<deferred_reply(http_request, const request_facts&)> receive);

}  // namespace freshet::server::mcp
