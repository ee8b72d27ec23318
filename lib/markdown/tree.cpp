// The sums behind the choice of content. One pass up the ids adds every node to its parent.
#include <algorithm>
#include <array>
#include <base/unicode.hpp>
#include <markdown/tree.hpp>

namespace freshet::markdown {

namespace {

using enum html::tag_id;
constexpr html::tag_id block_tags[] = {
    address, article, aside, blockquote, body,     caption,    center, dd,       details, dialog,
    dir,     div,     dl,    dt,         fieldset, figcaption, figure, footer,   form,    frameset,
    h1,      h2,      h3,    h4,         h5,       h6,         header, hgroup,   hr,      html,
    iframe,  legend,  li,    listing,    main,     menu,       nav,    noscript, ol,      optgroup,
    option,  p,       pre,   search,     section,  summary,    table,  tbody,    td,      tfoot,
    th,      thead,   tr,    ul,         xmp};

constexpr auto blocks_by_tag = [] {
  std::array<bool, static_cast<std::size_t>(html::tag_id::count)> made{};
  for (const auto tag : block_tags) made[static_cast<std::size_t>(tag)] = true;
  return made;
}();

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

bool is_block(html::tag_id tag) noexcept { return blocks_by_tag[static_cast<std::size_t>(tag)]; }

bool is_task_box(const html::document& page, html::node_id id) {
  if (!page.is_element(id, html::tag_id::input) || page.attribute_of(id, "type") != "checkbox")
    return false;
  auto at = page.at(id).parent;
  if (page.is_element(at, html::tag_id::label) || page.is_element(at, html::tag_id::p))
    at = page.at(at).parent;
  return page.is_element(at, html::tag_id::li);
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
    if (page.is_element(id, html::tag_id::body)) body_ = id;
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
  const auto tag = one.tag;
  if (tag == html::tag_id::a) {
    into.link_text = into.text;
    ++into.links;
  } else if (tag == html::tag_id::p) {
    ++into.paragraphs;
  } else if (tag == html::tag_id::img || tag == html::tag_id::picture) {
    if (tag == html::tag_id::img) ++into.images;
  } else if (tag == html::tag_id::li) {
    ++into.items;
  } else if (tag == html::tag_id::input || tag == html::tag_id::select ||
             tag == html::tag_id::textarea || tag == html::tag_id::button) {
    if (page_.attribute_of(id, "type") != "hidden" && !is_task_box(page_, id)) ++into.inputs;
  } else if (tag == html::tag_id::iframe || tag == html::tag_id::object ||
             tag == html::tag_id::embed || tag == html::tag_id::video) {
    ++into.embeds;
  } else if (tag == html::tag_id::table) {
    ++into.tables;
  } else if (is_heading(tag)) {
    ++into.headings;
    into.heading_text = into.text;
  } else if (tag == html::tag_id::ul || tag == html::tag_id::ol) {
    into.list_text = into.text;
  }
  if (tag == html::tag_id::pre || tag == html::tag_id::code) ++into.code;
  if (is_block(tag)) ++into.blocks;
  if (tag == html::tag_id::p || tag == html::tag_id::pre || tag == html::tag_id::td ||
      tag == html::tag_id::blockquote || tag == html::tag_id::dd) {
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
    if (one.type == html::node_type::element && (is_block(one.tag) || one.tag == html::tag_id::br))
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

bool page_tree::has_ancestor(html::node_id id, html::tag_id tag) const noexcept {
  for (auto at = page_.at(id).parent; at != html::none; at = page_.at(at).parent) {
    if (page_.is_element(at, tag)) return true;
  }
  return false;
}

}  // namespace freshet::markdown
