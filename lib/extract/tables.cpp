// Tables as data: those with a head are lists of objects, a column a member; those of two columns,
// and <dl>, are one object, a row a member.
#include <algorithm>
#include <base/number.hpp>
#include <base/unicode.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <extract/evidence.hpp>

namespace freshet::extract {
namespace json = base::json;

namespace {

using html::node_id;
using html::tag_id;

constexpr std::size_t max_tables = 100;
constexpr std::size_t max_rows = 2000;
constexpr std::size_t max_columns = 64;
constexpr std::size_t max_cell_bytes = 4000;
constexpr std::size_t max_head_bytes = 100;  // longer ones are text, no names
constexpr std::size_t max_pairs = 500;

struct cell {
  std::string text;
  bool is_head = false;
};
using row = std::vector<cell>;

std::string cell_text(const html::document& page, node_id cell) {
  auto text = text_of_element(page, cell);
  if (text.size() > max_cell_bytes) text = base::prefix(text, max_cell_bytes / 4);
  return text;
}

row cells_of(const html::document& page, node_id line, copy_room& room) {
  row out;
  for (auto at = page.at(line).first_child; at != html::none; at = page.at(at).next) {
    page.spend(1);
    const bool is_head = page.is_element(at, tag_id::th);
    if (!is_head && !page.is_element(at, tag_id::td)) continue;
    const auto span = base::parse_number<std::size_t>(page.attribute_of(at, "colspan"));
    const auto count = std::clamp<std::size_t>(span.value_or(1), 1, max_columns);
    const auto text = cell_text(page, at);
    for (std::size_t i = 0; i < count && out.size() < max_columns && room.take(text.size()); ++i) {
      out.push_back({text, is_head});
    }
  }
  return out;
}

/// The rows of a table, not those of tables inside it.
std::vector<row> rows_of(const html::document& page, node_id table, copy_room& room) {
  std::vector<row> out;
  for (auto at = page.next_in_order(table, table);
       at != html::none && out.size() < max_rows && !room.is_full();) {
    page.spend(1);
    if (page.is_element(at, tag_id::tr)) {
      auto cells = cells_of(page, at, room);
      if (!cells.empty()) out.push_back(std::move(cells));
    }
    at = page.is_element(at, tag_id::table) ? page.next_skipping_children(at, table)
                                            : page.next_in_order(at, table);
  }
  return out;
}

std::string caption_of(const html::document& page, node_id table) {
  for (auto at = page.at(table).first_child; at != html::none; at = page.at(at).next) {
    if (page.is_element(at, tag_id::caption)) {
      return std::string(base::prefix(cell_text(page, at), max_head_bytes));
    }
  }
  return "table";
}

bool is_head(const row& cells) {
  return std::ranges::all_of(
      cells, [](const cell& one) { return one.is_head && one.text.size() <= max_head_bytes; });
}

/// A name without the colon that people put behind it.
std::string name_in(std::string_view text) {
  if (text.size() > max_head_bytes) return {};
  while (text.ends_with(':') || text.ends_with(' ')) text.remove_suffix(1);
  return std::string(text);
}

void add_pair(json::object& object, std::string_view name, const std::string& text) {
  const auto key = name_in(name);
  if (!key.empty() && !text.empty() && object.size() < max_pairs) object.emplace(key, text);
}

}  // namespace

void evidence::take_table(node_id table) {
  const auto rows = rows_of(page_, table, room_);
  if (rows.empty()) return;
  const auto caption = caption_of(page_, table);
  if (rows.front().size() > 1 && is_head(rows.front())) {
    auto& list = tables_.emplace_back();
    for (std::size_t i = 1; i < rows.size(); ++i) {
      json::object what;
      for (std::size_t k = 0; k < rows[i].size() && k < rows.front().size(); ++k) {
        add_pair(what, rows.front()[k].text, rows[i][k].text);
      }
      if (what.empty()) continue;
      values_.emplace_back(std::move(what));
      list.push_back(
          {&values_.back().get_object(), "table", caption + '/' + std::to_string(i), {}, false});
    }
    return;
  }
  json::object what;
  for (const auto& one : rows) {
    if (one.size() == 2 && !one[1].is_head) add_pair(what, one[0].text, one[1].text);
  }
  add_about(std::move(what), "table", caption);
}

void evidence::take_definitions(node_id list, json::object& object) {
  std::string name;
  for (auto at = page_.next_in_order(list, list); at != html::none;
       at = page_.next_in_order(at, list)) {
    page_.spend(1);
    if (page_.is_element(at, tag_id::dt)) name = cell_text(page_, at);
    if (page_.is_element(at, tag_id::dd)) add_pair(object, name, cell_text(page_, at));
  }
}

void evidence::take_tables() {
  std::size_t count = 0;
  json::object definitions;
  for (node_id at = 1; at < page_.size() && count < max_tables; ++at) {
    page_.spend(1);
    if (page_.is_element(at, tag_id::table)) {
      ++count;
      take_table(at);
    } else if (page_.is_element(at, tag_id::dl)) {
      ++count;
      take_definitions(at, definitions);
    }
  }
  add_about(std::move(definitions), "table", "dl");
}

}  // namespace freshet::extract
