// What another state of the page may show: the selectors of rules that show something, by the names
// in them. Read only where something is hidden.
#include <algorithm>
#include <markdown/sheets/sheet_text.hpp>
#include <markdown/sheets/valid_selectors.hpp>
#include <markdown/visibility/style.hpp>

namespace freshet::markdown {

bool style_rules::may_be_shown(html::node_id id, property hidden_by) {
  if ((showing_known_ & bit_of(hidden_by)) == 0) note_showing(hidden_by);
  const auto is_shown = [&](auto& among, std::string_view name) {
    const auto found = among.find(name);
    return found != among.end() && std::ranges::any_of(found->second, [&](showing& one) {
             return may_show(one, id, hidden_by);
           });
  };
  const auto own_id = tree_.attribute_of(id, "id");
  if (!own_id.empty() && is_shown(showing_id_, own_id)) return true;
  bool shown = false;
  each_class(tree_.attribute_of(id, "class"),
             [&](std::string_view one) { shown = shown || is_shown(showing_class_, one); });
  return shown;
}

/// For the names of the elements that may be hidden: of others nobody asks.
void style_rules::note_showing(property hidden_by) {
  constexpr std::size_t most_of_a_name = 64;
  constexpr std::uint64_t steps_of_name = 4, bytes_per_step = 8;
  for (html::node_id id = 0; id < concerned_.size() && showing_known_ == 0; ++id) {
    if (concerned_[id] == 0) continue;
    tree_.spend(steps_of_name);
    const auto own_id = tree_.attribute_of(id, "id");
    if (!own_id.empty()) showing_id_.try_emplace(own_id);
    each_class(tree_.attribute_of(id, "class"),
               [&](std::string_view name) { showing_class_.try_emplace(name); });
  }
  showing_known_ |= bit_of(hidden_by);
  if (showing_id_.empty() && showing_class_.empty()) return;
  for (std::uint32_t number = 0; number < sheets_.all().size(); ++number) {
    const auto& from = sheets_.all()[number];
    if ((from.says.declares & ~from.says.hides & bit_of(hidden_by)) == 0) continue;
    tree_.spend(1 + from.selectors.size() / bytes_per_step);
    if (!may_name_asked(from.selectors) || !is_valid_list(from.selectors)) continue;
    each_selector(from.selectors, [&](std::string_view one) {
      if (one.find("::") != one.npos) return;
      tree_.spend(1);
      // What shows something inside of an element does not show the element.
      each_name(subject_of(one), [&](std::string_view name) {
        if (name == one) return;
        auto& among = name.front() == '#' ? showing_id_ : showing_class_;
        const auto found = among.find(name.substr(1));
        if (found == among.end() || found->second.size() >= most_of_a_name) return;
        found->second.push_back({one, number});
      });
    });
  }
}

/// Whether some name in selectors is of an element that may be hidden.
bool style_rules::may_name_asked(std::string_view selectors) const {
  bool may = false;
  each_name(selectors, [&](std::string_view name) {
    may = may || name_place(name.front(), name.substr(1)).is_in(asked_names_);
  });
  return may;
}

/// One that holds already has had its say in the cascade.
bool style_rules::may_show(showing& one, html::node_id id, property hidden_by) const {
  const auto& says = sheets_.all()[one.rule].says;
  if ((says.declares & ~says.hides & bit_of(hidden_by)) == 0) return false;
  if (!speaks_of(one.rule, id)) return false;
  if (one.state == showing::unread) {
    constexpr std::uint64_t steps_to_compile = 64;
    tree_.spend(steps_to_compile);
    auto made = guarded_selector::compile(one.selector);
    one.state = made ? showing::known : showing::unknown;
    if (made) one.of = std::move(*made);
  }
  return one.state == showing::unknown || !one.of->matches(tree_.page(), id, meter());
}

}  // namespace freshet::markdown
