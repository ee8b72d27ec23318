// The countries that Tavily's `country` knows, by name: their ISO codes.
#include <algorithm>
#include <server/dropin/tavily.hpp>

namespace freshet::server::dropin {

namespace {

constexpr struct {
  std::string_view code, name;
} countries[] = {
#define FRESHET_COUNTRY(code, name) {code, name},
#include <freshet/country_names.def>
};

}  // namespace

std::string_view country_code(std::string_view name) {
  const auto* found =
      std::ranges::find_if(countries, [name](const auto& one) { return one.name == name; });
  return found == std::end(countries) ? std::string_view{} : found->code;
}

}  // namespace freshet::server::dropin
