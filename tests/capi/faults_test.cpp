// Each allocation of a run fails once, and then each with all that follow it: in the calls
// themselves and on the library's own threads. Every failure is a result that says so; nothing
// leaks (AddressSanitizer), nothing races (ThreadSanitizer), and the next call is served as ever.
#include <algorithm>
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <string>

#include "capi/failing_new.hpp"
#include "capi/handles.hpp"
#include "capi/scripted_server.hpp"
#include "support/sanitized.hpp"

using namespace freshet::test;

namespace {

constexpr std::string_view sandbox = "network.sandbox = true";

/// The errors that a run has met, kept without an allocation; "" for a success.
class told {
 public:
  const result_handle& operator<<(const result_handle& one) {
    names_[std::min(count_++, names_.size() - 1)] =
        freshet_error_name(freshet_result_error(one.get()));
    return one;
  }
  [[nodiscard]] bool says_only(const char* expected) const {
    for (std::size_t i = 0; i < std::min(count_, names_.size()); ++i) {
      const bool fine = *names_[i] == '\0' || strcmp(names_[i], "overloaded") == 0 ||
                        strcmp(names_[i], expected) == 0;
      if (!fine) UNSCOPED_INFO("it said " << names_[i]);
      if (!fine) return false;
    }
    return count_ > 0;
  }

 private:
  std::array<const char*, 16> names_{};
  std::size_t count_ = 0;
};

/// Every allocation is tried, with FRESHET_EVERY_ALLOCATION; without it those beyond the first
/// hundreds in steps that grow, for far ones repeat in kind what near ones do.
std::uint64_t step_after(std::uint64_t n) {
  static const bool every = std::getenv("FRESHET_EVERY_ALLOCATION") != nullptr;
  constexpr std::uint64_t near = freshet::test::sanitized ? 40 : 400;
  constexpr std::uint64_t part = freshet::test::sanitized ? 4 : 8;
  return every || n < near ? 1 : 1 + (n - near) / part;
}

/// Runs `run` with the first allocation failing, then the second… until none fails any more.
/// `expected`: an error that it may meet beside the want of memory.
template <class Run>
void fail_each(const Run& run, const char* expected = "overloaded") {
  for (const auto how : {failing::once, failing::onwards}) {
    int failures = 0;
    for (std::uint64_t n = 1;; n += step_after(n)) {
      told names;
      arm(how, n);
      run(names);
      const bool failed = disarm();
      if (!names.says_only(expected)) FAIL("allocation " << n << " failed");
      if (!failed) break;
      ++failures;
    }
    CHECK(failures > 5);
  }
}

void check_served(const client_handle& client) {
  const auto page = call(client, "news/search", R"({"q":"climate","limit":2})");
  CHECK(error_of(page).empty());
  CHECK(data_of(page).size() > 2);
}

client_handle open_told(told& names, freshet_log log = nullptr, void* user_data = nullptr) {
  freshet_client* client = nullptr;
  const result_handle opened(
      freshet_open(FRESHET_ABI, sandbox.data(), sandbox.size(), log, user_data, &client));
  names << opened;
  return client_handle(client);
}

client_handle connect_told(told& names, const std::string& url) {
  freshet_client* client = nullptr;
  const result_handle opened(
      freshet_connect(FRESHET_ABI, url.data(), url.size(), nullptr, 0, nullptr, nullptr, &client));
  names << opened;
  return client_handle(client);
}

}  // namespace

TEST_CASE("calls in process") {
  const auto client = open_sandbox();
  const auto [endpoint, body] = GENERATE(table<const char*, const char*>(
      {{"microblog/users/lookup", R"({"username":"alice.test"})"},
       {"shortvideo/profiles/lookup", R"({"username":"coastlab"})"},
       {"scrape/markdown", R"({"url":"https://example.com/tide-gauges"})"},
       {"news/search", R"({"q":"climate","limit":2})"},
       {"news/search", R"({"q":"climate","dry_run":true})"},
       {"news/search", R"({"q":"climate","sinse":"7d"})"},
       {"nowhere", ""}}));
  CAPTURE(endpoint, body);
  const char* const expected = error_of(call(client, endpoint, body)).empty() ? "overloaded"
                               : strcmp(endpoint, "nowhere") == 0             ? "unknown_endpoint"
                                                                              : "invalid_request";
  fail_each([&](told& names) { names << call(client, endpoint, body, R"({"request_id":"x"})"); },
            expected);
  check_served(client);
}

TEST_CASE("started calls, waited for, cancelled and dropped") {
  const auto client = open_sandbox();
  constexpr std::string_view body = R"({"username":"coastlab"})";
  fail_each(
      [&](told& names) {
        const auto first = start(client, "shortvideo/profiles/lookup", body);
        const auto second = start(client, "shortvideo/profiles/lookup", body);
        const auto third = start(client, "shortvideo/profiles/lookup", body);
        freshet_call_cancel(second.get());
        names << wait(second);
        while (true) {
          const auto got = wait(first, 5);
          if (got != nullptr) {
            names << got;
            break;
          }
        }
      },
      "cancelled");
  check_served(client);
}

/// What a walk has given, without an allocation: the sizes of `data` of its pages, in order.
struct given_pages {
  std::array<std::size_t, 8> sizes{};
  std::size_t count = 0;

  void walk(const client_handle& client, told& names) {
    constexpr std::string_view body = R"({"username":"coastlab","limit":1})";
    count = 0;
    const auto over = pages(client, "shortvideo/profiles/videos", body, {}, 0, 3);
    for (std::size_t tries = 0; tries < sizes.size(); ++tries) {
      const auto page = next(over);
      if (page == nullptr) return;
      names << page;
      if (freshet_result_error(page.get()) != 0) continue;
      freshet_result_data(page.get(), &sizes[count]);
      ++count;
    }
  }
  [[nodiscard]] bool begins(const given_pages& of) const {
    return count <= of.count && std::equal(sizes.begin(), sizes.begin() + count, of.sizes.begin());
  }
};

TEST_CASE("a walk over pages goes on behind a failure, and gives each page once") {
  const auto client = open_sandbox();
  given_pages whole, got;
  told names;
  whole.walk(client, names);
  REQUIRE(whole.count == 3);
  REQUIRE(whole.sizes[0] != whole.sizes[1]);
  bool always_prefix = true;
  int complete = 0;
  fail_each([&](told& errors) {
    got.walk(client, errors);
    always_prefix = always_prefix && got.begins(whole);
    complete += got.count == whole.count ? 1 : 0;
  });
  CHECK(always_prefix);
  CHECK(complete > 10);  // all that fail once, but for the walk's own beginning
  check_served(client);
}

TEST_CASE("markdown") {
  constexpr std::string_view html =
      "<html><head><title>Tides</title></head><body><main><h1>Tides</h1><p>High at <b>noon</b>, "
      "says <a href='/gauge'>the gauge</a>.</p><table><tr><th>A<th>B<tr><td>1<td>2</table>"
      "<ul><li>one<li>two</ul><pre><code>x = 1</code></pre></main></body></html>";
  constexpr std::string_view options =
      R"({"mode":"article","url":"https://example.org/","exclude":[".advert"],"links":"footnotes"})";
  fail_each([&](told& names) {
    names << result_handle(
        freshet_markdown(html.data(), html.size(), options.data(), options.size()));
  });
  CHECK(error_of(result_handle(freshet_markdown(html.data(), html.size(), nullptr, 0))).empty());
}

TEST_CASE("opening, a log, and freeing") {
  static std::atomic<int> lines = 0;
  fail_each(
      [&](told& names) {
        const auto client = open_told(names, [](void*, const char*, const char*) { ++lines; });
        if (client != nullptr) names << call(client, "nowhere");
      },
      "unknown_endpoint");
  CHECK(lines > 0);
}

TEST_CASE("a server that answers, breaks off, or is not there, and freeing in between") {
  const auto good = scripted_server::answers(200, envelope(1, 2, "c1.a"));
  const bool breaks = GENERATE(false, true);
  const scripted_server server({breaks ? scripted_server::breaks_off() : good});
  const bool is_there = GENERATE(true, false);
  const std::string url = is_there ? server.url() : "http://127.0.0.1:1";
  constexpr std::string_view body = R"({"q":"climate","limit":2})";
  fail_each(
      [&](told& names) {
        const auto client = connect_told(names, url);
        if (client == nullptr) return;
        names << call(client, "news/search", body);
        const auto over = pages(client, "news/search", body, {}, 2, 0);
        names << next(over);
        const auto left = start(client, "news/search", body);
      },
      "source_unavailable");
}

TEST_CASE("a client of a server goes on after its memory has failed") {
  const scripted_server server({scripted_server::answers(200, envelope(1, 2, ""))});
  const auto client = connect_to(server.url());
  fail_each([&](told& names) { names << call(client, "news/search", R"({"q":"x"})"); });
  CHECK(data_of(call(client, "news/search")) == "[1,2]");
}
