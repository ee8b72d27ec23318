// Findings in groups, each with its advice below.
#include "server/terminal/checkup.hpp"

#include <algorithm>
#include <iterator>

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

/// Of a kind: how grave it is, too, is the same.
bool has_same_advice(const engine::finding& one, const engine::finding& other) {
  return !one.advice.empty() && one.advice == other.advice && health_of(one) == health_of(other);
}

}  // namespace

std::vector<engine::finding> by_advice(std::span<const engine::finding> findings) {
  std::vector<engine::finding> made;
  made.reserve(findings.size());
  for (const engine::finding& one : findings) {
    const auto last = std::find_if(made.rbegin(), made.rend(), [&](const engine::finding& before) {
      return has_same_advice(before, one);
    });
    made.insert(last == made.rend() ? made.end() : last.base(), one);
  }
  return made;
}

bool is_said_below(std::span<const engine::finding> findings, std::size_t index) {
  return index + 1 < findings.size() && has_same_advice(findings[index], findings[index + 1]);
}

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
    std::vector<engine::finding> own;
    std::ranges::copy_if(findings, std::back_inserter(own),
                         [&](const engine::finding& one) { return health_of(one) == group.which; });
    own = by_advice(own);
    for (std::size_t i = 0; i < own.size(); ++i) {
      const auto say = [&](tone how, const std::string& text, std::size_t further) {
        for (const std::string& line : wrap(text, screen.columns - indent - further, most_lines)) {
          out += std::string(indent + further, ' ') + screen.paint(how, line) + "\n";
        }
      };
      say(tone::plain, harmless(own[i].subject + ": " + own[i].detail), 0);
      if (own[i].advice.empty() || is_said_below(own, i)) continue;
      say(tone::faint, harmless("-> " + own[i].advice), indent);
    }
  }
  return out;
}

}  // namespace freshet::server
