// Messages as text, and their way to a server that a test plays on loopback. A real SMTP sink
// stands in tests/server/test_mail.py.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <condition_variable>
#include <mail/mail.hpp>
#include <map>
#include <mutex>
#include <set>
#include <support/eventually.hpp>
#include <support/failing_curl.hpp>
#include <support/free_port.hpp>
#include <thread>

using namespace freshet;
using namespace freshet::mail;
using namespace std::chrono_literals;

namespace {

const std::chrono::system_clock::time_point noon =
    std::chrono::sys_days{std::chrono::year{2026} / 11 / 21} + 12h;

std::string written(const mail_message& message, std::string_view text = "freshet@example.org") {
  return write_mail(message, text, noon).value();
}

/// Lines of the log, awaited.
struct log_lines {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::string> lines;
  auto sink() {
    return [this](std::string_view level, std::string_view line) {
      const std::lock_guard lock(mutex);
      lines.push_back(std::string(level) + " " + std::string(line));
      changed.notify_all();
    };
  }
  bool wait_for(std::size_t count) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, test::patience, [&] { return lines.size() >= count; });
  }
};

/// A server of SMTP as far as curl asks for it: refuses some recipients for now, and lets some
/// wait.
class smtp_server {
 public:
  /// `refused`: a part of the recipients who are told to come later.
  explicit smtp_server(std::string refused = "@refused.example")
      : refused_(std::move(refused)), listening_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    REQUIRE(::bind(listening_, reinterpret_cast<sockaddr*>(&at), size) == 0);
    REQUIRE(::getsockname(listening_, reinterpret_cast<sockaddr*>(&at), &size) == 0);
    REQUIRE(::listen(listening_, 16) == 0);
    port = ntohs(at.sin_port);
    thread_ = std::thread([this] { run(); });
  }
  ~smtp_server() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
      changed_.notify_all();
    }
    ::shutdown(listening_, SHUT_RDWR);
    thread_.join();
    for (auto& each : talks_) each.join();
    ::close(listening_);
  }
  /// Waits until so many mails to addresses with this in them have been taken.
  bool wait_for(std::string_view part, std::size_t count) { return wait_in(taken_, part, count); }
  /// The same of attempts.
  bool wait_for_attempts(std::string_view part, std::size_t count) {
    return wait_in(asked_, part, count);
  }
  std::size_t most_at_once() {
    const std::lock_guard lock(mutex_);
    return most_held_;
  }

  std::uint16_t port = 0;

 private:
  static std::size_t count_in(const std::vector<std::string>& all, std::string_view part) {
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const auto& each) {
      return each.find(part) != std::string::npos;
    }));
  }
  bool wait_in(const std::vector<std::string>& all, std::string_view part, std::size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, test::patience, [&] { return count_in(all, part) >= count; });
  }
  void run() {
    for (int fd = 0; (fd = ::accept(listening_, nullptr, nullptr)) >= 0;)
      talks_.emplace_back([this, fd] { talk(fd); });
  }
  std::string answer_to(const std::string& line, std::string& recipient) {
    if (line.starts_with("DATA")) return "354 go on\r\n";
    if (line.starts_with("QUIT")) return "221 bye\r\n";
    if (!line.starts_with("RCPT")) return "250 fine\r\n";
    recipient = line;
    std::unique_lock lock(mutex_);
    asked_.push_back(line);
    changed_.notify_all();
    if (line.find("@held.example") != std::string::npos) {
      most_held_ = std::max(most_held_, ++held_now_);
      changed_.wait_for(lock, test::patience, [this] { return closing_; });
      --held_now_;
    }
    return line.find(refused_) == std::string::npos ? "250 fine\r\n" : "451 later\r\n";
  }
  void talk(int fd) {
    const auto send = [fd](std::string_view text) {
      return ::send(fd, text.data(), text.size(), MSG_NOSIGNAL) > 0;
    };
    std::string got;
    std::string recipient;
    bool in_data = false;
    char buffer[4096];
    send("220 here\r\n");
    for (ssize_t size = 0; (size = ::recv(fd, buffer, sizeof buffer, 0)) > 0;) {
      got.append(buffer, static_cast<std::size_t>(size));
      for (std::size_t end = 0; (end = got.find("\r\n")) != std::string::npos;) {
        const std::string line = got.substr(0, end);
        got.erase(0, end + 2);
        if (in_data && line != ".") continue;
        if (in_data) {
          const std::lock_guard lock(mutex_);
          taken_.push_back(recipient);
          changed_.notify_all();
        }
        in_data = !in_data && line == "DATA";
        send(answer_to(line, recipient));
      }
    }
    ::close(fd);
  }

  const std::string refused_;
  int listening_;
  std::thread thread_;
  std::vector<std::thread> talks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> asked_, taken_;
  std::size_t held_now_ = 0, most_held_ = 0;
  bool closing_ = false;
};

/// Keeps messages as a database does, and knows how many were left by somebody else.
class keeper final : public mail_keeper {
 public:
  result<std::string> keep(const mail_message& what) override {
    const std::lock_guard lock(mutex_);
    if (refuses) return error(errc::storage_unavailable, "no book");
    const std::string id = std::to_string(++last_);
    kept_[id] = {what, true};
    return id;
  }
  result<void> remove(const std::vector<std::string>& ids) override {
    const std::lock_guard lock(mutex_);
    if (refuses) return error(errc::storage_unavailable, "no book");
    for (const auto& id : ids) kept_.erase(id);
    changed_.notify_all();
    return {};
  }
  result<std::vector<kept_message>> take(std::size_t most) override {
    const std::lock_guard lock(mutex_);
    if (refuses) return error(errc::storage_unavailable, "no book");
    std::vector<kept_message> taken;
    for (auto& [id, each] : kept_) {
      if (each.is_held || taken.size() == most) continue;
      each.is_held = true;
      taken.push_back({id, each.what});
    }
    return taken;
  }
  /// Somebody else's, who has ended.
  void leave(const mail_message& what) {
    const std::lock_guard lock(mutex_);
    kept_[std::to_string(++last_)] = {what, false};
  }
  bool wait_until_empty() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, test::patience, [this] { return kept_.empty(); });
  }
  std::size_t count() {
    const std::lock_guard lock(mutex_);
    return kept_.size();
  }

  std::atomic<bool> refuses{false};

 private:
  struct one_kept {
    mail_message what;
    bool is_held = false;
  };
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, one_kept> kept_;
  int last_ = 0;
};

std::unique_ptr<mailer> mailer_to(std::uint16_t port,
                                  std::vector<std::chrono::milliseconds> retries,
                                  log_lines* log = nullptr,
                                  std::shared_ptr<mail_keeper> kept_by = nullptr) {
  mail_options options;
  options.url = "smtp://127.0.0.1:" + std::to_string(port);
  options.from = "freshet@example.org";
  options.retries = std::move(retries);
  options.keeper = std::move(kept_by);
  options.looks_every = 5ms;
  if (log != nullptr) options.log = log->sink();
  return mailer::open(std::move(options)).value();
}

bool send_to(mailer& mail, const std::string& address) {
  const auto queued = mail.send({address, "s", "t"});
  if (!queued) CHECK(queued.error().code() == errc::overloaded);
  return queued.has_value();
}

}  // namespace

TEST_CASE("a mail has the head of RFC 5322 and lines that end in CRLF") {
  const auto text = written({"a@example.org", "Confirm", "Open:\n\nhttps://x.example/?token=1\n"});
  CHECK(
      text.starts_with("Date: Sat, 21 Nov 2026 12:00:00 +0000\r\nFrom: freshet@example.org\r\n"
                       "To: a@example.org\r\nSubject: Confirm\r\nMessage-ID: <"));
  CHECK(text.find("@example.org>\r\nMIME-Version: 1.0\r\n") != std::string::npos);
  CHECK(text.ends_with("\r\n\r\nOpen:\r\n\r\nhttps://x.example/?token=1\r\n"));
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
    REQUIRE(text[at - 1] == '\r');
  const auto other = written({"a@example.org", "Confirm", "Open"});
  CHECK(text.substr(text.find("Message-ID"), 45) != other.substr(other.find("Message-ID"), 45));
}

TEST_CASE("what is not ASCII is encoded, in the head and in the text") {
  const auto text =
      written({"a@example.org", "Grüße", "Schöne Grüße\n"}, "Gezeiten ü <f@b.example>");
  CHECK(text.find("Subject: =?UTF-8?B?R3LDvMOfZQ==?=\r\n") != std::string::npos);
  CHECK(text.find("From: =?UTF-8?B?R2V6ZWl0ZW4gw7w=?= <f@b.example>\r\n") != std::string::npos);
  CHECK(text.find("Content-Transfer-Encoding: base64\r\n") != std::string::npos);
  CHECK(text.ends_with("\r\n\r\nU2Now7ZuZSBHcsO8w59lDQo=\r\n"));
}

TEST_CASE("no address and no subject brings a field of its own") {
  const std::string_view good = "freshet@example.org";
  for (const std::string bad : {"", "nobody", "a@b.c\r\nBcc: d@e.f", "a@b.c\nX: y", "a@b.c, d@e.f",
                                "<a@b.c>", "a b@c.d", "a@b.c>\r\nRCPT TO:<d@e.f", "\xc3\xa4@b.c"})
    CHECK_FALSE(write_mail({bad, "s", "t"}, good, noon).has_value());
  for (const std::string bad : {"a\r\nBcc: d@e.f", "a\nb", "a\rb"})
    CHECK_FALSE(write_mail({"a@b.c", bad, "t"}, good, noon).has_value());
  CHECK_FALSE(write_mail({"a@b.c", std::string(300, 'x'), "t"}, good, noon).has_value());
  CHECK_FALSE(write_mail({"a@b.c", "s", "t"}, "x\r\nBcc: a@b.c <a@b.c>", noon).has_value());
  CHECK_FALSE(write_mail({"a@b.c", "s", "\xff"}, good, noon).has_value());
  // A text is a text: whatever it holds stands below the empty line.
  const auto text = written({"a@b.c", "s", "x\r\n\r\nBcc: d@e.f\r\n.\r\nQUIT"});
  CHECK(text.find("Bcc") > text.find("\r\n\r\n"));
}

TEST_CASE("a mailer wants a server of SMTP and a sender") {
  mail_options options;
  options.url = "https://mail.example";
  options.from = "freshet@example.org";
  CHECK(mailer::open(options).error().code() == errc::invalid_configuration);
  options.url = "smtp://mail.example:587";
  options.from = "";
  CHECK(mailer::open(options).error().code() == errc::invalid_configuration);
  options.from = "freshet@example.org";
  CHECK(mailer::open(options).has_value());
}

TEST_CASE("a mail that cannot be sent is tried again, then given up; nobody waits") {
  log_lines log;
  mail_options options;
  options.url = "smtp://127.0.0.1:" + std::to_string(test::free_port());
  options.from = "freshet@example.org";
  options.retries = {1ms, 1ms};
  options.log = log.sink();
  auto opened = mailer::open(options);
  const auto mail = std::move(opened.value());
  CHECK(mail->send({"a@b.c\r\n", "s", "t"}).error().code() == errc::invalid_request);
  REQUIRE(mail->send({"a@example.org", "Confirm", "the secret link"}).has_value());
  REQUIRE(log.wait_for(3));
  const std::lock_guard lock(log.mutex);
  CHECK(log.lines[0].starts_with("warn mail: not sent, will be tried again: "));
  CHECK(log.lines[2].starts_with("error mail: given up: "));
  for (const auto& line : log.lines) CHECK(line.find("secret") == std::string::npos);
}

TEST_CASE("who is refused for now waits alone: all others get their mail, and then it is tried") {
  smtp_server server;
  log_lines log;
  const auto mail = mailer_to(server.port, {1h}, &log);
  for (const char* name : {"a", "b", "c", "d", "e", "f"})
    REQUIRE(send_to(*mail, std::string(name) + "@refused.example"));
  REQUIRE(server.wait_for_attempts("@refused.example", 6));
  for (int i = 0; i < 10; ++i) REQUIRE(send_to(*mail, "n" + std::to_string(i) + "@fine.example"));
  CHECK(server.wait_for("@fine.example", 10));
  CHECK(log.wait_for(6));
}

TEST_CASE("a refused mail is tried again in its time") {
  smtp_server server;
  log_lines log;
  const auto mail = mailer_to(server.port, {5ms, 10ms}, &log);
  REQUIRE(send_to(*mail, "a@refused.example"));
  REQUIRE(log.wait_for(3));
  CHECK(server.wait_for_attempts("@refused.example", 3));
  const std::lock_guard lock(log.mutex);
  CHECK(log.lines[2].starts_with("error mail: given up: "));
}

TEST_CASE("a domain that lets us wait has not all attempts") {
  smtp_server server;
  const auto mail = mailer_to(server.port, {1h});
  for (int i = 0; i < 20; ++i) REQUIRE(send_to(*mail, std::to_string(i) + "@held.example"));
  REQUIRE(server.wait_for_attempts("@held.example", max_attempts_at_domain));
  for (int i = 0; i < 10; ++i) REQUIRE(send_to(*mail, std::to_string(i) + "@fine.example"));
  CHECK(server.wait_for("@fine.example", 10));
  CHECK(server.most_at_once() == max_attempts_at_domain);
}

TEST_CASE("nobody fills the queue for all, and what is lost is said") {
  log_lines log;
  smtp_server server("@");  // everybody
  const auto mail = mailer_to(server.port, {1h}, &log);
  const auto send_many = [&](const std::string& domain, std::size_t count) {
    std::size_t taken = 0;
    for (std::size_t i = 0; i < count; ++i)
      taken += send_to(*mail, "n" + std::to_string(i) + "@" + domain) ? 1 : 0;
    return taken;
  };
  for (std::size_t i = 0; i < max_waiting_for_one; ++i) REQUIRE(send_to(*mail, "One@one.example"));
  CHECK_FALSE(send_to(*mail, "one@one.EXAMPLE"));
  // A domain of which nothing has been tried is full at its share, not at the whole.
  CHECK(send_many("held.example", max_waiting_mails) == max_waiting_for_domain);
  REQUIRE(server.wait_for_attempts("@one.example", max_waiting_for_one));
  REQUIRE(log.wait_for(max_waiting_for_one));
  const std::size_t room = max_waiting_mails - max_waiting_for_domain - max_waiting_for_one;
  CHECK(send_many("b.example", room) == room);
  REQUIRE(log.wait_for(max_waiting_for_one + room));
  // All is full, and a new one comes in for one that was refused, of the domain with the most.
  CHECK(send_to(*mail, "new@c.example"));
  REQUIRE(server.wait_for_attempts("new@c.example", 1));
  const std::lock_guard lock(log.mutex);
  CHECK(std::any_of(log.lines.begin(), log.lines.end(), [](const std::string& line) {
    return line == "error mail: given up for want of room, after 1 attempts";
  }));
}

TEST_CASE("a mailer that goes does not wait for a pause, and says what it leaves") {
  log_lines log;
  auto mail = mailer_to(test::free_port(), {1h}, &log);
  REQUIRE(send_to(*mail, "a@example.org"));
  REQUIRE(log.wait_for(1));
  mail.reset();
  REQUIRE(log.lines.size() == 2);
  CHECK(log.lines[1] == "warn mail: 1 not sent: the server has ended");
}

TEST_CASE("a mail is kept until it is sent, or given up") {
  smtp_server server;
  log_lines log;
  const auto kept = std::make_shared<keeper>();
  const auto mail = mailer_to(server.port, {1ms}, &log, kept);
  REQUIRE(send_to(*mail, "a@fine.example"));
  REQUIRE(server.wait_for("a@fine.example", 1));
  CHECK(kept->wait_until_empty());
  REQUIRE(send_to(*mail, "b@refused.example"));
  REQUIRE(log.wait_for(2));
  CHECK(kept->wait_until_empty());
  CHECK_FALSE(mail->send({"a@b.c\r\n", "s", "t"}).has_value());
  CHECK(kept->count() == 0);
  // What was kept with the link that it tells of is not kept twice, nor where there is no room.
  for (std::size_t i = 0; i < max_waiting_for_one; ++i) {
    const mail_message what{"c@held.example", "s", "t"};
    REQUIRE(mail->send(what, kept->keep(what).value()).has_value());
  }
  CHECK(kept->count() == max_waiting_for_one);
  const mail_message one_more{"c@held.example", "s", "t"};
  CHECK(mail->send(one_more, kept->keep(one_more).value()).error().code() == errc::overloaded);
  CHECK(kept->count() == max_waiting_for_one);
}

TEST_CASE("what a mailer leaves its next one sends") {
  log_lines log;
  const auto kept = std::make_shared<keeper>();
  {
    const auto mail = mailer_to(test::free_port(), {1h}, &log, kept);
    REQUIRE(send_to(*mail, "a@fine.example"));
    REQUIRE(log.wait_for(1));
  }
  CHECK(log.lines.size() == 1);  // nothing is lost
  CHECK(kept->count() == 1);
  smtp_server server;
  const auto next = mailer_to(server.port, {1h}, &log, kept);
  // More than are taken at once, and somebody ends while it runs.
  for (int i = 0; i < 40; ++i) kept->leave({std::to_string(i) + "@left.example", "s", "t"});
  CHECK(server.wait_for("@left.example", 40));
  // What is held by who has ended is the book's to know.
  CHECK(test::eventually([&] { return kept->count() == 1; }));
}

TEST_CASE("without a book mails go out all the same, and are removed once it is back") {
  smtp_server server;
  log_lines log;
  const auto kept = std::make_shared<keeper>();
  const auto mail = mailer_to(server.port, {1h}, &log, kept);
  const auto id = kept->keep({"a@fine.example", "s", "t"}).value();
  kept->refuses = true;
  REQUIRE(mail->send({"a@fine.example", "s", "t"}, id).has_value());
  REQUIRE(send_to(*mail, "b@fine.example"));
  REQUIRE(server.wait_for("@fine.example", 2));
  CHECK(log.lines.size() == 1);
  CHECK(log.lines[0] == "warn mail: not kept, sent from memory: no book");
  kept->refuses = false;
  REQUIRE(send_to(*mail, "c@fine.example"));
  CHECK(kept->wait_until_empty());
}

TEST_CASE("whichever call of curl fails, the mail is sent once, and as it was to be sent") {
  smtp_server server;
  std::set<std::string> failed;
  for (int n = 1;; ++n) {
    REQUIRE(n < 100);
    const auto mail = mailer_to(server.port, {1ms, 1ms});
    const std::string to = "a" + std::to_string(n) + "@taken.example";
    test::fail_curl_call(n);
    REQUIRE(send_to(*mail, to));
    INFO("call " << n);
    REQUIRE(server.wait_for("<" + to, 1));
    const std::string which = test::failed_curl_call();
    if (which.empty()) break;
    failed.insert(which);
  }
  CHECK(failed.size() >= 5);
}
