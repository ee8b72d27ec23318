// A line's key is its place and its text with every number made one mark, so that "Page 3 of 9" and
// "Page 4 of 9" are the same.
#include <algorithm>
#include <cmath>
#include <map>
#include <pdf/running_lines.hpp>
#include <set>

namespace freshet::pdf {
namespace {

/// The part of a page's height, above and below, in which a running line can stand.
constexpr double edge = 0.1;
/// On how many pages, and on which part of all pages (left and right ones may differ), it recurs.
constexpr std::size_t least_pages = 2;
constexpr double least_share = 0.3;
/// Places that differ by less are the same.
constexpr double same_place = 4;
/// A line as long as this is no head.
constexpr std::size_t longest_text = 200;

std::string text_of(const text_line& from) {
  std::string out;
  bool in_number = false;
  for (const word& each : from.words) {
    if (!out.empty()) out += ' ';
    for (const char c : each.text) {
      const bool digit = c >= '0' && c <= '9';
      if (digit && !in_number) out += '#';
      if (!digit) out += c;
      in_number = digit;
    }
    in_number = false;
  }
  return out;
}

/// "" for a line that is none of the edges.
std::string key_of(const text_page& page, const text_line& line) {
  const bool high = line.at.bottom < page.height * edge;
  const bool low = line.at.top > page.height * (1 - edge);
  if (!high && !low) return {};
  const std::string text = text_of(line);
  if (text.size() > longest_text) return {};
  return std::to_string(std::lround(line.at.top / same_place)) + ' ' + text;
}

}  // namespace

void drop_running_lines(text_document& document, reading_meter& counted) {
  std::map<std::string, std::size_t> pages_with;
  for (const text_page& each : document.pages) {
    std::set<std::string> seen;
    for (const text_block& part : each.blocks) {
      for (const text_line& row : part.lines) {
        counted.spend(1 + row.words.size());
        seen.insert(key_of(each, row));
      }
    }
    for (const std::string& key : seen) ++pages_with[key];
  }
  const auto share =
      static_cast<std::size_t>(std::ceil(least_share * static_cast<double>(document.pages.size())));
  const auto enough = std::max(least_pages, share);
  const auto runs = [&](const text_page& page, const text_line& line) {
    counted.spend(1 + line.words.size());
    const std::string key = key_of(page, line);
    return !key.empty() && pages_with[key] >= enough;
  };
  const auto has_own = [&](const text_page& page) {
    return std::ranges::any_of(page.blocks, [&](const text_block& part) {
      return !std::ranges::all_of(part.lines, [&](const auto& row) { return runs(page, row); });
    });
  };
  // Pages that all say the same at their edges, and nothing else, say it.
  if (std::ranges::none_of(document.pages, has_own)) return;
  for (text_page& each : document.pages) {
    for (text_block& part : each.blocks) {
      std::erase_if(part.lines, [&](const text_line& row) { return runs(each, row); });
    }
    std::erase_if(each.blocks, [](const text_block& part) { return part.lines.empty(); });
  }
}

}  // namespace freshet::pdf
