// The sums behind the choice of content. One pass up the ids adds every node to its parent.
#include <algorithm>
#include <array>
#include <base/byte_row.hpp>
#include <base/unicode.hpp>
#include <markdown/tree/signals.hpp>
#include <markdown/tree/tree.hpp>
#include <utility>

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

/// How a byte of text counts. The commas of other scripts begin with `lead` bytes.
enum class byte_kind : std::uint8_t { character, space, comma, continuation, lead };

constexpr auto byte_kinds = [] {
  std::array<byte_kind, 256> made{};
  for (std::size_t c = 0x80; c < 0xC0; ++c) made[c] = byte_kind::continuation;
  for (const char c : {' ', '\n', '\t', '\r', '\f'}) {
    made[static_cast<unsigned char>(c)] = byte_kind::space;
  }
  made[','] = byte_kind::comma;
  made[0xD8] = made[0xE3] = made[0xEF] = byte_kind::lead;
  return made;
}();

/// The Arabic comma, and the ideographic and full-width ones and the full stop.
bool is_foreign_comma(std::string_view rest) noexcept {
  return rest.starts_with("\xD8\x8C") || rest.starts_with("\xE3\x80\x81") ||
         rest.starts_with("\xEF\xBC\x8C") || rest.starts_with("\xE3\x80\x82");
}

/// Which of them are spaces.
std::uint32_t spaces_in(const base::byte_row& row) noexcept {
  return base::bits_of((row == ' ') | (row == '\n') | (row == '\t') | (row == '\r') |
                       (row == '\f'));
}

/// Of the bits of a row: the machine may have no instruction for it.
std::uint32_t count_of(std::uint32_t bits) noexcept {
  bits -= bits >> 1 & 0x5555;
  bits = (bits & 0x3333) + (bits >> 2 & 0x3333);
  bits = (bits + (bits >> 4)) & 0x0F0F;
  return (bits + (bits >> 8)) & 0x1F;
}

/// Counts the first bytes of a row, which are ASCII; `space`: whether one stands before them, and
/// then whether the last one is.
void add_ascii(const base::byte_row& row, std::size_t count, bool& space,
               text_size& size) noexcept {
  const auto counted = (1u << count) - 1;
  const auto spaces = spaces_in(row) & counted;
  const auto commas = base::bits_of(row == ',') & counted;
  size.characters += static_cast<std::uint32_t>(count);
  if (const auto repeated = spaces & (spaces << 1 | (space ? 1u : 0u)); repeated != 0)
    size.characters -= count_of(repeated);
  if (commas != 0) size.commas += count_of(commas);
  space = spaces >> (count - 1) != 0;
}

/// The first byte of a kana, a Han character or a Hangul syllable.
constexpr bool is_wide_lead(unsigned char c) noexcept { return c >= 0xE3 && c <= 0xED; }

constexpr std::uint16_t inside_of(html::tag_id tag) noexcept {
  if (tag == a) return inside::link;
  if (tag == html::tag_id::code) return inside::code;
  if (tag == pre) return inside::pre;
  if (tag == html::tag_id::table) return inside::table;
  if (tag == td || tag == th) return inside::cell;
  if (tag == html::tag_id::figure) return inside::figure;
  if (tag == ul || tag == ol) return inside::list;
  if (tag == blockquote) return inside::quote;
  if (tag == html::tag_id::form) return inside::form;
  if (tag == html::tag_id::article) return inside::article;
  if (tag == html::tag_id::main) return inside::main;
  if (tag == sup) return inside::superscript;
  if (tag == html::tag_id::noscript) return inside::noscript;
  if (tag == p) return inside::paragraph;
  return is_heading(tag) ? inside::heading : std::uint16_t{0};
}

constexpr auto inside_by_tag = [] {
  std::array<std::uint16_t, static_cast<std::size_t>(html::tag_id::count)> made{};
  for (std::size_t tag = 0; tag < made.size(); ++tag) {
    made[tag] = inside_of(static_cast<html::tag_id>(tag));
  }
  return made;
}();

/// Saturates.
constexpr std::uint16_t sum(std::uint16_t a, std::uint16_t b) noexcept {
  const std::uint32_t both = std::uint32_t{a} + b;
  return static_cast<std::uint16_t>(std::min<std::uint32_t>(both, measure::small_limit));
}

}  // namespace

void measure::add(const measure& other) noexcept {
  text += other.text;
  link_text += other.link_text;
  heading_text += other.heading_text;
  list_text += other.list_text;
  block_text += other.block_text;
  prose += other.prose;
  run += other.run;
  run_links += other.run_links;
  commas += other.commas;
  paragraphs += other.paragraphs;
  items += other.items;
  links += other.links;
  blocks += other.blocks;
  // Most elements hold none of these.
  if ((other.images | other.inputs | other.embeds | other.headings | other.tables | other.code) ==
      0) {
    return;
  }
  images = sum(images, other.images);
  inputs = sum(inputs, other.inputs);
  embeds = sum(embeds, other.embeds);
  headings = sum(headings, other.headings);
  tables = sum(tables, other.tables);
  code = sum(code, other.code);
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

bool contains_any(std::string_view text, std::span<const std::string_view> parts) noexcept {
  return std::ranges::any_of(
      parts, [&](std::string_view one) { return text.find(one) != std::string_view::npos; });
}

page_tree::page_tree(const html::document& page)
    : page_(page), places_(page.size()), dropped_(page.size(), 0), marks_(1), attribute_bits_(1) {
  read_nodes();
  for (auto id = static_cast<html::node_id>(page.size()); id-- > 1;) {
    auto& end = places_[places_[id].parent].end;
    end = std::max(end, places_[id].end);
    if (places_[id].tag == html::tag_id::body) body_ = id;
  }
  measures_.resize(marks_.size());
  count();
}

/// Scripts and style sheets, much of a page, are dropped before anybody asks how long they are; not
/// TeX, and what a noscript or a heading holds is weighed before.
bool page_tree::is_for_programs(html::node_id text) const {
  const auto parent = parent_of(text);
  if (is_inside(text, inside::noscript | inside::heading)) return false;
  return is_element(parent, style) ||
         (is_element(parent, script) && !attribute_of(parent, "type").starts_with("math/tex"));
}

/// What names say that were read before: of a page's elements most are named like others.
class page_tree::known_names {
 public:
  [[nodiscard]] name_marks marks_of(std::string_view names) noexcept {
    if (names.empty()) return marks_in(names);
    const auto first = static_cast<unsigned char>(names.front());
    const auto last = static_cast<unsigned char>(names.back());
    auto& one = known_[(names.size() * 31u + first * 7u + last) % known_.size()];
    if (one.names != names) one = {names, marks_in(names)};
    return one.marks;
  }

 private:
  struct named {
    std::string_view names;
    name_marks marks = 0;
  };
  std::array<named, 256> known_{};
};

/// Everything about a node that its text, its names and its ancestors say, once.
void page_tree::read_nodes() {
  // Most rows stay shorter; what is not used of them costs nothing.
  texts_.reserve(page_.size());
  sizes_.reserve(page_.size());
  marks_.reserve(page_.size() + 1);
  attribute_bits_.reserve(page_.size() + 1);
  // Later passes ask for attributes again and again: each counts for what it will have cost.
  constexpr std::uint64_t steps_of_node = 4;
  spend(page_.size() * steps_of_node);
  known_names known;
  for (html::node_id id = 0; id < page_.size(); ++id) {
    const auto& one = page_.at(id);
    auto& here = places_[id];
    here.parent = one.parent;
    here.end = id + 1;
    here.tag = one.tag;
    here.type = one.type;
    if (one.parent != html::none) {
      const auto& above = places_[one.parent];
      here.inside = above.inside;
      if (above.type == html::node_type::element) {
        here.inside |= inside_by_tag[static_cast<std::size_t>(above.tag)];
      }
    }
    if (one.type == html::node_type::text) {
      spend(one.text.size() / bytes_per_step);
      here.slot = static_cast<std::uint32_t>(sizes_.size());
      texts_.push_back(one.text);
      sizes_.push_back(is_for_programs(id) ? text_size{} : size_of(one.text));
    } else if (one.type == html::node_type::element || id == page_.root()) {
      here.slot = static_cast<std::uint32_t>(marks_.size());
      here.has_attributes = one.attribute_count > 0 ? 1 : 0;
      marks_.emplace_back();
      attribute_bits_.push_back(0);
      if (here.has_attributes) read_marks(id, known);
    }
  }
}

void page_tree::read_marks(html::node_id id, known_names& known) {
  auto& own = marks_.back();
  spend(page_.at(id).attribute_count);
  const auto* attribute = page_.attributes_begin(id);
  for (const auto* end = attribute + page_.at(id).attribute_count; attribute != end; ++attribute) {
    // Formatting that is opened again shares the attributes: they may count many times.
    spend(attribute->value.size() / bytes_per_step);
    if (!attribute->name.empty()) attribute_bits_.back() |= bit_of(attribute->name);
    if (attribute->name == "class") own.of_class = known.marks_of(attribute->value);
    if (attribute->name == "id") own.of_id = known.marks_of(attribute->value);
  }
}

/// Characters with runs of white space as one, and commas of many scripts.
text_size page_tree::size_of(std::string_view text) noexcept {
  text_size size;
  bool space = true;
  std::uint32_t wide = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto left = text.size() - i;
    const auto row =
        left < base::row_size ? base::short_row(text.substr(i)) : base::row_at(text.data() + i);
    if (base::bits_of(row) == 0) {
      add_ascii(row, std::min(left, base::row_size), space, size);
      i += base::row_size;
      continue;
    }
    const auto end = std::min(i + base::row_size, text.size());
    for (; i < end; ++i) {
      const auto c = static_cast<unsigned char>(text[i]);
      const auto kind = byte_kinds[c];
      if (kind == byte_kind::continuation) continue;
      wide += is_wide_lead(c) ? 1 : 0;
      const bool after_space = std::exchange(space, kind == byte_kind::space);
      if (space && after_space) continue;
      ++size.characters;
      if (kind == byte_kind::comma) ++size.commas;
      if (kind == byte_kind::lead && is_foreign_comma(text.substr(i))) ++size.commas;
    }
  }
  if (space && size.characters > 0) --size.characters;
  size.columns = size.characters + wide;
  return size;
}

void page_tree::drop(html::node_id id) {
  spend(1 + (end_of(id) - id) / marks_per_step);
  counted_ = false;
  std::fill(dropped_.begin() + id, dropped_.begin() + end_of(id), std::uint8_t{1});
}

void page_tree::restore(html::node_id id) {
  spend(1 + (end_of(id) - id) / marks_per_step);
  counted_ = false;
  std::fill(dropped_.begin() + id, dropped_.begin() + end_of(id), std::uint8_t{0});
}

void page_tree::measure_element(html::node_id id, measure& measure) const {
  using enum html::tag_id;
  const auto tag = tag_of(id);
  switch (tag) {
    case html::tag_id::a:
      measure.link_text = measure.text;
      measure.run_links = measure.run;
      ++measure.links;
      break;
    case html::tag_id::p:
      ++measure.paragraphs;
      break;
    case img:
      measure.images = sum(measure.images, 1);
      break;
    case li:
      ++measure.items;
      break;
    case input:
    case select:
    case textarea:
    case button: {
      // A button around a heading is that of an accordion.
      const bool field = attribute_of(id, "type") != "hidden" && !is_task_box(page_, id);
      if (field && measure.headings == 0) measure.inputs = sum(measure.inputs, 1);
      break;
    }
    case iframe:
    case object:
    case embed:
    case video:
      measure.embeds = sum(measure.embeds, 1);
      break;
    case html::tag_id::table:
      measure.tables = sum(measure.tables, 1);
      break;
    case h1:
    case h2:
    case h3:
    case h4:
    case h5:
    case h6:
      measure.headings = sum(measure.headings, 1);
      measure.heading_text = measure.text;
      break;
    case ul:
    case ol:
      measure.list_text = measure.text;
      break;
    case pre:
    case html::tag_id::code:
      measure.code = sum(measure.code, 1);
      break;
    default:
      break;
  }
  if (is_block(tag)) {
    ++measure.blocks;
    close_run(tag, measure);
  }
  if (tag == html::tag_id::p || tag == pre || tag == td || tag == blockquote || tag == dd) {
    measure.block_text = measure.text;
  }
}

/// A run of text ends with the block around it, and is prose if it is long and not mostly links.
void page_tree::close_run(html::tag_id tag, measure& measure) noexcept {
  const bool prose = measure.run >= signals::least_prose &&
                     measure.run_links <= signals::prose_link_density * measure.run &&
                     !is_heading(tag);
  if (prose) measure.prose += measure.run;
  measure.run = measure.run_links = 0;
}

void page_tree::count() {
  if (counted_) return;
  spend(places_.size());
  counted_ = true;
  for (auto id = static_cast<html::node_id>(places_.size()); id-- > 1;) {
    begin_sum(id, page_.root());
    if (dropped_[id] != 0) continue;
    auto& parent = sum_of(parent_of(id));
    if (is_text(id)) {
      parent.add(sizes_[places_[id].slot]);
    } else if (is_element(id)) {
      auto& own = sum_of(id);
      measure_element(id, own);
      parent.add(own);
    }
  }
}

std::string page_tree::text_of(html::node_id id) const {
  spend_on(id);
  std::string out;
  for (html::node_id at = id; at < end_of(id); ++at) {
    if (dropped_[at] != 0) {
      at = end_of(at) - 1;
      continue;
    }
    if (is_text(at)) out += texts_[places_[at].slot];
    if (is_element(at) && (is_block(tag_of(at)) || tag_of(at) == html::tag_id::br)) out += ' ';
  }
  spend(out.size() / copied_bytes_per_step);
  return base::collapse_spaces(out);
}

std::string page_tree::raw_text_of(html::node_id id) const {
  spend_on(id);
  std::string out;
  for (html::node_id at = id; at < end_of(id); ++at) {
    if (is_text(at)) out += texts_[places_[at].slot];
  }
  spend(out.size() / copied_bytes_per_step);
  return out;
}

bool page_tree::has_ancestor(html::node_id id, html::tag_id tag) const {
  for (auto at = parent_of(id); at != html::none; at = parent_of(at)) {
    spend(1);
    if (is_element(at, tag)) return true;
  }
  return false;
}

}  // namespace freshet::markdown
