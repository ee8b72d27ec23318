// Looking into headers, and names. Messages are values; nothing here knows where they come from.
#include <base/unicode.hpp>
#include <http/message.hpp>

namespace freshet::http {

std::string_view find_header(const headers& fields, std::string_view name) noexcept {
  for (const header& each : fields) {
    if (base::equals_ignoring_ascii_case(each.name, name)) return each.value;
  }
  return {};
}

std::string_view name_of(cache_state state) noexcept {
  switch (state) {
    case cache_state::hit:
      return "hit";
    case cache_state::revalidated:
      return "revalidated";
    case cache_state::miss:
      break;
  }
  return "miss";
}

}  // namespace freshet::http
