// Tavily's /extract and /crawl as calls of ours: a page of scrape/markdown for each address, which
// the caller names, or scrape/map.
#pragma once

#include <boost/json/object.hpp>
#include <server/dropin/composite_call.hpp>
#include <server/dropin/fields.hpp>
#include <string>

namespace freshet::server::dropin {

/// The compositions for a body; its refusals are in `said`, and then it is not to be carried out.
[[nodiscard]] composition compose_tavily_extract(const boost::json::object& body,
                                                 field_remarks& said,
                                                 const std::string& request_id);
[[nodiscard]] composition compose_tavily_crawl(const boost::json::object& body, field_remarks& said,
                                               const std::string& request_id);

}  // namespace freshet::server::dropin
