// Plain-text mail over SMTP, with curl. Sending never holds anybody up: messages wait in a bounded
// queue for one thread, which tries a few times. A message cannot bring header fields of its own:
// what would break a line of the head is refused.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <freshet/result.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace freshet::mail {

/// Messages that may wait; more are lost, with a line in the log.
inline constexpr std::size_t max_waiting_mails = 256;

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
};

struct mail_message {
  std::string to;       ///< a bare address
  std::string subject;  ///< UTF-8, one line
  std::string text;     ///< UTF-8, lines that end in "\n"
};

/// Thread-safe. Its destructor gives up what waits and ends an attempt under way.
class mailer {
 public:
  /// Error: invalid_configuration (a URL that is not SMTP's, no sender).
  [[nodiscard]] static result<std::unique_ptr<mailer>> open(mail_options options);
  ~mailer();
  mailer(const mailer&) = delete;
  mailer& operator=(const mailer&) = delete;

  /// Queues it. Error: invalid_request (an address or a subject that no head can hold),
  /// overloaded.
  [[nodiscard]] result<void> send(mail_message what);

 private:
  explicit mailer(mail_options options);
  void run();
  void deliver(const mail_message& what);
  [[nodiscard]] std::string attempt(const mail_message& what) const;

  mail_options options_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<mail_message> waiting_;
  bool stopping_ = false;
  std::thread thread_;
};

/// The message as RFC 5322 has it, with CRLF: Date, From, To, Subject, Message-ID, and the text as
/// it is, or in base64 where it is not ASCII. Error: invalid_request.
[[nodiscard]] result<std::string> write_mail(const mail_message& message, std::string_view text,
                                             std::chrono::system_clock::time_point time);

}  // namespace freshet::mail
