#include <base/digest.hpp>
#include <catch2/catch.hpp>
#include <set>

using namespace freshet::base;

TEST_CASE("SHA-256 of the examples of FIPS 180") {
  CHECK(hex(as_text(sha256(""))) ==
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hex(as_text(sha256("abc"))) ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hex(as_text(sha256(std::string(1'000'000, 'a')))) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("SHA-1 of FIPS 180, and of the example of RFC 6455") {
  CHECK(hex(as_text(sha1("abc"))) == "a9993e364706816aba3e25717850c26c9cd0d89d");
  CHECK(base64(as_text(sha1("dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))) ==
        "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

TEST_CASE("HMAC-SHA-256 of RFC 4231") {
  CHECK(hex(as_text(hmac_sha256(std::string(20, '\x0b'), "Hi There"))) ==
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  CHECK(hex(as_text(hmac_sha256("Jefe", "what do ya want for nothing?"))) ==
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  CHECK(hex(as_text(hmac_sha256(std::string(131, '\xaa'),
                                "Test Using Larger Than Block-Size Key - Hash Key First"))) ==
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  CHECK(hmac_sha256({}, {}) == hmac_sha256("", ""));
}

TEST_CASE("CRC-32 of the check string") {
  CHECK(crc32("123456789") == 0xCBF43926U);
  CHECK(crc32("") == 0U);
  CHECK(crc32({}) == 0U);
}

TEST_CASE("Comparing in constant time") {
  CHECK(equal_in_constant_time("", ""));
  CHECK(equal_in_constant_time({}, ""));
  CHECK(equal_in_constant_time("abc", "abc"));
  CHECK_FALSE(equal_in_constant_time("abc", "abd"));
  CHECK_FALSE(equal_in_constant_time("abc", "ab"));
  CHECK_FALSE(equal_in_constant_time("", "a"));
}

TEST_CASE("Random bytes differ and have the size asked for") {
  CHECK(random_bytes(0).empty());
  CHECK(random_bytes(33).size() == 33);
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random_bytes(16));
  CHECK(seen.size() == 1000);
}

TEST_CASE("Base64 of RFC 4648, and back") {
  constexpr std::pair<std::string_view, std::string_view> cases[] = {{"", ""},
                                                                     {"f", "Zg=="},
                                                                     {"fo", "Zm8="},
                                                                     {"foo", "Zm9v"},
                                                                     {"foob", "Zm9vYg=="},
                                                                     {"fooba", "Zm9vYmE="},
                                                                     {"foobar", "Zm9vYmFy"},
                                                                     {"\xfb\xff", "+/8="}};
  for (const auto& [bytes, text] : cases) {
    CHECK(base64(bytes) == text);
    CHECK(base64_decode(text) == bytes);
  }
  CHECK(base64url("\xfb\xff") == "-_8");
  CHECK(base64url_decode("-_8") == "\xfb\xff");
}

TEST_CASE("Texts that no encoder writes are refused") {
  for (const std::string_view text : {"Zg", "Zg=", "Zg===", "=", "====", "Z===", "Zh==", "Zm9=",
                                      "Zm9v\n", " Zm9v", "Zm-_", "Zg==Zg==", "Z g="}) {
    INFO(text);
    CHECK_FALSE(base64_decode(text).has_value());
  }
  for (const std::string_view text : {"Z", "Zg==", "Zh", "Zm9", "+/8", "Zm9v ", "a\xc3\xa9z"}) {
    INFO(text);
    CHECK_FALSE(base64url_decode(text).has_value());
  }
}

TEST_CASE("Any bytes survive both alphabets") {
  for (std::size_t size = 0; size < 200; ++size) {
    const std::string bytes = random_bytes(size);
    CHECK(base64_decode(base64(bytes)) == bytes);
    CHECK(base64url_decode(base64url(bytes)) == bytes);
  }
}

TEST_CASE("Hexadecimal is lower case") {
  CHECK(hex(std::string_view("\0\x0f\xff", 3)) == "000fff");
}
