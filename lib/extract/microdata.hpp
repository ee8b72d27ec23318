// Microdata, as the HTML standard reads it: items with their properties, also those that itemref
// brings from elsewhere, as JSON objects like those of JSON-LD.
#pragma once

#include <base/json.hpp>
#include <base/url.hpp>
#include <extract/copy_room.hpp>
#include <html/document.hpp>
#include <optional>
#include <string>
#include <vector>

namespace freshet::extract {

/// Items of one page and properties of one item that are read.
inline constexpr std::size_t max_items = 5000;
inline constexpr std::size_t max_item_properties = 1000;
/// Items in items.
inline constexpr std::size_t max_item_depth = 16;
/// Names of one property, and types of one thing.
inline constexpr std::size_t max_names = 16;

struct microdata_item {
  html::node_id element;
  base::json::object value;  ///< "@type", "@id", then properties, one with several values as array
};

/// Those that are no property of another, in order. Addresses are made absolute where the base is
/// known. What finds no room is left out.
[[nodiscard]] std::vector<microdata_item> read_microdata(const html::document& page,
                                                         const std::optional<base::url>& base,
                                                         copy_room& room);

/// What an element says as a property's value, as the standard has it: an address of a link or a
/// picture, `content` of <meta>, `datetime` of <time>, else its text.
[[nodiscard]] std::string value_of_element(const html::document& page, html::node_id element,
                                           const std::optional<base::url>& base);

/// The text inside, its spaces collapsed; scripts and styles are no text.
[[nodiscard]] std::string text_of_element(const html::document& page, html::node_id element);

}  // namespace freshet::extract
