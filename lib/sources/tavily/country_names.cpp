// The countries that Tavily knows, by their ISO codes.
#include <algorithm>
#include <sources/tavily/wire.hpp>

namespace freshet::sources::tavily {

namespace {

constexpr struct {
  std::string_view code, name;
} countries[] = {
#define FRESHET_COUNTRY(code, name) {code, name},
#include <freshet/country_names.def>
};

}  // namespace

std::string_view country_name(std::string_view code) {
  const auto found =
      std::ranges::find_if(countries, [code](const auto& one) { return one.code == code; });
  return found == std::end(countries) ? std::string_view{} : found->name;
}

}  // namespace freshet::sources::tavily
