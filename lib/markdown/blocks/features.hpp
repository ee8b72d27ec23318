// What is seen of every block, as small numbers: the columns of the fitted table. One pass over the
// blocks and boxes for each group; nothing is decided here.
#pragma once

#include <array>
#include <cstdint>
#include <markdown/about/page_type.hpp>
#include <markdown/blocks/blocks.hpp>
#include <markdown/blocks/feature_value.hpp>
#include <markdown/blocks/odds.hpp>
#include <markdown/metadata.hpp>
#include <span>
#include <string_view>
#include <vector>

namespace freshet::markdown {

enum class feature : std::uint8_t {
#define FRESHET_FEATURE(group, name) name,
#include <markdown/blocks/features.def>
  count
};
inline constexpr std::size_t feature_count = static_cast<std::size_t>(feature::count);
[[nodiscard]] std::string_view name_of(feature one) noexcept;
[[nodiscard]] std::string_view group_of(feature one) noexcept;

using feature_row = std::array<std::uint8_t, feature_count>;

/// What the features are made of, beside the blocks.
struct block_evidence {
  const metadata& about;
  const page_signs& signs;
  std::span<const std::uint8_t> kept;  ///< a node: whether the choice by signals keeps it
  const odds_table& odds;
};

[[nodiscard]] std::vector<feature_row> read_features(const page_tree& tree, const block_list& list,
                                                     const block_evidence& evidence);

/// Calls `use` with the hash of every word of class and id names of an element.
template <class Use>
void each_name_word(const page_tree& tree, html::node_id id, Use use) {
  constexpr std::size_t longest = 300;
  for (const std::string_view attribute : {"class", "id"}) {
    const auto names = tree.attribute_of(id, attribute).substr(0, longest);
    word_hash hash(word_hash::of_names);
    std::size_t length = 0;
    bool small = false;  // the last one was a small letter
    const auto end = [&] {
      if (length >= 2) use(hash.value());
      hash = word_hash(word_hash::of_names);
      length = 0;
    };
    for (const char c : names) {
      const bool capital = c >= 'A' && c <= 'Z';
      if (!capital && (c < 'a' || c > 'z')) {
        end();
        small = false;
        continue;
      }
      if (capital && small) end();
      small = !capital;
      hash.add(static_cast<unsigned char>(c | 0x20));
      ++length;
    }
    end();
  }
}

}  // namespace freshet::markdown
