// Events on their way, over a network on which most webhooks are silent.
#include <algorithm>
#include <catch2/catch.hpp>
#include <engine/alerts/webhook.hpp>
#include <engine/runtime/core.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace freshet::detail {
namespace {

/// Keeps what it is asked until somebody says what became of it.
class silent_webhooks final : public http::transport {
 public:
  std::uint64_t submit(http::request&& request, deadline, handler done) override {
    asked.emplace_back(std::move(request), std::move(done));
    return asked.size();
  }
  void cancel(std::uint64_t) override {}

  std::size_t count(std::string_view url) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(asked, [&](const auto& one) { return one.first.url == url; }));
  }
  /// Nobody has answered what was asked until now, and what was asked then.
  void time_out() {
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (auto done = std::exchange(asked[i].second, nullptr))
        done(error(errc::source_timeout, "no answer came"));
    }
  }

  std::vector<std::pair<http::request, handler>> asked;
};

struct webhook_rig {
  core shared;
  silent_webhooks* network = nullptr;
  std::vector<std::function<void()>> due;
  std::vector<std::string> lines;

  webhook_rig() {
    auto made = std::make_unique<silent_webhooks>();
    network = made.get();
    shared.live.transport = std::move(made);
    shared.live.wake_at = [this](auto, auto what) { due.push_back(std::move(what)); };
    shared.log = [this](auto, auto line) { lines.emplace_back(line); };
  }
  bool send(std::int64_t account, std::string url) {
    const auto id = "acc_" + std::to_string(account);
    webhook target{std::move(url), "whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"};
    target.name = "the webhook of " + id;
    target.account = account;
    return send_event(shared, std::move(target),
                      {account, id, "account.test", [](model::object_writer&) {}});
  }
};

}  // namespace

TEST_CASE("beside 300 accounts with dead webhooks an alert goes out at once") {
  webhook_rig rig;
  for (std::int64_t account = 1; account <= 300; ++account)
    REQUIRE(rig.send(account, "https://dead.example/" + std::to_string(account)));
  rig.network->time_out();
  CHECK(rig.network->asked.size() == 300);
  // All of them wait for their next attempt now.
  REQUIRE(rig.send(301, "https://alive.example/"));
  REQUIRE(rig.network->count("https://alive.example/") == 1);
}

TEST_CASE("a refused event is sent again under its id until it is taken or gone") {
  webhook_rig rig;
  REQUIRE(rig.send(1, "https://hooks.example/"));
  const auto id = [&](std::size_t which) {
    for (const auto& [name, value] : rig.network->asked.at(which).first.headers)
      if (name == "webhook-id") return value;
    return std::string();
  };
  http::response refused;
  refused.status = 503;
  rig.network->asked[0].second(refused);
  REQUIRE(rig.due.size() == 1);
  CHECK(rig.network->asked.size() == 1);
  CHECK(rig.lines == std::vector<std::string>{"the webhook of acc_1: it answered 503"});
  CHECK(id(0).starts_with("evt_"));
  REQUIRE(rig.send(2, "https://gone.example/"));
  refused.status = 410;
  rig.network->asked[1].second(refused);
  CHECK(rig.lines.back() == "the webhook of acc_2: it answered 410; " + id(1) + " is given up");
}

}  // namespace freshet::detail
