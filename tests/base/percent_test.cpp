#include <base/percent.hpp>
#include <base/url.hpp>
#include <catch2/catch.hpp>

using namespace freshet::base;

TEST_CASE("Only unreserved characters stay bare") {
  CHECK(percent_encode("azAZ09-._~") == "azAZ09-._~");
  CHECK(percent_encode("a b+c&d=e/f?g%h'(*)!") == "a%20b%2Bc%26d%3De%2Ff%3Fg%25h%27%28%2A%29%21");
  CHECK(percent_encode("é") == "%C3%A9");
  CHECK(percent_encode(std::string_view("\0\x7f", 2)) == "%00%7F");
}

TEST_CASE("Decoding leaves what is no escape") {
  CHECK(percent_decode("a%20b%C3%A9") == "a bé");
  CHECK(percent_decode("%") == "%");
  CHECK(percent_decode("%4") == "%4");
  CHECK(percent_decode("%4g%zz%41") == "%4g%zzA");
  CHECK(percent_decode("%%41") == "%A");
  CHECK(percent_decode("a+b") == "a+b");
  CHECK(percent_decode("a+b%2B", true) == "a b+");
  CHECK(percent_decode("%e9") == "\xE9");
}

TEST_CASE("Every byte survives encoding and decoding") {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  CHECK(percent_decode(percent_encode(all)) == all);
  CHECK(percent_decode(percent_encode(all), true) == all);
}

TEST_CASE("Each set holds what the one before it holds") {
  // fragment is not below query ("`"), so it stands apart.
  constexpr percent_set growing[] = {percent_set::control, percent_set::query, percent_set::path,
                                     percent_set::userinfo};
  for (int byte = 0; byte < 256; ++byte) {
    bool before = false;
    for (const percent_set set : growing) {
      const bool now = is_in(set, static_cast<unsigned char>(byte));
      CHECK((now || !before));
      before = now;
    }
  }
  CHECK(is_in(percent_set::special_query, '\''));
  CHECK_FALSE(is_in(percent_set::query, '\''));
  CHECK(is_in(percent_set::fragment, '`'));
  CHECK_FALSE(is_in(percent_set::fragment, '#'));
}
