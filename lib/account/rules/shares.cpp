// Shares as a text of a row: numbers joined by commas.
#include <account/rules/shares.hpp>
#include <algorithm>
#include <base/number.hpp>

namespace freshet::account {

std::string join_shares(const std::vector<int>& shares) {
  std::string joined;
  for (const int share : shares) joined += (joined.empty() ? "" : ",") + std::to_string(share);
  return joined;
}

std::vector<int> split_shares(std::string_view joined) {
  std::vector<int> shares;
  while (!joined.empty()) {
    const auto end = std::min(joined.find(','), joined.size());
    if (const auto share = base::parse_number<int>(joined.substr(0, end), 0, 100))
      shares.push_back(*share);
    joined.remove_prefix(std::min(end + 1, joined.size()));
  }
  return shares;
}

}  // namespace freshet::account
