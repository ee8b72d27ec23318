// The log-odds of words, fitted: words of class and id names, and words of short texts. A flat
// table by hash, since a page asks for thousands.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

namespace freshet::markdown {

/// The hash of a word, letter by letter. Words of names begin with another value than those of
/// texts, so that one table holds both.
class word_hash {
 public:
  static constexpr std::uint32_t of_names = 0x811C9DC5u, of_texts = 0x2F0B4C47u;

  explicit constexpr word_hash(std::uint32_t beginning) noexcept : hash_(beginning) {}
  constexpr void add(unsigned char letter) noexcept { hash_ = (hash_ ^ letter) * prime; }
  [[nodiscard]] constexpr std::uint32_t value() const noexcept { return hash_; }
  /// Of two words, one after the other.
  [[nodiscard]] static constexpr std::uint32_t pair(std::uint32_t a, std::uint32_t b) noexcept {
    return (a * prime ^ b) * prime;
  }

 private:
  static constexpr std::uint32_t prime = 0x01000193u;
  std::uint32_t hash_;
};

class odds_table {
 public:
  /// For so many words.
  explicit odds_table(std::size_t words = 0) : slots_(std::bit_ceil(words * 2 + 2)) {}

  /// In eighths; not 0.
  void add(std::uint32_t hash, std::int8_t odds) noexcept { slots_[place_of(hash)] = {hash, odds}; }
  /// 0 for a word that is not in it.
  [[nodiscard]] std::int32_t find(std::uint32_t hash) const noexcept {
    return slots_[place_of(hash)].odds;
  }

 private:
  struct slot {
    std::uint32_t hash = 0;
    std::int8_t odds = 0;
  };

  /// That of the word, or the empty one where it would be.
  [[nodiscard]] std::size_t place_of(std::uint32_t hash) const noexcept {
    auto at = (hash ^ (hash >> 15)) & (slots_.size() - 1);
    while (slots_[at].odds != 0 && slots_[at].hash != hash) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  std::vector<slot> slots_;
};

}  // namespace freshet::markdown
