// A label is short and stands in the text of the day or in the one before: "Published" and "Feb 2,
// 2023" in two elements.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <markdown/about/closing_days.hpp>
#include <markdown/about/day_labels.hpp>
#include <string>
#include <utility>

namespace freshet::markdown {

namespace {

/// A text with more bytes is prose.
constexpr std::size_t longest_text = 80, longest_label = 30;

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

}  // namespace

closing_days closing_days_of(const page_tree& tree, html::node_id heading, day_order order) {
  only_day published, edited;
  const auto end = tree.end_of(tree.body());
  const auto begin = tree.end_of(heading);
  tree.spend(end > begin ? end - begin : 0);
  std::string label;
  for (auto id = begin; id < end; ++id) {
    if (!tree.is_text(id)) continue;
    const auto text = base::trim(tree.text_at(id));
    if (text.empty()) continue;
    tree.spend(std::min(text.size(), longest_text));
    const auto last = std::exchange(label, text.size() <= longest_label ? base::fold(text) : "");
    if (text.size() > longest_text || text.find_first_of("0123456789") == std::string_view::npos) {
      continue;
    }
    const auto folded = base::fold(text);
    const auto days = written_dates(folded, order);
    if (days.empty()) continue;
    const auto before = base::trim(std::string_view(folded).substr(0, days.front().begin));
    const auto beside = before.empty() ? std::string_view(last) : before;
    if (beside.size() > longest_label || says_joining(beside)) continue;
    if (says_change(beside)) {
      edited.add(days.front().day);
    } else if (says_publication(beside)) {
      published.add(days.front().day);
    }
  }
  return {published.value(), edited.value()};
}

}  // namespace freshet::markdown
