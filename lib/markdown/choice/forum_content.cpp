// Posts are found by the names that forum software gives their texts, and by microdata. A post
// reaches from its text up to where the next post's begins; its author and date stand in it.
#include <algorithm>
#include <markdown/choice/forum_content.hpp>
#include <markdown/tree/signals.hpp>
#include <optional>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;

/// An author's name or a date is no longer than this.
constexpr std::uint32_t longest_name = 40, longest_date = 40;

bool is_body(const page_tree& tree, node_id id) {
  if ((tree.marks_of(id) & (mark::post_body | mark::post_text)) != 0) return true;
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

/// A heading that is a link: the thread's title once more, leading to the post.
bool is_permalink(const page_tree& tree, node_id id) {
  constexpr double mostly = 0.9;
  return is_heading(tree.tag_of(id)) && tree.of(id).link_density() > mostly;
}

/// "Code: select all" above code.
bool is_code_label(const page_tree& tree, node_id id) {
  constexpr std::uint32_t longest = 40;
  return tree.tag_of(id) == html::tag_id::p && tree.of(id).links > 0 &&
         tree.text_in(id) < longest && tree.is_element(tree.at(id).next, html::tag_id::pre);
}

class thread {
 public:
  thread(page_tree& tree, std::vector<node_id> bodies) : tree_(tree), bodies_(std::move(bodies)) {}
  content run();

 private:
  [[nodiscard]] node_id post_of(std::size_t i) const;
  [[nodiscard]] bool is_author(node_id id) const;
  [[nodiscard]] bool is_date(node_id id) const;
  void add(node_id id);
  void clean(node_id body);

  page_tree& tree_;
  std::vector<node_id> bodies_;
  std::vector<node_id> roots_;
};

/// Up to where another post would be inside, too.
node_id thread::post_of(std::size_t i) const {
  constexpr std::uint32_t most_beside = 600;
  node_id post = bodies_[i];
  while (true) {
    tree_.spend(1);
    const auto parent = tree_.parent_of(post);
    if (parent == none || parent <= tree_.body()) return post;
    if (i > 0 && tree_.contains(parent, bodies_[i - 1])) return post;
    if (i + 1 < bodies_.size() && tree_.contains(parent, bodies_[i + 1])) return post;
    if (tree_.text_in(parent) > tree_.text_in(bodies_[i]) + most_beside) return post;
    post = parent;
  }
}

bool thread::is_author(node_id id) const {
  const auto& text = tree_.of(id);
  if (text.text == 0 || text.text > longest_name || text.blocks > 1) return false;
  if ((tree_.marks_of(id) & mark::post_author) != 0) return true;
  const auto property = tree_.attribute_of(id, "itemprop");
  return property == "author" || property == "creator";
}

bool thread::is_date(node_id id) const {
  const auto& text = tree_.of(id);
  if (text.text == 0 || text.text > longest_date) return false;
  return tree_.tag_of(id) == html::tag_id::time || (tree_.marks_of(id) & mark::post_date) != 0;
}

void thread::add(node_id id) {
  if (!roots_.empty() && tree_.contains(roots_.back(), id)) return;
  roots_.push_back(id);
}

/// Inside a text: signatures, buttons, what expands a quote.
void thread::clean(node_id body) {
  tree_.spend_on(body);
  for (auto id = body + 1; id < tree_.end_of(body); ++id) {
    if (tree_.is_dropped(id) || !tree_.is_element(id)) continue;
    const auto tag = tree_.tag_of(id);
    const bool drop = tag == html::tag_id::button || tag == html::tag_id::form ||
                      tag == html::tag_id::nav || tag == html::tag_id::footer ||
                      is_permalink(tree_, id) || is_code_label(tree_, id) ||
                      (tree_.marks_of(id) & (mark::poster | mark::controls)) != 0;
    if (!drop || tree_.text_in(id) * 2 > tree_.text_in(body)) continue;
    tree_.drop(id);
    id = tree_.end_of(id) - 1;
  }
}

content thread::run() {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const auto body = bodies_[i];
    const auto post = post_of(i);
    node_id author = none, date = none;
    tree_.spend_on(post);
    for (auto id = post; id < tree_.end_of(post); ++id) {
      if (tree_.is_dropped(id) || !tree_.is_element(id)) continue;
      if (id == body) {
        id = tree_.end_of(id) - 1;
        continue;
      }
      if (author == none && is_author(id)) {
        author = id;
        id = tree_.end_of(id) - 1;
      } else if (date == none && is_date(id)) {
        date = id;
        id = tree_.end_of(id) - 1;
      }
    }
    std::vector<node_id> parts = {body};
    if (author != none) parts.push_back(author);
    if (date != none) parts.push_back(date);
    std::ranges::sort(parts);
    clean(body);
    for (const auto part : parts) add(part);
  }
  tree_.count();
  content chosen;
  chosen.roots = std::move(roots_);
  return chosen;
}

}  // namespace

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

content choose_posts(page_tree& tree) {
  auto bodies = post_bodies(tree);
  if (bodies.empty()) {
    content none_found;
    none_found.found = false;
    return none_found;
  }
  return thread(tree, std::move(bodies)).run();
}

}  // namespace freshet::markdown
