// Posts are found by the names that forum software gives their texts, and by microdata.
#include <algorithm>
#include <markdown/about/posts.hpp>
#include <markdown/tree/signals.hpp>
#include <optional>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;

/// phpBB's "postbody" begins with the post's title and day; its text is the "content" in it.
bool is_content_of_post(const page_tree& tree, node_id id) {
  const auto parent = tree.parent_of(id);
  const auto above = parent == none ? none : tree.parent_of(parent);
  if (above == none) return false;
  const auto around = tree.marks_of(parent) | tree.marks_of(above);
  return (around & mark::post_body) != 0 && tree.attribute_of(id, "class") == "content";
}

bool is_body(const page_tree& tree, node_id id) {
  if ((tree.marks_of(id) & (mark::post_body | mark::post_text)) != 0) return true;
  if (is_content_of_post(tree, id)) return true;
  const auto property = tree.attribute_of(id, "itemprop");
  return property == "text" || property == "articleBody";
}

/// For every node whether it stands in a remark below a question or an answer: such are no posts of
/// their own. One pass, since parents come before their children.
class remarks {
 public:
  explicit remarks(const page_tree& tree) : scopes_(tree.page().size(), 0) {
    tree.spend(scopes_.size());
    for (node_id id = 1; id < scopes_.size(); ++id) {
      scopes_[id] = scopes_[tree.parent_of(id)];
      const auto type = tree.attribute_of(id, "itemtype");
      if (type.empty()) continue;
      if (type.ends_with("/Answer") || type.ends_with("/Question")) {
        scopes_[id] = in_answer;
      } else if (type.ends_with("/Comment") && (scopes_[id] & in_answer) != 0) {
        scopes_[id] |= in_remark;
      }
    }
  }
  [[nodiscard]] bool contain(node_id id) const { return (scopes_[id] & in_remark) != 0; }

 private:
  static constexpr std::uint8_t in_answer = 1, in_remark = 2;
  std::vector<std::uint8_t> scopes_;
};

}  // namespace

bool is_in_remarks(const page_tree& tree, node_id id) {
  for (auto at = id; at != none && at != tree.body(); at = tree.parent_of(at)) {
    tree.spend(1);
    if (tree.is_element(at) && (tree.marks_of(at) & mark::comment) != 0) return true;
  }
  return false;
}

std::vector<node_id> post_bodies(const page_tree& tree) {
  std::optional<remarks> below_answers;  // few pages have posts: read where there is one
  tree.spend_on(tree.body());
  std::vector<node_id> found;  // the last one first, so that those inside one are at its end
  for (auto id = tree.end_of(tree.body()); id-- > tree.body();) {
    if (tree.is_dropped(id) || !tree.is_element(id)) continue;
    if (!is_body(tree, id) || tree.text_in(id) == 0) continue;
    if (!below_answers) below_answers.emplace(tree);
    if (below_answers->contain(id)) continue;
    std::uint32_t inside = 0;
    std::size_t count = 0;
    for (auto at = found.rbegin(); at != found.rend() && tree.contains(id, *at); ++at, ++count) {
      tree.spend(1);
      inside += tree.text_in(*at);
    }
    if (inside * 2 > tree.text_in(id)) continue;
    found.resize(found.size() - count);
    found.push_back(id);
  }
  std::ranges::reverse(found);
  return found;
}

}  // namespace freshet::markdown
