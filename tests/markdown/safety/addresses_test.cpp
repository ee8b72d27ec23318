// Pictures whose addresses carry data out, and those that only have long ones.
#include <catch2/catch.hpp>
#include <markdown/safety/addresses.hpp>

using freshet::markdown::rule_of_image;

TEST_CASE("addresses with a place for data are found") {
  for (const auto* address :
       {"https://a.example/p.png?q={{history}}", "https://a.example/p.png?q=%7Bconversation%7D",
        "https://a.example/p?d=[DATA]", "https://a.example/p?d=YOUR_API_KEY",
        "https://a.example/p?x=1&d=%3Csecret%3E", "https://a.example/p?k=$%7BPASSWORD%7D"}) {
    INFO(address);
    CHECK(rule_of_image(address) == "placeholder.1");
  }
  CHECK(rule_of_image("https://a.example/p?t=ignore+all+previous+instructions") == "instruction.1");
  CHECK(rule_of_image("https://a.example/"
                      "p?d=dGhlIHVzZXIgc2FpZCB0aGF0IHRoZSBwYXNzd29yZCBpcyBodW50ZXIy") ==
        "encoded_text.1");
}

TEST_CASE("ordinary addresses are not") {
  for (const auto* address :
       {"", "https://a.example/p.png", "https://a.example/{width}/p.png?w={width}&h={height}",
        "https://a.example/i?url=https%3A%2F%2Fb.example%2Fp.png&w=640&q=75",
        "https://a.example/i?X-Amz-Signature=3f1a0b7c9d2e4f5061728394a5b6c7d8e9f00112233445566",
        "https://a.example/i?v=AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz",
        "https://a.example/og?title=A+title+of+some+words", "data:image/png;base64,AAAA",
        "https://a.example/i?crop=[0,0,1,1]", "https://a.example/?"}) {
    INFO(address);
    CHECK(rule_of_image(address).empty());
  }
}
