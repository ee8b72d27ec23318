// Which picture an <img> stands for: lazy sources, srcset, placeholders, tracking pixels.
#pragma once

#include <html/document.hpp>
#include <string>
#include <string_view>

namespace freshet::markdown {

/// The address that a browser would end up showing, as written in the page; "" if there is none.
[[nodiscard]] std::string image_source(const html::document& page, html::node_id image);
/// The largest candidate of a srcset; "" if it has none.
[[nodiscard]] std::string_view best_of_srcset(std::string_view srcset);
/// A picture that only counts visits.
[[nodiscard]] bool is_tracking_pixel(const html::document& page, html::node_id image);
/// The page on which an embedded video can be watched; "" if `source` is no known player.
[[nodiscard]] std::string video_page(std::string_view source);

}  // namespace freshet::markdown
