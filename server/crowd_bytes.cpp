// Bytes of everybody's: of requests that have not come to their end, and of answers that no client
// has taken. Each is counted with its holder's; who has most of them goes first.
#include <algorithm>
#include <iterator>
#include <server/crowd.hpp>
#include <string>
#include <utility>

namespace freshet::server {
namespace {

/// What is left of a holder's share where half of the room is taken.
constexpr std::size_t lesser_share = 8;

}  // namespace

bool crowd::hold(id connection, std::size_t bytes, leavers& gone) {
  const word said{connection, word::kind::holds, false, false, bytes};
  const auto held = lock_or_write(said);
  if (!held) return true;
  const auto found = members_.find(connection);
  if (found == members_.end()) return true;
  member& who = found->second;
  const std::size_t before = who.held;
  set_held(who, bytes);
  if (bytes <= before) return true;
  const group* const own = who.account.empty() ? who.of_host.of : who.of_account.of;
  if (own != nullptr && own->held > limits_.held_of_host) return false;
  if (!may_hold(who)) return false;
  return held_ <= limits_.held_of_all || end_holder(who, gone);
}

/// Whose share of what is held it is: its account's, or without a key its network's.
const crowd::group* crowd::holder(const member& who) {
  return who.account.empty() ? who.of_network.of : who.of_account.of;
}

bool crowd::may_hold(const member& who) const {
  const group* const of = holder(who);
  // One request always passes: its own bound is the reader's.
  if (of == nullptr || of->held == who.held) return true;
  const std::size_t left = limits_.held_of_all - std::min(held_, limits_.held_of_all);
  if (left < limits_.held_of_all / 4) return false;
  const bool is_half_taken = left < limits_.held_of_all / 2;
  return of->held <= limits_.held_of_host / (is_half_taken ? lesser_share : 1);
}

/// For one with a key the keyless one goes that has waited for longest; for one without, of those
/// whose networks hold more than its own.
bool crowd::end_holder(const member& for_whom, leavers& gone) {
  const group* const own = holder(for_whom);
  const auto makes_room = [&](const member* one) {
    if (one->held == 0 || one == &for_whom) return false;
    if (!for_whom.account.empty()) return true;
    const group* const its = holder(*one);
    return its != nullptr && own != nullptr && its->held > own->held;
  };
  const line& waiting = all_.those(standing::keyless);
  const auto oldest = std::ranges::find_if(waiting, makes_room);
  if (oldest == waiting.end()) return false;
  end(**oldest, gone);
  return true;
}

void crowd::set_held(member& who, std::size_t bytes) {
  const std::size_t before = std::exchange(who.held, bytes);
  held_ = held_ - before + bytes;
  for (const membership* const as : {&who.of_host, &who.of_network, &who.of_account}) {
    if (as->of != nullptr) as->of->held = as->of->held - before + bytes;
  }
}

/// Without memory nothing has changed; less never takes any.
void crowd::set_unsent(member& who, std::size_t bytes) {
  if (bytes > 0 && who.owes == nullptr) {
    line one{&who};
    debt& own = debts_[who.debtor];
    own.of.splice(own.of.end(), one);
    who.owes = &own;
    who.place_in_debt = std::prev(own.of.end());
  }
  unsent_ = unsent_ - who.unsent + bytes;
  if (who.owes != nullptr) who.owes->bytes = who.owes->bytes - who.unsent + bytes;
  who.unsent = bytes;
  if (bytes > 0 || who.owes == nullptr) return;
  debt& own = *std::exchange(who.owes, nullptr);
  own.of.erase(who.place_in_debt);
  if (own.of.empty()) debts_.erase(who.debtor);
}

void crowd::end_slowest(const debt& owed, time now, leavers& gone) {
  const auto pace = [&](const member* who) {
    const std::chrono::duration<double> age = now - who->began + std::chrono::seconds(1);
    return std::pair(static_cast<double>(who->taken) / age.count(), who->began);
  };
  end(**std::ranges::min_element(owed.of, {}, pace), gone);
}

void crowd::owe(id connection, std::size_t bytes, time now, leavers& gone) {
  bound_unsent({connection, word::kind::owes, false, false, bytes, now}, gone);
}

void crowd::owe_more(id connection, std::size_t bytes, time now, leavers& gone) {
  bound_unsent({connection, word::kind::owes_more, false, false, bytes, now}, gone);
}

void crowd::bound_unsent(const word& said, leavers& gone) {
  const auto held = lock_or_write(said);
  if (!held) return;
  hear(said);
  const auto found = members_.find(said.of);
  if (found == members_.end()) return;
  const member& who = found->second;
  if (who.owes != nullptr && who.owes->bytes > limits_.unsent_of_key) {
    // It may be among those who go, and the last of them.
    const std::string debtor = who.debtor;
    for (auto its = debts_.find(debtor);
         its != debts_.end() && its->second.bytes > limits_.unsent_of_key;
         its = debts_.find(debtor)) {
      end_slowest(its->second, said.now, gone);
    }
  }
  while (unsent_ > limits_.unsent_of_all) {
    const auto most =
        std::ranges::max_element(debts_, {}, [](const auto& one) { return one.second.bytes; });
    end_slowest(most->second, said.now, gone);
  }
}

void crowd::pay(id connection, std::size_t bytes) {
  const word said{connection, word::kind::pays, false, false, bytes};
  if (const auto held = lock_or_write(said)) hear(said);
}

}  // namespace freshet::server
