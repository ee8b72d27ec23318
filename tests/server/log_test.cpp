// No request can forge a line, and no key is ever in one.
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <catch2/catch.hpp>
#include <server/log.hpp>
#include <string>
#include <thread>

using namespace freshet::server;

namespace {

std::string escaped(std::string_view text) {
  std::string out;
  append_log_text(out, text);
  return out;
}

}  // namespace

TEST_CASE("texts are escaped") {
  CHECK(escaped("a\"b\\c\r\nd\x01\x7f") == R"("a\"b\\c\r\nd\u0001\u007f")");
  CHECK(escaped("caf\xc3\xa9 \xf0\x9f\x98\x80") == "\"caf\xc3\xa9 \xf0\x9f\x98\x80\"");
  CHECK(escaped("a\xff\xc3") == "\"a\xef\xbf\xbd\xef\xbf\xbd\"");
  CHECK(escaped("\xed\xa0\x80") == "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
  // What a terminal that shows the log obeys, and what turns the letters in it.
  CHECK(escaped("\u0080\u009B\u00A0\u202A\u202E\u202F\u2065\u2066\u2069\u206A") ==
        "\"\\u0080\\u009b\u00A0\\u202a\\u202e\u202F\u2065\\u2066\\u2069\u206A\"");
  CHECK(escaped(std::string(5000, 'x')).size() < 3000);
}

TEST_CASE("keys are blotted out, also where a long text is cut") {
  const std::string key = "frs_live_" + std::string(38, 'K');
  CHECK(escaped("with " + key + ".") == "\"with frs_live_***.\"");
  CHECK(escaped("frs_test_ab") == "\"frs_test_***\"");
  for (std::size_t before = 1995; before < 2055; ++before) {
    const std::string text = std::string(before, '.') + key;
    CHECK(escaped(text).find("KKK") == std::string::npos);
  }
}

TEST_CASE("a line is one JSON object") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  {
    logger log(ends[1]);
    log.access({"req_1", "GET", "/a\nb", 200, 1.25, 3, 4});
    log.access({"req_2", "GET", "/c", 404, 0.5, 0, 5});
    log.line("warn", "two\nlines");
  }
  ::close(ends[1]);
  std::string text(10000, '\0');
  text.resize(static_cast<std::size_t>(::read(ends[0], text.data(), text.size())));
  ::close(ends[0]);
  CHECK(std::count(text.begin(), text.end(), '\n') == 3);
  const auto first = boost::json::parse(text.substr(0, text.find('\n')));
  CHECK(first.at("path") == "/a\nb");
  CHECK(first.at("status") == 200);
  CHECK(first.at("credits") == 3);
  CHECK(first.at("bytes") == 4);
  CHECK(first.at("request_id") == "req_1");
  CHECK(first.at("level") == "info");
}

TEST_CASE("who logs never waits for a reader; what is dropped is counted and said") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  std::string text;
  {
    logger log(ends[1], true, 32 * 1024);
    // Far more than the pipe and the room hold, and nobody reads; again where the pipe had room
    // for all that was not dropped before it was written.
    int lines = 0;
    do {
      for (int i = 0; i < 5000; ++i, ++lines) log.line("info", std::string(100, 'x'));
    } while (log.flush(std::chrono::milliseconds(1)));
    CHECK(log.dropped() > 0);
    CHECK(log.dropped() < static_cast<std::uint64_t>(lines));
    std::thread reader([&] {
      char bytes[4096];
      ssize_t size = 0;
      while ((size = ::read(ends[0], bytes, sizeof bytes)) > 0) {
        text.append(bytes, static_cast<std::size_t>(size));
      }
    });
    while (!log.flush(std::chrono::milliseconds(100))) continue;
    log.line("info", "after");
    const auto dropped = log.dropped();
    while (!log.flush(std::chrono::milliseconds(100))) continue;
    ::close(ends[1]);
    reader.join();
    const auto written = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    // It may be said more than once, of some of them each time.
    std::uint64_t said = 0, sayings = 0;
    const std::string mark = "\"log: ";
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
      said += std::stoull(text.substr(at + mark.size(), 20));
      ++sayings;
    }
    CHECK(said == dropped);
    CHECK(written == lines + 1 + sayings - dropped);
  }
  ::close(ends[0]);
}

TEST_CASE("the end of a log that nobody reads comes all the same") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  {
    logger log(ends[1]);
    for (int i = 0; i < 2000; ++i) log.line("info", std::string(100, 'x'));
  }
  // The other end stays open: the writer may still hold it, and another's file would get its
  // number.
  ::close(ends[0]);
}

TEST_CASE("a reader of the log that goes away ends nothing") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  {
    logger log(ends[1]);
    for (int i = 0; i < 2000; ++i) log.line("info", std::string(100, 'x'));
    ::close(ends[0]);
    log.line("info", "nobody reads this");
    CHECK(log.flush(std::chrono::seconds(20)));
  }
  ::close(ends[1]);
}
