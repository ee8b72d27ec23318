// The commands on the whole book: backup, restore, ledger verify. They read it themselves, beside
// the server that has it open: what takes minutes holds nobody up, and ends with the command.
#include <unistd.h>
#include <array>
#include <boost/json.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <freshet/book.hpp>
#include <server/commands/administration.hpp>

namespace freshet::server {
namespace {

namespace json = boost::json;
using std::chrono::steady_clock;

/// How often progress is told on a terminal, and otherwise, as lines.
constexpr std::chrono::seconds shown_every{1};
constexpr std::chrono::seconds logged_every{10};

/// Tells on standard error how far it is; a signal ends the work, so that nothing stays behind.
class watching {
 public:
  watching() {
    sigemptyset(&ends_);
    sigaddset(&ends_, SIGINT);
    sigaddset(&ends_, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &ends_, nullptr);
  }
  ~watching() {
    if (is_shown_) std::fputs("\r\033[K", stderr);
  }
  watching(const watching&) = delete;
  watching& operator=(const watching&) = delete;

  bool operator()(std::string_view step, std::int64_t done, std::int64_t all) {
    const auto now = steady_clock::now();
    const bool on_terminal = ::isatty(STDERR_FILENO) != 0;
    if (now - told_ >= (on_terminal ? shown_every : logged_every)) {
      told_ = now;
      std::string line(step);
      if (all > 0) line += " " + std::to_string(100 * done / all) + " %";
      is_shown_ = on_terminal;
      line = on_terminal ? "\r\033[K" + line : "freshet: " + line + "\n";
      std::fputs(line.c_str(), stderr);
      std::fflush(stderr);
    }
    sigset_t waiting;
    sigemptyset(&waiting);
    if (::sigpending(&waiting) != 0) return true;
    return sigismember(&waiting, SIGINT) != 1 && sigismember(&waiting, SIGTERM) != 1;
  }
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(steady_clock::now() - begun_).count();
  }

 private:
  steady_clock::time_point begun_ = steady_clock::now(), told_ = begun_;
  bool is_shown_ = false;
  sigset_t ends_{};
};

std::string row_count(std::int64_t rows) {
  return std::to_string(rows) + (rows == 1 ? " row" : " rows");
}

std::string decimal(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", number);
  return text.data();
}

int tell_made(const invocation& line, std::string_view done, const book_report& made,
              double seconds) {
  if (line.options.has("--json")) {
    const json::object told{{"file", line.options.operands()[0]},
                            {"rows", made.rows},
                            {"head", made.head},
                            {"bytes", made.bytes},
                            {"seconds", seconds}};
    return finish(print(json::serialize(told) + "\n"));
  }
  constexpr double mb = 1e6;
  const std::string text = std::string(done) + " " + line.options.operands()[0] + ": " +
                           row_count(made.rows) + ", " +
                           decimal(static_cast<double>(made.bytes) / mb) + " MB, " +
                           decimal(seconds) + " s\nhead " + made.head + "\n";
  return finish(print(text));
}

int back_up(const invocation& line) {
  const result<config> settings = load_settings(line.options, line.environment);
  if (!settings) return wrong_usage(settings.error().detail());
  watching watch;
  const auto made = back_up_book(*settings, line.options.operands()[0], line.options.has("--force"),
                                 std::ref(watch));
  if (!made) return failed_with(line, made.error());
  return tell_made(line, "backed up to", *made, watch.seconds());
}

int restore(const invocation& line) {
  const result<config> settings = load_settings(line.options, line.environment);
  if (!settings) return wrong_usage(settings.error().detail());
  if (const auto folder = make_data_dir(settings->text("storage.data_dir")); !folder) {
    return failed_with(line, folder.error());
  }
  watching watch;
  const auto made = restore_book(*settings, line.options.operands()[0], std::ref(watch));
  if (!made) return failed_with(line, made.error());
  return tell_made(line, "restored", *made, watch.seconds());
}

/// Where a book comes from unless --from says: what the configuration names.
int move(const invocation& line) {
  result<config> settings = load_settings(line.options, line.environment);
  if (!settings) return wrong_usage(settings.error().detail());
  const std::string to = line.options.text("--to");
  if (to.empty()) return wrong_usage("migrate needs --to URL: the database, postgresql://...");
  std::string from = line.options.text("--from");
  const std::string named = settings->text("storage.database");
  const std::string folder = settings->text("storage.data_dir");
  if (from.empty()) from = named.empty() ? "sqlite:" + folder + "/freshet.db" : named;
  if (const auto set = settings->set("storage.database", to); !set)
    return wrong_usage(set.error().detail());
  if (const auto made = make_data_dir(folder); !made) return failed_with(line, made.error());
  watching watch;
  const auto made = move_book(*settings, from, std::ref(watch));
  if (!made) return failed_with(line, made.error());
  if (line.options.has("--json")) {
    const json::object told{
        {"rows", made->rows}, {"head", made->head}, {"seconds", watch.seconds()}};
    return finish(print(json::serialize(told) + "\n"));
  }
  const std::string text = "moved " + row_count(made->rows) + ", " + decimal(watch.seconds()) +
                           " s\nhead " + made->head + "\n";
  return finish(print(text));
}

/// A report that finds something is printed, too, and is a failure.
int verify_ledger(const invocation& line) {
  const result<config> settings = load_settings(line.options, line.environment);
  if (!settings) return wrong_usage(settings.error().detail());
  watching watch;
  const auto report = verify_book(
      *settings, {line.options.text("--head"), line.options.has("--resume")}, std::ref(watch));
  if (!report) return failed_with(line, report.error());
  std::string text;
  if (line.options.has("--json")) {
    json::array findings(report->findings.begin(), report->findings.end());
    text = json::serialize(json::object{{"ok", report->ok},
                                        {"rows", report->rows},
                                        {"begun_after", report->begun_after},
                                        {"head", report->head},
                                        {"findings", std::move(findings)}}) +
           "\n";
  } else if (report->ok) {
    text = "the ledger is sound: " + row_count(report->rows);
    if (report->begun_after > 0) text += " behind row " + std::to_string(report->begun_after);
    text += "\nhead " + report->head + "\n";
  } else {
    for (const std::string& finding : report->findings) text.append(finding).append("\n");
  }
  const int ended = finish(print(text));
  if (!report->ok) return failed_with(line, error(errc::internal, "the ledger is not sound"));
  return ended;
}

constexpr option_spec backup_options[] = {{"--force", "", "replace the file if it is there"},
                                          json_option,
                                          config_option,
                                          set_option,
                                          data_option};
constexpr option_spec restore_options[] = {json_option, config_option, set_option, data_option};
constexpr option_spec move_options[] = {
    {"--from", "sqlite:PATH", "the book; by default that of the configuration"},
    {"--to", "URL", "the database, postgresql://..., which has no book"},
    json_option,
    config_option,
    set_option,
    data_option};
constexpr option_spec verify_options[] = {
    {"--resume", "", "only the rows behind those that were found sound before"},
    {"--head", "N:HASH", "a head that was printed before: the book must continue it"},
    json_option,
    config_option,
    set_option,
    data_option};

constexpr command book_rows[] = {
    {"backup", "FILE", "Write the whole book and its pepper into one file, and verify it.",
     "freshet backup /var/backups/freshet-2026-11-21.db", back_up, backup_options},
    {"restore", "FILE", "Make the book of a backup in an empty data folder, and verify it.",
     "freshet restore /var/backups/freshet-2026-11-21.db --data ./restored", restore,
     restore_options},
    {"migrate", "", "Move the book of a file into PostgreSQL, row by row as it is, and verify it.",
     "freshet migrate --from sqlite:./freshet.db --to postgresql://freshet@localhost/freshet", move,
     move_options},
    {"ledger verify", "",
     "Replay the ledger: balances, the sum of zero, the hash chain; print its head.",
     "freshet ledger verify --json", verify_ledger, verify_options},
};

}  // namespace

std::span<const command> book_commands() noexcept { return book_rows; }

}  // namespace freshet::server
