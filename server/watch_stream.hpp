// Who watches an account in a browser: an event whenever calls of the account were written to the
// log. It says that there are new ones, never which: the page asks for what it shows.
#pragma once

#include <server/backend.hpp>
#include <server/routes.hpp>
#include <string>

namespace freshet::server {

/// The answer to GET /dashboard/api/events: `calls` events until the client leaves, the session
/// ends or the server drains. An event that is not read yet stands for those behind it.
[[nodiscard]] deferred_reply watch_calls(const backend& behind, std::string session,
                                         request_facts facts);

}  // namespace freshet::server
