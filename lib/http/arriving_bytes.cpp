// Who may have how much of what is left: less for an account, the less that is.
#include <http/arriving_bytes.hpp>

namespace freshet::http {

/// Of an account, where less than half is left: it takes hundreds to leave none to who comes.
std::size_t arriving_bytes::share_of(std::size_t left) noexcept {
  constexpr std::size_t shares[] = {256u << 10, 2u << 20, 16u << 20};
  return shares[left >= most / 4 ? 2 : left >= most / 8 ? 1 : 0];
}

bool arriving_bytes::take(base::owner_id owner, std::size_t size, errc& code) {
  std::size_t& own = of_owner_[owner];
  const std::size_t left = most - all_;
  if (size > left || (owner != 0 && left < most / 2 && own + size > share_of(left))) {
    code = errc::overloaded;
  } else if (owner != 0 && own + size > most_of_owner) {
    code = errc::rate_limited;
  } else {
    own += size;
    all_ += size;
    return true;
  }
  if (own == 0) of_owner_.erase(owner);
  return false;
}

void arriving_bytes::give_back(base::owner_id owner, std::size_t size) noexcept {
  const auto found = of_owner_.find(owner);
  if (found == of_owner_.end()) return;
  all_ -= size;
  found->second -= size;
  if (found->second == 0) of_owner_.erase(found);
}

void arriving_bytes::clear() noexcept {
  of_owner_.clear();
  all_ = 0;
}

}  // namespace freshet::http
