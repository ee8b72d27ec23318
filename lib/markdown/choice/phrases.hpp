// Tables of phrases by which a text may begin, sorted when they are compiled: a look-up costs some
// comparisons, however long the table is.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace freshet::markdown {

/// The phrases in order, as begins_with_any() needs them.
template <std::size_t N>
[[nodiscard]] constexpr std::array<std::string_view, N> sorted_phrases(
    const std::string_view (&phrases)[N]) {
  std::array<std::string_view, N> sorted{};
  std::ranges::copy(phrases, sorted.begin());
  std::ranges::sort(sorted);
  return sorted;
}

/// Whether `text` begins with a phrase that `accept` takes; it is asked about the longest first.
template <std::size_t N, class Accept>
[[nodiscard]] bool begins_with_any(const std::array<std::string_view, N>& sorted,
                                   std::string_view text, Accept accept) {
  while (!text.empty()) {
    const auto after = std::ranges::upper_bound(sorted, text);
    if (after == sorted.begin()) return false;
    const auto phrase = *(after - 1);
    if (text.starts_with(phrase)) {
      if (accept(phrase)) return true;
      // What is shorter and still begins the text begins this phrase.
      text = phrase.substr(0, phrase.size() - 1);
    } else {
      const auto differ = std::mismatch(phrase.begin(), phrase.end(), text.begin(), text.end());
      text = text.substr(0, static_cast<std::size_t>(differ.second - text.begin()));
    }
  }
  return false;
}

template <std::size_t N>
[[nodiscard]] bool begins_with_any(const std::array<std::string_view, N>& sorted,
                                   std::string_view text) {
  return begins_with_any(sorted, text, [](std::string_view) { return true; });
}

}  // namespace freshet::markdown
