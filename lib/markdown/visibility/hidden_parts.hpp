// The parts of a page that styles and attributes hide, told apart from those that its readers come
// to see after all: what scripts show and what clicks open.
#pragma once

#include <base/text_hash.hpp>
#include <markdown/tree/tree.hpp>
#include <markdown/visibility/style.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace freshet::markdown {

/// Finds and drops them. For one page, whose silent elements are dropped already.
class hidden_parts {
 public:
  hidden_parts(page_tree& tree, style_rules& rules) : tree_(tree), rules_(rules) {}

  /// Drops what is hidden in at least this way, and in what is kept although it is hidden the
  /// paragraphs that speak to a model. Answers the words of both, an element a line.
  std::string drop(hiding least);

 private:
  /// What hides what is below an element, up to its end: all of it, or its texts.
  struct region {
    html::node_id end = 0;
    on_screens<hidden_by> whole, texts;
  };
  struct part {
    html::node_id id = html::none;
    hidden_by how;
  };

  void find();
  void look_at(html::node_id id);
  [[nodiscard]] bool is_asked(html::node_id id);
  [[nodiscard]] hidden_by by_name(html::node_id id, std::string_view display) const;
  [[nodiscard]] hidden_by settled(html::node_id id, hidden_by how, bool by_style);
  [[nodiscard]] bool is_shown_by_scripts(html::node_id id, const hidden_by& how);
  [[nodiscard]] bool has_scripts();
  [[nodiscard]] bool is_streamed(html::node_id id);
  [[nodiscard]] bool is_panel(html::node_id id);
  [[nodiscard]] bool has_seen_tab(html::node_id panel);
  [[nodiscard]] bool follows_switch(html::node_id id);
  [[nodiscard]] bool is_pane(html::node_id id);
  [[nodiscard]] bool is_formula(html::node_id id);
  [[nodiscard]] bool keep_what_scripts_show();
  [[nodiscard]] const region& here() const noexcept;
  void take(html::node_id id, const hidden_by& how);
  void drop_part(html::node_id id);
  void drop_instructions(html::node_id shown);
  [[nodiscard]] html::node_id paragraph_of(html::node_id text, html::node_id within) const;

  page_tree& tree_;
  style_rules& rules_;
  hiding least_ = hiding::for_good;
  double most_ = 0;
  html::node_id moved_until_ = 0;  ///< the rest of a line that is moved away
  html::node_id panel_until_ = 0;  ///< the end of a part that a click opens
  std::vector<region> regions_;
  std::vector<part> found_;
  std::vector<html::node_id> shown_;                ///< kept although hidden, the outermost
  std::unordered_set<std::uint32_t> shown_rules_;   ///< what these hide scripts show
  std::vector<html::node_id> formulas_, unseen_;    ///< texts in these of which nothing is seen
  std::optional<std::vector<html::node_id>> tabs_;  ///< the first ones; null: nobody asked
  std::optional<std::unordered_set<std::string_view, base::text_hash>>
      places_;                                          ///< of streamed parts, as above
  std::unordered_map<html::node_id, bool> shows_tabs_;  ///< what panels stand in: beside it
  std::unordered_map<html::node_id, bool> panes_;  ///< whether the children of an element are some
  std::optional<bool> has_scripts_;                ///< null: nobody asked
  bool formulas_known_ = false;
  std::string words_;
};

}  // namespace freshet::markdown
