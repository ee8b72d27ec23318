// The names lie in order: each byte of a word leaves those that go on as it does. There are nearly
// a thousand, and the words that are looked up are mostly no months.
#include <algorithm>
#include <array>
#include <base/month_names.hpp>
#include <cstddef>

namespace freshet::base {

namespace {

struct month_beginning {
  std::string_view name;
  unsigned number = 0;
  bool is_whole = false;
};

constexpr month_beginning beginning_of(unsigned number, std::string_view written) {
  const bool is_whole = written.ends_with('|');
  return {written.substr(0, written.size() - (is_whole ? 1 : 0)), number, is_whole};
}

constexpr std::size_t count_of_names = 0
#define FRESHET_MONTH(number, ...) +std::to_array<std::string_view>({__VA_ARGS__}).size()
#include <base/month_names.def>
    ;

/// What grows on to a name: "in" and "to" in Hebrew, "month" in Thai.
constexpr std::array<std::string_view, 3> prefixes = {"ב", "ל", "เดือน"};

/// Made once; it asks for no memory, which could fail.
class month_index {
 public:
  month_index() {
    std::size_t at = 0;
#define FRESHET_MONTH(number, ...) \
  for (const std::string_view one : {__VA_ARGS__}) names_[at++] = beginning_of(number, one);
#include <base/month_names.def>
    std::ranges::sort(names_, {}, &month_beginning::name);
    for (std::size_t byte = 0; byte < first_.size(); ++byte) {
      const auto begin = std::ranges::lower_bound(names_, byte, {}, [](const month_beginning& one) {
        return std::size_t{static_cast<unsigned char>(one.name[0])};
      });
      first_[byte] = static_cast<std::size_t>(begin - names_.begin());
    }
  }

  /// The month of the longest name with which a word begins, or 0.
  [[nodiscard]] unsigned of(std::string_view word) const {
    if (word.empty()) return 0;
    const std::size_t byte = static_cast<unsigned char>(word[0]);
    const auto* begin = names_.data() + first_[byte];
    const auto* end = names_.data() + first_[byte + 1];
    unsigned best = 0;
    for (std::size_t size = 1; begin != end && size <= word.size(); ++size) {
      const auto prefix = word.substr(0, size);
      const auto same_length = [size](const month_beginning& one) {
        return one.name.substr(0, size);
      };
      begin = std::ranges::lower_bound(begin, end, prefix, {}, same_length);
      end = std::ranges::upper_bound(begin, end, prefix, {}, same_length);
      for (; begin != end && begin->name.size() == size; ++begin) {
        if (!begin->is_whole || word.size() == size) best = begin->number;
      }
    }
    return best;
  }

 private:
  std::array<month_beginning, count_of_names> names_;
  std::array<std::size_t, 257> first_{};  ///< of the names with each first byte, and one more
};

unsigned month_that_begins(std::string_view folded) {
  static const month_index names;
  constexpr std::size_t longest_name = 60;
  return folded.size() > longest_name ? 0 : names.of(folded);
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
