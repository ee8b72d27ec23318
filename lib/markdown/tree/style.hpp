// What CSS says about being seen: inline styles, and the simple rules of the page's own <style>
// elements. Nothing else of CSS is understood; layout is not computed.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace freshet::markdown {

/// How a part of a page is hidden. Scripts may show what is hidden `until_shown`; what is off the
/// screen or has no size was never meant to be read.
enum class hiding : std::uint8_t { none, until_shown, for_good };

/// What the declarations of a style attribute (`of_element`) or of a rule say. A text in the colour
/// of its background is hidden by an attribute; of a rule nobody knows what else sets the colours.
[[nodiscard]] hiding hiding_by_style(std::string_view declarations,
                                     bool of_element = true) noexcept;

/// The classes and ids that a page's own style sheets hide: rules with one class or one id alone
/// (".x{display:none}"). What any other rule may show again, for another state or another screen,
/// is not hidden: tabs and menus keep their text. Views into the sheets given to read().
class hidden_names {
 public:
  void read(std::string_view sheet);
  [[nodiscard]] bool empty() const noexcept {
    return classes_.hidden.empty() && ids_.hidden.empty();
  }
  /// By an element's class and id attributes.
  [[nodiscard]] hiding of(std::string_view classes, std::string_view id) const;

 private:
  struct names {
    std::unordered_map<std::string_view, hiding> hidden;
    std::unordered_set<std::string_view> shown;
    [[nodiscard]] hiding of(std::string_view name) const;
  };

  void read_rule(std::string_view selectors, std::string_view declarations, bool conditional);
  void show_all_in(std::string_view selectors);
  [[nodiscard]] names& named_by(char sign) noexcept { return sign == '#' ? ids_ : classes_; }

  names classes_, ids_;
};

}  // namespace freshet::markdown
