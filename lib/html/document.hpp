// A parsed HTML page: nodes in one row, in document order, text in one arena, no ownership to think
// about. How a page is read is not visible here.
#pragma once

#include <base/work.hpp>
#include <cstdint>
#include <html/arena.hpp>
#include <html/tag.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::html {

/// An index into a document's nodes. `none` is no node.
using node_id = std::uint32_t;
inline constexpr node_id none = 0xffffffffu;

enum class node_type : std::uint8_t { document, doctype, element, text, comment };
enum class element_space : std::uint8_t { html, svg, math };

struct attribute {
  std::string_view name;  ///< lower case; in SVG and MathML as the standard adjusts it
  std::string_view value;
};

struct node {
  node_type type = node_type::document;
  element_space space = element_space::html;
  tag_id tag = tag_id::other;  ///< of an element, whatever its space
  bool grows = false;          ///< for the parser: `text` has room up to the next power of two
  std::uint32_t first_attribute = 0;
  /// Of an element, lower case, but for SVG's as the standard adjusts them (foreignObject); of a
  /// doctype, whose attributes "public" and "system" are its identifiers, if it has them.
  std::string_view name;
  std::string_view text;  ///< of a text or a comment; entities decoded
  std::uint32_t attribute_count = 0;
  node_id parent = none, first_child = none, last_child = none, next = none, previous = none;
};

/// A page. The content of a template is below the template itself. Move-only. Views into it live as
/// long as it does. Reading is thread-safe.
class document {
 public:
  [[nodiscard]] const node& at(node_id id) const noexcept { return nodes_[id]; }
  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }
  [[nodiscard]] static constexpr node_id root() noexcept { return 0; }

  [[nodiscard]] std::string_view attribute_of(node_id id, std::string_view name) const noexcept;
  [[nodiscard]] bool has_attribute(node_id id, std::string_view name) const noexcept;
  [[nodiscard]] const attribute* attributes_begin(node_id id) const noexcept;
  [[nodiscard]] bool is_element(node_id id, tag_id tag) const noexcept {
    return id != none && tags_[id] == tag;
  }
  /// The next node in document order that is inside `within`; none at its end. Not recursive.
  [[nodiscard]] node_id next_in_order(node_id id, node_id within) const noexcept;
  /// The same, without the descendants of `id`.
  [[nodiscard]] node_id next_skipping_children(node_id id, node_id within) const noexcept;

  /// Counts work on this page where it was parsed with a meter; throws what that throws. Passes
  /// spend before they work, a step for a node or for some 16 bytes.
  void spend(std::uint64_t steps) const {
    if (meter_ != nullptr) meter_->spend(steps);
  }
  /// The meter outlives the page, or is taken away by a null; with one, a page is for one thread.
  void count_on(base::meter* counted) noexcept { meter_ = counted; }
  /// For what is parsed on the way.
  [[nodiscard]] base::meter* counted_on() const noexcept { return meter_; }

  /// What was cut because a limit was reached; empty if nothing was.
  std::vector<std::string> warnings;
  /// Nodes made and entries of the parser's stacks looked at: the part of its work that is not
  /// plainly linear in the input, for the tests that hold it to be.
  std::uint64_t work = 0;

  // For whoever builds a tree: nodes are appended and linked, texts are copied into the arena.
  node_id append(node_id parent, node fresh);
  void append_attribute(node_id node, std::string_view name, std::string_view value);
  [[nodiscard]] std::string_view keep(std::string_view text) { return arena_.keep(text); }

  // For the parser, which keeps all text in the arena and may move nodes until it numbers them.
  [[nodiscard]] text_arena& arena() noexcept { return arena_; }
  void reserve(std::size_t nodes) {
    nodes_.reserve(nodes);
    tags_.reserve(nodes);
  }
  [[nodiscard]] node_id create(const node& fresh);
  [[nodiscard]] node& edit(node_id id) noexcept { return nodes_[id]; }
  /// Gives a node its attributes, all at once.
  void set_attributes(node_id node, std::span<const attribute> all);
  void append_child(node_id parent, node_id child);
  void insert_before(node_id sibling, node_id child);
  void unlink(node_id child);
  /// Leaves out what is not in the tree and numbers the rest in document order, if anything has
  /// disturbed it. Nodes below `deepest` levels come up there. True if there were any.
  bool number(std::size_t deepest);

 private:
  text_arena arena_;
  std::vector<node> nodes_{node{}};  ///< the first is the document itself
  std::vector<tag_id> tags_{
      tag_id::other};  ///< a node: passes that look for an element read no more than these
  std::vector<attribute> attributes_;
  bool in_order_ = true;
  base::meter* meter_ = nullptr;
};

/// Limits; reaching one cuts the tree there and adds a warning. More of them in limits.hpp.
inline constexpr std::size_t max_depth = 512;
inline constexpr std::size_t max_nodes = 1'000'000;
inline constexpr std::size_t max_attributes_per_element = 256;

/// Where the text of an element of text alone (<iframe>, <style>, ...) inside a <noscript> ends.
enum class raw_text_end {
  standard,      ///< with its own end tag, wherever that is
  with_noscript  ///< with the noscript, too: as in browsers, for whom all of it is text
};

/// Parses UTF-8 HTML as the WHATWG standard says, scripting off. Never fails, never recurses; the
/// time and the size of what it makes are linear in the input. With a meter, it and every pass over
/// the page spend there: whoever gives one outlives the page, and catches base::work_ended.
[[nodiscard]] document parse(std::string_view utf8, base::meter* counted = nullptr,
                             raw_text_end end = raw_text_end::with_noscript);

/// The same for what stands inside an element: the standard's fragment parsing. The nodes are the
/// children of the html element, the only child of the document.
[[nodiscard]] document parse_fragment(std::string_view utf8, std::string_view context,
                                      element_space space = element_space::html);

/// The text of an HTML fragment as sources send it: tags dropped, <br> and block ends as newlines,
/// entities decoded, white space collapsed. For posts and summaries; not for pages.
[[nodiscard]] std::string plain_text(std::string_view fragment);
/// The absolute http(s) addresses of the links in a fragment, in order.
[[nodiscard]] std::vector<std::string> link_targets(std::string_view fragment);
/// Both, from one reading.
struct text_with_links {
  std::string text;
  std::vector<std::string> links;
};
[[nodiscard]] text_with_links read_fragment(std::string_view fragment);
/// Decodes character references; leaves tags alone.
[[nodiscard]] std::string decode_entities(std::string_view text);

}  // namespace freshet::html
