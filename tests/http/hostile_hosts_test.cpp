// Hosts that answer without an end, with bombs, slowly or not at all: what is read of them has
// limits.
#include <catch2/catch.hpp>
#include <http/transfer.hpp>
#include <support/loopback_server.hpp>
#include <support/print_result.hpp>
#include <thread>

#include "loopback_stack.hpp"
#include "waiting.hpp"

using namespace freshet;
using namespace freshet::http;
using namespace freshet::test;
using namespace std::chrono_literals;

TEST_CASE("bombs and floods stop at their limits") {
  loopback_server server;
  const std::string bomb = loopback_server::gzip(std::string(64u << 20, '\0'));
  server.reply("/bomb", 200, bomb, {{"Content-Encoding", "gzip"}});
  server.reply("/bomb2", 200, loopback_server::gzip(bomb), {{"Content-Encoding", "gzip, gzip"}});
  server.reply("/small", 200, loopback_server::gzip("hello"), {{"Content-Encoding", "gzip"}});
  const auto flood = [&](const char* path, const std::string& first, const std::string& piece) {
    server.on(path, [&server, first, piece](const auto&, loopback_server::connection& to) {
      to.send(first);
      while (!server.stopping() && to.send(piece)) {
      }
    });
  };
  const std::string ok = "HTTP/1.1 200 OK\r\n", field = "X-Flood: " + std::string(500, 'x');
  flood("/endless", ok + "\r\n", std::string(1 << 16, 'x'));
  flood("/headers", ok, field + "\r\n");
  flood("/header", ok + "X-Flood: ", std::string(4096, 'x'));
  flood("/interim", "", "HTTP/1.1 100 Continue\r\n\r\n");
  flood("/hints", "", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
  flood("/trailers", ok + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n", field + "\r\n");
  const auto stack = stack_over_loopback();
  for (const char* path :
       {"/bomb", "/bomb2", "/endless", "/headers", "/interim", "/hints", "/trailers"}) {
    INFO(path);
    // Long before the deadline: else it were source_timeout.
    CHECK(code_of(fetch(*stack, get(server.url(path)), 60s)) == "source_error");
  }
  const auto one_field = fetch(*stack, get(server.url("/header")));
  REQUIRE_FALSE(one_field);
  CHECK(one_field.error().detail() == "127.0.0.1 answered with a header field that is too long");
  server.reply("/unpacked", 200, "hello", {{"Content-Encoding", "gzip"}});
  server.reply("/twice", 200, loopback_server::gzip("hello") + loopback_server::gzip("hello"),
               {{"Content-Encoding", "gzip"}});
  for (const char* path : {"/unpacked", "/twice"}) {
    const auto got = fetch(*stack, get(server.url(path)));
    REQUIRE_FALSE(got);
    CHECK(got.error().detail() ==
          "the answer of 127.0.0.1 is not packed as its Content-Encoding says");
  }
  request capped = get(server.url("/bomb"));
  capped.body_limit = 1000;
  CHECK(code_of(fetch(*stack, capped)) == "source_error");
  capped.truncate_body = true;
  CHECK(fetch(*stack, capped)->body == std::string(1000, '\0'));
  CHECK(fetch(*stack, get(server.url("/small")))->body == "hello");
}

TEST_CASE("who packs nothing into much is not read to the deadline") {
  loopback_server server;
  const auto flood = [&](const char* path, const std::string& first, const std::string& piece) {
    server.on(path, [&server, first, piece](const auto&, loopback_server::connection& to) {
      to.send("HTTP/1.1 200 OK\r\n" + first);
      while (!server.stopping() && to.send(piece)) {
      }
    });
  };
  const auto again = [](std::string_view what) {
    std::string out;
    for (int n = 0; n < 10'000; ++n) out += what;
    return out;
  };
  // Blocks of nothing, coded once: an answer never says anything.
  const std::string empty_block("\0\0\0\xff\xff", 5);
  flood("/blocks", "Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08" + std::string(6, '\0') + "\xff",
        again(empty_block));
  flood("/extension", "Transfer-Encoding: chunked\r\n\r\n1;", again("x"));
  flood("/chunks", "Transfer-Encoding: chunked\r\n\r\n", again("1\r\nx\r\n"));
  // Coded more than once, it is not even begun: what comes after the first is not counted by
  // anybody.
  const std::string packed = loopback_server::gzip(loopback_server::gzip("hello"));
  server.reply("/twice", 200, packed, {{"Content-Encoding", "gzip, GZIP"}});
  server.reply("/fields", 200, packed,
               {{"Content-Encoding", "gzip"}, {"content-encoding", "x-gzip"}});
  server.on("/transfer", [&](const auto&, loopback_server::connection& to) {
    to.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nContent-Encoding: gzip\r\n\r\n" +
            packed);
    to.close();
  });
  server.reply("/once", 200, loopback_server::gzip("hello"),
               {{"Content-Encoding", "identity, gzip"}});
  const auto stack = stack_over_loopback();
  for (const char* path : {"/blocks", "/extension", "/chunks", "/twice", "/fields", "/transfer"}) {
    INFO(path);
    // Long before the deadline: else it were source_timeout.
    CHECK(code_of(fetch(*stack, get(server.url(path)), 60s)) == "source_error");
  }
  CHECK(fetch(*stack, get(server.url("/once")))->body == "hello");
  std::string lines;  // as small as chunks of honest servers are
  for (int n = 0; n < 50'000; ++n) lines += "6\r\nhello \r\n";
  server.on("/lines", [&](const auto&, loopback_server::connection& to) {
    to.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + lines + "0\r\n\r\n");
  });
  CHECK(fetch(*stack, get(server.url("/lines")))->body.size() == 300'000);
}

TEST_CASE("slow, silent, broken and absent hosts") {
  loopback_server server;
  server.on("/slow", [&](const auto&, loopback_server::connection& to) {
    to.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
    while (!server.stopping() && to.send("x")) std::this_thread::sleep_for(50ms);
  });
  server.on("/trickle", [&](const auto&, loopback_server::connection& to) {
    to.send("HTTP/1.1 200 OK\r\nX-Field: ");
    while (!server.stopping() && to.send("x")) std::this_thread::sleep_for(50ms);
  });
  server.on("/reset", [](const auto&, loopback_server::connection& to) { to.reset(); });
  server.on("/short", [](const auto&, loopback_server::connection& to) {
    to.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc");
    to.close();
  });
  const auto stack = stack_over_loopback();
  CHECK(code_of(fetch(*stack, get(server.url("/slow")), 300ms)) == "source_timeout");
  CHECK(code_of(fetch(*stack, get(server.url("/trickle")), 300ms)) == "source_timeout");
  CHECK(code_of(fetch(*stack, get(server.url("/reset")))) == "source_unavailable");
  CHECK(server.count("/reset") == 3);  // it was tried again
  CHECK(code_of(fetch(*stack, get(server.url("/short")))) == "source_unavailable");
  CHECK(code_of(fetch(*stack, get(server.url("/")), 0ms)) != "ok");
  CHECK(code_of(fetch(*stack, get("http://127.0.0.1:1/"))) == "source_unavailable");
}

TEST_CASE("a host that does not speak HTTP is told of as such") {
  loopback_server server;
  const auto say = [&](const char* path, const std::string& said) {
    server.on(path, [said](const auto&, loopback_server::connection& to) {
      to.send(said);
      to.close();
    });
  };
  say("/json", "[]");
  say("/mail", "220 mail.example ESMTP\r\n");
  say("/status", "HTTP/1.1 000 X\r\n\r\n");
  const auto stack = stack_over_loopback();
  for (const char* path : {"/json", "/mail", "/status"}) {
    INFO(path);
    const auto answer = fetch(*stack, get(server.url(path)));
    REQUIRE_FALSE(answer);
    CHECK(answer.error().code() == errc::source_error);
    CHECK(answer.error().detail() == "127.0.0.1 answered with something that is not HTTP");
  }
}

TEST_CASE("no framing has half an answer taken for the whole") {
  loopback_server server;
  const std::string packed = loopback_server::gzip("hello, and the rest of it");
  const auto say = [&](const char* path, const std::string& fields, const std::string& body) {
    server.on(path, [said = "HTTP/1.1 200 OK\r\n" + fields + "\r\n" + body](
                        const auto&, loopback_server::connection& to) {
      to.send(said);
      to.close();
    });
  };
  const std::string half = packed.substr(0, packed.size() / 2);
  say("/transfer", "Transfer-Encoding: gzip\r\n", half);
  say("/deflate", "Transfer-Encoding: chunked, Deflate\r\n", half);
  say("/lengths", "Content-Length: 10\r\nContent-Length: 5\r\n", "helloworld");
  say("/list", "Content-Length: 5, 10\r\n", "helloworld");
  say("/later", "Content-Length: 10\r\ncontent-length: 10,5\r\n", "helloworld");
  say("/same", "Content-Length: 5, 5\r\nContent-Length: 5\r\n", "hello");
  server.on("/chunks", [](const auto&, loopback_server::connection& to) {
    to.send(
        "HTTP/1.1 103 Early\r\nContent-Length: 7\r\n\r\n"
        "HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n"
        "5\r\nhello\r\n0\r\n\r\n");
  });
  const auto stack = stack_over_loopback();
  for (const char* path : {"/transfer", "/deflate", "/lengths", "/list", "/later"}) {
    INFO(path);
    CHECK(code_of(fetch(*stack, get(server.url(path)))) == "source_error");
  }
  CHECK(fetch(*stack, get(server.url("/same")))->body == "hello");
  CHECK(fetch(*stack, get(server.url("/chunks")))->body == "hello");
}

TEST_CASE("a part of an answer is taken for the whole by nobody who asked for all of it") {
  loopback_server server;
  server.reply("/part", 206, "the fir", {{"Content-Range", "bytes 0-6/1000"}});
  const auto stack = stack_over_loopback();
  request asked = get(server.url("/part"));
  const auto part = fetch(*stack, asked);
  REQUIRE_FALSE(part);
  CHECK(part.error().code() == errc::source_error);
  CHECK(part.error().detail() == "127.0.0.1 answered with a part, of which nobody had asked");
  asked.headers.push_back({"Range", "bytes=0-6"});
  CHECK(fetch(*stack, asked)->body == "the fir");
}

TEST_CASE("accounts whose answers arrive without an end leave room for who comes") {
  arriving_bytes arriving;
  constexpr std::size_t piece = 64u << 10;
  errc code{};
  const auto take_all = [&](base::owner_id owner) {
    std::size_t taken = 0;
    while (arriving.take(owner, piece, code)) taken += piece;
    return taken;
  };
  CHECK(take_all(1) == 128u << 20);
  CHECK(code == errc::rate_limited);
  for (base::owner_id owner = 2; owner <= 100; ++owner) take_all(owner);
  CHECK(code == errc::overloaded);
  CHECK(arriving.take(101, 256u << 10, code));
  CHECK(arriving.take(0, 1u << 20, code));
  arriving.give_back(1, 128u << 20);
  CHECK(take_all(102) == 16u << 20);
}
