// The table of errors, from errc.def. It only answers; nothing is raised or rendered here.
#include <cstddef>
#include <freshet/error.hpp>
#include <iterator>

namespace freshet {
namespace {

constexpr errc_info errors[] = {
#define FRESHET_ERRC(number, name, status, retryable, title, help) \
  {errc::name, #name, status, retryable, title, help},
#include <freshet/errc.def>
#undef FRESHET_ERRC
};

constexpr std::size_t row_of(errc code) noexcept {
  std::size_t row = 0;
  while (row < std::size(errors) && errors[row].code != code) ++row;
  return row;
}

constexpr bool numbers_and_names_are_unique() noexcept {
  for (const errc_info& a : errors) {
    for (const errc_info& b : errors) {
      if (&a != &b && (a.code == b.code || a.name == b.name)) return false;
    }
  }
  return true;
}

static_assert(row_of(errc::internal) < std::size(errors), "describe() falls back on it");
static_assert(numbers_and_names_are_unique(), "errc.def pins each number and name once");

}  // namespace

const errc_info& describe(errc code) noexcept {
  const std::size_t row = row_of(code);
  return errors[row < std::size(errors) ? row : row_of(errc::internal)];
}

const errc_info* find_errc(std::string_view name) noexcept {
  for (const errc_info& row : errors) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace freshet
