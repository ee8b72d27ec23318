// The rules of style sheets, read as far as it takes to know which of them may hide something: one
// pass, in place, that looks at the first letters of properties and of their values.
#pragma once

#include <cstdint>
#include <markdown/tree/declarations.hpp>
#include <markdown/tree/media_query.hpp>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace freshet::markdown {

/// What a block of declarations speaks of, the cascade not regarded.
struct block_summary {
  property_set declares = 0;
  property_set hides = 0;  ///< by values that may hide; colors are for who knows the grounds
  bool important = false;  ///< some of them are
  std::string_view color, ground;  ///< the last of each; "" where there is none
};
[[nodiscard]] block_summary summary_of(std::string_view declarations);

/// Views into a sheet.
struct sheet_rule {
  std::string_view selectors, body;
  screen_set on = 0;
  block_summary says;
};

/// Rules of a page; what is beyond is not read.
inline constexpr std::size_t most_rules = 20'000;

/// The rules of a page's sheets, in their order; those for no screen are left out.
class sheet_rules {
 public:
  /// `media` is the attribute of the sheet's element.
  void read(std::string_view sheet, std::string_view media);
  [[nodiscard]] std::vector<sheet_rule>& all() noexcept { return rules_; }
  [[nodiscard]] const std::vector<sheet_rule>& all() const noexcept { return rules_; }
  /// Sheets are named that are not read.
  [[nodiscard]] bool has_imports() const noexcept { return has_imports_; }
  /// Some rules hold on one screen only.
  [[nodiscard]] bool has_media() const noexcept { return has_media_; }

 private:
  [[nodiscard]] std::optional<screen_set> screens_in(std::string_view prelude);
  std::size_t read_rule(std::string_view sheet, std::size_t begin, std::string_view selectors,
                        screen_set screens);

  std::vector<sheet_rule> rules_;
  std::unordered_map<std::string_view, std::optional<screen_set>> known_;  ///< by prelude
  bool has_imports_ = false, has_media_ = false;
};

}  // namespace freshet::markdown
