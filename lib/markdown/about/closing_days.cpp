// A label is short and stands in the text of the day or in the one before: "Published" and "Feb 2,
// 2023" in two elements.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <markdown/about/closing_days.hpp>
#include <markdown/about/day_labels.hpp>
#include <markdown/tree/name_marks.hpp>
#include <string>
#include <utility>

namespace freshet::markdown {

namespace {

/// A text with more bytes is prose.
constexpr std::size_t longest_day_text = 100, longest_day_label = 30;

/// A day of one kind, as long as no other one is.
class only_day {
 public:
  void add(time_point day) {
    if (day_ && *day_ != day) is_one_ = false;
    day_ = day;
  }
  [[nodiscard]] std::optional<time_point> value() const { return is_one_ ? day_ : std::nullopt; }

 private:
  std::optional<time_point> day_;
  bool is_one_ = true;
};

/// What elements that hold a day are called, and what others are whose names hold such a one.
constexpr auto names_of_days = std::to_array<std::string_view>(
    {"date", "datum", "fecha", "posted", "publish", "submitted", "timestamp", "post-meta",
     "postmeta", "entry-meta", "article-meta", "asset-meta", "post-footer", "entry-footer",
     "byline"});
constexpr auto names_of_others = std::to_array<std::string_view>(
    {"update", "modif", "event", "expir", "valid", "candidate", "start", "birth", "teaser", "card",
     "widget", "related", "search", "filter", "calendar"});

/// Whether a text stands in a box for a day that is of the page itself.
bool is_in_day_box(const page_tree& tree, html::node_id id) {
  using enum html::tag_id;
  constexpr int most_boxes = 3, most_levels = 60;
  bool is_named = false;
  int above = 0;
  for (auto at = tree.parent_of(id); at != html::none && at != tree.body() && above < most_levels;
       at = tree.parent_of(at), ++above) {
    tree.spend(1);
    const auto tag = tree.tag_of(at);
    if (tag == nav || tag == aside || tag == footer || tag == form || tag == a || tag == script ||
        tag == style || tag == noscript) {
      return false;
    }
    const auto others = mark::comment | mark::related;
    const bool is_box = above < most_boxes;
    // "asset-footer" is below an article, "footer" below a page.
    if ((tree.marks_of(at) & (is_box ? others : others | mark::surroundings)) != 0) return false;
    if (!is_box) continue;
    const auto name = base::to_lower_ascii(tree.attribute_of(at, "class"));
    if (contains_any(name, names_of_others)) return false;
    is_named = is_named || contains_any(name, names_of_days);
  }
  return is_named;
}

class day_collector {
 public:
  day_collector(const page_tree& tree, day_order order) : tree_(tree), order_(order) {}

  /// A text that may hold a day or its label.
  void read(html::node_id id, bool is_below) {
    const auto text = base::trim(tree_.text_at(id));
    if (text.empty()) return;
    tree_.spend(std::min(text.size(), longest_day_text));
    const auto last =
        std::exchange(label_, text.size() <= longest_day_label ? base::fold(text) : "");
    if (text.size() > longest_day_text ||
        text.find_first_of("0123456789") == std::string_view::npos) {
      return;
    }
    const auto folded = base::fold(text);
    const auto days = written_dates(folded, order_);
    if (days.empty()) return;
    const auto day = days.front().day;
    auto before = base::trim(std::string_view(folded).substr(0, days.front().begin));
    before.remove_prefix(before.size() - std::min(before.size(), longest_day_label));
    const auto beside = before.empty() ? std::string_view(last) : before;
    const auto behind = std::string_view(folded).substr(days.front().end);
    if (says_joining(beside)) return;
    if (says_change(beside)) {
      if (is_below) edited_.add(day);
    } else if (says_publication(beside) || says_publication(behind)) {
      if (is_below) published_.add(day);
    } else if (days.size() == 1 && is_in_day_box(tree_, id)) {
      boxed_.add(day);
    }
  }
  [[nodiscard]] closing_days found() const {
    return {published_.value(), edited_.value(), boxed_.value()};
  }

 private:
  const page_tree& tree_;
  const day_order order_;
  only_day published_, edited_, boxed_;
  std::string label_;  ///< the text before, if it is short
};

}  // namespace

closing_days closing_days_of(const page_tree& tree, html::node_id heading, day_order order) {
  day_collector days(tree, order);
  const auto end = tree.end_of(tree.body());
  const auto below = heading == html::none ? end : tree.end_of(heading);
  tree.spend(tree.body() < end ? end - tree.body() : 0);
  for (auto id = tree.body(); id < end; ++id) {
    if (tree.is_text(id)) days.read(id, id >= below);
  }
  return days.found();
}

}  // namespace freshet::markdown
