// The cases of W3C's own suite (trace-context, test/test.py), as a server that goes on with a trace
// has to take them.
#include <catch2/catch.hpp>
#include <telemetry/trace_context.hpp>

using namespace freshet::telemetry;

namespace {

const std::string trace = "12345678901234567890123456789012";
const std::string span = "1234567890123456";
const std::string sound = "00-" + trace + "-" + span + "-01";

std::string state_of(std::string_view tracestate) {
  const auto read = read_trace_context(sound, tracestate);
  return read ? read->state : "no trace";
}

std::string repeated(char c, std::size_t times) { return std::string(times, c); }

}  // namespace

TEST_CASE("a traceparent is read and written as it came") {
  const auto read = read_trace_context(sound, "");
  REQUIRE(read);
  CHECK(read->is_sampled());
  CHECK(read->parent == 0x1234567890123456u);
  CHECK(write_traceparent(read->trace, read->parent, read->flags) == sound);
  const auto quiet = read_trace_context("00-" + trace + "-" + span + "-00", "");
  REQUIRE(quiet);
  CHECK_FALSE(quiet->is_sampled());
}

TEST_CASE("flags without a meaning are not passed on, and that of random numbers is") {
  const auto read = read_trace_context("00-" + trace + "-" + span + "-ff", "");
  REQUIRE(read);
  CHECK(read->flags == (sampled_flag | random_flag));
  CHECK(read_trace_context("00-" + trace + "-" + span + "-02", "")->flags == random_flag);
}

TEST_CASE("a traceparent that is malformed in any way is none") {
  const std::string cases[] = {
      "",
      "00",
      "00-" + trace,
      "00-" + trace + "-" + span,
      "00-" + trace + "-" + span + "-",
      "00-" + trace + "-" + span + "-0",
      "00-" + trace + "-" + span + "-001",
      "00-" + trace + "-" + span + "-01-",
      "00-" + trace + "-" + span + "-01-what-the-future-will-be-like",
      "00-" + trace + "-" + span + "-01.what-the-future-will-be-like",
      "ff-" + trace + "-" + span + "-01",
      "FF-" + trace + "-" + span + "-01",
      ".0-" + trace + "-" + span + "-01",
      "0.-" + trace + "-" + span + "-01",
      "0-" + trace + "-" + span + "-01",
      "000-" + trace + "-" + span + "-01",
      "00-" + repeated('0', 32) + "-" + span + "-01",
      "00-" + trace + "-" + repeated('0', 16) + "-01",
      "00-.2345678901234567890123456789012-" + span + "-01",
      "00-1234567890123456789012345678901.-" + span + "-01",
      "00-1234567890123456789012345678901-" + span + "-01",
      "00-123456789012345678901234567890123-" + span + "-01",
      "00-ABCDEF78901234567890123456789012-" + span + "-01",
      "00-" + trace + "-.234567890123456-01",
      "00-" + trace + "-123456789012345.-01",
      "00-" + trace + "-123456789012345-01",
      "00-" + trace + "-12345678901234567-01",
      "00-" + trace + "-ABCDEF7890123456-01",
      "00-" + trace + "-" + span + "-.0",
      "00-" + trace + "-" + span + "-0.",
      "00-" + trace + "-" + span + "-0A",
      "00_" + trace + "-" + span + "-01",
      "00-" + trace + "_" + span + "-01",
      "00-" + trace + "-" + span + "_01",
      " " + sound,
      sound + " ",
      sound + "," + sound,
  };
  for (const auto& one : cases) {
    INFO(one);
    CHECK_FALSE(read_trace_context(one, "foo=1"));
  }
}

TEST_CASE("a later version is read as far as it is known") {
  for (const auto* version : {"01", "cc", "fe"}) {
    const auto parent = version + ("-" + trace + "-" + span + "-01");
    INFO(parent);
    const auto read = read_trace_context(parent, "foo=1");
    REQUIRE(read);
    CHECK(read->state == "foo=1");
    CHECK(write_traceparent(read->trace, read->parent, read->flags) == sound);
    CHECK(read_trace_context(parent + "-what-the-future-will-be-like", ""));
    CHECK_FALSE(read_trace_context(parent + ".what-the-future-will-be-like", ""));
  }
}

TEST_CASE("a tracestate is passed on in its order, without what stands around its members") {
  CHECK(state_of("foo=1,bar=2") == "foo=1,bar=2");
  CHECK(state_of("foo=1 \t , \t bar=2, \t baz=3") == "foo=1,bar=2,baz=3");
  CHECK(state_of("foo=1\t \t,\t \tbar=2,\t \tbaz=3") == "foo=1,bar=2,baz=3");
  CHECK(state_of("foo=1,,,bar=2,") == "foo=1,bar=2");
  CHECK(state_of("").empty());
  CHECK(state_of(" , ").empty());
  CHECK(state_of("foo@acme=1,0tenant@acme=2") == "foo@acme=1,0tenant@acme=2");
  CHECK(state_of("a_-*/z9=!\"#$%&'()*+-./:;<>?@[\\]^_`{|}~ x") ==
        "a_-*/z9=!\"#$%&'()*+-./:;<>?@[\\]^_`{|}~ x");
}

TEST_CASE("a tracestate that is none is left out, and the trace goes on") {
  const std::string cases[] = {
      "foo",
      "foo=",
      "=1",
      "foo=1,foo=1",
      "foo=1,foo=2",
      "foo =1",
      "FOO=1",
      "foo.bar=1",
      "0foo=1",
      "foo@=1,bar=2",
      "@foo=1,bar=2",
      "foo@@bar=1,bar=2",
      "foo@bar@baz=1,bar=2",
      "foo@0acme=1",
      "foo=bar=baz",
      "foo=bar\x01"
      "baz",
      "foo=caf\xc3\xa9",
      "foo=1;bar=2",
  };
  for (const auto& one : cases) {
    INFO(one);
    const auto read = read_trace_context(sound, one);
    REQUIRE(read);
    CHECK((read->state.empty() || read->state == "foo=1;bar=2"));
  }
}

TEST_CASE("keys, values, members and all of a tracestate have limits") {
  const auto key = repeated('z', 256) + "=1";
  CHECK(state_of("foo=1," + key) == "foo=1," + key);
  CHECK(state_of("foo=1," + repeated('z', 257) + "=1").empty());
  const auto tenant = repeated('t', 241) + "@" + repeated('v', 14) + "=1";
  CHECK(state_of("foo=1," + tenant) == "foo=1," + tenant);
  CHECK(state_of(repeated('t', 242) + "@v=1").empty());
  CHECK(state_of("t@" + repeated('v', 15) + "=1").empty());
  CHECK(state_of("foo=" + repeated('x', 256)) == "foo=" + repeated('x', 256));
  CHECK(state_of("foo=" + repeated('x', 257)).empty());
  std::string many;
  for (int i = 0; i < 32; ++i) {
    many += (i == 0 ? "b" : ",b") + std::to_string(i) + "=" + std::to_string(i);
  }
  CHECK(state_of(many) == many);
  CHECK(state_of(many + ",c=1").empty());
  const auto full = "a=" + repeated('x', 250) + ",b=" + repeated('y', 256) + ",";
  CHECK(full.size() == max_tracestate_bytes);
  CHECK_FALSE(state_of(full).empty());
  CHECK(state_of(full + ",").empty());
}
