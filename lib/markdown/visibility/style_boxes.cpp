// What hides an element by the boxes around it and in it, as far as no layout is needed: rows of a
// grid without height, and what is pulled out of its line by all of what it stands in.
#include <algorithm>
#include <cmath>
#include <markdown/sheets/lengths.hpp>
#include <markdown/sheets/moved_away.hpp>
#include <markdown/sheets/placed_beyond.hpp>
#include <markdown/sheets/value_text.hpp>
#include <markdown/visibility/companions.hpp>
#include <markdown/visibility/style.hpp>

namespace freshet::markdown {

namespace {

bool is_row(const cascaded_style& style) noexcept {
  return is_one_of(style.of(property::display),
                   {"flex", "inline-flex", "grid", "inline-grid", "-webkit-box", "-webkit-flex"});
}

/// What moves a box so far to the right that nobody scrolls there.
std::optional<property> far_right_by(const cascaded_style& own) noexcept {
  using enum property;
  if (is_far_right(own.of(margin_left))) return margin_left;
  if (is_moved_far_right(own.of(transform))) return transform;
  if (is_far_right(parts_of(own.of(translate), css_spaces).first())) return translate;
  return std::nullopt;
}

bool is_table_part(html::tag_id tag) noexcept {
  using enum html::tag_id;
  return tag == table || tag == tbody || tag == thead || tag == tfoot || tag == tr || tag == td ||
         tag == th;
}

/// "translateX(100%)", and nothing else.
bool moves_by_itself(const cascaded_style& own) noexcept {
  const auto functions = functions_of(own.of(property::transform));
  const auto [name, inside] = functions.size() == 1 ? function_in(functions[0]) : css_function{};
  const bool is_move = is_one_of(name, {"translate", "translateX", "translate3d"});
  const auto first = is_move ? parts_of(inside, ",").first()
                             : parts_of(own.of(property::translate), css_spaces).first();
  return first.ends_with('%') && std::abs(share_of(first).value_or(0)) >= 1;
}

/// Whether more than its place makes an element the base of what is raised in it.
bool raises_more(const cascaded_style& own) noexcept {
  using enum property;
  for (const auto one : {transform, translate, scale, rotate, opacity, filter, mix_blend, clip_path,
                         mask, contain, isolation}) {
    if (!own.of(one).empty() && !is_one_of(own.of(one), {"none", "auto"})) return true;
  }
  return own.is(position, "fixed") || own.is(position, "sticky");
}

}  // namespace

/// Whether an element has no attributes, and no selector asks for none.
bool style_rules::says_nothing_of(html::node_id id) const {
  if (tree_.has_attributes(id) || !host_selectors_.empty()) return false;
  const auto* const filed = filing_at(id);
  return filed == nullptr ||
         (filed->for_all.empty() &&
          filed->by_tag[static_cast<std::size_t>(tree_.tag_of(id))] == no_selector);
}

/// Of what is around an element that may be hidden, or in it: kept by nobody, and counted.
style_rules::cascades style_rules::ask_around(html::node_id id, property_set asked) {
  constexpr std::uint64_t steps_of_cascade = 96, bytes_per_step = 2;
  file_wanted();
  if (says_nothing_of(id)) return {};
  tree_.spend(steps_of_cascade + tree_.attribute_of(id, "style").size() / bytes_per_step);
  return make_cascade(id, asked);
}

/// Whether what an element stands in makes boxes of all that is in it.
bool style_rules::is_in_row(html::node_id id, std::size_t screen) {
  const auto parent = tree_.parent_of(id);
  if (!tree_.is_element(parent)) return false;
  const auto [found, added] = rows_.try_emplace(parent);
  if (added) {
    const auto style = ask_around(parent, bit_of(property::display));
    std::ranges::transform(style, found->second.begin(), is_row);
  }
  return found->second[screen];
}

/// What a text takes at most, down the page: a line for so many letters, and for all that may begin
/// one.
double style_rules::high_px_of(html::node_id id) const {
  constexpr double line_px = 24, letters_of_line = 40;
  const auto parts = static_cast<double>(tree_.end_of(id) - id - 1);
  return line_px * std::max(1.0, parts + std::floor(tree_.of(id).text / letters_of_line));
}

box_kind style_rules::box_of(html::node_id id, const cascaded_style& own, std::size_t screen) {
  using enum property;
  const bool is_box = floats(own) || own.is(float_, "left") || own.is(float_, "right");
  const auto tag = tree_.tag_of(id);
  const auto shown = own.of(display);
  const bool is_word = shown.empty() ? is_usually_inline(tag) : is_named(shown, "inline");
  const bool is_table = shown.empty()
                            ? is_table_part(tag)
                            : begins_with(shown, "table") || begins_with(shown, "inline-t");
  const bool asks_alone = !concerned_.empty() && (concerned_[id] & of_rows) != 0;
  const bool in_row = ((is_word && !is_box) || asks_alone) && is_in_row(id, screen);
  box_kind kind{!is_box && is_word && !in_row, asks_alone && !in_row && !has_others_,
                is_table && !is_box};
  kind.in_row = in_row;
  kind.is_row = tag == html::tag_id::tr || tag == html::tag_id::tbody;
  constexpr auto cutting = bit_of(clip) | bit_of(clip_path);
  if (!concerned_.empty() && (concerned_[id] & cutting) != 0) kind.high_px = high_px_of(id);
  if (!concerned_.empty() && (concerned_[id] & bit_of(text_indent)) != 0 && is_one_line(id)) {
    constexpr double letter_px = 11;
    kind.line_px = tree_.of(id).text * letter_px;
  }
  return kind;
}

/// Whether what stands first in a box that cuts it off is moved out above.
bool style_rules::is_pulled_out(html::node_id id, const cascaded_style& own, std::size_t screen) {
  using enum property;
  constexpr double usual_margin_px = 22;
  const auto pulled_px = pulled_up_px(own);
  if (pulled_px < usual_margin_px || floats(own)) return false;
  const auto before_px = own.of(margin_top).empty() ? usual_margin_px : 0;
  if (pulled_px < high_px_of(id) + before_px) return false;
  constexpr int most_before = 8;
  int looked = 0;
  for (auto at = tree_.at(id).previous; at != html::none; at = tree_.at(at).previous) {
    tree_.spend(1);
    if (tree_.is_element(at) || tree_.text_in(at) > 0 || ++looked > most_before) return false;
  }
  const auto around = tree_.parent_of(id);
  if (!tree_.is_element(around) || around <= tree_.body()) return false;
  const auto [known, added] = cut_tops_.try_emplace(around);
  if (added) {
    constexpr auto asked =
        bit_of(overflow) | bit_of(contain) | bit_of(padding) | bit_of(padding_top);
    std::ranges::transform(ask_around(around, asked), known->second.begin(), [](const auto& box) {
      return is_cutting(box) && box.of(padding).empty() && box.of(padding_top).empty();
    });
  }
  return known->second[screen];
}

/// Whether an element is moved by all of what cuts it off, out of that.
bool style_rules::is_moved_out(html::node_id id, const cascaded_style& own, std::size_t screen) {
  using enum property;
  const auto is_all = [&](property one) {
    const auto value = own.of(one);
    return value.ends_with('%') && std::abs(share_of(value).value_or(0)) >= 1;
  };
  const bool is_free = own.is(position, "absolute");
  const bool is_placed =
      (is_free || own.is(position, "relative")) &&
      (is_all(left) || is_all(right) || (is_free && (is_all(top) || is_all(bottom))));
  const bool is_moved = moves_by_itself(own);
  if (!is_placed && !is_moved && !(is_all(margin_left) && !is_free))
    return is_pulled_out(id, own, screen);
  auto around = tree_.parent_of(id);
  while (is_free && tree_.is_element(around) && !holds_placed(around)) {
    around = tree_.parent_of(around);
  }
  if (!tree_.is_element(around)) return false;
  constexpr auto asked = bit_of(overflow) | bit_of(contain);
  return is_cutting(ask_around(around, asked)[screen]);
}

/// Whether an element lies under a ground of what it stands in: "z-index: -1".
bool style_rules::is_sunk(html::node_id id, const cascaded_style& own, std::size_t screen) {
  using enum property;
  if (!own.of(z_index).starts_with('-') || own.of(position).empty() || own.is(position, "static"))
    return false;
  for (auto at = tree_.parent_of(id); tree_.is_element(at); at = tree_.parent_of(at)) {
    const auto style = ask_around(at, raising | bit_of(background))[screen];
    // What stands in this is above its ground.
    const bool is_base = (!style.of(z_index).empty() && !style.is(z_index, "auto")) ||
                         raises_more(style) || tree_.parent_of(at) == html::document::root();
    if (is_base) return false;
    const auto ground = color_of(style.of(background));
    constexpr double solid = 0.99;
    const bool is_page = at == tree_.body();  // whose ground is that of all, if nothing else is
    if (!is_page && ground && ground->alpha >= solid) return true;
  }
  return false;
}

/// Whether all in an element that has a text is cut off at its own edges.
bool style_rules::are_cut(html::node_id parent, std::size_t screen) {
  constexpr auto asked = bit_of(property::overflow) | bit_of(property::contain);
  for (auto at = tree_.at(parent).first_child; at != html::none; at = tree_.at(at).next) {
    tree_.spend(1);
    if (tree_.text_in(at) == 0) continue;
    if (!tree_.is_element(at) || !is_cutting(ask_around(at, asked)[screen])) return false;
  }
  return true;
}

hidden_by style_rules::boxed_on(html::node_id id, std::size_t screen) {
  using enum property;
  if (concerned_.empty()) return {};
  const auto& own = whole_cascade(id)[screen];
  const auto by = [&](property one) {
    return hidden_by{hiding::until_shown, one, own.selector_of(one)};
  };
  const auto may = concerned_[id];
  // A share of what is left is at least as high as what is in it, where that is not cut itself.
  const bool is_share = own.of(grid_rows).find("fr") != own.of(grid_rows).npos;
  if ((may & bit_of(grid_rows)) != 0 && are_no_rows(own.of(grid_rows)) &&
      is_one_of(own.of(display), {"grid", "inline-grid"}) && !has_room(own) &&
      ((is_cutting(own) && !is_share) || are_cut(id, screen))) {
    return by(grid_rows);
  }
  const auto no_width = [&](property side) {
    return (may & bit_of(side)) != 0 && length_of(own.of(side), 0).value_or(1) <= 0;
  };
  if (has_others_) return {};
  if ((no_width(width) || no_width(max_width)) && own.of(min_width).empty() &&
      !box_of(id, own, screen).in_line && are_cut(id, screen)) {
    return by(width);
  }
  if ((may & placing) != 0 && !box_of(id, own, screen).in_line && is_moved_out(id, own, screen)) {
    return by(own.of(margin_left).empty() ? left : margin_left);
  }
  if ((may & bit_of(far_left)) != 0 && !box_of(id, own, screen).in_line &&
      is_left_behind(id, own)) {
    return by(own.of(margin_left).empty() ? left : margin_left);
  }
  if ((may & bit_of(z_index)) != 0 && is_sunk(id, own, screen)) return by(z_index);
  if (floats(own)) return {};
  const auto moved = far_right_by(own);
  const bool is_row = own.is(float_, "left") || own.is(float_, "right");
  if ((may & (bit_of(margin_left) | bit_of(transform) | bit_of(translate))) == 0 || is_row)
    return {};
  if (!moved && !is_all_of_it(own.of(margin_left))) return {};
  const auto kind = box_of(id, own, screen);
  if (kind.in_line || !kind.is_alone) return {};
  if (moved) return by(*moved);
  // What is as wide as both comes out on the other side, where it is long enough.
  constexpr double letters_of_width = 24;
  const auto times = -share_of(own.of(margin_left)).value_or(0);
  const bool is_narrow =
      own.of(width).ends_with('%') && share_of(own.of(width)).value_or(times + 1) <= times;
  if (!is_narrow && (!own.of(width).empty() || tree_.text_in(id) > letters_of_width * times))
    return {};
  return by(margin_left);
}

}  // namespace freshet::markdown
