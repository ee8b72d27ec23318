// Where a page sends its readers by itself: the Refresh of the HTML standard, as an element of the
// page or a field of the answer. Browsers go there, so what a person sees is that page.
#pragma once

#include <base/work.hpp>
#include <http/message.hpp>
#include <string>

namespace freshet::sources::web {

/// The absolute address, http or https, if the page sends its readers there within a few seconds;
/// "" if they stay, or are sent to where they are. `address`: of the page.
[[nodiscard]] std::string refresh_target(const http::response& answer, std::string_view address,
                                         base::meter* counted = nullptr);

}  // namespace freshet::sources::web
