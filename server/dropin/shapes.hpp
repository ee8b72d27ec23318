// Failures in the shape, and with the status, that a peer's clients read. The text and the code
// stay ours; only names of parameters become the peer's.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <chrono>
#include <freshet/response.hpp>
#include <server/dropin/fields.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::server::dropin {

/// A failed answer of the engine, or of the HTTP layer, as the route's peer would give it.
[[nodiscard]] response shape_of(route route, const response& failed);
/// 400 for everything that was refused.
[[nodiscard]] response refusal(route route, const std::vector<remark>& refused);
/// What failed, in one line: for a page among others.
[[nodiscard]] std::string reason_of(route route, const response& failed);

/// A body as an object; an empty one if it is none.
[[nodiscard]] boost::json::object object_of(std::string_view body);
/// A member's text; "" if there is none. Valid as long as the object.
[[nodiscard]] std::string_view text_of(const boost::json::object& object, std::string_view name);
/// An address as the peers take it: one without a scheme is of http.
[[nodiscard]] std::string with_scheme(const std::string& url);
/// The addresses of an item's pictures.
[[nodiscard]] boost::json::array pictures_on_page(const boost::json::object& document);
/// "name: text", each by itself, as Tavily's answers have them.
[[nodiscard]] boost::json::array lines_of(const std::vector<remark>& all);
/// Seconds, to the hundredth, as Tavily tells how long an answer took.
[[nodiscard]] double in_hundredths(std::chrono::milliseconds elapsed) noexcept;
/// "name: text", joined by "; ".
[[nodiscard]] std::string joined(const std::vector<remark>& all);

}  // namespace freshet::server::dropin
