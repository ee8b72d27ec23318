// The counts and the choices. What one question costs grows with the members of one host, network
// or key at most, but where all the unsent bytes there may be are unsent.
#include <algorithm>
#include <optional>
#include <server/crowd.hpp>
#include <tuple>
#include <utility>

namespace freshet::server {

bool crowd::is_opening(standing of) noexcept {
  return of == standing::opening || of == standing::opening_busy;
}

/// It is counted with its host and its network.
void crowd::settle(id connection, member& who) {
  who.of_host = join(hosts_, who.host, connection, who.held);
  who.of_network = join(networks_, who.network, connection, who.held);
  if (is_opening(who.standing)) count_opening(who, 1);
}

void crowd::unsettle(id connection, member& who) {
  if (is_opening(who.standing)) count_opening(who, -1);
  part(hosts_, who.host, connection, who.held);
  part(networks_, who.network, connection, who.held);
  who.of_host = who.of_network = nullptr;
}

void crowd::count_opening(const member& who, int more) noexcept {
  for (group* const its : {who.of_host, who.of_network}) {
    if (its != nullptr) its->opening += static_cast<std::size_t>(more);
  }
}

void crowd::place(member& who, standing standing) {
  if (is_opening(who.standing) && !is_opening(standing)) count_opening(who, -1);
  std::list<id>& to = those(standing);
  to.splice(to.end(), those(who.standing), who.place);
  who.standing = standing;
  who.since = ++events_;
}

crowd::group* crowd::join(groups& all, const std::string& name, id who, std::size_t bytes) {
  if (name.empty()) return nullptr;
  group& found = all[name];
  found.members.insert(who);
  found.bytes += bytes;
  return &found;
}

void crowd::part(groups& all, const std::string& name, id who, std::size_t bytes) {
  const auto found = all.find(name);
  if (found == all.end()) return;
  found->second.members.erase(who);
  found->second.bytes -= bytes;
  if (found->second.members.empty()) all.erase(found);
}

void crowd::remove(members::iterator who) {
  member& of = who->second;
  set_unsent(who->first, of, 0);
  part(accounts_, of.account, who->first, 0);
  held_ -= of.held;
  if (of.standing != standing::guest) unsettle(who->first, of);
  those(of.standing).erase(of.place);
  members_.erase(who);
}

void crowd::end(id connection, leavers& gone) {
  const auto found = members_.find(connection);
  gone.push_back({found->second.lane, connection});
  remove(found);
  ++ended_;
}

bool crowd::end_longest_of(const group& among, leavers& gone) {
  const member* longest = nullptr;
  id which = 0;
  for (const id one : among.members) {
    const member& who = members_.at(one);
    if (who.standing >= standing::keyed_busy) continue;
    if (longest != nullptr &&
        std::pair(longest->standing, longest->since) <= std::pair(who.standing, who.since)) {
      continue;
    }
    longest = &who;
    which = one;
  }
  if (longest == nullptr) return false;
  end(which, gone);
  return true;
}

bool crowd::end_longest(leavers& gone) {
  for (const standing each : {standing::keyless, standing::opening, standing::keyless_busy,
                              standing::keyed, standing::streaming}) {
    if (those(each).empty()) continue;
    end(those(each).front(), gone);
    return true;
  }
  return false;
}

bool crowd::room_for(const std::string& host, const std::string& network, leavers& gone) {
  const auto fits = [&](const groups& all, const std::string& name, std::size_t most) {
    const auto found = all.find(name);
    if (name.empty() || found == all.end() || found->second.members.size() < most) return true;
    return end_longest_of(found->second, gone);
  };
  return fits(hosts_, host, limits_.of_host) && fits(networks_, network, limits_.of_network);
}

/// For one more goes the longest of the host with the most in the network with the most, rather one
/// that waits for its client: who has few of them finishes, however many others begin meanwhile.
/// Where each network has but one, only those go that wait for their clients, and not before there
/// are many: we are behind, and who comes is one of as many more.
void crowd::bound_opening(leavers& gone) {
  const std::list<id>&waiting = those(standing::opening), &busy = those(standing::opening_busy);
  if (waiting.size() + busy.size() < limits_.opening) return;
  const bool many_wait = waiting.size() >= limits_.opening / 2;
  std::tuple<std::size_t, std::size_t, bool> most(1, 1, !many_wait);
  std::optional<id> which;
  for (const auto* const list : {&waiting, &busy}) {
    for (const id one : *list) {
      const member& who = members_.at(one);
      if (who.of_network == nullptr) continue;
      const std::tuple its(who.of_network->opening, who.of_host->opening, list == &waiting);
      // The lesser has come earlier: bytes that trickle make nobody younger.
      if (its < most || (its == most && (!which || one > *which))) continue;
      most = its;
      which = one;
    }
  }
  if (which) end(*which, gone);
}

bool crowd::enter(id connection, std::size_t lane, const ip_address& address, leavers& gone,
                  standing beginning) {
  const std::lock_guard lock(mutex_);
  member made;
  made.lane = lane;
  made.since = ++events_;
  const std::string host = host_part(address);
  made.debtor = "host " + host;
  if (!proxies_.hold(plain_address(address))) {
    made.host = host;
    made.network = network_part(address);
  }
  const auto is_full = [&] {
    return members_.size() - those(standing::guest).size() >= limits_.of_all;
  };
  if (beginning == standing::opening) bound_opening(gone);
  if (!room_for(made.host, made.network, gone) || (is_full() && !end_longest(gone))) {
    enter_guest(connection, std::move(made), gone);
    return false;
  }
  made.standing = beginning;
  those(beginning).push_back(connection);
  made.place = std::prev(those(beginning).end());
  settle(connection, made);
  members_.emplace(connection, std::move(made));
  return true;
}

void crowd::enter_guest(id connection, member&& who, leavers& gone) {
  std::list<id>& guests = those(standing::guest);
  const auto is_neighbour = [&](id one) { return members_.at(one).host == who.host; };
  const auto neighbours =
      static_cast<std::size_t>(std::count_if(guests.begin(), guests.end(), is_neighbour));
  if (neighbours >= limits_.guests_of_host) {
    end(*std::find_if(guests.begin(), guests.end(), is_neighbour), gone);
  } else if (guests.size() >= limits_.guests) {
    end(guests.front(), gone);
  }
  who.standing = standing::guest;
  guests.push_back(connection);
  who.place = std::prev(guests.end());
  members_.emplace(connection, std::move(who));
}

void crowd::leave(id of) {
  const std::lock_guard lock(mutex_);
  if (const auto found = members_.find(of); found != members_.end()) remove(found);
}

bool crowd::change_lane(id connection, std::size_t lane) {
  const std::lock_guard lock(mutex_);
  const auto found = members_.find(connection);
  if (found == members_.end()) return false;
  found->second.lane = lane;
  return true;
}

void crowd::make_room(leavers& gone) {
  const std::lock_guard lock(mutex_);
  static_cast<void>(end_longest(gone));
}

bool crowd::rename(id connection, const ip_address& caller, leavers& gone) {
  const std::lock_guard lock(mutex_);
  const auto found = members_.find(connection);
  if (found == members_.end() || found->second.standing == standing::guest) return true;
  member& who = found->second;
  const std::string host = host_part(caller);
  if (who.host == host) return true;
  unsettle(connection, who);
  who.host.clear();
  who.network.clear();
  if (proxies_.hold(caller)) return true;
  const std::string network = network_part(caller);
  if (!room_for(host, network, gone)) return false;
  who.host = host;
  who.network = network;
  settle(connection, who);
  if (who.account.empty() && who.unsent == 0) who.debtor = "host " + host;
  return true;
}

void crowd::recognise(id connection, const std::string& account, leavers& gone) {
  const std::lock_guard lock(mutex_);
  const auto found = members_.find(connection);
  if (found == members_.end()) return;
  member& who = found->second;
  if (who.account == account) return;
  set_unsent(connection, who, 0);
  part(accounts_, who.account, connection, 0);
  who.account = account;
  who.debtor = account.empty() ? "host " + who.host : "account " + account;
  if (account.empty() || who.standing == standing::guest) return;
  const auto own = accounts_.find(account);
  if (own != accounts_.end() && own->second.members.size() >= limits_.of_all / 2) {
    static_cast<void>(end_longest_of(own->second, gone));
  }
  join(accounts_, account, connection, 0);
}

void crowd::stand(id connection, bool busy, bool streams) {
  const std::lock_guard lock(mutex_);
  const auto found = members_.find(connection);
  if (found == members_.end() || found->second.standing == standing::guest) return;
  if (is_opening(found->second.standing)) {
    return place(found->second, busy ? standing::opening_busy : standing::opening);
  }
  const bool keyed = !found->second.account.empty();
  const standing as = !keyed    ? (busy ? standing::keyless_busy : standing::keyless)
                      : streams ? standing::streaming
                      : busy    ? standing::keyed_busy
                                : standing::keyed;
  place(found->second, as);
}

void crowd::opened(id connection) {
  const std::lock_guard lock(mutex_);
  const auto found = members_.find(connection);
  if (found == members_.end() || !is_opening(found->second.standing)) return;
  place(found->second, standing::keyless);
}

bool crowd::may_move(id connection, time now) {
  constexpr std::size_t most_accounts = 1024;
  const std::lock_guard lock(mutex_);
  const auto found = members_.find(connection);
  if (found == members_.end() || found->second.account.empty()) return true;
  const std::string& account = found->second.account;
  if (moves_.size() >= most_accounts && !moves_.contains(account)) {
    const auto full_after = limits_.move_interval * limits_.moves_at_once;
    std::erase_if(moves_, [&](const auto& one) { return now - one.second.since >= full_after; });
  }
  moves& own = moves_.try_emplace(account, moves{limits_.moves_at_once, now}).first->second;
  // Not below zero: one that began earlier may be judged later.
  const auto more = std::max<time::rep>((now - own.since) / limits_.move_interval, 0);
  own.left = std::min(own.left + static_cast<std::size_t>(more), limits_.moves_at_once);
  own.since += more * limits_.move_interval;
  if (own.left == 0) return false;
  --own.left;
  return true;
}

bool crowd::hold(id connection, std::size_t bytes, leavers& gone) {
  const std::lock_guard lock(mutex_);
  const auto found = members_.find(connection);
  if (found == members_.end()) return true;
  member& who = found->second;
  const std::size_t before = who.held;
  who.held = bytes;
  held_ = held_ - before + bytes;
  const auto adjust = [&](groups& all, const std::string& name) -> std::size_t {
    const auto its = all.find(name);
    if (name.empty() || its == all.end()) return 0;
    return its->second.bytes = its->second.bytes - before + bytes;
  };
  const bool counted = who.standing != standing::guest;
  if (counted) adjust(networks_, who.network);
  const std::size_t of_host = counted ? adjust(hosts_, who.host) : 0;
  if (bytes <= before) return true;
  if (of_host > limits_.held_of_host) return false;
  if (held_ <= limits_.held_of_all) return true;
  // A keyless one has no claim on another's room; one with a key takes that of the keyless.
  if (who.account.empty()) return false;
  const std::list<id>& waiting = those(standing::keyless);
  const auto oldest = std::find_if(waiting.begin(), waiting.end(),
                                   [&](id one) { return members_.at(one).held > 0; });
  if (oldest == waiting.end()) return false;
  end(*oldest, gone);
  return true;
}

void crowd::set_unsent(id connection, member& who, std::size_t bytes) {
  if (who.unsent > 0) part(debtors_, who.debtor, connection, who.unsent);
  unsent_ = unsent_ - who.unsent + bytes;
  who.unsent = bytes;
  if (bytes > 0) join(debtors_, who.debtor, connection, bytes);
}

void crowd::end_slowest(const std::string& debtor, time now, leavers& gone) {
  const auto rate = [&](const member& who) {
    const std::chrono::duration<double> age = now - who.began + std::chrono::seconds(1);
    return static_cast<double>(who.taken) / age.count();
  };
  const group& among = debtors_.at(debtor);
  id slowest = *among.members.begin();
  for (const id one : among.members) {
    const member& a = members_.at(one);
    const member& b = members_.at(slowest);
    if (std::pair(rate(a), a.began) < std::pair(rate(b), b.began)) slowest = one;
  }
  end(slowest, gone);
}

void crowd::owe(id connection, std::size_t bytes, time now, leavers& gone) {
  const std::lock_guard lock(mutex_);
  const auto found = members_.find(connection);
  if (found == members_.end()) return;
  member& who = found->second;
  const std::string debtor = who.debtor;
  who.began = now;
  who.taken = 0;
  set_unsent(connection, who, bytes);
  bound_unsent(debtor, now, gone);
}

void crowd::owe_more(id connection, std::size_t bytes, time now, leavers& gone) {
  const std::lock_guard lock(mutex_);
  const auto found = members_.find(connection);
  if (found == members_.end()) return;
  const std::string debtor = found->second.debtor;
  set_unsent(connection, found->second, found->second.unsent + bytes);
  bound_unsent(debtor, now, gone);
}

void crowd::bound_unsent(const std::string& debtor, time now, leavers& gone) {
  const auto owes_too_much = [&] {
    const auto its = debtors_.find(debtor);
    return its != debtors_.end() && its->second.bytes > limits_.unsent_of_key;
  };
  while (owes_too_much()) end_slowest(debtor, now, gone);
  while (unsent_ > limits_.unsent_of_all) {
    const auto most = std::max_element(
        debtors_.begin(), debtors_.end(),
        [](const auto& a, const auto& b) { return a.second.bytes < b.second.bytes; });
    end_slowest(std::string(most->first), now, gone);
  }
}

void crowd::pay(id connection, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto found = members_.find(connection);
  if (found == members_.end() || found->second.unsent == 0) return;
  const std::size_t paid = std::min(bytes, found->second.unsent);
  found->second.taken += paid;
  set_unsent(connection, found->second, found->second.unsent - paid);
}

std::size_t crowd::size() const {
  const std::lock_guard lock(mutex_);
  return members_.size();
}

std::size_t crowd::unsent() const {
  const std::lock_guard lock(mutex_);
  return unsent_;
}

std::size_t crowd::held() const {
  const std::lock_guard lock(mutex_);
  return held_;
}

std::uint64_t crowd::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

}  // namespace freshet::server
