// Tables of data as GFM tables; tables that are layout or hold blocks are written as their blocks.
#include <algorithm>
#include <base/number.hpp>
#include <base/unicode.hpp>
#include <markdown/tree/patches.hpp>
#include <markdown/writing/code_block.hpp>
#include <markdown/writing/walker.hpp>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;

/// Spans beyond this are mistakes or attacks.
constexpr std::size_t max_span = 100;
constexpr std::size_t max_columns = 200;
/// A cell is a string, and room in the output, whether anything stands in it or not.
constexpr std::uint64_t steps_of_cell = 4;

std::size_t span_in(std::string_view text) {
  return std::clamp<std::size_t>(base::take_number<std::size_t>(text).value_or(1), 1, max_span);
}

/// Whether a table can be written with one line a row: no tables, lists, code or headings in cells,
/// more than one column.
bool fits_gfm(const page_tree& tree, node_id table) {
  const auto& page = tree.page();
  const auto role = page.attribute_of(table, "role");
  if (role == "presentation" || role == "none") return false;
  const auto& inside = tree.of(table);
  if (inside.tables > 1) return false;
  std::size_t columns = 0, in_row = 0, rows = 0;
  bool headed = false;
  for (node_id at = table + 1; at < tree.end_of(table); ++at) {
    tree.spend(1);
    if (tree.is_dropped(at) || !tree.is_element(at)) continue;
    const auto tag = tree.tag_of(at);
    if (tag == html::tag_id::tr) {
      ++rows;
      in_row = 0;
    }
    if (tag == html::tag_id::td || tag == html::tag_id::th) {
      columns = std::max(columns, ++in_row);
      headed |= tag == html::tag_id::th;
      const auto& cell = tree.of(at);
      const bool heavy = cell.headings > 0 || cell.paragraphs > 3;
      if (heavy && !headed) return false;
    }
    if (tag == html::tag_id::pre && tree.raw_text_of(at).find('\n') != std::string::npos)
      return false;
  }
  return columns > 1 || (headed && rows > 1);
}

}  // namespace

bool walker::enter_table_part(node_id id, html::tag_id tag) {
  if (tag == html::tag_id::table) {
    if (is_code_table(tree_, id) || is_patch(tree_, id)) return false;
    flush();
    if (table_.id == none && !in_cell() && fits_gfm(tree_, id)) {
      table_ = {id, {}, {}, {}, false};
    }
    return true;
  }
  if (table_.id == none || in_cell()) return false;
  if (tag == html::tag_id::tr) {
    start_row();
    return true;
  }
  if (tag == html::tag_id::td || tag == html::tag_id::th) {
    start_cell();
    return true;
  }
  return tag == html::tag_id::thead || tag == html::tag_id::tbody || tag == html::tag_id::tfoot;
}

void walker::start_row() {
  static_cast<void>(inline_.take(" ", false));
  table_.rows.emplace_back();
}

void walker::start_cell() {
  if (table_.rows.empty()) {
    table_.rows.emplace_back();
  }
  auto& row = table_.rows.back();
  // Columns covered from above by a rowspan stay empty.
  while (row.size() < table_.spans.size() && table_.spans[row.size()] > 0 &&
         row.size() < max_columns) {
    --table_.spans[row.size()];
    row.emplace_back();
  }
  table_.in_cell = true;
  inline_.set_context({true, options_.links == link_style::footnotes, !notes_.empty()});
}

void walker::end_cell(node_id id) {
  if (!in_cell()) return;
  auto& row = table_.rows.back();
  auto text = inline_.take(" ", false);
  table_.in_cell = false;
  inline_.set_context({false, options_.links == link_style::footnotes, !notes_.empty()});
  const auto columns = span_in(page_.attribute_of(id, "colspan"));
  const auto rows = span_in(page_.attribute_of(id, "rowspan"));
  const char alignment = table_.rows.size() == 1 ? alignment_of(id) : ' ';
  tree_.spend(steps_of_cell * columns);
  for (std::size_t i = 0; i < columns && row.size() < max_columns; ++i) {
    if (table_.rows.size() == 1) table_.alignments.resize(row.size() + 1, alignment);
    if (table_.spans.size() <= row.size()) table_.spans.resize(row.size() + 1, 0);
    table_.spans[row.size()] = rows - 1;
    row.push_back(i == 0 ? std::move(text) : std::string());
  }
}

/// How a cell of the first row says that its column stands.
char walker::alignment_of(node_id cell) const {
  auto value = page_.attribute_of(cell, "align");
  if (value.empty()) {
    const auto style = page_.attribute_of(cell, "style");
    const auto at = style.find("text-align:");
    if (at == std::string_view::npos) return ' ';
    value = base::trim(style.substr(at + 11));
  }
  const char first = value.empty() ? ' ' : value[0];
  return first == 'l' || first == 'c' || first == 'r' ? first : ' ';
}

void walker::end_table() {
  auto done = std::move(table_);
  table_ = {none, {}, {}, {}, false};
  std::size_t columns = 0;
  std::erase_if(done.rows, [](const auto& row) {
    return std::ranges::all_of(row, [](const auto& cell) { return cell.empty(); });
  });
  for (const auto& row : done.rows) {
    std::size_t filled = row.size();
    while (filled > 0 && row[filled - 1].empty()) --filled;
    columns = std::max(columns, filled);
  }
  if (columns == 0) return;
  std::string block;
  const auto add_row = [&](const std::vector<std::string>& row) {
    tree_.spend(steps_of_cell * columns);
    block += '|';
    for (std::size_t i = 0; i < columns; ++i) {
      block += ' ';
      if (i < row.size()) block += row[i];
      block += block.back() == ' ' ? "|" : " |";
    }
  };
  // GFM wants a header. Where a page has none, its first row is as good as an empty one for
  // reading, and no line is lost.
  add_row(done.rows.front());
  block += "\n|";
  for (std::size_t i = 0; i < columns; ++i) {
    const char alignment = i < done.alignments.size() ? done.alignments[i] : ' ';
    block += alignment == 'l' || alignment == 'c' ? " :-" : " --";
    block += alignment == 'c' || alignment == 'r' ? "-: |" : "- |";
  }
  for (std::size_t i = 1; i < done.rows.size(); ++i) {
    block += '\n';
    add_row(done.rows[i]);
  }
  add_block(block);
}

}  // namespace freshet::markdown
