// The whole stack over a real server on loopback: the addresses it refuses, what it asks how often,
// and that every handler is called once whatever happens.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <http/stack.hpp>
#include <mutex>
#include <support/eventually.hpp>
#include <support/loopback_server.hpp>
#include <support/print_result.hpp>
#include <support/shared.hpp>
#include <thread>
#include <vector>

#include "loopback_stack.hpp"
#include "waiting.hpp"

using namespace freshet;
using namespace freshet::http;
using namespace freshet::test;
using namespace std::chrono_literals;

namespace {

std::unique_ptr<transport> strict_stack() {
  stack_options options;
  options.user_agent = "Freshet/1.0";
  return make_stack(std::move(options)).value();
}

}  // namespace

TEST_CASE("it is told of a host that is not there, and of none that was asked") {
  std::mutex mutex;
  std::vector<std::string> unreached;
  stack_options options;
  options.allow_private = {"127.0.0.0/8"};
  options.unreached = [&](const request& asked) {
    const std::lock_guard lock(mutex);
    unreached.push_back(asked.url);
  };
  const auto stack = make_stack(std::move(options)).value();
  loopback_server server;
  server.on("/gone", [](const auto&, auto& to) { to.close(); });
  CHECK(code_of(fetch(*stack, get(server.url("/gone")))) == "source_unavailable");
  server.on("/", [](const auto&, auto& to) { to.send(loopback_server::answer(500, "")); });
  CHECK(code_of(fetch(*stack, get(server.url("/")))) == "ok");
  // Where the guard forbids, nobody has been asked.
  CHECK(code_of(fetch(*stack, get("http://10.0.0.1/"))) == "target_forbidden");
  CHECK(unreached.empty());
  std::string absent;
  {
    const loopback_server other;
    absent = other.url("/x");
  }
  CHECK(code_of(fetch(*stack, get(absent))) == "source_unavailable");
  const std::lock_guard lock(mutex);
  REQUIRE(!unreached.empty());
  CHECK(unreached.front() == absent);
}

TEST_CASE("nobody who is there lets a connection wait for three seconds") {
  // A queue of connections that is full: the next ones get no answer.
  const int full = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  REQUIRE(::bind(full, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0);
  REQUIRE(::listen(full, 0) == 0);
  REQUIRE(::getsockname(full, reinterpret_cast<sockaddr*>(&at), &size) == 0);
  std::vector<int> waiting;
  for (int i = 0; i < 4; ++i) {
    waiting.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
    static_cast<void>(::connect(waiting.back(), reinterpret_cast<const sockaddr*>(&at), sizeof at));
  }
  std::atomic<int> unreached{0};
  stack_options options;
  options.allow_private = {"127.0.0.0/8"};
  options.unreached = [&](const request&) { ++unreached; };
  const auto stack = make_stack(std::move(options)).value();
  const std::string url = "http://127.0.0.1:" + std::to_string(ntohs(at.sin_port)) + "/";
  // Whose own time is short says nothing.
  CHECK(code_of(fetch(*stack, get(url), 300ms)) == "source_timeout");
  CHECK(unreached == 0);
  CHECK(code_of(fetch(*stack, get(url), 3200ms)) == "source_timeout");
  CHECK(unreached == 1);
  for (const int each : waiting) ::close(each);
  ::close(full);
}

TEST_CASE("no spelling of a private address is connected to") {
  loopback_server server;
  const std::string port = ":" + std::to_string(server.port()) + "/";
  const auto stack = strict_stack();
  for (const std::string& each :
       {"http://127.0.0.1" + port,
        "http://127.1" + port,
        "http://2130706433" + port,
        "http://0x7f.1" + port,
        "http://017700000001" + port,
        "http://0" + port,
        "http://localhost" + port,
        "http://[::1]" + port,
        "http://[::ffff:127.0.0.1]" + port,
        "http://[::ffff:7f00:1]" + port,
        "http://[::]" + port,
        "http://[64:ff9b::7f00:1]" + port,
        std::string("http://[64:ff9b:1::a00:1]/"),
        std::string("http://[2002:7f00:1::]/"),
        std::string("http://[fe80::1]/"),
        std::string("http://[fd00:ec2::254]/"),
        std::string("http://169.254.169.254/latest/"),
        std::string("http://100.100.100.200/"),
        std::string("http://10.0.0.1/"),
        std::string("http://[::127.0.0.1]/"),
        "http://127.0.0.1%2f@127.0.0.1" + port,
        std::string("file:///etc/passwd"),
        "gopher://127.0.0.1" + port + "_x",
        "dict://127.0.0.1" + port,
        "http://\xE2\x91\xA0\xE2\x91\xA1\xE2\x91\xA6.\xE2\x93\xAA.\xE2\x93\xAA.\xE2\x91\xA0" + port,
        std::string("http://"),
        std::string(""),
        std::string("//127.0.0.1/")}) {
    INFO(each);
    CHECK(code_of(fetch(*stack, get(each), 3s)) == "target_forbidden");
  }
  CHECK(server.connections() == 0);
}

TEST_CASE("redirects are judged hop by hop") {
  loopback_server server;
  const auto redirect = [&](const std::string& path, const std::string& location) {
    server.reply(path, 302, "", {{"Location", location}});
  };
  redirect("/private", "http://10.0.0.1:7101/");
  redirect("/metadata", "http://169.254.169.254/latest/");
  redirect("/file", "file:///etc/passwd");
  redirect("/loop", "/loop");
  redirect("/good", "/end");
  server.reply("/end", 200, "end");
  const auto stack = stack_over_loopback();
  CHECK(code_of(fetch(*stack, get(server.url("/private")))) == "target_forbidden");
  CHECK(code_of(fetch(*stack, get(server.url("/metadata")))) == "target_forbidden");
  CHECK(code_of(fetch(*stack, get(server.url("/file")))) == "target_forbidden");
  CHECK(code_of(fetch(*stack, get(server.url("/loop")))) == "source_error");
  CHECK(server.count("/loop") == 6);
  const auto good = fetch(*stack, get(server.url("/good")));
  REQUIRE(good);
  CHECK(good->body == "end");
  CHECK(good->final_url == server.url("/end"));
}

TEST_CASE("what the configuration names may be private: not what a caller names or it leads to") {
  loopback_server configured;
  loopback_server other;
  configured.reply("/page", 200, "inner", {{"Cache-Control", "max-age=60"}});
  configured.reply("/on", 302, "", {{"Location", "/page"}});
  configured.reply("/away", 302, "", {{"Location", other.url("/")}});
  const std::string port = ":" + std::to_string(configured.port());
  configured.reply("/alias", 302, "", {{"Location", "http://localhost" + port + "/page"}});
  stack_options options;
  options.user_agent = "Freshet/1.0";
  options.allow_chosen = {"127.0.0.0/8"};
  options.shelf = std::make_shared<base::shelf>(1 << 20);
  const auto stack = make_stack(std::move(options)).value();
  const auto chosen = [&](const std::string& path, std::chrono::seconds kept = {}) {
    request out = get(configured.url(path));
    out.chosen_by = target_choice::configuration;
    out.keep_for = kept;
    return fetch(*stack, out);
  };
  REQUIRE(chosen("/page"));
  REQUIRE(chosen("/page")->cache == cache_state::hit);
  CHECK(chosen("/on")->body == "inner");
  CHECK(code_of(chosen("/away")) == "target_forbidden");
  CHECK(code_of(chosen("/alias")) == "target_forbidden");
  REQUIRE(chosen("/page", 60s));
  const auto exchanges = configured.count("/page");
  // Neither the connection that stands, nor what is cached, nor what is kept is for others.
  for (const std::string host : {"127.0.0.1", "0x7f.1", "localhost", "[::ffff:127.0.0.1]"}) {
    request named = get("http://" + host + port + "/page");
    INFO(named.url);
    CHECK(code_of(fetch(*stack, named)) == "target_forbidden");
    named.keep_for = 60s;
    CHECK(code_of(fetch(*stack, named)) == "target_forbidden");
  }
  CHECK(configured.count("/page") == exchanges);
  CHECK(other.connections() == 0);
}

TEST_CASE("a caller does not share what the configuration's request is waiting for") {
  loopback_server configured;
  std::atomic<bool> go_on = false;
  configured.on("/slow", [&](const auto&, loopback_server::connection& to) {
    while (!go_on) std::this_thread::sleep_for(1ms);
    to.send(loopback_server::answer(200, "inner"));
  });
  stack_options options;
  options.user_agent = "Freshet/1.0";
  options.allow_chosen = {"127.0.0.0/8"};
  const auto stack = make_stack(std::move(options)).value();
  request what = get(configured.url("/slow"));
  what.chosen_by = target_choice::configuration;
  auto first = start(*stack, what);
  what.chosen_by = target_choice::caller;
  auto second = start(*stack, what);
  const auto refused = second.wait_for(test::patience) == std::future_status::ready;
  go_on = true;
  CHECK(refused);
  CHECK(code_of(second.get()) == "target_forbidden");
  CHECK(code_of(first.get()) == "ok");
}

TEST_CASE("one port of one host may be opened to callers; our own only so") {
  loopback_server allowed;
  loopback_server other;
  loopback_server own;
  allowed.reply("/", 200, "allowed");
  own.reply("/", 200, "own");
  const auto on = [](const std::string& host, const loopback_server& at) {
    return host + ":" + std::to_string(at.port());
  };
  const auto stack_with = [&](std::vector<std::string> entries) {
    stack_options options;
    options.user_agent = "Freshet/1.0";
    options.allow_private = std::move(entries);
    options.own_ports = {static_cast<std::uint16_t>(own.port())};
    return make_stack(std::move(options)).value();
  };
  const auto asked = [](transport& over, const std::string& authority) {
    return code_of(fetch(over, get("http://" + authority + "/")));
  };
  for (const std::string& entry : {on("127.0.0.1", allowed), on("0x7f.1", allowed)}) {
    const auto by_address = stack_with({entry});
    CHECK(asked(*by_address, on("127.0.0.1", allowed)) == "ok");
    CHECK(asked(*by_address, on("localhost", allowed)) == "ok");
    CHECK(asked(*by_address, on("127.0.0.2", allowed)) == "target_forbidden");
    CHECK(asked(*by_address, on("127.0.0.1", other)) == "target_forbidden");
  }
  const auto by_name = stack_with({on("localhost", allowed)});
  CHECK(asked(*by_name, on("LOCALHOST", allowed)) == "ok");
  CHECK(asked(*by_name, on("127.0.0.1", allowed)) == "target_forbidden");
  CHECK(asked(*by_name, on("localhost", other)) == "target_forbidden");

  const auto by_network = stack_with({"127.0.0.0/8"});
  CHECK(asked(*by_network, on("127.0.0.1", allowed)) == "ok");
  for (const char* host : {"127.0.0.1", "0x7f.1", "localhost"})
    CHECK(asked(*by_network, on(host, own)) == "target_forbidden");
  CHECK(own.count("/") == 0);
  const auto by_port = stack_with({"127.0.0.0/8", on("127.0.0.1", own)});
  CHECK(asked(*by_port, on("127.0.0.1", own)) == "ok");
}

TEST_CASE("an exchange carries what it should and nothing else") {
  loopback_server server;
  server.on("/echo", [](const loopback_server::seen& what, loopback_server::connection& to) {
    to.send(loopback_server::answer(200, what.method + ' ' + what.body, {{"X-A", "1"}}));
  });
  const auto stack = stack_over_loopback();
  request what = get(server.url("/echo?q=%20x#part"));
  what.headers = {{"X-Test", "yes"}, {"Host", "evil.test"}, {"Content-Length", "99"}};
  const auto got = fetch(*stack, what);
  REQUIRE(got);
  CHECK(got->status == 200);
  CHECK(find_header(got->headers, "x-a") == "1");
  const auto seen = server.last("/echo");
  CHECK(seen.target == "/echo?q=%20x");
  CHECK(seen.header("User-Agent") == "Freshet/1.0 (+mailto:ops@example.org)");
  CHECK(seen.header("X-Test") == "yes");
  CHECK(seen.header("Host") == "127.0.0.1:" + std::to_string(server.port()));
  CHECK(seen.header("Accept-Encoding").find("gzip") != std::string::npos);
  CHECK(seen.header("Content-Length").empty());

  what = get(server.url("/echo"));
  what.headers = {{"User-Agent", "Other/2"}, {"Content-Type", "application/json"}};
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH"}) {
    what.method = method;
    what.body = "{}";
    CHECK(fetch(*stack, what)->body == std::string(method) + " {}");
    CHECK(server.last("/echo").header("User-Agent") == "Other/2");
    CHECK(server.last("/echo").header("Content-Type") == "application/json");
  }
  what.method = "GET";
  what.body.clear();
  CHECK(fetch(*stack, what)->body == "GET ");
  CHECK(server.connections() == 1);

  what.headers = {{"X-Test", "a\r\nX-Injected: 1"}};
  CHECK(code_of(fetch(*stack, what)) == "source_error");
  what.headers = {{"X Test", "a"}};
  CHECK(code_of(fetch(*stack, what)) == "source_error");
}

TEST_CASE("a hundred equal requests are one upstream") {
  loopback_server server;
  server.on("/cold", [](const auto&, loopback_server::connection& to) {
    std::this_thread::sleep_for(200ms);
    to.send(loopback_server::answer(200, "once", {{"Cache-Control", "max-age=60"}}));
  });
  const auto stack = stack_over_loopback();
  std::vector<std::future<result<response>>> all;
  for (int i = 0; i < 100; ++i) all.push_back(start(*stack, get(server.url("/cold"))));
  for (auto& each : all) CHECK(each.get()->body == "once");
  CHECK(server.count("/cold") == 1);
  CHECK(fetch(*stack, get(server.url("/cold")))->cache == cache_state::hit);
}

TEST_CASE("robots.txt is asked and obeyed") {
  loopback_server server;
  server.reply("/robots.txt", 200, "User-agent: Freshet\nDisallow: /private");
  server.reply("/public", 200, "ok");
  const auto stack = stack_over_loopback();
  request what = get(server.url("/private/x"));
  what.obey_robots = true;
  CHECK(code_of(fetch(*stack, what)) == "robots_disallowed");
  what.url = server.url("/public");
  CHECK(fetch(*stack, what)->body == "ok");
  CHECK(server.count("/robots.txt") == 1);
  CHECK(server.count("/private/x") == 0);
}

TEST_CASE("a host that is down costs little after a while") {
  loopback_server server;
  server.on("*", [](const auto&, loopback_server::connection& to) {
    to.send(loopback_server::answer(503, ""));
  });
  const auto stack = stack_over_loopback(0);
  int answered = 0;
  for (int i = 0; i < 300; ++i) {
    answered += fetch(*stack, get(server.url("/" + std::to_string(i)))).has_value() ? 1 : 0;
  }
  CHECK(answered < 20);
  CHECK(server.count() < 40);
  const auto asked = server.count();
  const auto fast = fetch(*stack, get(server.url("/last")));
  CHECK(code_of(fast) == "source_unavailable");
  CHECK(fast.error().retry_after);
  CHECK(server.count() == asked);
}

TEST_CASE("a cancelled request ends early, once") {
  loopback_server server;
  server.on("/hang", [&](const auto&, loopback_server::connection&) {
    while (!server.stopping()) std::this_thread::sleep_for(5ms);
  });
  const auto stack = stack_over_loopback();
  std::uint64_t ticket = 0;
  auto answer = start(*stack, get(server.url("/hang")), 30s, &ticket);
  std::this_thread::sleep_for(50ms);
  stack->cancel(ticket);
  stack->cancel(ticket);
  stack->cancel(987654321);
  CHECK(code_of(answer.get()) == "cancelled");
}

TEST_CASE("cancel races with answers and never loses or doubles one") {
  loopback_server server;
  server.reply("/fast", 200, "x");
  const auto stack = stack_over_loopback(0);
  std::atomic<int> answers = 0;
  constexpr int each_thread = 300;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < each_thread; ++i) {
        request what = get(server.url("/fast"));
        what.cacheable = i % 2 == 0;
        const auto ticket = stack->submit(request(what), std::chrono::steady_clock::now() + 10s,
                                          [&](result<response>) { ++answers; });
        if ((i + t) % 3 != 0) stack->cancel(ticket);
      }
    });
  }
  for (auto& each : threads) each.join();
  CHECK(test::eventually([&] { return answers == 4 * each_thread; }));
}

TEST_CASE("destruction answers what is pending, also what handlers submit then") {
  loopback_server server;
  server.on("*", [&](const auto&, loopback_server::connection&) {
    while (!server.stopping()) std::this_thread::sleep_for(5ms);
  });
  std::atomic<int> cancelled = 0;
  auto stack = stack_over_loopback();
  transport& over = *stack;
  for (int i = 0; i < 50; ++i) {
    request what = get(server.url("/" + std::to_string(i)));
    what.obey_robots = i % 2 == 0;
    over.submit(request(what), std::chrono::steady_clock::now() + 30s, [&](result<response> got) {
      cancelled += code_of(got) == "cancelled" ? 1 : 0;
      over.submit(
          get("http://127.0.0.1:1/"), std::chrono::steady_clock::now() + 30s,
          [&](result<response> late) { cancelled += code_of(late) == "cancelled" ? 1 : 0; });
    });
  }
  stack.reset();
  CHECK(cancelled == 100);
}

TEST_CASE("what is recorded is replayed, without its secrets") {
  const std::string path = (std::filesystem::temp_directory_path() /
                            ("freshet-record-" + std::to_string(getpid()) + ".har"))
                               .string();
  std::string page, api;
  {
    loopback_server server;
    page = server.url("/page?key=hush&q=1");
    api = server.url("/api");
    server.reply("/page", 200, "the page", {{"Content-Type", "text/plain"}, {"ETag", "\"1\""}});
    server.on("/api", [](const auto& seen, loopback_server::connection& to) {
      to.send(loopback_server::answer(200, "{\"accessJwt\":\"hush\",\"got\":" + seen.body + "}"));
    });
    server.reply("/raw", 200, std::string("\xFF\x00\x01", 3));
    server.reply("/go", 302, "", {{"Location", "/raw"}});
    for (int run = 0; run < 2; ++run) {  // the second one appends
      stack_options options;
      options.user_agent = "Freshet/1.0";
      options.allow_private = {"127.0.0.0/8"};
      options.record_path = path;
      const auto stack = make_stack(std::move(options)).value();
      request what = get(page);
      what.headers = {{"Authorization", "Bearer hush"}, {"X-Subscription-Token", "hush"}};
      REQUIRE(fetch(*stack, what));
      what = get(api);
      what.method = "POST";
      what.body = "{\"password\":\"hush\",\"n\":" + std::to_string(run) + "}";
      REQUIRE(fetch(*stack, what));
      REQUIRE(fetch(*stack, get(server.url("/go"))));
    }
    stack_options options;
    options.replay_path = path;
    CHECK(make_stack(std::move(options)));
    page = server.url("/page?key=other&q=1");
    const std::string text = read_file(path);
    CHECK(text.find("hush") == std::string::npos);
    CHECK(text.find("REDACTED") != std::string::npos);
    stack_options again;
    again.replay_path = path;
    const auto stack = make_stack(std::move(again)).value();
    CHECK(fetch(*stack, get(page))->body == "the page");
    request what = get(api);
    what.method = "POST";
    what.body = "{\"password\":\"x\",\"n\":1}";
    CHECK(fetch(*stack, what)->body ==
          "{\"accessJwt\":\"REDACTED\",\"got\":{\"password\":\"REDACTED\",\"n\":1}}");
    what.body = "{\"password\":\"x\",\"n\":2}";
    CHECK(code_of(fetch(*stack, what)) == "source_error");
    const auto moved = fetch(*stack, get(server.url("/go")));
    CHECK(moved->body == std::string("\xFF\x00\x01", 3));
    CHECK(moved->final_url == server.url("/raw"));
    CHECK(code_of(fetch(*stack, get("http://elsewhere.test/"))) == "source_error");
    CHECK(fetch(*stack, get("http://elsewhere.test/robots.txt"))->status == 404);
  }
  std::remove(path.c_str());
}

TEST_CASE("configurations that cannot work are refused") {
  stack_options bad_network;
  bad_network.allow_private = {"not-a-network"};
  CHECK(make_stack(bad_network).error().code() == errc::invalid_configuration);
  stack_options no_authority;
  no_authority.ca_file = "/nonexistent/ca.pem";
  CHECK(make_stack(no_authority).error().code() == errc::invalid_configuration);
  stack_options no_replay;
  no_replay.replay_path = "/nonexistent/x.har";
  CHECK(make_stack(no_replay).error().code() == errc::invalid_configuration);
  stack_options no_record;
  no_record.record_path = "/nonexistent/x.har";
  CHECK(make_stack(no_record).error().code() == errc::invalid_configuration);
}
