// "mso-list:l0 level2 lfo1" on the paragraph, "mso-list:Ignore" on its mark.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/number.hpp>
#include <base/unicode.hpp>
#include <markdown/writing/walker.hpp>
#include <markdown/writing/word_list.hpp>
#include <string_view>

namespace freshet::markdown {

namespace {

using html::node_id;

constexpr std::string_view list_property = "mso-list:";
constexpr std::size_t most_levels = 9, longest_mark = 16;

/// What a style says of the list; "" if it says nothing.
std::string_view list_in(const page_tree& tree, node_id id) {
  if (!tree.is_element(id)) return {};
  const auto style = tree.attribute_of(id, "style");
  const auto at = style.find(list_property);
  if (at == std::string_view::npos) return {};
  const auto value = style.substr(at + list_property.size());
  return base::trim(value.substr(0, value.find(';')));
}

/// "- " for a bullet, whatever it looks like, "3. " for a number; "" for letters.
std::string marker_of(std::string_view mark) {
  std::string_view rest = mark;
  const auto number = base::take_number<int>(rest);
  if (number) return rest == "." || rest == ")" ? std::to_string(*number) + ". " : std::string();
  // Word's bullet of the second level is the letter of a font for typewriters.
  const bool is_bullet = mark == "o" || std::ranges::none_of(mark, base::is_alphanumeric);
  return is_bullet ? "- " : std::string();
}

}  // namespace

std::optional<word_item> word_item_at(const page_tree& tree, node_id id) {
  const auto list = list_in(tree, id);
  const auto named = list.find("level");
  if (named == std::string_view::npos) return std::nullopt;
  auto number = list.substr(named + std::string_view("level").size());
  word_item item;
  item.level = base::take_number<std::size_t>(number).value_or(1);
  if (item.level == 0 || item.level > most_levels) return std::nullopt;
  tree.spend_on(id);
  for (auto at = id + 1; at < tree.end_of(id); ++at) {
    if (tree.is_dropped(at) || list_in(tree, at) != "Ignore") continue;
    if (tree.text_in(at) > 4 * longest_mark) return std::nullopt;
    auto text = tree.text_of(at);
    constexpr std::string_view hard_space = "\xC2\xA0";
    for (auto space = text.find(hard_space); space != std::string::npos;
         space = text.find(hard_space)) {
      text.erase(space, hard_space.size());
    }
    const auto mark = base::trim(text);
    if (mark.empty() || mark.size() > longest_mark) return std::nullopt;
    item.marker = marker_of(mark);
    item.mark = at;
    break;
  }
  if (item.marker.empty()) return std::nullopt;
  return item;
}

/// Levels stand below those that the list has at this place: where it begins, there are none.
void walker::enter_word_item(node_id id) {
  constexpr std::size_t most_containers = 16;
  const auto item = word_item_at(tree_, id);
  if (!item || out_.depth() >= most_containers) return;
  auto& levels = word_list_.levels;
  if (word_list_.at != out_.text().size() || word_list_.at == 0) levels.clear();
  if (!levels.empty()) out_.set_tight();
  while (!levels.empty() && levels.back().first >= item->level) levels.pop_back();
  std::size_t width = 0;
  for (const auto& [level, marker] : levels) width += marker;
  levels.emplace_back(item->level, item->marker.size());
  const std::string indent(width, ' ');
  open_container(id, indent + item->marker, indent + std::string(item->marker.size(), ' '));
  word_list_.item = id;
  titles_.insert(item->mark);
}

}  // namespace freshet::markdown
