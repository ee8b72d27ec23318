// The drop-in routes: what Firecrawl's clients (/v2/scrape, /v2/search) and Tavily's (/search,
// /extract, /map, /crawl) send is answered with calls of our catalogue, in those peers' shapes. It
// stands between the router and the engine's backend and looks like it; it fetches nothing by
// itself. The routes are the peers' contract, not ours: they do not stand in /openapi.json.
#pragma once

#include <boost/asio/io_context.hpp>
#include <freshet/response.hpp>
#include <optional>
#include <server/backend.hpp>
#include <server/dropin/composite_call.hpp>
#include <server/dropin/fields.hpp>
#include <span>
#include <string>
#include <string_view>

namespace freshet::server::dropin {

/// The paths that are served.
[[nodiscard]] std::span<const std::string_view> paths() noexcept;
/// The route of a path; of a path of Firecrawl's that is not served, the scrape's, so that its
/// clients can read the refusal. Null for every other path.
[[nodiscard]] std::optional<route> route_of(std::string_view path) noexcept;
/// Whether there is more than a refusal at this path.
[[nodiscard]] bool is_served(std::string_view path) noexcept;

/// A failure as the clients of this route read it.
[[nodiscard]] response in_shape(route route, const response& problem);
/// The key in a body where old clients of Tavily put it; "" if there is none.
[[nodiscard]] std::string key_in_body(route route, std::string_view body);

/// A backend whose submit() also takes requests with one of paths() as endpoint. cancel() knows
/// them. Reading them and shaping their answers is work for `place`, not for the threads of
/// connections: an answer may hold a hundred pages.
[[nodiscard]] backend with_dropin(backend behind, work_place place);
/// Work on the context's thread, where owners take turns. The context must outlive it.
[[nodiscard]] work_place in_turns(boost::asio::io_context& io);

}  // namespace freshet::server::dropin
