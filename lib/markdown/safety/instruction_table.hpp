// The rules of instruction_rules.def as a table: what a word means, and where in the rules a
// meaning stands.
#pragma once

#include <array>
#include <bit>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string_view>
#include <vector>

namespace freshet::markdown {

enum class meaning : std::uint8_t {
#define FRESHET_WORDS(name, words) name,
#include <markdown/safety/instruction_rules.def>
  count
};

/// Some of the meanings.
class meanings {
 public:
  static constexpr std::size_t most = 128;

  constexpr meanings() = default;
  constexpr explicit meanings(std::size_t one) noexcept {
    halves_[one / half_size] = std::uint64_t{1} << one % half_size;
  }
  constexpr explicit meanings(meaning one) noexcept : meanings(static_cast<std::size_t>(one)) {}

  [[nodiscard]] constexpr bool empty() const noexcept { return (halves_[0] | halves_[1]) == 0; }
  [[nodiscard]] constexpr bool has_any(meanings others) const noexcept {
    return ((halves_[0] & others.halves_[0]) | (halves_[1] & others.halves_[1])) != 0;
  }
  friend constexpr meanings operator|(meanings one, meanings other) noexcept {
    one.halves_[0] |= other.halves_[0];
    one.halves_[1] |= other.halves_[1];
    return one;
  }
  constexpr void remove(meanings others) noexcept {
    halves_[0] &= ~others.halves_[0];
    halves_[1] &= ~others.halves_[1];
  }
  /// The first of them, which is none of them any more. Some must be left.
  constexpr std::size_t take_first() noexcept {
    const std::size_t at = halves_[0] == 0 ? 1 : 0;
    const auto bit = static_cast<std::size_t>(std::countr_zero(halves_[at]));
    halves_[at] &= halves_[at] - 1;
    return at * half_size + bit;
  }

 private:
  static constexpr std::size_t half_size = 64;
  std::array<std::uint64_t, most / half_size> halves_{};
};
static_assert(static_cast<std::size_t>(meaning::count) <= meanings::most);

/// A row of the rules.
struct instruction_rule {
  std::string_view id;  ///< with its version
  std::string_view pattern;
};
inline constexpr instruction_rule instruction_rule_rows[] = {
#define FRESHET_RULE(id, version, pattern) {#id "." #version, pattern},
#include <markdown/safety/instruction_rules.def>
};
inline constexpr std::size_t instruction_rule_count = std::size(instruction_rule_rows);

/// Places are counted in quarters of a word: a character of a script without spaces is one.
inline constexpr std::uint32_t word_length = 4;
inline constexpr std::uint32_t any_distance = std::numeric_limits<std::uint32_t>::max();

/// One word of a rule: what it means, and how far behind the one before it may stand.
struct rule_slot {
  std::uint8_t of = 0;
  std::uint32_t gap = 0;
};

/// Where a meaning stands in the rules.
struct rule_use {
  std::uint16_t rule = 0;
  std::uint8_t at = 0;
};

class instruction_table {
 public:
  instruction_table();

  [[nodiscard]] meanings of(std::uint64_t hash) const noexcept {
    for (auto at = hash % width;; at = (at + 1) % width) {
      if (words_[at].hash == hash) return words_[at].means;
      if (words_[at].means.empty()) return {};
    }
  }
  /// Whether a run of a script without spaces may begin so.
  [[nodiscard]] bool may_begin_run(char32_t point) const noexcept {
    return run_beginnings_[point & 0xFFFF];
  }
  [[nodiscard]] const std::vector<rule_use>& uses_of(std::size_t one) const noexcept {
    return uses_[one];
  }
  [[nodiscard]] const std::vector<rule_slot>& slots_of(std::size_t rule) const noexcept {
    return slots_[rule];
  }

 private:
  struct known_word {
    std::uint64_t hash = 0;
    meanings means;
  };
  static constexpr std::size_t width =
      8192;  ///< some four times the words, in their order and in any

  void add(std::string_view word, meanings means);
  void add(std::uint64_t hash, meanings means);
  void add_rule(std::size_t number);

  std::vector<known_word> words_ = std::vector<known_word>(width);
  std::bitset<0x10000> run_beginnings_;
  std::array<std::vector<rule_use>, static_cast<std::size_t>(meaning::count)> uses_;
  std::array<std::vector<rule_slot>, instruction_rule_count> slots_;
};

/// The one there is. Any thread may ask.
[[nodiscard]] const instruction_table& known_instructions();

}  // namespace freshet::markdown
