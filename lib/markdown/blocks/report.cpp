// The report as a table of text: a line for each block, in the order of the page.
#include <algorithm>
#include <base/unicode.hpp>
#include <cstdio>
#include <markdown/blocks/report.hpp>

namespace freshet::markdown {

namespace {

/// So much of a block is shown, in characters.
constexpr std::size_t shown_characters = 60;

std::string beginning_of(std::string_view text) {
  const auto flat = base::collapse_spaces(text);
  std::size_t end = 0, count = 0;
  while (end < flat.size() && count < shown_characters) {
    ++end;
    while (end < flat.size() && (static_cast<unsigned char>(flat[end]) & 0xC0) == 0x80) ++end;
    ++count;
  }
  return flat.substr(0, end) + (end < flat.size() ? "..." : "");
}

}  // namespace

std::string explain(const choice_report& report) {
  if (report.reason.empty()) return "nothing was chosen: this is what was asked for, whole\n";
  char line[64];
  std::snprintf(line, sizeof line, "confidence %.2f\n", report.confidence);
  std::string out = "choice     " + report.reason + "\ntype       " + report.type + "\n" + line;
  const auto kept = std::ranges::count_if(report.blocks, &choice_report::block::kept);
  out += "blocks     " + std::to_string(kept) + " of " + std::to_string(report.blocks.size()) +
         " kept; each with the probability that it is content\n";
  for (const auto& one : report.blocks) {
    std::snprintf(line, sizeof line, "%s %.2f  ", one.kept ? "+" : "-", one.probability);
    out += line + one.place + "  " + beginning_of(one.text) + "\n";
  }
  return out;
}

}  // namespace freshet::markdown
