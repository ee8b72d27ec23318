// The places of which X tells trends: countries by the numbers that Yahoo once gave to places
// (WOEID), which X kept. A table and nothing else.
#include <algorithm>
#include <array>
#include <sources/x/wire.hpp>

namespace freshet::sources::x {
namespace {

struct trend_place {
  std::string_view country, number;
};

/// In the order of the codes.
constexpr std::array<trend_place, 62> places{{
    {"AE", "23424738"}, {"AR", "23424747"}, {"AT", "23424750"}, {"AU", "23424748"},
    {"BE", "23424757"}, {"BH", "23424753"}, {"BR", "23424768"}, {"BY", "23424765"},
    {"CA", "23424775"}, {"CH", "23424957"}, {"CL", "23424782"}, {"CO", "23424787"},
    {"DE", "23424829"}, {"DK", "23424796"}, {"DO", "23424800"}, {"DZ", "23424740"},
    {"EC", "23424801"}, {"EG", "23424802"}, {"ES", "23424950"}, {"FR", "23424819"},
    {"GB", "23424975"}, {"GH", "23424824"}, {"GR", "23424833"}, {"GT", "23424834"},
    {"ID", "23424846"}, {"IE", "23424803"}, {"IL", "23424852"}, {"IN", "23424848"},
    {"IT", "23424853"}, {"JO", "23424860"}, {"JP", "23424856"}, {"KE", "23424863"},
    {"KR", "23424868"}, {"KW", "23424870"}, {"LB", "23424873"}, {"LV", "23424874"},
    {"MX", "23424900"}, {"MY", "23424901"}, {"NG", "23424908"}, {"NL", "23424909"},
    {"NO", "23424910"}, {"NZ", "23424916"}, {"OM", "23424898"}, {"PA", "23424924"},
    {"PE", "23424919"}, {"PH", "23424934"}, {"PK", "23424922"}, {"PL", "23424923"},
    {"PR", "23424935"}, {"PT", "23424925"}, {"QA", "23424930"}, {"RU", "23424936"},
    {"SA", "23424938"}, {"SE", "23424954"}, {"SG", "23424948"}, {"TH", "23424960"},
    {"TR", "23424969"}, {"UA", "23424976"}, {"US", "23424977"}, {"VE", "23424982"},
    {"VN", "23424984"}, {"ZA", "23424942"},
}};
static_assert(std::ranges::is_sorted(places, {}, &trend_place::country));

}  // namespace

std::string_view place_of(std::string_view country) noexcept {
  if (country.empty()) return "1";
  const auto found = std::ranges::lower_bound(places, country, {}, &trend_place::country);
  return found == places.end() || found->country != country ? std::string_view{} : found->number;
}

}  // namespace freshet::sources::x
