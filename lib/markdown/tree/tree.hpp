// A page while its content is being chosen: the parsed document, a mark on every node that is left
// out, and sums over subtrees. Every pass over it is linear, because ids are in document order.
#pragma once

#include <cstdint>
#include <html/document.hpp>
#include <markdown/tree/name_marks.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::markdown {

/// Sums over a subtree, without what is dropped. One cache line: there is one a node, and the
/// passes over them are most of the work.
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

/// What an element may stand inside of, as bits: page_tree::is_inside() asks for any of several.
namespace inside {
inline constexpr std::uint16_t link = 1u << 0, code = 1u << 1, pre = 1u << 2, table = 1u << 3,
                               figure = 1u << 4, list = 1u << 5, quote = 1u << 6, heading = 1u << 7,
                               form = 1u << 8, article = 1u << 9, main = 1u << 10, cell = 1u << 11,
                               superscript = 1u << 12, paragraph = 1u << 13;
}  // namespace inside

class page_tree {
 public:
  explicit page_tree(const html::document& page);

  [[nodiscard]] const html::document& page() const noexcept { return page_; }
  [[nodiscard]] const html::node& at(html::node_id id) const noexcept { return page_.at(id); }
  [[nodiscard]] bool is_element(html::node_id id) const noexcept {
    return page_.at(id).type == html::node_type::element;
  }

  /// The first node after the subtree of `id`: the subtree is [id, end).
  [[nodiscard]] html::node_id end_of(html::node_id id) const noexcept { return ends_[id]; }
  [[nodiscard]] bool contains(html::node_id outer, html::node_id inner) const noexcept {
    return outer <= inner && inner < ends_[outer];
  }

  [[nodiscard]] bool is_dropped(html::node_id id) const noexcept { return dropped_[id] != 0; }
  /// Drops a node and all below it.
  void drop(html::node_id id);
  /// Takes a mark back, of the whole subtree.
  void restore(html::node_id id);
  using marks = std::vector<std::uint8_t>;
  [[nodiscard]] const marks& dropped() const noexcept { return dropped_; }
  void set_dropped(marks now) {
    dropped_ = std::move(now);
    counted_ = false;
  }

  /// Counts again if anything was dropped or restored since the last time.
  void count();
  /// Counts again below `root` from the last node to the first, asking of every element whose own
  /// subtree is counted whether it is to be dropped: what is dropped no longer counts above it.
  template <class Decide>
  void count_dropping(html::node_id root, Decide decide) {
    for (html::node_id id = ends_[root]; id-- > root;) measures_[id] = {};
    for (html::node_id id = ends_[root]; id-- > root;) {
      if (dropped_[id] != 0) continue;
      measure_node(id, measures_[id]);
      if (id == root) break;
      if (is_element(id) && decide(id, measures_[id])) {
        drop(id);
      } else {
        measures_[page_.at(id).parent].add(measures_[id]);
      }
    }
  }
  [[nodiscard]] const measure& of(html::node_id id) const noexcept { return measures_[id]; }

  /// Text below `id` that is not dropped, white space collapsed.
  [[nodiscard]] std::string text_of(html::node_id id) const;
  /// All text below `id`, dropped or not, as it stands.
  [[nodiscard]] std::string raw_text_of(html::node_id id) const;
  [[nodiscard]] html::node_id body() const noexcept { return body_; }
  /// Climbs: in passes over a page use is_inside().
  [[nodiscard]] bool has_ancestor(html::node_id id, html::tag_id tag) const noexcept;
  /// Whether an ancestor is one of the elements in `of` (bits of `inside`).
  [[nodiscard]] bool is_inside(html::node_id id, std::uint16_t of) const noexcept {
    return (inside_[id] & of) != 0;
  }

  /// What the names of an element say: tree.marks_of(id) & mark::hidden. Read once a page.
  [[nodiscard]] name_marks marks_of(html::node_id id) const noexcept { return marks_[id].any(); }
  /// The same, told apart by attribute.
  [[nodiscard]] const element_marks& marks_by_attribute(html::node_id id) const noexcept {
    return marks_[id];
  }

 private:
  /// The size of a text node, which does not change when others are dropped.
  struct text_size {
    std::uint32_t characters = 0, columns = 0, commas = 0;
  };

  [[nodiscard]] static text_size size_of(std::string_view text) noexcept;
  void read_nodes();
  void measure_node(html::node_id id, measure& into) const;
  static void close_run(html::tag_id tag, measure& into) noexcept;

  const html::document& page_;
  std::vector<html::node_id> ends_;
  std::vector<element_marks> marks_;
  std::vector<std::uint16_t> inside_;
  std::vector<text_size> sizes_;
  marks dropped_;
  std::vector<measure> measures_;
  bool counted_ = false;  ///< measures_ are those of what is not dropped
  html::node_id body_ = 0;
};

}  // namespace freshet::markdown
