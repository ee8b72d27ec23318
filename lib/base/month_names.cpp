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

}  // namespace

unsigned month_named(std::string_view folded) {
  unsigned best = 0;
  std::size_t longest = 0;
  const auto look = [&](const auto& names) {
    for (const auto& one : names) {
      if (one.beginning.size() <= longest || !folded.starts_with(one.beginning)) continue;
      best = one.number;
      longest = one.beginning.size();
    }
  };
  constexpr std::size_t longest_name = 30;
  if (folded.size() > longest_name) return 0;
#define FRESHET_MONTH(number, ...) look(months_of(number, __VA_ARGS__));
#include <base/month_names.def>
  return best;
}

}  // namespace freshet::base
