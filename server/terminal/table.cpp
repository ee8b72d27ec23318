// How wide each column is, and its rows.
#include <algorithm>
#include <numeric>
#include <server/terminal/table.hpp>

namespace freshet::server {
namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t least_cut = 12;  // less of a text tells nobody anything

std::size_t whole_width(std::span<const std::size_t> widths) {
  return std::accumulate(widths.begin(), widths.end(), std::size_t{0}) +
         (widths.empty() ? 0 : gap * (widths.size() - 1));
}

/// Takes one column of width from the widest that can spare it. False: none can.
bool narrow_one(std::span<const table_column> columns, std::span<std::size_t> widths) {
  std::size_t* widest = nullptr;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (!columns[i].may_be_cut || widths[i] <= least_cut) continue;
    if (widest == nullptr || widths[i] > *widest) widest = &widths[i];
  }
  if (widest == nullptr) return false;
  --*widest;
  return true;
}

std::string padded(const std::string& text, std::size_t width, bool is_number, bool is_last) {
  const std::size_t used = columns_of(text);
  const std::string space(used < width ? width - used : 0, ' ');
  if (is_number) return space + text;
  return is_last ? text : text + space;
}

std::string blocks_text(std::span<const table_column> columns, std::span<const table_row> rows,
                        const screen& screen) {
  std::size_t widest = 0;
  for (const table_column& one : columns) widest = std::max(widest, columns_of(one.title));
  const std::size_t indent = widest + gap;
  const std::size_t room = screen.columns - std::min(indent, screen.columns / 2);
  std::string out;
  for (const table_row& row : rows) {
    if (!out.empty()) out += "\n";
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (row[i].empty() || row[i] == "-") continue;
      const std::string title = padded(std::string(columns[i].title), indent, false, false);
      out += screen.paint(tone::faint, title);
      out += (columns[i].may_be_cut ? cut(row[i], room) : row[i]) + "\n";
    }
  }
  return out;
}

}  // namespace

std::string table_text(std::span<const table_column> columns, std::span<const table_row> rows,
                       const screen& screen) {
  std::vector<table_row> shown;
  std::vector<std::size_t> widths;
  for (const table_column& one : columns) widths.push_back(columns_of(one.title));
  for (const table_row& row : rows) {
    table_row& made = shown.emplace_back();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      made.push_back(i < row.size() ? harmless(row[i]) : std::string());
      widths[i] = std::max(widths[i], columns_of(made.back()));
    }
  }
  for (std::vector<std::size_t> whole = widths; whole_width(widths) > screen.columns;) {
    if (narrow_one(columns, widths)) continue;
    // Where most of a row would be left out, it is a block with a line for each of its cells.
    if (2 * (whole.size() - 1) < columns.size()) return blocks_text(columns, shown, screen);
    whole.pop_back();
    widths = whole;
  }
  const auto line = [&](const auto& text_of, tone how) {
    std::string out;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::string text = columns[i].may_be_cut ? cut(text_of(i), widths[i]) : text_of(i);
      if (i > 0) out.append(gap, ' ');
      out += padded(text, widths[i], columns[i].is_number, i + 1 == widths.size());
    }
    while (out.ends_with(' ')) out.pop_back();
    return screen.paint(how, out) + "\n";
  };
  std::string out = line([&](std::size_t i) { return std::string(columns[i].title); }, tone::faint);
  for (const table_row& row : shown) {
    out += line([&](std::size_t i) { return row[i]; }, tone::plain);
  }
  return out;
}

}  // namespace freshet::server
