// Tree construction of the HTML standard (section 13.2.6), scripting off. One object reads one
// page; each insertion mode is a function, in the file of its group. It never fails and never
// recurses: a mode that hands a token on returns `again`.
#pragma once

#include <array>
#include <html/limits.hpp>
#include <html/tokens/token.hpp>
#include <html/tokens/tokenizer.hpp>
#include <html/tree/active_formatting.hpp>
#include <html/tree/body_rules.hpp>
#include <html/tree/open_elements.hpp>
#include <vector>

namespace freshet::html {

/// What the standard calls white space between tags.
inline constexpr std::string_view html_spaces = " \t\n\f\r";

class tree_builder {
 public:
  tree_builder(document& document, const input_stream& input, reached_limits& limits);

  /// Prepares for what stands inside an element of this name.
  void set_context(std::string_view name, element_space space);
  void set_raw_text_end(raw_text_end end) noexcept { raw_text_end_ = end; }
  void run();

 private:
  enum class mode : std::uint8_t {
#define FRESHET_MODE(name, rules) name,
#include <html/tree/modes.def>
#undef FRESHET_MODE
  };
  /// What became of a token: dealt with, or to be looked at again in the mode that is set now.
  enum class step : std::uint8_t { done, again };
  /// Where a node goes: last in `parent`, or before `before`.
  struct place {
    node_id parent = none, before = none;
  };

  // tree_builder.cpp: the dispatcher and what all modes use
  void spend(std::uint64_t tokens);
  void read_token();
  [[nodiscard]] bool ends_dropped_element() noexcept;
  [[nodiscard]] bool by_html_rules() const noexcept;
  step by_mode();
  /// Goes on in another mode: with the next token, or with this one again.
  step done_in(mode next) noexcept {
    mode_ = next;
    return step::done;
  }
  step again_in(mode next) noexcept {
    mode_ = next;
    return step::again;
  }
  [[nodiscard]] const open_element& adjusted_current() const noexcept;
  void reset_mode();
  [[nodiscard]] mode mode_of(const open_element& one, bool is_last) const noexcept;
  [[nodiscard]] bool is_start() const noexcept { return token_.type == token_type::start_tag; }
  [[nodiscard]] bool is_end() const noexcept { return token_.type == token_type::end_tag; }
  [[nodiscard]] bool is_start(tag_id tag) const noexcept { return is_start() && token_.tag == tag; }
  [[nodiscard]] bool is_end(tag_id tag) const noexcept { return is_end() && token_.tag == tag; }
  [[nodiscard]] bool is_blank() const noexcept {
    return token_.text.find_first_not_of(html_spaces) == std::string_view::npos;
  }
  /// Takes the white space off the front of a text token.
  std::string_view split_spaces() noexcept;
  /// The same, and whether the token was such a text and is empty now.
  [[nodiscard]] bool skip_spaces() noexcept;

  // tree_insertion.cpp: into the tree and onto the stack
  [[nodiscard]] place place_for(const open_element& target) const noexcept;
  void link(const place& where, node_id child);
  node_id insert_element();
  node_id insert_element_of(tag_id tag);
  node_id insert_structure();
  void insert_void();
  void insert_text(std::string_view text);
  /// skip_spaces(), into the tree.
  [[nodiscard]] bool insert_spaces();
  void append_text(node_id parent, std::string_view text);
  [[nodiscard]] place place_for_comment() const noexcept;
  void insert_comment(const place& where);
  node_id create_element(element_space space);
  node_id copy_of(node_id element);
  bool open_up();
  void push(node_id id);
  void pop();
  void pop_to(std::size_t size);
  void pop_until(tag_id tag);
  void remove_from_stack(std::size_t at);
  void generate_implied_ends(tag_id but = tag_id::other);
  void generate_implied_ends_thoroughly();
  void close_p();
  void close_p_in_button_scope();
  void reconstruct_formatting();
  void push_formatting(node_id id);
  void insert_raw(tokenizer::state how);
  void merge_attributes(node_id into);

  // tree_before_body.cpp
  step initial();
  step before_html();
  step before_head();
  step in_head();
  step start_in_head();
  step start_after_head();
  step in_head_noscript();
  step after_head();
  void start_template();
  void end_template();

  // tree_body.cpp, tree_body_start.cpp, tree_adoption.cpp
  step in_body();
  step start_in_body();
  step start_text_level(start_rule rule);
  void start_raw_text(start_rule rule);
  void start_body();
  void start_frameset();
  void start_form();
  void start_item();
  void start_button();
  void start_anchor();
  void start_no_break();
  void start_table();
  void start_input();
  [[nodiscard]] bool is_hidden_input() const;
  void start_separator();
  void start_select();
  void start_option();
  step end_in_body();
  step end_body();
  bool end_block();
  void end_form();
  void end_item();
  void end_heading();
  void end_any();
  void adopt();
  bool adopt_once(tag_id subject);
  node_id adopt_inner(std::size_t formatting_at, std::size_t& block_at, std::size_t& bookmark);

  // tree_table.cpp
  step in_table();
  step start_in_table();
  step in_body_fostered();
  step in_table_text();
  step in_caption();
  step in_column_group();
  step in_table_body();
  step in_row();
  step in_cell();
  void clear_to(bool (&is_wanted)(tag_id) noexcept);
  void close_cell();
  step leave_caption();
  step leave_row();
  step leave_table_body();

  // tree_after_body.cpp
  step text_mode();
  step in_template();
  step start_in_template();
  step after_body();
  step in_frameset();
  step after_frameset();
  void insert_spaces_only();

  // tree_foreign.cpp
  step in_foreign();
  step break_out();
  step end_in_foreign();
  void insert_foreign(element_space space);

  document& doc_;
  reached_limits& limits_;
  tokenizer tokenizer_;
  token token_;
  open_elements open_;
  active_formatting formatting_;
  mode mode_ = mode::initial, original_mode_ = mode::initial;
  std::vector<mode> template_modes_;
  std::vector<std::string_view> table_text_;
  bool table_text_is_blank_ = true;
  node_id head_ = none, form_ = none;
  bool frameset_ok_ = true, foster_ = false, quirks_ = false, skip_newline_ = false;
  bool stopped_ = false;
  raw_text_end raw_text_end_ = raw_text_end::standard;
  bool is_in_noscript_ = false;  ///< by the tags, for in a head what it may not hold ends it
  bool is_fragment_ = false;
  open_element context_;
  bool has_selected_content_ = false;
  /// Start tags that were dropped because of the depth, whose end tags are still to come.
  std::array<std::uint32_t, static_cast<std::size_t>(tag_id::count)> dropped_{};
  std::size_t dropped_total_ = 0;
  std::uint64_t spent_ = 0;
};

}  // namespace freshet::html
