// What CSS says about being seen: the cascade of inline styles and of the page's own <style>
// elements, on two screens, of a phone and of a desk. Linked sheets are not read, and layout is not
// computed.
#pragma once

#include <array>
#include <base/text_hash.hpp>
#include <cstdint>
#include <markdown/sheets/colors.hpp>
#include <markdown/sheets/declarations.hpp>
#include <markdown/sheets/guarded_selector.hpp>
#include <markdown/sheets/media_query.hpp>
#include <markdown/sheets/sheet_rules.hpp>
#include <markdown/sheets/ways_to_hide.hpp>
#include <markdown/tree/tree.hpp>
#include <markdown/visibility/name_place.hpp>
#include <markdown/visibility/switches.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace freshet::markdown {

/// Something for each screen.
template <class Value>
using on_screens = std::array<Value, screens>;

/// What hides an element with all below it, and what hides its texts unless something below says
/// otherwise.
struct seen_style {
  on_screens<hidden_by> whole, texts;
  std::string_view display;  ///< as declared; "" where it is not
};

/// The color of its texts in an attribute of an element, with the sign that it may lack; "" if
/// none.
[[nodiscard]] std::string_view color_attribute(const page_tree& tree, html::node_id id);
/// The color of its ground in an attribute, or one that its kind has; "" if none.
[[nodiscard]] std::string_view ground_attribute(const page_tree& tree, html::node_id id);

/// What attributes say of colors, where a style does not.
void add_attributes(const page_tree& tree, html::node_id id, block_summary& says);

/// The rules of a page's own sheets that speak of being seen. Views into the sheets.
class style_rules {
 public:
  explicit style_rules(const page_tree& tree) : tree_(tree) {}

  /// Reads a sheet; `media` is the attribute of its element, `place` where it stands: in a tree
  /// that was named by add_tree() it says nothing of the rest of the page.
  void read(std::string_view sheet, std::string_view media = {}, html::node_id place = 0);
  /// Reads one that stands in the address of a link itself; whether it does.
  bool read_address(std::string_view address, std::string_view media, html::node_id place = 0);
  /// The page asks for a dark screen.
  void is_dark() noexcept { is_dark_ = true; }
  /// The page has sheets that are not read: what stands on which ground is not known.
  void has_others() noexcept { has_others_ = true; }
  /// Sheets outside of a template say nothing of what is in it; in the order of the page.
  void add_tree(html::node_id shadow);
  /// After the last sheet, before anything is asked: finds the elements that may be hidden.
  void finish();

  /// Whether an element may be hidden by its own style or by a rule. What this says no of is as
  /// its parent.
  [[nodiscard]] bool concerns(html::node_id id) const noexcept {
    return !concerned_.empty() && concerned_[id] != 0;
  }
  /// What the cascade comes to, `texts` also by what stands above where that hides them.
  [[nodiscard]] seen_style look_at(html::node_id id, bool is_in_hidden_texts);
  /// Whether a text lies under a box that covers what it stands in.
  [[nodiscard]] bool is_covered(html::node_id text);
  /// Whether a rule that does not hold now could show what a property hides: another state, which
  /// a click or a script brings about.
  [[nodiscard]] bool may_be_shown(html::node_id id, property hidden_by);
  /// Whether something else is seen where a part would be, as far as styles say.
  [[nodiscard]] bool is_shown_beside(html::node_id id, html::node_id part);
  [[nodiscard]] bool is_opened_by_id(html::node_id id);
  [[nodiscard]] bool can_be_opened(html::node_id id);
  /// The rule in which a selector stands, as a number.
  [[nodiscard]] std::uint32_t rule_of(std::uint32_t selector) const {
    return selectors_[selector].rule;
  }
  /// Whether that rule holds on every screen.
  [[nodiscard]] bool is_for_all_screens(std::uint32_t selector) const {
    return sheets_.all()[rule_of(selector)].on == all_screens;
  }

 private:
  /// Bits for the names of an element and of those above it (a Bloom filter).
  using name_filter = std::array<std::uint64_t, 2>;
  static constexpr std::size_t most_selectors = 20'000;
  /// One selector of a rule. Most of a sheet are for other pages of the site: they are compiled
  /// when an element has what the last part asks for.
  struct rule_selector {
    std::string_view text, attribute;  ///< the attribute that an element must have, if one
    std::uint32_t rule = 0, specificity = 0;
    std::uint32_t next = no_selector;  ///< that is found by the same name
    name_filter above{};               ///< what must stand above
    bool is_host = false;              ///< of the element that has the rule's tree
    bool is_slotted = false;           ///< of one beside that tree, which `host` selects
    bool is_first_line = false;        ///< of what stands in the first line of an element
    bool is_below_host = false;  ///< of what is in that tree, where `host` selects the element
    std::uint32_t host = no_selector;  ///< of hosts_
    /// `plain`: a name alone, by which it is found.
    enum { unread, plain, known, impossible } state = unread;
    std::optional<guarded_selector> of{};
    std::optional<bool> is_to_open{};  ///< by its names; null: nobody asked

    void set_plain(std::uint32_t weight) noexcept {
      state = plain;
      specificity = weight;
    }
  };
  /// A selector of a rule that shows something.
  struct showing {
    std::string_view selector;
    std::uint32_t rule = 0;
    enum { unread, known, unknown } state = unread;
    std::optional<guarded_selector> of{};
  };
  using tag_set = std::array<bool, static_cast<std::size_t>(html::tag_id::count)>;
  /// The first selector that is found by a name.
  using buckets = std::unordered_map<std::string_view, std::uint32_t, base::text_hash>;
  /// The selectors of the page or of a tree, by what they ask of an element.
  struct filing {
    filing() { by_tag.fill(no_selector); }
    buckets by_id, by_class;
    std::array<std::uint32_t, std::tuple_size_v<tag_set>> by_tag;
    std::vector<std::uint32_t> for_all;
  };
  /// A bit for names, by their hashes.
  using name_bits = std::array<std::uint64_t, 64>;

  /// What a selector of a rule says of a custom property.
  struct custom_value {
    std::uint32_t rule = 0;
    std::string_view selector, value;
    bool important = false;
    name_filter above{};  ///< what must stand above
  };
  /// A custom property of the page.
  struct custom_property {
    std::vector<custom_value> said;
    /// Places in it, by the class that an element must have; of those that ask for none.
    std::unordered_map<std::string_view, std::vector<std::uint32_t>, base::text_hash> by_class;
    std::vector<std::pair<html::tag_id, std::uint32_t>> others;  ///< `other` is any element
    std::string_view initial, syntax;  ///< of a typed one; "" takes anything
    bool is_handed_down = true;
    std::vector<std::string_view> possible;                     ///< whatever says so
    bool has_more = false;                                      ///< than is kept of them
    bool is_unknown = false;                                    ///< too much is said
    std::unordered_map<std::uint64_t, std::string_view> known;  ///< by element and screen
  };
  /// A selector of a rule that declares custom properties.
  struct compiled_selector {
    guarded_selector of;
    std::uint32_t specificity = 0;
  };
  /// Of an animation.
  struct animation_steps {
    std::string_view first, last;
    property_set declares = 0, hides = 0;  ///< of these two
    property_set always = 0;               ///< what all of its steps hide by
  };

  /// "var(--name, otherwise)" in a value, and its like.
  struct reference {
    decltype(stand_in::kind) kind = stand_in::none;
    std::size_t begin = std::string_view::npos, end = 0;
    std::string_view name, otherwise;
    std::string_view inside;  ///< all that stands in the parentheses
    std::string_view called;  ///< what stands before them
    bool has_otherwise = false;
  };
  [[nodiscard]] static reference first_reference(std::string_view value) noexcept;

  // style_variables.cpp
  void read_custom();
  void note_custom(std::string_view declarations, std::uint32_t rule);
  void judge_variables();
  [[nodiscard]] property_set possibly_hidden(std::string_view declarations);
  /// A few values that one with variables may come to.
  struct possibilities {
    std::vector<std::string> values;
    bool are_all = true;
  };
  [[nodiscard]] possibilities possible_values(std::string_view value);
  [[nodiscard]] bool may_hide_by(property named, std::string_view value);
  [[nodiscard]] std::string_view custom_at(html::node_id id, std::size_t screen,
                                           std::string_view name);
  [[nodiscard]] std::string_view custom_of_element(html::node_id id, std::size_t screen,
                                                   std::string_view name,
                                                   const custom_property& named);
  void note_said(custom_property& named, const custom_value& one);
  [[nodiscard]] const std::optional<compiled_selector>& compiled(std::string_view selector);
  [[nodiscard]] std::string_view resolved(std::string_view value, html::node_id id,
                                          std::size_t screen);
  // style_stand_ins.cpp
  /// What stands in the place of a function; "" for what says nothing, null for what is not known.
  [[nodiscard]] std::optional<std::string> put_in(const reference& asked, html::node_id id,
                                                  std::size_t screen);
  [[nodiscard]] std::string result_of(const reference& asked) const;
  [[nodiscard]] std::string chosen(std::string_view branches, html::node_id id, std::size_t screen);
  [[nodiscard]] std::string attribute_value(const reference& asked, html::node_id id) const;
  [[nodiscard]] bool holds_style(std::string_view asked, html::node_id id, std::size_t screen);
  [[nodiscard]] bool holds_around(std::uint32_t rule, html::node_id id, std::size_t screen);
  void resolve(cascade& style, property_set asked, html::node_id id, std::size_t screen);
  // style_animations.cpp
  void read_animations();
  [[nodiscard]] property_set hidden_by_animations(std::string_view declarations) const;
  [[nodiscard]] const std::string_view* lasting_step(std::string_view animation,
                                                     std::optional<std::string_view> fill) const;
  void end_animations(cascade& style, property_set asked, html::node_id id, std::size_t screen);

  [[nodiscard]] std::uint64_t weight_of(std::uint32_t rule, std::uint32_t specificity,
                                        bool important) const noexcept;
  void judge_colors();
  [[nodiscard]] bool has_dark_screen();
  [[nodiscard]] bool hides_by_color(const block_summary& says) const;
  [[nodiscard]] bool hides_by_ink(std::string_view ink, std::string_view beside) const;
  void note_colors(const block_summary& says);
  void note_ground(std::string_view value);
  void note_ground(const rgb& ground);
  [[nodiscard]] bool may_be_lost(const rgb& color) const;
  [[nodiscard]] bool is_ground_of_ink(const block_summary& says) const;
  void note_ink(std::string_view value);
  [[nodiscard]] std::string_view style_of(html::node_id id);
  [[nodiscard]] hidden_by faded_on(html::node_id id, std::size_t screen);
  [[nodiscard]] hidden_by placed_on(html::node_id id, std::size_t screen);
  // style_covers.cpp
  /// Something that lies upon a box, from edge to edge.
  struct cover_box {
    html::node_id at = html::none;              ///< what stands before it lies under it
    html::node_id first = html::none, end = 0;  ///< of what is in it
  };
  /// How far it reaches, and its z-index.
  struct cover_reach {
    int level = 0;
    double wide_px = 0, high_px = 0;  ///< 1e6: as far as what it is placed in
  };
  /// Whether something raises an element above others, and how far.
  struct raise {
    bool is_raised = false;
    int level = 0;
  };
  [[nodiscard]] const on_screens<raise>& raise_of(html::node_id id);
  [[nodiscard]] bool may_cover(const block_summary& says) const;
  [[nodiscard]] static std::optional<cover_reach> reach_of(const cascaded_style& own);
  [[nodiscard]] bool reaches_over(html::node_id around, const cover_reach& reach);
  void cover_before(html::node_id id);
  void note_covers();
  void note_drawn_covers(std::uint32_t rule);
  [[nodiscard]] bool holds_placed(html::node_id id);
  void cover_cell(html::node_id id);
  void cover(html::node_id around, const cover_box& box, const cover_reach& reach);
  // style_moves.cpp
  [[nodiscard]] bool keeps_left_edge(html::node_id id);
  [[nodiscard]] bool is_at_left_edge(html::node_id id);
  using known_flags = std::unordered_map<html::node_id, bool>;
  /// Whether something holds of an element and of all that it stands in.
  [[nodiscard]] bool holds_around(html::node_id id, bool (style_rules::*holds)(html::node_id),
                                  known_flags& known);
  [[nodiscard]] bool is_left_behind(html::node_id id, const cascaded_style& own);
  [[nodiscard]] hidden_by moved_on(html::node_id id, std::size_t screen);
  /// How an element stands among what is above and below it.
  struct flow_place {
    enum { beside, word, block } how = block;
    bool is_free = false;  ///< placed by its edges
    double top_px = 0, left_px = 0, above_px = 0;
    double down_px = 0;       ///< moved, without moving what comes behind
    bool is_wrapped = false;  ///< into lines, whatever holds of what it stands in
  };
  [[nodiscard]] const flow_place& flow_of(html::node_id id);
  void note_cut_short(html::node_id id);
  void note_cut_beside(html::node_id id);
  void note_cut_off(html::node_id id);
  // style_openings.cpp
  [[nodiscard]] bool is_told_to_open(std::uint32_t selector);
  [[nodiscard]] bool is_shown_there(html::node_id id);
  [[nodiscard]] bool holds_switch(html::node_id id, html::node_id part);
  // style_boxes.cpp
  [[nodiscard]] hidden_by boxed_on(html::node_id id, std::size_t screen);
  [[nodiscard]] box_kind box_of(html::node_id id, const cascaded_style& own, std::size_t screen);
  [[nodiscard]] double high_px_of(html::node_id id) const;
  [[nodiscard]] bool is_in_row(html::node_id id, std::size_t screen);
  [[nodiscard]] bool is_pulled_out(html::node_id id, const cascaded_style& own, std::size_t screen);
  [[nodiscard]] bool is_moved_out(html::node_id id, const cascaded_style& own, std::size_t screen);
  [[nodiscard]] bool is_sunk(html::node_id id, const cascaded_style& own, std::size_t screen);
  [[nodiscard]] bool are_cut(html::node_id parent, std::size_t screen);
  void note_page();
  template <class With>
  void each_name_of(html::node_id id, With action) const;
  [[nodiscard]] static name_filter names_above(std::string_view selector);
  [[nodiscard]] bool may_stand_below(const name_filter& above, html::node_id id) const noexcept;
  void file(std::uint32_t rule);
  [[nodiscard]] bool is_valid_rule(std::uint32_t rule);
  void file_selector(std::string_view selector, std::uint32_t rule);
  void file_escaped(std::string_view selector, std::uint32_t rule);
  void file_by_tag(std::uint32_t place, html::tag_id tag);
  void file_by_name(std::uint32_t place, char sign, std::string_view name);
  [[nodiscard]] bool is_of_page(std::uint32_t rule) const;
  [[nodiscard]] bool is_asked(std::uint32_t rule, char sign, std::string_view name) const;
  void file_wanted();
  void find_concerned();
  void concern(html::node_id id, std::uint32_t place);
  [[nodiscard]] bool shows_nothing(html::node_id id) const;
  [[nodiscard]] property_set inline_hides(html::node_id id);
  bool compile(rule_selector& one) const;
  template <class Visit>
  void each_named(html::node_id id, Visit visit) const;
  template <class Visit>
  void each_unnamed(html::node_id id, Visit visit) const;
  [[nodiscard]] bool may_be_named(html::node_id id) const noexcept;
  // shadow_rules.cpp
  /// A tree of its own in the page, and the place of the one around it.
  struct inner_tree {
    html::node_id first = html::none, end = html::none;
    std::size_t around = 0;
  };
  [[nodiscard]] std::size_t tree_place(html::node_id id) const noexcept;
  [[nodiscard]] bool has_own_containers();
  void note_trees();
  [[nodiscard]] std::size_t tree_of(std::uint32_t rule) const noexcept;
  [[nodiscard]] bool speaks_of(std::uint32_t rule, html::node_id id) const noexcept;
  [[nodiscard]] bool speaks_of(const rule_selector& one, html::node_id id) const;
  [[nodiscard]] filing& filing_of(std::uint32_t rule);
  [[nodiscard]] const filing* filing_at(html::node_id id) const noexcept;
  template <class Visit>
  void each_of_host(html::node_id id, Visit visit) const {
    if (host_selectors_.empty()) return;
    const auto found = host_selectors_.find(id);
    if (found == host_selectors_.end()) return;
    for (auto at = found->second; at != no_selector; at = selectors_[at].next) visit(at);
  }
  /// What a selector asks of an element that has a tree.
  struct asked_host {
    guarded_selector of;
    bool or_above = false;  ///< or of one that it stands in
  };
  [[nodiscard]] bool is_of_host(std::string_view selector, std::uint32_t rule) const noexcept;
  [[nodiscard]] html::node_id host_of(std::uint32_t rule) const noexcept;
  [[nodiscard]] bool matches_host(const asked_host& asked, html::node_id host) const;
  [[nodiscard]] bool tells_host(const custom_value& said, html::node_id id) const;
  void file_of_slotted(std::string_view selector, std::uint32_t rule);
  void file_alone(rule_selector one, html::node_id id);
  void file_of_host(std::string_view selector, std::uint32_t rule);
  [[nodiscard]] bool matches(rule_selector& one, html::node_id id);
  [[nodiscard]] bool may_match(std::string_view selector) const;
  [[nodiscard]] const std::vector<declaration>& declarations_of(std::uint32_t rule);
  using cascades = on_screens<cascaded_style>;
  /// What something says of an element.
  struct weighed_declaration {
    declaration of;
    std::uint64_t weight = 0;
    std::uint32_t selector = no_selector;
    screen_set on = 0;
  };
  void take_back(on_screens<cascade>& made, std::vector<weighed_declaration> all);
  [[nodiscard]] bool is_one_line(html::node_id id) const;
  using known_cascades = std::unordered_map<html::node_id, cascades>;
  [[nodiscard]] const cascades& whole_cascade(html::node_id id);
  [[nodiscard]] const cascades& text_cascade(html::node_id id);
  [[nodiscard]] cascades make_cascade(html::node_id id, property_set asked);
  [[nodiscard]] bool says_nothing_of(html::node_id id) const;
  [[nodiscard]] cascades ask_around(html::node_id id, property_set asked);
  [[nodiscard]] double root_share(std::size_t screen);
  [[nodiscard]] hidden_by texts_on(html::node_id id, std::size_t screen, bool is_in_hidden_texts);
  /// A color, and the element that says so.
  struct stated_color {
    rgb color;
    html::node_id at = html::none;
  };
  [[nodiscard]] std::optional<stated_color> ink_at(html::node_id id, std::size_t screen);
  [[nodiscard]] std::optional<rgb> stroke_at(html::node_id id, std::size_t screen);
  template <class Painting>
  [[nodiscard]] std::optional<bool> lay_grounds_of(html::node_id id, std::size_t screen,
                                                   Painting& painted);
  [[nodiscard]] bool is_lost_in_ground(html::node_id id, std::size_t screen);
  [[nodiscard]] bool stands_on_picture(html::node_id node, const cascaded_style& style) const;
  void note_showing(property hidden_by);
  [[nodiscard]] bool may_name_asked(std::string_view selectors) const;
  [[nodiscard]] bool may_show(showing& one, html::node_id id, property hidden_by) const;
  [[nodiscard]] base::meter& meter() const noexcept;

  const page_tree& tree_;
  sheet_rules sheets_;
  std::vector<inner_tree> trees_;  ///< in order; 0 in a place means the page, n the n-th of them
  std::vector<std::uint32_t> tree_places_;                          ///< a node; empty without trees
  std::vector<std::pair<std::uint32_t, std::size_t>> sheet_trees_;  ///< first rule, place
  std::vector<std::pair<std::uint32_t, html::node_id>> scopes_;     ///< first rule, what it is in
  std::vector<asked_host> hosts_;  ///< what elements that have trees must be
  std::vector<rgb> grounds_;       ///< backgrounds that the page speaks of
  std::vector<rgb> inks_{rgb{}};   ///< colors of texts that it speaks of, and black
  std::vector<rule_selector> selectors_;
  filing page_filing_;
  std::unordered_map<std::size_t, filing> tree_filings_;  ///< by a tree's place
  std::unordered_map<html::node_id, std::uint32_t> host_selectors_;
  std::vector<bool> filed_;  ///< a rule
  /// A rule: whether its selectors are valid, once that was asked.
  enum class validity : std::uint8_t { unknown, valid, invalid };
  std::vector<validity> validity_;
  std::vector<name_filter> filters_;      ///< a node; empty without rules
  std::vector<name_place> names_;         ///< of all elements, one after the other
  std::vector<std::uint32_t> name_ends_;  ///< a node: where its names end
  name_bits filed_names_{};               ///< of by_class and by_id
  name_bits page_names_{};                ///< of all elements
  name_bits asked_names_{};  ///< of those whose cascade is made, as far as it is not of texts
  tag_set page_tags_{}, asked_tags_{};
  std::vector<property_set> concerned_;  ///< a node: by what it may be hidden; empty if none is
  /// The properties that decide on this page, and on its texts; those of them of which only
  /// elements speak themselves.
  property_set wanted_ = 0, wanted_of_texts_ = 0, overruled_ = 0;
  property_set wanted_of_any_ = 0;  ///< asked of what is around or in what may be hidden
  property_set showing_known_ = 0;
  property_set declared_ = 0;  ///< by anything on the page
  std::unordered_map<std::uint32_t, std::vector<declaration>> declarations_;  ///< by rule
  std::unordered_map<std::string_view, custom_property, base::text_hash> custom_;
  std::size_t known_values_ = 0;  ///< of all custom properties
  std::unordered_map<std::string_view, std::optional<compiled_selector>, base::text_hash>
      custom_selectors_;
  std::unordered_map<std::string_view, const named_block*, base::text_hash> functions_;
  std::unordered_map<std::string_view, animation_steps, base::text_hash> animations_;
  std::vector<std::uint16_t> ranks_;  ///< of layers
  std::unordered_map<html::node_id, std::string_view> plain_styles_;
  std::size_t resolved_bytes_ = 0;
  known_cascades wholes_, texts_;
  cascaded_style last_made_;
  std::optional<bool> has_own_containers_;                        ///< null: nobody asked
  std::unordered_map<html::node_id, on_screens<bool>> rows_;      ///< of boxes
  std::unordered_map<html::node_id, on_screens<bool>> cut_tops_;  ///< where nothing is above a box
  std::unordered_map<html::node_id, on_screens<raise>> raises_;   ///< of what may lie under a cover
  std::unordered_map<std::string_view, std::vector<showing>, base::text_hash> showing_class_,
      showing_id_;
  on_screens<std::optional<double>> root_shares_{};
  bool has_others_ = false, wanted_filed_ = false, custom_read_ = false, is_dark_ = false;
  bool dark_judged_ = false;
  bool takes_back_ = false;    ///< something on the page says "revert-layer"
  std::vector<bool> covered_;  ///< a node; empty where nothing is
  bool covers_known_ = false;
  known_flags edges_;                                    ///< whether at the left edge
  std::unordered_map<html::node_id, flow_place> flows_;  ///< of what may be cut short
  known_flags shown_;                                    ///< of switches and what is around them
  known_flags switch_holders_;
  std::optional<opening_elements> openings_;  ///< null: nobody asked
  bool bends_colors_ = false;                 ///< something on the page turns or blends colors
  mutable base::meter unbounded_;             ///< for pages that nobody counts
};

}  // namespace freshet::markdown
