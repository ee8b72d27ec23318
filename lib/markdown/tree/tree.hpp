// A page while its content is being chosen: the parsed document, a mark on every node that is left
// out, and sums over subtrees. Every pass over it is linear, because ids are in document order.
#pragma once

#include <cstdint>
#include <html/document.hpp>
#include <markdown/tree/name_marks.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::markdown {

/// The size of a text node, which does not change when others are dropped.
struct text_size {
  std::uint32_t characters = 0;  ///< runs of white space as one
  std::uint32_t columns = 0;     ///< characters of wide scripts, which say more, count double
  std::uint32_t commas = 0;      ///< of many scripts
};

/// Sums over the subtree of an element, without what is dropped. One cache line: the passes over
/// them are most of the work.
struct alignas(64) measure {
  std::uint32_t text = 0;       ///< characters, runs of white space as one
  std::uint32_t link_text = 0;  ///< of them inside links
  std::uint32_t heading_text = 0;
  std::uint32_t list_text = 0;
  std::uint32_t block_text = 0;  ///< in paragraphs, cells, quotes, code and images of text
  /// In blocks of prose: long runs of text that are no links. What counts as a column: characters
  /// of wide scripts, which say more, count double.
  std::uint32_t prose = 0;
  std::uint32_t run = 0, run_links = 0;  ///< columns not yet closed by a block, and in links
  std::uint32_t commas = 0;
  std::uint32_t paragraphs = 0, items = 0, links = 0, blocks = 0;
  /// No more than small_limit of each is told apart.
  std::uint16_t images = 0, inputs = 0, embeds = 0, headings = 0, tables = 0, code = 0;
  static constexpr std::uint16_t small_limit = 0xFFFF;

  void add(const measure& other) noexcept;
  /// Text with nothing around it.
  void add(const text_size& own) noexcept {
    text += own.characters;
    run += own.columns;
    commas += own.commas;
  }
  [[nodiscard]] double link_density() const noexcept {
    return text == 0 ? 0.0 : static_cast<double>(link_text) / text;
  }
};

/// Elements by what they are to the writer and to the choice.
[[nodiscard]] bool is_block(html::tag_id tag) noexcept;
[[nodiscard]] constexpr bool is_heading(html::tag_id tag) noexcept {
  return tag >= html::tag_id::h1 && tag <= html::tag_id::h6;
}
/// 1 to 6, of a heading.
[[nodiscard]] constexpr int heading_level(html::tag_id tag) noexcept {
  return static_cast<int>(tag) - static_cast<int>(html::tag_id::h1) + 1;
}

/// The box of an item of a task list: the one kind of input that is content.
[[nodiscard]] bool is_task_box(const html::document& page, html::node_id id);

/// Class and id of an element in lower case, with a space between and around. Builds a string:
/// for names asked of every element use page_tree::marks_of().
[[nodiscard]] std::string names_of(const html::document& page, html::node_id id);

/// Whether one of `parts` stands in a text.
[[nodiscard]] bool contains_any(std::string_view text,
                                std::span<const std::string_view> parts) noexcept;

/// What an element may stand inside of, as bits: page_tree::is_inside() asks for any of several.
namespace inside {
inline constexpr std::uint16_t link = 1u << 0, code = 1u << 1, pre = 1u << 2, table = 1u << 3,
                               figure = 1u << 4, list = 1u << 5, quote = 1u << 6, heading = 1u << 7,
                               form = 1u << 8, article = 1u << 9, main = 1u << 10, cell = 1u << 11,
                               superscript = 1u << 12, paragraph = 1u << 13, noscript = 1u << 14;
}  // namespace inside

class page_tree {
 public:
  explicit page_tree(const html::document& page);

  [[nodiscard]] const html::document& page() const noexcept { return page_; }
  [[nodiscard]] const html::node& at(html::node_id id) const noexcept { return page_.at(id); }

  // What most passes ask of every node, from a row of its own: nodes are four times as large, and
  // a large page does not fit the processor's caches.
  [[nodiscard]] bool is_element(html::node_id id) const noexcept {
    return places_[id].type == html::node_type::element;
  }
  [[nodiscard]] bool is_element(html::node_id id, html::tag_id tag) const noexcept {
    return id != html::none && places_[id].tag == tag;
  }
  [[nodiscard]] bool is_text(html::node_id id) const noexcept {
    return places_[id].type == html::node_type::text;
  }
  /// Of an element; `other` of every other node.
  [[nodiscard]] html::tag_id tag_of(html::node_id id) const noexcept { return places_[id].tag; }
  [[nodiscard]] html::node_id parent_of(html::node_id id) const noexcept {
    return places_[id].parent;
  }
  [[nodiscard]] bool has_attributes(html::node_id id) const noexcept {
    return places_[id].has_attributes != 0;
  }
  [[nodiscard]] bool has_attribute(html::node_id id, std::string_view name) const noexcept {
    return may_have(id, name) && page_.has_attribute(id, name);
  }
  /// Whether nothing stands behind it below its parent.
  [[nodiscard]] bool is_last(html::node_id id) const noexcept {
    return end_of(id) == end_of(parent_of(id));
  }
  [[nodiscard]] std::string_view attribute_of(html::node_id id, std::string_view name) const {
    return may_have(id, name) ? page_.attribute_of(id, name) : std::string_view();
  }

  /// The first node after the subtree of `id`: the subtree is [id, end).
  [[nodiscard]] html::node_id end_of(html::node_id id) const noexcept { return places_[id].end; }
  /// Counts work on the page; throws base::work_ended. Every loop over nodes spends before it runs,
  /// a step a node, and so do the calls below that cost more than one look.
  void spend(std::uint64_t steps) const { page_.spend(steps); }
  /// Counts a loop over a subtree.
  void spend_on(html::node_id id) const { spend(end_of(id) - id); }
  [[nodiscard]] bool contains(html::node_id outer, html::node_id inner) const noexcept {
    return outer <= inner && inner < places_[outer].end;
  }

  [[nodiscard]] bool is_dropped(html::node_id id) const noexcept { return dropped_[id] != 0; }
  /// Drops a node and all below it.
  void drop(html::node_id id);
  /// The texts of formulas of which nothing is seen, in the order of the page: what else is dropped
  /// in one is a part of it.
  [[nodiscard]] const std::vector<html::node_id>& unseen_in_formulas() const noexcept {
    return unseen_in_formulas_;
  }
  void set_unseen_in_formulas(std::vector<html::node_id> texts) {
    unseen_in_formulas_ = std::move(texts);
  }
  /// Takes a mark back, of the whole subtree.
  void restore(html::node_id id);
  using marks = std::vector<std::uint8_t>;
  [[nodiscard]] const marks& dropped() const noexcept { return dropped_; }
  void set_dropped(marks now) {
    spend(now.size() / marks_per_step);
    counted_ = counted_ && now == dropped_;
    dropped_ = std::move(now);
  }

  /// Counts again if anything was dropped or restored since the last time.
  void count();
  /// Counts again below `root` from the last node to the first, asking of every element whose own
  /// subtree is counted whether it is to be dropped: what is dropped no longer counts above it.
  template <class Decide>
  void count_dropping(html::node_id root, Decide decide) {
    spend_on(root);
    for (html::node_id id = end_of(root); id-- > root;) {
      begin_sum(id, root);
      if (dropped_[id] != 0) continue;
      if (is_text(id)) {
        if (id != root) sum_of(parent_of(id)).add(sizes_[places_[id].slot]);
        continue;
      }
      if (!is_element(id)) continue;
      auto& own = sum_of(id);
      measure_element(id, own);
      if (id == root) break;
      if (decide(id, own)) {
        drop(id);
      } else {
        sum_of(parent_of(id)).add(own);
      }
    }
  }
  /// The sums of an element; of other nodes, nothing.
  [[nodiscard]] const measure& of(html::node_id id) const noexcept {
    return measures_[is_text(id) ? nothing : places_[id].slot];
  }
  /// Characters of a text, or below an element.
  [[nodiscard]] std::uint32_t text_in(html::node_id id) const noexcept {
    const auto& one = places_[id];
    if (one.type != html::node_type::text) return measures_[one.slot].text;
    return dropped_[id] != 0 ? 0 : sizes_[one.slot].characters;
  }
  /// The same for all sums.
  void add_to(measure& sum, html::node_id id) const noexcept {
    if (!is_text(id)) {
      sum.add(of(id));
    } else if (dropped_[id] == 0) {
      sum.add(sizes_[places_[id].slot]);
    }
  }

  /// The text of a text node; "" of others.
  [[nodiscard]] std::string_view text_at(html::node_id id) const noexcept {
    return is_text(id) ? texts_[places_[id].slot] : std::string_view();
  }
  /// Text below `id` that is not dropped, white space collapsed.
  [[nodiscard]] std::string text_of(html::node_id id) const;
  /// All text below `id`, dropped or not, as it stands.
  [[nodiscard]] std::string raw_text_of(html::node_id id) const;
  [[nodiscard]] html::node_id body() const noexcept { return body_; }
  /// Climbs: in passes over a page use is_inside().
  [[nodiscard]] bool has_ancestor(html::node_id id, html::tag_id tag) const;
  /// Whether an ancestor is one of the elements in `other` (bits of `inside`).
  [[nodiscard]] bool is_inside(html::node_id id, std::uint16_t other) const noexcept {
    return (places_[id].inside & other) != 0;
  }

  /// What the names of an element say: tree.marks_of(id) & mark::hidden. Read once a page.
  [[nodiscard]] name_marks marks_of(html::node_id id) const noexcept {
    return marks_by_attribute(id).any();
  }
  /// The same, told apart by attribute.
  [[nodiscard]] const element_marks& marks_by_attribute(html::node_id id) const noexcept {
    return marks_[is_text(id) ? nothing : places_[id].slot];
  }

 private:
  /// What the passes need to know of every node.
  struct place {
    html::node_id parent = html::none, end = 0;
    /// Where its sums and marks are; of a text, where its size is.
    std::uint32_t slot = nothing;
    std::uint16_t inside : 15 = 0;
    std::uint16_t has_attributes : 1 = 0;
    html::tag_id tag = html::tag_id::other;
    html::node_type type = html::node_type::document;
  };
  static_assert(sizeof(place) == 16);
  /// What a step of a meter is worth.
  static constexpr std::size_t marks_per_step = 64, bytes_per_step = 16;
  static constexpr std::size_t copied_bytes_per_step = 2;  ///< and who asks goes on with them
  /// The slot of comments and other nodes that count for nothing.
  static constexpr std::uint32_t nothing = 0;

  [[nodiscard]] static text_size size_of(std::string_view text) noexcept;
  /// One bit of 32 for a name: an element without the bit does not have the attribute.
  [[nodiscard]] static constexpr std::uint32_t bit_of(std::string_view name) noexcept {
    const auto first = static_cast<unsigned char>(name.front());
    const auto last = static_cast<unsigned char>(name.back());
    return 1u << ((first * 7u + last * 3u + name.size()) % 32u);
  }
  [[nodiscard]] bool may_have(html::node_id id, std::string_view name) const noexcept {
    return has_attributes(id) && (attribute_bits_[places_[id].slot] & bit_of(name)) != 0;
  }
  void read_nodes();
  [[nodiscard]] bool is_for_programs(html::node_id text) const;
  class known_names;
  void read_marks(html::node_id id, known_names& known);
  [[nodiscard]] measure& sum_of(html::node_id id) noexcept { return measures_[places_[id].slot]; }
  /// Before the last node of a subtree is counted, and before a leaf, its sums are nothing.
  void begin_sum(html::node_id id, html::node_id root) noexcept {
    const auto& one = places_[id];
    if (id != root && is_last(id)) sum_of(one.parent) = {};
    if (one.end == id + 1 && one.type != html::node_type::text) sum_of(id) = {};
  }
  void measure_element(html::node_id id, measure& measure) const;
  static void close_run(html::tag_id tag, measure& measure) noexcept;

  const html::document& page_;
  std::vector<place> places_;                  ///< a node
  marks dropped_;                              ///< a node
  std::vector<std::string_view> texts_;        ///< a text
  std::vector<text_size> sizes_;               ///< the same
  std::vector<element_marks> marks_;           ///< an element, after `nothing`
  std::vector<std::uint32_t> attribute_bits_;  ///< the same
  std::vector<measure> measures_;              ///< the same
  std::vector<html::node_id> unseen_in_formulas_;
  bool counted_ = false;  ///< measures_ are those of what is not dropped
  html::node_id body_ = 0;
};

}  // namespace freshet::markdown
