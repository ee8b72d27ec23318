// The rules of style sheets, read as far as it takes to know which of them may hide something: one
// pass, in place, that looks at the first letters of properties and of their values.
#pragma once

#include <base/text_hash.hpp>
#include <cstdint>
#include <deque>
#include <markdown/sheets/declarations.hpp>
#include <markdown/sheets/media_query.hpp>
#include <markdown/sheets/sheet_layers.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace freshet::markdown {

/// What a block of declarations speaks of, the cascade not regarded.
struct block_summary {
  property_set declares = 0;
  property_set hides = 0;   ///< by values that may hide; colors are for who knows the grounds
  property_set varies = 0;  ///< by custom properties
  bool important = false;   ///< some of them are
  bool has_custom = false;  ///< declares custom properties
  bool is_placed = false;   ///< freely: "position: absolute"
  bool is_pulled = false;   ///< up, over what stands before it
  bool takes_back = false;  ///< "revert-layer"
  bool is_cutting = false, is_low = false;  ///< hides what does not fit; has a height of few lines
  bool is_narrow = false, is_unwrapped = false;  ///< has a width of few letters; is one line
  std::string_view color, fill, ground, image;   ///< the last of each; "" where there is none
};
/// Whether it may cut off the end of what it holds, below or beside.
[[nodiscard]] constexpr bool may_cut_short(const block_summary& says) noexcept {
  return says.is_cutting && (says.is_low || (says.is_narrow && says.is_unwrapped));
}
[[nodiscard]] block_summary summary_of(std::string_view declarations);

/// Views into a sheet.
struct sheet_rule {
  std::string_view selectors, body;
  screen_set on = 0;
  std::uint16_t layer = no_layer;
  std::string_view around;  ///< what containers must say: "style(--a: b)"; "" asks nothing
  bool in_place = false;    ///< only of what the sheet's own element stands in
  block_summary says;
};

/// A name and what stands in its block: an animation's steps, a custom property's description.
struct named_block {
  std::string_view name, body;
};

/// Rules of a page; what is beyond is not read.
inline constexpr std::size_t most_rules = 20'000;

/// The rules of a page's sheets, in their order; those for no screen are left out.
class sheet_rules {
 public:
  /// `media` is the attribute of the sheet's element. The sheet stays where it is; what is made of
  /// it is kept here.
  void read(std::string_view sheet, std::string_view media);
  /// There are containers, although no sheet says of which elements.
  void note_containers() noexcept { has_containers_ = true; }
  /// Keeps a text as long as the rules.
  [[nodiscard]] std::string_view keep(std::string text);
  [[nodiscard]] std::vector<sheet_rule>& all() noexcept { return rules_; }
  [[nodiscard]] const std::vector<sheet_rule>& all() const noexcept { return rules_; }
  [[nodiscard]] const sheet_layers& layers() const noexcept { return layers_; }
  [[nodiscard]] const std::vector<named_block>& animations() const noexcept { return animations_; }
  [[nodiscard]] const std::vector<named_block>& custom() const noexcept { return custom_; }
  /// "--name(--a, --b: 1)" and what stands in the block.
  [[nodiscard]] const std::vector<named_block>& functions() const noexcept { return functions_; }
  /// Sheets are named that are not read.
  [[nodiscard]] bool has_imports() const noexcept { return has_imports_; }
  /// Some rules hold on one screen only.
  [[nodiscard]] bool has_media() const noexcept { return has_media_; }

 private:
  /// What an at-rule makes of the rules inside.
  struct block {
    screen_set on = 0;
    std::uint16_t layer = no_layer;
    std::string_view outer;   ///< the selectors of a scope
    std::string_view beyond;  ///< ":not(a, a *)": of what is no more in it
    bool in_place = false;    ///< in a scope that names none
    std::string_view around;  ///< of a query for styles
  };
  /// A block inside of a rule.
  struct nested {
    std::string_view prelude;
    std::size_t begin = 0;
  };
  /// A rule that waits to be read.
  struct waiting {
    std::string_view selectors, body;
    block in;
    std::size_t depth = 0;
  };

  void read(std::string_view sheet, const block& outer);
  void read_plain(std::string_view sheet, const block& outer);
  void read_statement(std::string_view statement, const block& outer);
  void read_import(std::string_view statement, const block& outer);
  [[nodiscard]] std::optional<block> inside_scope(std::string_view prelude, const block& outer);
  [[nodiscard]] std::string_view in_scope(std::string_view selectors, const block& scope);
  [[nodiscard]] std::optional<block> inside_of(std::string_view prelude, const block& outer);
  [[nodiscard]] std::optional<screen_set> screens_in(std::string_view prelude);
  void note_block(std::string_view prelude, std::string_view body);
  std::size_t read_rule(std::string_view sheet, std::size_t begin, std::string_view selectors,
                        const block& outer);
  std::size_t read_body(std::string_view text, std::size_t begin, const waiting& rule);
  [[nodiscard]] std::string_view of_details(std::string_view selectors);
  void wait(std::string_view prelude, std::string_view body, const waiting& rule);
  [[nodiscard]] std::string_view combined(std::string_view outer, std::string_view inner);

  std::vector<sheet_rule> rules_;
  sheet_layers layers_;
  std::vector<named_block> animations_, custom_, functions_;
  std::vector<nested> nested_;    ///< of the block that is being read
  std::vector<waiting> waiting_;  ///< the next is the last
  std::deque<std::string> kept_;
  std::unordered_map<std::string_view, std::optional<screen_set>, base::text_hash>
      known_;  ///< by prelude
  std::size_t combined_bytes_ = 0, depth_ = 0;
  bool has_imports_ = false, has_media_ = false, has_containers_ = false;
};

}  // namespace freshet::markdown
