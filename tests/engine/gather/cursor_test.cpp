// Cursors: what is written is read back, and nothing else is accepted.
#include <catch2/catch.hpp>
#include <engine/gather/cursor.hpp>
#include <support/print_result.hpp>

using namespace freshet;
using namespace freshet::detail;

namespace {

const time_point now = std::chrono::sys_days{std::chrono::year{2026} / 11 / 21};
constexpr std::string_view secret = "a secret of thirty-two bytes....";
constexpr std::string_view call_identity = R"({"path":"microblog/search","q":"tide"})";

cursor_state sample_state() {
  cursor_state state;
  state.given = 40;
  state.since = now - std::chrono::hours(24);
  state.last_times = {{"", now - std::chrono::hours(1)}, {"news", now}};
  state.page_size = 20;
  state.next["bluesky"] = "25";
  state.next["mastodon#0123abcd"] = "max_id=\"109\"&\u00e9";
  state.ended.insert("lemmy");
  state.marks["bluesky"] = {3, 4'000'000'000u};
  for (std::uint32_t i = 0; i < 40; ++i) state.fingerprints.push_back(i * 2654435761u);
  state.block = 3;
  return state;
}

}  // namespace

TEST_CASE("a cursor carries a walk's state") {
  const auto text = write_cursor(sample_state(), call_identity, secret, now);
  CHECK(text.starts_with("c1."));
  CHECK(text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                               "-_.") == std::string::npos);
  const auto read = read_cursor(text, call_identity, secret, now + std::chrono::minutes(5));
  REQUIRE(read);
  const auto expected = sample_state();
  CHECK(read->given == expected.given);
  CHECK(read->since == expected.since);
  CHECK(read->last_times == expected.last_times);
  CHECK(read->page_size == expected.page_size);
  CHECK(read->next == expected.next);
  CHECK(read->ended == expected.ended);
  CHECK(read->marks == expected.marks);
  CHECK(read->fingerprints == expected.fingerprints);
  CHECK(read->block == expected.block);
}

TEST_CASE("a cursor that was changed in any character is refused") {
  const auto text = write_cursor(sample_state(), call_identity, secret, now);
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto changed = text;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    const auto read = read_cursor(changed, call_identity, secret, now);
    INFO("character " << i);
    // The last character of a base64 text may hold bits that stand for nothing.
    if (!read) {
      CHECK(read.error().code() == errc::invalid_cursor);
    } else {
      CHECK((i + 1 == text.size()));
    }
  }
  for (std::size_t size = 0; size < text.size(); size += 7) {
    CHECK_FALSE(read_cursor(std::string_view(text).substr(0, size), call_identity, secret, now));
  }
}

TEST_CASE("a cursor belongs to its query and its secret, and expires") {
  const auto text = write_cursor(sample_state(), call_identity, secret, now);
  CHECK_FALSE(read_cursor(text, R"({"path":"microblog/search","q":"ebb"})", secret, now));
  CHECK_FALSE(read_cursor(text, call_identity, "another secret", now));
  CHECK(read_cursor(text, call_identity, secret, now + cursor_lifetime));
  const auto late =
      read_cursor(text, call_identity, secret, now + cursor_lifetime + std::chrono::seconds(1));
  REQUIRE_FALSE(late);
  CHECK(late.error().detail().find("expired") != std::string::npos);
}

TEST_CASE("a cursor stays within its bound by dropping the oldest fingerprints") {
  auto state = sample_state();
  for (int i = 0; i < 12; ++i) state.next["source" + std::to_string(i)] = std::string(250, 'p');
  state.fingerprints.clear();
  for (std::uint32_t i = 0; i < 5000; ++i) state.fingerprints.push_back(i);
  const auto text = write_cursor(state, call_identity, secret, now);
  CHECK(text.size() <= max_cursor_bytes);
  const auto read = read_cursor(text, call_identity, secret, now);
  REQUIRE(read);
  REQUIRE_FALSE(read->fingerprints.empty());
  CHECK(read->fingerprints.size() <= max_fingerprints);
  CHECK(read->fingerprints.back() == 4999);
  CHECK(read->next == state.next);
}
