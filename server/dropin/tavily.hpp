// Tavily's /search as calls of ours, and our answers as its results. Pure: what is fetched, and
// when, is the composite_call's.
#pragma once

#include <boost/json/object.hpp>
#include <server/dropin/composite_call.hpp>
#include <server/dropin/searching.hpp>
#include <string>

namespace freshet::server::dropin {

/// The composition for a body; its refusals are in `said`, and then it is not to be carried out.
[[nodiscard]] composition compose_tavily_search(const boost::json::object& body,
                                                field_remarks& said, instant now,
                                                const std::string& request_id);

/// The ISO code of a country by its English name, in lower case; "" for one that is not known.
[[nodiscard]] std::string_view country_code(std::string_view name);

}  // namespace freshet::server::dropin
