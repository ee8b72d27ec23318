// The HTML body of a post or a comment, as forums and feeds send it: its text, the addresses that
// it links and the pictures that it shows. For fragments, not for pages.
#pragma once

#include <freshet/item.hpp>
#include <string_view>

namespace freshet::sources {

/// Pictures taken from one body; what comes after them is decoration more often than not.
inline constexpr std::size_t max_pictures = 20;

/// Sets text, and adds links and pictures, of `common`. Addresses are resolved against `base_url`;
/// emoji, avatars and links within the body are left out.
void read_rich_text(std::string_view html, std::string_view base_url, item_common& common);

/// What a body links and shows, taken into `common` unless it is there: an address that is resolved
/// against `base_url`, and is none within the body.
void add_link(std::string_view address, std::string_view base_url, item_common& common);
void add_picture(std::string_view address, std::string_view base_url, media shown,
                 item_common& common);

}  // namespace freshet::sources
