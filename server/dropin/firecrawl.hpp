// Firecrawl's /v2/scrape and /v2/search as calls of ours, and our answers as its documents and
// results. Pure: what is fetched, and when, is the composite_call's.
#pragma once

#include <boost/json/object.hpp>
#include <server/dropin/composite_call.hpp>
#include <server/dropin/searching.hpp>
#include <string>

namespace freshet::server::dropin {

/// Which parts of a document were asked for.
struct document_parts {
  bool markdown = true, links = false, images = false;
  [[nodiscard]] bool none() const noexcept { return !markdown && !links && !images; }
};

/// The composition for a body; its refusals are in `said`, and then it is not to be carried out.
[[nodiscard]] composition compose_scrape(const boost::json::object& body, field_remarks& said,
                                         const std::string& request_id);
[[nodiscard]] composition compose_firecrawl_search(const boost::json::object& body,
                                                   field_remarks& said, instant now,
                                                   const std::string& request_id);

/// A document of scrape/markdown (the whole envelope) as Firecrawl's, with what was asked of it.
[[nodiscard]] boost::json::object document_of(const boost::json::object& envelope,
                                              const document_parts& parts,
                                              std::string_view asked_url);

}  // namespace freshet::server::dropin
