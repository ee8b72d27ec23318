// Blocks are the leaves of the page's layout: a paragraph, an item, a heading, a line. They are
// listed once, then judged by their length, their words and their place.
#include <algorithm>
#include <base/unicode.hpp>
#include <cctype>
#include <markdown/choice/phrases.hpp>
#include <markdown/choice/trimming.hpp>
#include <markdown/tree/signals.hpp>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;

constexpr auto aside_lines = sorted_phrases(signals::aside_lines);
constexpr auto aside_starts = sorted_phrases(signals::aside_starts);
constexpr auto aside_headings = sorted_phrases(signals::aside_headings);

struct content_block {
  node_id id;
  std::uint32_t text = 0, link_text = 0;
  int heading = 0;    ///< its level; 0: none
  bool leaf = false;  ///< holds no other block, and can go alone
  bool prose = false;
  bool fixed = false;  ///< in a table, code, a quote: stays
  bool dropped = false;

  /// Whether at least this share of it is links.
  [[nodiscard]] bool is_links(double share) const noexcept {
    return text > 0 && link_text >= share * text;
  }
};

class trimmer {
 public:
  trimmer(page_tree& tree, const std::vector<node_id>& roots) : tree_(tree), roots_(roots) {}
  void run();

 private:
  void list_blocks();
  void list_blocks_of(node_id root);
  void find_leaves();
  [[nodiscard]] bool says_aside(const content_block& one) const;
  [[nodiscard]] bool is_sentence(const content_block& one) const;
  [[nodiscard]] bool is_item(const content_block& one) const;
  [[nodiscard]] bool is_numbered(const content_block& one) const;
  [[nodiscard]] bool has_digit(const content_block& one) const;
  [[nodiscard]] bool is_mostly_prose() const;
  [[nodiscard]] bool opens_aside(const content_block& one) const;
  [[nodiscard]] static bool ends_section(const content_block& head, const content_block& next);
  [[nodiscard]] node_id box_of(std::size_t heading) const;
  [[nodiscard]] bool is_excerpt(const content_block& one) const;
  void drop_asides();
  void drop_excerpts();
  [[nodiscard]] bool is_card(std::size_t heading, std::size_t text) const;
  void drop_cards();
  void drop_aside_sections();
  void trim_start();
  void trim_end();
  void drop_empty_headings();
  void drop_outer_rules();
  void drop(content_block& one);
  [[nodiscard]] std::size_t first_prose() const;
  [[nodiscard]] std::size_t after_last_prose() const;

  page_tree& tree_;
  const std::vector<node_id>& roots_;
  std::vector<content_block> blocks_;
};

void trimmer::list_blocks() {
  for (const auto root : roots_) list_blocks_of(root);
  find_leaves();
}

/// Every block with text of its own, in the order of the page.
void trimmer::list_blocks_of(node_id root) {
  std::vector<node_id> open{root};
  tree_.spend_on(root);
  for (auto id = root; id < tree_.end_of(root); ++id) {
    if (tree_.is_dropped(id)) {
      id = tree_.end_of(id) - 1;
      continue;
    }
    while (!tree_.contains(open.back(), id)) open.pop_back();
    if (tree_.is_element(id) && is_block(tree_.tag_of(id))) {
      open.push_back(id);
    } else if (tree_.is_text(id) && tree_.text_in(id) > 0) {
      const auto owner = open.back();
      if (!blocks_.empty() && blocks_.back().id == owner) continue;
      content_block fresh{owner, tree_.text_in(owner), tree_.of(owner).link_text};
      const auto tag = tree_.tag_of(owner);
      fresh.heading = is_heading(tag) ? heading_level(tag) : 0;
      fresh.fixed = tree_.is_inside(id, inside::table | inside::pre | inside::quote | inside::code);
      fresh.prose = fresh.heading == 0 && tree_.of(owner).prose > 0;
      blocks_.push_back(fresh);
    }
  }
}

/// Whether a line ends with a mark of punctuation, in whatever script, or a picture of a smile.
bool trimmer::is_sentence(const content_block& one) const {
  const auto text = tree_.text_of(one.id);
  if (text.empty()) return false;
  const auto last = static_cast<unsigned char>(text.back());
  if (last < 0x80) return std::isalnum(last) == 0;
  auto at = text.size() - 1;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  const auto end = std::string_view(text).substr(at);
  return std::any_of(signals::marks_of_sentences.begin(), signals::marks_of_sentences.end(),
                     [&](std::string_view start) { return end.starts_with(start); });
}

bool trimmer::says_aside(const content_block& one) const {
  const auto text = base::fold(tree_.text_of(one.id));
  const auto trimmed = base::trim(std::string_view(text));
  constexpr std::size_t rest = 3;
  return begins_with_any(
             aside_lines, trimmed,
             [&](std::string_view whole) { return trimmed.size() <= whole.size() + rest; }) ||
         begins_with_any(aside_starts, trimmed);
}

/// A short word must be the whole heading; more may follow a longer phrase ("More from the coast").
bool trimmer::opens_aside(const content_block& one) const {
  constexpr std::size_t telling = 8, rest = 25;
  const auto text = base::fold(tree_.text_of(one.id));
  return begins_with_any(aside_headings, text, [&](std::string_view start) {
    return text == start || (start.size() >= telling && text.size() <= start.size() + rest);
  });
}

void trimmer::drop(content_block& one) {
  one.dropped = true;
  tree_.drop(one.id);
}

void trimmer::drop_asides() {
  for (auto& one : blocks_) {
    if (!one.leaf || one.fixed || one.heading != 0 || one.text > signals::longest_aside) continue;
    if (says_aside(one)) drop(one);
  }
}

/// A heading such as "Related articles" takes along what is below it: no prose, except for the
/// teasers in a last box of its own.
void trimmer::drop_aside_sections() {
  constexpr std::size_t most_teasers = 12;
  const auto tail = after_last_prose();
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const auto& head = blocks_[i];
    if (head.dropped || !head.leaf || head.fixed || head.text > signals::longest_aside ||
        !opens_aside(head)) {
      continue;
    }
    const auto box = box_of(i);
    std::size_t end = i + 1, prose = 0;
    while (end < blocks_.size() && !ends_section(head, blocks_[end])) {
      tree_.spend(1);
      if (blocks_[end].prose && (box == none || !tree_.contains(box, blocks_[end].id))) break;
      prose += blocks_[end].prose ? 1 : 0;
      ++end;
    }
    if (prose > (end >= tail ? most_teasers : 0)) continue;
    for (std::size_t at = i; at < end; ++at) {
      if (blocks_[at].leaf && !blocks_[at].dropped) drop(blocks_[at]);
    }
    i = end - 1;
  }
}

/// The smallest element around a heading and the block after it; none if that is a root.
node_id trimmer::box_of(std::size_t heading) const {
  if (heading + 1 >= blocks_.size()) return none;
  constexpr std::size_t roots_per_step = 4;
  tree_.spend(1 + roots_.size() / roots_per_step);
  auto box = tree_.parent_of(blocks_[heading].id);
  while (box != none && !tree_.contains(box, blocks_[heading + 1].id)) box = tree_.parent_of(box);
  const bool root =
      std::ranges::any_of(roots_, [&](node_id one) { return tree_.contains(box, one); });
  return root ? none : box;
}

/// The next heading of the same rank; after a line that is no heading, any heading or prose.
bool trimmer::ends_section(const content_block& head, const content_block& next) {
  if (head.heading == 0) return next.heading != 0 || next.prose;
  return next.heading != 0 && next.heading <= head.heading;
}

std::size_t trimmer::first_prose() const {
  const auto at = std::ranges::find_if(
      blocks_, [](const content_block& one) { return one.prose && !one.dropped; });
  return static_cast<std::size_t>(at - blocks_.begin());
}

std::size_t trimmer::after_last_prose() const {
  for (std::size_t i = blocks_.size(); i-- > 0;) {
    if (blocks_[i].prose && !blocks_[i].dropped) return i + 1;
  }
  return 0;
}

/// Whether it reads as an article; a page of many small parts has no edges to trim.
bool trimmer::is_mostly_prose() const {
  std::uint64_t prose = 0, all = 0;
  for (const auto& one : blocks_) {
    if (one.dropped || one.fixed) continue;
    all += one.text;
    prose += one.prose ? one.text : 0;
  }
  return static_cast<double>(prose) >= signals::article_prose * static_cast<double>(all);
}

void trimmer::trim_start() {
  const auto first = first_prose();
  if (first == blocks_.size()) return;
  for (std::size_t i = 0; i < first; ++i) {
    auto& one = blocks_[i];
    if (one.dropped || !one.leaf || one.fixed || one.heading != 0) continue;
    const bool links = one.is_links(signals::menu_link_density);
    if (links || (has_digit(one) && !is_item(one) && !is_sentence(one))) drop(one);
  }
}

void trimmer::trim_end() {
  for (std::size_t i = after_last_prose(); i < blocks_.size() && i > 0; ++i) {
    auto& one = blocks_[i];
    if (one.dropped || !one.leaf || one.fixed || one.heading != 0) continue;
    const bool links = one.is_links(signals::menu_link_density);
    if (is_item(one) ? links && !is_numbered(one) : links || !is_sentence(one)) drop(one);
  }
}

bool trimmer::is_item(const content_block& one) const {
  return tree_.is_element(one.id, html::tag_id::li) || tree_.is_inside(one.id, inside::list);
}

/// An item of a numbered list: more often a reference than a teaser.
bool trimmer::is_numbered(const content_block& one) const {
  return tree_.has_ancestor(one.id, html::tag_id::ol);
}

bool trimmer::has_digit(const content_block& one) const {
  const auto text = tree_.text_of(one.id);
  return std::ranges::any_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// A heading over nothing.
void trimmer::drop_empty_headings() {
  bool text = false;  // below the heading, before the next one
  bool next = false;  // a heading that stays, with no text in between
  for (std::size_t i = blocks_.size(); i-- > 0;) {
    auto& one = blocks_[i];
    if (one.dropped) continue;
    if (one.heading == 0) {
      text = true;
    } else if (!text && !next && one.leaf) {
      drop(one);
    } else {
      next = true;
      text = false;
    }
  }
}

/// A rule separates parts of the text; at its edges there is nothing to separate.
void trimmer::drop_outer_rules() {
  const auto kept = [](const content_block& one) { return !one.dropped; };
  const auto first = std::ranges::find_if(blocks_, kept);
  const auto last = std::find_if(blocks_.rbegin(), blocks_.rend(), kept);
  if (first == blocks_.end()) return;
  for (const auto root : roots_) {
    tree_.spend_on(root);
    for (auto id = root; id < tree_.end_of(root); ++id) {
      const bool outer = id < first->id || id >= tree_.end_of(last->id);
      if (outer && tree_.is_element(id, html::tag_id::hr)) tree_.drop(id);
    }
  }
}

/// Text that is cut off: the beginning of another page.
bool trimmer::is_excerpt(const content_block& one) const {
  const auto text = tree_.text_of(one.id);
  return std::any_of(std::begin(signals::ends_of_excerpts), std::end(signals::ends_of_excerpts),
                     [&](std::string_view end) { return text.ends_with(end); });
}

/// Several excerpts at the end are teasers, and so is what stands between and after them.
void trimmer::drop_excerpts() {
  std::size_t first = blocks_.size(), count = 0;
  for (std::size_t i = blocks_.size(); i-- > 0;) {
    const auto& one = blocks_[i];
    if (one.dropped || !one.prose) continue;
    if (one.fixed || !is_excerpt(one)) break;
    first = i;
    ++count;
  }
  if (count < signals::least_excerpts || first <= first_prose()) return;
  for (std::size_t i = first; i < blocks_.size(); ++i) {
    if (blocks_[i].leaf && !blocks_[i].dropped) drop(blocks_[i]);
  }
}

/// Whether a heading is a link, and stands in a box of its own with what is below it.
bool trimmer::is_card(std::size_t heading, std::size_t text) const {
  const auto& one = blocks_[heading];
  if (!one.is_links(signals::mostly_link) && !tree_.is_inside(one.id, inside::link)) return false;
  const auto box = box_of(heading);
  return heading + 1 == blocks_.size() || (box != none && !tree_.contains(box, blocks_[text].id));
}

/// Headings at the end that are links lead elsewhere, and the lines below them say where.
void trimmer::drop_cards() {
  const auto text = first_prose();
  if (text == blocks_.size()) return;
  std::size_t first = blocks_.size(), count = 0;
  std::uint32_t below = 0;
  for (std::size_t i = blocks_.size(); i-- > text && below <= signals::longest_card;) {
    const auto& one = blocks_[i];
    if (one.dropped || !one.leaf) continue;
    if (one.heading == 0) {
      below += one.text;
    } else if (!is_card(i, text)) {
      break;
    } else {
      first = i;
      ++count;
      below = 0;
    }
  }
  if (count < signals::least_cards) return;
  for (std::size_t i = first; i < blocks_.size(); ++i) {
    if (blocks_[i].leaf && !blocks_[i].dropped) drop(blocks_[i]);
  }
}

/// A block is a leaf if no other one stands inside it; those that do are next to it in the list.
void trimmer::find_leaves() {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const auto holds = [&](std::size_t other) {
      return blocks_[other].id != blocks_[i].id && tree_.contains(blocks_[i].id, blocks_[other].id);
    };
    blocks_[i].leaf = (i == 0 || !holds(i - 1)) && (i + 1 == blocks_.size() || !holds(i + 1));
  }
}

void trimmer::run() {
  list_blocks();
  drop_asides();
  drop_aside_sections();
  drop_excerpts();
  drop_cards();
  if (is_mostly_prose()) {
    trim_start();
    trim_end();
  }
  drop_empty_headings();
  drop_outer_rules();
}

}  // namespace

void trim_blocks(page_tree& tree, const std::vector<node_id>& roots) {
  tree.count();
  trimmer(tree, roots).run();
  tree.count();
}

}  // namespace freshet::markdown
