// The counts and the choices. What one question costs does not grow with the crowd, but where there
// is no room for one more handshake, or for the bytes of answers that are unsent.
#include <algorithm>
#include <iterator>
#include <new>
#include <server/crowd.hpp>
#include <span>
#include <string>
#include <tuple>
#include <utility>

namespace freshet::server {
namespace {

/// Who has shown no key yet has so much of all places, before accounts with that many of them.
constexpr std::size_t newcomers_share = 8, crowders_share = 64;
/// Beyond them it is waited for whoever holds the mutex.
constexpr std::size_t most_words = 1024;

}  // namespace

crowd::crowd(const crowd_limits& limits, trusted_proxies proxies)
    : limits_(limits), proxies_(std::move(proxies)) {
  words_.reserve(most_words);
  heard_.reserve(most_words);
  // More cannot have so many.
  crowders_.reserve(limits_.of_all / many() + 1);
  sprawling_.reserve(limits_.of_all / (limits_.of_host + 1) +
                     limits_.of_all / (limits_.of_network + 1) + 2);
}

/// So many connections are many for an account.
std::size_t crowd::many() const noexcept {
  return std::max<std::size_t>(limits_.of_all / crowders_share, 2);
}

std::unique_lock<std::mutex> crowd::lock() {
  std::unique_lock held(mutex_);
  hear();
  return held;
}

/// Not held: it is written down.
std::unique_lock<std::mutex> crowd::lock_or_write(const word& said) {
  std::unique_lock held(mutex_, std::try_to_lock);
  if (!held.owns_lock()) {
    const std::lock_guard writing(words_mutex_);
    if (words_.size() < most_words) {
      words_.push_back(said);
      has_words_ = true;
      return held;
    }
  }
  if (!held.owns_lock()) held.lock();
  hear();
  return held;
}

void crowd::hear() {
  if (!has_words_) return;
  {
    const std::lock_guard writing(words_mutex_);
    words_.swap(heard_);
    has_words_ = false;
  }
  for (const word& each : heard_) {
    try {
      hear(each);
    } catch (const std::bad_alloc&) {
      // Bytes that nobody counts are better than words that nobody hears.
    }
  }
  heard_.clear();
}

void crowd::hear(const word& said) {
  const auto found = members_.find(said.of);
  if (found == members_.end()) return;
  member& who = found->second;
  switch (said.what) {
    case word::kind::stands:
      return set_standing(who, said.busy, said.streams);
    case word::kind::holds:
      return set_held(who, said.bytes);
    case word::kind::owes:
      who.began = said.now;
      who.taken = 0;
      return set_unsent(who, said.bytes);
    case word::kind::owes_more:
      return set_unsent(who, who.unsent + said.bytes);
    case word::kind::pays: {
      const std::size_t paid = std::min(said.bytes, who.unsent);
      who.taken += paid;
      return set_unsent(who, who.unsent - paid);
    }
    case word::kind::leaves:
      return remove(who);
  }
}

bool crowd::is_opening(standing of) noexcept {
  return of == standing::opening || of == standing::opening_busy;
}

/// Without memory nothing has changed.
void crowd::join(membership& seat, group& circle, member& who) {
  line one{&who};
  line& to = circle.those(who.standing);
  to.splice(to.end(), one);
  ++circle.size;
  seat = {&circle, std::prev(to.end())};
}

void crowd::join(membership& seat, groups& all, const std::string& name, member& who) {
  if (name.empty()) return;
  const auto [found, is_new] = all.try_emplace(name);
  try {
    join(seat, found->second, who);
  } catch (const std::bad_alloc&) {
    if (is_new) all.erase(found);
    throw;
  }
  found->second.held += who.held;
}

void crowd::part(membership& seat, standing standing) noexcept {
  if (seat.of == nullptr) return;
  seat.of->those(standing).erase(seat.place);
  --seat.of->size;
  seat.of = nullptr;
}

void crowd::part(membership& seat, groups& all, const std::string& name,
                 const member& who) noexcept {
  if (seat.of == nullptr) return;
  seat.of->held -= who.held;
  const bool is_last = seat.of->size == 1;
  part(seat, who.standing);
  if (is_last) all.erase(name);
}

/// Without a key it is counted with its host and its network.
void crowd::join_neighbours(member& who) {
  join(who.of_host, hosts_, who.host, who);
  if (who.of_host.of != nullptr && who.of_host.of->size == limits_.of_host + 1) {
    sprawling_.push_back(who.of_host.of);
  }
  join(who.of_network, networks_, who.network, who);
  if (who.of_network.of != nullptr && who.of_network.of->size == limits_.of_network + 1) {
    sprawling_.push_back(who.of_network.of);
  }
}

void crowd::part_neighbours(member& who) noexcept {
  const group *const of_host = who.of_host.of, *const of_network = who.of_network.of;
  if (of_host != nullptr && of_host->size == limits_.of_host + 1) std::erase(sprawling_, of_host);
  part(who.of_host, hosts_, who.host, who);
  if (of_network != nullptr && of_network->size == limits_.of_network + 1) {
    std::erase(sprawling_, of_network);
  }
  part(who.of_network, networks_, who.network, who);
}

void crowd::place(member& who, standing standing) {
  for (membership* const as : {&who.of_all, &who.of_host, &who.of_network, &who.of_account}) {
    if (as->of == nullptr) continue;
    line& to = as->of->those(standing);
    to.splice(to.end(), as->of->those(who.standing), as->place);
  }
  who.standing = standing;
}

void crowd::remove(member& who) {
  set_unsent(who, 0);
  part_account(who);
  held_ -= who.held;
  part_neighbours(who);
  part(who.of_all, who.standing);
  members_.erase(who.id);
}

void crowd::end(member& who, leavers& gone) {
  gone.push_back({who.lane, who.id});
  remove(who);
  ++ended_;
}

bool crowd::end_longest_of(const group& among, leavers& gone) {
  for (const line& each :
       std::span(among.lines).first(static_cast<std::size_t>(standing::keyed_busy))) {
    if (each.empty()) continue;
    end(*each.front(), gone);
    return true;
  }
  return false;
}

void crowd::join_account(member& who) {
  join(who.of_account, accounts_, who.account, who);
  group* const own = who.of_account.of;
  if (own != nullptr && own->size == many()) crowders_.push_back(own);
}

void crowd::part_account(member& who) noexcept {
  const group* const own = who.of_account.of;
  if (own != nullptr && own->size == many()) std::erase(crowders_, own);
  part(who.of_account, accounts_, who.account, who);
}

/// What has waited for longest of the account with the most: else a few accounts that hold all
/// places and come anew all the time would leave nobody the moment that a key takes to come.
bool crowd::end_crowder(leavers& gone) {
  group* most = nullptr;
  for (group* const each : crowders_) {
    const bool may_go =
        !each->those(standing::keyed).empty() || !each->those(standing::streaming).empty();
    if (may_go && (most == nullptr || each->size > most->size)) most = each;
  }
  return most != nullptr && end_longest_of(*most, gone);
}

bool crowd::end_longest(leavers& gone) {
  const std::size_t newcomers = all_.those(standing::keyless).size() + all_.opening();
  if (newcomers < limits_.of_all / newcomers_share && end_crowder(gone)) return true;
  for (const standing each : {standing::keyless, standing::opening, standing::keyless_busy,
                              standing::keyed, standing::streaming}) {
    if (all_.those(each).empty()) continue;
    end(*all_.those(each).front(), gone);
    return true;
  }
  return false;
}

/// Half of all places are anybody's, for programs have hundreds of connections and tell nobody
/// before. Beyond, who has more than its bound makes room, for its own and for whoever else comes.
bool crowd::room_for(const std::string& host, const std::string& network, leavers& gone) {
  if (members_.size() < limits_.of_all / 2) return true;
  const auto bounded = [](const groups& all, const std::string& name, std::size_t most) {
    const auto found = all.find(name);
    return found != all.end() && found->second.size >= most ? &found->second : nullptr;
  };
  const group* whose = bounded(hosts_, host, limits_.of_host);
  if (whose == nullptr) whose = bounded(networks_, network, limits_.of_network);
  if (whose == nullptr && !sprawling_.empty()) {
    whose = *std::ranges::max_element(sprawling_, {}, &group::size);
  }
  return whose == nullptr || end_longest_of(*whose, gone);
}

/// For one more goes the longest of the host with the most in the network with the most, rather one
/// that waits for its client: who has few of them finishes, however many others begin meanwhile.
/// Where each network has but one, only those go that wait for their clients, and not before there
/// are many: we are behind, and who comes is one of as many more.
void crowd::bound_opening(leavers& gone) {
  const line &waiting = all_.those(standing::opening), &busy = all_.those(standing::opening_busy);
  if (all_.opening() < limits_.opening) return;
  const bool many_wait = waiting.size() >= limits_.opening / 2;
  std::tuple<std::size_t, std::size_t, bool> most(1, 1, !many_wait);
  member* which = nullptr;
  for (const auto* const each : {&waiting, &busy}) {
    for (member* const who : *each) {
      if (who->of_network.of == nullptr) continue;
      const std::size_t of_network = who->of_network.of->opening();
      if (of_network < std::get<0>(most)) continue;
      const std::tuple its(of_network, who->of_host.of->opening(), each == &waiting);
      // The lesser has come earlier: bytes that trickle make nobody younger.
      if (its < most || (its == most && (which == nullptr || who->id > which->id))) continue;
      most = its;
      which = who;
    }
  }
  if (which != nullptr) end(*which, gone);
}

bool crowd::enter(id connection, std::size_t lane, const ip_address& address, leavers& gone,
                  standing beginning) {
  const std::string own_host = host_part(address);
  const bool is_counted = !proxies_.hold(plain_address(address));
  const std::string host = is_counted ? own_host : "";
  const std::string network = is_counted ? network_part(address) : "";
  const auto held = lock();
  const auto is_full = [&] {
    return members_.size() - all_.those(standing::guest).size() >= limits_.of_all;
  };
  if (beginning == standing::opening) bound_opening(gone);
  const bool has_room = room_for(host, network, gone) && (!is_full() || end_longest(gone));
  if (!has_room) make_guest_room(host, gone);
  member& who = members_[connection];
  who.id = connection;
  who.lane = lane;
  who.standing = has_room ? beginning : standing::guest;
  try {
    who.debtor = "host " + own_host;
    join(who.of_all, all_, who);
    who.host = host;
    who.network = network;
    if (has_room) join_neighbours(who);
  } catch (const std::bad_alloc&) {
    remove(who);
    throw;
  }
  return has_room;
}

void crowd::make_guest_room(const std::string& host, leavers& gone) {
  const line& guests = all_.those(standing::guest);
  const auto is_neighbour = [&](const member* one) { return one->host == host; };
  if (static_cast<std::size_t>(std::ranges::count_if(guests, is_neighbour)) >=
      limits_.guests_of_host) {
    end(**std::ranges::find_if(guests, is_neighbour), gone);
  } else if (guests.size() >= limits_.guests) {
    end(*guests.front(), gone);
  }
}

void crowd::leave(id of) {
  const word said{of, word::kind::leaves};
  if (const auto held = lock_or_write(said)) hear(said);
}

bool crowd::change_lane(id connection, std::size_t lane) {
  const auto held = lock();
  const auto found = members_.find(connection);
  if (found == members_.end()) return false;
  found->second.lane = lane;
  return true;
}

void crowd::make_room(leavers& gone) {
  const auto held = lock();
  static_cast<void>(end_longest(gone));
}

bool crowd::rename(id connection, const ip_address& caller, leavers& gone) {
  const std::string host = host_part(caller), network = network_part(caller);
  const auto held = lock();
  const auto found = members_.find(connection);
  if (found == members_.end() || found->second.standing == standing::guest) return true;
  member& who = found->second;
  if (who.host == host) return true;
  part_neighbours(who);
  const bool is_counted = !proxies_.hold(caller);
  who.host = is_counted ? host : "";
  who.network = is_counted ? network : "";
  if (!is_counted || !who.account.empty()) return true;
  if (!room_for(host, network, gone)) return false;
  join_neighbours(who);
  if (who.unsent == 0) who.debtor = "host " + host;
  return true;
}

void crowd::recognise(id connection, const std::string& account, leavers& gone) {
  const auto held = lock();
  const auto found = members_.find(connection);
  if (found == members_.end()) return;
  member& who = found->second;
  if (who.account == account) return;
  set_unsent(who, 0);
  part_account(who);
  who.account = account;
  who.debtor = account.empty() ? "host " + who.host : "account " + account;
  if (who.standing == standing::guest) return;
  part_neighbours(who);
  if (account.empty()) {
    static_cast<void>(room_for(who.host, who.network, gone));
    return join_neighbours(who);
  }
  const auto own = accounts_.find(account);
  if (own != accounts_.end() && own->second.size >= limits_.of_all / 2) {
    static_cast<void>(end_longest_of(own->second, gone));
  }
  join_account(who);
}

void crowd::stand(id connection, bool busy, bool streams) {
  const word said{connection, word::kind::stands, busy, streams};
  if (const auto held = lock_or_write(said)) hear(said);
}

void crowd::set_standing(member& who, bool busy, bool streams) {
  if (who.standing == standing::guest) return;
  if (is_opening(who.standing)) {
    return place(who, busy ? standing::opening_busy : standing::opening);
  }
  const bool keyed = !who.account.empty();
  const standing as = !keyed    ? (busy ? standing::keyless_busy : standing::keyless)
                      : streams ? standing::streaming
                      : busy    ? standing::keyed_busy
                                : standing::keyed;
  place(who, as);
}

void crowd::opened(id connection) {
  const auto held = lock();
  const auto found = members_.find(connection);
  if (found == members_.end() || !is_opening(found->second.standing)) return;
  place(found->second, standing::keyless);
}

bool crowd::may_move(id connection, time now) {
  constexpr std::size_t most_accounts = 1024;
  const auto held = lock();
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

std::size_t crowd::size() {
  const auto held = lock();
  return members_.size();
}

std::size_t crowd::unsent() {
  const auto held = lock();
  return unsent_;
}

std::size_t crowd::held() {
  const auto held = lock();
  return held_;
}

std::uint64_t crowd::ended() {
  const auto held = lock();
  return ended_;
}

}  // namespace freshet::server
