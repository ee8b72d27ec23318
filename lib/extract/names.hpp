// The names under which pages say what callers ask for: schema.org's own, what OpenGraph and <meta>
// call the same, and the names that people give it. One table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace freshet::extract {

/// A name as it is compared: without a vocabulary's prefix, separators and capitals: "og:site_name"
/// and "siteName" are "sitename".
[[nodiscard]] std::string plain_name(std::string_view name);

/// The ways by which a page may have `name`, the nearest first: plain names with '.' between an
/// object and what is in it. The first is the name itself.
[[nodiscard]] std::vector<std::string> ways_to(std::string_view name);

/// "products" as "product", plainly; the same name where it is no plural.
[[nodiscard]] std::string singular(std::string_view plain);

}  // namespace freshet::extract
