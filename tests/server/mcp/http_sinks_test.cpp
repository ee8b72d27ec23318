// What a client sends at once and takes slowly, and what a session keeps of what it was told.
#include <malloc.h>

#include <catch2/catch.hpp>
#include <server/mcp/http_sinks.hpp>
#include <string>
#include <vector>

#include "talk.hpp"

using namespace freshet;
using namespace freshet::server;
using namespace freshet::server::mcp;

namespace {

struct talking {
  nobody behind;
  std::shared_ptr<const offers> offered;
  std::shared_ptr<event_space> all = std::make_shared<event_space>(event_limits{});
  std::shared_ptr<event_log> log =
      std::make_shared<event_log>(true, std::make_shared<account_space>(all));
  std::shared_ptr<session_core> talk;

  /// Offers a list of some 100 KB.
  talking() {
    const std::string tool = R"({"name":"t","description":")" + std::string(100'000, 'd') + "\"}";
    offered = std::make_shared<const offers>(make_offers("[" + tool + "]", "", nullptr));
    talk = std::make_shared<session_core>(offered, behind, caller{"k", false});
    send({asked(0, "initialize")}, std::make_shared<body_stream>());
  }
  void send(std::vector<message> said, const std::shared_ptr<body_stream>& body_stream) {
    const std::size_t requests = said.size();
    std::make_shared<message_feed>(std::move(said), talk, log, log->open(body_stream), requests)
        ->go_on();
  }
};

std::vector<message> many_lists() {
  std::vector<message> out;
  for (int i = 100; i < 132; ++i) out.push_back(asked(i, "tools/list"));
  return out;
}

std::size_t answers(const std::string& told) {
  std::size_t found = 0;
  for (int i = 100; i < 132; ++i) {
    found +=
        told.find("\"id\":" + std::to_string(i) + ",\"result\"") != std::string::npos ? 1u : 0u;
  }
  return found;
}

}  // namespace

TEST_CASE("all answers of a batch arrive, and those that nobody has read yet are not made") {
  talking of;
  const auto body = std::make_shared<body_stream>();
  of.send(many_lists(), body);
  std::string told;
  std::size_t most = 0;
  for (int parts = 0; parts < 100; ++parts) {
    const auto part = body->take();
    most = std::max(most, part.bytes.size());
    told += part.bytes;
    if (part.is_last) break;
  }
  CHECK(told.size() > 3'200'000);
  CHECK(most < 500'000);
  CHECK(answers(told) == 32);
  CHECK(of.all->used() <= event_limits{}.bytes);
  CHECK(!of.log->is_busy());
}

TEST_CASE("a batch whose reader leaves is answered for one that comes back") {
  talking of;
  const auto body = std::make_shared<body_stream>();
  of.send(many_lists(), body);
  static_cast<void>(body->take());
  body->leave();
  const auto again = std::make_shared<body_stream>();
  REQUIRE(of.log->resume("2-0", again));
  std::string told;
  for (auto part = again->take();; part = again->take()) {
    told += part.bytes;
    if (part.is_last) break;
  }
  // 2 MiB are kept; of the rest it says that it is not.
  CHECK(answers(told) >= 19);
  std::size_t lost = 0;
  for (std::size_t at = 0; (at = told.find("event_lost", at)) != told.npos; ++at) ++lost;
  CHECK(answers(told) + lost == 32);
}

TEST_CASE("lists are the same text for everybody") {
  talking of;
  const std::string& text = of.offered->lists.at("tools/list").with_handshake;
  CHECK(text.starts_with(R"({"tools":[{"name":"t",)"));
  CHECK(result_text(7, text) == R"({"jsonrpc":"2.0","id":7,"result":)" + text + "}");
  const std::string& stateless = of.offered->lists.at("tools/list").stateless;
  CHECK(stateless.find(R"("cacheScope":"public")") != std::string::npos);
}

TEST_CASE("of what a client says of itself only flags are kept") {
  talking of;
  std::vector<std::shared_ptr<session_core>> sessions;
  boost::json::object capabilities{{"sampling", boost::json::object{}}};
  for (int i = 0; i < 1000; ++i) capabilities[std::to_string(i)] = std::string(60, 'x');
  boost::json::object params{{"protocolVersion", "2025-11-25"}};
  params["capabilities"] = capabilities;
  params["clientInfo"] = capabilities;
  const message opening = asked(1, "initialize", std::move(params));
  const auto log = of.log;
  const std::size_t before = mallinfo2().uordblks;
  for (int i = 0; i < 200; ++i) {
    sessions.push_back(std::make_shared<session_core>(of.offered, of.behind, caller{"k", false}));
    const auto body = std::make_shared<body_stream>();
    sessions.back()->receive(opening, std::make_shared<event_sink>(log, log->open(body), 1));
  }
  const std::size_t after = mallinfo2().uordblks;
  CHECK(after < before + 200 * 8192);
  CHECK(abilities_of(capabilities).has("sampling"));
  CHECK(!abilities_of(capabilities).has("elicitation"));
  CHECK(!abilities_of(capabilities).has("7"));
}

TEST_CASE("ids and tokens that are kept are short, and what is said back is cut") {
  rejection why;
  CHECK(read_messages(R"({"jsonrpc":"2.0","method":"ping","id":")" + std::string(128, 'x') + "\"}",
                      why));
  why = {};
  CHECK(!read_messages(R"({"jsonrpc":"2.0","method":"ping","id":")" + std::string(129, 'x') + "\"}",
                       why));
  CHECK(why.id.is_null());
  request_meta how;
  const boost::json::object token{{"progressToken", std::string(129, 'x')}};
  CHECK(read_request_meta(asked(1, "ping", {{"_meta", token}}), false, how));
  CHECK(clipped("abc", 3) == "abc");
  CHECK(clipped("abcd", 3) == "abc...");
  CHECK(clipped("ab\xc3\xa4", 3) == "ab...");
}
