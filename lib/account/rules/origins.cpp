// Origins are compared byte by byte with what a browser sends, so that only its own spelling is
// taken.
#include <account/rules/origins.hpp>
#include <algorithm>
#include <base/invalid_parameter.hpp>
#include <base/url.hpp>

namespace freshet::account {
namespace {

constexpr std::size_t max_origin_size = 255;
constexpr char separator = ' ';

bool is_origin(std::string_view text) {
  if (text.size() > max_origin_size) return false;
  const auto parsed = base::parse_url(text);
  return parsed && parsed->is_http() && parsed->origin() == text;
}

}  // namespace

result<void> check_origins(const std::vector<std::string>& origins) {
  if (origins.size() > max_origins_per_key)
    return base::invalid_parameter(
        "/origins", "out_of_bounds",
        "a key has at most " + std::to_string(max_origins_per_key) + " origins");
  for (const std::string& one : origins) {
    if (is_origin(one)) continue;
    return base::invalid_parameter("/origins", "invalid_format",
                                   "'" + one +
                                       "' is no origin of a web page: give one such as "
                                       "https://app.example.org");
  }
  return {};
}

std::string join_origins(const std::vector<std::string>& origins) {
  std::string joined;
  for (const std::string& one : origins)
    joined.append(joined.empty() ? 0 : 1, separator).append(one);
  return joined;
}

std::vector<std::string> split_origins(std::string_view joined) {
  std::vector<std::string> origins;
  while (!joined.empty()) {
    const std::size_t end = std::min(joined.find(separator), joined.size());
    if (end > 0) origins.emplace_back(joined.substr(0, end));
    joined.remove_prefix(std::min(end + 1, joined.size()));
  }
  return origins;
}

}  // namespace freshet::account
