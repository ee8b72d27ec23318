// The way of requests to the thread of MCP: whose turn it is there, and who has left before it.
#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>
#include <functional>
#include <server/mcp/one_thread.hpp>
#include <server/routes.hpp>
#include <string>
#include <vector>

using namespace freshet::server;

namespace {

/// What is asked before the thread has begun, and in which order it is answered.
struct busy_thread {
  boost::asio::io_context io{1};
  std::vector<std::string> order;
  std::function<deferred_reply(http_request, const request_facts&)> receive =
      mcp::on_one_thread(io, [this](http_request, const request_facts& facts) {
        return deferred_reply{[this, id = facts.request_id](std::function<void(reply)> give) {
          order.push_back(id);
          give({});
          return std::function<void()>();
        }};
      });

  std::function<void()> ask(const std::string& id, const std::string& owner,
                            const std::string& peer = "192.0.2.1") {
    request_facts facts;
    facts.request_id = id;
    facts.owner = owner;
    facts.peer = peer;
    return receive({}, facts).begin([](reply) {});
  }
};

}  // namespace

TEST_CASE("accounts take turns at the thread of MCP, however many messages one has sent before") {
  busy_thread thread;
  for (int n = 0; n < 4; ++n) thread.ask("many " + std::to_string(n), "1");
  thread.ask("one", "2");
  thread.ask("without a key", "");
  thread.ask("another address", "", "192.0.2.2");
  thread.io.run();
  CHECK(thread.order == std::vector<std::string>{"many 0", "one", "without a key",
                                                 "another address", "many 1", "many 2", "many 3"});
}

TEST_CASE("who leaves before its turn at the thread of MCP is not answered") {
  busy_thread thread;
  const auto leave = thread.ask("gone", "1");
  thread.ask("here", "1");
  leave();
  thread.io.run();
  CHECK(thread.order == std::vector<std::string>{"here"});
}
