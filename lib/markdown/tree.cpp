// The sums behind the choice of content. One pass up the ids adds every node to its parent.
#include <algorithm>
#include <array>
#include <base/unicode.hpp>
#include <markdown/tree.hpp>

namespace freshet::markdown {

namespace {

/// Sorted.
constexpr std::array<std::string_view, 55> block_names = {
    "address", "article", "aside",  "blockquote", "body",    "caption",  "center",   "dd",
    "details", "dialog",  "dir",    "div",        "dl",      "dt",       "fieldset", "figcaption",
    "figure",  "footer",  "form",   "frameset",   "h1",      "h2",       "h3",       "h4",
    "h5",      "h6",      "header", "hgroup",     "hr",      "html",     "iframe",   "legend",
    "li",      "listing", "main",   "menu",       "nav",     "noscript", "ol",       "optgroup",
    "option",  "p",       "pre",    "search",     "section", "summary",  "table",    "tbody",
    "td",      "tfoot",   "th",     "thead",      "tr",      "ul",       "xmp"};

bool is_space(unsigned char c) noexcept {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

/// Characters with runs of white space as one, and commas of many scripts.
void measure_text(std::string_view text, measure& into) noexcept {
  bool space = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (is_space(c)) {
      if (!space) ++into.text;
      space = true;
      continue;
    }
    space = false;
    if ((c & 0xC0) != 0x80) ++into.text;
    if (c == ',') ++into.commas;
    // The Arabic comma, and the ideographic and full-width ones and the full stop.
    if (c == 0xD8 && i + 1 < text.size() && text[i + 1] == '\x8C') ++into.commas;
    if ((c == 0xE3 || c == 0xEF) && i + 2 < text.size()) {
      const auto rest = text.substr(i, 3);
      if (rest == "\xE3\x80\x81" || rest == "\xEF\xBC\x8C" || rest == "\xE3\x80\x82") {
        ++into.commas;
      }
    }
  }
  if (space && into.text > 0) --into.text;
}

}  // namespace

void measure::add(const measure& other) noexcept {
  text += other.text;
  link_text += other.link_text;
  heading_text += other.heading_text;
  list_text += other.list_text;
  block_text += other.block_text;
  commas += other.commas;
  paragraphs += other.paragraphs;
  images += other.images;
  items += other.items;
  inputs += other.inputs;
  embeds += other.embeds;
  links += other.links;
  headings += other.headings;
  blocks += other.blocks;
  tables += other.tables;
  code += other.code;
}

bool is_block(std::string_view name) noexcept {
  return std::binary_search(block_names.begin(), block_names.end(), name);
}

bool is_heading(std::string_view name) noexcept {
  return name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6';
}

bool is_task_box(const html::document& page, html::node_id id) {
  if (!page.is_element(id, "input") || page.attribute_of(id, "type") != "checkbox") return false;
  auto at = page.at(id).parent;
  if (page.is_element(at, "label") || page.is_element(at, "p")) at = page.at(at).parent;
  return page.is_element(at, "li");
}

std::string names_of(const html::document& page, html::node_id id) {
  std::string names = " ";
  names += page.attribute_of(id, "class");
  names += ' ';
  names += page.attribute_of(id, "id");
  names += ' ';
  for (char& c : names) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (is_space(static_cast<unsigned char>(c))) c = ' ';
  }
  return names;
}

page_tree::page_tree(const html::document& page)
    : page_(page), ends_(page.size()), dropped_(page.size(), 0), measures_(page.size()) {
  for (auto id = static_cast<html::node_id>(page.size()); id-- > 0;) {
    const auto last = page.at(id).last_child;
    ends_[id] = last == html::none ? id + 1 : ends_[last];
    if (page.is_element(id, "body")) body_ = id;
  }
  count();
}

void page_tree::drop(html::node_id id) {
  std::fill(dropped_.begin() + id, dropped_.begin() + ends_[id], std::uint8_t{1});
}

void page_tree::restore(html::node_id id) {
  std::fill(dropped_.begin() + id, dropped_.begin() + ends_[id], std::uint8_t{0});
}

void page_tree::measure_node(html::node_id id, measure& into) const {
  const auto& one = page_.at(id);
  if (one.type == html::node_type::text) {
    measure_text(one.text, into);
    return;
  }
  if (one.type != html::node_type::element) return;
  const auto name = one.name;
  if (name == "a") {
    into.link_text = into.text;
    ++into.links;
  } else if (name == "p") {
    ++into.paragraphs;
  } else if (name == "img" || name == "picture") {
    if (name == "img") ++into.images;
  } else if (name == "li") {
    ++into.items;
  } else if (name == "input" || name == "select" || name == "textarea" || name == "button") {
    if (page_.attribute_of(id, "type") != "hidden" && !is_task_box(page_, id)) ++into.inputs;
  } else if (name == "iframe" || name == "object" || name == "embed" || name == "video") {
    ++into.embeds;
  } else if (name == "table") {
    ++into.tables;
  } else if (is_heading(name)) {
    ++into.headings;
    into.heading_text = into.text;
  } else if (name == "ul" || name == "ol") {
    into.list_text = into.text;
  }
  if (name == "pre" || name == "code") ++into.code;
  if (is_block(name)) ++into.blocks;
  if (name == "p" || name == "pre" || name == "td" || name == "blockquote" || name == "dd") {
    into.block_text = into.text;
  }
}

void page_tree::count() {
  std::fill(measures_.begin(), measures_.end(), measure{});
  for (auto id = static_cast<html::node_id>(page_.size()); id-- > 1;) {
    if (dropped_[id] != 0) continue;
    measure_node(id, measures_[id]);
    measures_[page_.at(id).parent].add(measures_[id]);
  }
}

std::string page_tree::text_of(html::node_id id) const {
  std::string out;
  for (html::node_id at = id; at < ends_[id]; ++at) {
    if (dropped_[at] != 0) {
      at = ends_[at] - 1;
      continue;
    }
    const auto& one = page_.at(at);
    if (one.type == html::node_type::text) out += one.text;
    if (one.type == html::node_type::element && (is_block(one.name) || one.name == "br"))
      out += ' ';
  }
  return base::collapse_spaces(out);
}

std::string page_tree::raw_text_of(html::node_id id) const {
  std::string out;
  for (html::node_id at = id; at < ends_[id]; ++at) {
    if (page_.at(at).type == html::node_type::text) out += page_.at(at).text;
  }
  return out;
}

bool page_tree::has_ancestor(html::node_id id, std::string_view name) const noexcept {
  for (auto at = page_.at(id).parent; at != html::none; at = page_.at(at).parent) {
    if (page_.is_element(at, name)) return true;
  }
  return false;
}

}  // namespace freshet::markdown
