// The way there, and back for a client that leaves before its request was begun.
#include <boost/asio/post.hpp>
#include <memory>
#include <mutex>
#include <server/mcp/one_thread.hpp>
#include <server/routes.hpp>
#include <server/wire/turns.hpp>
#include <string>
#include <utility>

namespace freshet::server::mcp {
namespace {

/// Of one request: whether its client has gone, and who is to be told of it.
struct departure {
  std::mutex mutex;
  bool gone = false;
  std::function<void()> tell;

  void leave() {
    std::function<void()> told;
    {
      const std::lock_guard lock(mutex);
      gone = true;
      told = std::exchange(tell, nullptr);
    }
    if (told) told();
  }
  void set(std::function<void()> whom) {
    {
      const std::lock_guard lock(mutex);
      if (!gone) {
        tell = std::move(whom);
        return;
      }
    }
    if (whom) whom();
  }
};

/// Whose turn a request takes: its account's, or of who has no key its address's.
std::string whose(const request_facts& facts) {
  return facts.owner.empty() ? "address " + facts.peer : "account " + facts.owner;
}

}  // namespace

std::function<deferred_reply(http_request, const request_facts&)> on_one_thread(
    boost::asio::io_context& io,
    std::function<deferred_reply(http_request, const request_facts&)> receive) {
  const auto order = std::make_shared<turns>(io.get_executor());
  return [&io, order, receive = std::move(receive)](http_request what, const request_facts& facts) {
    const auto asked = std::make_shared<http_request>(std::move(what));
    return deferred_reply{[&io, order, receive, asked, facts](std::function<void(reply)> give) {
      const auto client = std::make_shared<departure>();
      auto answer = [receive, asked, facts, client, give = std::move(give)] {
        {
          const std::lock_guard lock(client->mutex);
          if (client->gone) return;
        }
        client->set(receive(std::move(*asked), facts).begin(give));
      };
      boost::asio::post(io, [order, whose = whose(facts), work = std::move(answer)]() mutable {
        order->post(whose, std::move(work));
      });
      return [client] { client->leave(); };
    }};
  };
}

}  // namespace freshet::server::mcp
