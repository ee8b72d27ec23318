// Tavily's /map as a call of scrape/map.
#pragma once

#include <boost/json/object.hpp>
#include <server/dropin/composite_call.hpp>
#include <server/dropin/fields.hpp>
#include <string>

namespace freshet::server::dropin {

/// The composition for a body; its refusals are in `said`, and then it is not to be carried out.
[[nodiscard]] composition compose_tavily_map(const boost::json::object& body, field_remarks& said,
                                             const std::string& request_id);

}  // namespace freshet::server::dropin
