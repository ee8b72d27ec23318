// States: "" and "renew" before the token's answer, "use:<token>" and "last:<token>" before the
// answer to what carried it. They live in memory only, as the token itself.
#include <algorithm>
#include <sources/token_use.hpp>
#include <utility>

namespace freshet::sources {
namespace {

constexpr std::size_t max_token = 8192;
constexpr std::string_view renewing = "renew";
constexpr std::string_view first_use = "use:";
constexpr std::string_view last_use = "last:";

}  // namespace

token_use token_use_of(std::string_view state) {
  if (state.starts_with(first_use)) {
    return {true, false, std::string(state.substr(first_use.size()))};
  }
  if (state.starts_with(last_use)) return {true, true, std::string(state.substr(last_use.size()))};
  return {false, state == renewing, {}};
}

bool is_token(std::string_view text) noexcept {
  return !text.empty() && text.size() <= max_token &&
         std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

follow use_token(http::request request, std::string_view token, const token_use& now) {
  request.headers.push_back({"Authorization", "Bearer " + std::string(token)});
  request.redirect_limit = 0;
  request.cacheable = false;
  std::string state(now.is_renewed ? last_use : first_use);
  return {std::move(request), state.append(token)};
}

std::optional<follow> renew_token(http::request ask, const token_use& now) {
  if (now.is_renewed || now.token.empty()) return std::nullopt;
  ask.refused = now.token;
  return follow{std::move(ask), std::string(renewing)};
}

}  // namespace freshet::sources
