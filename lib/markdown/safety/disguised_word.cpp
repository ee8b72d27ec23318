// Few words are compared: those whose first letter and last are those of one in the list.
#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <markdown/safety/disguised_word.hpp>
#include <markdown/safety/word_hash.hpp>
#include <utility>

namespace freshet::markdown {

namespace {

/// Those that an order to a model can hardly do without. Each is in the table.
constexpr std::string_view often_misspelt[] = {
    "ignore",       "ignoring",    "disregard",  "forget",     "bypass",     "override",
    "previous",     "previously",  "preceding",  "earlier",    "foregoing",  "everything",
    "instructions", "instruction", "directives", "directions", "guidelines", "commands",
    "prompts",      "prompt",      "reveal",     "system",     "assistant",
};
constexpr std::size_t shortest_misspelt = 6, longest_disguised = 24;

constexpr std::uint64_t hash_of_letters(std::string_view word) noexcept {
  auto hash = word_hash_begin;
  for (const char c : word) hash = hash_with(hash, static_cast<unsigned char>(c));
  return hash;
}

constexpr std::size_t letters_of_ascii = 26;
constexpr std::size_t ends_of_word(std::string_view word) noexcept {
  return static_cast<std::size_t>(word.front() - 'a') * letters_of_ascii +
         static_cast<std::size_t>(word.back() - 'a');
}

const std::bitset<letters_of_ascii * letters_of_ascii>& known_ends() noexcept {
  static const auto made = [] {
    std::bitset<letters_of_ascii * letters_of_ascii> all;
    for (const auto word : often_misspelt) all.set(ends_of_word(word));
    return all;
  }();
  return made;
}

/// Whether one becomes the other by a letter that is added, left out or exchanged.
bool is_a_letter_off(std::string_view one, std::string_view other) noexcept {
  if (one.size() > other.size()) std::swap(one, other);
  if (other.size() - one.size() > 1) return false;
  const auto differ = std::ranges::mismatch(one, other);
  const auto rest = std::string_view(differ.in1, one.end());
  const auto other_rest = std::string_view(differ.in2, other.end());
  if (other_rest.empty()) return true;
  return one.size() == other.size() ? rest.substr(1) == other_rest.substr(1)
                                    : rest == other_rest.substr(1);
}

meanings means_of_misspelt(std::string_view word) noexcept {
  if (word.size() + 1 < shortest_misspelt || !known_ends().test(ends_of_word(word))) return {};
  for (const auto known : often_misspelt) {
    if (known.front() == word.front() && known.back() == word.back() &&
        is_a_letter_off(known, word)) {
      return known_instructions().of(hash_of_letters(known));
    }
  }
  return {};
}

constexpr char letter_like(char digit, char like_one) noexcept {
  switch (digit) {
    case '0':
      return 'o';
    case '1':
      return like_one;
    case '3':
      return 'e';
    case '4':
      return 'a';
    case '5':
      return 's';
    case '7':
      return 't';
    case '8':
      return 'b';
    default:
      return digit;
  }
}

}  // namespace

meanings means_of_disguised(std::string_view word) noexcept {
  constexpr std::size_t least = 3;
  if (word.size() < least || word.size() > longest_disguised) return {};
  std::array<char, longest_disguised> lower{};
  std::size_t digits = 0;
  for (std::size_t at = 0; at < word.size(); ++at) {
    const auto letter = ascii_letters[static_cast<unsigned char>(word[at])];
    if (letter == 0) return {};
    lower[at] = static_cast<char>(letter);
    digits += letter <= '9' ? 1 : 0;
  }
  const auto plain = std::string_view(lower.data(), word.size());
  if (digits == 0) return means_of_misspelt(plain);
  if (digits == word.size()) return {};
  for (const char like_one : {'i', 'l'}) {
    std::array<char, longest_disguised> read = lower;
    for (char& c : read) c = letter_like(c, like_one);
    const auto means = known_instructions().of(hash_of_letters({read.data(), word.size()}));
    if (!means.empty()) return means;
  }
  return {};
}

}  // namespace freshet::markdown
