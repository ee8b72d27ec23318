// Reading a service's web page by selectors: for the sources that have no API to ask. The selectors
// are constants of the sources; what they match in somebody's page is never trusted.
#pragma once

#include <cstddef>
#include <html/document.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::sources {

/// Bounds for a page of results, far beyond any honest one: its bytes, and how many results are
/// looked into. Results that stand inside one another are each searched in full.
inline constexpr std::size_t max_result_page_bytes = 2u << 20;
inline constexpr std::size_t max_results_of_page = 100;

/// The elements below `within` that match, in document order. None if `selector` is not one.
[[nodiscard]] std::vector<html::node_id> select_all(const html::document& page,
                                                    html::node_id within,
                                                    std::string_view selector);
/// The first of them; html::none if there is none.
[[nodiscard]] html::node_id select_first(const html::document& page, html::node_id within,
                                         std::string_view selector);

/// What an element says on one line: its text without scripts and styles, spaces collapsed, NFC. ""
/// for html::none.
[[nodiscard]] std::string line_of(const html::document& page, html::node_id element);

}  // namespace freshet::sources
