// What is invisible: elements without text of their own first, then what attributes, styles and a
// few class names that have one meaning everywhere hide, and the page's own style sheets. Linked
// ones are not read.
#include <algorithm>
#include <array>
#include <base/unicode.hpp>
#include <markdown/safety/instructions.hpp>
#include <markdown/tree/image.hpp>
#include <markdown/tree/signals.hpp>
#include <markdown/tree/style.hpp>
#include <markdown/tree/visibility.hpp>
#include <unordered_set>

namespace freshet::markdown {

namespace {

/// Elements that show no text of the page.
constexpr auto silent_by_tag = [] {
  using enum html::tag_id;
  std::array<bool, static_cast<std::size_t>(html::tag_id::count)> made{};
  for (const auto tag :
       {applet,   area,     audio,    base,   basefont, canvas, col,       colgroup, datalist,
        frame,    frameset, head,     input,  link,     map,    meta,      meter,    noembed,
        noframes, param,    progress, script, source,   style,  template_, textarea, track}) {
    made[static_cast<std::size_t>(tag)] = true;
  }
  return made;
}();

bool is_silent(const html::document& page, html::node_id id, html::tag_id tag) {
  return silent_by_tag[static_cast<std::size_t>(tag)] ||
         (tag == html::tag_id::svg && page.at(id).space == html::element_space::svg);
}

std::vector<html::node_id> formulas_of(const page_tree& tree) {
  std::vector<html::node_id> found;
  tree.spend_on(tree.page().root());
  for (html::node_id id = 0; id < tree.page().size(); ++id) {
    if (tree.is_element(id, html::tag_id::math)) found.push_back(id);
  }
  return found;
}

/// `formulas` as formulas_of() gives them.
bool holds_formula(const page_tree& tree, html::node_id id,
                   const std::vector<html::node_id>& formulas) {
  const auto first = std::ranges::lower_bound(formulas, id);
  return first != formulas.end() && tree.contains(id, *first);
}

/// What the page's own style sheets say.
style_rules rules_of(const page_tree& tree) {
  style_rules rules(tree);
  tree.spend_on(tree.page().root());
  for (html::node_id id = 0; id < tree.page().size(); ++id) {
    if (tree.is_element(id, html::tag_id::link)) {
      const auto rel = base::to_lower_ascii(tree.attribute_of(id, "rel"));
      if (rel.find("stylesheet") != std::string::npos) rules.has_others();
    }
    const auto own = tree.attribute_of(id, "style");
    if (!own.empty()) rules.read_inline(own);
    if (!tree.is_element(id, html::tag_id::style)) continue;
    // For readers without scripts.
    if (tree.has_ancestor(id, html::tag_id::noscript)) continue;
    for (auto at = tree.at(id).first_child; at != html::none; at = tree.at(at).next) {
      if (tree.is_text(at)) rules.read(tree.text_at(at), tree.attribute_of(id, "media"));
    }
  }
  rules.finish();
  return rules;
}

/// An old price and the new one: readers of screens are told in words which is which.
bool is_amended(html::tag_id tag) noexcept {
  return tag == html::tag_id::del || tag == html::tag_id::ins;
}

/// The ids of the parts that a click opens, by what their switches say.
using id_set = std::unordered_set<std::string_view>;

id_set opened_ids(const page_tree& tree) {
  id_set found;
  tree.spend_on(tree.page().root());
  for (html::node_id id = 0; id < tree.page().size(); ++id) {
    if (!tree.has_attribute(id, "aria-expanded")) continue;
    const auto controls = base::trim(tree.attribute_of(id, "aria-controls"));
    if (!controls.empty()) found.insert(controls);
  }
  return found;
}

/// Whether a click opens a part that is text: a panel of tabs or of an accordion. The menus and
/// dialogs that clicks open, too, hold no prose.
bool is_panel(const page_tree& tree, html::node_id id, const id_set& opened) {
  if (tree.attribute_of(id, "role") == "tabpanel") return true;
  const auto& text = tree.of(id);
  return text.prose > 0 && text.link_density() <= signals::prose_link_density &&
         opened.count(tree.attribute_of(id, "id")) != 0;
}

/// What attributes and names say of an element, whatever its style is.
hidden_by hidden_by_names(const page_tree& tree, html::node_id id, std::string_view display) {
  const bool displayed = !display.empty() && !base::equals_ignoring_ascii_case(display, "none");
  if (tree.is_element(id, html::tag_id::dialog) && !tree.has_attribute(id, "open") && !displayed) {
    return {hiding::until_shown, "closed_dialog.1"};
  }
  if (!tree.has_attributes(id)) return {};
  if ((tree.marks_of(id) & mark::hidden) != 0) return {hiding::for_good, "class_name.1"};
  if (tree.has_attribute(id, "hidden") && tree.attribute_of(id, "hidden") != "until-found" &&
      !displayed) {
    return {hiding::until_shown, "hidden_attribute.1"};
  }
  if (tree.attribute_of(id, "aria-hidden") == "true" && !is_amended(tree.tag_of(id))) {
    return {hiding::until_shown, "aria_hidden.1"};
  }
  return {};
}

/// Whether the element's own style attribute speaks of it, and no sheet.
bool html_style_hides(const page_tree& tree, html::node_id id) {
  std::vector<declaration> own;
  read_declarations(tree.attribute_of(id, "style"), own);
  return std::ranges::any_of(own, may_hide);
}

bool is_formula_picture(const html::document& page, html::node_id id) {
  return page.is_element(id, html::tag_id::img) &&
         page.attribute_of(id, "class").find("fallback-image") != std::string_view::npos;
}

/// A part of the page that a streaming server sent out of order: React's scripts show it.
bool is_streamed(const html::document& page, html::node_id id) {
  return page.attribute_of(id, "id").starts_with("S:");
}

/// A noscript is what readers without scripts see: it is kept for the images in it.
bool noscript_has_image_only(const page_tree& tree, html::node_id id) {
  bool image = false;
  tree.spend_on(id);
  for (auto at = id; at < tree.end_of(id); ++at) {
    const auto& one = tree.at(at);
    if (one.type == html::node_type::text && !base::trim(one.text).empty()) return false;
    image |= tree.is_element(at, html::tag_id::img) && !is_tracking_pixel(tree.page(), at);
  }
  return image;
}

html::node_id only_image_in(const page_tree& tree, html::node_id id) {
  html::node_id found = html::none;
  tree.spend_on(id);
  for (auto at = id; at < tree.end_of(id); ++at) {
    if (tree.is_dropped(at)) continue;
    if (tree.is_text(at) && !base::trim(tree.text_at(at)).empty()) {
      return html::none;
    }
    if (!tree.is_element(at, html::tag_id::img)) continue;
    if (found != html::none) return html::none;
    found = at;
  }
  return found;
}

/// The lazy placeholder right before or after a noscript gives way to the image inside it.
void drop_placeholder_of(page_tree& tree, html::node_id noscript) {
  auto at = tree.at(noscript).previous;
  while (at != html::none && !tree.is_element(at)) {
    tree.spend(1);
    at = tree.at(at).previous;
  }
  if (at == html::none || tree.is_dropped(at)) return;
  const auto image = only_image_in(tree, at);
  if (image == html::none) return;
  tree.drop(image);
}

/// Answers the noscript with the most text among what it drops.
html::node_id drop_silent(page_tree& tree, html::node_id first, html::node_id end) {
  const auto& page = tree.page();
  tree.spend(end - first);
  html::node_id largest = html::none;
  for (html::node_id id = first; id < end; ++id) {
    if (tree.is_dropped(id) || tree.is_text(id)) continue;
    if (!tree.is_element(id)) {
      tree.drop(id);
      continue;
    }
    const auto tag = tree.tag_of(id);
    if (tag == html::tag_id::script && tree.attribute_of(id, "type").starts_with("math/tex"))
      continue;
    if (is_silent(page, id, tag) && !is_task_box(page, id)) {
      tree.drop(id);
    } else if (tag == html::tag_id::noscript) {
      if (noscript_has_image_only(tree, id)) {
        drop_placeholder_of(tree, id);
      } else {
        if (largest == html::none || tree.text_in(id) > tree.text_in(largest)) largest = id;
        tree.drop(id);
      }
    } else if (tag == html::tag_id::img && is_tracking_pixel(page, id)) {
      tree.drop(id);
    }
  }
  return largest;
}

/// What a page says without scripts is its content where they would fill all of it.
void keep_filled_by_scripts(page_tree& tree, html::node_id noscript, std::uint32_t text) {
  constexpr std::uint32_t times_the_rest = 3;
  if (text < signals::least_content || text < tree.text_in(tree.body()) * times_the_rest) return;
  tree.restore(noscript);
  drop_silent(tree, noscript + 1, tree.end_of(noscript));
  tree.count();
}

/// A part that is hidden, and by what.
struct hidden_part {
  html::node_id id = html::none;
  std::string_view rule;
};

/// One pass that drops what is hidden in at least some way. A page shows something: what holds most
/// of its text and is hidden until scripts run is shown by them.
class hidden_parts {
 public:
  hidden_parts(page_tree& tree, style_rules& rules)
      : tree_(tree), rules_(rules), formulas_(formulas_of(tree)), opened_(opened_ids(tree)) {}

  std::vector<hidden_part> drop(hiding least);

 private:
  /// What hides what is below an element, up to its end: all of it, or its texts.
  struct region {
    html::node_id end = 0;
    on_screens<hidden_by> whole, texts;
  };

  void look_at(html::node_id id);
  [[nodiscard]] seen_style style_of(html::node_id id);
  [[nodiscard]] hidden_by settled(html::node_id id, hidden_by how, bool by_style) const;
  [[nodiscard]] bool is_kept(html::node_id id) const;
  [[nodiscard]] const region& here() const noexcept {
    static constexpr region nothing;
    return regions_.empty() ? nothing : regions_.back();
  }
  void drop_as(html::node_id id, const hidden_by& how);

  page_tree& tree_;
  style_rules& rules_;
  const std::vector<html::node_id> formulas_;
  const id_set opened_;
  hiding least_ = hiding::for_good;
  double most_ = 0;
  std::vector<region> regions_;
  std::vector<hidden_part> found_;
};

std::vector<hidden_part> hidden_parts::drop(hiding least) {
  least_ = least;
  most_ = signals::shown_by_scripts * tree_.text_in(tree_.body());
  regions_.clear();
  found_.clear();
  tree_.spend_on(tree_.body());
  for (html::node_id id = tree_.body(); id < tree_.end_of(tree_.body()); ++id) {
    while (!regions_.empty() && regions_.back().end <= id) regions_.pop_back();
    if (!tree_.is_dropped(id)) look_at(id);
    if (tree_.is_dropped(id)) id = tree_.end_of(id) - 1;
  }
  return std::move(found_);
}

/// What hides on every screen, by the weakest.
hidden_by on_all(const on_screens<hidden_by>& one, const on_screens<hidden_by>& other) {
  hidden_by weakest;
  for (std::size_t screen = 0; screen < screens; ++screen) {
    const auto& stronger = one[screen].how >= other[screen].how ? one[screen] : other[screen];
    if (screen == 0 || stronger.how < weakest.how) weakest = stronger;
  }
  return weakest;
}

bool hides(const on_screens<hidden_by>& all) {
  return std::ranges::any_of(all, [](const hidden_by& one) { return one.how != hiding::none; });
}

void hidden_parts::look_at(html::node_id id) {
  if (!tree_.is_element(id)) {
    if (tree_.is_text(id)) drop_as(id, on_all(here().whole, here().texts));
    return;
  }
  const auto seen = style_of(id);
  region inside{tree_.end_of(id), here().whole, {}};
  const bool is_body = id == tree_.body();
  const auto by_name =
      is_body ? hidden_by{} : settled(id, hidden_by_names(tree_, id, seen.display), false);
  for (std::size_t screen = 0; screen < screens; ++screen) {
    auto& whole = inside.whole[screen];
    if (by_name.how > whole.how) whole = by_name;
    const auto own = is_body ? hidden_by{} : settled(id, seen.whole[screen], true);
    if (own.how > whole.how) whole = own;
    inside.texts[screen] = settled(id, seen.texts[screen], true);
  }
  const auto whole = on_all(inside.whole, {});
  if (whole.how >= least_ && whole.how != hiding::none && !is_kept(id)) return drop_as(id, whole);
  const auto texts = on_all(inside.whole, inside.texts);
  const bool is_picture = tree_.is_element(id, html::tag_id::img);
  if (is_picture && texts.by == property::visibility) return drop_as(id, texts);
  // What is kept although it is hidden hides nothing in it.
  if (whole.how != hiding::none) inside.whole = {};
  if (hides(inside.whole) || hides(inside.texts) || !regions_.empty()) regions_.push_back(inside);
}

seen_style hidden_parts::style_of(html::node_id id) {
  const bool asked =
      tree_.has_attribute(id, "hidden") || tree_.is_element(id, html::tag_id::dialog);
  if (hides(here().texts) || asked || rules_.concerns(id)) return rules_.look_at(id);
  return {};
}

/// What is left of a way to hide where scripts and clicks may show it.
hidden_by hidden_parts::settled(html::node_id id, hidden_by how, bool by_style) const {
  if (how.how != hiding::until_shown) return how;
  // What a click opens is text of the page, whatever sheet closes it at first.
  if (is_panel(tree_, id, opened_)) return {};
  if (tree_.text_in(id) > most_ || is_streamed(tree_.page(), id)) return {};
  if (!by_style) return how;
  const bool own = html_style_hides(tree_, id);
  const bool opens = (tree_.marks_of(id) & mark::opened) != 0;
  if (!own && (opens || rules_.may_be_shown(id, how.by))) return {};
  return how;
}

/// MathML is hidden behind pictures of formulas; it is what we want. The picture stands in for it
/// where there is none.
bool hidden_parts::is_kept(html::node_id id) const {
  if (holds_formula(tree_, id, formulas_)) return true;
  return is_formula_picture(tree_.page(), id) &&
         !holds_formula(tree_, tree_.parent_of(id), formulas_);
}

void hidden_parts::drop_as(html::node_id id, const hidden_by& how) {
  if (how.how < least_ || how.how == hiding::none) return;
  found_.push_back({id, how.rule});
  tree_.drop(id);
  if (how.by != property::margin_left || !is_usually_inline(tree_.tag_of(id))) return;
  // The rest of the line is moved away with it.
  for (auto at = tree_.at(id).next; at != html::none; at = tree_.at(at).next) {
    tree_.spend(1);
    if (!tree_.is_text(at) && !is_usually_inline(tree_.tag_of(at))) return;
    found_.push_back({at, how.rule});
    tree_.drop(at);
  }
}

/// Marks hidden parts that speak to a model; most only serve other readers and other moments.
void mark_hidden(const page_tree& tree, const std::vector<hidden_part>& parts, mark_list& marks) {
  constexpr std::size_t most_bytes = std::size_t{1} << 18;
  std::size_t bytes = 0;
  for (const auto& one : parts) {
    const auto text =
        tree.is_text(one.id) ? std::string(tree.text_at(one.id)) : tree.raw_text_of(one.id);
    constexpr std::size_t bytes_per_step = 4;
    tree.spend(1 + text.size() / bytes_per_step);
    bytes += text.size();
    if (bytes > most_bytes) return;
    const auto found = find_instructions(text, 1);
    if (found.empty()) continue;
    marks.add_around(mark_kind::hidden_text, one.rule, text, found[0].begin, found[0].end);
  }
}

}  // namespace

void drop_invisible(page_tree& tree, mark_list* marks) {
  const auto noscript = drop_silent(tree, 1, static_cast<html::node_id>(tree.page().size()));
  const auto text = noscript == html::none ? 0 : tree.text_in(noscript);
  tree.count();
  if (text > 0) keep_filled_by_scripts(tree, noscript, text);
  const auto before = tree.dropped();
  const auto whole = tree.text_in(tree.body());
  auto rules = rules_of(tree);
  hidden_parts parts(tree, rules);
  auto found = parts.drop(hiding::until_shown);
  tree.count();
  // Part by part hidden, and nearly all of it: scripts show these parts, too.
  if (whole >= signals::least_content &&
      tree.text_in(tree.body()) <= whole * signals::left_by_scripts) {
    tree.set_dropped(before);
    tree.count();
    found = parts.drop(hiding::for_good);
    tree.count();
  }
  if (marks != nullptr) mark_hidden(tree, found, *marks);
}

}  // namespace freshet::markdown
