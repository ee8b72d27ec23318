// What a page shows as its byline, where nothing says it for machines: the first elements that are
// named for an author and hold a name.
#pragma once

#include <markdown/tree/tree.hpp>
#include <string>

namespace freshet::markdown {

/// The boxes of a page, as its elements are looked at in their order.
class author_boxes {
 public:
  explicit author_boxes(const page_tree& tree) : tree_(tree) {}

  void look_at(html::node_id id);

  /// A heading begins: a user above all of them was who reads.
  void pass_heading();

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& any() const { return any_; }

 private:
  const page_tree& tree_;
  std::string name_;      ///< of a box for names: "author-name" says more than "author"
  std::string any_;       ///< of a box for authors
  bool is_user_ = false;  ///< `any_` is of a box for users
  bool has_seen_heading_ = false;
};

}  // namespace freshet::markdown
