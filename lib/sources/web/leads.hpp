// Where else what a reader sees of a page is: where it sends its readers by itself (the Refresh of
// the HTML standard, as an element of the page or a field of the answer), and in its frames.
#pragma once

#include <base/work.hpp>
#include <http/message.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::sources::web {

/// The absolute address, http or https, if the page sends its readers there within a few seconds;
/// "" if they stay, or are sent to where they are. `address`: of the page.
[[nodiscard]] std::string refresh_target(const http::response& answer, std::string_view address,
                                         base::meter* counted = nullptr);

struct frame_list {
  std::vector<std::string> addresses;  ///< absolute, http or https; at most five
  bool is_set = false;                 ///< a <frameset>: nothing but its frames is shown
};

/// Of a page that has nothing to read itself: old sites, domains that show another one, and pages
/// that only hold a frame.
[[nodiscard]] frame_list frames_of(const http::response& answer, std::string_view address,
                                   base::meter* counted = nullptr);

}  // namespace freshet::sources::web
