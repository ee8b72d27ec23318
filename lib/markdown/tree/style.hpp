// What CSS says about being seen: the cascade of inline styles and of the page's own <style>
// elements, on two screens, of a phone and of a desk. Linked sheets are not read, and layout is not
// computed.
#pragma once

#include <array>
#include <cstdint>
#include <html/select/selector.hpp>
#include <markdown/tree/declarations.hpp>
#include <markdown/tree/media_query.hpp>
#include <markdown/tree/tree.hpp>
#include <markdown/tree/ways_to_hide.hpp>
#include <string>
#include <string_view>
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
  explicit style_rules(const page_tree& tree) : tree_(tree) {}

  /// Reads a sheet; `media` is the attribute of its element.
  void read(std::string_view sheet, std::string_view media = {});
  /// The page has sheets that are not read: what stands on which ground is not known.
  void has_others() noexcept { has_others_ = true; }

  /// Reads the style of an element, for what the rules of others may come to on it.
  void read_inline(std::string_view style);
  /// After the last sheet, before anything is asked.
  void finish();

  /// Whether an element may be hidden by its own style or by a rule. What this says no of is as
  /// its parent.
  [[nodiscard]] bool concerns(html::node_id id);
  /// What the cascade comes to, `texts` also by what stands above.
  [[nodiscard]] seen_style look_at(html::node_id id);
  /// Whether a rule that does not hold now could show what a property hides: another state, which
  /// a click or a script brings about.
  [[nodiscard]] bool may_be_shown(html::node_id id, property hidden_by);

 private:
  struct rule {
    std::size_t first = 0, end = 0;  ///< in declarations_
    std::uint8_t on = 0;             ///< a bit for each screen
    std::uint32_t declares = 0;      ///< a bit for each property
    bool hides = false;
    bool compiled = false;
    std::string_view selectors;
  };
  /// Bits for the names of an element and of those above it (a Bloom filter).
  using name_filter = std::array<std::uint64_t, 4>;
  /// One selector of a rule.
  struct alternative {
    html::selector of;
    std::uint32_t rule = 0, specificity = 0;
    name_filter above{};  ///< what must stand above
  };
  /// A selector of a rule that shows something.
  struct showing {
    std::string_view selector;
    std::uint32_t rule = 0;
    enum { unread, known, unknown } state = unread;
    html::selector of{};
  };
  using buckets = std::unordered_map<std::string_view, std::vector<std::uint32_t>>;

  void read_rule(std::string_view selectors, std::string_view body, std::uint8_t on);
  void note_page();
  [[nodiscard]] bool may_stand_below(const name_filter& above, html::node_id id) const noexcept;
  [[nodiscard]] bool matches(const alternative& one, html::node_id id) const;
  void note_ground(const declaration& one);
  [[nodiscard]] bool stands_on_picture(html::node_id at, const cascaded_style& style) const;
  void compile(std::uint32_t number);
  void compile_rest();
  [[nodiscard]] bool may_match(std::string_view selector) const;
  template <class Visit>
  void each_candidate(html::node_id id, Visit visit) const;
  void note_showing(std::uint32_t number);
  [[nodiscard]] const cascaded_style& cascade(html::node_id id, std::size_t screen);
  [[nodiscard]] cascaded_style make_cascade(html::node_id id, std::size_t screen);
  [[nodiscard]] bool may_show(showing& one, html::node_id id, property hidden_by) const;
  [[nodiscard]] bool is_suspicious(const declaration& one) const;
  [[nodiscard]] hidden_by texts_on(html::node_id id, std::size_t screen);
  [[nodiscard]] bool is_lost_in_ground(html::node_id id, std::size_t screen);
  [[nodiscard]] base::meter& meter() const noexcept;

  const page_tree& tree_;
  std::vector<declaration> declarations_;
  std::vector<rule> rules_;
  std::vector<alternative> alternatives_;
  buckets by_id_, by_class_, by_element_;
  std::vector<std::uint32_t> for_all_;
  std::unordered_set<std::string> names_;  ///< classes and ids of the page, with their signs
  /// By the names in them, with their signs.
  std::unordered_map<std::string_view, std::vector<showing>> showing_;
  std::array<std::unordered_map<html::node_id, cascaded_style>, screens> cascades_;
  std::vector<rgb> grounds_;          ///< backgrounds that the page speaks of
  std::vector<name_filter> filters_;  ///< a node; empty on pages too large for it
  std::vector<declaration> inline_;   ///< those of elements' own styles that can hide
  std::uint32_t wanted_ = 0;          ///< the properties that decide on this page
  bool rest_compiled_ = false, has_others_ = false, has_media_ = false;
  mutable base::meter unbounded_;  ///< for pages that nobody counts
};

}  // namespace freshet::markdown
