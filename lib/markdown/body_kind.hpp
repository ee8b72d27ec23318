// What the body of an answer is: by the type that its server gives it, and by its first bytes.
#pragma once

#include <cstdint>
#include <string_view>

namespace freshet::markdown {

enum class body_kind : std::uint8_t {
  html,
  markdown,
  plain,
  data,  ///< text for machines (JSON, XML, YAML, a script): shown as it is
  unknown
};

/// `url`: a plain text may be markdown by the end of its name.
[[nodiscard]] body_kind kind_of(std::string_view body, std::string_view content_type,
                                std::string_view url);

/// Of data: what a block of code is marked with; "" where that has no name.
[[nodiscard]] std::string_view language_of(std::string_view content_type);

}  // namespace freshet::markdown
