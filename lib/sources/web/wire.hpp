// What the files of the source `web` share: its functions and the marks of pages that stand in
// for the one that was asked for.
#pragma once

#include <optional>
#include <sources/source.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::sources::web {

/// The state of the second request of `render: auto`: the same page, to be rendered.
inline constexpr std::string_view rendering_state = "render";
/// The state of a request for what a page has led on to: one for each page so far.
inline constexpr char leading_mark = '>';
inline constexpr std::size_t most_leading_pages = 3;

plan_function plan_page;
read_function read_page;
plan_function plan_map;
read_function read_map;
plan_function plan_extract;
read_function read_extract;

/// What the status of a page means that is no success; null for 2xx.
[[nodiscard]] std::optional<error> error_of_page(const http::response& answer);

/// Whether an answer of status 2xx is a challenge (Cloudflare, DataDome, a captcha) instead of the
/// page: by headers, or by its title and scripts where it has hardly any text. `item` is what the
/// answer was converted to.
[[nodiscard]] bool is_challenge(const http::response& answer, const freshet::document& item);

/// The page that this one sends its readers to by itself (leads.hpp), to be asked for as `plan`
/// asks; null where they stay. After a few it goes no further, and a warning says so. `address`: of
/// the page.
[[nodiscard]] std::optional<result<step>> lead_on(const exchange& exchange,
                                                  const std::string& address, plan_function* plan,
                                                  std::vector<std::string>& warnings);

}  // namespace freshet::sources::web
