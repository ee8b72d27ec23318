// Our answers as Firecrawl's: a document with its metadata, results by source.
#pragma once

#include <optional>
#include <server/dropin/firecrawl.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::server::dropin {

/// What every page of a search is asked with.
struct page_wish {
  boost::json::object parameters;  ///< of scrape/markdown, without the url
  document_parts parts;
};

/// What goes with an answer beside its content.
struct answer_facts {
  std::string request_id;
  std::int64_t credits = 0;
  std::vector<remark> warnings;
};

/// A search between its calls.
struct search_state {
  wish wanted;
  std::optional<page_wish> pages;
  std::vector<remark> warnings;
  std::string request_id;
  std::vector<std::string_view> names;   ///< "web", "news": of the first calls; static storage
  std::vector<search_findings> results;  ///< of each, once they are read
};

[[nodiscard]] response scrape_answer(const response& answered, const document_parts& parts,
                                     std::string_view asked_url, const answer_facts& facts);
/// Reads the results, and names the page of each.
[[nodiscard]] std::vector<inner_call> pages_of(search_state& state,
                                               const std::vector<response>& first);
/// `pages`: empty, or one for each result, in order.
[[nodiscard]] response search_answer(search_state& state, const std::vector<response>& first,
                                     const std::vector<response>& pages, std::int64_t credits);

}  // namespace freshet::server::dropin
