// Whether a text is the name of the site that a page is of: titles carry it, and bylines do. Pure.
#pragma once

#include <base/text_hash.hpp>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace freshet::markdown {

/// Folded, with everything between words as one space: the form in which names are compared.
[[nodiscard]] std::string comparable(std::string_view text);

/// The words of such a text.
[[nodiscard]] std::vector<std::string_view> words_in(std::string_view compared);

class site_name {
 public:
  /// The names that the page says, and the host of its address; "" if that is not known.
  site_name(const std::vector<std::string>& said, std::string_view host);

  /// Whether a text is said to be the name, or is told by the host; so is a text without words.
  [[nodiscard]] bool is(std::string_view text) const;
  /// The same, letter by letter: nothing that only looks like it.
  [[nodiscard]] bool is_named(std::string_view text) const;

 private:
  [[nodiscard]] bool is_label(std::string_view joined) const;
  [[nodiscard]] bool is_mostly_in_host(std::string_view compared, std::size_t letters) const;
  [[nodiscard]] bool is_acronym(std::string_view text) const;

  std::unordered_set<std::string, base::text_hash> said_;
  std::vector<std::string> labels_;
  std::string host_;
};

}  // namespace freshet::markdown
