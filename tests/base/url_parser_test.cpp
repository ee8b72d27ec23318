// The WHATWG parser held to a table; expected values are what the standard prescribes ("" where it
// says failure).
#include <base/url.hpp>
#include <catch2/catch.hpp>

using namespace freshet::base;

namespace {

struct url_case {
  std::string_view input;
  const char* against;  ///< null: none
  std::string_view expected;
};

constexpr const char* base = "http://base.example/dir/page?old#frag";

// clang-format off
constexpr url_case cases[] = {
    // schemes and slashes
    {"http://example.org", nullptr, "http://example.org/"},
    {"HTTP://EXAMPLE.ORG/Path", nullptr, "http://example.org/Path"},
    {"http:example.org", nullptr, "http://example.org/"},
    {"http:/example.org", nullptr, "http://example.org/"},
    {"http:\\\\example.org\\a\\b", nullptr, "http://example.org/a/b"},
    {"http:////example.org/a", nullptr, "http://example.org/a"},
    {"https:example.org/a", nullptr, "https://example.org/a"},
    {"  http://example.org/a  ", nullptr, "http://example.org/a"},
    {"\011http://exa\012mple.org/\015a", nullptr, "http://example.org/a"},
    {"\001http://example.org/\037", nullptr, "http://example.org/"},
    {"ftp://example.org:21/f", nullptr, "ftp://example.org/f"},
    {"ws://example.org:80/s", nullptr, "ws://example.org/s"},
    {"wss://example.org:443/s", nullptr, "wss://example.org/s"},
    {"mailto:someone@example.org", nullptr, "mailto:someone@example.org"},
    {"data:text/plain,a b", nullptr, "data:text/plain,a b"},
    {"javascript:alert(1)", nullptr, "javascript:alert(1)"},
    {"foo:/a/../b", nullptr, "foo:/b"},
    {"foo://Host/A%2FB/../c", nullptr, "foo://Host/c"},
    {"foo:///a", nullptr, "foo:///a"},
    {"foo:/.//a", nullptr, "foo:/.//a"},
    {"a+b-c.1:x", nullptr, "a+b-c.1:x"},
    {"1a:b", nullptr, ""},
    {":foo", nullptr, ""},
    {"example.org/path", nullptr, ""},
    {"", nullptr, ""},
    {"//example.org/a", nullptr, ""},
    {"/a", nullptr, ""},
    {"http:", nullptr, ""},
    {"http://", nullptr, ""},
    {"http:///", nullptr, ""},
    {"https://?q", nullptr, ""},
    {"https://#f", nullptr, ""},
    // credentials
    {"http://user@example.org/", nullptr, "http://user@example.org/"},
    {"http://user:pass@example.org/", nullptr, "http://user:pass@example.org/"},
    {"http://us%65r:p@ss@example.org/", nullptr, "http://us%65r:p%40ss@example.org/"},
    {"http://:secret@example.org/", nullptr, "http://:secret@example.org/"},
    {"http://user:@example.org/", nullptr, "http://user@example.org/"},
    {"http://@example.org/", nullptr, "http://example.org/"},
    {"http://a b:c;d@example.org/", nullptr, "http://a%20b:c%3Bd@example.org/"},
    {"http://user@/path", nullptr, ""},
    {"http://example.org@evil.example/", nullptr, "http://example.org@evil.example/"},
    {"http://good.example\\@evil.example/", nullptr, "http://good.example/@evil.example/"},
    {"http://good.example#@evil.example/", nullptr, "http://good.example/#@evil.example/"},
    {"http://good.example?@evil.example/", nullptr, "http://good.example/?@evil.example/"},
    {"foo://u:p@h/", nullptr, "foo://u:p@h/"},
    // ports
    {"http://example.org:80/", nullptr, "http://example.org/"},
    {"http://example.org:8080/", nullptr, "http://example.org:8080/"},
    {"http://example.org:/", nullptr, "http://example.org/"},
    {"http://example.org:00443/", nullptr, "http://example.org:443/"},
    {"https://example.org:443/", nullptr, "https://example.org/"},
    {"https://example.org:80/", nullptr, "https://example.org:80/"},
    {"http://example.org:0/", nullptr, "http://example.org:0/"},
    {"http://example.org:65535/", nullptr, "http://example.org:65535/"},
    {"http://example.org:65536/", nullptr, ""},
    {"http://example.org:8a/", nullptr, ""},
    {"http://example.org:-1/", nullptr, ""},
    {"http://:80/", nullptr, ""},
    {"foo://:80/", nullptr, ""},
    {"foo://h:80/", nullptr, "foo://h:80/"},
    {"http://a:b:80/", nullptr, ""},
    // domains
    {"http://ExAmPlE.OrG/", nullptr, "http://example.org/"},
    {"http://münchen.example/", nullptr, "http://xn--mnchen-3ya.example/"},
    {"http://MÜNCHEN.example/", nullptr, "http://xn--mnchen-3ya.example/"},
    {"http://faß.example/", nullptr, "http://xn--fa-hia.example/"},
    {"http://日本語。jp/", nullptr, "http://xn--wgv71a119e.jp/"},
    {"http://ｅｘａｍｐｌｅ.org/", nullptr, "http://example.org/"},
    {"http://a\302\255b.example/", nullptr, "http://ab.example/"},
    {"http://xn--mnchen-3ya.example/", nullptr, "http://xn--mnchen-3ya.example/"},
    {"http://xn--a/", nullptr, ""},
    {"http://ex%61mple.org/", nullptr, "http://example.org/"},
    {"http://ex%2Fample.org/", nullptr, ""},
    {"http://ex ample.org/", nullptr, ""},
    {"http://ex<ample.org/", nullptr, ""},
    {"http://ex|ample/", nullptr, ""},
    {"http://a_b.example/", nullptr, "http://a_b.example/"},
    {"http://-a-.example/", nullptr, "http://-a-.example/"},
    {"http://ab--cd.example/", nullptr, "http://ab--cd.example/"},
    {"http://example..org/", nullptr, "http://example..org/"},
    {"http://example.org./", nullptr, "http://example.org./"},
    {"http://%zz/", nullptr, ""},
    {"http://%00/", nullptr, ""},
    {"http://a^b/", nullptr, ""},
    {"http://\342\200\215.example/", nullptr, ""},
    {"http://☃.example/", nullptr, "http://xn--n3h.example/"},
    {"http://ب.example/", nullptr, "http://xn--ngb.example/"},
    {"http://aب.example/", nullptr, ""},
    {"http://%E2%98%83.example/", nullptr, "http://xn--n3h.example/"},
    {"foo://M%C3%BCnchen/", nullptr, "foo://M%C3%BCnchen/"},
    {"foo://münchen/", nullptr, "foo://m%C3%BCnchen/"},
    {"foo://a b/", nullptr, ""},
    {"foo://a^b/", nullptr, ""},
    // IPv4
    {"http://127.0.0.1/", nullptr, "http://127.0.0.1/"},
    {"http://127.1/", nullptr, "http://127.0.0.1/"},
    {"http://127.0.1/", nullptr, "http://127.0.0.1/"},
    {"http://2130706433/", nullptr, "http://127.0.0.1/"},
    {"http://0x7f000001/", nullptr, "http://127.0.0.1/"},
    {"http://0x7f.1/", nullptr, "http://127.0.0.1/"},
    {"http://0177.0.0.1/", nullptr, "http://127.0.0.1/"},
    {"http://0x7F.0.0.0x1/", nullptr, "http://127.0.0.1/"},
    {"http://017700000001/", nullptr, "http://127.0.0.1/"},
    {"http://0/", nullptr, "http://0.0.0.0/"},
    {"http://0x/", nullptr, "http://0.0.0.0/"},
    {"http://0x.0x.0/", nullptr, "http://0.0.0.0/"},
    {"http://127.0.0.1./", nullptr, "http://127.0.0.1/"},
    {"http://127.0.0.1../", nullptr, "http://127.0.0.1../"},
    {"http://256.0.0.1/", nullptr, ""},
    {"http://1.2.3.256/", nullptr, ""},
    {"http://1.2.65536/", nullptr, ""},
    {"http://1.2.65535/", nullptr, "http://1.2.255.255/"},
    {"http://4294967295/", nullptr, "http://255.255.255.255/"},
    {"http://4294967296/", nullptr, ""},
    {"http://99999999999999999999/", nullptr, ""},
    {"http://1.2.3.4.5/", nullptr, ""},
    {"http://1.2.3.08/", nullptr, ""},
    {"http://1.2.3.x/", nullptr, "http://1.2.3.x/"},
    {"http://1.2.3.0xg/", nullptr, "http://1.2.3.0xg/"},
    {"http://a.1/", nullptr, ""},
    {"http://a.0x1/", nullptr, ""},
    {"http://a.1b/", nullptr, "http://a.1b/"},
    {"http://①②⑦.⓪.⓪.①/", nullptr, "http://127.0.0.1/"},
    {"http://１２７.０.０.１/", nullptr, "http://127.0.0.1/"},
    {"http://%31%32%37.0.0.1/", nullptr, "http://127.0.0.1/"},
    {"http://1..2/", nullptr, ""},
    {"foo://127.1/", nullptr, "foo://127.1/"},
    {"http://09.0.0.1/", nullptr, ""},
    // IPv6
    {"http://[::1]/", nullptr, "http://[::1]/"},
    {"http://[::]/", nullptr, "http://[::]/"},
    {"http://[0:0:0:0:0:0:0:1]/", nullptr, "http://[::1]/"},
    {"http://[2001:DB8:0:0:1:0:0:1]/", nullptr, "http://[2001:db8::1:0:0:1]/"},
    {"http://[1:0:0:2:0:0:0:3]/", nullptr, "http://[1:0:0:2::3]/"},
    {"http://[1:2:3:4:5:6:7:8]:81/", nullptr, "http://[1:2:3:4:5:6:7:8]:81/"},
    {"http://[1:2:3:4:5:6:7::]/", nullptr, "http://[1:2:3:4:5:6:7:0]/"},
    {"http://[::2:3:4:5:6:7:8]/", nullptr, "http://[0:2:3:4:5:6:7:8]/"},
    {"http://[::ffff:127.0.0.1]/", nullptr, "http://[::ffff:7f00:1]/"},
    {"http://[::127.0.0.1]/", nullptr, "http://[::7f00:1]/"},
    {"http://[64:ff9b::192.0.2.1]/", nullptr, "http://[64:ff9b::c000:201]/"},
    {"http://[1:2:3:4:5:6:1.2.3.4]/", nullptr, "http://[1:2:3:4:5:6:102:304]/"},
    {"http://[1:2:3:4:5:6:7:1.2.3.4]/", nullptr, ""},
    {"http://[::1.2.3]/", nullptr, ""},
    {"http://[::1.2.3.4.5]/", nullptr, ""},
    {"http://[::1.2.3.04]/", nullptr, ""},
    {"http://[::256.0.0.1]/", nullptr, ""},
    {"http://[::1.2.3.4:5]/", nullptr, ""},
    {"http://[fe80::1%25eth0]/", nullptr, ""},
    {"http://[1::2::3]/", nullptr, ""},
    {"http://[1:2:3:4::5:6:7:8]/", nullptr, ""},
    {"http://[::1:2:3:4:5:6:7:8]/", nullptr, ""},
    {"http://[1:2:3:4:5:6::127.0.0.1]/", nullptr, ""},
    {"http://[1:2:3]/", nullptr, ""},
    {"http://[:1]/", nullptr, ""},
    {"http://[1:]/", nullptr, ""},
    {"http://[12345::]/", nullptr, ""},
    {"http://[g::]/", nullptr, ""},
    {"http://[::1/", nullptr, ""},
    {"http://::1]/", nullptr, ""},
    {"http://[]/", nullptr, ""},
    {"http://[::1]x/", nullptr, ""},
    {"foo://[::1]/", nullptr, "foo://[::1]/"},
    // paths
    {"http://h/a/./b/../c", nullptr, "http://h/a/c"},
    {"http://h/../../a", nullptr, "http://h/a"},
    {"http://h/a/..", nullptr, "http://h/"},
    {"http://h/a/.", nullptr, "http://h/a/"},
    {"http://h/a/%2e%2E/b", nullptr, "http://h/b"},
    {"http://h/a/.%2e", nullptr, "http://h/"},
    {"http://h/%2e/a", nullptr, "http://h/a"},
    {"http://h/...", nullptr, "http://h/..."},
    {"http://h/a//b///", nullptr, "http://h/a//b///"},
    {"http://h/a\\b\\..\\c", nullptr, "http://h/a/c"},
    {"http://h/a b", nullptr, "http://h/a%20b"},
    {"http://h/\"<>`{}", nullptr, "http://h/%22%3C%3E%60%7B%7D"},
    {"http://h/|[]~!$&'()*+,;=:@", nullptr, "http://h/|[]~!$&'()*+,;=:@"},
    {"http://h/é/日本", nullptr, "http://h/%C3%A9/%E6%97%A5%E6%9C%AC"},
    {"http://h/😀", nullptr, "http://h/%F0%9F%98%80"},
    {"http://h/%", nullptr, "http://h/%"},
    {"http://h/%4", nullptr, "http://h/%4"},
    {"http://h/%41%7e", nullptr, "http://h/%41%7e"},
    {"http://h/a%00b", nullptr, "http://h/a%00b"},
    {std::string_view("http://h/a\000b", 12), nullptr, "http://h/a%00b"},
    {"http://h/\177", nullptr, "http://h/%7F"},
    {"foo:a\\b", nullptr, "foo:a\\b"},
    {"foo:/a\\b", nullptr, "foo:/a\\b"},
    // queries and fragments
    {"http://h?q", nullptr, "http://h/?q"},
    {"http://h/?", nullptr, "http://h/?"},
    {"http://h/#", nullptr, "http://h/#"},
    {"http://h/?a=b c&d=\"<>'", nullptr, "http://h/?a=b%20c&d=%22%3C%3E%27"},
    {"foo://h/?a='", nullptr, "foo://h/?a='"},
    {"http://h/?é#ü", nullptr, "http://h/?%C3%A9#%C3%BC"},
    {"http://h/?a?b#c#d", nullptr, "http://h/?a?b#c#d"},
    {"http://h/#a b\"<>`{}", nullptr, "http://h/#a%20b%22%3C%3E%60{}"},
    {"http://h/?%zz", nullptr, "http://h/?%zz"},
    {"http://h/?a\\b#c\\d", nullptr, "http://h/?a\\b#c\\d"},
    {"mailto:a@b?subject=x y#z", nullptr, "mailto:a@b?subject=x%20y#z"},
    // relative
    {"", base, "http://base.example/dir/page?old"},
    {"a", base, "http://base.example/dir/a"},
    {"./a", base, "http://base.example/dir/a"},
    {"../a", base, "http://base.example/a"},
    {"../../../a", base, "http://base.example/a"},
    {"/a", base, "http://base.example/a"},
    {"//other.example/a", base, "http://other.example/a"},
    {"///other.example/a", base, "http://other.example/a"},
    {"\\\\other.example\\a", base, "http://other.example/a"},
    {"\\a", base, "http://base.example/a"},
    {"?new", base, "http://base.example/dir/page?new"},
    {"#new", base, "http://base.example/dir/page?old#new"},
    {"http:a", base, "http://base.example/dir/a"},
    {"http:/a", base, "http://base.example/a"},
    {"http://a", base, "http://a/"},
    {"https:a", base, "https://a/"},
    {"https:/a", base, "https://a/"},
    {"mailto:a", base, "mailto:a"},
    {".", base, "http://base.example/dir/"},
    {"..", base, "http://base.example/"},
    {"a?b#c", base, "http://base.example/dir/a?b#c"},
    {"a:b", base, "a:b"},
    {"./a:b", base, "http://base.example/dir/a:b"},
    {":a", base, "http://base.example/dir/:a"},
    {"?", base, "http://base.example/dir/page?"},
    {"#", base, "http://base.example/dir/page?old#"},
    {"  a  ", base, "http://base.example/dir/a"},
    {"javascript:void(0)", base, "javascript:void(0)"},
    {"//", base, ""},
    {"//:80", base, ""},
    {"a", "http://h", "http://h/a"},
    {"a", "foo://h", "foo://h/a"},
    {"a", "foo:/x/y", "foo:/x/a"},
    {"../a", "foo:/x/y/z", "foo:/x/a"},
    {"//x/a", "foo:/y", "foo://x/a"},
    {"#f", "mailto:a@b", "mailto:a@b#f"},
    {"a", "mailto:a@b", ""},
    {"?q", "data:x", ""},
    {"#f", "foo://h/p?q", "foo://h/p?q#f"},
    {"..", "http://h/a/b/", "http://h/a/"},
    {"%2e%2e/a", "http://h/x/y/z", "http://h/x/a"},
    // files
    {"file:///etc/passwd", nullptr, "file:///etc/passwd"},
    {"file:/etc/passwd", nullptr, "file:///etc/passwd"},
    {"file:etc", nullptr, "file:///etc"},
    {"file://localhost/a", nullptr, "file:///a"},
    {"file://Host/a", nullptr, "file://host/a"},
    {"file:///C|/a/../..", nullptr, "file:///C:/"},
    {"file://C:/a", nullptr, "file:///C:/a"},
    {"file:C:\\a", nullptr, "file:///C:/a"},
    {"file:", nullptr, "file:///"},
    {"file://[::1]/a", nullptr, "file://[::1]/a"},
    {"file://a b/", nullptr, ""},
    {"x", "file:///a/b", "file:///a/x"},
    {"/x", "file:///C:/a/b", "file:///C:/x"},
    {"C|/x", "file:///D:/a", "file:///C:/x"},
    {"..", "file:///C:/", "file:///C:/"},
    {"//h/x", "file:///C:/a", "file://h/x"},
    {"?q", "file://h/a", "file://h/a?q"},
    {"file:x", "file:///a/b", "file:///a/x"},
    {"file:x", "http://h/", "file:///x"},

};
// clang-format on

std::string read(const url_case& one) {
  if (one.against == nullptr) {
    const auto parsed = parse_url(one.input);
    return parsed ? parsed->text() : "";
  }
  return resolve_url(one.against, one.input);
}

}  // namespace

TEST_CASE("URLs are read as the standard says") {
  for (const url_case& one : cases) {
    INFO(one.input << " against " << (one.against != nullptr ? one.against : "nothing"));
    CHECK(read(one) == one.expected);
  }
}

TEST_CASE("A parsed URL reads as itself again") {
  for (const url_case& one : cases) {
    const std::string once = read(one);
    if (once.empty()) continue;
    INFO(once);
    const auto again = parse_url(once);
    REQUIRE(again.has_value());
    CHECK(again->text() == once);
  }
}

TEST_CASE("The parts of a URL") {
  const auto parsed = parse_url("https://user:p%40ss@[2001:db8::1]:8443/a%20b/c?x=1&y=2#part");
  REQUIRE(parsed.has_value());
  CHECK(parsed->scheme == "https");
  CHECK(parsed->username == "user");
  CHECK(parsed->password == "p%40ss");
  CHECK(parsed->host == "[2001:db8::1]");
  CHECK(parsed->port == "8443");
  CHECK(parsed->path == "/a%20b/c");
  CHECK(parsed->query == "x=1&y=2");
  CHECK(parsed->fragment == "part");
  CHECK(parsed->has_query);
  CHECK(parsed->has_fragment);
  CHECK(parsed->is_http());
  CHECK_FALSE(parsed->opaque);
  CHECK(parsed->origin() == "https://[2001:db8::1]:8443");

  const auto mail = parse_url("mailto:a@b.example");
  REQUIRE(mail.has_value());
  CHECK(mail->opaque);
  CHECK_FALSE(mail->is_http());
  CHECK(mail->path == "a@b.example");
}

TEST_CASE("An empty query and fragment are told from none") {
  CHECK_FALSE(parse_url("http://h/")->has_query);
  CHECK(parse_url("http://h/?")->has_query);
  CHECK_FALSE(parse_url("http://h/?")->has_fragment);
  CHECK(parse_url("http://h/#")->has_fragment);
}

TEST_CASE("Bytes that are not UTF-8 are kept in a path and refused in a host") {
  CHECK(parse_url("http://h/caf\xE9")->path == "/caf%E9");
  CHECK_FALSE(parse_url("http://caf\xE9.example/").has_value());
  CHECK_FALSE(parse_url("http://caf%E9.example/").has_value());
}

TEST_CASE("Very long URLs and hosts are refused, long ones are read in linear time") {
  const std::string long_path(500'000, 'a');
  CHECK(parse_url("http://h/" + long_path)->path.size() == long_path.size() + 1);
  std::string dots = "http://h";
  for (int i = 0; i < 100'000; ++i) dots += "/a/..";
  CHECK(parse_url(dots)->path == "/");
  CHECK_FALSE(parse_url("http://h/" + std::string(2'000'000, 'a')).has_value());
  CHECK_FALSE(parse_url("http://" + std::string(10'000, 'a') + "/").has_value());
}

TEST_CASE("Resolving against a text that is no URL gives nothing") {
  CHECK(resolve_url("not a url", "a").empty());
  CHECK(resolve_url("", "http://h/").empty());
  CHECK(resolve_url("http://h/", "http://[").empty());
}
