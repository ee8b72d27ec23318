// The WebSocket that is read, against a server on loopback that does what servers do, and what they
// should not.
#include <http/websocket_stream.hpp>

#include <atomic>
#include <catch2/catch.hpp>
#include <support/certificate.hpp>
#include <support/eventually.hpp>
#include <support/print_result.hpp>
#include <support/websocket_server.hpp>
#include <thread>

using namespace freshet;
using namespace freshet::http;
using test::websocket_server;
using namespace std::chrono_literals;

namespace {

websocket_options options() {
  websocket_options made;
  made.user_agent = "Freshet/test";
  made.guard = *address_guard::make({"127.0.0.0/8"}, false);
  made.open_time = 5s;
  made.idle_time = 10s;
  return made;
}

/// The next message; "error: CODE" if there is none.
std::string next(websocket_stream& from) {
  for (int i = 0; i < 100; ++i) {
    const auto got = from.read(100ms);
    if (!got) return "error: " + std::string(describe(got.error().code()).name);
    if (got->has_value()) return **got;
  }
  return "nothing";
}

}  // namespace

TEST_CASE("messages come whole and in order, in fragments and between pings") {
  std::atomic<int> pongs = 0;
  std::string target;
  std::string agent;
  std::string extra;
  const websocket_server server([&](const auto& asked, websocket_server::stream& to) {
    target = asked.target;
    agent = asked.header("User-Agent");
    extra = asked.header("Authorization");
    to.send("one");
    to.send_part("t", false);
    to.ping("between fragments");
    to.send_part("w", false);
    to.send_part("o", true);
    to.send("");
    to.send(std::string(200'000, 'x'));
    // Byte by byte, as a slow network would.
    for (const char c : std::string("\x81\x04slow")) to.send_raw(std::string(1, c));
    to.send("\xE6\xBD\xAE");
    to.wait_for_end([&] { ++pongs; });
  });
  websocket_stream stream(options());
  REQUIRE(stream.open(server.url("/subscribe?a=1&b=%20"), {{"Authorization", "Bearer t"}}));
  CHECK(next(stream) == "one");
  CHECK(next(stream) == "two");
  CHECK(next(stream).empty());
  CHECK(next(stream).size() == 200'000);
  CHECK(next(stream) == "slow");
  CHECK(next(stream) == "\xE6\xBD\xAE");
  const auto none = stream.read(10ms);
  REQUIRE(none);
  CHECK_FALSE(none->has_value());
  CHECK(target == "/subscribe?a=1&b=%20");
  CHECK(agent == "Freshet/test");
  CHECK(extra == "Bearer t");
  CHECK(test::eventually([&] { return pongs == 1; }));
}

TEST_CASE("what is too long, ill-formed, binary or against the protocol ends the stream") {
  const auto after = [](const std::function<void(websocket_server::stream&)>& act) {
    const websocket_server server([&](const auto&, websocket_server::stream& to) {
      act(to);
      to.wait_for_end();
    });
    auto with = options();
    with.max_message_bytes = 1000;
    websocket_stream stream(with);
    REQUIRE(stream.open(server.url(), {}));
    const auto first = next(stream);
    CHECK(next(stream) == "error: source_unavailable");  // it is closed, and stays so
    return first;
  };
  CHECK(after([](auto& to) { to.send(std::string(1001, 'x')); }) == "error: source_error");
  CHECK(after([](auto& to) {
          for (int i = 0; i < 20; ++i) to.send_part(std::string(100, 'x'), false);
        }) == "error: source_error");
  CHECK(after([](auto& to) { to.send_raw("\x81\x02\xC3\x28"); }) == "error: source_error");
  CHECK(after([](auto& to) { to.send_binary("bytes"); }) == "error: source_error");
  CHECK(after([](auto& to) { to.send_raw("\x83\x01x"); }) == "error: source_error");
  CHECK(after([](auto& to) { to.send_raw("\xF1\x01x"); }) == "error: source_error");
  CHECK(after([](auto& to) { to.close(); }) == "error: source_unavailable");
  CHECK(after([](auto& to) { to.drop(); }) == "error: source_unavailable");
  // 64 bits of length, of which one byte comes.
  CHECK(after([](auto& to) {
          to.send_raw(std::string_view("\x81\x7F\x00\x00\x00\x7F\xFF\xFF\xFF\xFFx", 11));
        }) == "error: source_error");
}

TEST_CASE("a stream that was dropped is opened again") {
  std::atomic<int> times = 0;
  const websocket_server server([&](const auto&, websocket_server::stream& to) {
    to.send("greeting " + std::to_string(++times));
    if (times > 1) to.wait_for_end();
  });
  websocket_stream stream(options());
  REQUIRE(stream.open(server.url(), {}));
  CHECK(next(stream) == "greeting 1");
  CHECK(next(stream) == "error: source_unavailable");
  REQUIRE(stream.open(server.url(), {}));
  CHECK(next(stream) == "greeting 2");
  REQUIRE(stream.open(server.url(), {}));  // while it is open
  CHECK(next(stream) == "greeting 3");
}

TEST_CASE("refusals before the upgrade are told apart") {
  const auto opened = [](int status) {
    const websocket_server server(
        [](const auto&, auto&) {},
        [status](const auto&, websocket_server::wire& to) {
          to.send_raw("HTTP/1.1 " + std::to_string(status) +
                      " X\r\nLocation: ws://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n");
          return true;
        });
    websocket_stream stream(options());
    const auto done = stream.open(server.url(), {});
    REQUIRE_FALSE(done);
    return done.error().code();
  };
  CHECK(opened(401) == errc::source_auth_required);
  CHECK(opened(403) == errc::source_blocked);
  CHECK(opened(429) == errc::source_unavailable);
  CHECK(opened(503) == errc::source_unavailable);
  CHECK(opened(200) == errc::source_error);
  CHECK(opened(302) == errc::target_forbidden);  // by a redirect nobody comes to this machine
  CHECK(opened(404) == errc::source_error);
}

TEST_CASE("a stream that has moved is opened where it is, with a token for whom it is meant") {
  std::string token;
  const websocket_server there([&](const auto& asked, auto& to) {
    token = asked.header("Authorization");
    to.send("here");
    to.wait_for_end();
  });
  int hops = 0;
  const auto moved_to = [&hops](std::string target) {
    return [&hops, target = std::move(target)](const websocket_server::request& asked,
                                               websocket_server::wire& to) {
      if (asked.target == "/new") return false;
      ++hops;
      to.send_raw("HTTP/1.1 301 X\r\nLocation: " + target + "\r\nContent-Length: 0\r\n\r\n");
      return true;
    };
  };
  const headers with{{"Authorization", "Bearer t"}, {"X-Plain", "p"}};
  {
    // Another host gets no token, and is one that a redirect may lead to.
    const websocket_server old([](const auto&, auto&) {}, moved_to(there.url("/x?stream=public")));
    auto lenient = options();
    lenient.guard_elsewhere = lenient.guard;
    websocket_stream stream(lenient);
    REQUIRE(stream.open(old.url("/old"), with));
    CHECK(next(stream) == "here");
    CHECK(token.empty());
    websocket_stream strict(options());
    CHECK(strict.open(old.url("/old"), with).error().code() == errc::target_forbidden);
    // An address that the server has named counts like a redirect.
    const auto before = hops;
    websocket_stream named(lenient);
    REQUIRE(named.open(old.url("/old"), with, there.url("/x?stream=public")));
    CHECK(next(named) == "here");
    CHECK(token.empty());
    CHECK(strict.open(old.url("/old"), with, there.url("/x")).error().code() ==
          errc::target_forbidden);
    CHECK(strict.open(old.url("/old"), with, "ftp://a.example/").error().code() ==
          errc::source_error);
    CHECK(hops == before);
  }
  {
    std::string seen;
    const websocket_server same(
        [&](const auto& asked, auto& to) {
          seen = asked.header("Authorization");
          to.send("moved");
          to.wait_for_end();
        },
        moved_to("/new"));
    websocket_stream stream(options());
    REQUIRE(stream.open(same.url("/old"), with));
    CHECK(next(stream) == "moved");
    CHECK(seen == "Bearer t");
  }
  hops = 0;
  const websocket_server round([](const auto&, auto&) {}, moved_to("/old"));
  websocket_stream stream(options());
  CHECK(stream.open(round.url("/old"), with).error().code() == errc::source_error);
  CHECK(hops == max_redirects + 1);
}

TEST_CASE("an answer that upgrades to something else, or never ends, is refused") {
  const auto opened = [](const std::string& answer) {
    const websocket_server server([](const auto&, auto&) {},
                                  [&](const auto&, websocket_server::wire& to) {
                                    to.send_raw(answer);
                                    return true;
                                  });
    websocket_stream stream(options());
    const auto done = stream.open(server.url(), {});
    return done ? "ok" : std::string(describe(done.error().code()).name);
  };
  const std::string upgrade =
      "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ";
  CHECK(opened(upgrade + "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n") == "source_error");
  CHECK(opened(upgrade + "\r\n\r\n") == "source_error");
  CHECK(opened("nonsense\r\n\r\n") == "source_error");
  CHECK(opened(upgrade + std::string(1u << 20, 'x')) == "source_error");
  CHECK(opened("HTTP/1.1 101 ends here") == "source_error");
  CHECK(opened("") == "source_error");
}

TEST_CASE("the other side is told why the stream ends, in masked frames") {
  std::atomic<int> code = 0;
  const websocket_server server([&](const auto&, websocket_server::stream& to) {
    to.send(std::string(2u << 20, 'x'));
    code = to.wait_for_end();
  });
  websocket_stream stream(options());
  REQUIRE(stream.open(server.url(), {}));
  CHECK(next(stream) == "error: source_error");
  REQUIRE(test::eventually([&] { return code != 0; }));
  CHECK(code == 1009);  // too big
}

TEST_CASE("who pings without end and takes no answer is not read for ever") {
  std::atomic<bool> over = false;
  const websocket_server server([&](const auto&, websocket_server::stream& to) {
    std::string pings;
    for (int i = 0; i < 10'000; ++i) pings += std::string("\x89\x7D") + std::string(125, 'p');
    while (!over) to.send_raw(pings);
  });
  auto with = options();
  with.idle_time = 600ms;
  websocket_stream stream(with);
  REQUIRE(stream.open(server.url(), {}));
  CHECK(next(stream) == "error: source_timeout");
  over = true;
}

TEST_CASE("private addresses are refused after the name is known, and bad ones before") {
  const websocket_server server([](const auto&, auto&) {});
  auto with = options();
  with.guard = {};
  websocket_stream stream(with);
  const auto code_of = [&](const std::string& url) {
    const auto done = stream.open(url, {});
    REQUIRE_FALSE(done);
    return done.error().code();
  };
  CHECK(code_of(server.url()) == errc::target_forbidden);
  CHECK(code_of("ws://localhost:" + std::to_string(server.port()) + "/") == errc::target_forbidden);
  CHECK(code_of("wss://169.254.169.254/") == errc::target_forbidden);
  CHECK(code_of("ws://[::1]/") == errc::target_forbidden);
  CHECK(code_of("ws://2130706433/") == errc::target_forbidden);
  CHECK(code_of("file:///etc/passwd") == errc::invalid_request);
  CHECK(code_of("nonsense") == errc::invalid_request);
  CHECK(code_of("") == errc::invalid_request);
}

TEST_CASE("silence ends the stream: in the upgrade, and after a ping without an answer") {
  const websocket_server mute([](const auto&, auto&) {},
                              [](const auto&, websocket_server::wire& to) {
                                to.wait_for_byte();
                                return true;
                              });
  auto with = options();
  with.open_time = 300ms;
  websocket_stream stream(with);
  const auto done = stream.open(mute.url(), {});
  REQUIRE_FALSE(done);
  CHECK(done.error().code() == errc::source_timeout);

  std::atomic<bool> over = false;
  const websocket_server deaf([&](const auto&, websocket_server::stream&) {
    while (!over) std::this_thread::sleep_for(10ms);
  });
  with.open_time = 5s;
  with.idle_time = 400ms;
  websocket_stream patient(with);
  REQUIRE(patient.open(deaf.url(), {}));
  CHECK(next(patient) == "error: source_timeout");
  over = true;
}

TEST_CASE("stop() ends what waits, from another thread") {
  const websocket_server server(
      [](const auto&, websocket_server::stream& to) { to.wait_for_end(); });
  websocket_stream stream(options());
  REQUIRE(stream.open(server.url(), {}));
  std::thread other([&] {
    std::this_thread::sleep_for(50ms);
    stream.stop();
  });
  const auto got = stream.read(test::patience);
  REQUIRE_FALSE(got);
  CHECK(got.error().code() == errc::cancelled);
  other.join();
  CHECK(stream.open(server.url(), {}).error().code() == errc::cancelled);
}

TEST_CASE("TLS is checked: a certificate that nobody vouches for, or of another name, is refused") {
  const test::certificate own;
  const websocket_server server(
      [](const auto&, websocket_server::stream& to) {
        to.send("secret");
        to.wait_for_end();
      },
      nullptr, &own);
  const auto port = std::to_string(server.port());
  auto with = options();
  websocket_stream strict(with);
  const auto refused = strict.open("wss://127.0.0.1:" + port + "/", {});
  with.ca_file = own.file;
  websocket_stream trusting(with);
  const auto other_name = trusting.open("wss://localhost:" + port + "/", {});
  const auto opened = trusting.open("wss://127.0.0.1:" + port + "/", {});
  const auto got = opened ? next(trusting) : "not opened";
  trusting.close();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::source_error);
  REQUIRE_FALSE(other_name);
  CHECK(other_name.error().code() == errc::source_error);
  CHECK(opened);
  CHECK(got == "secret");
}
