// The table of pending requests: each is answered once, whoever comes first, also out of the middle
// of a handler.
#include <catch2/catch.hpp>
#include <http/pending_requests.hpp>
#include <support/print_result.hpp>

#include "virtual_scheduler.hpp"
#include "waiting.hpp"

using namespace freshet;
using namespace freshet::http;
using namespace freshet::test;

namespace {

struct noted {
  std::uint64_t inner = 0;
  std::string name;
};

struct table_rig {
  pending_requests<noted> requests;
  std::vector<std::string> answers;

  std::uint64_t add(std::string name) {
    const std::uint64_t ticket = requests.take_ticket();
    requests.add(
        ticket,
        [this, name](const result<response>& got) { answers.push_back(name + " " + code_of(got)); },
        {0, name});
    return ticket;
  }
};

}  // namespace

TEST_CASE("a request is answered once, and then it is unknown") {
  table_rig of;
  const auto first = of.add("a");
  const auto second = of.add("b");
  CHECK(first != 0);
  CHECK(first != second);
  REQUIRE(of.requests.find(first) != nullptr);
  CHECK(of.requests.find(first)->name == "a");
  CHECK(of.requests.at(second).name == "b");
  of.requests.answer(first, status(200));
  of.requests.answer(first, error(errc::cancelled));
  CHECK(of.answers == std::vector<std::string>{"a ok"});
  CHECK(of.requests.find(first) == nullptr);
  CHECK_FALSE(of.requests.take(first));
  CHECK_FALSE(of.requests.take(0));

  auto taken = of.requests.take(second);
  REQUIRE(taken);
  CHECK(taken->name == "b");
  of.requests.answer(second, status(200));
  CHECK(of.answers.size() == 1);
  taken.answer(error(errc::source_timeout));
  CHECK(of.answers.back() == "b source_timeout");
}

TEST_CASE("a handler may answer, enter and drop requests") {
  pending_requests<noted> requests;
  int calls = 0;
  const auto ticket = requests.take_ticket();
  requests.add(ticket,
               [&](const result<response>&) {
                 ++calls;
                 requests.answer(ticket, status(200));
                 for (int i = 0; i < 100; ++i) requests.add(requests.take_ticket(), nullptr, {});
                 requests.clear();
               },
               {});
  requests.answer(ticket, status(200));
  CHECK(calls == 1);
  CHECK_FALSE(requests.take_any());
}

TEST_CASE("what is dropped is not answered, and what is taken at the end is") {
  table_rig of;
  of.add("a");
  of.requests.clear();
  CHECK(of.answers.empty());
  of.add("b");
  of.add("c");
  std::size_t seen = 0;
  of.requests.for_each([&](const noted& each) { seen += each.name.size(); });
  CHECK(seen == 2);
  while (auto each = of.requests.take_any()) each.answer(error(errc::cancelled));
  CHECK(of.answers.size() == 2);
}

TEST_CASE("a request that is handed on is answered by who gets it, now or later") {
  table_rig of;
  scripted_transport next;
  const auto later = of.add("later");
  of.requests.forward(later, next, get("http://a.test/"), {});
  CHECK(of.requests.at(later).inner == next.open.begin()->first);
  next.reply(status(200));
  CHECK(of.answers == std::vector<std::string>{"later ok"});

  next.answer = [](const request&) { return error(errc::source_error); };
  const auto now = of.add("now");
  of.requests.forward(now, next, get("http://a.test/"), {});
  CHECK(of.answers.back() == "now source_error");
  CHECK(of.requests.find(now) == nullptr);
}
