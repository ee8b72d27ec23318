// A redis-server of the tests' own on loopback: it keeps nothing, can be killed, started anew on
// its port and made to stand still, and is ended by its number. Where there is none a case skips.
#pragma once

#include <arpa/inet.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fcntl.h>
#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <support/free_port.hpp>
#include <thread>
#include <vector>

namespace freshet::test {

class redis_server {
 public:
  [[nodiscard]] static bool is_installed() { return ::access(program, X_OK) == 0; }

  /// `settings`: those of its command line, "--requirepass", "x".
  explicit redis_server(std::vector<std::string> settings = {})
      : settings_(std::move(settings)), port_(free_port()) {
    start();
  }
  ~redis_server() { kill(); }
  redis_server(const redis_server&) = delete;
  redis_server& operator=(const redis_server&) = delete;

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] std::string url() const { return "redis://127.0.0.1:" + std::to_string(port_); }

  /// Until it answers.
  void start() {
    process_ = ::fork();
    if (process_ == 0) run();
    while (ask("PING").empty()) {
      if (::waitpid(process_, nullptr, WNOHANG) != 0) throw std::runtime_error("no redis-server");
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = 0;
  }
  /// From here on it answers nothing.
  void stand_still() const {
    ::kill(process_, SIGSTOP);
    ::waitpid(process_, nullptr, WUNTRACED);
  }
  void go_on() const { ::kill(process_, SIGCONT); }

  /// What it answers to a line; "" where it does not.
  [[nodiscard]] std::string ask(const std::string& line) const {
    const int file = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in to = at(port_);
    std::string answer(4096, '\0');
    ssize_t got = 0;
    const std::string sent = line + "\r\n";
    if (::connect(file, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0 &&
        ::send(file, sent.data(), sent.size(), MSG_NOSIGNAL) > 0)
      got = ::recv(file, answer.data(), answer.size(), 0);
    ::close(file);
    answer.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return answer;
  }

 private:
  static constexpr const char* program = "/usr/bin/redis-server";

  [[nodiscard]] static sockaddr_in at(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }
  [[noreturn]] void run() const {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (int file = 0; file < 3; ++file) ::dup2(nowhere, file);
    std::vector<std::string> words{program,  "--port", std::to_string(port_), "--bind", "127.0.0.1",
                                   "--save", "",       "--appendonly",        "no"};
    words.insert(words.end(), settings_.begin(), settings_.end());
    std::vector<char*> pointers;
    for (std::string& one : words) pointers.push_back(one.data());
    pointers.push_back(nullptr);
    ::execv(program, pointers.data());
    ::_exit(127);
  }

  std::vector<std::string> settings_;
  int port_;
  pid_t process_ = 0;
};

}  // namespace freshet::test
