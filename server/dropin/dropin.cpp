// A request becomes a composition, and that a composite call; those that run are kept by their
// tickets.
#include <algorithm>
#include <array>
#include <boost/asio/post.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <server/dropin/composite_call.hpp>
#include <server/dropin/dropin.hpp>
#include <server/dropin/firecrawl.hpp>
#include <server/dropin/shapes.hpp>
#include <server/dropin/tavily.hpp>
#include <server/dropin/tavily_extract.hpp>
#include <server/dropin/tavily_map.hpp>
#include <server/wire/turns.hpp>
#include <utility>

namespace freshet::server::dropin {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 6> served{"/v2/scrape", "/v2/search", "/search",
                                                 "/extract",   "/map",       "/crawl"};
constexpr std::string_view firecrawl_prefix = "/v2/";
/// Leaves room for what composite calls add to name their calls ("/100").
constexpr std::size_t max_idempotency_key_bytes = 250;
/// Tells an composite_call's ticket from one of the engine's, which count from 1.
constexpr std::uint64_t composite_bit = std::uint64_t{1} << 63;

/// The composite calls that run. Thread-safe.
struct board {
  std::mutex mutex;
  std::uint64_t last = 0;
  std::map<std::uint64_t, std::shared_ptr<composite_call>> running;
};

/// The body's object; one that is none is refused.
json::object read_body(std::string_view body, field_remarks& said) {
  if (body.empty()) return {};
  boost::system::error_code failed;
  json::value read = json::parse(body, failed);
  if (!failed && read.is_object()) return std::move(read.get_object());
  said.refused.push_back({"body", "give one JSON object"});
  return {};
}

composition composition_of(route way, const request& request, field_remarks& said) {
  const json::object body = read_body(request.body, said);
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  if (request.idempotency_key.size() > max_idempotency_key_bytes) {
    said.refused.push_back({"Idempotency-Key", "give one of at most 250 characters"});
  }
  if (!said.refused.empty()) return {};
  switch (way) {
    case route::firecrawl_scrape:
      return compose_scrape(body, said, request.request_id);
    case route::firecrawl_search:
      return compose_firecrawl_search(body, said, now, request.request_id);
    case route::tavily_search:
      return compose_tavily_search(body, said, now, request.request_id);
    case route::tavily_extract:
      return compose_tavily_extract(body, said, request.request_id);
    case route::tavily_map:
      return compose_tavily_map(body, said, request.request_id);
    case route::tavily_crawl:
      return compose_tavily_crawl(body, said, request.request_id);
  }
  return {};
}

/// Whoever may not call at all is told so first: a key is judged before a body.
composition refusing(route route, std::vector<remark> refused) {
  composition out;
  out.dry_runs.push_back({"scrape/markdown", {{"url", "https://example.com/"}, {"dry_run", true}}});
  out.finish = [route, refused = std::move(refused)](std::vector<response>, std::vector<response>,
                                                     std::int64_t, std::chrono::milliseconds) {
    return refusal(route, refused);
  };
  return out;
}

composition compose_call(route route, const request& request) {
  field_remarks said;
  composition todo = composition_of(route, request, said);
  if (!said.refused.empty()) todo = refusing(route, std::move(said.refused));
  todo.refuse = [route](const response& failed) { return shape_of(route, failed); };
  return todo;
}

std::uint64_t begin(const std::shared_ptr<board>& shared, const backend& behind,
                    const work_place& place, route route, request request,
                    std::function<void(response)> done) {
  std::uint64_t ticket = 0;
  std::shared_ptr<composite_call> made;
  {
    const std::lock_guard lock(shared->mutex);
    ticket = ++shared->last | composite_bit;
    made = std::make_shared<composite_call>(
        behind, std::move(request),
        [route](const freshet::request& asked) { return compose_call(route, asked); }, place,
        [board_of = std::weak_ptr<board>(shared), ticket, done = std::move(done)](response with) {
          done(std::move(with));
          // The board holds the composite_call: it must not be held in turn.
          const auto left = board_of.lock();
          if (!left) return;
          const std::lock_guard taking(left->mutex);
          left->running.erase(ticket);
        });
    shared->running.emplace(ticket, made);
  }
  try {
    made->start();
  } catch (const std::bad_alloc&) {
    const std::lock_guard lock(shared->mutex);
    shared->running.erase(ticket);
    throw;
  }
  return ticket;
}

}  // namespace

std::span<const std::string_view> paths() noexcept { return served; }

bool is_served(std::string_view path) noexcept {
  return std::ranges::find(served, path) != served.end();
}

std::optional<route> route_of(std::string_view path) noexcept {
  if (path == "/search") return route::tavily_search;
  if (path == "/extract") return route::tavily_extract;
  if (path == "/map") return route::tavily_map;
  if (path == "/crawl") return route::tavily_crawl;
  if (path == "/v2/search") return route::firecrawl_search;
  if (path.starts_with(firecrawl_prefix)) return route::firecrawl_scrape;
  return std::nullopt;
}

response in_shape(route route, const response& problem) { return shape_of(route, problem); }

std::string key_in_body(route way, std::string_view body) {
  if (!is_of_tavily(way)) return {};
  return std::string(text_of(object_of(body), "api_key"));
}

backend with_dropin(backend behind, work_place place) {
  const auto on = std::make_shared<board>();
  backend out = behind;
  behind.openapi = nullptr;  // the composite calls need none of it
  out.dropin = true;
  out.submit = [on, behind, place = std::move(place)](request&& what,
                                                      std::function<void(response)>&& done) {
    if (!is_served(what.endpoint)) return behind.submit(std::move(what), std::move(done));
    const route of = *route_of(what.endpoint);
    return begin(on, behind, place, of, std::move(what), std::move(done));
  };
  out.cancel = [on, cancel = behind.cancel](std::uint64_t ticket) {
    if ((ticket & composite_bit) == 0) return cancel(ticket);
    std::shared_ptr<composite_call> found;
    {
      const std::lock_guard lock(on->mutex);
      const auto at = on->running.find(ticket);
      if (at != on->running.end()) found = at->second;
    }
    if (found) found->cancel();
  };
  return out;
}

work_place in_turns(boost::asio::io_context& io) {
  const auto order = std::make_shared<turns>(io.get_executor());
  return [&io, order](const std::string& owner, std::function<void()> work) {
    boost::asio::post(io, [order, owner, work = std::move(work)] { order->post(owner, work); });
  };
}

}  // namespace freshet::server::dropin
