// Many calls at once without threads of one's own: start all, take the answers as they come, and
// cancel what is not needed any more. A handler runs on a thread of the engine and must not block.
#include <condition_variable>
#include <freshet/engine.hpp>
#include <iostream>
#include <map>
#include <mutex>

namespace {

/// Where the handlers leave their answers. Made before the engine, so that it outlives every
/// handler.
struct inbox {
  std::mutex mutex;
  std::condition_variable arrived;
  std::map<std::string, freshet::response> answers;

  std::function<void(freshet::response)> put(const std::string& name) {
    return [this, name](freshet::response answer) {
      const std::lock_guard lock(mutex);
      answers[name] = std::move(answer);
      arrived.notify_all();
    };
  }
  void wait_for(std::size_t number) {
    std::unique_lock lock(mutex);
    arrived.wait(lock, [&] { return answers.size() >= number; });
  }
};

}  // namespace

int main() {
  inbox in;
  freshet::engine_options options;
  // Recorded answers, no network. Without this line the calls reach the internet.
  if (!options.config.set("network.sandbox", "true")) return 1;
  const auto engine = freshet::engine::open(std::move(options));
  if (!engine) return 1;

  const std::map<std::string, std::string> calls = {
      {"microblog/search", R"({"q": "climate", "limit": 5})"},
      {"forum/search", R"({"q": "climate", "community": "all", "limit": 5})"},
      {"news/search", R"({"q": "climate", "limit": 5})"},
      {"web-serp/search", R"({"q": "climate", "limit": 5})"},
  };
  std::map<std::string, std::uint64_t> tickets;
  for (const auto& [endpoint, body] : calls) {
    freshet::request what;
    what.endpoint = endpoint;
    what.body = body;
    tickets[endpoint] = (*engine)->submit(std::move(what), in.put(endpoint));
  }
  // Cancelled in time it answers `cancelled` and costs nothing; else it has its answer already.
  (*engine)->cancel(tickets["web-serp/search"]);

  in.wait_for(calls.size());
  for (const auto& [endpoint, answer] : in.answers) {
    std::cout << endpoint << ": " << (answer.ok() ? "ok" : freshet::describe(answer.code).name)
              << ", " << answer.data().size() << " bytes\n";
  }
}
