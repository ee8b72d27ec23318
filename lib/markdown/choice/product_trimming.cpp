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
/// A line of links that is longer is a list of its own.
constexpr std::uint32_t longest_link = 40;
constexpr double only_links = 0.9;

class lines {
 public:
  lines(page_tree& tree, node_id root) : tree_(tree), root_(root), title_(title()) {}

  void trim() {
    for (auto id = root_ + 1; id < tree_.end_of(root_); ++id) {
      if (tree_.is_dropped(id) || !is_line(id)) continue;
      if (!is_unwanted(id)) continue;
      tree_.drop(id);
    }
    tree_.count();
  }

 private:
  [[nodiscard]] node_id title() const {
    for (auto id = root_; id < tree_.end_of(root_); ++id) {
      if (!tree_.is_dropped(id) && tree_.page().is_element(id, html::tag_id::h1)) return id;
    }
    return none;
  }
  [[nodiscard]] bool is_line(node_id id) const {
    if (!tree_.is_element(id) || !is_block(tree_.at(id).tag) || is_heading(tree_.at(id).tag))
      return false;
    const auto& text = tree_.of(id);
    return text.text > 0 && text.text <= longest_line && text.blocks <= 1;
  }
  [[nodiscard]] bool is_unwanted(node_id id) const {
    const auto& text = tree_.of(id);
    if (tree_.is_inside(id, inside::table) || tree_.at(id).tag == html::tag_id::table) return false;
    const bool links = text.link_density() >= only_links;
    if (title_ != none && id < title_ && text.prose == 0) return true;
    if (links && text.text <= longest_link && text.images == 0) return true;
    const auto said = base::fold(tree_.text_of(id));
    return std::any_of(std::begin(signals::purchase_phrases), std::end(signals::purchase_phrases),
                       [&](std::string_view one) { return said.find(one) != std::string::npos; });
  }

  page_tree& tree_;
  node_id root_, title_;
};

}  // namespace

void trim_product(page_tree& tree, node_id root) { lines(tree, root).trim(); }

}  // namespace freshet::markdown
