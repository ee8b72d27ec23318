// What CSS says about being seen: the cascade of inline styles and of the page's own <style>
// elements, on two screens, of a phone and of a desk. Linked sheets are not read, and layout is not
// computed.
#pragma once

#include <array>
#include <cstdint>
#include <html/select/selector.hpp>
#include <markdown/tree/declarations.hpp>
#include <markdown/tree/media_query.hpp>
#include <markdown/tree/name_place.hpp>
#include <markdown/tree/sheet_rules.hpp>
#include <markdown/tree/tree.hpp>
#include <markdown/tree/ways_to_hide.hpp>
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

/// The rules of a page's own sheets that speak of being seen. Views into the sheets.
class style_rules {
 public:
  explicit style_rules(const page_tree& tree) : tree_(tree) { by_tag_.fill(no_selector); }

  /// Reads a sheet; `media` is the attribute of its element.
  void read(std::string_view sheet, std::string_view media = {});
  /// The page has sheets that are not read: what stands on which ground is not known.
  void has_others() noexcept { has_others_ = true; }
  /// After the last sheet, before anything is asked: finds the elements that may be hidden.
  void finish();

  /// Whether an element may be hidden by its own style or by a rule. What this says no of is as
  /// its parent.
  [[nodiscard]] bool concerns(html::node_id id) const noexcept {
    return !concerned_.empty() && concerned_[id] != 0;
  }
  /// What the cascade comes to, `texts` also by what stands above where that hides them.
  [[nodiscard]] seen_style look_at(html::node_id id, bool is_in_hidden_texts);
  /// Whether a rule that does not hold now could show what a property hides: another state, which
  /// a click or a script brings about.
  [[nodiscard]] bool may_be_shown(html::node_id id, property hidden_by);
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
  /// One selector of a rule. Most of a sheet are for other pages of the site: they are compiled
  /// when an element has what the last part asks for.
  struct rule_selector {
    std::string_view text, attribute;  ///< the attribute that an element must have, if one
    std::uint32_t rule = 0, specificity = 0;
    std::uint32_t next = no_selector;  ///< that is found by the same name
    name_filter above{};               ///< what must stand above
    /// `plain`: a name alone, by which it is found.
    enum { unread, plain, known, impossible } state = unread;
    std::optional<html::selector> of{};

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
    std::optional<html::selector> of{};
  };
  using tag_set = std::array<bool, static_cast<std::size_t>(html::tag_id::count)>;
  /// The first selector that is found by a name.
  using buckets = std::unordered_map<std::string_view, std::uint32_t>;
  /// A bit for names, by their hashes.
  using name_bits = std::array<std::uint64_t, 64>;

  void judge_colors();
  [[nodiscard]] bool hides_by_color(const block_summary& says) const;
  void note_ground(std::string_view value);
  void note_page();
  template <class With>
  void each_name_of(html::node_id id, With action) const;
  [[nodiscard]] static name_filter names_above(std::string_view selector);
  [[nodiscard]] bool may_stand_below(const name_filter& above, html::node_id id) const noexcept;
  void file(std::uint32_t rule);
  void file_selector(std::string_view selector, std::uint32_t rule);
  void file_escaped(std::string_view selector, std::uint32_t rule);
  void file_by_tag(std::uint32_t place, html::tag_id tag);
  void file_by_name(std::uint32_t place, char sign, std::string_view name);
  [[nodiscard]] bool is_of_page(std::uint32_t rule) const;
  [[nodiscard]] bool is_asked(std::uint32_t rule, char sign, std::string_view name) const;
  void file_wanted();
  void find_concerned();
  void concern(html::node_id id, std::uint32_t place);
  [[nodiscard]] property_set inline_hides(html::node_id id);
  bool compile(rule_selector& one) const;
  template <class Visit>
  void each_named(html::node_id id, Visit visit) const;
  template <class Visit>
  void each_unnamed(html::node_id id, Visit visit) const;
  [[nodiscard]] bool may_be_named(html::node_id id) const noexcept;
  [[nodiscard]] bool matches(rule_selector& one, html::node_id id);
  [[nodiscard]] bool may_match(std::string_view selector) const;
  [[nodiscard]] const std::vector<declaration>& declarations_of(std::uint32_t rule);
  using cascades = on_screens<cascaded_style>;
  using known_cascades = std::unordered_map<html::node_id, cascades>;
  [[nodiscard]] const cascades& whole_cascade(html::node_id id);
  [[nodiscard]] const cascades& text_cascade(html::node_id id);
  [[nodiscard]] cascades make_cascade(html::node_id id, property_set asked);
  [[nodiscard]] hidden_by texts_on(html::node_id id, std::size_t screen, bool is_in_hidden_texts);
  [[nodiscard]] bool is_lost_in_ground(html::node_id id, std::size_t screen);
  [[nodiscard]] bool stands_on_picture(html::node_id node, const cascaded_style& style) const;
  void note_showing(property hidden_by);
  [[nodiscard]] bool may_name_asked(std::string_view selectors) const;
  [[nodiscard]] bool may_show(showing& one, html::node_id id, property hidden_by) const;
  [[nodiscard]] base::meter& meter() const noexcept;

  const page_tree& tree_;
  sheet_rules sheets_;
  std::vector<rgb> grounds_;  ///< backgrounds that the page speaks of
  std::vector<rule_selector> selectors_;
  buckets by_id_, by_class_;
  std::array<std::uint32_t, std::tuple_size_v<tag_set>> by_tag_;
  std::vector<std::uint32_t> for_all_;
  std::vector<bool> filed_;               ///< a rule
  std::vector<name_filter> filters_;      ///< a node; empty without rules
  std::vector<name_place> names_;         ///< of all elements, one after the other
  std::vector<std::uint32_t> name_ends_;  ///< a node: where its names end
  name_bits filed_names_{};               ///< of by_class_ and by_id_
  name_bits page_names_{};                ///< of all elements
  name_bits asked_names_{};  ///< of those whose cascade is made, as far as it is not of texts
  tag_set page_tags_{}, asked_tags_{};
  std::vector<property_set> concerned_;  ///< a node: by what it may be hidden; empty if none is
  /// The properties that decide on this page, and on its texts; those of them of which only
  /// elements speak themselves.
  property_set wanted_ = 0, wanted_of_texts_ = 0, overruled_ = 0;
  property_set showing_known_ = 0;
  std::unordered_map<std::uint32_t, std::vector<declaration>> declarations_;  ///< by rule
  known_cascades wholes_, texts_;
  std::unordered_map<std::string_view, std::vector<showing>> showing_class_, showing_id_;
  bool has_others_ = false, wanted_filed_ = false;
  mutable base::meter unbounded_;  ///< for pages that nobody counts
};

}  // namespace freshet::markdown
