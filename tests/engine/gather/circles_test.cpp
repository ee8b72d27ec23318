// Sources that lead in a circle, of any length and from anywhere: a walk gives every item once and
// ends, while one that only takes long goes on.
#include <base/clock.hpp>
#include <base/url.hpp>
#include <catch2/catch.hpp>
#include <engine/gather/gatherer.hpp>
#include <engine/gather/made_up_source.hpp>
#include <memory>
#include <set>
#include <support/print_result.hpp>

using namespace freshet;
using namespace freshet::detail;

namespace {

/// Answers with the page's number.
class echo_transport final : public http::transport {
 public:
  explicit echo_transport(int& asked) : asked_(asked) {}
  std::uint64_t submit(http::request&& wanted, deadline, handler done) override {
    ++asked_;
    http::response answer;
    answer.status = 200;
    answer.body = base::parse_url(wanted.url)->query;
    done(std::move(answer));
    return 1;
  }
  void cancel(std::uint64_t) override {}

 private:
  int& asked_;
};

/// The settings of a made-up source say how many pages there are ("pages"), to which of them the
/// last one leads ("back"; none: to no other), how often all are given under names that never come
/// again, with one more at the end ("rounds"; 0: without an end), and how many items a page has
/// ("items").
int number_of(const sources::settings& where, std::string_view key) {
  const auto text = where.get(key);
  return text.empty() ? -1 : std::stoi(std::string(text));
}

result<http::request> plan_circle(const sources::call&, const sources::settings&,
                                  std::string_view position) {
  http::request what;
  what.url = "http://a.test/?" + (position.empty() ? "0" : std::string(position));
  return what;
}

result<sources::step> read_circle(const sources::exchange& exchange) {
  const auto& where = exchange.settings;
  const auto page = std::stoi(exchange.answer.body);
  const auto pages = number_of(where, "pages");
  sources::listing out;
  for (int i = 0; i < number_of(where, "items"); ++i) {
    post one;
    one.source = "made-up";
    const bool is_end = page > 0 && page == pages * number_of(where, "rounds");
    one.id = "made-up:" + (is_end ? "end" : std::to_string(page % pages)) + "-" + std::to_string(i);
    one.url = "https://origin.example/" + one.id;
    out.items.push_back(std::move(one));
  }
  if (number_of(where, "rounds") >= 0) {
    const bool goes_on =
        number_of(where, "rounds") == 0 || page < pages * number_of(where, "rounds");
    if (goes_on) out.next = std::to_string(page + 1);
  } else if (page + 1 < pages || number_of(where, "back") >= 0) {
    out.next = std::to_string(page + 1 < pages ? page + 1 : number_of(where, "back"));
  }
  return sources::step(std::move(out));
}

constexpr sources::capability paged[] = {
    {catalog::operation::microblog_search, sources::native_none, plan_circle, read_circle}};
constexpr auto circling = test::made_up_source("made-up", "microblog", paged, "instances");

struct walk_of_source {
  int calls = 0, asked = 0;
  std::size_t items = 0, repeated = 0;
  bool is_told = false;
};

walk_of_source walk(std::map<std::string, std::string, std::less<>> values, std::size_t wanted) {
  walk_of_source out;
  environment in;
  workers pool{2};
  configured_source source{&circling, true, {}, {}};
  in.clock = &base::system_clock();
  in.transport = std::make_unique<echo_transport>(out.asked);
  source.instances.push_back({"http://a.test", std::move(values)});
  std::set<std::string> seen;
  cursor_state from;
  for (constexpr int most = 2000; out.calls < most;) {
    gather_request plan;
    plan.parts[0].what.op = catalog::operation::microblog_search;
    plan.wanted = wanted;
    plan.from = from;
    const auto page = test::gather(in, pool, std::move(plan), {&source});
    REQUIRE(page);
    ++out.calls;
    for (const auto& one : page->items) {
      ++out.items;
      if (!seen.insert(common(one.get()).id).second) ++out.repeated;
    }
    for (const auto& one : page->warnings)
      out.is_told = out.is_told || one.find("gives again what it has given") != std::string::npos;
    if (!page->more) return out;
    // As a client has it.
    const auto cursor = write_cursor(page->after, "", "secret", time_point());
    from = *read_cursor(cursor, "", "secret", time_point());
  }
  FAIL("the walk does not end");
  return out;
}

}  // namespace

TEST_CASE("a walk ends where a source leads back, whatever to") {
  for (const int pages : {2, 3, 7, 40}) {
    for (const int back : {0, 1, pages - 2}) {
      for (const std::size_t wanted : {3, 12}) {
        INFO(pages << " pages, back to " << back << ", by " << wanted);
        const auto done =
            walk({{"pages", std::to_string(pages)}, {"back", std::to_string(back)}, {"items", "5"}},
                 wanted);
        CHECK(done.items == static_cast<std::size_t>(pages) * 5);
        CHECK(done.repeated == 0);
        // A page that leads to itself is the last one.
        CHECK(done.is_told == (back != pages - 1));
        CHECK(done.asked <= 5 * pages + 30);
      }
    }
  }
}

TEST_CASE("a circle ends that is longer than what a walk remembers of items", "[alone]") {
  // The cursor knows the last thousand of them.
  const auto done = walk({{"pages", "30"}, {"back", "0"}, {"items", "100"}}, 100);
  CHECK(done.items >= 3000);
  CHECK(done.asked <= 150);
  CHECK(done.is_told);
}

TEST_CASE("a walk ends where a source gives the same under names that are always new") {
  const auto done = walk({{"pages", "2"}, {"rounds", "0"}, {"items", "5"}}, 5);
  CHECK(done.items == 10);
  CHECK(done.repeated == 0);
  CHECK(done.is_told);
  CHECK(done.asked <= 10);
}

TEST_CASE("a walk that only takes long is given to its end") {
  const auto twice = walk({{"pages", "60"}, {"rounds", "2"}, {"items", "5"}}, 5);
  CHECK(twice.items == 305);
  CHECK(twice.repeated == 0);
  CHECK_FALSE(twice.is_told);
  for (const std::size_t wanted : {3, 5, 12, 100}) {
    const auto done = walk({{"pages", "100"}, {"items", "5"}}, wanted);
    CHECK(done.items == 500);
    CHECK(done.repeated == 0);
    CHECK_FALSE(done.is_told);
  }
}
