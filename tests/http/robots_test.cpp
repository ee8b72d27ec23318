// RFC 9309, and the examples of the document.
#include <algorithm>
#include <catch2/catch.hpp>
#include <http/robots.hpp>
#include <random>
#include <string>
#include <support/print_result.hpp>
#include <vector>

using freshet::http::max_robots_bytes;
using freshet::http::max_robots_pattern;
using freshet::http::max_robots_steps;
using freshet::http::product_token;
using freshet::http::robots_rules;

namespace {

bool allowed(const std::string& text, const std::string& path,
             const std::string& token = "Freshet") {
  return robots_rules::parse(text).check(token, path).allowed;
}

}  // namespace

TEST_CASE("the longest rule decides, and Allow wins a tie") {
  struct row {
    const char *rules, *path;
    bool allowed;
  };
  for (const row& each : {
           row{"Disallow: /", "/", false},
           row{"Disallow: /", "/robots.txt", true},
           row{"Disallow:", "/a", true},
           row{"Disallow: /a", "/a", false},
           row{"Disallow: /a", "/ab/c", false},
           row{"Disallow: /a", "/A", true},
           row{"Disallow: /a/", "/a", true},
           row{"Disallow: /example/\nAllow: /example/page", "/example/page.html", true},
           row{"Allow: /example/\nDisallow: /example/page", "/example/page.html", false},
           row{"Disallow: /page\nAllow: /page", "/page", true},
           row{"Allow: /page\nDisallow: /page", "/page", true},
           row{"Allow: /$\nDisallow: /", "/", true},
           row{"Allow: /$\nDisallow: /", "/page.htm", false},
           row{"Disallow: *.gif$", "/a/b.gif", false},
           row{"Disallow: *.gif$", "/a/b.gif?x", true},
           row{"Disallow: /*?", "/a?b=1", false},
           row{"Disallow: /*?", "/a", true},
           row{"Disallow: /fish*.php", "/fishheads/catfish.php?parameters", false},
           row{"Disallow: /fish*.php", "/Fish.PHP", true},
           row{"Disallow: /a*b*c$", "/aXbXbXc", false},
           row{"Disallow: /a*b*c$", "/aXbXcX", true},
           row{"Disallow: /a*bc$", "/abc", false},
           row{"Disallow: /abc*bc$", "/abc", true},
           row{"Disallow: /*", "/x", false},
           row{"Disallow: /foo/bar?baz=http://foo.bar", "/foo/bar?baz=http://foo.bar", false},
           row{"Disallow: /b\xC3\xA9", "/b%C3%A9", false},
           row{"Disallow: /b%c3%a9", "/b%C3%A9x", false},
           row{"Disallow: /%62%61z", "/baz", false},
           row{"Disallow: /*/{{image}}", "/x/%7B%7Bimage%7D%7D", false},
           row{"Disallow: /a%7cb", "/a|b", false},
           row{"Disallow: /a%2Fb", "/a/b", true},
           row{"Disallow: a", "/a", true},
       }) {
    INFO(each.rules << " | " << each.path);
    CHECK(allowed(std::string("User-agent: *\n") + each.rules, each.path) == each.allowed);
  }
}

TEST_CASE("the group is that of the product token, else that of the star, else none") {
  const std::string text =
      "Disallow: /before-any-group\n"
      "User-Agent: * \nDisallow: /star\n\n"
      "user-agent : OtherBot\nUSER-AGENT: freshet/2.0 # us\n"
      "Sitemap: https://example.org/s.xml\nDisallow: /ours # really\n"
      "User-agent: third\nDisallow: /third\n"
      "User-agent: FRESHET\nDisallow: /again\n";
  CHECK(allowed(text, "/before-any-group"));
  CHECK(allowed(text, "/star"));
  CHECK_FALSE(allowed(text, "/ours"));
  CHECK_FALSE(allowed(text, "/again"));
  CHECK(allowed(text, "/third"));
  CHECK_FALSE(allowed(text, "/ours", "otherbot"));
  CHECK_FALSE(allowed(text, "/star", "Stranger"));
  CHECK_FALSE(allowed(text, "/star", ""));
  CHECK(allowed("User-agent: other\nDisallow: /", "/x"));
  CHECK(allowed("", "/x"));
}

TEST_CASE("line endings, byte order mark and junk") {
  CHECK_FALSE(allowed("\xEF\xBB\xBFUser-agent: *\r\nDisallow: /x\r\n", "/x"));
  CHECK_FALSE(allowed("User-agent: *\rDisallow: /x\r", "/x"));
  CHECK_FALSE(allowed("<html>\nUser-agent: *\njunk\nDisallow: /x", "/x"));
  CHECK(allowed("<html><body>not found</body></html>", "/x"));
}

TEST_CASE("what sites misspell is obeyed, as by the largest crawler") {
  for (const std::string key : {"useragent:", "User Agent :", "user-agent"}) {
    CAPTURE(key);
    CHECK_FALSE(allowed(key + " *\nDisallow: /x", "/x"));
    CHECK(allowed(key + " other\nDisallow: /x", "/x"));
  }
  for (const std::string key :
       {"Disallow", "dissallow:", "dissalow:", "disalow:", "diasllow:", "disallaw:"}) {
    CAPTURE(key);
    CHECK_FALSE(allowed("User-agent: *\n" + key + " /x", "/x"));
  }
  CHECK(allowed("User-agent: *\nDisallow: /\nAllow /x", "/x"));
  CHECK_FALSE(allowed("User-agent: * (all)\nDisallow: /x", "/x"));
  // Words without a colon are prose.
  CHECK(allowed("User-agent: *\ndisallow /x and /y", "/x"));
  CHECK(allowed("User-agent: *\ndisalloww: /x", "/x"));
}

TEST_CASE("what lies beyond 500 KiB is not read") {
  std::string text = "User-agent: *\nDisallow: /early\n";
  text += "#" + std::string(max_robots_bytes, 'x') + "\nDisallow: /late\n";
  CHECK_FALSE(allowed(text, "/early"));
  CHECK(allowed(text, "/late"));
}

TEST_CASE("a file says the same however it is cut") {
  const std::string text =
      "\xEF\xBB\xBFUser-agent: other\r\nuser-agent: Freshet\r\n\r\nDisallow: /a # all\n"
      "Allow: /a/b$\nSitemap: x\nUser-agent: *\nDisallow: /\nDisallow: /late";
  for (std::size_t bytes = 1; bytes <= text.size(); ++bytes) {
    robots_rules::reader of(text);
    while (of.read_some(bytes)) {
    }
    const robots_rules rules = of.take();
    INFO(bytes);
    CHECK(rules.bytes() == robots_rules::parse(text).bytes());
    CHECK(rules.check("Freshet", "/a/c").rule == "Disallow: /a");
    CHECK(rules.check("Freshet", "/a/b").allowed);
    CHECK(rules.check("Freshet", "/late").allowed);
    CHECK(rules.check("none", "/late").rule == "Disallow: /late");
  }
}

TEST_CASE("of an overlong rule no more is read than forbids") {
  const std::string path = "/" + std::string(max_robots_pattern - 1, 'a');
  CHECK_FALSE(allowed("User-agent: *\nDisallow: " + path + "/private\n", path + "/public"));
  CHECK_FALSE(allowed("User-agent: *\nDisallow: /a\nAllow: " + path + "/b\n", path + "/b"));
  CHECK(allowed("User-agent: *\nDisallow: /a\nAllow: " + path + "\n", path));
  const std::string agents = "User-agent: " + std::string(max_robots_bytes / 2, 'a') + "\n";
  CHECK(allowed(agents + "Disallow: /\n", "/x"));
  CHECK_FALSE(allowed(agents + "User-agent: *\nDisallow: /\n", "/x"));
}

TEST_CASE("hostile files are given up after so many steps, and allow nothing", "[alone]") {
  for (const std::string& rule :
       {std::string("Disallow: /*a*a*a*a*a*a*a*a*a*a*a*a*a*a*ab$\n"),
        "Disallow: /*" + std::string(900, 'a') + "b\n", std::string("Allow: /*b\n"),
        "Disallow: /" + std::string(50, '*') + "b\n"}) {
    std::string text = "User-agent: *\n";
    while (text.size() < max_robots_bytes) text += rule;
    const auto says = robots_rules::parse(text).check("Freshet", "/" + std::string(2000, 'a'));
    INFO(rule.substr(0, 60));
    CHECK(says.too_costly);
    CHECK_FALSE(says.allowed);
    CHECK(says.steps < max_robots_steps + max_robots_bytes);
  }
}

TEST_CASE("a judgement takes some steps at a time, and decides what it decides at once",
          "[alone]") {
  constexpr std::size_t at_once = 1'000, longest_rule = 3'000;
  for (const std::string& rule :
       {std::string("Disallow: /*a*a*a*a*ab$\n"), std::string("User-agent: x\nUser-agent: y\n"),
        "Disallow: /*" + std::string(900, 'a') + "b\n", std::string("Allow: /a\n")}) {
    std::string text = "User-agent: *\nAllow: /aa\n";
    while (text.size() < max_robots_bytes) text += rule;
    const auto rules = robots_rules::parse(text);
    const std::string path = "/" + std::string(2'000, 'a');
    robots_rules::judgement slowly(rules, "Freshet", path);
    std::size_t pieces = 1, before = 0, most = 0;
    for (; slowly.go_on(at_once); ++pieces) {
      most = std::max(most, slowly.steps() - before);
      before = slowly.steps();
    }
    const auto says = slowly.take();
    const auto at_last = rules.check("Freshet", path);
    INFO(rule.substr(0, 60));
    CHECK(says.allowed == at_last.allowed);
    CHECK(says.rule == at_last.rule);
    CHECK(says.too_costly == at_last.too_costly);
    CHECK(says.steps == at_last.steps);
    CHECK(pieces > 10);
    CHECK(most <= at_once + longest_rule);
  }
}

TEST_CASE("a large file of a real kind is judged in full") {
  std::string text = "User-agent: *\n";
  for (int i = 0; i < 15'000; ++i) text += "Disallow: /shop/old/" + std::to_string(i) + "/\n";
  for (int i = 0; i < 1'000; ++i) text += "Disallow: /*?sort=" + std::to_string(i) + "&\n";
  text += "Disallow: /*/private/\nAllow: /*/private/open$\n";
  REQUIRE(text.size() < max_robots_bytes);
  const auto rules = robots_rules::parse(text);
  const std::string path = "/shop/" + std::string(200, 'x');
  const auto open = rules.check("Freshet", path + "/page");
  CHECK(open.allowed);
  CHECK_FALSE(open.too_costly);
  CHECK(rules.check("Freshet", path + "/private/x").rule == "Disallow: /*/private/");
  CHECK(rules.check("Freshet", path + "/private/open").allowed);
  CHECK_FALSE(rules.check("Freshet", "/shop/old/14999/").allowed);
  CHECK_FALSE(rules.check("Freshet", path + "?sort=999&").allowed);
}

TEST_CASE("stars match as a search of every placement does", "[alone]") {
  // By the definition, one character at a time.
  const auto by_definition = [](std::string_view pattern, std::string_view path) {
    const bool anchored = pattern.ends_with('$');
    if (anchored) pattern.remove_suffix(1);
    std::vector<bool> ends(path.size() + 1, false);  // where what was read of the pattern may end
    ends[0] = true;
    for (const char c : pattern) {
      std::vector<bool> next(path.size() + 1, false);
      for (std::size_t i = 0; i <= path.size(); ++i) {
        if (!ends[i]) continue;
        if (c == '*') std::fill(next.begin() + static_cast<std::ptrdiff_t>(i), next.end(), true);
        if (c != '*' && i < path.size() && path[i] == c) next[i + 1] = true;
      }
      ends = next;
    }
    return anchored ? ends[path.size()] : std::find(ends.begin(), ends.end(), true) != ends.end();
  };
  std::mt19937 random(12);
  const auto text_of = [&](std::string_view letters, std::size_t most) {
    std::string out = "/";
    for (std::size_t left = random() % most; left > 0; --left)
      out += letters[random() % letters.size()];
    return out;
  };
  for (int round = 0; round < 20'000; ++round) {
    const auto pattern = text_of("aab*", 9) + (random() % 3 == 0 ? "$" : "");
    const auto path = text_of("aab", 14);
    INFO(pattern << " | " << path);
    REQUIRE(allowed("User-agent: *\nDisallow: " + pattern, path) != by_definition(pattern, path));
  }
}

TEST_CASE("the verdict names its rule") {
  const auto rules = robots_rules::parse("User-agent: *\nDisallow: /private\n");
  CHECK(rules.check("Freshet", "/private/x").rule == "Disallow: /private");
  CHECK(rules.check("Freshet", "/public").rule.empty());
}

TEST_CASE("product tokens") {
  CHECK(product_token("Freshet/1.0 (+mailto:a@example.org)") == "Freshet");
  CHECK(product_token("my_bot-x 1") == "my_bot-x");
  CHECK(product_token("").empty());
}
