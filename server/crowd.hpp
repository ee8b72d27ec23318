// Everybody who is connected, on whatever thread: how many come from one host and one network, what
// of them waits in memory, unread or unsent, and who goes when there is no room. It has no socket;
// who is to go is told to whoever asked for room.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <list>
#include <mutex>
#include <server/callers.hpp>
#include <string>
#include <unordered_map>
#include <vector>

namespace freshet::server {

struct crowd_limits {
  std::size_t of_all = 4096;
  /// Of those without a key, once half of all places are taken: who has more has it until others
  /// come. With a key they are their account's alone, for many share an address.
  std::size_t of_host = 256;
  std::size_t of_network = 1024;
  /// Beyond of_all: connections that may only ask for the server's health, and those of one host.
  std::size_t guests = 64;
  std::size_t guests_of_host = 8;
  /// Of of_all: those whose handshake is not finished, but from more networks than that.
  std::size_t opening = 512;
  /// Bytes of requests that have not come to their end; `held_of_host`: of an account, too, and of
  /// a network's who show no key. Where half of all is taken each of those has an eighth of it, and
  /// where three quarters are, one request, so that it takes many to shut others out.
  std::size_t held_of_all = 64 * 1024 * 1024;
  std::size_t held_of_host = 8 * 1024 * 1024;
  /// Bytes of answers that no client has taken; `of_key`: of an account's keys together, or of a
  /// host without one.
  std::size_t unsent_of_all = 256 * 1024 * 1024;
  std::size_t unsent_of_key = 32 * 1024 * 1024;
  /// Connections of an account that move among those with a key: so many at once, and one more in
  /// each interval. Programs keep theirs; each move costs whoever lives there already.
  std::size_t moves_at_once = 64;
  std::chrono::milliseconds move_interval{20};
};

/// Thread-safe; never waits for anything but its mutex, which is held for a moment: who holds it
/// may be a thread that yields to whoever waits for it.
class crowd {
 public:
  using time = std::chrono::steady_clock::time_point;
  using id = std::uint64_t;

  /// What a connection is about, in the order in which they go when there is no room; of one
  /// standing the one that has been so for longest goes first.
  enum class standing : std::uint8_t {
    keyless,       ///< nothing of it is judged, or all is said
    opening,       ///< its handshake waits for the client
    keyless_busy,  ///< something is made for it
    opening_busy,  ///< its handshake waits for its turn here
    keyed,         ///< a valid key has come, and nothing is under way
    streaming,     ///< with a key
    keyed_busy,    ///< never goes
    guest,         ///< beyond the room; goes for another guest
  };

  struct leaver {
    std::size_t lane = 0;
    crowd::id id = 0;
  };
  using leavers = std::vector<leaver>;

  crowd(const crowd_limits& limits, trusted_proxies proxies);

  /// A connection has come: it is counted, those who go for it are not any more. False: there is
  /// no room but to ask for the server's health. `beginning`: opening or keyless.
  [[nodiscard]] bool enter(id connection, std::size_t lane, const ip_address& address,
                           leavers& gone, standing beginning = standing::keyless);
  void leave(id of);
  /// It lives on another thread now. False: it had to go meanwhile.
  [[nodiscard]] bool change_lane(id connection, std::size_t lane);
  /// The longest waiting one, where the process has no descriptors left.
  void make_room(leavers& gone);
  /// A proxy of ours has named another caller. False: that one has no room.
  [[nodiscard]] bool rename(id connection, const ip_address& caller, leavers& gone);
  /// A key was judged: whose it is, "" for no valid one. An account has half of all places,
  /// wherever it comes from; for one more it is one of its own that goes.
  void recognise(id connection, const std::string& account, leavers& gone);
  void stand(id connection, bool busy, bool streams = false);
  /// Its handshake is finished.
  void opened(id connection);
  /// Whether it may move among those with a key, which is counted. False: its account's move too
  /// often for now, and it is served where it is.
  [[nodiscard]] bool may_move(id connection, time now);

  /// So many bytes of its requests wait. False: there is no room for them; what is written down
  /// counts for the next.
  [[nodiscard]] bool hold(id connection, std::size_t bytes, leavers& gone);
  /// An answer of so many bytes begins, in place of the one before; those that go are the slowest
  /// readers of whoever has the most, perhaps this one.
  void owe(id connection, std::size_t bytes, time now, leavers& gone);
  /// So much more waits behind it.
  void owe_more(id connection, std::size_t bytes, time now, leavers& gone);
  /// So much of it has been taken.
  void pay(id connection, std::size_t bytes);

  [[nodiscard]] std::size_t size();
  [[nodiscard]] std::size_t unsent();
  [[nodiscard]] std::size_t held();
  /// Those who had to go, since the beginning.
  [[nodiscard]] std::uint64_t ended();

 private:
  friend class crowd_halt;  // of tests

  /// What a connection does, as it is written down.
  struct word {
    enum class kind : std::uint8_t { stands, holds, owes, owes_more, pays, leaves };
    crowd::id of = 0;
    word::kind what = kind::leaves;
    bool busy = false, streams = false;
    std::size_t bytes = 0;
    time now{};
  };
  struct member;
  /// In the order in which they came to stand so.
  using line = std::list<member*>;
  /// Those of one host or network, both without a key, of one account, or all: who goes is at the
  /// front of a line.
  struct group {
    std::array<line, 8> lines;  ///< by standing
    std::size_t size = 0;
    std::size_t held = 0;  ///< bytes; not counted of all

    [[nodiscard]] line& those(standing of) { return lines[static_cast<std::size_t>(of)]; }
    [[nodiscard]] const line& those(standing of) const {
      return lines[static_cast<std::size_t>(of)];
    }
    /// Whose handshake is not finished.
    [[nodiscard]] std::size_t opening() const {
      return those(standing::opening).size() + those(standing::opening_busy).size();
    }
  };
  using groups = std::unordered_map<std::string, group>;
  /// Whose answers wait unsent, and how much of them.
  struct debt {
    line of;
    std::size_t bytes = 0;
  };
  using debts = std::unordered_map<std::string, debt>;
  /// Of an account: how many more may move, and since when that is so.
  struct moves {
    std::size_t left = 0;
    time since;
  };
  struct membership {
    group* of = nullptr;  ///< null: not counted
    line::iterator place;
  };
  struct member {
    crowd::id id = 0;
    membership of_all, of_host, of_network, of_account;
    crowd::standing standing = standing::keyless;
    std::size_t lane = 0;
    std::string host, network, account;  // "": a proxy of ours; without a key
    std::string debtor;
    std::size_t held = 0, unsent = 0, taken = 0;
    debt* owes = nullptr;  // null: nothing unsent
    line::iterator place_in_debt;
    time began;
  };
  using members = std::unordered_map<id, member>;

  [[nodiscard]] std::unique_lock<std::mutex> lock();
  [[nodiscard]] std::unique_lock<std::mutex> lock_or_write(const word& said);
  void hear();
  void hear(const word& said);
  [[nodiscard]] static bool is_opening(standing of) noexcept;
  static void place(member& who, standing standing);
  static void join(membership& seat, group& circle, member& who);
  static void join(membership& seat, groups& all, const std::string& name, member& who);
  static void part(membership& seat, standing standing) noexcept;
  static void part(membership& seat, groups& all, const std::string& name,
                   const member& who) noexcept;
  void join_neighbours(member& who);
  void part_neighbours(member& who) noexcept;
  void set_standing(member& who, bool busy, bool streams);
  [[nodiscard]] static const group* holder(const member& who);
  [[nodiscard]] bool may_hold(const member& who) const;
  [[nodiscard]] bool end_holder(const member& for_whom, leavers& gone);
  void set_held(member& who, std::size_t bytes);
  void remove(member& who);
  void end(member& who, leavers& gone);
  void bound_opening(leavers& gone);
  [[nodiscard]] bool end_longest_of(const group& among, leavers& gone);
  [[nodiscard]] bool end_longest(leavers& gone);
  [[nodiscard]] bool end_crowder(leavers& gone);
  [[nodiscard]] std::size_t many() const noexcept;
  void join_account(member& who);
  void part_account(member& who) noexcept;
  [[nodiscard]] bool room_for(const std::string& host, const std::string& network, leavers& gone);
  void make_guest_room(const std::string& host, leavers& gone);
  void end_slowest(const debt& owed, time now, leavers& gone);
  void set_unsent(member& who, std::size_t bytes);
  void bound_unsent(const word& said, leavers& gone);

  const crowd_limits limits_;
  const trusted_proxies proxies_;
  std::mutex words_mutex_;  // guards what was written down, never for longer than a copy takes
  std::vector<word> words_;
  std::atomic<bool> has_words_ = false;
  std::mutex mutex_;  // guards the rest
  std::vector<word> heard_;
  members members_;
  group all_;
  groups hosts_, networks_, accounts_;
  std::vector<group*> crowders_;   ///< the accounts that have many connections
  std::vector<group*> sprawling_;  ///< the hosts and networks that have more than their bounds
  debts debts_;
  std::unordered_map<std::string, moves> moves_;
  std::size_t held_ = 0, unsent_ = 0;
  std::uint64_t ended_ = 0;
};

}  // namespace freshet::server
