// Plain-text mail over SMTP, with curl. Sending never holds anybody up: messages wait in a bounded
// queue for a few threads, which try a few times; one that has been refused waits its time without
// being in the way of others, and no recipient's domain has more than its share. A message cannot
// bring header fields of its own: what would break a line of the head is refused.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <freshet/result.hpp>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace freshet::mail {

/// Messages that may wait. One more puts out one that has been refused before, of the domain with
/// the most; where there is none, it is not taken itself. What is lost is said in the log.
inline constexpr std::size_t max_waiting_mails = 256;
/// Of them, to one address: nobody needs more links than this at once.
inline constexpr std::size_t max_waiting_for_one = 4;
/// And to one domain, so that there is room for the others.
inline constexpr std::size_t max_waiting_for_domain = 128;
/// Attempts at once, and to one domain.
inline constexpr std::size_t mail_threads = 3;
inline constexpr std::size_t max_attempts_at_domain = 2;

struct mail_message {
  std::string to;       ///< a bare address
  std::string subject;  ///< UTF-8, one line
  std::string text;     ///< UTF-8, lines that end in "\n"
};

/// A message with the name under which it is kept; "" where it is not.
struct kept_message {
  std::string id;
  mail_message what;
};

/// Keeps messages beyond the process until they are sent. Its functions may wait; any thread calls
/// them.
class mail_keeper {
 public:
  virtual ~mail_keeper() = default;
  /// Gives an id.
  [[nodiscard]] virtual result<std::string> keep(const mail_message& what) = 0;
  /// They were sent, or are given up.
  [[nodiscard]] virtual result<void> remove(const std::vector<std::string>& ids) = 0;
  /// At most so many of those that somebody kept who is not there any more: this process is to send
  /// them now.
  [[nodiscard]] virtual result<std::vector<kept_message>> take(std::size_t most) = 0;
};

struct mail_options {
  std::string url;   ///< smtp://host:587 (STARTTLS) or smtps://host:465
  std::string from;  ///< an address, bare or as "Name <address>"
  std::string username, password;
  /// Whether TLS must be there. A server on loopback is asked for it and may do without.
  bool require_tls = true;
  std::chrono::seconds timeout{30};  ///< of one attempt
  /// The pauses between attempts; there is one attempt more.
  std::vector<std::chrono::milliseconds> retries{std::chrono::seconds(5), std::chrono::seconds(30),
                                                 std::chrono::minutes(3)};
  /// A bundle of certificates to trust in place of the system's; "" for those.
  std::string ca_file;
  std::function<void(std::string_view level, std::string_view line)> log;
  std::shared_ptr<mail_keeper> keeper;  ///< null: what waits is lost with the process
  /// How long after it was asked the keeper is asked for what others left.
  std::chrono::milliseconds looks_every = std::chrono::seconds(5);
};

/// Thread-safe. Its destructor ends the attempts under way; what waits is the keeper's, or given up
/// without one.
class mailer {
 public:
  /// Error: invalid_configuration (a URL that is not SMTP's, no sender).
  [[nodiscard]] static result<std::unique_ptr<mailer>> open(mail_options options);
  ~mailer();
  mailer(const mailer&) = delete;
  mailer& operator=(const mailer&) = delete;

  /// Keeps it, unless it is kept already under `id`, and queues it. Where it cannot be kept it is
  /// sent all the same. Error: invalid_request (an address or a subject that no head can hold),
  /// overloaded: it is not kept any more.
  [[nodiscard]] result<void> send(mail_message message, std::string id = {});

 private:
  explicit mailer(mail_options options);
  using time = std::chrono::steady_clock::time_point;
  struct waiting_mail {
    std::string id;  ///< under which it is kept; "" where it is not
    mail_message what;
    std::string recipient;  ///< the address in lower case
    std::string domain;
    time due;
    std::size_t attempts = 0;
    bool under_way = false;
  };
  using queue = std::list<waiting_mail>;

  void start();
  void stop() noexcept;
  void run();
  [[nodiscard]] queue::iterator next(time now);
  [[nodiscard]] bool comes_before(const waiting_mail& one, const waiting_mail& other,
                                  time now) const;
  [[nodiscard]] std::optional<time> soonest(time now) const;
  [[nodiscard]] result<void> queue_up(waiting_mail fresh);
  [[nodiscard]] static waiting_mail waiting(kept_message kept);
  [[nodiscard]] bool make_room(const std::string& domain);
  [[nodiscard]] bool look_is_due(time now) const;
  void look();
  void drop_gone();
  void attempted(queue::iterator one, const std::string& why);
  void remove(queue::iterator one);
  [[nodiscard]] std::string attempt(const mail_message& what) const;

  mail_options options_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  queue waiting_;  ///< those under way, too; in the order in which they came
  std::uint64_t turns_ = 0;
  std::map<std::string, std::uint64_t> last_turn_;  ///< of each domain that has something waiting
  std::vector<std::string> gone_;                   ///< ids of what is not to be kept any more
  time next_look_{};                                ///< at what others left
  bool looking_ = false;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

/// The message as RFC 5322 has it, with CRLF: Date, From, To, Subject, Message-ID, and the text as
/// it is, or in base64 where it is not ASCII. Error: invalid_request.
[[nodiscard]] result<std::string> write_mail(const mail_message& message, std::string_view text,
                                             std::chrono::system_clock::time_point time);

}  // namespace freshet::mail
