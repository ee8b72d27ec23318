// What is invisible: elements without text of their own first, then what attributes, styles and a
// few class names that have one meaning everywhere hide, and simple rules of the page's own style
// sheets. Linked ones are not read.
#include <algorithm>
#include <array>
#include <base/unicode.hpp>
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

/// What the page's own style sheets hide.
hidden_names hidden_by_sheets(const page_tree& tree) {
  hidden_names names;
  tree.spend_on(tree.page().root());
  for (html::node_id id = 0; id < tree.page().size(); ++id) {
    if (!tree.is_element(id, html::tag_id::style)) continue;
    // For printers, or for readers without scripts.
    const auto media = tree.attribute_of(id, "media");
    if (!media.empty() && media != "all" && media != "screen") continue;
    if (tree.has_ancestor(id, html::tag_id::noscript)) continue;
    for (auto at = tree.at(id).first_child; at != html::none; at = tree.at(at).next) {
      if (tree.is_text(at)) names.read(tree.text_at(at));
    }
  }
  return names;
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

hiding hiding_of(const page_tree& tree, html::node_id id, const hidden_names& names,
                 const id_set& opened) {
  const bool closed_dialog =
      tree.is_element(id, html::tag_id::dialog) && !tree.has_attribute(id, "open");
  if (!tree.has_attributes(id)) return closed_dialog ? hiding::until_shown : hiding::none;
  const auto& page = tree.page();
  auto how = hiding::none;
  if ((tree.marks_of(id) & mark::hidden) != 0) how = hiding::for_good;
  std::string_view classes, own_id;
  const auto* attribute = page.attributes_begin(id);
  for (const auto* end = attribute + page.at(id).attribute_count; attribute != end; ++attribute) {
    const auto& [name, value] = *attribute;
    if (name == "style") {
      how = std::max(how, hiding_by_style(value));
    } else if (name == "class") {
      classes = value;
    } else if (name == "id") {
      own_id = value;
    } else if (name == "hidden" && value != "until-found") {
      how = std::max(how, hiding::until_shown);
    } else if (name == "aria-hidden" && value == "true" && !is_amended(tree.tag_of(id))) {
      how = std::max(how, hiding::until_shown);
    }
  }
  // What a click opens is text of the page, whatever sheet closes it at first.
  const bool opens = (tree.marks_of(id) & mark::opened) != 0;
  if (!names.empty() && !opens) how = std::max(how, names.of(classes, own_id));
  if (how == hiding::until_shown && is_panel(tree, id, opened)) return hiding::none;
  if (closed_dialog) how = std::max(how, hiding::until_shown);
  return how;
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

/// Drops what is hidden in at least this way, and answers its words, an element a line. A page
/// shows something: what holds most of its text and is hidden until scripts run is shown by them.
std::string drop_hidden(page_tree& tree, hiding least) {
  std::string words;
  const auto& page = tree.page();
  const auto most = signals::shown_by_scripts * tree.text_in(tree.body());
  const auto formulas = formulas_of(tree);
  const auto names = hidden_by_sheets(tree);
  const auto opened = opened_ids(tree);
  tree.spend_on(tree.body());
  for (html::node_id id = tree.body() + 1; id < tree.end_of(tree.body()); ++id) {
    if (tree.is_dropped(id)) {
      id = tree.end_of(id) - 1;
      continue;
    }
    if (!tree.is_element(id)) continue;
    const auto how = hiding_of(tree, id, names, opened);
    if (how < least) continue;
    if (how == hiding::until_shown && (tree.text_in(id) > most || is_streamed(page, id))) continue;
    // MathML is hidden behind pictures of formulas; it is what we want.
    if (holds_formula(tree, id, formulas)) continue;
    // The picture of a formula stands in for it where there is no MathML.
    if (is_formula_picture(page, id) && !holds_formula(tree, page.at(id).parent, formulas))
      continue;
    if (tree.text_in(id) > 0) words.append(tree.text_of(id)).append(1, '\n');
    tree.drop(id);
    id = tree.end_of(id) - 1;
  }
  return words;
}

}  // namespace

std::string drop_invisible(page_tree& tree) {
  const auto noscript = drop_silent(tree, 1, static_cast<html::node_id>(tree.page().size()));
  const auto text = noscript == html::none ? 0 : tree.text_in(noscript);
  tree.count();
  if (text > 0) keep_filled_by_scripts(tree, noscript, text);
  const auto before = tree.dropped();
  const auto whole = tree.text_in(tree.body());
  auto hidden = drop_hidden(tree, hiding::until_shown);
  tree.count();
  // Part by part hidden, and nearly all of it: scripts show these parts, too.
  if (whole < signals::least_content ||
      tree.text_in(tree.body()) > whole * signals::left_by_scripts)
    return hidden;
  tree.set_dropped(before);
  tree.count();
  hidden = drop_hidden(tree, hiding::for_good);
  tree.count();
  return hidden;
}

}  // namespace freshet::markdown
