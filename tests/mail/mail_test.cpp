// Messages as text, and their way to a server that a test plays on loopback. A real SMTP sink
// stands in tests/server/test_mail.py.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <catch2/catch.hpp>
#include <condition_variable>
#include <mail/mail.hpp>
#include <mutex>

using namespace freshet;
using namespace freshet::mail;
using namespace std::chrono_literals;

namespace {

const std::chrono::system_clock::time_point noon =
    std::chrono::sys_days{std::chrono::year{2026} / 11 / 21} + 12h;

std::string written(const mail_message& what, std::string_view from = "freshet@example.org") {
  return write_mail(what, from, noon).value();
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
    return changed.wait_for(lock, 20s, [&] { return lines.size() >= count; });
  }
};

/// A port at which nobody listens.
std::uint16_t free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  REQUIRE(::bind(fd, reinterpret_cast<sockaddr*>(&at), size) == 0);
  REQUIRE(::getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size) == 0);
  ::close(fd);
  return ntohs(at.sin_port);
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
  options.url = "smtp://127.0.0.1:" + std::to_string(free_port());
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

TEST_CASE("the queue is bounded, and a mailer that goes does not wait for a pause") {
  mail_options options;
  options.url = "smtp://127.0.0.1:" + std::to_string(free_port());
  options.from = "freshet@example.org";
  options.retries = {1h};
  auto opened = mailer::open(options);
  const auto mail = std::move(opened.value());
  std::size_t taken = 0;
  errc refused{};
  for (std::size_t i = 0; i < max_waiting_mails + 2; ++i) {
    const auto queued = mail->send({"a@example.org", "s", "t"});
    taken += queued ? 1 : 0;
    if (!queued) refused = queued.error().code();
  }
  CHECK(taken >= max_waiting_mails);
  CHECK(taken <= max_waiting_mails + 1);
  CHECK(refused == errc::overloaded);
}
