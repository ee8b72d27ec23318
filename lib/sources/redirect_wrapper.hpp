// Search engines and feeds wrap the addresses that they give, to count who clicked. Here the
// address inside is taken out, without asking anybody; what can only be told by asking stays.
#pragma once

#include <string>
#include <string_view>

namespace freshet::sources {

/// The address that a redirect of an engine leads to: DuckDuckGo's /l/?uddg=, Bing's /ck/a?u=a1 and
/// apiclick.aspx?url=, Google's /url?q= and ?url=, Yahoo's /RU=. Any other text comes back as it
/// is; one that begins with "//" is taken for https.
[[nodiscard]] std::string unwrapped_address(std::string_view text);

/// Whether an address is an engine's counter of clicks on adverts, wrapped or not.
[[nodiscard]] bool is_advert_address(std::string_view text);

}  // namespace freshet::sources
