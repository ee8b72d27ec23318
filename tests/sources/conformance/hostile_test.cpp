// Conformance: an answer cut anywhere, with members of other types, with huge values or with bytes
// that are no UTF-8 is an error or gives items that are still of their shape. It never crashes.
#include <catch2/catch.hpp>
#include <set>
#include <sources/conformance/driver.hpp>
#include <sources/hostile.hpp>

#include "support/sanitized.hpp"

using namespace freshet;

namespace {

const std::size_t cuts = test::cases<std::size_t>(48, 48, 24);
constexpr std::size_t most_places = 160;
const std::size_t swap_step = test::cases<std::size_t>(1, 6, 18);
const int mutations = test::cases(60, 30, 12);
constexpr unsigned seed = 20261101;

/// Reads one broken answer; what is wrong with the outcome, by source, operation and case.
void judge(const test::subject& one, const test::exchange& step, std::string body,
           const std::string& name, test::problem_list& out) {
  auto answer = step.answer;
  answer.body = std::move(body);
  const auto read = one.how->read({one.what, *one.where, answer, step.position, step.state});
  for (const auto& wrong : test::step_problems(read, one.source->name))
    out.push_back(one.name() + ", state '" + step.state + "', " + name + ": " + wrong);
}

/// The exchanges of a subject that differ in how they are read: the first of each state.
std::vector<const test::exchange*> kinds_of(const test::subject& one) {
  std::vector<const test::exchange*> out;
  std::set<std::string> states;
  for (const auto& page : one.pages) {
    for (const auto& step : page.steps) {
      const auto kind = step.state.substr(0, step.state.find_first_of(":|,; "));
      if (states.insert(kind).second) out.push_back(&step);
    }
  }
  return out;
}

}  // namespace

TEST_CASE("conformance: an answer that is cut is an error or still sound", "[many]") {
  test::problem_list wrong;
  for (const auto& one : test::subjects()) {
    for (const auto* step : kinds_of(one)) {
      for (auto& body : test::cut_bodies(step->answer.body, cuts)) {
        const auto what = "cut to " + std::to_string(body.size()) + " bytes";
        judge(one, *step, std::move(body), what, wrong);
      }
    }
  }
  CHECK(test::joined(wrong, 20) == "");
}

TEST_CASE("conformance: members of other types and huge values leave items sound", "[many]") {
  test::problem_list wrong;
  std::size_t read = 0;
  for (const auto& one : test::subjects()) {
    for (const auto* step : kinds_of(one)) {
      test::for_each_swap(step->answer.body, most_places, swap_step,
                          [&](const std::string& what, std::string body) {
                            ++read;
                            judge(one, *step, std::move(body), what, wrong);
                          });
    }
  }
  CHECK(read > most_places * 60 / swap_step);
  CHECK(test::joined(wrong, 20) == "");
}

TEST_CASE("conformance: bytes that are no UTF-8 and broken syntax leave items sound", "[many]") {
  test::problem_list wrong;
  for (const auto& one : test::subjects()) {
    for (const auto* step : kinds_of(one)) {
      std::mt19937 random(seed);
      for (int i = 0; i < mutations; ++i) {
        judge(one, *step, test::mutated(step->answer.body, random), "mutation " + std::to_string(i),
              wrong);
      }
    }
  }
  CHECK(test::joined(wrong, 20) == "");
}

TEST_CASE("conformance: what reading an answer takes is counted, and can be ended") {
  constexpr std::size_t bytes_of_step = 100, short_body = 200;
  test::problem_list wrong;
  for (const auto& one : test::subjects()) {
    for (const auto* step : kinds_of(one)) {
      if (step->answer.body.size() < short_body) continue;
      const auto read_within = [&](base::meter& counted) {
        auto answer = step->answer;
        answer.counted = &counted;
        const auto read =
            one.how->read({one.what, *one.where, answer, step->position, step->state, &counted});
        // A page says by itself that it was not read to its end.
        return !read && read.error().code() == errc::unsupported_content;
      };
      base::meter counted;
      static_cast<void>(read_within(counted));
      const auto name = one.name() + ", state '" + step->state.substr(0, 20) + "': ";
      if (counted.spent() < step->answer.body.size() / bytes_of_step)
        wrong.push_back(name + std::to_string(counted.spent()) + " steps for " +
                        std::to_string(step->answer.body.size()) + " bytes");
      base::meter half(nullptr, counted.spent() / 2);
      bool is_ended = false;
      try {
        is_ended = read_within(half);
      } catch (const base::work_ended&) {
        is_ended = true;
      }
      if (!is_ended) wrong.push_back(name + "it cannot be ended");
    }
  }
  CHECK(test::joined(wrong, 20) == "");
}

TEST_CASE("conformance: reading what earlier steps have found is counted, too") {
  // What a step hands on grows with the answers of others, and is read again at each.
  constexpr std::size_t bytes_of_step = 100, short_state = 200;
  test::problem_list wrong;
  std::size_t looked_at = 0;
  for (const auto& one : test::subjects()) {
    for (const auto& page : one.pages) {
      for (const auto& step : page.steps) {
        const auto open = step.state.find('{');
        if (open == std::string::npos || step.state.size() - open < short_state) continue;
        ++looked_at;
        base::meter counted;  // the answer itself is not counted on it
        static_cast<void>(one.how->read(
            {one.what, *one.where, step.answer, step.position, step.state, &counted}));
        if (counted.spent() < step.state.size() / bytes_of_step)
          wrong.push_back(one.name() + ", state '" + step.state.substr(0, 20) +
                          "': " + std::to_string(counted.spent()) + " steps");
      }
    }
  }
  CHECK(looked_at > 5);
  CHECK(test::joined(wrong, 20) == "");
}
