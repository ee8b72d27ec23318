// What is invisible. Style sheets are not read: only elements, attributes, inline styles and a few
// class names that have one meaning everywhere.
#include <algorithm>
#include <array>
#include <base/unicode.hpp>
#include <charconv>
#include <markdown/image.hpp>
#include <markdown/signals.hpp>
#include <markdown/visibility.hpp>

namespace freshet::markdown {

namespace {

/// Elements that show no text of the page. Sorted.
constexpr std::array<std::string_view, 27> silent_elements = {
    "applet",   "area",     "audio", "base",     "basefont", "canvas", "col",
    "colgroup", "datalist", "frame", "frameset", "head",     "input",  "link",
    "map",      "meta",     "meter", "noembed",  "noframes", "param",  "progress",
    "script",   "source",   "style", "template", "textarea", "track"};

/// A text moved so far to the left or up is off the screen.
constexpr double off_screen_px = -900;

/// The value of a property, spaces and !important left out.
struct declaration {
  std::string_view property, value;
};

bool next_declaration(std::string_view& style, declaration& into) {
  while (!style.empty()) {
    const auto end = std::min(style.find(';'), style.size());
    const auto one = style.substr(0, end);
    style.remove_prefix(std::min(end + 1, style.size()));
    const auto colon = one.find(':');
    if (colon == std::string_view::npos) continue;
    into.property = base::trim(one.substr(0, colon));
    auto value = one.substr(colon + 1);
    value = value.substr(0, std::min(value.find('!'), value.size()));
    into.value = base::trim(value);
    return true;
  }
  return false;
}

/// The number that a value begins with; `otherwise` if there is none.
double number_in(std::string_view value, double otherwise) {
  double number = otherwise;
  std::from_chars(value.data(), value.data() + value.size(), number);
  return number;
}

bool is_zero(std::string_view value) { return number_in(value, 1) == 0; }

/// MathML is hidden behind pictures of formulas; it is what we want.
bool holds_math(const page_tree& tree, html::node_id id) {
  for (auto at = id; at < tree.end_of(id); ++at) {
    if (tree.page().is_element(at, html::tag_id::math)) return true;
  }
  return false;
}

bool is_hidden(const page_tree& tree, html::node_id id) {
  const auto& page = tree.page();
  const auto style = page.attribute_of(id, "style");
  const bool hidden =
      (page.has_attribute(id, "hidden") && page.attribute_of(id, "hidden") != "until-found") ||
      (!style.empty() && style_hides(base::to_lower_ascii(style))) ||
      (page.attribute_of(id, "aria-hidden") == "true" &&
       page.attribute_of(id, "class").find("fallback-image") == std::string_view::npos) ||
      (page.is_element(id, html::tag_id::dialog) && !page.has_attribute(id, "open")) ||
      (tree.marks_of(id) & mark::hidden) != 0;
  return hidden && !holds_math(tree, id);
}

/// A noscript is what readers without scripts see: it is kept for the images in it.
bool noscript_has_image_only(const page_tree& tree, html::node_id id) {
  bool image = false;
  for (auto at = id; at < tree.end_of(id); ++at) {
    const auto& one = tree.at(at);
    if (one.type == html::node_type::text && !base::trim(one.text).empty()) return false;
    image |= tree.page().is_element(at, html::tag_id::img) && !is_tracking_pixel(tree.page(), at);
  }
  return image;
}

html::node_id only_image_in(const page_tree& tree, html::node_id id) {
  html::node_id found = html::none;
  for (auto at = id; at < tree.end_of(id); ++at) {
    if (tree.is_dropped(at)) continue;
    if (tree.at(at).type == html::node_type::text && !base::trim(tree.at(at).text).empty()) {
      return html::none;
    }
    if (!tree.page().is_element(at, html::tag_id::img)) continue;
    if (found != html::none) return html::none;
    found = at;
  }
  return found;
}

/// The lazy placeholder right before or after a noscript gives way to the image inside it.
void drop_placeholder_of(page_tree& tree, html::node_id noscript) {
  auto at = tree.at(noscript).previous;
  while (at != html::none && !tree.is_element(at)) at = tree.at(at).previous;
  if (at == html::none || tree.is_dropped(at)) return;
  const auto image = only_image_in(tree, at);
  if (image == html::none) return;
  tree.drop(image);
}

}  // namespace

bool style_hides(std::string_view style) {
  declaration one;
  bool positioned = false, clipped = false, far_away = false, tiny = false, cut = false;
  while (next_declaration(style, one)) {
    if (one.property == "display" && one.value == "none") return true;
    if (one.property == "visibility" && (one.value == "hidden" || one.value == "collapse")) {
      return true;
    }
    if (one.property == "opacity" && is_zero(one.value)) return true;
    if (one.property == "font-size" && is_zero(one.value)) return true;
    if (one.property == "position") positioned = one.value == "absolute" || one.value == "fixed";
    if (one.property == "clip" && one.value.starts_with("rect(")) clipped = true;
    if (one.property == "clip-path" && one.value.starts_with("inset(50%")) clipped = true;
    if ((one.property == "left" || one.property == "top" || one.property == "text-indent") &&
        number_in(one.value, 0) <= off_screen_px) {
      far_away = true;
      positioned |= one.property == "text-indent";
    }
    if ((one.property == "height" || one.property == "max-height" || one.property == "width") &&
        number_in(one.value, 100) <= 1 && !one.value.ends_with("%") && !one.value.ends_with("em")) {
      tiny = true;
    }
    if (one.property == "overflow") cut = one.value == "hidden";
  }
  return (positioned && (far_away || clipped)) || (tiny && cut);
}

void drop_invisible(page_tree& tree) {
  const auto& page = tree.page();
  for (html::node_id id = 1; id < page.size(); ++id) {
    if (tree.is_dropped(id)) continue;
    const auto& one = page.at(id);
    if (one.type == html::node_type::comment || one.type == html::node_type::doctype) {
      tree.drop(id);
      continue;
    }
    if (one.type != html::node_type::element) continue;
    if (one.tag == html::tag_id::script && page.attribute_of(id, "type").starts_with("math/tex"))
      continue;
    if (is_task_box(page, id)) continue;
    const bool silent =
        std::binary_search(silent_elements.begin(), silent_elements.end(), one.name);
    if (silent || (one.space == html::element_space::svg && one.tag == html::tag_id::svg)) {
      tree.drop(id);
    } else if (one.tag == html::tag_id::noscript) {
      if (noscript_has_image_only(tree, id)) {
        drop_placeholder_of(tree, id);
      } else {
        tree.drop(id);
      }
    } else if (one.tag != html::tag_id::body && one.tag != html::tag_id::html &&
               is_hidden(tree, id)) {
      tree.drop(id);
    } else if (one.tag == html::tag_id::img && is_tracking_pixel(page, id)) {
      tree.drop(id);
    }
  }
  tree.count();
}

}  // namespace freshet::markdown
