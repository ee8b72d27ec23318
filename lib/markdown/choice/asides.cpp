// On a page of few blocks hardly anything says what such a text is, and the fit has seen few of
// them: the choice of one alone turns with each fit. Names and places say the same in all.
#include <markdown/choice/asides.hpp>

namespace freshet::markdown {

namespace {

class aside_reader {
 public:
  aside_reader(const block_list& list, const aside_facts& facts) : list_(list), facts_(facts) {}

  /// "Pinned" above a heading that stays.
  [[nodiscard]] bool is_label(std::size_t block) const {
    constexpr double most_words = 2;
    constexpr float sure = 0.75f;
    return !list_.blocks[block].heading && list_.blocks[block].words() <= most_words &&
           facts_.probability[block] < sure && !has(block, feature::in_list) &&
           !has(block, feature::in_table) && !has(block, feature::ends_sentence);
  }

  /// "Sent by ship" in an element that is named for it, on the page of a product; a sentence there
  /// may be about the product.
  [[nodiscard]] bool is_purchase(std::size_t block) const {
    constexpr double most_words = 12;
    constexpr float sure = 0.65f;
    return has(block, feature::says_product) && has(block, feature::is_purchase) &&
           list_.blocks[block].words() < most_words && !has(block, feature::ends_sentence) &&
           facts_.probability[block] < sure;
  }

  /// "1 2 3" in an element that is named for pages, or for what else is seldom content.
  [[nodiscard]] bool is_pager(std::size_t block) const {
    constexpr float sure = 0.65f;
    const auto& text = list_.blocks[block].text;
    return has(block, feature::is_unlikely) && !has(block, feature::in_table) &&
           text.digits == text.letters && facts_.probability[block] < sure;
  }

 private:
  [[nodiscard]] bool has(std::size_t block, feature one) const {
    return facts_.rows[block][static_cast<std::size_t>(one)] != 0;
  }

  const block_list& list_;
  const aside_facts& facts_;
};

}  // namespace

void drop_asides(const page_tree& tree, const block_list& list, const aside_facts& facts,
                 std::span<std::uint8_t> kept) {
  const aside_reader reader(list, facts);
  tree.spend(kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i] == 0) continue;
    const bool leads = i + 1 < kept.size() && kept[i + 1] != 0 && list.blocks[i + 1].heading;
    if ((leads && reader.is_label(i)) || reader.is_purchase(i) || reader.is_pager(i)) kept[i] = 0;
  }
}

}  // namespace freshet::markdown
