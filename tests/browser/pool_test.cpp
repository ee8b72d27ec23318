// What becomes of browsers: they are few, they are replaced when they hang, hog or die, and nothing
// of them stays.
#include <signal.h>
#include <unistd.h>
#include <base/whole_file.hpp>

#include <filesystem>
#include <fstream>
#include <process/private_folder.hpp>
#include <process/tree.hpp>
#include <thread>

#include "page_layer.hpp"
#include "support/eventually.hpp"

namespace {

std::size_t folders() {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/tmp")) {
    count += entry.path().filename().string().starts_with("freshet-browser-") ? 1 : 0;
  }
  return count;
}

/// The browsers among our children.
std::vector<pid_t> browsers() {
  std::vector<pid_t> found;
  for (const pid_t each : process::descendants(getpid())) {
    std::ifstream in("/proc/" + std::to_string(each) + "/cmdline");
    std::string line;
    std::getline(in, line);
    if (line.find("bwrap") == std::string::npos &&
        line.find("--remote-debugging-pipe") != std::string::npos &&
        line.find("--type=") == std::string::npos) {
      found.push_back(each);
    }
  }
  return found;
}

/// "/spin" has a page that keeps its browser for good, and counts in `begun` which do; "/" is well.
void serve_spinning(test::loopback_server& server, std::atomic<int>& begun) {
  server.on("/begun", [&](const auto&, auto& to) {
    ++begun;
    to.send(test::loopback_server::answer(200, "x"));
  });
  server.reply("/spin", 200, scripted("fetch('/begun?' + Math.random()).then(() => { for (;;); })"),
               as_html);
  server.reply("/", 200, scripted("document.body.append('well')"), as_html);
}

}  // namespace

TEST_CASE(
    "a script that never ends costs its page and its browser, and no other; who had it is told",
    "[alone][browser]") {
  NEED_BROWSER();
  test::loopback_server server;
  server.reply("/spin", 200, scripted("setTimeout(() => { for (;;); }, 1)"), as_html);
  server.reply("/", 200, scripted("document.body.append('well')"), as_html);
  browser::options quick;
  quick.max_browsers = 1;
  quick.page_time = 2s;
  std::mutex mutex;
  std::vector<std::pair<base::owner_id, std::chrono::nanoseconds>> told;
  quick.had_browser = [&](base::owner_id whose, std::chrono::nanoseconds time) {
    const std::lock_guard lock(mutex);
    told.emplace_back(whose, time);
  };
  const auto layer = make_layer(quick);
  CHECK(submit(*layer, server.url("/spin"), 30s, 7).get().error().code() == errc::source_timeout);
  {
    const std::lock_guard lock(mutex);
    REQUIRE(told.size() == 1);
    CHECK(told[0].first == 7);
    CHECK(told[0].second >= 5s);  // its own time, and that to give what it has
  }
  const auto next = submit(*layer, server.url("/"), 30s, 8).get();
  REQUIRE(next);
  CHECK(holds(*next, "well"));
  CHECK(browsers().size() == 1);
  const std::lock_guard lock(mutex);
  REQUIRE(told.size() == 2);
  CHECK(told[1].first == 8);
  CHECK(told[1].second > 0s);
}

TEST_CASE("a page that loads without end is taken as it is when its time is up",
          "[alone][browser]") {
  NEED_BROWSER();
  test::loopback_server server;
  server.reply("/", 200,
               scripted("document.body.append('here'); fetch('/never');"
                        "setInterval(() => fetch('/poll?' + Math.random()), 50)"),
               as_html);
  server.reply("/poll", 200, "x");
  // One is never answered: requests alone may be far apart on a busy machine, and the page seem
  // done.
  server.on("/never", [&](const auto&, auto& to) {
    while (!server.stopping() && to.is_open()) std::this_thread::sleep_for(20ms);
  });
  browser::options quick;
  quick.page_time = 6s;
  quick.requests_per_page = 5;
  const auto layer = make_layer(quick);
  const auto page = render(*layer, server.url("/"));
  REQUIRE(page);
  CHECK(holds(*page, "here"));
  CHECK(server.count("/poll") == 4);
  std::string said;
  for (const auto& one : page->warnings) said += one + "\n";
  CHECK(said.find("asks for too much") != std::string::npos);
  CHECK(said.find("time was up") != std::string::npos);
}

TEST_CASE("what a page asks for at once has no more bytes together than one after the other",
          "[browser]") {
  NEED_BROWSER();
  constexpr std::size_t bytes = 1u << 16, most = 4;
  test::loopback_server server;
  server.reply(
      "/", 200,
      scripted(
          "const one = n => fetch('/large?' + n).then(r => r.text()).then(t => t.length, () => 0);"
          "Promise.all(Array.from({length: 80}, (_, n) => one(n))).then(all =>"
          "document.getElementById('root').textContent = 'got ' + all.filter(n => n).length)"),
      as_html);
  server.reply("/large", 200, std::string(bytes, 'x'), {{"Content-Type", "text/plain"}});
  browser::options small;
  small.bytes_per_page = most * bytes;
  const auto layer = make_layer(small);
  const auto page = render(*layer, server.url("/"));
  REQUIRE(page);
  CHECK(holds(*page, "got 4<"));
  const auto asked = static_cast<std::size_t>(server.count("/large"));
  CHECK(asked <= most + browser::max_requests_at_once);
  REQUIRE_FALSE(page->warnings.empty());
  CHECK(page->warnings[0].find("asks for too much") != std::string::npos);
}

TEST_CASE("a page that takes too much memory is ended", "[browser]") {
  NEED_BROWSER();
  test::loopback_server server;
  // It waits for an answer all the while: it does not seem to be done.
  server.reply("/", 200,
               scripted("fetch('/never'); const all = [];"
                        "setInterval(() => all.push(new Uint8Array(2e7).fill(1)), 20)"),
               as_html);
  server.on("/never", [&](const auto&, auto& to) {
    while (!server.stopping() && to.is_open()) std::this_thread::sleep_for(20ms);
  });
  browser::options small;
  small.memory_bytes = 500u << 20;
  const auto layer = make_layer(small);
  const auto page = render(*layer, server.url("/"));
  REQUIRE_FALSE(page);
  CHECK(page.error().code() == errc::source_error);
  CHECK(page.error().detail().find("MiB") != std::string::npos);
  CHECK(test::eventually([] { return browsers().empty(); }));
}

TEST_CASE("many pages share one browser, one after the other", "[browser]") {
  NEED_BROWSER();
  test::loopback_server server;
  server.reply("/", 200, scripted("document.body.append('page ' + location.search)"), as_html);
  browser::options one;
  one.max_browsers = 1;
  one.max_waiting = 4;
  one.pages_per_browser = 3;
  const auto layer = make_layer(one);
  std::vector<std::future<result<http::response>>> pages;
  std::vector<std::thread> threads;
  std::mutex mutex;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      auto page = submit(*layer, server.url("/?n=" + std::to_string(i)));
      const std::lock_guard lock(mutex);
      pages.push_back(std::move(page));
    });
  }
  for (auto& each : threads) each.join();
  int good = 0, refused = 0;
  for (auto& each : pages) {
    const auto page = each.get();
    if (page && holds(*page, "page ?n=")) ++good;
    if (!page && page.error().code() == errc::overloaded && page.error().retry_after) ++refused;
  }
  CHECK(good == 5);
  CHECK(refused == 3);
  CHECK(browsers().size() <= 1);
}

TEST_CASE("an account whose pages spin in every browser does not keep another's from one",
          "[alone][browser]") {
  NEED_BROWSER();
  test::loopback_server server;
  std::atomic<int> begun = 0;
  serve_spinning(server, begun);
  browser::options two;
  two.max_browsers = 2;
  two.page_time = 60s;
  auto layer = make_layer(two);
  std::vector<std::future<result<http::response>>> spinning;
  for (int i = 0; i < 6; ++i) spinning.push_back(submit(*layer, server.url("/spin"), 120s, 7));
  REQUIRE(test::eventually([&] { return begun == 2; }));
  for (int i = 0; i < 2; ++i) {
    const auto page = submit(*layer, server.url("/"), 50s, 8).get();
    REQUIRE(page);
    CHECK(holds(*page, "well"));
  }
  // Nobody had to come to an end for it.
  for (auto& each : spinning) CHECK(each.wait_for(0s) == std::future_status::timeout);
  layer.reset();
  for (auto& each : spinning) CHECK(each.get().error().code() == errc::cancelled);
}

TEST_CASE(
    "accounts whose pages spin, one in each browser, keep another's for no longer than a turn",
    "[alone][browser]") {
  NEED_BROWSER();
  test::loopback_server server;
  std::atomic<int> begun = 0;
  serve_spinning(server, begun);
  browser::options two;
  two.max_browsers = 2;
  two.page_time = 110s;
  auto layer = make_layer(two);
  std::vector<std::future<result<http::response>>> spinning;
  for (int i = 0; i < 6; ++i) spinning.push_back(submit(*layer, server.url("/spin"), 120s, 7 + i));
  REQUIRE(test::eventually([&] { return begun == 2; }));
  // One of those that spin may have a long turn by then, and all of them had a turn.
  for (int i = 0; i < 3; ++i) {
    const auto page = submit(*layer, server.url("/"), 60s, 1).get();
    REQUIRE(page);
    CHECK(holds(*page, "well"));
  }
  // Nobody had to come to an end for it.
  for (auto& each : spinning) CHECK(each.wait_for(0s) == std::future_status::timeout);
  layer.reset();
  for (auto& each : spinning) CHECK(each.get().error().code() == errc::cancelled);
}

TEST_CASE("no browser reads what it is not given", "[browser]") {
  NEED_BROWSER();
  const auto data = process::private_folder::make("test");
  REQUIRE(data);
  browser::options hiding;
  hiding.walls =
      std::make_shared<process::wall_survey>(std::vector<std::string>{data->path()}, false);
  if (!hiding.walls->get().is_whole) return test::skip("this machine lets us raise no walls");
  test::loopback_server server;
  server.reply("/slow", 200, scripted("fetch('/never')"), as_html);
  server.on("/never", [&](const auto&, auto& to) {
    while (!server.stopping() && to.is_open()) std::this_thread::sleep_for(20ms);
  });
  const auto layer = make_layer(hiding);
  auto page = submit(*layer, server.url("/slow"));
  REQUIRE(test::eventually([&] { return server.count("/never") > 0; }));
  REQUIRE(browsers().size() == 1);
  const std::string inside = "/proc/" + std::to_string(browsers().front());
  const std::string about = base::read_whole(inside + "/status");
  CHECK(about.find("NoNewPrivs:\t1") != std::string::npos);
  CHECK(about.find("Seccomp:\t2") != std::string::npos);
  CHECK(about.find("CapEff:\t0000000000000000") != std::string::npos);
  if (!hiding.walls->get().bubblewrap.empty()) {
    CHECK_FALSE(std::filesystem::exists(inside + "/root" + data->path()));
    CHECK_FALSE(std::filesystem::exists(std::filesystem::path(inside) / "root" / "root"));
    CHECK(std::filesystem::exists(std::filesystem::path(inside) / "root" / "usr"));
  }
}

TEST_CASE("where no walls stand no page is rendered, and the error says what to do", "[browser]") {
  NEED_BROWSER();
  test::loopback_server server;
  server.reply("/", 200, scripted("document.body.append('well')"), as_html);
  browser::options bare;
  // What cannot be hidden: programs are there.
  bare.walls = std::make_shared<process::wall_survey>(std::vector<std::string>{"/usr/bin"}, false);
  const auto layer = make_layer(bare);
  const auto page = render(*layer, server.url("/"));
  REQUIRE_FALSE(page);
  CHECK(page.error().code() == errc::invalid_configuration);
  CHECK(page.error().detail().find("process.allow_without_walls") != std::string::npos);
}

TEST_CASE("a browser that dies fails its page, and the next has another", "[browser]") {
  NEED_BROWSER();
  test::loopback_server server;
  server.reply("/slow", 200, scripted("fetch('/never')"), as_html);
  server.on("/never", [&](const auto&, auto& to) {
    while (!server.stopping() && to.is_open()) std::this_thread::sleep_for(20ms);
  });
  server.reply("/", 200, scripted("document.body.append('well')"), as_html);
  browser::options one;
  one.max_browsers = 1;
  const auto layer = make_layer(one);
  auto page = submit(*layer, server.url("/slow"));
  REQUIRE(test::eventually([&] { return server.count("/never") > 0; }));
  REQUIRE(browsers().size() == 1);
  kill(browsers().front(), SIGKILL);
  const auto failed = page.get();
  REQUIRE_FALSE(failed);
  CHECK(failed.error().code() == errc::source_error);
  REQUIRE(render(*layer, server.url("/")));
}

TEST_CASE("a caller may leave, and a layer may end, at any time", "[browser]") {
  NEED_BROWSER();
  test::loopback_server server;
  server.reply("/slow", 200, scripted("fetch('/never')"), as_html);
  server.on("/never", [&](const auto&, auto& to) {
    while (!server.stopping() && to.is_open()) std::this_thread::sleep_for(20ms);
  });
  auto layer = make_layer();
  http::request what;
  what.url = server.url("/slow");
  what.render = http::rendering::always;
  std::promise<result<http::response>> left;
  const auto ticket =
      layer->submit(http::request(what), std::chrono::steady_clock::now() + 30s,
                    [&](result<http::response> got) { left.set_value(std::move(got)); });
  REQUIRE(test::eventually([&] { return server.count("/never") > 0; }));
  layer->cancel(ticket);
  CHECK(left.get_future().get().error().code() == errc::cancelled);
  auto running = submit(*layer, server.url("/slow"));
  REQUIRE(test::eventually([&] { return server.count("/never") > 1; }));
  auto waiting = submit(*layer, server.url("/slow"));
  layer.reset();
  CHECK(running.get().error().code() == errc::cancelled);
  CHECK(waiting.get().error().code() == errc::cancelled);
  CHECK(browsers().empty());
  CHECK(process::descendants(getpid()).empty());
  CHECK(folders() == 0);
}

TEST_CASE("a program that is no browser is an error, not a wait", "[browser]") {
  test::loopback_server server;
  server.reply("/", 200, "<p>page", as_html);
  browser::options wrong;
  wrong.program = "/bin/true";
  const auto layer = make_layer(wrong);
  const auto page = render(*layer, server.url("/"));
  REQUIRE_FALSE(page);
  CHECK(page.error().code() == errc::internal);
}
