// The check of the sources, once a day, for operators who have switched it on: on a thread of its
// own, which yields to everything else and stops at once. What it found last is kept beside the
// book, so that a restart asks nobody.
#pragma once

#include <base/work.hpp>
#include <condition_variable>
#include <engine/checkup/source_check.hpp>
#include <freshet/config.hpp>
#include <freshet/metrics.hpp>
#include <functional>
#include <memory>
#include <model/object_writer.hpp>
#include <mutex>
#include <string>
#include <thread>

namespace freshet::detail {

struct daily_check_options {
  using asking =
      std::function<std::vector<capability_check>(const std::shared_ptr<base::stop_token>&)>;
  asking ask;
  std::string path;  ///< of the last report; "": it is not kept
  const base::clock* clock = &base::system_clock();
  log_function log = [](std::string_view, std::string_view) {};
  std::chrono::milliseconds every = std::chrono::hours{24};
  /// A start waits at least so long, and up to `spread` more by chance: processes that are started
  /// together do not ask together.
  std::chrono::milliseconds after_start = std::chrono::minutes{5}, spread = std::chrono::hours{1};
  std::chrono::milliseconds longest = std::chrono::minutes{30};  ///< of one check
};

/// Thread-safe. Its destructor ends a check that is under way.
class daily_check {
 public:
  /// Throws std::system_error where no thread is to be had.
  explicit daily_check(daily_check_options options);
  ~daily_check();
  daily_check(const daily_check&) = delete;
  daily_check& operator=(const daily_check&) = delete;

  /// What was found last; null: nothing yet.
  [[nodiscard]] std::shared_ptr<const source_checkup> last() const;

 private:
  void run() noexcept;
  [[nodiscard]] std::chrono::milliseconds until_due(std::chrono::milliseconds least) const;
  void check();
  void read_report();

  const daily_check_options options_;
  mutable std::mutex mutex_;  ///< guards the following
  std::condition_variable wake_;
  bool is_stopping_ = false;
  std::shared_ptr<base::stop_token> work_;  ///< of the check under way
  std::shared_ptr<const source_checkup> last_;
  std::thread thread_;
};

/// As doctor.daily says; null where it is off, and for who only reads what others collect. Error:
/// internal (no thread).
[[nodiscard]] result<std::unique_ptr<daily_check>> open_daily_check(const config& config,
                                                                    const environment& live,
                                                                    const environment& recorded,
                                                                    bool collect,
                                                                    const log_function& log);

/// How many endpoints of each source were what; nothing where `check` is null.
void write_checkup(metrics_text& metrics, const daily_check* check);
/// The member `checkup` for operators: null where nobody checks.
void write_checkup(model::object_writer& writer, const daily_check* check);

}  // namespace freshet::detail
