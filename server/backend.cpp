// The engine as a backend.
#include <server/backend.hpp>
#include <utility>

namespace freshet::server {

backend backend_of(engine& behind, dashboard_settings dashboard_http) {
  backend d;
  d.submit = [&behind](request&& what, std::function<void(response)>&& done) {
    return behind.submit(std::move(what), std::move(done));
  };
  d.cancel = [&behind](std::uint64_t ticket) { behind.cancel(ticket); };
  d.submit_dashboard = [&behind](dashboard_request what,
                                 std::function<void(dashboard_response)> done) {
    behind.submit_dashboard(std::move(what), std::move(done));
  };
  d.watch_calls = [&behind](const std::string& session, std::function<bool()> written) {
    return behind.watch_calls(session, std::move(written));
  };
  d.dashboard_http = std::move(dashboard_http);
  d.owner_of = [&behind](std::string_view key) -> result<std::string> {
    const auto rights = behind.check_key(key);
    if (!rights) return rights.error();
    return std::to_string(rights->owner);
  };
  d.knows_origin = [&behind](std::string_view origin) { return behind.knows_origin(origin); };
  d.ready = [&behind] { return behind.ready(); };
  d.has_room = [&behind] { return behind.has_room(); };
  d.problem = [&behind](const error& what, std::string_view request_id) {
    return behind.problem(what, request_id);
  };
  d.endpoints = endpoint_paths();
  d.openapi = [&behind] { return behind.openapi(); };
  return d;
}

}  // namespace freshet::server
