// Findings in groups, each with its advice below.
#include "server/terminal/checkup.hpp"

#include <algorithm>

namespace freshet::server {
namespace {

enum class health { broken, limited, ready, off };

health health_of(const engine::finding& one) {
  if (!one.ok) return health::broken;
  if (one.warns) return health::limited;
  return one.is_off ? health::off : health::ready;
}

struct health_group {
  health which;
  std::string_view title;
  tone how;
};

constexpr health_group health_groups[] = {{health::broken, "broken", tone::bad},
                                          {health::limited, "could be better", tone::wary},
                                          {health::ready, "ready", tone::good},
                                          {health::off, "off", tone::faint}};

constexpr std::size_t indent = 2;
constexpr std::size_t most_lines = 6;

}  // namespace

std::string checkup_text(std::span<const engine::finding> findings, const screen& screen) {
  const auto count = [&](health which) { return std::ranges::count(findings, which, health_of); };
  std::string summary;
  for (const health_group& group : health_groups) {
    const auto number = count(group.which);
    if (number == 0 && group.which == health::limited) continue;
    if (!summary.empty()) summary.append(", ");
    summary += screen.paint(number > 0 ? group.how : tone::plain,
                            std::to_string(number) + " " + std::string(group.title));
  }
  std::string out = summary + "\n";
  for (const health_group& group : health_groups) {
    if (count(group.which) == 0) continue;
    out += "\n" + screen.paint(group.how, group.title) + "\n";
    for (const engine::finding& one : findings) {
      if (health_of(one) != group.which) continue;
      const auto say = [&](tone how, const std::string& text, std::size_t further) {
        for (const std::string& line : wrap(text, screen.columns - indent - further, most_lines)) {
          out += std::string(indent + further, ' ') + screen.paint(how, line) + "\n";
        }
      };
      say(tone::plain, harmless(one.subject + ": " + one.detail), 0);
      if (!one.advice.empty()) say(tone::faint, harmless("-> " + one.advice), indent);
    }
  }
  return out;
}

}  // namespace freshet::server
