// Lines are the leaves of the layout. What says something about the thing itself has the length of
// a sentence, or stands in a list or a table of its properties.
#include <algorithm>
#include <base/unicode.hpp>
#include <markdown/choice/product_trimming.hpp>
#include <markdown/tree/type_signals.hpp>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;

/// A longer line is a text about the thing.
constexpr std::uint32_t longest_line = 140;
/// What a reader agrees to is longer, up to this.
constexpr std::uint32_t longest_notice = 400;
/// A line of links that is longer is a list of its own.
constexpr std::uint32_t longest_link = 40;
constexpr std::uint32_t many_links = 3;
constexpr std::uint32_t shortest_value = 3;
constexpr double only_links = 0.9;

/// "1", "/", "+4": of a gallery or a choice of colours.
bool is_count(char c) { return (c >= '0' && c <= '9') || c == '/' || c == '+' || c == '-'; }

/// Whether a letter or a digit stands at `index`; bytes of other scripts count as letters.
bool is_in_word(std::string_view text, std::size_t index) {
  if (index >= text.size()) return false;
  const auto c = static_cast<unsigned char>(text[index]);
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c >= 0x80;
}

/// Whether a phrase stands in a folded text, as whole words: an analog input is no login.
bool has_phrase(std::string_view text, std::string_view phrase) {
  for (auto at = text.find(phrase); at != std::string_view::npos; at = text.find(phrase, at + 1)) {
    const bool begins = at == 0 || !is_in_word(text, at - 1);
    if (begins && !is_in_word(text, at + phrase.size())) return true;
  }
  return false;
}

template <std::size_t N>
bool has_any(std::string_view text, const std::string_view (&phrases)[N]) {
  return std::ranges::any_of(phrases, [&](std::string_view one) { return has_phrase(text, one); });
}

class lines {
 public:
  lines(page_tree& tree, node_id root) : tree_(tree), root_(root), title_(title()) {}

  void trim() {
    tree_.spend_on(root_);
    for (auto id = root_ + 1; id < tree_.end_of(root_); ++id) {
      if (tree_.is_dropped(id) || !is_line(id)) continue;
      if (is_unwanted(id)) {
        tree_.drop(id);
      } else {
        after_label_ = tree_.text_of(id).ends_with(':');
      }
    }
    tree_.count();
  }

 private:
  [[nodiscard]] node_id title() const {
    tree_.spend_on(root_);
    for (auto id = root_; id < tree_.end_of(root_); ++id) {
      if (!tree_.is_dropped(id) && tree_.is_element(id, html::tag_id::h1)) return id;
    }
    return none;
  }
  [[nodiscard]] bool is_line(node_id id) const {
    if (!tree_.is_element(id) || !is_block(tree_.tag_of(id)) || is_heading(tree_.tag_of(id)))
      return false;
    const auto& text = tree_.of(id);
    return text.text > 0 && text.text <= longest_notice && text.blocks <= 1;
  }
  [[nodiscard]] bool is_unwanted(node_id id) const {
    const auto& text = tree_.of(id);
    if (tree_.is_inside(id, inside::table) || tree_.tag_of(id) == html::tag_id::table) return false;
    const bool links = text.link_density() >= only_links && text.images == 0;
    if (title_ != none && id < title_ && text.prose == 0) return true;
    // "Made by:" wants its maker.
    const bool value = after_label_ || tree_.tag_of(id) == html::tag_id::dd;
    if (links && !value && (text.text <= longest_link || text.links >= many_links)) return true;
    constexpr std::uint64_t phrases_sought = 32;
    tree_.spend(phrases_sought);
    const auto said = base::fold(tree_.text_of(id));
    if (text.text <= shortest_value && text.images == 0 && base::words(said).size() <= 1) {
      return std::ranges::all_of(said, is_count);
    }
    return (text.text <= longest_line && has_any(said, signals::purchase_phrases)) ||
           has_any(said, signals::consent_phrases);
  }

  page_tree& tree_;
  node_id root_, title_;
  bool after_label_ = false;  ///< the line that was kept last ends with a colon
};

}  // namespace

void trim_product(page_tree& tree, node_id root) { lines(tree, root).trim(); }

}  // namespace freshet::markdown
