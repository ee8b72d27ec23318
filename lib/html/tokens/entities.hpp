// Character references (&amp; &#233; &eacute) as the HTML standard reads them. Shared by the
// fragment reader and whatever parses pages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace freshet::html {

/// What a character reference stands for.
struct character_reference {
  std::size_t length = 0;  ///< bytes that it takes in the text; 0: it is none
  std::uint8_t size = 0;   ///< of `bytes`
  std::array<char, 8> bytes{};

  [[nodiscard]] std::string_view text() const noexcept { return {bytes.data(), size}; }
};

/// The character reference at the start of `text` (which begins with '&').
[[nodiscard]] character_reference match_reference(std::string_view text,
                                                  bool in_attribute) noexcept;

/// Reads the character reference at the start of `text` (which begins with '&') and appends what it
/// stands for. Returns how many bytes it took; 0 if it is none and the '&' is only a character.
/// In an attribute a bare name before '=' or an alphanumeric is none (`?a=1&copy=2`).
std::size_t append_reference(std::string& out, std::string_view text, bool in_attribute);

/// Appends `text` with every reference decoded.
void append_decoded(std::string& out, std::string_view text, bool in_attribute);

}  // namespace freshet::html
