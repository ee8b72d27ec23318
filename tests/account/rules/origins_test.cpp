#include <account/keys/known_origins.hpp>
#include <account/rules/origins.hpp>
#include <catch2/catch.hpp>

using namespace freshet;
using namespace freshet::account;

TEST_CASE("an origin is what a browser sends, in its own spelling") {
  for (const char* const good :
       {"https://app.example.org", "http://localhost:5173", "http://127.0.0.1:8080",
        "https://xn--bcher-kva.example", "http://[::1]:3000"}) {
    CAPTURE(good);
    CHECK(check_origins({good}).has_value());
  }
  for (const char* const bad :
       {"", "*", "null", "app.example.org", "https://app.example.org/", "https://APP.example.org",
        "https://app.example.org:443", "ftp://app.example.org", "https://a b.example",
        "https://u@app.example.org", "https://app.example.org?q", " https://app.example.org",
        "file:///etc", "https://app.example.org https://b.example"}) {
    CAPTURE(bad);
    CHECK_FALSE(check_origins({bad}).has_value());
  }
  CHECK_FALSE(check_origins({"https://" + std::string(300, 'a') + ".example"}).has_value());
  const std::vector<std::string> five(5, "https://app.example.org");
  CHECK_FALSE(check_origins(five).has_value());
}

TEST_CASE("origins are stored as one text, and known as long as the process lives") {
  const std::vector<std::string> two{"https://a.example", "http://b.example:81"};
  CHECK(split_origins(join_origins(two)) == two);
  CHECK(split_origins("").empty());
  CHECK(join_origins({}).empty());
  known_origins known;
  CHECK_FALSE(known.has("https://a.example"));
  known.add(two);
  CHECK(known.has("https://a.example"));
  CHECK_FALSE(known.has("https://a.example:81"));
}
