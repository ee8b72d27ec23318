// A look at each beginning: there are some hundreds, and few words to look up.
#include <array>
#include <base/month_names.hpp>

namespace freshet::base {

namespace {

struct month_beginning {
  unsigned number;
  std::string_view beginning;
};

template <class... Names>
constexpr auto months_of(unsigned number, Names... names) {
  return std::array{month_beginning{number, names}...};
}

/// What grows on to a name: "in" and "to" in Hebrew, "month" in Thai.
constexpr std::array<std::string_view, 3> prefixes = {"ב", "ל", "เดือน"};

unsigned month_that_begins(std::string_view folded) {
  unsigned best = 0;
  std::size_t longest = 0;
  const auto look = [&](const auto& names) {
    for (const auto& one : names) {
      const bool is_whole = one.beginning.ends_with('|');
      const auto name = one.beginning.substr(0, one.beginning.size() - (is_whole ? 1 : 0));
      if (name.size() <= longest || !folded.starts_with(name)) continue;
      if (is_whole && folded.size() > name.size()) continue;
      best = one.number;
      longest = name.size();
    }
  };
  constexpr std::size_t longest_name = 60;
  if (folded.size() > longest_name) return 0;
#define FRESHET_MONTH(number, ...) look(months_of(number, __VA_ARGS__));
#include <base/month_names.def>
  return best;
}

}  // namespace

unsigned month_named(std::string_view folded) {
  if (const auto month = month_that_begins(folded)) return month;
  for (const auto prefix : prefixes) {
    if (folded.starts_with(prefix)) return month_that_begins(folded.substr(prefix.size()));
  }
  return 0;
}

}  // namespace freshet::base
