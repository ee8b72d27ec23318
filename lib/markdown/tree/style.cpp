// Sheets are read once into rules; those that can hide are filed by what they ask of an element, so
// that most elements cost a look into a table. Only where one hits is the whole cascade made.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/number.hpp>
#include <base/unicode.hpp>
#include <markdown/tree/media_query.hpp>
#include <markdown/tree/sheet_text.hpp>
#include <markdown/tree/style.hpp>
#include <markdown/tree/ways_to_hide.hpp>

namespace freshet::markdown {

namespace {

/// Rules and selectors of a page; what is beyond is not read.
constexpr std::size_t most_rules = 20'000, most_alternatives = 20'000;
constexpr std::size_t deepest_block = 16;

void add_name(std::array<std::uint64_t, 4>& filter, std::string_view name) noexcept {
  const auto hash = std::hash<std::string_view>{}(name);
  filter[hash % 4] |= std::uint64_t{1} << (hash >> 8 & 63);
}

constexpr std::uint32_t bit_of(property one) noexcept { return 1u << static_cast<unsigned>(one); }

/// What decides whether a property hides.
std::uint32_t companions_of(property one) noexcept {
  using enum property;
  const auto always = bit_of(one) | bit_of(display);
  const auto placed = always | bit_of(position);
  switch (one) {
    case color:
    case text_fill:
      return placed | bit_of(color) | bit_of(text_fill) | bit_of(background) |
             bit_of(background_clip);
    case width:
    case height:
    case max_width:
    case max_height:
      return placed | bit_of(overflow);
    case display:
    case visibility:
    case opacity:
    case font_size:
    case clip_path:
      return always;
    default:
      return placed;
  }
}

/// Calls `with` for every class and id in selectors, with its sign.
template <class With>
void each_name(std::string_view selectors, With with) {
  for (std::size_t at = 0; at < selectors.size(); ++at) {
    if (selectors[at] != '.' && selectors[at] != '#') continue;
    auto end = at + 1;
    while (end < selectors.size() && is_name_byte(selectors[end])) ++end;
    if (end > at + 1) with(selectors.substr(at, end - at));
    at = end - 1;
  }
}

/// Calls `with` for every selector of a list.
template <class With>
void each_selector(std::string_view list, With with) {
  std::size_t begin = 0, depth = 0;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    const bool end = at == list.size();
    if (!end && (list[at] == '(' || list[at] == '[')) ++depth;
    if (!end && (list[at] == ')' || list[at] == ']') && depth > 0) --depth;
    if (!end && (depth > 0 || list[at] != ',')) continue;
    with(base::trim(list.substr(begin, at - begin)));
    begin = at + 1;
  }
}

template <class With>
void each_class(std::string_view classes, With with) {
  std::size_t at = 0;
  while (at < classes.size()) {
    const auto end = std::min(classes.find_first_of(" \t\r\n\f", at), classes.size());
    if (end > at) with(classes.substr(at, end - at));
    at = end + 1;
  }
}

}  // namespace

base::meter& style_rules::meter() const noexcept {
  auto* const counted = tree_.page().counted_on();
  return counted != nullptr ? *counted : unbounded_;
}

void style_rules::read(std::string_view sheet, std::string_view media) {
  struct block {
    std::size_t end;
    std::uint8_t on;
  };
  std::vector<block> open{{sheet.size(), screens_of(media)}};
  std::size_t begin = 0;
  for (std::size_t at = 0; at < sheet.size(); ++at) {
    const char c = sheet[at];
    if (c == '/' && sheet.substr(at, 2) == "/*") {
      const auto end = sheet.find("*/", at + 2);
      if (end == sheet.npos) return;
      // Never the same white space twice: a sheet may be nothing else but comments.
      begin = std::min(sheet.find_first_not_of(" \t\r\n\f", begin), at);
      if (begin == at) begin = end + 2;
      at = end + 1;
    } else if (c == ';') {
      if (base::trim(sheet.substr(begin, at - begin)).starts_with("@import")) has_others_ = true;
      begin = at + 1;
    } else if (c == '}') {
      if (open.size() > 1) open.pop_back();
      begin = at + 1;
    } else if (c == '{') {
      const auto prelude = base::trim(sheet.substr(begin, at - begin));
      begin = at + 1;
      if (prelude.starts_with('@')) {
        const auto on = screens_inside(prelude, open.back().on);
        if (on && open.size() < deepest_block) {
          open.push_back({0, *on});
          continue;
        }
      }
      const auto end = end_of_block(sheet, begin);
      if (!prelude.starts_with('@')) {
        read_rule(prelude, sheet.substr(begin, end - begin), open.back().on);
      }
      at = end;
      begin = end + 1;
    }
  }
}

void style_rules::read_rule(std::string_view selectors, std::string_view body, std::uint8_t on) {
  if (rules_.size() >= most_rules) return;
  rule made;
  made.first = declarations_.size();
  // What is nested is not read.
  read_declarations(body.substr(0, body.find('{')), declarations_);
  made.end = declarations_.size();
  if (made.end == made.first) return;
  made.on = on;
  has_media_ = has_media_ || (on != 0 && on != all_screens);
  made.selectors = selectors;
  for (auto at = made.first; at < made.end; ++at) {
    const auto& one = declarations_[at];
    made.declares |= bit_of(one.of);
    note_ground(one);
  }
  rules_.push_back(made);
  const auto number = static_cast<std::uint32_t>(rules_.size() - 1);
  note_showing(number);
}

void style_rules::read_inline(std::string_view style) {
  constexpr std::size_t most_inline = 20'000, bytes_per_step = 8;
  tree_.spend(1 + style.size() / bytes_per_step);
  if (inline_.size() >= most_inline) return;
  const auto first = inline_.size();
  read_declarations(style, inline_);
  for (auto at = first; at < inline_.size(); ++at) note_ground(inline_[at]);
  inline_.erase(std::remove_if(inline_.begin() + static_cast<std::ptrdiff_t>(first), inline_.end(),
                               [](const declaration& one) { return !may_hide(one); }),
                inline_.end());
}

void style_rules::note_ground(const declaration& one) {
  constexpr std::size_t most_grounds = 64;
  if (one.of != property::background || grounds_.size() >= most_grounds) return;
  const auto ground = color_of(one.value);
  const auto known = [&](const rgb& each) { return is_same(each, *ground); };
  if (ground && ground->alpha > 0 && std::ranges::none_of(grounds_, known)) {
    grounds_.push_back(*ground);
  }
}

void style_rules::finish() {
  if (rules_.empty() && inline_.empty()) return;
  for (const auto& one : inline_) {
    if (is_suspicious(one)) wanted_ |= companions_of(one.of);
  }
  if (!rules_.empty()) note_page();
  for (std::uint32_t number = 0; number < rules_.size(); ++number) {
    auto& from = rules_[number];
    from.hides = false;
    for (auto at = from.first; at < from.end; ++at) {
      if (!is_suspicious(declarations_[at])) continue;
      from.hides = true;
      wanted_ |= companions_of(declarations_[at].of);
    }
    if (from.hides) compile(number);
  }
}

/// The names that rules can ask for: most rules of most sheets are for other pages of the site.
void style_rules::note_page() {
  const auto& page = tree_.page();
  constexpr std::size_t steps_to_keep = 4, most_filtered = 200'000;
  if (page.size() <= most_filtered) filters_.resize(page.size());
  std::string name;
  for (html::node_id id = 1; id < page.size(); ++id) {
    if (!tree_.is_element(id)) continue;
    tree_.spend(steps_to_keep);
    if (!filters_.empty()) filters_[id] = filters_[tree_.parent_of(id)];
    const auto keep = [&](char sign, std::string_view of) {
      if (of.empty()) return;
      name.assign(1, sign).append(of);
      names_.insert(name);
      if (!filters_.empty()) add_name(filters_[id], name);
    };
    if (!tree_.has_attributes(id)) continue;
    keep('#', tree_.attribute_of(id, "id"));
    each_class(tree_.attribute_of(id, "class"), [&](std::string_view of) { keep('.', of); });
  }
}

bool style_rules::may_stand_below(const name_filter& above, html::node_id id) const noexcept {
  if (filters_.empty()) return true;
  const auto& own = filters_[tree_.parent_of(id)];
  for (std::size_t i = 0; i < above.size(); ++i) {
    if ((above[i] & ~own[i]) != 0) return false;
  }
  return true;
}

bool style_rules::matches(const alternative& one, html::node_id id) const {
  return may_stand_below(one.above, id) && one.of.matches(tree_.page(), id, meter());
}

/// Whether the page has all the names in a selector, as far as they are plain.
bool style_rules::may_match(std::string_view selector) const {
  if (selector.find_first_of("(\\\"") != selector.npos) return true;
  bool has_all = true;
  std::string key;
  each_name(selector, [&](std::string_view name) {
    has_all = has_all && names_.count(key.assign(name)) != 0;
  });
  return has_all;
}

void style_rules::note_showing(std::uint32_t number) {
  const auto& made = rules_[number];
  if (made.on == 0) return;
  const auto first = declarations_.begin();
  const bool shows = std::any_of(first + static_cast<std::ptrdiff_t>(made.first),
                                 first + static_cast<std::ptrdiff_t>(made.end),
                                 [](const declaration& one) { return !may_hide(one); });
  if (!shows) return;
  each_selector(made.selectors, [&](std::string_view one) {
    if (one.find("::") != one.npos) return;
    each_name(one, [&](std::string_view name) {
      constexpr std::size_t most_of_a_name = 64;
      auto& all = showing_[name];
      if (name != one && all.size() < most_of_a_name)
        all.push_back({one, number, showing::unread, {}});
    });
  });
}

void style_rules::compile(std::uint32_t number) {
  if (rules_[number].on == 0 || rules_[number].compiled) return;
  rules_[number].compiled = true;
  each_selector(rules_[number].selectors, [&](std::string_view one) {
    if (alternatives_.size() >= most_alternatives || one.find("::") != one.npos) return;
    constexpr std::uint64_t steps_to_compile = 16;
    tree_.spend(steps_to_compile);
    if (!may_match(one)) return;
    auto made = html::selector::compile(one);
    if (!made) return;
    const auto place = static_cast<std::uint32_t>(alternatives_.size());
    alternatives_.push_back({std::move(*made), number, 0, {}});
    auto& added = alternatives_.back();
    added.specificity = added.of.specificity();
    for (const auto& name : added.of.names_above()) add_name(added.above, name);
    const auto asked = added.of.subject_of();
    if (!asked.id.empty()) {
      by_id_[asked.id].push_back(place);
    } else if (!asked.class_name.empty()) {
      by_class_[asked.class_name].push_back(place);
    } else if (!asked.element.empty()) {
      by_element_[asked.element].push_back(place);
    } else {
      for_all_.push_back(place);
    }
  });
}

/// The rules that only show: wanted where something is hidden.
void style_rules::compile_rest() {
  if (rest_compiled_) return;
  rest_compiled_ = true;
  for (std::uint32_t number = 0; number < rules_.size(); ++number) {
    if ((rules_[number].declares & wanted_) != 0) compile(number);
  }
}

template <class Visit>
void style_rules::each_candidate(html::node_id id, Visit visit) const {
  const auto visit_all = [&](const buckets& in, std::string_view key) {
    if (in.empty() || key.empty()) return;
    const auto found = in.find(key);
    if (found == in.end()) return;
    for (const auto place : found->second) visit(place);
  };
  visit_all(by_id_, tree_.attribute_of(id, "id"));
  if (!by_class_.empty()) {
    each_class(tree_.attribute_of(id, "class"),
               [&](std::string_view name) { visit_all(by_class_, name); });
  }
  visit_all(by_element_, tree_.at(id).name);
  for (const auto place : for_all_) visit(place);
}

bool style_rules::concerns(html::node_id id) {
  if (const auto style = tree_.attribute_of(id, "style"); !style.empty()) {
    constexpr std::size_t bytes_per_step = 8;
    tree_.spend(1 + style.size() / bytes_per_step);
    std::vector<declaration> own;
    read_declarations(style, own);
    if (std::ranges::any_of(own, [&](const declaration& one) { return is_suspicious(one); })) {
      return true;
    }
  }
  if (alternatives_.empty()) return false;
  bool hit = false;
  each_candidate(id, [&](std::uint32_t place) {
    const auto& one = alternatives_[place];
    if (hit || !rules_[one.rule].hides) return;
    hit = matches(one, id);
  });
  return hit;
}

/// A color hides on a ground that the page has somewhere, and a ground what may have its color.
bool style_rules::is_suspicious(const declaration& one) const {
  if (!may_hide(one)) return false;
  if (one.of == property::background) return false;  // what is on it has its color from somewhere
  if (one.of != property::color && one.of != property::text_fill) return true;
  constexpr rgb paper{255, 255, 255, 1};
  const auto color = color_of(one.value);
  if (!color) return false;
  if (color->alpha == 0) return true;
  if (!has_others_ && is_same(*color, paper)) return true;
  return std::ranges::any_of(grounds_, [&](const rgb& ground) { return is_same(*color, ground); });
}

const cascaded_style& style_rules::cascade(html::node_id id, std::size_t screen) {
  auto& known = cascades_[screen];
  const auto found = known.find(id);
  if (found != known.end()) return found->second;
  return known.emplace(id, make_cascade(id, screen)).first->second;
}

cascaded_style style_rules::make_cascade(html::node_id id, std::size_t screen) {
  constexpr std::uint64_t important = std::uint64_t{1} << 63, inline_style = std::uint64_t{1} << 62;
  constexpr unsigned specificity_place = 32;
  compile_rest();
  cascaded_style own;
  each_candidate(id, [&](std::uint32_t place) {
    const auto& one = alternatives_[place];
    const auto& from = rules_[one.rule];
    if ((from.on >> screen & 1) == 0 || !matches(one, id)) return;
    const auto weight = std::uint64_t{one.specificity} << specificity_place | one.rule;
    for (auto at = from.first; at < from.end; ++at) {
      const auto& declared = declarations_[at];
      own.add(declared, weight | (declared.important ? important : 0));
    }
  });
  std::vector<declaration> declared;
  read_declarations(tree_.attribute_of(id, "style"), declared);
  for (const auto& one : declared) {
    own.add(one, inline_style | (one.important ? important : 0));
  }
  return own;
}

seen_style style_rules::look_at(html::node_id id) {
  seen_style made;
  for (std::size_t screen = 0; screen < screens; ++screen) {
    if (screen > 0 && !has_media_) {
      made.whole[screen] = made.whole[0];
      made.texts[screen] = made.texts[0];
      continue;
    }
    const auto& own = cascade(id, screen);
    if (screen == 0) made.display = own.of(property::display);
    made.whole[screen] = whole_of(own, tree_.tag_of(id));
    if (made.whole[screen].how == hiding::none) made.texts[screen] = texts_on(id, screen);
  }
  return made;
}

bool style_rules::may_be_shown(html::node_id id, property hidden_by) {
  if (showing_.empty()) return false;
  std::string name;
  const auto is_shown = [&](char sign, std::string_view of) {
    const auto found = showing_.find(name.assign(1, sign).append(of));
    return found != showing_.end() && std::ranges::any_of(found->second, [&](showing& one) {
             return may_show(one, id, hidden_by);
           });
  };
  const auto own_id = tree_.attribute_of(id, "id");
  if (!own_id.empty() && is_shown('#', own_id)) return true;
  bool shown = false;
  each_class(tree_.attribute_of(id, "class"),
             [&](std::string_view one) { shown = shown || is_shown('.', one); });
  return shown;
}

/// One that holds already has had its say in the cascade.
bool style_rules::may_show(showing& one, html::node_id id, property hidden_by) const {
  const auto& from = rules_[one.rule];
  if ((from.declares & bit_of(hidden_by)) == 0) return false;
  bool shows = false;
  for (auto at = from.first; at < from.end; ++at) {
    shows = shows || (declarations_[at].of == hidden_by && !may_hide(declarations_[at]));
  }
  if (!shows) return false;
  if (one.state == showing::unread) {
    constexpr std::uint64_t steps_to_compile = 64;
    tree_.spend(steps_to_compile);
    auto made = html::selector::compile(one.selector);
    one.state = made ? showing::known : showing::unknown;
    if (made) one.of = std::move(*made);
  }
  return one.state == showing::unknown || !one.of.matches(tree_.page(), id, meter());
}

}  // namespace freshet::markdown
