// Hosts that say much under TLS and answer nothing meanwhile: they are let go, whoever else is
// asked.
#include <openssl/ssl.h>
#include <pthread.h>

#include <array>
#include <catch2/catch.hpp>
#include <csignal>
#include <functional>
#include <http/stack.hpp>
#include <http/tls_options.hpp>
#include <support/certificate.hpp>
#include <support/loopback_listener.hpp>
#include <support/loopback_server.hpp>
#include <support/print_result.hpp>

#include "waiting.hpp"

using namespace freshet;
using namespace freshet::http;
using namespace freshet::test;

namespace {

/// A host that reads a request, does something and answers "whole".
class tls_host {
 public:
  using talk = std::function<void(SSL*)>;

  explicit tls_host(int version, const talk& before_answer = {}, int copies = 0)
      : context_(SSL_CTX_new(TLS_server_method())), before_answer_(before_answer) {
    REQUIRE(SSL_CTX_use_certificate_chain_file(context_, own.file.c_str()) == 1);
    REQUIRE(SSL_CTX_use_PrivateKey_file(context_, own.key.c_str(), SSL_FILETYPE_PEM) == 1);
    SSL_CTX_set_max_proto_version(context_, version);
    for (int n = 0; n < copies; ++n) {
      X509* const copy = X509_dup(SSL_CTX_get0_certificate(context_));
      REQUIRE(SSL_CTX_add_extra_chain_cert(context_, copy) == 1);
    }
    // As little as TLS has in a record, so that there are more of them.
    if (copies > 0) SSL_CTX_set_max_send_fragment(context_, 512);
  }
  tls_host(const tls_host&) = delete;
  tls_host& operator=(const tls_host&) = delete;
  ~tls_host() { SSL_CTX_free(context_); }

  /// What becomes of a request to it.
  [[nodiscard]] std::string asked() {
    stack_options options;
    options.allow_private = {"127.0.0.0/8"};
    options.ca_file = own.file;
    const auto stack = make_stack(std::move(options)).value();
    const std::string url = "https://127.0.0.1:" + std::to_string(connections_.port()) + "/";

    const auto got = fetch(*stack, get(url), std::chrono::minutes(1));
    return got ? got->body : code_of(got);
  }

  test::certificate own;

 private:
  void serve(int socket) const {
    sigset_t pipe;  // OpenSSL writes to a socket that is gone, too
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    SSL* const session = SSL_new(context_);
    SSL_set_fd(session, socket);
    std::array<char, 4096> head{};
    if (SSL_accept(session) == 1 && SSL_read(session, head.data(), head.size()) > 0) {
      if (before_answer_) before_answer_(session);
      constexpr std::string_view answer =
          "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nwhole";
      SSL_write(session, answer.data(), static_cast<int>(answer.size()));
      SSL_shutdown(session);
    }
    SSL_free(session);
  }

  SSL_CTX* context_;
  talk before_answer_;
  loopback_listener connections_{[this](int socket) { serve(socket); }};
};

tls_host::talk often(int times, bool (*say)(SSL*)) {
  return [times, say](SSL* to) {
    for (int n = 0; n < times && say(to); ++n) continue;
  };
}
bool new_keys(SSL* to) {
  return SSL_key_update(to, SSL_KEY_UPDATE_NOT_REQUESTED) == 1 && SSL_do_handshake(to) == 1;
}
bool new_ticket(SSL* to) { return SSL_new_session_ticket(to) == 1 && SSL_do_handshake(to) == 1; }
bool new_handshake(SSL* to) {
  return SSL_renegotiate(to) == 1 && SSL_do_handshake(to) == 1 && SSL_do_handshake(to) == 1;
}

constexpr int few = 20, many = 2'000;

}  // namespace

TEST_CASE("who says much under TLS and answers nothing is not listened to") {
  const auto refused = [](const std::string& what) { return what.starts_with("source_"); };
  CHECK(tls_host(TLS1_3_VERSION).asked() == "whole");
  CHECK(tls_host(TLS1_2_VERSION).asked() == "whole");
  CHECK(tls_host(TLS1_3_VERSION, often(few, new_keys)).asked() == "whole");
  CHECK(refused(tls_host(TLS1_3_VERSION, often(many, new_keys)).asked()));
  CHECK(tls_host(TLS1_3_VERSION, often(few, new_ticket)).asked() == "whole");
  CHECK(refused(tls_host(TLS1_3_VERSION, often(many, new_ticket)).asked()));
  CHECK(refused(tls_host(TLS1_2_VERSION, often(many, new_handshake)).asked()));
}

TEST_CASE("a handshake of many records is not read to its end, one of several is") {
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    CHECK(tls_host(version, {}, 20).asked() == "whole");
    CHECK(tls_host(version, {}, 240).asked() == "source_unavailable");
  }
}

TEST_CASE("what is packed small comes whole over TLS too, however often its reading has to wait") {
  std::string large;
  for (int line = 0; line < 10'000; ++line) large += std::to_string(line) + std::string(500, ' ');
  const std::string packed = loopback_server::gzip(large);
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    const auto answer = [&](SSL* to) {
      const std::string all = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " +
                              std::to_string(packed.size()) + "\r\n\r\n" + packed;
      SSL_write(to, all.data(), static_cast<int>(all.size()));
    };
    CHECK((tls_host(version, answer).asked() == large));
  }
}
