// Whether a page as fetched is an empty shell: nothing to read, and scripts that would fill it. The
// decision of `render: auto`, over the fetched bytes alone.
#pragma once

#include <base/work.hpp>
#include <http/message.hpp>
#include <string_view>

namespace freshet::sources::web {

/// Why a page is an empty shell, for a person; "" if it is none.
[[nodiscard]] std::string_view sign_of_empty_shell(const http::response& answer,
                                                   base::meter* counted = nullptr);

}  // namespace freshet::sources::web
