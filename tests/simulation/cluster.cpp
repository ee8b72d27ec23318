// One seed: two to nine servers, each with callers, are disturbed for a while; then all is well
// again, and what is left of the credits is spent. reference.cpp says whether all of it was right.
#include <account/owners.hpp>
#include <filesystem>
#include <future>
#include <simulation/cluster.hpp>
#include <simulation/reference.hpp>

namespace freshet::simulation {
namespace {

using account::accounts;
using account::credits;
using account::principal;

constexpr std::size_t most_servers = 9, callers_of_each = 3, account_count = 2;
/// Of the month before whose end a seed may begin.
constexpr moment month = 30 * 24 * 3600 * second;

struct server {
  machine at = 0;
  std::size_t folder = 0;
  std::unique_ptr<accounts> book;
  std::vector<std::thread> callers;
  bool is_killed = false, is_lost = false, is_ending = false;
  bool is_disturbed = false;  ///< by anything but the clocks of others
};

class cluster {
 public:
  cluster(std::uint64_t seed, flaw planted, const hazards& dangers, std::string folder,
          std::ostream* record)
      : in_((world::begin(seed), *world::current())),
        stored_(planted, record),
        what_(dangers),
        folder_(std::move(folder)) {
    database::use(&stored_);
  }
  ~cluster() {
    database::use(nullptr);
    world::end();
  }

  findings run() {
    set_up();
    const moment until = in_.now() + in_.between(10 * second, 40 * second);
    while (in_.now() < until) {
      in_.sleep(in_.between(100 * millisecond, 4 * second));
      befall();
      tend();
    }
    end_well();
    findings found = found_;
    found.fences = stored_.fences();
    found.taken_back = stored_.taken_back();
    found.turns = in_.turns();
    found.woken_too_soon = in_.woken_too_soon();
    for (const auto& [name, one] : wishes_)
      ++(one.told == wish::outcome::done      ? found.charged
         : one.told == wish::outcome::refused ? found.refused
                                              : found.unknown);
    if (found.fault.empty()) found.fault = stored_.fault();
    if (found.fault.empty())
      found.fault = judge({wishes_, stored_.ledger(), ids_, monthly_, is_spent_});
    return found;
  }

 private:
  void set_up() {
    monthly_ = in_.between(20, 300);
    // Nobody was here before, whichever seed was.
    for (std::size_t i = 0; i < most_servers; ++i)
      std::filesystem::remove(folder_ + "/" + std::to_string(i) + "/node");
    // A third of them see a month end.
    if (in_.chance(3) == 0) base_ = month - in_.between(5 * second, 30 * second);
    const std::size_t count = 2 + in_.chance(most_servers - 1);
    for (std::size_t i = 0; i < count; ++i) {
      start(i);
      if (servers_.size() != i + 1) found_.fault = "a server does not start";
      if (i > 0) continue;
      for (std::size_t which = 0; which < account_count; ++which) {
        const auto made = servers_[0]->book->create_account(
            std::string(1, static_cast<char>('a' + which)) + "@example.org", "free");
        ids_.push_back(made.value().id);
      }
    }
  }

  void start(std::size_t folder) {
    auto made = std::make_unique<server>();
    server& one = *made;
    one.at = ++machines_;
    one.folder = folder;
    in_.set_skew(one.at, base_ + skew_of_.emplace(folder, 0).first->second);
    in_.move_to(one.at);
    account::accounts_options options;
    options.database_path = "postgresql://simulated/book";
    options.folder = folder_ + "/" + std::to_string(folder);
    options.plans["free"].monthly = {monthly_};
    options.lost = [&one](const error&) { one.is_lost = true; };
    if (auto opened = accounts::open(std::move(options))) {
      one.book = std::move(*opened);
      ++found_.servers;
      if (!ids_.empty()) add_callers(one);
      servers_.push_back(std::move(made));
    }
    in_.move_to(0);
  }

  void add_callers(server& one) {
    for (std::size_t i = 0; i < callers_of_each; ++i)
      one.callers.emplace_back([this, &one] { call_on(one); });
  }

  // Callers.

  void call_on(server& of) {
    while (!of.is_ending && !is_over_) {
      std::this_thread::sleep_for(std::chrono::nanoseconds(in_.between(0, 300 * millisecond)));
      if (of.is_ending) return;
      const std::size_t which = in_.chance(account_count);
      const std::string name = "call" + std::to_string(wishes_.size());
      if (in_.chance(20) == 0)
        grant(of, which, name);
      else
        call(of, which, name, in_.between(1, 4));
    }
  }

  /// Nobody hears what is said by one that was killed.
  void tell(const server& caller, wish& one, bool is_done) {
    if (!caller.is_killed) one.told = is_done ? wish::outcome::done : wish::outcome::refused;
  }

  void grant(server& caller, std::size_t which, const std::string& name) {
    wish& one = wishes_[name];
    one = {which, in_.between(1, 30), true};
    tell(caller, one, caller.book->grant(ids_[which], credits{one.credits}, name).has_value());
  }

  /// Whether it was charged.
  result<void> call(server& caller, std::size_t which, const std::string& name,
                    std::int64_t price) {
    wish& one = wishes_[name];
    one = {which, price};
    const auto who = caller.book->principal_of(ids_[which], account::key_mode::live);
    if (!who) return tell(caller, one, false), who.error();
    auto held = caller.book->reserve(*who, credits{price});
    if (!held) return tell(caller, one, false), held.error();
    std::this_thread::sleep_for(std::chrono::nanoseconds(in_.between(0, 100 * millisecond)));
    if (in_.chance(10) == 0) {
      tell(caller, one, false);
      return {};
    }
    account::usage what;
    what.endpoint = "microblog/search";
    what.request_id = name;
    const auto told = std::make_shared<std::promise<result<void>>>();
    auto answer = told->get_future();
    caller.book->settle(std::move(*held), credits{price}, std::move(what),
                        [told](const result<account::balance>& after) {
                          told->set_value(after ? result<void>() : after.error());
                        });
    auto outcome = answer.get();
    tell(caller, one, outcome.has_value());
    return outcome;
  }

  // What befalls them.

  server* any() {
    if (servers_.empty()) return nullptr;
    return servers_[in_.chance(servers_.size())].get();
  }

  void befall() {
    using fault = void (cluster::*)(server&);
    std::vector<fault> all;
    if (what_.kills) all.insert(all.end(), {&cluster::kill, &cluster::restart});
    if (what_.pauses) all.push_back(&cluster::pause);
    if (what_.cuts) all.push_back(&cluster::cut_off);
    if (what_.crashes) all.push_back(&cluster::crash);
    if (what_.hangs) all.push_back(&cluster::hang);
    if (what_.clocks) all.insert(all.end(), 2, &cluster::set_clock);
    server* const one = any();
    if (one != nullptr && !all.empty()) (this->*all[in_.chance(all.size())])(*one);
  }

  void kill(server& one) {
    if (std::exchange(one.is_killed, true)) return;
    ++found_.kills;
    stored_.lose(one.at, in_.chance(2) == 0);
  }

  /// In good order, amid calls: those that run are finished.
  void restart(server& one) {
    if (one.is_killed || one.is_lost || in_.is_paused(one.at)) return;
    ++found_.restarts;
    waiting_.push_back(one.folder);
    end(one);
    std::erase_if(servers_, [&](const auto& each) { return each.get() == &one; });
  }

  void pause(server& one) {
    ++found_.pauses;
    one.is_disturbed = true;
    in_.pause(one.at, until_after(how_long()));
  }

  void cut_off(server& one) {
    ++found_.cuts;
    one.is_disturbed = true;
    stored_.cut_off(one.at, until_after(how_long()));
  }

  void crash(server&) {
    ++found_.crashes;
    for (const auto& each : servers_) each->is_disturbed = true;
    const moment clock = what_.clocks ? in_.between(-60, 60) * second : 0;
    // Who is gone is seen for so much longer.
    last_seen_ = std::max(last_seen_, in_.now() + clock_);
    clock_ = clock;
    calm_at_ = std::max(calm_at_, last_seen_ - clock);
    stored_.crash(until_after(in_.between(100 * millisecond, 5 * second)), clock);
  }

  /// Of the database: no server is lost by it.
  void hang(server&) {
    ++found_.hangs;
    stored_.hang(until_after(how_long()));
  }

  void set_clock(server& one) {
    ++found_.clocks;
    skew_of_[one.folder] = in_.between(-60, 60) * second;
    in_.set_skew(one.at, base_ + skew_of_[one.folder]);
  }

  moment until_after(moment length) {
    const moment when = in_.now() + length;
    calm_at_ = std::max(calm_at_, when);
    return when;
  }

  /// Some of them longer than anybody may be silent.
  moment how_long() {
    return in_.chance(2) == 0 ? in_.between(50 * millisecond, 5 * second)
                              : in_.between(9 * second, 25 * second);
  }

  /// Whoever has ended is started again, as what watches over servers does.
  void tend() {
    for (std::size_t i = 0; i < servers_.size(); ++i) {
      server& one = *servers_[i];
      if (one.is_lost && !one.is_killed && !one.is_disturbed && found_.fault.empty())
        found_.fault = "a server was lost that nobody had disturbed";
      if ((!one.is_lost && !one.is_killed) || in_.is_paused(one.at)) continue;
      const std::size_t folder = one.folder;
      end(one);
      servers_.erase(servers_.begin() + static_cast<std::ptrdiff_t>(i--));
      if (in_.chance(4) != 0) waiting_.push_back(folder);
    }
    for (const std::size_t folder : std::exchange(waiting_, {})) {
      const std::size_t before = servers_.size();
      start(folder);
      if (servers_.size() == before) waiting_.push_back(folder);
    }
  }

  void end(server& one) {
    one.is_ending = true;
    // A process that has ended waits for nothing.
    if (one.is_killed) one.book->inside().books->stop_waiting();
    for (std::thread& caller : one.callers) caller.join();
    in_.move_to(one.at);
    one.book.reset();
    in_.move_to(0);
  }

  /// Nothing is disturbed any more: every credit can be spent.
  void end_well() {
    is_over_ = true;
    in_.sleep(std::max<moment>(calm_at_ - in_.now(), 0) + 12 * second);
    tend();
    for (const auto& one : servers_)
      for (std::thread& caller : one->callers) caller.join();
    for (const auto& one : servers_) one->callers.clear();
    tend();
    while (servers_.empty()) {
      in_.sleep(second);
      start(0);
    }
    in_.sleep(15 * second);
    for (const auto& one : servers_) in_.set_skew(one->at, base_ + 60 * second);
    for (std::size_t which = 0; which < account_count; ++which) spend(which);
    for (const auto& one : servers_) end(*one);
    servers_.clear();
    in_.sleep(second);
  }

  void spend(std::size_t which) {
    constexpr int most_tries = 4'000;
    int refusals = 0;
    for (int tries = 0; tries < most_tries && refusals < 8; ++tries) {
      server& by = *any();
      in_.move_to(by.at);
      const auto told = call(by, which, "rest" + std::to_string(wishes_.size()), 1);
      in_.move_to(0);
      if (told) continue;
      if (told.error().code() == errc::insufficient_credits) ++refusals;
      in_.sleep(second);
    }
    is_spent_.push_back(refusals == 8);
  }

  world& in_;
  database stored_;
  const hazards what_;
  const std::string folder_;
  findings found_;
  std::map<std::string, wish> wishes_;
  std::vector<std::int64_t> ids_;
  std::vector<bool> is_spent_;
  std::int64_t monthly_ = 0;
  moment base_ = 0;
  moment clock_ = 0, last_seen_ = 0;  ///< of the database: how far ahead; of a sign of life
  moment calm_at_ = 0;                ///< when all of it is over
  machine machines_ = 0;
  std::map<std::size_t, moment> skew_of_;
  std::vector<std::unique_ptr<server>> servers_;
  std::vector<std::size_t> waiting_;  ///< folders of those who are to be started
  bool is_over_ = false;
};

}  // namespace

findings simulate(std::uint64_t seed, flaw planted, const hazards& dangers,
                  const std::string& folder, std::ostream* record) {
  return cluster(seed, planted, dangers, folder, record).run();
}

}  // namespace freshet::simulation
