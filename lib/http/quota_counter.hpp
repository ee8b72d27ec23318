// How many requests of a day a source still has, and how many of them an account has had. Counts by
// name (a source and its credential), and keeps the counts in a small file, so that a restart does
// not begin a new day.
#pragma once

#include <base/fair_queue.hpp>
#include <cstdint>
#include <freshet/item.hpp>
#include <functional>
#include <http/quota_file.hpp>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace freshet::http {

/// Where a day begins.
enum class day_start : std::uint8_t {
  utc_midnight,
  pacific_midnight,  ///< of the western United States, with their summer time
};

/// So many requests a day.
struct daily_limit {
  std::string name;           ///< under which it is counted
  std::int64_t requests = 0;  ///< a day
  std::string path;           ///< only of requests whose path ends like this; "" for all
  day_start starts = day_start::utc_midnight;
};

[[nodiscard]] bool falls_under(const daily_limit& limit, std::string_view url);

/// The number of the day that `at` is in, when the next one begins, and when it began itself.
struct day_of_quota {
  std::int64_t number = 0;
  time_point next;
  time_point begin{};
};
[[nodiscard]] day_of_quota day_of(time_point time, day_start starts) noexcept;

/// For one thread.
class quota_counter {
 public:
  using log_function = quota_file::log_function;

  /// `path`: the file; "" to count in memory alone. One that cannot be read is begun anew.
  explicit quota_counter(std::string path, log_function log = {});
  quota_counter(const quota_counter&) = delete;
  quota_counter& operator=(const quota_counter&) = delete;
  /// Writes what was really used.
  ~quota_counter();

  /// One request, and whose it is: 0 for nobody's, who has no share to keep to.
  struct question {
    std::string_view url;
    base::owner_id owner = 0;
  };
  /// Counts a request against every limit that it falls under. Null if it may be sent; else how
  /// long until the day that has room, and nothing is counted. Who has a share may have used as
  /// much as is left for others: however much somebody asks, there is something for who comes next.
  [[nodiscard]] std::optional<std::chrono::milliseconds> take(std::span<const daily_limit> limits,
                                                              question question, time_point now);

  /// What is counted under a name in the day of `now`.
  [[nodiscard]] std::int64_t used(const daily_limit& limit, time_point now) const;

  /// What was counted under a name last, and of that an owner's.
  struct day_count {
    std::int64_t day = -1, used = 0, of_owner = 0;
  };
  [[nodiscard]] day_count counted(const std::string& name, base::owner_id owner) const;
  /// Counts a request in a day, whatever room there is; not in one before that was counted last.
  void count(const daily_limit& limit, base::owner_id owner, std::int64_t day);
  /// Where it counts, among others: random, and as old as the file.
  [[nodiscard]] const std::string& server() const noexcept { return server_; }

 private:
  struct entry {
    std::int64_t day = 0;
    std::int64_t used = 0;
    std::int64_t kept = 0;        ///< what the file will say: at least `used`
    std::int64_t safe = 0;        ///< what it says for certain
    std::uint64_t text_said = 0;  ///< the number of the text that says `kept`; 0: none had to
    /// No more of them than requests that were used.
    std::unordered_map<base::owner_id, std::int64_t> of_owner{};
  };
  /// Whether a request of this owner still has room under a limit.
  [[nodiscard]] bool has_room(const daily_limit& limit, base::owner_id owner, time_point now) const;
  void read();
  void read_line(std::string_view line);
  /// Sees to it that the file says what was used, and somewhat more before that is needed.
  void keep_ahead(entry& one, const daily_limit& limit);
  [[nodiscard]] std::string text() const;

  quota_file file_;
  std::string server_;
  std::map<std::string, entry, std::less<>> counts_;
};

}  // namespace freshet::http
