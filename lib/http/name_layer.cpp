// is it a name? -> known? -> wait for one's turn -> look it up (elsewhere) -> hand on with what was
// found. Who waits for a name is answered when it is found, when his time is up or when he leaves.
#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <base/host.hpp>
#include <base/url.hpp>
#include <http/name_layer.hpp>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace freshet::http {
namespace {

/// What looking a name up is taken to last until it is known.
constexpr double likely_lookup_s = 0.02;
constexpr std::chrono::milliseconds pause_without_memory{10};
/// Of one name; a connection is tried to one after the other.
constexpr std::size_t most_addresses = 16;

/// The host of an address, if that is a name that somebody has to be asked for.
std::string name_in(const std::string& address) {
  auto url = base::parse_url(address);
  if (!url || !url->is_http() || !is_name(url->host)) return {};
  return std::move(url->host);
}

error not_found(const std::string& name) {
  return error(errc::source_unavailable, "no answer from " + name + ": Couldn't resolve host name");
}

error not_in_time(const std::string& name) {
  return error(errc::source_unavailable, "no connection to " + name + " in time");
}

std::vector<std::string> addresses_of(const addrinfo* list) {
  std::vector<std::string> out;
  for (; list != nullptr && out.size() < most_addresses; list = list->ai_next) {
    std::array<char, NI_MAXHOST> text{};
    if (list->ai_family != AF_INET && list->ai_family != AF_INET6) continue;
    if (getnameinfo(list->ai_addr, list->ai_addrlen, text.data(), text.size(), nullptr, 0,
                    NI_NUMERICHOST) != 0) {
      continue;
    }
    const std::string address(text.data());
    if (std::ranges::find(out, address) == out.end()) out.push_back(address);
  }
  return out;
}

bool try_to_tell(const std::function<void(found_addresses)>& done, const found_addresses& found) {
  try {
    done(found);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

found_addresses ask_system(const std::string& name) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  if (getaddrinfo(name.c_str(), nullptr, &hints, &list) != 0) return not_found(name);
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owned(list, freeaddrinfo);
  auto found = addresses_of(list);
  if (found.empty()) return not_found(name);
  return found;
}

}  // namespace

bool is_name(const std::string& host) {
  in_addr number{};
  const bool is_number = host.starts_with('[') || inet_pton(AF_INET, host.c_str(), &number) == 1;
  return !host.empty() && !is_number && !base::is_of_domain(host, "localhost");
}

name_finder system_names() {
  return [](const std::string& name, const std::function<void(found_addresses)>& done) {
    try {
      std::thread([name, done] {
        found_addresses found = error(errc::overloaded);
        try {
          found = ask_system(name);
        } catch (const std::bad_alloc&) {
          // It was said already.
        }
        while (!try_to_tell(done, found)) std::this_thread::sleep_for(pause_without_memory);
      }).detach();
    } catch (const std::system_error&) {
      done(error(errc::overloaded, "the system has no thread to look a name up with"));
    }
  };
}

/// From the threads that look names up to the layer, as long as that is there.
struct name_layer::way_back {
  std::mutex mutex;
  scheduler* loop = nullptr;  ///< null: the layer has gone

  void post(scheduler::task what) {
    const std::lock_guard lock(mutex);
    if (loop != nullptr) loop->post(std::move(what));
  }
};

name_layer::name_layer(transport& next, scheduler& loop, name_finder find, name_limits limits)
    : next_(next),
      loop_(loop),
      find_(std::move(find)),
      limits_(limits),
      back_(std::make_shared<way_back>()) {
  back_->loop = &loop;
}

name_layer::~name_layer() {
  const std::lock_guard lock(back_->mutex);
  back_->loop = nullptr;
}

std::uint64_t name_layer::submit(request&& request, deadline deadline, handler done) {
  const std::uint64_t ticket = requests_.take_ticket();
  auto name = name_in(request.url);
  const base::owner_id owner = request.owner;
  auto& own =
      requests_.add(ticket, std::move(done), {std::move(request), deadline, owner, {}, 0, 0});
  if (name.empty()) {
    hand_on(ticket, {});
    return ticket;
  }
  const auto now = loop_.now();
  make_room(now);
  own.name = std::move(name);
  known_name& known = names_[own.name];
  if (is_silent(known, now)) {
    error silent = not_in_time(own.name);
    silent.retry_after = limits_.failed;
    refuse(ticket, std::move(silent));
  } else if (known.fresh_until <= now) {
    wait_for(ticket, known);
  } else if (known.failure) {
    refuse(ticket, *known.failure);
  } else {
    hand_on(ticket, known.addresses);
  }
  return ticket;
}

bool name_layer::is_silent(const known_name& known, time now) const noexcept {
  return known.is_sought && known.good_until <= now && now - known.sought_since >= limits_.silence;
}

void name_layer::wait_for(std::uint64_t ticket, known_name& known) {
  auto& own = requests_.at(ticket);
  const auto now = loop_.now();
  const bool is_stale = known.good_until > now;
  const auto longest = is_stale ? limits_.patience_with_stale : limits_.patience;
  own.timer = loop_.at(std::min(own.by, now + longest), [this, ticket] {
    requests_.at(ticket).timer = 0;
    out_of_patience(ticket);
  });
  known.waiting.push_back(ticket);
  if (!known.is_sought) queue_.push(own.owner, ticket);
  pump();
}

void name_layer::pump() {
  if (pumping_) return;  // what was sought was found before seek() returned: the loop below goes on
  pumping_ = true;
  end_places(loop_.now());
  while (placed_ < limits_.at_once && sought_ < limits_.most_threads) {
    const auto next = queue_.pop(likely_lookup_s, limits_.at_once_of_owner);
    if (!next) break;
    const pending_request& own = requests_.at(next->entry);
    if (names_.at(own.name).is_sought) {
      queue_.done(next->owner, -likely_lookup_s);  // for somebody else, too
    } else {
      seek(own.name, next->owner);
    }
  }
  pumping_ = false;
  wait_for_place();
}

/// Takes the places of those who have had them for long enough.
void name_layer::end_places(time now) noexcept {
  while (!places_.empty() && places_.front().first + limits_.place_time <= now) {
    const auto found = names_.find(places_.front().second);
    if (found != names_.end() && found->second.has_place &&
        found->second.sought_since == places_.front().first) {
      found->second.has_place = false;
      --placed_;
    }
    places_.pop_front();
  }
}

/// Goes on when the next place becomes free, where somebody waits for one.
void name_layer::wait_for_place() {
  if (place_timer_ != 0 || places_.empty() || queue_.empty() || placed_ < limits_.at_once) return;
  place_timer_ = loop_.at(places_.front().first + limits_.place_time, [this] {
    place_timer_ = 0;
    pump();
  });
}

void name_layer::seek(const std::string& name, base::owner_id owner) {
  known_name& known = names_.at(name);
  const auto now = loop_.now();
  places_.emplace_back(now, name);
  known.is_sought = known.has_place = true;
  known.sought_since = now;
  ++sought_;
  ++placed_;
  try {
    find_(name, [this, back = back_, name, owner, since = now](const auto& found) {
      back->post([this, name, owner, since, found] { take(name, owner, since, found); });
    });
  } catch (...) {  // no memory: nothing is sought
    leave_place(known);
    throw;
  }
}

void name_layer::leave_place(known_name& known) noexcept {
  --sought_;
  if (known.has_place) --placed_;
  known.is_sought = known.has_place = false;
}

void name_layer::take(const std::string& name, base::owner_id owner, time since,
                      found_addresses found) {
  const auto now = loop_.now();
  const std::chrono::duration<double> took = now - since;
  queue_.done(owner, took.count() - likely_lookup_s);
  known_name& known = names_.at(name);  // no name goes while it is sought
  leave_place(known);
  known.failure.reset();
  if (found) {
    known.addresses = std::move(*found);
    known.fresh_until = now + limits_.fresh;
    known.good_until = now + limits_.stale;
  } else {
    known.failure = found.error();
    known.fresh_until = now + limits_.failed;
  }
  const auto waiting = std::exchange(known.waiting, {});
  const auto addresses = known.addresses;
  const auto failure = known.failure;
  for (const std::uint64_t ticket : waiting) {
    pending_request* const own = requests_.find(ticket);
    if (own == nullptr) continue;  // it left when another was answered
    stop_waiting(ticket, *own);
    failure ? refuse(ticket, *failure) : hand_on(ticket, addresses);
  }
  pump();
}

/// Takes a request off the queue and its timer; off the list of the name, if it is on it.
void name_layer::stop_waiting(std::uint64_t ticket, pending_request& whose) {
  loop_.drop(std::exchange(whose.timer, 0));
  queue_.remove(whose.owner, [ticket](std::uint64_t each) { return each == ticket; });
  const auto found = names_.find(whose.name);
  if (found != names_.end()) std::erase(found->second.waiting, ticket);
}

void name_layer::out_of_patience(std::uint64_t ticket) {
  auto& own = requests_.at(ticket);
  stop_waiting(ticket, own);
  const auto now = loop_.now();
  const known_name& known = names_.at(own.name);
  if (known.good_until > now && own.by > now) return hand_on(ticket, known.addresses);
  error late = own.by <= now ? error(errc::source_timeout, own.name + " did not answer in time")
                             : not_in_time(own.name);
  if (!known.is_sought) late.retry_after = std::chrono::seconds(1);  // nobody has been asked yet
  refuse(ticket, std::move(late));
}

void name_layer::hand_on(std::uint64_t ticket, std::vector<std::string> addresses) {
  auto& own = requests_.at(ticket);
  own.what.addresses = std::move(addresses);
  // Out of the entry, which may have gone before submit returns.
  const auto inner = next_.submit(
      request(std::move(own.what)), own.by,
      [this, ticket](result<response>&& got) { requests_.answer(ticket, std::move(got)); });
  if (pending_request* const found = requests_.find(ticket)) found->inner = inner;
}

void name_layer::refuse(std::uint64_t ticket, error why) {
  requests_.answer(ticket, std::move(why));
}

void name_layer::cancel(std::uint64_t ticket) {
  pending_request* const own = requests_.find(ticket);
  if (own == nullptr) return;
  if (own->inner != 0) return next_.cancel(own->inner);
  stop_waiting(ticket, *own);
  refuse(ticket, error(errc::cancelled, "the request was cancelled"));
}

/// Names that nobody waits for go: first those that were not found or are old, then all.
void name_layer::make_room(time now) {
  if (names_.size() < limits_.names) return;
  for (const bool only_old : {true, false}) {
    std::erase_if(names_, [&](const auto& each) {
      const known_name& one = each.second;
      return !one.is_sought && one.waiting.empty() && (!only_old || one.fresh_until <= now);
    });
    if (names_.size() < limits_.names) return;
  }
}

void name_layer::forget() noexcept {
  requests_.clear();
  queue_.clear();
  for (auto& each : names_) each.second.waiting.clear();
  pumping_ = false;
}

}  // namespace freshet::http
