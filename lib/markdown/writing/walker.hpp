// The walk behind write_markdown(): one object a page, no recursion. Its members are spread over
// writer.cpp (the walk), writer_inline.cpp (links, pictures, code), writer_math.cpp,
// writer_table.cpp and word_list.cpp.
#pragma once

#include <base/text_hash.hpp>
#include <functional>
#include <markdown/writing/address.hpp>
#include <markdown/writing/block_output.hpp>
#include <markdown/writing/footnotes.hpp>
#include <markdown/writing/inline_text.hpp>
#include <markdown/writing/writer.hpp>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace freshet::markdown {

/// Whether `link` is to stand apart from the link right before it, which `text` ends with: a page
/// parts two addresses by its styles, and their words would run into one.
[[nodiscard]] bool stands_apart(const page_tree& tree, html::node_id before, html::node_id link,
                                std::string_view text);

class walker {
 public:
  walker(const page_tree& tree, const std::vector<html::node_id>& roots,
         const writer_options& options);
  written_text run();

 private:
  struct list {
    html::node_id id;
    bool ordered = false;
    std::int64_t next = 1;
    std::int64_t step = 1;
    bool first = true;
    bool other_marker = false;  ///< "*" and ")": a list right behind another one of its kind
  };
  /// The list that was written last, and where the output ended with it.
  struct ended_list {
    std::size_t at = 0, depth = 0;
    bool ordered = false, other_marker = false;
  };
  /// The term, or what defines it, that was written last, and where the output ended with it.
  struct ended_term {
    std::size_t at = 0;
    bool is_line = false;
  };
  /// The item of one of Word's lists that was written last, where the output ended with it, and
  /// the levels around it with the widths of their marks.
  struct ended_item {
    std::size_t at = 0;
    html::node_id item = html::none;
    std::vector<std::pair<std::size_t, std::size_t>> levels;
  };
  /// Hashes and compares links by their place, so that their texts are kept once.
  struct same_link {
    const std::vector<std::string>* links;
    std::size_t operator()(std::size_t at) const { return base::text_hash{}((*links)[at]); }
    bool operator()(std::size_t a, std::size_t b) const { return (*links)[a] == (*links)[b]; }
  };
  /// A cell of a table of data being written.
  struct table {
    html::node_id id;
    std::vector<std::vector<std::string>> rows;
    std::vector<std::size_t> spans;  ///< for each column, rows still covered from above
    std::vector<char> alignments;    ///< l, c, r, or a space, as its first row says
    bool in_cell = false;
  };

  void walk(html::node_id root);
  /// False: what is below has been dealt with.
  bool enter(html::node_id id);
  bool enter_block(html::node_id id, html::tag_id tag);
  bool enter_inline(html::node_id id, html::tag_id tag);
  void leave(html::node_id id);
  void leave_block(html::node_id id, html::tag_id tag);
  void flush();
  void add_block(std::string_view block);

  void enter_list(html::node_id id, bool ordered);
  void enter_item(html::node_id id);
  void enter_definition(html::node_id id);
  void enter_word_item(html::node_id id);
  void leave_definition(html::node_id id, html::tag_id tag);
  bool enter_callout(html::node_id id);
  void open_container(html::node_id id, std::string first, std::string others);
  void write_notes();
  void write_code(html::node_id id);
  [[nodiscard]] std::string embedded_source(html::node_id id) const;
  void write_embed(html::node_id id);

  bool enter_link(html::node_id id);
  void leave_link(html::node_id id);
  bool enter_script(html::node_id id, html::tag_id tag);
  void leave_script(html::node_id id, html::tag_id tag);
  [[nodiscard]] bool is_written_script(html::node_id id) const;
  void write_inline_code(html::node_id id);
  [[nodiscard]] bool is_preview(html::node_id id, std::string_view source) const;
  void write_image(html::node_id id);
  bool write_component(html::node_id id);

  void find_math();
  bool write_math(html::node_id id);
  bool enter_formula(html::node_id id);
  bool write_drawing(html::node_id id, bool display);
  bool write_formula_image(html::node_id id, const std::string& names);
  void add_formula(std::string_view tex, bool display);
  void add_text(html::node_id id);
  [[nodiscard]] std::string absolute(std::string_view reference, address_use use) const;
  [[nodiscard]] std::string link_end(const std::string& target, std::string_view title = {});
  /// What the title attribute says that `text` does not; "" if it says no more.
  [[nodiscard]] std::string title_beside(html::node_id id, std::string_view text) const;
  void remember_link(const std::string& target);

  bool enter_table_part(html::node_id id, html::tag_id tag);
  void start_row();
  void start_cell();
  void end_cell(html::node_id id);
  void end_table();
  [[nodiscard]] char alignment_of(html::node_id cell) const;
  [[nodiscard]] bool in_cell() const noexcept { return table_.in_cell; }

  const page_tree& tree_;
  const html::document& page_;
  const std::vector<html::node_id>& roots_;
  const writer_options& options_;
  footnotes notes_;
  block_output out_;
  inline_text inline_;
  std::vector<list> lists_;
  ended_list last_list_;
  ended_term last_term_;
  ended_item word_list_;
  bool in_definition_ = false;
  std::vector<html::node_id> containers_;  ///< elements that opened a container of out_
  table table_{html::none, {}, {}, {}};
  std::unordered_set<html::node_id> titles_;  ///< of boxes, and marks of items; written with them
  html::node_id part_ = html::none;           ///< the root of the walk that is under way
  bool writing_notes_ = false;
  bool raw_math_ = false;   ///< a script reads formulas out of the text
  int heading_ = 0;         ///< level of the heading being written
  std::string block_link_;  ///< goes around the next block, or the next heading
  html::node_id block_link_at_ = html::none;
  std::size_t open_links_ = 0;
  html::node_id last_link_ = html::none;  ///< the one that was left last
  std::vector<std::string> reference_links_;
  std::unordered_map<std::string, std::size_t, base::text_hash> reference_numbers_;
  written_text result_;
  /// The places in result_.links, told apart by what stands there.
  std::unordered_set<std::size_t, same_link, same_link> known_links_;
};

}  // namespace freshet::markdown
