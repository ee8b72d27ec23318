// The handshake as text: what is asked for, and which answers are one to it.
#include <catch2/catch.hpp>
#include <http/websocket_upgrade.hpp>
#include <support/print_result.hpp>

using namespace freshet;
using namespace freshet::http;

namespace {

constexpr const char* key = "dGhlIHNhbXBsZSBub25jZQ==";  // RFC 6455, 1.3
constexpr const char* good =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

/// The good answer with one part replaced: "ok", or the error's name.
std::string judged(std::string_view part, std::string_view replacement) {
  std::string head = good;
  if (!part.empty()) head.replace(head.find(part), part.size(), replacement);
  const auto done = check_upgrade(head, key);
  return done ? "ok" : std::string(describe(done.error().code()).name);
}

std::string written(const std::string& url, const headers& more) {
  const auto address = parse_websocket_address(url);
  REQUIRE(address);
  const auto text = write_upgrade(*address, key, "Freshet/test", more);
  return text ? *text : std::string(describe(text.error().code()).name);
}

}  // namespace

TEST_CASE("where a stream is") {
  const auto plain = parse_websocket_address("ws://Example.org/a?b=1#c");
  REQUIRE(plain);
  CHECK_FALSE(plain->secure);
  CHECK(plain->authority == "example.org");
  CHECK(plain->target == "/a?b=1");
  const auto secure = parse_websocket_address("wss://[::1]:8443");
  REQUIRE(secure);
  CHECK(secure->secure);
  CHECK(secure->authority == "[::1]:8443");
  CHECK(secure->target == "/");
  for (const char* wrong :
       {"", "nonsense", "file:///etc/passwd", "ws://", "wss:/", "wsx://a.test"}) {
    INFO(wrong);
    CHECK_FALSE(parse_websocket_address(wrong));
  }
}

TEST_CASE("the request asks for the upgrade, and nothing of a caller's frames it") {
  CHECK(written("ws://a.test/x?y=1", {{"Authorization", "Bearer t"}}) ==
        "GET /x?y=1 HTTP/1.1\r\nHost: a.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        "User-Agent: Freshet/test\r\nAuthorization: Bearer t\r\n\r\n");
  const std::string own = written("ws://a.test/", {{"user-agent", "Other"},
                                                   {"Host", "b.test"},
                                                   {"Connection", "close"},
                                                   {"Sec-WebSocket-Extensions", "x"},
                                                   {"Upgrade", "h2c"}});
  CHECK(own.find("Freshet/test") == std::string::npos);
  CHECK(own.find("user-agent: Other\r\n") != std::string::npos);
  for (const char* framing : {"b.test", "close", "Extensions", "h2c"}) {
    CHECK(own.find(framing) == std::string::npos);
  }
  CHECK(written("ws://a.test/", {{"X", "a\r\nHost: b.test"}}) == "source_error");
  CHECK(written("ws://a.test/", {{"X: y\r\nZ", "a"}}) == "source_error");
  CHECK(make_websocket_key().size() == 24);
  CHECK(make_websocket_key() != make_websocket_key());
}

TEST_CASE("an answer is one to this request, or none") {
  CHECK(judged("", "") == "ok");
  CHECK(judged("Upgrade: websocket", "UPGRADE:  WebSocket ") == "ok");
  CHECK(judged("Connection: Upgrade", "Connection: keep-alive, Upgrade") == "ok");
  CHECK(judged("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "s3pPLMBiTxaQ9kYGzzhZRbK+xOO=") == "source_error");
  CHECK(judged("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n", "") == "source_error");
  CHECK(judged("Sec-WebSocket-Accept", "Sec-WebSocket-Accept: x\r\nSec-WebSocket-Accept") ==
        "source_error");
  CHECK(judged("Upgrade: websocket", "Upgrade: h2c") == "source_error");
  CHECK(judged("Connection: Upgrade", "Connection: close") == "source_error");
  CHECK(judged("\r\n\r\n", "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n") ==
        "source_error");
}

TEST_CASE("a redirect says where the stream is") {
  const auto target = [](const std::string& status, const std::string& location) {
    return redirect_of("HTTP/1.1 " + status + " X\r\nLocation: " + location + "\r\n\r\n",
                       "wss://a.example/api/v1/streaming?stream=public");
  };
  CHECK(target("301", "https://s.a.example/api") == "https://s.a.example/api");
  CHECK(target("302", "wss://s.a.example/api") == "https://s.a.example/api");
  CHECK(target("308", "/other?stream=public") == "https://a.example/other?stream=public");
  CHECK(target("200", "https://s.a.example/api").empty());
  CHECK(target("304", "https://s.a.example/api").empty());
  CHECK(target("301", "ftp://s.a.example/").empty());
  CHECK(target("301", "").empty());
  CHECK(redirect_of("ICY", "wss://a.example/").empty());
}

TEST_CASE("other statuses are told apart, and what is no HTTP is refused") {
  CHECK(judged("101 Switching Protocols", "401 X") == "source_auth_required");
  CHECK(judged("101 Switching Protocols", "403 X") == "source_blocked");
  CHECK(judged("101 Switching Protocols", "429 X") == "source_unavailable");
  CHECK(judged("101 Switching Protocols", "503") == "source_unavailable");
  CHECK(judged("101 Switching Protocols", "200 OK") == "source_error");
  CHECK(judged("101 Switching Protocols", "302 Found") == "source_error");
  CHECK(judged("HTTP/1.1", "HTTP/1.0") == "source_error");
  CHECK(judged("HTTP/1.1", "ICY") == "source_error");
  CHECK(judged("101 Switching", "1010 Switching") == "source_error");
  CHECK(judged("101", "+01") == "source_error");
  CHECK(judged("Upgrade: websocket", "Upgrade websocket") == "source_error");
  CHECK(judged("Upgrade: websocket", " folded: x") == "source_error");
  CHECK(judged("Upgrade: websocket", ": nameless") == "source_error");
  CHECK_FALSE(check_upgrade("", key));
}
