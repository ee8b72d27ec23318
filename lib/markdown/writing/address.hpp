// Which addresses of a page may stand in its markdown: an allow-list of schemes, looked at when the
// address is absolute. What is not on it is no link and no picture; its text stays.
#pragma once

#include <base/url.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace freshet::markdown {

/// Links lead to the web, to a mailbox or a telephone; pictures and players are on the web.
enum class address_use { link, embedding };

/// `reference` as a browser reads it: absolute where `base`, or itself, says what it is relative
/// to, as it stands where nothing does; "" if its scheme is not allowed. A name and a password go:
/// "https://bank.example@evil.example/" reads as another host's.
[[nodiscard]] std::string allowed_address(const std::optional<base::url>& base,
                                          std::string_view reference, address_use use);

}  // namespace freshet::markdown
