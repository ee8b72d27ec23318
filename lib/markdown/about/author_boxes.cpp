// Boxes are known by the marks of their names (tree/signals.hpp): pages call them alike.
#include <base/unicode.hpp>
#include <markdown/about/author_boxes.hpp>
#include <markdown/about/visible_claims.hpp>

namespace freshet::markdown {

void author_boxes::look_at(html::node_id id) {
  const auto tag = tree_.tag_of(id);
  if (!name_.empty() || tag == html::tag_id::body) return;
  const auto& marks = tree_.marks_by_attribute(id);
  const auto names_author = [](name_marks of) {
    return (of & mark::author) != 0 && (of & mark::beside_author) == 0;
  };
  const bool by_class = names_author(marks.of_class);
  // Places to jump to are called as the text there.
  const bool is_place = is_heading(tag) || tag == html::tag_id::a || tag == html::tag_id::dt;
  if (!by_class && (is_place || !names_author(marks.of_id))) return;
  const auto value = tree_.attribute_of(id, by_class ? "class" : "id");
  const bool has_author = value.find("uthor") != std::string_view::npos;
  const bool is_name = has_author && value.find("ame") != std::string_view::npos;
  auto& into = is_name ? name_ : any_;
  if (!into.empty()) return;
  into = names_in_box(tree_, id);
  if (is_name || into.empty()) return;
  is_user_ = !has_author && base::to_lower_ascii(value).find("username") != std::string::npos;
}

void author_boxes::pass_heading() {
  if (is_user_ && !has_seen_heading_) any_.clear();
  has_seen_heading_ = true;
}

}  // namespace freshet::markdown
