// The headings of a page, as people read them: of most pages the title is the <h1>, of others a
// lower one. Between the tree and what the page says of itself.
#pragma once

#include <markdown/tree/tree.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::markdown {

class page_headings {
 public:
  explicit page_headings(const page_tree& tree) : tree_(tree) {}

  /// Whether elements of this kind are headings that may be a title: <h1> to <h4>.
  [[nodiscard]] static bool has(html::tag_id tag) noexcept;
  /// Takes one, in the order of the page.
  void add(html::node_id id);

  /// The text of the first <h1> as it stands, or "".
  [[nodiscard]] const std::string& first() const noexcept { return first_; }
  /// Of each <h1>.
  [[nodiscard]] const std::vector<std::string>& texts() const noexcept { return main_.texts; }
  /// Of each that is lower.
  [[nodiscard]] const std::vector<std::string>& lower_texts() const noexcept {
    return lower_.texts;
  }
  /// What heading_cores() finds in each <h1>.
  [[nodiscard]] const std::vector<std::string>& cores() const noexcept { return cores_; }
  /// The heading that says a title, the highest first; the first <h1> where none does, and
  /// html::none on a page without one.
  [[nodiscard]] html::node_id place_of(std::string_view title) const;

 private:
  struct level {
    std::vector<html::node_id> places;
    std::vector<std::string> texts;
    /// html::none where none says it.
    [[nodiscard]] html::node_id place_of(std::string_view compared) const;
  };

  const page_tree& tree_;
  std::string first_;
  level main_, lower_;
  std::vector<std::string> cores_;
};

}  // namespace freshet::markdown
