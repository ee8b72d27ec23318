// Who is left alone for a while: a source that has refused is not asked again before the time that
// its kind of refusal wants, and calls are told so at once. It is told of outcomes, and by other
// servers of theirs, and asks nobody. What may come of a query is held against whose it was alone,
// however many accounts see the like: there are queries that a source's firewall answers with a
// block page, and nobody is to switch a source off for everybody by them. Where a second account
// has trouble, too, or one meets a limit, the engine is told to ask something of its own, and that
// holds for all. Where it cannot, two accounts that meet a limit are enough for a short while.
#pragma once

#include <base/fair_queue.hpp>
#include <chrono>
#include <cstdint>
#include <freshet/error.hpp>
#include <functional>
#include <http/message.hpp>
#include <map>
#include <mutex>
#include <optional>
#include <sources/source.hpp>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace freshet::detail {

/// The kinds of refusal that suspend.
enum class refusal_kind : std::uint8_t {
  failing,  ///< no answer, a timeout, a status from 500 on
  denied,   ///< a 403, a login: of a search, not of a thing that only some may see
  limited,  ///< a rate limit or a quota
  slow,     ///< no answer within the time that the source has (pace::answer_time)
  captcha,  ///< a block page or a captcha
};

/// How long each kind suspends, and why that long.
struct suspension_rule {
  refusal_kind kind;
  std::chrono::seconds time;
  std::string_view said;  ///< "a captcha", for the detail of the error
  std::string_view why;
};
[[nodiscard]] std::span<const suspension_rule> suspension_rules() noexcept;

/// What kind of refusal a failure is; null if it says nothing of the source's will: what was asked
/// for is not there, the answer was not readable, or we ourselves did not ask (the pace).
/// `answer` null: there was none.
[[nodiscard]] std::optional<refusal_kind> kind_of_refusal(const error& why,
                                                          const http::response* answer,
                                                          const sources::call& asked);

/// Who saw what a source did, and when; 0: the engine's own, who speaks for everybody.
struct source_witness {
  using time = std::chrono::steady_clock::time_point;
  // Implicitly, for most speak for everybody.
  source_witness(time when, base::owner_id who = 0, bool is_sources = true)
      : at(when), owner(who), is_at_source(is_sources) {}

  time at;
  base::owner_id owner;
  bool is_at_source;  ///< not at a host that the call has led to
};

/// Two accounts have trouble with a source, or one has met a limit, and nobody has had an answer
/// since: what remains to be found out is whether that is the source's, or comes of what they ask.
struct source_doubt {
  const sources::descriptor* source;
  std::optional<catalog::operation> op;  ///< that failed last; null: of no certain one
  std::string place;                     ///< as suspension_place() says
};
/// Where a refusal by an address of a source holds: a host, of feeds an address.
[[nodiscard]] std::string suspension_place(const sources::descriptor& source, std::string_view url);

/// A source that is not asked now.
struct suspension {
  std::string source, host;  ///< of feeds the address, without its secrets
  errc code{};
  std::chrono::seconds left{0};  ///< the longest
  std::size_t accounts = 0;      ///< for which alone that holds; 0: for all
};

/// What servers tell each other of one.
struct suspension_news {
  std::string source, place;  ///< place: the host or address, without what may be a secret
  std::string endpoint;       ///< its path, of a denial; "": all of the source's
  refusal_kind kind{};
  errc code{};
  std::chrono::milliseconds left{0};  ///< zero: it is over
};

/// Thread-safe. Counted by source and by the host that was asked, so that one instance of a
/// federation does not stand for the others, of feeds by their whole address; a denial also by
/// operation.
class suspensions {
 public:
  using time = std::chrono::steady_clock::time_point;
  using teller = std::function<void(const suspension_news&)>;

  /// Told of each that begins or lasts longer, and of each that ends before its time; under a lock:
  /// it must neither wait nor throw. Before anything else is called.
  void on_change(teller told) { told_ = std::move(told); }
  /// Whether there are several accounts; where it says no, one speaks for everybody. On any thread,
  /// and under a lock. Before anything else is called.
  void ask_for_accounts(std::function<bool()> has_several) {
    has_several_accounts_ = std::move(has_several);
  }
  /// Told of each failure that is in doubt; it says whether that is found out, or was lately. Under
  /// a lock: it must neither wait nor throw. Null: nobody is. On any thread.
  void on_doubt(std::function<bool(const source_doubt&)> told);
  /// Another server knows something; nobody is told.
  void hear(const suspension_news& told, time now);

  /// The error with which a request is refused without being sent; null if it may be sent.
  [[nodiscard]] std::optional<error> refusal(const sources::descriptor& source,
                                             catalog::operation op, std::string_view url,
                                             source_witness who) const;
  /// A request has failed. `answer` null: nothing came.
  void failed(const sources::descriptor& source, const sources::call& asked, std::string_view url,
              const error& why, const http::response* answer, source_witness who);
  /// The breaker of the host of a source has opened, for so long.
  void opened(const sources::descriptor& source, std::string_view url,
              std::chrono::milliseconds wait, source_witness who);
  /// Nobody was there: what no query brings about holds for all, whoever has seen it.
  void unreached(const sources::descriptor& source, std::string_view url, time now);
  /// The source has answered as it should: it is asked again like before.
  void succeeded(const sources::descriptor& source, catalog::operation op, std::string_view url,
                 base::owner_id who = 0);

  /// Without those of one account at a host that it has named: it can fill any list.
  [[nodiscard]] std::vector<suspension> list(time now) const;

 private:
  /// The source's name, the host or address, an operation's number or -1, and who is not to ask; 0:
  /// nobody is.
  using key = std::tuple<std::string, std::string, int, base::owner_id>;
  struct entry {
    refusal_kind kind{};
    errc code{};
    time until{};
    bool is_at_source = true;
    bool is_refuted = false;  ///< of one account: the source has answered another since

    /// The source's, not of a host that a call has led to.
    [[nodiscard]] bool is_limit() const noexcept {
      return kind == refusal_kind::limited && is_at_source;
    }
  };

  /// Whether it lasts longer now.
  bool put(const key& name, const entry& one, time now);
  [[nodiscard]] bool make_room(const key& fresh, time now);
  [[nodiscard]] std::optional<entry> find_other(const key& seen, time now) const;
  void suspend(const sources::descriptor& source, std::string_view url, int scope,
               std::optional<catalog::operation> op, entry one, source_witness who);
  void hold_for_all(const key& name, const entry& one, time now);
  void end(const key& name);

  teller told_;
  std::function<bool()> has_several_accounts_;
  mutable std::mutex mutex_;
  std::function<bool(const source_doubt&)> doubted_;
  std::map<key, entry, std::less<>> entries_;
};

}  // namespace freshet::detail
