// Frames byte by byte, without a socket: what becomes a message, what is answered, and what ends
// the stream, with the close code that the other side is told.
#include <catch2/catch.hpp>
#include <http/websocket_frames.hpp>
#include <support/print_result.hpp>
#include <vector>

using namespace freshet;
using namespace freshet::http;
using namespace std::string_literals;

namespace {

constexpr std::size_t limit = 1000;

enum opcode : unsigned char { continuation = 0, text = 1, binary = 2, closing = 8, pinging = 9 };

/// As a server sends it.
std::string frame(unsigned char kind, std::string_view payload, bool last = true) {
  std::string out(1, static_cast<char>((last ? 0x80 : 0) | kind));
  if (payload.size() < 126) {
    out += static_cast<char>(payload.size());
  } else {
    out += {'\x7E', static_cast<char>(payload.size() >> 8), static_cast<char>(payload.size())};
  }
  return out.append(payload);
}

struct sent_frame {
  int kind = 0;
  bool masked = false;
  std::string mask, payload;
};

/// What a client has sent: short frames only.
std::vector<sent_frame> sent_by(websocket_frames& of) {
  std::string bytes(of.unsent());
  of.mark_sent(bytes.size());
  std::vector<sent_frame> out;
  while (!bytes.empty()) {
    REQUIRE(bytes.size() >= 6);
    sent_frame each;
    each.kind = bytes[0] & 0x0F;
    each.masked = (bytes[1] & 0x80) != 0;
    each.mask = bytes.substr(2, 4);
    each.payload = bytes.substr(6, static_cast<std::size_t>(bytes[1] & 0x7F));
    bytes.erase(0, 6 + each.payload.size());
    for (std::size_t i = 0; i < each.payload.size(); ++i) {
      each.payload[i] = static_cast<char>(each.payload[i] ^ each.mask[i % 4]);
    }
    out.push_back(std::move(each));
  }
  return out;
}

std::string code_bytes(int code) {
  return {static_cast<char>(code >> 8), static_cast<char>(code & 0xFF)};
}

/// What becomes of bytes: "messages | error | frames sent".
std::string outcome(std::string_view bytes) {
  websocket_frames of(limit);
  const auto taken = of.take(bytes);
  std::string out;
  while (const auto message = of.next_message()) out += *message + ",";
  out += taken ? "|ok|" : "|" + std::string(describe(taken.error().code()).name) + "|";
  for (const sent_frame& each : sent_by(of)) {
    out += std::to_string(each.kind) + ":";
    if (each.kind == closing && each.payload.size() >= 2) {
      const auto byte = [&](std::size_t at) {
        return static_cast<unsigned char>(each.payload[at]);
      };
      out += std::to_string(byte(0) << 8 | byte(1));
    } else {
      out += each.payload;
    }
  }
  return out;
}

}  // namespace

TEST_CASE("whole and fragmented messages, and control frames between the parts") {
  CHECK(outcome("") == "|ok|");
  CHECK(outcome(frame(text, "one") + frame(text, "") + frame(text, "two")) == "one,,two,|ok|");
  CHECK(outcome(frame(text, "o", false) + frame(continuation, "n", false) +
                frame(continuation, "e") + frame(text, "two")) == "one,two,|ok|");
  CHECK(outcome(frame(text, "o", false) + frame(pinging, "?") + frame(continuation, "", false) +
                frame(continuation, "ne")) == "one,|ok|10:?");
  CHECK(outcome(frame(text, std::string(limit, 'x'))) == std::string(limit, 'x') + ",|ok|");
  // A character that two fragments share.
  CHECK(outcome(frame(text, "\xE6\xBD", false) + frame(continuation, "\xAE")) ==
        "\xE6\xBD\xAE,|ok|");
  CHECK(outcome("\x8A\x00"s + frame(text, "after a pong of its own")) ==
        "after a pong of its own,|ok|");
}

TEST_CASE("bytes may come one by one") {
  websocket_frames of(limit);
  const std::string bytes = frame(text, std::string(300, 'a')) + frame(pinging, "hello") +
                            frame(text, "b", false) + frame(continuation, "c");
  for (const char each : bytes) REQUIRE(of.take({&each, 1}));
  CHECK(of.next_message() == std::string(300, 'a'));
  CHECK(of.next_message() == "bc");
  CHECK_FALSE(of.next_message());
  const auto sent = sent_by(of);
  REQUIRE(sent.size() == 1);
  CHECK(sent[0].payload == "hello");
}

TEST_CASE("what is sent is masked, each time by another key") {
  websocket_frames of(limit);
  REQUIRE(of.ping());
  REQUIRE(of.take(frame(pinging, "same") + frame(pinging, "same")));
  const auto sent = sent_by(of);
  REQUIRE(sent.size() == 3);
  CHECK(sent[0].kind == pinging);
  CHECK(sent[1].payload == "same");
  for (const sent_frame& each : sent) CHECK(each.masked);
  CHECK(sent[1].mask != sent[2].mask);
  CHECK(sent[0].mask != sent[1].mask);
}

TEST_CASE("messages beyond the limit are refused, whole or in parts") {
  CHECK(outcome(frame(text, std::string(limit + 1, 'x'))) == "|source_error|8:1009");
  CHECK(outcome(frame(text, std::string(limit, 'x'), false) + frame(continuation, "x")) ==
        "|source_error|8:1009");
  // Refused by its length, before anything is gathered.
  CHECK(outcome("\x81\x7F\x00\x00\x00\x7F\xFF\xFF\xFF\xFFx"s) == "|source_error|8:1009");
  CHECK(outcome(frame(text, "fits") + frame(text, std::string(limit + 1, 'x'))) ==
        "fits,|source_error|8:1009");
}

TEST_CASE("text that is not UTF-8, and bytes, are refused") {
  for (const char* wrong : {"\xC3\x28", "\xFF", "\xED\xA0\x80", "\xC0\xAF", "\xF5\x80\x80\x80"}) {
    CHECK(outcome(frame(text, wrong)) == "|source_error|8:1007");
  }
  CHECK(outcome(frame(text, "cut short \xE6\xBD")) == "|source_error|8:1007");
  CHECK(outcome(frame(binary, "bytes")) == "|source_error|8:1003");
  CHECK(outcome(frame(binary, "by", false) + frame(continuation, "tes")) == "|source_error|8:1003");
}

TEST_CASE("frames against the protocol end the stream") {
  const std::string masked = "\x81\x81mask\x00"s;
  CHECK(outcome(masked) == "|source_error|8:1002");
  CHECK(outcome("\xC1\x01x") == "|source_error|8:1002");  // a reserved bit
  CHECK(outcome("\x83\x01x") == "|source_error|8:1002");  // a reserved opcode
  CHECK(outcome(frame(continuation, "of nothing")) == "|source_error|8:1002");
  CHECK(outcome(frame(text, "a", false) + frame(text, "b")) == "|source_error|8:1002");
  CHECK(outcome(frame(pinging, "p", false)) == "|source_error|8:");
  CHECK(outcome("\x89\x7E\x00\x7E"s + std::string(126, 'p')) == "|source_error|8:");
  CHECK(outcome("\x81\x7E\x00\x01x"s) == "|source_error|8:");  // a length spelt too long
}

TEST_CASE("a close is answered with its code, and tells it") {
  CHECK(outcome(frame(text, "last") + frame(closing, code_bytes(1001) + "gone")) ==
        "last,|source_unavailable|8:1001");
  CHECK(outcome(frame(closing, "")) == "|source_unavailable|8:");
  CHECK(outcome(frame(closing, code_bytes(1005))) == "|source_error|8:1002");
  CHECK(outcome(frame(closing, code_bytes(1001)) + frame(text, "late")) ==
        "|source_unavailable|8:1001");
  websocket_frames of(limit);
  const auto closed = of.take(frame(closing, code_bytes(4000)));
  REQUIRE_FALSE(closed);
  CHECK(closed.error().detail().find("4000") != std::string::npos);
}
